import type { Conversation } from '../../schemas/conversation.ts'

/** The page ids of a conversation, in the order of `page_ids`, which is comma and space separated (spec section 3). */
export function pageIdsOf(conversation: Conversation): string[] {
  const ids = (conversation.page_ids ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  if (ids.length > 0) return ids
  return conversation.page_id ? [conversation.page_id] : []
}
