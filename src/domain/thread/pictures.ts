import type { Attachment, Message } from '../../schemas/message.ts'
import { t } from '../../texts/thread-on-demand.ts'
import { safeName, safeUrl } from '../shown-text.ts'

/** A picture that can be viewed in full size. */
export type Picture = { attachment: Attachment; url: string; previewUrl: string; name: string }

/** The picture of an attachment; null if the attachment is not a picture or its address may not be opened. */
export function pictureOf(attachment: Attachment): Picture | null {
  const image = attachment.image_data
  if (!image) return null
  const url = safeUrl(image.url)
  const previewUrl = safeUrl(image.preview_url ?? image.url)
  if (url === null || previewUrl === null) return null
  return { attachment, url, previewUrl, name: safeName(attachment.name ?? '') || t('thread.picture') }
}

/** The pictures of a message, each with its place among the attachments. */
export const numberedPictures = ({ attachments }: Message): (Picture & { place: number })[] =>
  (attachments?.data ?? []).flatMap((attachment, place) => {
    const picture = pictureOf(attachment)
    return picture === null ? [] : [{ ...picture, place }]
  })

/** All pictures of these messages, in order. */
export const picturesIn = (messages: readonly Message[]): Picture[] => messages.flatMap(numberedPictures)
