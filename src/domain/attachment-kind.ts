import type { Attachment, Message } from '../schemas/message.ts'
import type { FileKind } from '../schemas/outgoing-file.ts'

/** An attachment that names no kind counts as a file. */
export function kindOfAttachment({ image_data, video_data, audio_data }: Attachment): FileKind {
  if (image_data) return 'image'
  if (video_data) return 'video'
  return audio_data ? 'audio' : 'file'
}

/** The kind of the one file that a message consists of; null for a text, and for several files. */
export function kindOfMessage({
  message_text: text,
  attachments,
}: Pick<Message, 'message_text' | 'attachments'>): FileKind | null {
  const [file, ...others] = attachments?.data ?? []
  return file === undefined || others.length > 0 || text ? null : kindOfAttachment(file)
}
