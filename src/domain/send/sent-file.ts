import type { Attachment } from '../../schemas/message.ts'
import type { OutgoingFile } from '../../schemas/outgoing-file.ts'

/** A file as the message that delivers it shows it. */
export function attachmentOf({ id, kind, name, size, url }: OutgoingFile): Attachment {
  const data = kind === 'image' ? { image_data: { url, preview_url: url } } : { [`${kind}_data`]: { url } }
  return { id, name, size, ...data }
}
