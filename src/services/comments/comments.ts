import * as z from 'zod/mini'
import { type AnswerPlace, type AnswerState, answerStateIn } from '../../domain/comments/answers.ts'
import type {
  ChangeRequest,
  DecisionRequest,
  DoneRequest,
  ReplyRequest,
  ThreadsRequest,
} from '../../domain/comments/comment-calls.ts'
import type { SavedSettings, SettingsSave, SettingsSaveResult } from '../../domain/settings-calls.ts'
import { type CommentList, type CommentThread, comment, commentThread, threadRow } from '../../schemas/comment.ts'
import { type LiveSale, liveSaleAnswer, type SalePost, saveLiveSaleAnswer } from '../../schemas/live-sale.ts'
import { answerOf } from '../../schemas/primitives.ts'
import { type Http, rows } from '../http.ts'

type LoadedSale = { saved: SavedSettings<LiveSale>; facts: { posts: readonly SalePost[] } }

const inPath = (part: string) => encodeURIComponent(part)

/** The calls of comments (feature 'comments'). All throw `Failure`. Changes and answers are never aborted. */
export function createComments(http: Http, log: { warn: (text: string) => void }) {
  const listAnswer = answerOf(
    z.object({ threads: rows(threadRow, log, 'threads of comments'), next: z.nullable(z.string()) }),
  )
  const schema = answerOf(z.extend(commentThread, { comments: rows(comment, log, 'comments') }))

  const loadThread = async ({ threadId }: { threadId: string }, signal: AbortSignal): Promise<CommentThread> =>
    (await http.get(`/comments/threads/${inPath(threadId)}`, { schema, signal })).data

  return {
    loadThreads: async (request: ThreadsRequest, signal: AbortSignal): Promise<CommentList> => {
      const { view, conversationId, search, pageId, postId, after, limit } = request
      const query = {
        view,
        conversation: conversationId,
        search: search === '' ? null : search,
        page: pageId,
        post: postId,
        after,
        limit,
      }
      return (await http.get('/comments/threads', { schema: listAnswer, query, signal })).data
    },

    loadSale: async (signal: AbortSignal): Promise<LoadedSale> => {
      const { data } = await http.get('/comments/live-sale', { schema: liveSaleAnswer, signal })
      return { saved: { settings: data.settings, version: data.version }, facts: { posts: data.posts } }
    },

    saveSale: async (body: SettingsSave<LiveSale>): Promise<SettingsSaveResult<LiveSale>> => {
      const { data } = await http.put('/comments/live-sale', { schema: saveLiveSaleAnswer, body })
      return { settings: data.settings, version: data.version, isSaved: data.is_saved }
    },

    loadThread,

    /** What its thread tells about an answer that may have left. */
    findAnswer: async ({ threadId, commentId, key }: AnswerPlace, signal: AbortSignal): Promise<AnswerState> =>
      answerStateIn(await loadThread({ threadId }, signal), commentId, key),

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
