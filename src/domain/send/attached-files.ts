import type { Platform } from '../../schemas/conversation.ts'
import type { OutgoingFile } from '../../schemas/outgoing-file.ts'
import { savedReplyLimits } from '../../schemas/saved-reply.ts'
import { fileProblem } from './file-limits.ts'

/** A picture of a saved reply, which the server copies to a file of its own for each message. */
type ReplyPicture = { replyId: string; picture: OutgoingFile }

/** A file that staff chose for a conversation and that is not sent yet, or one of the form of a saved reply. */
export type AttachedFile = {
  /** The id of the upload, so that a repeated upload stores the file once. */
  id: string
  /** The row id. */
  conversationId: string
  /** The platform when the file was chosen; null if unknown. It decides what a picture is changed to. */
  platform: Platform | null
  name: string
  /** The bytes to upload: those of the chosen file, then those of the smaller picture. Null if the server has them. */
  blob: Blob | null
  /** Copied instead of uploaded; null for a chosen file. */
  copyOf: ReplyPicture | null
  /** 'refused': the network does not take the file, so no upload is tried. */
  status: 'waiting' | 'uploading' | 'uploaded' | 'failed' | 'refused'
  /** The bytes that have left. */
  sent: number
  uploaded: OutgoingFile | null
  /** Why the file failed or was refused. */
  failure: string | null
}

/** What files are for: messages, or a saved reply, which holds pictures alone. */
export type FilePurpose = 'message' | 'saved reply'

/** The number of files that one conversation, or one saved reply, can hold. */
export const maxFiles: Readonly<Record<FilePurpose, number>> = {
  message: 10,
  'saved reply': savedReplyLimits.pictures,
}

/** The `conversationId` of the files in the form of a saved reply. */
export const inReplyForm = ''

/** A picture that a saved reply has already, as its form shows it. */
export const storedPicture = (picture: OutgoingFile): AttachedFile => ({
  id: picture.id,
  conversationId: inReplyForm,
  platform: null,
  name: picture.name ?? '',
  blob: null,
  copyOf: null,
  status: 'uploaded',
  sent: 0,
  uploaded: picture,
  failure: null,
})

/** In bytes. */
export const sizeOf = ({ blob, copyOf, uploaded }: AttachedFile): number =>
  blob?.size ?? copyOf?.picture.size ?? uploaded?.size ?? 0

export const filesOf = (files: readonly AttachedFile[], conversationId: string): AttachedFile[] =>
  files.filter((file) => file.conversationId === conversationId)

/** The next file to upload or copy. Files are uploaded one after the other, in the order in which they were chosen. */
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
