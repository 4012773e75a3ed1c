import type { Message } from '../../schemas/message.ts'
import { isAutomatic } from '../faq/automatic.ts'
import { sentAt } from '../message-order.ts'

/**
 * Whether the message is an answer of somebody else that is newer than `after` (milliseconds since 1970): of a colleague, or
 * from outside. A message whose author is not known may be an own one and does not count.
 */
export const isOthersAnswer = (message: Message, after: number, userId: string): boolean =>
  message.direction === 'outgoing' &&
  !isAutomatic(message) &&
  sentAt(message) > after &&
  message.is_historical !== true &&
  (message.author?.kind === 'outside' || (message.author?.kind === 'staff' && message.author.id !== userId))

/** Adds messages that are not in the list yet, oldest first. Returns the same list if there are none. */
export function withAnswers(answers: readonly Message[], added: readonly Message[]): readonly Message[] {
  const known = new Set(answers.map(({ message_id }) => message_id))
  const fresh = added.filter(({ message_id }) => !known.has(message_id))
  return fresh.length === 0 ? answers : [...answers, ...fresh].sort((one, other) => sentAt(one) - sentAt(other))
}
