import * as z from 'zod/mini'
import { likeHeartId } from '../../../src/domain/send/like-heart.ts'
import { latitude, longitude, type MessagePart } from '../../../src/schemas/message-part.ts'
import type { FileKind } from '../../../src/schemas/outgoing-file.ts'
import { id } from '../../../src/schemas/primitives.ts'
import { looseId, looseNumber, looseText, type PartReader } from './part-reader.ts'
import { productsOf, templateOf } from './template-parts.ts'

const payload = z.object({
  url: looseText,
  title: looseText,
  text: looseText,
  sticker_id: looseId,
  template_type: looseText,
  coordinates: z.catch(z.nullish(z.object({ lat: latitude, long: longitude })), null),
  reel_video_id: looseId,
  ig_post_media_id: looseId,
  story_media_id: looseId,
  story_media_url: looseText,
})

const attachment = z.object({
  type: z.string(),
  title: looseText,
  url: looseText,
  payload: z.catch(z.nullish(payload), null),
})
type WebhookAttachment = z.infer<typeof attachment>

/** A story is shown for a day. */
export const endOfStory = (at: Date): string => new Date(at.getTime() + 24 * 60 * 60_000).toISOString()

const shares: Readonly<Record<string, 'post' | 'reel' | 'story' | 'link'>> = {
  share: 'post',
  post: 'post',
  ig_post: 'post',
  reel: 'reel',
  ig_reel: 'reel',
  ig_story: 'story',
  fallback: 'link',
}

/**
 * The parts of an attachment of a webhook, in the shapes of the network's references of `messages` (Messenger) and of
 * webhooks for Instagram messaging. A plain file has no part. `at`: when the message was written.
 */
export function readWebhookAttachment(value: unknown, at: Date, reader: PartReader): MessagePart[] {
  const read = attachment.safeParse(value)
  if (!read.success) return [reader.unknown(null, value)]
  const { type } = read.data
  const inner = read.data.payload
  if (type === 'location' && inner?.coordinates) {
    const { lat, long } = inner.coordinates
    return [{ kind: 'location', latitude: lat, longitude: long, title: reader.title(read.data.title) }]
  }
  if (type === 'sticker' || (type === 'image' && inner?.sticker_id != null)) {
    const file = reader.file('image', inner?.url)
    return [{ kind: 'sticker', file, sticker_id: inner?.sticker_id ?? null }]
  }
  if (type === likeHeartId) return [{ kind: 'sticker', file: null, sticker_id: likeHeartId }]
  if (type === 'story_mention') {
    const file = reader.file('image', inner?.url)
    return [{ kind: 'story_mention', story_id: null, file, link: null, expires_at: endOfStory(at) }]
  }
  if (type === 'template') {
    const products = productsOf(value, reader)
    return products.length > 0 ? products : [templateOf(value, reader) ?? reader.unknown(type, value)]
  }
  const what = shares[type]
  if (what !== undefined) return [shareOf(what, read.data, reader) ?? reader.unknown(type, value)]
  return fileOf(read.data, reader) ?? [reader.unknown(type, value)]
}

function fileOf({ type, payload: inner }: WebhookAttachment, reader: PartReader): MessagePart[] | null {
  if (type !== 'image' && type !== 'video' && type !== 'audio' && type !== 'file') return null
  const kind: FileKind = type
  const name = reader.title(inner?.title) ?? nameIn(reader.link(inner?.url))
  const file = reader.file(kind, inner?.url, { name })
  if (file === null) return null
  return type === 'image' && isGif(inner?.url) ? [{ kind: 'gif', file }] : []
}

/** Null for a link without anything to show. */
function shareOf(
  what: 'post' | 'reel' | 'story' | 'link',
  { title, url, payload: inner }: WebhookAttachment,
  reader: PartReader,
): MessagePart | null {
  const address = inner?.story_media_url ?? inner?.url
  const file = what === 'link' ? null : reader.media(address, what === 'reel' ? 'video' : 'image')
  const link = reader.link(url) ?? (file === null ? reader.link(address) : null)
  const share = {
    title: reader.title(title ?? inner?.title),
    text: reader.text(inner?.text),
    link,
    media_id: inner?.reel_video_id ?? inner?.ig_post_media_id ?? inner?.story_media_id ?? null,
  }
  const isEmpty = share.title === null && share.text === null && link === null && share.media_id === null
  return what === 'link' && isEmpty ? null : { kind: 'share', what, file, ...share }
}

/** During its transition the network sends a sticker twice, with the types `sticker` and `image`. */
export function withoutDoubleStickers(values: readonly unknown[]): readonly unknown[] {
  const types = values.map((value) => attachment.safeParse(value).data)
  if (!types.some((one) => one?.type === 'sticker')) return values
  return values.filter((_, index) => types[index]?.type !== 'image' || types[index]?.payload?.sticker_id == null)
}

export const isGif = (address: string | null | undefined): boolean =>
  /\.gif$/i.test((address && URL.parse(address)?.pathname) || '')

function nameIn(url: string | null): string | null {
  const last = url
    ?.replace(/[?#].*$/, '')
    .split('/')
    .at(-1)
  try {
    return last?.includes('.') ? decodeURIComponent(last).replaceAll('\u0000', '').toWellFormed() : null
  } catch {
    return null
  }
}

const story = z.object({ id: looseId, url: looseText })
const referral = z.object({
  ref: looseText,
  source: looseText,
  type: looseText,
  ad_id: looseId,
  referer_uri: looseText,
  product: z.catch(z.nullish(z.object({ id: looseId })), null),
  ads_context_data: z.catch(
    z.nullish(
      z.object({
        ad_title: looseText,
        photo_url: looseText,
        video_url: looseText,
        post_id: looseId,
        product_id: looseId,
      }),
    ),
    null,
  ),
})

/** What an event says besides attachments: the story that was replied to, the way into the chat, a press of a button. */
export const eventContent = {
  /** A reply to a story names no message. */
  reply_to: z.catch(
    z.nullish(z.object({ mid: z.catch(z.nullish(id), null), story: z.catch(z.nullish(story), null) })),
    null,
  ),
  referral: z.catch(z.nullish(referral), null),
  quick_reply: z.catch(z.nullish(z.object({ payload: looseText })), null),
}

export const optIn = z.object({
  type: looseText,
  title: looseText,
  ref: looseText,
  notification_messages_status: looseText,
})

export const callEvent = z.object({
  id: looseId,
  from: looseId,
  to: looseId,
  event: looseText,
  timestamp: looseNumber,
  call_direction: looseText,
  duration: looseNumber,
})

export function storyReplyOf(value: z.infer<typeof story>, at: Date, reader: PartReader): MessagePart {
  const file = reader.file('image', value.url)
  return { kind: 'story_reply', story_id: value.id ?? null, file, link: null, expires_at: endOfStory(at) }
}

const sources: Readonly<Record<string, 'ad' | 'link'>> = { ADS: 'ad', SHORTLINK: 'link', IGME_SOURCE_LINK: 'link' }

export function referralOf(value: z.infer<typeof referral>, reader: PartReader): MessagePart {
  const ad = value.ads_context_data
  const productId = value.product?.id ?? ad?.product_id ?? null
  const file = reader.file('image', ad?.photo_url)
  return {
    kind: 'referral',
    source:
      sources[value.source?.toUpperCase() ?? ''] ??
      (value.ad_id ? 'ad' : value.product ? 'shop' : value.ref ? 'link' : 'other'),
    source_type: reader.title(value.source),
    ref: reader.title(value.ref),
    title: reader.title(ad?.ad_title),
    file,
    link: reader.link(ad?.video_url) ?? reader.link(value.referer_uri),
    ad_id: value.ad_id ?? null,
    post_id: ad?.post_id ?? null,
    product_id: productId,
  }
}
