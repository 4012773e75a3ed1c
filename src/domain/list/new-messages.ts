import type { Message } from '../../schemas/message.ts'
import { t } from '../../texts/list.ts'
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

/** With news of more people than this, one toast and one notification stand for all. */
export const separateLimit = 3
/** In characters. A toast shows two rows. */
const lineLength = 120

/** The sender of a message and its first line. The id distinguishes people with the same name. */
export type Sender = { id: string; name: string; line: string }

/** One line of a message for its toast. */
export const lineOf = ({ message_text }: Pick<Message, 'message_text'>): string =>
  Array.from(message_text?.trim().replaceAll(/\s+/g, ' ') ?? '')
    .slice(0, lineLength)
    .join('') || t('list.attachment')

/** The toasts for messages of these senders: one for each sender, or a single toast if there are many senders. */
export function newMessageToasts(senders: readonly Sender[]): ToastText[] {
  // Of a sender with several messages, the last line is the newest.
  const people = new Map(senders.map((sender) => [sender.id, sender]))
  if (people.size > separateLimit) {
    const { kind, text } = listToasts.manyNews(senders.length, people.size)
    return [{ kind, text, news: { line: null, conversationId: null } }]
  }
  return [...people.values()].map(({ id, name, line }) => {
    const { kind, text } = listToasts.news(name)
    return { kind, text, news: { line, conversationId: id } }
  })
}
