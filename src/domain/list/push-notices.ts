import type { PushPayload } from '../../schemas/web-push.ts'
import { t as listText } from '../../texts/list.ts'
import { t } from '../../texts/list-on-demand.ts'
import { safeName, safeText } from '../shown-text.ts'
import { type CommentNews, manyCommentsTitle, tellingsOf } from './comment-news.ts'
import { lineOf } from './new-messages.ts'
import { mentionNotice, returnedNotice } from './notices.ts'
import { listToasts } from './toasts.ts'

/** What a push notification is about. */
export type PushFacts = {
  conversationId: string
  /** Null if the page is not known. */
  page: string | null
  /** Of the customer. */
  name: string | null
} & (
  | { kind: 'message'; text: string | null }
  /** `by`: the name of the colleague who wrote the note. */
  | { kind: 'mention'; by: string | null }
  | { kind: 'returned' }
)

/**
 * The content of a push notification. It passes through the push service of the browser's maker and shows on locked
 * screens, so names are part of it only with `showsNames` and the text of a message only with `showsText` too. The text of
 * a note never is.
 */
export function pushNotice(
  facts: PushFacts,
  { showsNames, showsText }: { showsNames: boolean; showsText: boolean },
): PushPayload {
  const { conversationId } = facts
  const page = safeName(facts.page ?? '') || null
  const named = showsNames ? safeName(facts.name ?? '') || null : null
  const by = facts.kind === 'mention' && showsNames ? facts.by : null
  const what = {
    message: () =>
      showsNames ? listToasts.news(named ?? listText('list.unknownUser')).text : t('list.pushNewMessage'),
    mention: () => mentionNotice(conversationId, by, '', false).title,
    returned: () => returnedNotice(conversationId, named).title,
  }[facts.kind]()
  if (!showsNames) return { title: page ?? t('list.pushTitle'), body: what, conversationId }
  const text = facts.kind === 'message' && showsText ? safeText(lineOf({ message_text: facts.text })) : null
  return { title: what, body: text ?? page, conversationId }
}

/**
 * The content of a push notification about new comments, newest last; null without any. Names and texts are part of it as
 * in `pushNotice`.
 */
export function commentsPushNotice(
  news: readonly CommentNews[],
  { page, showsNames, showsText }: { page: string | null; showsNames: boolean; showsText: boolean },
): PushPayload | null {
  const tellings = tellingsOf(news)
  const [only] = tellings
  if (only === undefined) return null
  const shownPage = safeName(page ?? '') || null
  const isOne = tellings.length === 1 && only.threadId !== null
  const comments = { threadId: isOne ? only.threadId : null }
  const title = isOne ? only.title : manyCommentsTitle(news)
  if (!showsNames) {
    return { title: shownPage ?? t('list.pushTitle'), body: isOne ? t('list.pushNewComment') : title, comments }
  }
  const text = isOne && showsText ? safeText(only.line ?? '') : null
  return { title, body: text || shownPage, comments }
}
