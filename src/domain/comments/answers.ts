import type { CommentThread, Post, PostComment, ReplyKind } from '../../schemas/comment.ts'
import { mayHaveArrived, type OutgoingStatus } from '../send/outgoing.ts'

/** The comment that an answer belongs to, as it was when the person began to write. */
export type AnsweredComment = {
  id: string
  threadId: string
  postId: string
  pageId: string
  /** The writer of the comment; null if the network does not tell the name. */
  author: string | null
}

/** An answer to a comment that staff type, or asked to send and that is not confirmed yet. Kept in this browser. */
export type CommentAnswer = {
  /** The Idempotency-Key, made when the person begins to type. All attempts use the same one. */
  key: string
  comment: AnsweredComment
  kind: ReplyKind
  text: string
  createdAt: string
  /** 'typed': the person has not asked to send it. */
  status: OutgoingStatus | 'typed'
  /** The text of the failure toast. */
  failure: string | null
}

/** An answer that the person asked to send. */
export type SentAnswer = CommentAnswer & { status: OutgoingStatus }

export const isSent = (answer: CommentAnswer): answer is SentAnswer => answer.status !== 'typed'

export const answeredComment = (comment: PostComment, post: Post, threadId: string): AnsweredComment => ({
  id: comment.id,
  threadId,
  postId: post.id,
  pageId: post.page_id,
  author: comment.author_name,
})

/** Requests at the same time. */
const parallelLimit = 3

/** The next answer that may start. */
export function nextAnswer(answers: readonly CommentAnswer[]): CommentAnswer | undefined {
  const running = answers.filter(({ status }) => status === 'pending').length
  return running >= parallelLimit ? undefined : answers.find(({ status }) => status === 'queued')
}

/** The typed answer to a comment; undefined if there is none. */
export const typedAnswer = (
  answers: readonly CommentAnswer[],
  commentId: string,
  kind: ReplyKind,
): CommentAnswer | undefined =>
  answers.find((answer) => answer.status === 'typed' && answer.comment.id === commentId && answer.kind === kind)

/**
 * The state of a stored answer after a reload. An answer whose request may have left becomes unconfirmed; any other one
 * waits for a retry by the person.
 */
export function restoredAnswer(answer: CommentAnswer): CommentAnswer {
  if (answer.status === 'typed' || answer.status === 'failed') return answer
  const mayHaveLeft = answer.status === 'pending' || mayHaveArrived(answer as SentAnswer)
  return { ...answer, status: mayHaveLeft ? 'unconfirmed' : 'waiting' }
}

/**
 * What a thread tells about an answer. 'sent': the network has it. 'held': the server keeps it as an answer without a known
 * result, which the thread shows on every screen. 'unknown': the server does not know the key.
 */
export type AnswerState = 'sent' | 'held' | 'unknown'

/** Where an answer is looked for. */
export type AnswerPlace = { threadId: string; commentId: string; key: string }

export function answerStateIn(thread: CommentThread, commentId: string, key: string): AnswerState {
  const comment = thread.comments.find(({ id }) => id === commentId)
  if (comment?.sent_keys?.includes(key)) return 'sent'
  return comment?.sends.some((send) => send.key === key) ? 'held' : 'unknown'
}
