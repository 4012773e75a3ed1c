import type { Conversation } from '../../schemas/conversation.ts'
import type { Page } from '../../schemas/page.ts'
import { t } from '../../texts/list.ts'
import { limits } from '../limits.ts'
import { safeName, safeText } from '../shown-text.ts'
import { pageIdsOf } from './conversation-pages.ts'

/** The person's name, or null where the network told none. */
export const knownNameOf = (conversation: Conversation): string | null => {
  const name = safeName(conversation.unified_name ?? conversation.user_name ?? '')
  return name === '' ? null : name
}

/** The name a row shows (spec section 2). */
export const nameOf = (conversation: Conversation): string => knownNameOf(conversation) ?? t('list.unknownUser')

/** How a person is called within a sentence: by the first name, where there is one. */
export const shortNameOf = (conversation: Conversation): string => {
  const first = safeName(conversation.first_name ?? '') || knownNameOf(conversation)?.split(' ')[0]
  return first || t('list.thisPerson')
}

/** The preview line of a row: who said what last (spec section 2). */
export const previewOf = (conversation: Conversation): string => {
  if (conversation.last_message_at == null) return t('list.noMessages')
  const text = safeText(conversation.last_message_text?.trim() || t('list.attachment'))
  return conversation.last_message_direction === 'outgoing' ? t('list.ownPreview', { text }) : text
}

/** The unread badge, capped (spec section 9); null when nothing is unread. */
export const unreadBadge = (unread: number): string | null => {
  if (unread === 0) return null
  return unread > limits.unreadBadgeCap ? `${limits.unreadBadgeCap}+` : String(unread)
}

export type ConversationPage = { id: string; name: string }

/**
 * The pages a conversation spans, in the order of `page_ids`. `known` holds the connected pages by id; the conversation's own
 * names serve where it does not know one, and the id where nobody does. A name with a comma in it makes the two
 * lists of a conversation unequal: then which name is whose cannot be told.
 */
export const pagesOf = (
  conversation: Conversation,
  known: ReadonlyMap<string, Pick<Page, 'page_name'>>,
): ConversationPage[] => {
  const ids = pageIdsOf(conversation)
  const own = ids.length === 1 ? [conversation.page_names] : (conversation.page_names ?? '').split(', ')
  const paired = own.length === ids.length
  return ids.map((id, index) => ({
    id,
    name: safeName(known.get(id)?.page_name ?? (paired ? own[index] : null) ?? id) || id,
  }))
}
