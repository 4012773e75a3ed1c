import type { Conversation } from '../schemas/conversation.ts'
import { limits } from './limits.ts'
import { safeName } from './shown-text.ts'

/** The person's name, or null where the network told none. */
export const knownNameOf = (conversation: Conversation): string | null => {
  const name = safeName(conversation.unified_name ?? conversation.user_name ?? '')
  return name === '' ? null : name
}

/** The name a row shows (spec section 2). */
export const nameOf = (conversation: Conversation): string => knownNameOf(conversation) ?? 'Unknown User'

/** The preview line of a row: who said what last (spec section 2). */
export const previewOf = (conversation: Conversation): string => {
  if (conversation.last_message_at == null) return 'No messages'
  const text = conversation.last_message_text?.trim() || 'Attachment'
  return conversation.last_message_direction === 'outgoing' ? `You: ${text}` : text
}

/** The unread badge, capped (spec section 9); null when nothing is unread. */
export const unreadBadge = (unread: number): string | null => {
  if (unread === 0) return null
  return unread > limits.unreadBadgeCap ? `${limits.unreadBadgeCap}+` : String(unread)
}

const list = (text: string | null | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

export type ConversationPage = { id: string; name: string }

/**
 * The pages a conversation spans, in the order of `page_ids`. Names with a comma in them make the two lists unequal:
 * then `names`, by page id, decides, and the id stands in where nothing is known.
 */
export const pagesOf = (conversation: Conversation, names: ReadonlyMap<string, string>): ConversationPage[] => {
  const ids = list(conversation.page_ids)
  const own = list(conversation.page_names)
  const paired = own.length === ids.length
  const all = ids.length === 0 && conversation.page_id != null ? [conversation.page_id] : ids
  return all.map((id, index) => {
    const name = names.get(id) ?? (paired ? own[index] : undefined)
    return { id, name: safeName(name ?? (all.length === 1 ? (conversation.page_names ?? id) : id)) }
  })
}
