import { textOfHeart } from '../../../src/domain/send/like-heart.ts'
import type { Attachment } from '../../../src/schemas/message.ts'
import type { MessageContent } from '../../../src/schemas/message-content.ts'
import { type MessagePart, parsePart } from '../../../src/schemas/message-part.ts'
import { cleanText } from '../../clean-text.ts'
import type { GraphAttachment, GraphMessage } from '../graph/graph-shapes.ts'
import type { NormalizeUrl } from '../graph/normalize-url.ts'
import { fallbackLine } from './fallback-lines.ts'
import { createPartReader, type PartReader, withinLimits } from './part-reader.ts'
import { graphTemplateOf } from './template-parts.ts'
import { endOfStory, isGif, readWebhookAttachment, withoutDoubleStickers } from './webhook-parts.ts'

export type Attachments = { data: Attachment[] } | null

/**
 * What is stored of a message. `text` ends with the lines that stand for parts (`content.fallback`), `written` is what the
 * writer wrote.
 */
export type ReadMessage = {
  text: string | null
  written: string | null
  attachments: Attachments
  content: MessageContent | null
}

const maxFallback = 4_000

/** `text` as the network sends it. `line` stands for an event that has neither a text nor a line of its own. */
export function assemble(
  text: string | null | undefined,
  parts: readonly MessagePart[],
  files: Attachment[],
  line: string | null = null,
): ReadMessage {
  const written = text ? cleanText(text) : null
  const kept = withinLimits(parts)
  const lines = kept.flatMap((part) => fallbackLine(part) ?? [])
  const fallback = [...(written === null && line !== null ? [line] : []), ...lines]
    .join('\n')
    .slice(0, maxFallback)
    .toWellFormed()
  const shown = [written, fallback].filter(Boolean).join('\n')
  return {
    text: shown || null,
    written,
    attachments: files.length > 0 ? { data: files } : null,
    content: kept.length > 0 ? { parts: kept, ...(fallback === '' ? {} : { fallback }) } : null,
  }
}

/**
 * The text of the send that the network shows like this: some structures come back as attachments, without their text. Null
 * if no send has such a message. The heart is the only sticker that is sent.
 */
export function textAsSent({ written, content }: Pick<ReadMessage, 'written' | 'content'>): string | null {
  if (written !== null) return written
  const [part, ...others] = (content?.parts ?? []).map(parsePart)
  if (part === undefined || others.length > 0) return null
  if (part.kind === 'sticker') return textOfHeart
  if (part.kind !== 'template') return null
  const [card, ...further] = part.cards
  if (part.text || card === undefined || further.length > 0) return part.text ?? null
  return [card.title, card.text].filter(Boolean).join('\n') || null
}

/** Reads a webhook's attachments. `at`: when the message was written. */
export function partsOfWebhook(values: readonly unknown[], at: Date, reader: PartReader): MessagePart[] {
  return withoutDoubleStickers(values).flatMap((value) => readWebhookAttachment(value, at, reader))
}

/** Reads a message from the Graph API: its text, attachments, shares, sticker and story. */
export function readGraphMessage(message: GraphMessage, normalizeUrl: NormalizeUrl): ReadMessage {
  const reader = createPartReader(message.id, normalizeUrl)
  const parts = [
    ...storyParts(message, reader),
    ...(message.attachments?.data ?? []).flatMap((value) => readGraphAttachment(value, reader)),
  ]
  const isSticker = parts.some(({ kind }) => kind === 'sticker')
  if (message.sticker && !isSticker) {
    parts.push({ kind: 'sticker', file: reader.file('image', message.sticker), sticker_id: null })
  }
  // A share that has no text of its own is also an attachment: a template, a picture.
  for (const { link, name, description } of message.shares?.data ?? []) {
    const title = reader.title(name)
    const address = reader.link(link)
    const isTold = address !== null && (tells(parts, address) || (title === null && message.message?.includes(address)))
    if (isTold || (title === null && address === null)) continue
    parts.push({
      kind: 'share',
      what: 'link',
      file: null,
      title,
      text: reader.text(description),
      link: address,
      media_id: null,
    })
  }
  if (parts.length === 0 && reader.files.length === 0 && !message.message)
    parts.push(reader.unknown('unsupported', null))
  return assemble(message.message, parts, reader.files)
}

const tells = (parts: readonly MessagePart[], address: string) =>
  JSON.stringify(parts).includes(JSON.stringify(address))

type StoryLink = NonNullable<NonNullable<GraphMessage['story']>['mention']>

function storyParts({ story, created_time }: GraphMessage, reader: PartReader): MessagePart[] {
  const expires_at = endOfStory(new Date(created_time))
  const partOf = (kind: 'story_reply' | 'story_mention', about: StoryLink) => {
    const file = reader.media(about.link)
    const link = file === null ? reader.link(about.link) : null
    return { kind, story_id: about.id ?? null, file, link, expires_at }
  }
  return [
    ...(story?.reply_to ? [partOf('story_reply', story.reply_to)] : []),
    ...(story?.mention ? [partOf('story_mention', story.mention)] : []),
  ]
}

/** Audio files are recognised by their MIME type. */
function readGraphAttachment(value: GraphAttachment, reader: PartReader): MessagePart[] {
  const about = { id: value.id ?? null, name: value.name ? cleanText(value.name) : null, size: value.size ?? null }
  if (value.generic_template) {
    return [graphTemplateOf(value.generic_template, reader) ?? reader.unknown('template', value)]
  }
  const image = reader.file('image', value.image_data?.url, {
    ...about,
    preview: value.image_data?.preview_url ?? null,
  })
  if (image !== null) {
    if (value.image_data?.render_as_sticker) return [{ kind: 'sticker', file: image, sticker_id: null }]
    const isMoving =
      value.mime_type === 'image/gif' || value.image_data?.animated_gif_url || isGif(value.image_data?.url)
    return isMoving ? [{ kind: 'gif', file: image }] : []
  }
  if (reader.file('video', value.video_data?.url, about) !== null) return []
  const kind = (['audio', 'video', 'image'] as const).find((one) => value.mime_type?.startsWith(`${one}/`)) ?? 'file'
  const file = reader.file(kind, value.file_url, about)
  if (file === null) return [reader.unknown(value.mime_type, value)]
  return kind === 'image' && (value.mime_type === 'image/gif' || isGif(value.file_url)) ? [{ kind: 'gif', file }] : []
}
