import type { ConversationState } from '../../schemas/conversation-state.ts'
import type { NotificationSettings } from '../../schemas/notification-settings.ts'
import { commentsTag } from '../../schemas/web-push.ts'
import { t } from '../../texts/list-on-demand.ts'
import { safeText } from '../shown-text.ts'
import { type CommentNews, tellingsOf } from './comment-news.ts'
import { lineOf, type Sender, separateLimit } from './new-messages.ts'
import { listToasts } from './toasts.ts'

/** A desktop notification. A later one with the same tag replaces it. */
export type Notice = {
  readonly tag: string
  readonly title: string
  readonly body: string | null
  /** The conversation that a click opens; null opens none. */
  readonly conversationId: string | null
  /** A click opens the comments, at this thread if it is known. */
  readonly comments?: { readonly threadId: string | null }
}

/** The settings of a person who has saved none. `timeZone` is that of the browser. */
export const defaultSettings = (timeZone: string): NotificationSettings => ({
  mine: true,
  unassigned: true,
  others: false,
  mentions: true,
  comments: true,
  sound: true,
  desktop: true,
  showsText: false,
  quiet: { isOn: false, from: '20:00', to: '08:00', days: [0, 1, 2, 3, 4, 5, 6], timeZone },
})

/** The fields of a state that decide about notifications; undefined if the state is not known. */
type Responsibility = Pick<ConversationState, 'assigned_to' | 'muted_at'> | undefined

/**
 * Whether a person wants to be notified about a conversation. A conversation whose state is not known counts as
 * unassigned, because a notification too many is better than one too few.
 */
export function isWanted(settings: NotificationSettings, state: Responsibility, userId: string): boolean {
  if (state?.muted_at != null) return false
  if (state?.assigned_to == null) return settings.unassigned
  return state.assigned_to === userId ? settings.mine : settings.others
}

export const wantsComments = ({ comments, unassigned }: NotificationSettings): boolean => comments ?? unassigned

/**
 * The notifications for messages of these senders, whose ids are conversations: one for each conversation, or a single
 * one if there are many.
 */
export function newMessageNotices(senders: readonly Sender[], showsText: boolean): Notice[] {
  // Of a conversation with several messages, the last line is the newest.
  const byId = new Map(senders.map((sender) => [sender.id, sender]))
  if (byId.size > separateLimit) {
    const title = listToasts.manyNews(senders.length, byId.size).text
    return [{ tag: 'inbox', title, body: null, conversationId: null }]
  }
  return [...byId.values()].map(({ id, name, line }) => ({
    tag: id,
    title: listToasts.news(name).text,
    body: showsText ? safeText(line) : null,
    conversationId: id,
  }))
}

/** The notification about a conversation whose snooze has ended by time. The name is null if it is not known. */
export const returnedNotice = (id: string, name: string | null): Notice => ({
  tag: id,
  title: name === null ? t('list.returnedNoticeUnknown') : t('list.returnedNotice', { name }),
  body: null,
  conversationId: id,
})

/** The notification about a note that mentions this person. `by` is null if the name is not known. */
export const mentionNotice = (id: string, by: string | null, text: string, showsText: boolean): Notice => ({
  tag: id,
  title: by === null ? t('list.mentionNoticeUnknown') : t('list.mentionNotice', { by }),
  body: showsText ? safeText(lineOf({ message_text: text })) : null,
  conversationId: id,
})

/** The notifications for new comments. */
export const commentNotices = (news: readonly CommentNews[], showsText: boolean): Notice[] =>
  tellingsOf(news).map(({ threadId, title, line }) => ({
    tag: commentsTag(threadId),
    title,
    body: showsText && line !== null ? safeText(line) : null,
    conversationId: null,
    comments: { threadId },
  }))

/** The notification that a person requests to try the settings. */
export const testNotice = (): Notice => ({
  tag: 'test',
  title: t('list.testNotice'),
  body: null,
  conversationId: null,
})
