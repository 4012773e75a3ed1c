import * as z from 'zod/mini'
import type { Attachment } from '../../../src/schemas/message.ts'
import { id } from '../../../src/schemas/primitives.ts'
import { cleanText } from '../../clean-text.ts'
import type { GraphAttachment } from '../graph/graph-shapes.ts'
import type { NormalizeUrl } from '../graph/normalize-url.ts'

export type Attachments = { data: Attachment[] } | null

const text = z.nullish(z.string())

/** An attachment in a webhook. Only files are sure to have this payload. */
const webhookAttachment = z.object({
  type: z.string(),
  title: text,
  url: text,
  payload: z.catch(
    z.nullish(
      z.object({
        url: text,
        title: text,
        sticker_id: z.nullish(id),
        template_type: text,
        text,
        coordinates: z.nullish(z.object({ lat: z.number(), long: z.number() })),
      }),
    ),
    null,
  ),
})
type WebhookAttachment = z.infer<typeof webhookAttachment>

/** Attachments that can be shown, and text lines for those that cannot. */
export type ReadAttachments = { attachments: Attachments; lines: string[] }

/** Reads a webhook's attachments (spec section 3). What cannot be shown becomes a line of text. */
export function fromWebhook(
  messageId: string,
  values: readonly unknown[],
  normalizeUrl: NormalizeUrl,
): ReadAttachments {
  const data: Attachment[] = []
  const lines: string[] = []
  for (const [index, value] of values.entries()) {
    const read = webhookAttachment.safeParse(value)
    if (!read.success) {
      lines.push(unsupported)
      continue
    }
    const file = fileOf(read.data, `${messageId}:${index}`, normalizeUrl)
    if (file) data.push(file)
    else lines.push(lineOf(read.data, normalizeUrl))
  }
  return { attachments: data.length > 0 ? { data } : null, lines }
}

const unsupported = '[Something this inbox cannot show]'

function fileOf(
  { type, payload }: WebhookAttachment,
  attachmentId: string,
  normalizeUrl: NormalizeUrl,
): Attachment | null {
  const url = normalizeUrl(payload?.url)
  if (url === null) return null
  const name = payload?.title ? cleanText(payload.title) : nameIn(url)
  if (type === 'image' || type === 'story_mention') {
    const picture = normalizeUrl.picture(payload?.url) ?? url
    return { id: attachmentId, name, size: null, image_data: { url: picture, preview_url: picture } }
  }
  if (type === 'video' || type === 'ig_reel' || type === 'reel') {
    return { id: attachmentId, name, size: null, video_data: { url } }
  }
  if (type === 'audio') return { id: attachmentId, name, size: null, audio_data: { url } }
  if (type === 'file') return { id: attachmentId, name, size: null, file_data: { url } }
  return null
}

function lineOf({ type, title, url, payload }: WebhookAttachment, normalizeUrl: NormalizeUrl): string {
  if (type === 'location' && payload?.coordinates) {
    return `[Location: ${payload.coordinates.lat}, ${payload.coordinates.long}]`
  }
  const link = normalizeUrl(url) ?? normalizeUrl(payload?.url)
  const name = title ?? payload?.title ?? payload?.text
  if (type === 'fallback' || type === 'share') return [name, link].filter(Boolean).join(' ') || '[Shared link]'
  if (type === 'template') return name ? `[${name}]` : '[Message with buttons]'
  if (link !== null) return [name ?? `[${type.replaceAll('_', ' ')}]`, link].join(' ')
  return unsupported
}

/** Reads the attachments of a message from the Graph API. Audio files are recognised by their MIME type. */
export function fromGraph(
  messageId: string,
  values: readonly GraphAttachment[],
  normalizeUrl: NormalizeUrl,
): ReadAttachments {
  const data: Attachment[] = []
  const lines: string[] = []
  for (const [index, value] of values.entries()) {
    const common = {
      id: value.id ?? `${messageId}:${index}`,
      name: value.name ? cleanText(value.name) : null,
      size: value.size ?? null,
    }
    const image = normalizeUrl.picture(value.image_data?.url)
    const video = normalizeUrl(value.video_data?.url)
    const file = normalizeUrl(value.file_url)
    if (image !== null) {
      const preview = normalizeUrl.picture(value.image_data?.preview_url) ?? image
      data.push({ ...common, image_data: { url: image, preview_url: preview } })
    } else if (video !== null) data.push({ ...common, video_data: { url: video } })
    else if (file === null) lines.push(unsupported)
    else if (value.mime_type?.startsWith('audio/')) data.push({ ...common, audio_data: { url: file } })
    else if (value.mime_type?.startsWith('video/')) data.push({ ...common, video_data: { url: file } })
    else if (value.mime_type?.startsWith('image/')) {
      const picture = normalizeUrl.picture(value.file_url) ?? file
      data.push({ ...common, image_data: { url: picture, preview_url: picture } })
    } else data.push({ ...common, file_data: { url: file } })
  }
  return { attachments: data.length > 0 ? { data } : null, lines }
}

function nameIn(url: string): string | null {
  const last = url
    .replace(/[?#].*$/, '')
    .split('/')
    .at(-1)
  try {
    return last?.includes('.') ? cleanText(decodeURIComponent(last)) : null
  } catch {
    return null
  }
}
