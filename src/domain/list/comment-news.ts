import { t as listText } from '../../texts/list.ts'
import { t } from '../../texts/list-on-demand.ts'
import { safeName } from '../shown-text.ts'
import type { ToastText } from '../toast.ts'
import { lineOf, separateLimit } from './new-messages.ts'

/** A new comment that needs an answer. The name is null if the network does not tell it, the line without a text. */
export type CommentNews = { readonly threadId: string; readonly name: string | null; readonly line: string | null }

/** Opens the comments, at a thread or (null) at the list. */
export type CommentsRequested = { type: 'comments.requested'; threadId: string | null }

/** Of several comments in one thread the last one counts. */
const newestByThread = (news: readonly CommentNews[]): CommentNews[] => [
  ...new Map(news.map((one) => [one.threadId, one])).values(),
]

/**
 * Milliseconds without further news after these. The comments of a live sale come by the hundred, and would hide everything
 * else.
 */
export const pauseAfterNews = (news: readonly CommentNews[]): number =>
  newestByThread(news).length > separateLimit ? 5 * 60_000 : 60_000

export const manyCommentsTitle = (news: readonly CommentNews[]): string =>
  t('list.manyComments', { people: newestByThread(news).length })

type Telling = { threadId: string | null; title: string; line: string | null }

/** What is told of new comments: each thread by itself, or all together if there are many. A null id stands for all. */
export function tellingsOf(news: readonly CommentNews[]): Telling[] {
  const threads = newestByThread(news)
  if (threads.length > separateLimit) return [{ threadId: null, title: manyCommentsTitle(news), line: null }]
  return threads.map(({ threadId, name, line }) => ({
    threadId,
    title: t('list.commentNews', { name: safeName(name ?? '') || listText('list.unknownUser') }),
    line: lineOf({ message_text: line }),
  }))
}

export const commentToastsOf = (news: readonly CommentNews[]): ToastText[] =>
  tellingsOf(news).map(({ threadId, title, line }) => ({
    kind: 'info',
    text: title,
    news: { line, conversationId: null, comments: { threadId } },
  }))
