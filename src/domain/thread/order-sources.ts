import type { Message } from '../../schemas/message.ts'
import type { OrderSource } from '../client/new-order.ts'
import type { ReceiptPicture } from '../client/new-payment.ts'
import { momentOf } from '../message-order.ts'
import { safeName } from '../shown-text.ts'
import { numberedPictures } from './pictures.ts'

/** The number of messages that the form of a new order offers, and of characters of each. */
const offered = 20
const longest = 60

/** The number of pictures that the form of a payment offers for an order. */
const offeredReceipts = 6

function sourceOf(message: Message): OrderSource {
  const text = safeName(message.message_text ?? '')
  const shown = text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text
  const pictures = numberedPictures(message).map(({ place }) => place)
  return { id: message.message_id, text: shown || null, sentAt: momentOf(message), pictures }
}

/**
 * The last messages of the customer with a text or a picture, newest first, and always the chosen one, which may be older
 * than `messages`.
 */
export function sourcesIn(messages: readonly Message[], chosen: Message | null): OrderSource[] {
  const last = messages
    .filter((message) => message.direction === 'incoming')
    .filter((message) => safeName(message.message_text ?? '') !== '' || numberedPictures(message).length > 0)
    .slice(-offered)
  const isMissing = chosen !== null && !last.some(({ message_id }) => message_id === chosen.message_id)
  return [...(isMissing ? [chosen] : []), ...last].map(sourceOf).toReversed()
}

/** The pictures of a message, which may be receipts. */
export const receiptsOf = (message: Message): ReceiptPicture[] =>
  numberedPictures(message).map(({ url, name, place }) => ({ messageId: message.message_id, url, name, place }))

/** The last pictures of the customer, newest first. */
export const receiptsIn = (messages: readonly Message[]): ReceiptPicture[] =>
  messages
    .filter(({ direction }) => direction === 'incoming')
    .flatMap(receiptsOf)
    .slice(-offeredReceipts)
    .toReversed()
