import type { Conversation } from '../../schemas/conversation.ts'
import type { Message } from '../../schemas/message.ts'
import { pageIdsOf } from '../list/conversation-pages.ts'
import type { MessageChange } from '../shell/changes.ts'

/**
 * Whether a message belongs to an open thread (spec section 4, "Message events"): the same user and page, or for a
 * unified conversation the primary user and one of its pages. If the row names its conversation, that decides. With a
 * page filter, only messages of that page belong to the thread.
 */
export function belongsTo(message: Message, conversation: Conversation, pageId: string | null): boolean {
  if (pageId !== null && message.page_id !== pageId) return false
  const primary = conversation.primary_user_id ?? null
  if (message.primary_user_id && primary) return message.primary_user_id === primary
  if (message.fb_user_id !== primary && message.fb_user_id !== conversation.fb_user_id) return false
  return message.page_id === conversation.page_id || pageIdsOf(conversation).includes(message.page_id)
}

/** The changes of an open thread. A delete names no conversation, so every delete is included. */
export const changesIn = (
  changes: readonly MessageChange[],
  conversation: Conversation,
  pageId: string | null,
): readonly MessageChange[] =>
  changes.filter((change) => change.type === 'DELETE' || belongsTo(change.record, conversation, pageId))

/**
 * The page that a thread is limited to by the page filter. Null if the thread shows all messages: without a filter, or
 * if the person never wrote to that page, because the open thread would be empty.
 */
export const pageShown = (conversation: Conversation | null, pageId: string | null): string | null =>
  pageId === null || conversation === null || pageIdsOf(conversation).includes(pageId) ? pageId : null
