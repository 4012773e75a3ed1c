import { type AnyActorLogic, fromCallback, fromPromise } from 'xstate'
import { attachedFilesMachine } from './machines/send/attached-files.ts'
import type { SessionServices } from './services-port.ts'

type FileService = Awaited<ReturnType<SessionServices['loadFileService']>>

type StoredFiles = Awaited<ReturnType<FileService['load']>>

const withUploads = (service: FileService) =>
  attachedFilesMachine.provide({
    actors: {
      prepareFile: fromPromise(({ input, signal }) => service.prepare(input.file, signal)),
      copyPicture: fromPromise(({ input, signal }) => service.copy(input.file, signal)),
      uploadFile: fromCallback(({ input, sendBack }) => {
        const stopping = new AbortController()
        service
          .upload(input.file, (sent) => sendBack({ type: 'upload.progressed', sent }), stopping.signal)
          .then(
            (uploaded) => sendBack({ type: 'upload.done', uploaded }),
            (error: unknown) => {
              if (!stopping.signal.aborted) sendBack({ type: 'upload.failed', error })
            },
          )
        return () => stopping.abort()
      }),
    },
    actions: {
      discard: (_, { ids }) => {
        // Without the call the file expires on the server.
        for (const id of ids) service.discard(id).catch(() => {})
      },
    },
  })

/** `attachedFiles` with its services, in code that is loaded after the first rows. `wasLeft`: as in `composeSession`. */
export const composeAttachedFiles = (service: FileService, wasLeft: () => boolean): AnyActorLogic => {
  const known = new Set<string>()
  return withUploads(service).provide({
    actors: {
      loadFiles: fromPromise(async ({ input }) => {
        const files = await service.load(input.staffId)
        for (const { id } of files) known.add(id)
        return files
      }),
      watchBrowser: fromCallback(({ sendBack }) => {
        const stops = [
          service.watchOnline(() => sendBack({ type: 'browser.online' })),
          service.watchOtherTabs((ids) => sendBack({ type: 'files.goneElsewhere', ids })),
        ]
        return () => {
          for (const stop of stops) stop()
          // After an expired session the files are kept for the same person's next sign-in.
          if (wasLeft()) void service.forgetAll()
        }
      }),
    },
    actions: {
      store: ({ context: { staffId, files } }) => {
        for (const { id } of files) known.add(id)
        void service.save(staffId, files, new Set(known))
      },
    },
  })
}

/** The pictures in the form of a saved reply. Nothing of them is kept in the browser. */
export const composeReplyPictures = (service: FileService): typeof attachedFilesMachine =>
  withUploads(service).provide({
    actors: {
      loadFiles: fromPromise<StoredFiles, { staffId: string }>(async () => []),
      watchBrowser: fromCallback(({ sendBack }) => service.watchOnline(() => sendBack({ type: 'browser.online' }))),
    },
    actions: { store: () => {} },
  })
