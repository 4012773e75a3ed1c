import type { Message } from '../../schemas/message.ts'
import type { MessageChange } from '../shell/changes.ts'
import type { ToastText } from '../toast.ts'
import { listToasts } from './toasts.ts'

/**
 * The incoming messages among changes that raise a toast (spec section 4, 'New message from {name}'), however late they
 * were delivered. What a historical sync stored is left out, and so is what was stored as read: the page has answered it.
 */
export const newMessagesIn = (changes: readonly MessageChange[]): Message[] =>
  changes.flatMap((change) => {
    if (change.type !== 'INSERT') return []
    const { direction, is_historical, is_read } = change.record
    return direction === 'incoming' && is_historical !== true && !is_read ? [change.record] : []
  })

const namesToldApart = 3

/** Who wrote a message: people of one name are still several. */
export type Sender = { id: string; name: string }

/** The toasts for messages by these senders: one a sender, or one for all where there are many. */
export function newMessageToasts(senders: readonly Sender[]): ToastText[] {
  const people = new Set(senders.map(({ id }) => id)).size
  if (people > namesToldApart) return [listToasts.manyNews(senders.length, people)]
  return [...new Set(senders.map(({ name }) => name))].map(listToasts.news)
}
