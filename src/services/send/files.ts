import type { AttachedFile } from '../../domain/send/attached-files.ts'
import { partBytes } from '../../domain/send/file-limits.ts'
import { type OutgoingFile, outgoingFileAnswer } from '../../schemas/outgoing-file.ts'
import { successAnswer } from '../../schemas/primitives.ts'
import type { Http } from '../http.ts'
import { createFileStorage } from './file-storage.ts'
import { smallerPicture } from './smaller-picture.ts'
import { uploadInParts } from './upload-in-parts.ts'
import { uploadingFetch } from './uploading-fetch.ts'
import { recordVoice } from './voice.ts'

/** Milliseconds for one upload, as on the server. */
const uploadTimeout = 10 * 60_000

const pathOf = (id: string) => `/facebook/outgoing-files/${encodeURIComponent(id)}`

const copyPathOf = (replyId: string, pictureId: string, id: string) =>
  `/saved-replies/${encodeURIComponent(replyId)}/pictures/${encodeURIComponent(pictureId)}/copies/${encodeURIComponent(id)}`

async function uploadWhole(
  http: Http,
  { id, name, blob }: AttachedFile,
  onProgress: (sent: number) => void,
  signal: AbortSignal,
): Promise<OutgoingFile> {
  const answer = await http.put(pathOf(id), {
    schema: outgoingFileAnswer,
    query: { name: name.slice(0, 200) },
    fetch: uploadingFetch(blob ?? new Blob(), onProgress),
    timeout: uploadTimeout,
    signal,
  })
  return answer.data
}

/** The files that staff attach (feature 'files'): in the browser and on the server. The calls throw `Failure`. */
export const createFileService = (http: Http) => ({
  ...createFileStorage(),

  recordVoice,

  prepare: async ({ name, blob }: AttachedFile, signal: AbortSignal): Promise<Pick<AttachedFile, 'name' | 'blob'>> =>
    blob === null ? { name, blob } : smallerPicture({ name, blob }, signal),

  /** Uploads the file under its id; repeated, it is stored once, and a large one continues with its first missing part. */
  upload: (file: AttachedFile, onProgress: (sent: number) => void, signal: AbortSignal): Promise<OutgoingFile> =>
    // Browsers compute hashes on secure origins only.
    file.blob !== null && file.blob.size > partBytes && globalThis.isSecureContext
      ? uploadInParts(http, { ...file, blob: file.blob }, onProgress, signal)
      : uploadWhole(http, file, onProgress, signal),

  /** Copies a picture of a saved reply on the server to a file with this id; repeated, it is copied once. */
  copy: async ({ id, copyOf }: AttachedFile, signal: AbortSignal): Promise<OutgoingFile> => {
    if (copyOf === null) throw new Error('a file without a picture is not copied')
    const { replyId, picture } = copyOf
    return (await http.put(copyPathOf(replyId, picture.id, id), { schema: outgoingFileAnswer, signal })).data
  },

  discard: async (id: string): Promise<void> => {
    await http.delete(pathOf(id), { schema: successAnswer })
  },

  /** Returns a function that stops the reports. */
  watchOnline: (report: () => void): (() => void) => {
    window.addEventListener('online', report)
    return () => window.removeEventListener('online', report)
  },
})
