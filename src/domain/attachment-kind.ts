import type { Attachment, Message } from '../schemas/message.ts'
import type { FileKind } from '../schemas/outgoing-file.ts'
import { writtenText } from './written-text.ts'

/** An attachment that names no kind counts as a file. */
export function kindOfAttachment({ image_data, video_data, audio_data }: Attachment): FileKind {
  if (image_data) return 'image'
  if (video_data) return 'video'
  return audio_data ? 'audio' : 'file'
}

/** The kind of the one file that a message consists of; null for a text, and for several files. */
export function kindOfMessage(message: Pick<Message, 'message_text' | 'attachments' | 'content'>): FileKind | null {
  const [file, ...others] = message.attachments?.data ?? []
  return file === undefined || others.length > 0 || writtenText(message) ? null : kindOfAttachment(file)
}
