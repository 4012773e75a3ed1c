import type { Conversation } from '../../schemas/conversation.ts'
import type { Page } from '../../schemas/page.ts'
import { t } from '../../texts/list.ts'
import { limits } from '../limits.ts'
import { safeName, safeText } from '../shown-text.ts'
import { pageIdsOf } from './conversation-pages.ts'

/** The person's name, or null if the network did not provide one. */
export const knownNameOf = (conversation: Conversation): string | null => {
  const name = safeName(conversation.unified_name ?? conversation.user_name ?? '')
  return name === '' ? null : name
}

/** The name shown in a row (spec section 2). */
export const nameOf = (conversation: Conversation): string => knownNameOf(conversation) ?? t('list.unknownUser')

/** The person's name for use in a sentence: the first name if it is known. */
export const shortNameOf = (conversation: Conversation): string => {
  const first = safeName(conversation.first_name ?? '') || knownNameOf(conversation)?.split(' ')[0]
  return first || t('list.thisPerson')
}

/**
 * Who reads a preview, and the name of the colleague who wrote the message; null if it is not known. The reader is null
 * if the API offers no authors.
 */
export type PreviewReader = { userId: string; nameOfMember: string | null } | null

/** The preview line of a row: the sender and the text of the last message (spec section 2). */
export const previewOf = (conversation: Conversation, reader: PreviewReader = null): string => {
  if (conversation.last_message_at == null) return t('list.noMessages')
  const text = safeText(conversation.last_message_text?.trim() || t('list.attachment'))
  if (conversation.last_message_direction !== 'outgoing') return text
  const author = reader === null ? null : conversation.last_message_author
  if (author?.kind === 'automatic') return t('list.automaticPreview', { text })
  if (author?.kind === 'staff' && author.id !== reader?.userId) {
    const first = safeName(reader?.nameOfMember ?? '').split(' ')[0]
    return first ? t('list.colleaguePreview', { name: first, text }) : t('list.staffPreview', { text })
  }
  return t('list.ownPreview', { text })
}

/** The text of the unread badge, capped (spec section 9); null if nothing is unread. */
export const unreadBadge = (unread: number): string | null => {
  if (unread === 0) return null
  return unread > limits.unreadBadgeCap ? `${limits.unreadBadgeCap}+` : String(unread)
}

export type ConversationPage = { id: string; name: string }

/**
 * The social pages of a conversation, in the order of `page_ids`. `known` holds the connected pages by id. A page that
 * is not in `known` gets its name from the conversation, or its id as name. If a page name contains a comma, the
 * conversation's lists of ids and names differ in length, and its names are not used.
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
