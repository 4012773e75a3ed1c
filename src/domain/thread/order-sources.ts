import type { Message } from '../../schemas/message.ts'
import type { OrderSource } from '../client/new-order.ts'
import { momentOf } from '../message-order.ts'
import { safeName } from '../shown-text.ts'
import { pictureOf } from './pictures.ts'

/** The number of messages that the form of a new order offers, and of characters of each. */
const offered = 20
const longest = 60

/** The last messages of the customer with a text or a picture, newest first, and always the chosen one. */
export function sourcesIn(messages: readonly Message[], chosen: string | null): OrderSource[] {
  const named = messages.flatMap((message): OrderSource[] => {
    const text = safeName(message.message_text ?? '')
    const hasPicture = (message.attachments?.data ?? []).some((attachment) => pictureOf(attachment) !== null)
    if (message.direction !== 'incoming' || (text === '' && !hasPicture)) return []
    const shown = text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text
    return [{ id: message.message_id, text: shown || null, sentAt: momentOf(message) }]
  })
  const last = named.slice(-offered)
  const missing = named.filter(({ id }) => id === chosen && !last.some((one) => one.id === id))
  return [...missing, ...last].toReversed()
}
