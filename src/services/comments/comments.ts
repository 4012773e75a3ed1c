import * as z from 'zod/mini'
import type {
  ChangeRequest,
  DecisionRequest,
  DoneRequest,
  ReplyRequest,
  ThreadsRequest,
} from '../../domain/comments/comment-calls.ts'
import { type CommentList, type CommentThread, comment, commentThread, threadRow } from '../../schemas/comment.ts'
import { answerOf } from '../../schemas/primitives.ts'
import { type Http, rows } from '../http.ts'

const inPath = (part: string) => encodeURIComponent(part)

/** The calls of comments (feature 'comments'). All throw `Failure`. Changes and answers are never aborted. */
export function createComments(http: Http, log: { warn: (text: string) => void }) {
  const listAnswer = answerOf(
    z.object({ threads: rows(threadRow, log, 'threads of comments'), next: z.nullable(z.string()) }),
  )
  const schema = answerOf(z.extend(commentThread, { comments: rows(comment, log, 'comments') }))

  return {
    loadThreads: async ({ view, conversationId, after }: ThreadsRequest, signal: AbortSignal): Promise<CommentList> => {
      const query = { view, conversation: conversationId, after }
      return (await http.get('/comments/threads', { schema: listAnswer, query, signal })).data
    },

    loadThread: async ({ threadId }: { threadId: string }, signal: AbortSignal): Promise<CommentThread> =>
      (await http.get(`/comments/threads/${inPath(threadId)}`, { schema, signal })).data,

    finishThread: async ({ threadId, upTo }: DoneRequest): Promise<CommentThread> =>
      (await http.put(`/comments/threads/${inPath(threadId)}/done`, { schema, body: { up_to: upTo } })).data,

    /** Sends an answer at most once for each key. */
    sendReply: async ({ commentId, kind, message, key }: ReplyRequest): Promise<CommentThread> => {
      const headers = { 'Idempotency-Key': key }
      const body = { kind, message }
      return (await http.post(`/comments/${inPath(commentId)}/replies`, { schema, body, headers })).data
    },

    decideSend: async ({ key, ...body }: DecisionRequest): Promise<CommentThread> =>
      (await http.post(`/comments/sends/${inPath(key)}`, { schema, body })).data,

    changeComment: async ({ commentId, change }: ChangeRequest): Promise<CommentThread> => {
      const path = `/comments/${inPath(commentId)}`
      if (change.kind === 'delete') return (await http.delete(path, { schema })).data
      if (change.kind === 'hide') {
        return (await http.put(`${path}/hidden`, { schema, body: { hidden: change.hidden } })).data
      }
      return (await http.put(`${path}/like`, { schema, body: { liked: change.liked } })).data
    },
  }
}
