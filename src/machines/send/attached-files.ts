import { assign, fromCallback, fromPromise, setup } from 'xstate'
import { Failure } from '../../domain/failure.ts'
import { newKey } from '../../domain/new-key.ts'
import { pictureGone, refusalFor } from '../../domain/send/attached-file-texts.ts'
import {
  type AttachedFile,
  type FilePurpose,
  filesOf,
  maxFiles,
  moved,
  nextToUpload,
} from '../../domain/send/attached-files.ts'
import { attachedFilesToasts } from '../../domain/send/attached-files-toasts.ts'
import type { Platform } from '../../schemas/conversation.ts'
import type { OutgoingFile } from '../../schemas/outgoing-file.ts'
import { mustBeGiven, mustBeProvided } from '../must-be-provided.ts'
import { failureText } from '../notify-failure.ts'
import type { LaterPartInput } from '../shell/later-parts.ts'
import { notify } from '../system.ts'

export type AttachedFilesEvent =
  /** Staff chose, pasted, dropped or photographed files. */
  | { type: 'files.chosen'; conversationId: string; platform: Platform | null; files: readonly File[] }
  /** Staff inserted a saved reply with pictures. */
  | {
      type: 'pictures.inserted'
      conversationId: string
      platform: Platform | null
      replyId: string
      pictures: readonly OutgoingFile[]
    }
  | { type: 'file.removed'; id: string }
  | { type: 'file.retried'; id: string }
  | { type: 'file.moved'; id: string; by: -1 | 1 }
  /** The outbox accepted the files. */
  | { type: 'files.taken'; ids: readonly string[] }
  /** Another tab of this person sent or removed the files. */
  | { type: 'files.goneElsewhere'; ids: readonly string[] }
  | { type: 'conversation.gone'; id: string }
  | { type: 'browser.online' }

/** What an upload reports. */
export type UploadReport =
  | { type: 'upload.progressed'; sent: number }
  | { type: 'upload.done'; uploaded: OutgoingFile }
  | { type: 'upload.failed'; error: unknown }

type Context = {
  /** The staff member who owns the files. */
  staffId: string
  purpose: FilePurpose
  /** In the order in which they are shown and sent. */
  files: readonly AttachedFile[]
  /** The file that is made smaller, uploaded or copied. */
  current: string | null
  /** The files whose upload lost its connection. They are uploaded again once the browser is online. */
  interrupted: ReadonlySet<string>
  newKey: () => string
}

const changed = (files: readonly AttachedFile[], id: string | null, change: Partial<AttachedFile>) =>
  files.map((file) => (file.id === id ? { ...file, ...change } : file))

type Added = Pick<AttachedFile, 'conversationId' | 'platform'>

/** The files with as many of the new ones as the conversation can still hold. */
function withAdded(
  { files, purpose, newKey }: Context,
  { conversationId, platform }: Added,
  added: readonly Pick<AttachedFile, 'name' | 'blob' | 'copyOf' | 'failure'>[],
): AttachedFile[] {
  const room = Math.max(0, maxFiles[purpose] - filesOf(files, conversationId).length)
  const rest = { conversationId, platform, sent: 0, uploaded: null }
  return [
    ...files,
    ...added.slice(0, room).map(
      (one): AttachedFile => ({
        id: newKey(),
        ...one,
        ...rest,
        status: one.failure === null ? 'waiting' : 'refused',
      }),
    ),
  ]
}

const currentOf = ({ files, current }: Context): AttachedFile => {
  const file = files.find(({ id }) => id === current)
  if (file === undefined) throw new Error('the file that is being uploaded is missing')
  return file
}

type AboutOne = { context: Context; event: { id: string } }

const byId = ({ event: { id } }: Pick<AboutOne, 'event'>) => ({ ids: [id] })

const ofConversation = ({ context: { files }, event: { id } }: AboutOne) => ({
  ids: filesOf(files, id).map((file) => file.id),
})

/** Removes files that will not be sent. The upload of one of them stops. */
const removing = (params: (of: AboutOne) => { ids: readonly string[] }) => {
  const actions = [{ type: 'discard' as const, params }, { type: 'remove' as const, params }, 'store' as const]
  return [{ guard: { type: 'is the current file' as const, params }, target: '.idle' as const, actions }, { actions }]
}

/** Why the current file is not taken; null if it is. */
const refusalIn = (context: Context, blob: Blob | null): string | null =>
  blob === null ? null : refusalFor(context.purpose, blob, currentOf(context).platform)

/**
 * The files that staff attach to replies (feature 'files'), of all conversations. Each is made smaller if the network
 * demands it, then uploaded, one after the other. The bytes are kept in the browser, so that a reload continues. A
 * picture of a saved reply is copied on the server instead. The form of a saved reply has an actor of its own.
 */
export const attachedFilesMachine = setup({
  types: {
    context: {} as Context,
    events: {} as AttachedFilesEvent | UploadReport,
    input: {} as Pick<LaterPartInput, 'userId' | 'newKey'> & { purpose?: FilePurpose; files?: readonly AttachedFile[] },
  },
  actors: {
    loadFiles: fromPromise<readonly AttachedFile[], { staffId: string }>(mustBeProvided('loadFiles')),
    /** Makes a picture smaller, or gives it a type that the network shows. Other files stay as they are. */
    prepareFile: fromPromise<Pick<AttachedFile, 'name' | 'blob'>, { file: AttachedFile }>(
      mustBeProvided('prepareFile'),
    ),
    /** Copies a picture of a saved reply on the server. */
    copyPicture: fromPromise<OutgoingFile, { file: AttachedFile }>(mustBeProvided('copyPicture')),
    uploadFile: fromCallback<{ type: 'never' }, { file: AttachedFile }>(mustBeGiven('uploadFile')),
    /** Its disposer deletes the stored files when the person signs out, not when the tab closes. */
    watchBrowser: fromCallback(mustBeGiven('watchBrowser')),
  },
  guards: {
    'has a file to upload': ({ context: { files } }) => nextToUpload(files) !== undefined,
    'has a picture to copy': ({ context: { files } }) => nextToUpload(files)?.copyOf != null,
    'is gone': (_, { error }: { error: unknown }) => error instanceof Failure && error.status === 404,
    'is the current file': ({ context: { current } }, { ids }: { ids: readonly string[] }) =>
      current !== null && ids.includes(current),
    'fits no more': (
      { context: { files, purpose } },
      { conversationId, count }: { conversationId: string; count: number },
    ) => filesOf(files, conversationId).length + count > maxFiles[purpose],
    'is refused': ({ context }, { blob }: { blob: Blob | null }) => refusalIn(context, blob) !== null,
  },
  actions: {
    notify,
    /** Stores the files of all conversations in their order. */
    store: (_) => mustBeGiven('store')(),
    /** Deletes files on the server that will not be sent. */
    discard: (_, _params: { ids: readonly string[] }) => mustBeGiven('discard')(),
    'restore the files': assign({
      files: ({ context: { files } }, { stored }: { stored: readonly AttachedFile[] }) => [...stored, ...files],
    }),
    'add the files': assign({
      files: (
        { context },
        { conversationId, platform, files }: Extract<AttachedFilesEvent, { type: 'files.chosen' }>,
      ) => {
        const added = files.map((file) => ({
          name: file.name,
          blob: file,
          copyOf: null,
          // A picture may fit once it is smaller.
          failure: file.type.startsWith('image/') ? null : refusalFor(context.purpose, file, platform),
        }))
        return withAdded(context, { conversationId, platform }, added)
      },
    }),
    'add the pictures': assign({
      files: ({ context }, event: Extract<AttachedFilesEvent, { type: 'pictures.inserted' }>) => {
        const { conversationId, platform, replyId, pictures } = event
        const added = pictures.map((picture) => ({
          name: picture.name ?? '',
          blob: null,
          copyOf: { replyId, picture },
          failure: null,
        }))
        return withAdded(context, { conversationId, platform }, added)
      },
    }),
    remove: assign({
      files: ({ context: { files } }, { ids }: { ids: readonly string[] }) =>
        files.filter(({ id }) => !ids.includes(id)),
    }),
    'wait again': assign({
      files: ({ context: { files } }, { ids }: { ids: readonly string[] }) =>
        files.map((file) =>
          ids.includes(file.id) && file.status === 'failed'
            ? { ...file, status: 'waiting' as const, failure: null, sent: 0 }
            : file,
        ),
      interrupted: ({ context: { interrupted } }, { ids }) =>
        new Set([...interrupted].filter((id) => !ids.includes(id))),
    }),
    move: assign({
      files: ({ context: { files } }, { id, by }: { id: string; by: -1 | 1 }) => moved(files, id, by),
    }),
    'begin the next file': assign(({ context: { files } }) => {
      const current = nextToUpload(files)?.id ?? null
      return { current, files: changed(files, current, { status: 'uploading', sent: 0 }) }
    }),
    'use the prepared file': assign({
      files: ({ context: { files, current } }, { name, blob }: Pick<AttachedFile, 'name' | 'blob'>) =>
        changed(files, current, { name, blob }),
    }),
    'refuse the file': assign({
      files: ({ context }, { name, blob }: Pick<AttachedFile, 'name' | 'blob'>) => {
        const failure = refusalIn(context, blob)
        return changed(context.files, context.current, { name, status: 'refused', failure })
      },
    }),
    'lose the picture': assign({
      files: ({ context: { files, current } }) =>
        changed(files, current, { status: 'refused', failure: pictureGone() }),
    }),
    'show the progress': assign({
      files: ({ context: { files, current } }, { sent }: { sent: number }) => changed(files, current, { sent }),
    }),
    'keep the uploaded file': assign({
      files: ({ context: { files, current } }, { uploaded }: { uploaded: OutgoingFile }) =>
        changed(files, current, { status: 'uploaded', uploaded }),
    }),
    'keep the failure': assign(({ context: { files, current, interrupted } }, { error }: { error: unknown }) => {
      const failure = failureText({ error, own: attachedFilesToasts.failed }) ?? attachedFilesToasts.failed.text
      const isInterrupted = error instanceof Failure && (error.kind === 'noAnswer' || error.kind === 'timeout')
      return {
        files: changed(files, current, { status: 'failed', failure }),
        interrupted: isInterrupted && current !== null ? new Set([...interrupted, current]) : interrupted,
      }
    }),
    'leave the file': assign({ current: null }),
  },
}).createMachine({
  id: 'attachedFiles',
  context: ({ input }) => ({
    staffId: input.userId,
    purpose: input.purpose ?? 'message',
    files: input.files ?? [],
    current: null,
    interrupted: new Set(),
    newKey: input.newKey ?? newKey,
  }),
  invoke: { id: 'watchBrowser', src: 'watchBrowser' },
  initial: 'restoring',
  on: {
    'files.chosen': [
      {
        guard: {
          type: 'fits no more',
          params: ({ event: { conversationId, files } }) => ({ conversationId, count: files.length }),
        },
        actions: [
          {
            type: 'notify',
            params: ({ context: { purpose } }) =>
              purpose === 'message' ? attachedFilesToasts.tooMany : attachedFilesToasts.tooManyPictures,
          },
          { type: 'add the files', params: ({ event }) => event },
          'store',
        ],
      },
      { actions: [{ type: 'add the files', params: ({ event }) => event }, 'store'] },
    ],
    'pictures.inserted': [
      {
        guard: {
          type: 'fits no more',
          params: ({ event: { conversationId, pictures } }) => ({ conversationId, count: pictures.length }),
        },
        actions: [
          { type: 'notify', params: attachedFilesToasts.tooMany },
          { type: 'add the pictures', params: ({ event }) => event },
          'store',
        ],
      },
      { actions: [{ type: 'add the pictures', params: ({ event }) => event }, 'store'] },
    ],
    'file.retried': { actions: { type: 'wait again', params: byId } },
    'file.moved': { actions: [{ type: 'move', params: ({ event }) => event }, 'store'] },
    'files.taken': { actions: [{ type: 'remove', params: ({ event }) => event }, 'store'] },
    'browser.online': {
      actions: { type: 'wait again', params: ({ context: { interrupted } }) => ({ ids: [...interrupted] }) },
    },
  },
  states: {
    restoring: {
      invoke: {
        id: 'loadFiles',
        src: 'loadFiles',
        input: ({ context: { staffId } }) => ({ staffId }),
        onDone: {
          target: 'working',
          actions: { type: 'restore the files', params: ({ event }) => ({ stored: event.output }) },
        },
        onError: 'working',
      },
    },
    working: {
      initial: 'idle',
      on: {
        'file.removed': removing(byId),
        'conversation.gone': removing(ofConversation),
        'files.goneElsewhere': [
          {
            guard: { type: 'is the current file', params: ({ event }) => event },
            target: '.idle',
            actions: { type: 'remove', params: ({ event }) => event },
          },
          { actions: { type: 'remove', params: ({ event }) => event } },
        ],
      },
      states: {
        idle: {
          entry: 'leave the file',
          always: [
            { guard: 'has a picture to copy', target: 'copying', actions: 'begin the next file' },
            { guard: 'has a file to upload', target: 'preparing', actions: 'begin the next file' },
          ],
        },
        copying: {
          invoke: {
            id: 'copyPicture',
            src: 'copyPicture',
            input: ({ context }) => ({ file: currentOf(context) }),
            onDone: {
              target: 'idle',
              actions: [
                { type: 'keep the uploaded file', params: ({ event }) => ({ uploaded: event.output }) },
                'store',
              ],
            },
            onError: [
              {
                guard: { type: 'is gone', params: ({ event: { error } }) => ({ error }) },
                target: 'idle',
                actions: ['lose the picture', 'store'],
              },
              {
                target: 'idle',
                actions: { type: 'keep the failure', params: ({ event: { error } }) => ({ error }) },
              },
            ],
          },
        },
        preparing: {
          invoke: {
            id: 'prepareFile',
            src: 'prepareFile',
            input: ({ context }) => ({ file: currentOf(context) }),
            onDone: [
              {
                guard: { type: 'is refused', params: ({ event }) => event.output },
                target: 'idle',
                actions: [{ type: 'refuse the file', params: ({ event }) => event.output }, 'store'],
              },
              {
                target: 'uploading',
                actions: [{ type: 'use the prepared file', params: ({ event }) => event.output }, 'store'],
              },
            ],
            onError: {
              target: 'idle',
              actions: { type: 'keep the failure', params: ({ event }) => ({ error: event.error }) },
            },
          },
        },
        uploading: {
          invoke: { id: 'uploadFile', src: 'uploadFile', input: ({ context }) => ({ file: currentOf(context) }) },
          on: {
            'upload.progressed': { actions: { type: 'show the progress', params: ({ event }) => event } },
            'upload.done': {
              target: 'idle',
              actions: [{ type: 'keep the uploaded file', params: ({ event }) => event }, 'store'],
            },
            'upload.failed': {
              target: 'idle',
              actions: { type: 'keep the failure', params: ({ event }) => event },
            },
          },
        },
      },
    },
  },
})
