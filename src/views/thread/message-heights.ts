import { measureElement, type Virtualizer } from '@tanstack/react-virtual'
import { isComposite, shownContentOf } from '../../domain/thread/shown-content.ts'
import type { Message } from '../../schemas/message.ts'
import type { MessagePart } from '../../schemas/message-part.ts'
import { rootFontSize } from '../components/root-font-size.ts'
import type { ThreadItem } from './thread-items.ts'

/** The height in rem of a day heading and of the edge of the thread. */
export const headingHeight = 2.5

/**
 * Heights in rem, as in the style sheet: a one-line bubble, its time, each further line and each attachment, a quoted
 * message, the reactions, and the room around a message of several parts.
 */
const bubbleHeight = {
  oneLine: 2.3484,
  time: 1.6316,
  line: 1.2234,
  attachment: 12.875,
  quote: 2.25,
  reactions: 1.25,
  room: 0.375,
}

/** Heights in rem of the parts of a message. */
const partHeights: Readonly<Record<MessagePart['kind'], number>> = {
  story_reply: 15.5,
  story_mention: 15.5,
  share: 14,
  product: 14,
  referral: 5,
  location: 10.5,
  sticker: 7.25,
  gif: 12.75,
  template: 12,
  postback: 1.4,
  quick_reply: 1.4,
  call: 1.4,
  opt_in: 1.4,
  unknown: 5,
}

/** The height in rem of a message with parts; null without parts. */
function heightWithParts(message: Message, heightOf: (words: string) => number): number | null {
  const { parts, text, attachments } = shownContentOf(message)
  if (parts.length === 0) return null
  const words = text === '' ? 0 : heightOf(text)
  return words + sum(parts.map(({ kind }) => partHeights[kind])) + bubbleHeight.attachment * attachments.length
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/**
 * Estimates the height of an item in pixels. Exact for most items, which avoids a second layout of the first frame.
 * Rendered items are then measured.
 */
export const estimate = (item: ThreadItem | undefined): number => {
  if (item === undefined) return 0
  if (item.kind === 'note')
    return Math.round(
      (bubbleHeight.oneLine + bubbleHeight.time + bubbleHeight.line * Math.floor(item.note.text.length / 60)) *
        rootFontSize(),
    )
  const text = item.kind === 'send' ? item.send.text : (item.message.message_text ?? '')
  const attachments =
    item.kind === 'message' ? (item.message.attachments?.data.length ?? 0) : item.send.file === null ? 0 : 1
  const heading = item.kind === 'message' && item.nextDay !== null ? headingHeight : 0
  const news = item.kind === 'message' && item.startsUnread ? headingHeight : 0
  const time = item.kind === 'message' && !item.endsGroup ? 0 : bubbleHeight.time
  const { oneLine, line, attachment } = bubbleHeight
  const heightOf = (words: string) => oneLine + line * Math.floor(words.length / 60)
  const quote = (item.kind === 'send' ? item.send.replyTo : item.message.reply_to) == null ? 0 : bubbleHeight.quote
  const reactions =
    item.kind === 'message' && item.message.reactions?.some(({ emoji }) => emoji !== null) ? bubbleHeight.reactions : 0
  // Above, and below unless the time is there.
  const room = item.kind === 'message' && isComposite(item.message) ? bubbleHeight.room * (item.endsGroup ? 1 : 2) : 0
  const reply = item.kind === 'message' ? (item.message.unconfirmed_reply ?? null) : null
  const replyHeight = reply === null ? 0 : heightOf(reply.text) + bubbleHeight.time
  const body =
    (item.kind === 'message' ? heightWithParts(item.message, heightOf) : null) ??
    heightOf(text) + attachment * attachments
  return Math.round((body + time + quote + reactions + room + replyHeight + heading + news) * rootFontSize())
}

/**
 * Uses the height from the ResizeObserver, which arrives before the first paint. Measuring the element here would force
 * a layout in every commit.
 */
export const measureWhenObserved = (
  element: HTMLElement,
  entry: ResizeObserverEntry | undefined,
  virtualizer: Virtualizer<HTMLElement, HTMLElement>,
): number => {
  if (entry !== undefined) return measureElement(element, entry, virtualizer)
  const index = virtualizer.indexFromElement(element)
  const { getItemKey, estimateSize } = virtualizer.options
  return virtualizer.itemSizeCache.get(getItemKey(index)) ?? estimateSize(index)
}
