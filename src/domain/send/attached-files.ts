import type { Platform } from '../../schemas/conversation.ts'
import type { OutgoingFile } from '../../schemas/outgoing-file.ts'
import { fileProblem } from './file-limits.ts'

/** A file that staff chose for a conversation and that is not sent yet. */
export type AttachedFile = {
  /** The id of the upload, so that a repeated upload stores the file once. */
  id: string
  /** The row id. */
  conversationId: string
  /** The platform when the file was chosen; null if unknown. It decides what a picture is changed to. */
  platform: Platform | null
  name: string
  /** The bytes to upload: those of the chosen file, then those of the smaller picture. */
  blob: Blob
  /** 'refused': the network does not take the file, so no upload is tried. */
  status: 'waiting' | 'uploading' | 'uploaded' | 'failed' | 'refused'
  /** The bytes that have left. */
  sent: number
  uploaded: OutgoingFile | null
  /** Why the file failed or was refused. */
  failure: string | null
}

/** The files of one conversation that can wait to be sent. */
export const maxAttachedFiles = 10

export const filesOf = (files: readonly AttachedFile[], conversationId: string): AttachedFile[] =>
  files.filter((file) => file.conversationId === conversationId)

/** The next file to upload. Files are uploaded one after the other, in the order in which they were chosen. */
export const nextToUpload = (files: readonly AttachedFile[]): AttachedFile | undefined =>
  files.find(({ status }) => status === 'waiting')

/** The files with one of them moved by one place among those of its conversation. */
export function moved(files: readonly AttachedFile[], id: string, by: -1 | 1): readonly AttachedFile[] {
  const from = files.findIndex((file) => file.id === id)
  const conversationId = files[from]?.conversationId
  let to = from + by
  while (files[to] !== undefined && files[to]?.conversationId !== conversationId) to += by
  const [one, other] = [files[from], files[to]]
  if (one === undefined || other === undefined) return files
  return files.map((file, index) => (index === from ? other : index === to ? one : file))
}

/** Whether all files can be sent now on the platform. */
export const areReady = (files: readonly AttachedFile[], platform: Platform | null): boolean =>
  files.every(({ uploaded }) => uploaded !== null && fileProblem(uploaded, platform) === null)
