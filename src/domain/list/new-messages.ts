import type { Message } from '../../schemas/message.ts'
import type { MessageChange } from '../shell/changes.ts'
import type { ToastText } from '../toast.ts'
import { listToasts } from './toasts.ts'

/**
 * The incoming messages that raise a toast (spec section 4, 'New message from {name}'), even if they were delivered
 * late. Messages stored by a historical sync are excluded, and so are messages stored as read, because the page has
 * already answered them.
 */
export const newMessagesIn = (changes: readonly MessageChange[]): Message[] =>
  changes.flatMap((change) => {
    if (change.type !== 'INSERT') return []
    const { direction, is_historical, is_read } = change.record
    return direction === 'incoming' && is_historical !== true && !is_read ? [change.record] : []
  })

const separateToastLimit = 3

/** The sender of a message. The id distinguishes people with the same name. */
export type Sender = { id: string; name: string }

/** The toasts for messages of these senders: one for each sender, or a single toast if there are many senders. */
export function newMessageToasts(senders: readonly Sender[]): ToastText[] {
  const people = new Set(senders.map(({ id }) => id)).size
  if (people > separateToastLimit) return [listToasts.manyNews(senders.length, people)]
  return [...new Set(senders.map(({ name }) => name))].map(listToasts.news)
}
