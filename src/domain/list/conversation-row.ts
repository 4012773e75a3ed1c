import type { Conversation, FbUserRow } from '../../schemas/conversation.ts'
import type { Message } from '../../schemas/message.ts'
import { momentOf, sentAt } from '../message-order.ts'
import { mergedReceipts, receiptsOf } from './receipts.ts'

/** The id of a conversation in the list and in the URL (spec section 2). */
export const rowIdOf = (row: Conversation): string => row.primary_user_id ?? row.fb_user_id

/** The time of the last message in milliseconds since 1970; -Infinity if there is no message. */
export const lastMessageAt = (row: Conversation): number =>
  row.last_message_at == null ? Number.NEGATIVE_INFINITY : Date.parse(row.last_message_at)

/** All ids of a conversation: its identities, which `fb_user_ids` separates by commas, then its row id. */
export const idsOfConversation = (row: Conversation): string[] => [
  ...(row.fb_user_ids ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
  row.fb_user_id,
  rowIdOf(row),
]

/**
 * The row after a message of its conversation was stored. Only a message newer than the row's last message changes the
 * row, so applying the same message twice has no effect.
 */
export function withMessage(row: Conversation, message: Message): Conversation {
  if (sentAt(message) <= lastMessageAt(row)) return row
  const isIncoming = message.direction === 'incoming'
  const at = momentOf(message)
  return {
    ...row,
    last_message_at: at,
    last_message_text: message.message_text,
    last_message_direction: message.direction,
    last_message_author: message.author,
    last_message_page_id: message.page_id,
    last_message_page_name:
      message.page_id === row.last_message_page_id ? row.last_message_page_name : message.page_name,
    last_incoming_at: isIncoming && message.page_id === row.page_id ? at : row.last_incoming_at,
    total_messages: row.total_messages + 1,
    unread_messages: row.unread_messages + (isIncoming && !message.is_read ? 1 : 0),
  }
}

/** The row with the receipts of a changed `fb_users` row, and the name, picture and client of the main one (spec section 4). */
export function withPerson(given: Conversation, person: FbUserRow): Conversation {
  const told = receiptsOf(person)
  const row = told === null ? given : { ...given, receipts: mergedReceipts(given.receipts, told) }
  if (person.id !== row.fb_user_id && person.id !== row.primary_user_id) return row
  return {
    ...row,
    user_name: person.name ?? row.user_name,
    unified_name: person.name ?? row.unified_name,
    first_name: person.first_name ?? row.first_name,
    last_name: person.last_name ?? row.last_name,
    profile_pic: person.profile_pic ?? row.profile_pic,
    client_id: person.client_id,
    outstanding: person.client_id === row.client_id ? row.outstanding : undefined,
  }
}

/**
 * The row after the conversation was marked as read up to the message time `upTo` (spec section 4, "Mark as read"). A
 * row with a later message keeps its unread count.
 */
export const withRead = (row: Conversation, upTo: number): Conversation =>
  row.unread_messages === 0 || lastMessageAt(row) > upTo ? row : { ...row, unread_messages: 0 }

/** The row after its last message was marked as unread. */
export const withUnread = (row: Conversation): Conversation =>
  row.unread_messages > 0 ? row : { ...row, unread_messages: 1 }
