import { isAutomatic } from '../../domain/automatic.ts'
import { comparePlaces, placeOf, sentAt } from '../../domain/message-order.ts'
import { dayKey, momentOf } from '../../domain/moments.ts'
import type { Outgoing } from '../../domain/outgoing.ts'
import type { Message } from '../../schemas/message.ts'

/** What the thread is made of, top to bottom. */
export type ThreadItem =
  /**
   * `nextDay` is a moment of the day that begins below it. The heading belongs to the message above, so that a message
   * keeps its height, and what is being read its place, when older ones come in. What is new `beginsNews`. The last of
   * what one author wrote in one go `endsGroup`: it tells time and page for all of it.
   */
  | {
      kind: 'message'
      key: string
      message: Message
      nextDay: string | null
      beginsNews: boolean
      endsGroup: boolean
    }
  | { kind: 'send'; key: string; send: Outgoing }

/** Reading a date costs more than the rest of a row: each message's day is worked out once. */
const days = new WeakMap<Message, string>()
const dayOf = (message: Message): string => {
  const known = days.get(message)
  if (known !== undefined) return known
  const day = dayKey(momentOf(message))
  days.set(message, day)
  return day
}

const keyOf = (message: Message): string =>
  message.idempotency_key == null ? `message:${message.message_id}` : `own:${message.idempotency_key}`

/** Messages of one author that follow each other within this were written in one go; milliseconds. */
const groupedWithin = 3 * 60_000

const isSameGroup = (message: Message, next: Message): boolean =>
  message.direction === next.direction &&
  message.page_id === next.page_id &&
  isAutomatic(message) === isAutomatic(next) &&
  sentAt(next) - sentAt(message) <= groupedWithin

/**
 * Messages, oldest first, and the sends that are not confirmed yet below them. A send keeps its key when it becomes a
 * message, so that its bubble stays where it is; where both are there for a moment, the message is shown.
 */
export function threadItems(
  messages: readonly Message[],
  sends: readonly Outgoing[],
  newFrom: string | null,
): ThreadItem[] {
  const items: ThreadItem[] = messages.map((message, index) => {
    const next = messages[index + 1]
    const nextDay = next === undefined || dayOf(next) === dayOf(message) ? null : momentOf(next)
    return {
      kind: 'message',
      key: keyOf(message),
      message,
      nextDay,
      beginsNews: message.message_id === newFrom,
      endsGroup: next === undefined || nextDay !== null || next.message_id === newFrom || !isSameGroup(message, next),
    }
  })
  if (sends.length === 0) return items
  const shown = new Set(items.map((item) => item.key))
  for (const send of sends) {
    const key = `own:${send.key}`
    if (!shown.has(key)) items.push({ kind: 'send', key, send })
  }
  return items
}

/** How many messages came in after the lowest that was seen; null where none was. */
export function newsAfter(messages: readonly Message[], seen: Message | null): number {
  let incoming = 0
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const message = messages[index]
    if (message === undefined || (seen !== null && comparePlaces(placeOf(message), placeOf(seen)) <= 0)) return incoming
    if (message.direction === 'incoming') incoming += 1
  }
  return incoming
}
