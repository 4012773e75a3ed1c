import type { CommentThread, CommentView, PostComment, ReplyKind, SendDecision } from '../../schemas/comment.ts'
import type { CommentNews } from '../list/comment-news.ts'

/** Which threads the list shows. An empty search shows all. */
export type ThreadFilter = { search: string; pageId: string | null; postId: string | null }

/** `conversationId`: only the threads of its person. `after`: the `next` of the page before. `limit`: the most rows. */
export type ThreadsRequest = ThreadFilter & {
  view: CommentView
  conversationId: string | null
  after: string | null
  limit: number
}

/** An answer to a comment. `key` stays for a retry. */
export type ReplyRequest = { commentId: string; kind: ReplyKind; message: string; key: string }

export type CommentChange = { kind: 'hide'; hidden: boolean } | { kind: 'like'; liked: boolean } | { kind: 'delete' }
export type ChangeRequest = { commentId: string; change: CommentChange }

export type DecisionRequest = { key: string; decision: SendDecision; tries: number }

export type DoneRequest = { threadId: string; upTo: string }

/** Comments changed on the server. Null: changes may have been missed. A null post: a thread was deleted. */
export type CommentsChanged = {
  type: 'comments.changed'
  thread: {
    id: string
    postId: string | null
    /** Whether a comment needs an answer; undefined if the change does not tell. */
    isWaiting?: boolean
    /** A new comment that needs an answer. */
    news?: CommentNews
  } | null
  /** The thread as the answer of a call told it. */
  told?: CommentThread
}

/** What a change leads to, as the button shows it: the opposite of how the comment is. */
export const hidingOf = ({ is_hidden }: Pick<PostComment, 'is_hidden'>) => ({
  kind: 'hide' as const,
  hidden: !is_hidden,
})
export const likingOf = ({ is_liked }: Pick<PostComment, 'is_liked'>) => ({
  kind: 'like' as const,
  liked: !is_liked,
})
