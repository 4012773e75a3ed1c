import type { Message } from '../../schemas/message.ts'
import type { MessageChange } from './changes.ts'
import { listToasts, type ToastText } from './toasts.ts'

/** A message that was written longer ago than this when the database got it is history, not news; milliseconds. */
const newsWindow = 60_000

/**
 * The incoming messages among changes that staff should be told of (spec section 4, 'New message from {name}'). What a
 * history sync brings is not recent. Both moments are the server's, so this machine's clock does not matter; `now`
 * stands in for a change that does not say when it was committed.
 */
export function newsIn(changes: readonly MessageChange[], now: number): Message[] {
  return changes.flatMap((change) => {
    if (change.type !== 'INSERT' || change.record.direction !== 'incoming') return []
    const { record, committedAt } = change
    const heard = committedAt === undefined ? now : Date.parse(committedAt)
    return heard - Date.parse(record.timestamp_fb ?? record.created_at) <= newsWindow ? [record] : []
  })
}

const namesToldApart = 3

/** Who wrote a message: people of one name are still several. */
export type Sender = { id: string; name: string }

/** The toasts for messages by these senders: one a sender, or one for all where there are many. */
export function newsToasts(senders: readonly Sender[]): ToastText[] {
  const people = new Set(senders.map(({ id }) => id)).size
  if (people > namesToldApart) return [listToasts.manyNews(senders.length, people)]
  return [...new Set(senders.map(({ name }) => name))].map(listToasts.news)
}
