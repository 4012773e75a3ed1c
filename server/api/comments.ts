import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import {
  commentCountAnswer,
  commentListAnswer,
  commentListQuery,
  commentThreadAnswer,
  doneBody,
  hiddenBody,
  likeBody,
  replyBody,
  sendDecisionBody,
} from '../../src/schemas/comment.ts'
import { liveSaleAnswer, saveLiveSaleAnswer, saveLiveSaleBody } from '../../src/schemas/live-sale.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Clock } from '../clock.ts'
import { findBusinessSettings, saveBusinessSettings } from '../database/business-settings.ts'
import {
  countWaitingThreads,
  findThread,
  listSalePosts,
  listThreads,
  readPlace,
  threadOfComment,
} from '../database/comments.ts'
import type { Db } from '../database/database.ts'
import { inTransaction } from '../database/transaction.ts'
import type { CommentChange, CommentChanges } from '../network/comments/comment-changes.ts'
import type { CommentSends } from '../network/comments/comment-sends.ts'
import { finishThread } from '../network/comments/store-comments.ts'
import { SendRefused } from '../network/send/send-refusals.ts'
import { described, refuse, valid } from './answers.ts'
import { type Authenticated, requirePermission } from './authentication.ts'
import { isWellFormedKey, keyHeader, keyParameter } from './idempotency-key.ts'
import { handlePageError, networkRefusals } from './page-refusal.ts'

const tag = 'Comments'
const shortId = z.string().check(z.minLength(1), z.maxLength(200))
const byId = z.object({ id: shortId })
const byKey = z.object({ key: shortId })

const unknownThread = 'This comment is not in the inbox anymore'

const sendRefusals = {
  409: 'The key was used for another answer, or somebody has decided about it already',
  422: 'The network does not allow the answer; the reason is in `error` and `code`',
  429: 'The network limits the rate of calls',
  503: 'The network has a temporary problem, and may have taken the answer',
  504: 'The network did not respond, and may have taken the answer',
} as const

export type CommentParts = { sends: CommentSends; changes: CommentChanges }

/** Comments on posts and live videos (feature 'comments'), to be mounted at /api/comments. */
export function createCommentRoutes({
  db,
  clock,
  comments: { sends, changes },
}: {
  db: Db
  clock: Pick<Clock, 'now'>
  comments: CommentParts
}) {
  async function answerWithThread(c: Context<Authenticated>, threadId: string | null) {
    const thread = threadId === null ? null : await findThread(db, threadId)
    if (thread === null) return refuse(c, 404, unknownThread)
    return c.json({ success: true, data: thread } satisfies z.infer<typeof commentThreadAnswer>)
  }

  async function change(c: Context<Authenticated>, commentId: string, change: CommentChange) {
    const result = await changes.change(commentId, change, c.get('actor'))
    if (result === 'missing') return refuse(c, 404, unknownThread)
    if (result === 'notOffered') return refuse(c, 422, 'Instagram has no call to like a comment', 'COMMENT_RULE')
    return answerWithThread(c, await threadOfComment(db, commentId))
  }

  /** Carries out work with an answer to this comment. An unconfirmed result is part of the thread too. */
  async function send(c: Context<Authenticated>, commentId: string, work: () => Promise<void>) {
    try {
      await work()
    } catch (error) {
      if (error instanceof SendRefused) return refuse(c, error.status, error.message, error.code)
      throw error
    }
    return answerWithThread(c, await threadOfComment(db, commentId))
  }

  const routes = new Hono<Authenticated>()
    .get(
      '/live-sale',
      described({ tag, summary: 'The sale by comments, with the posts that it can be about', answer: liveSaleAnswer }),
      requirePermission('orders.manage'),
      async (c) => {
        const [saved, posts] = await Promise.all([findBusinessSettings(db, 'live-sale'), listSalePosts(db)])
        return c.json({ success: true, data: { ...saved, posts } } satisfies z.infer<typeof liveSaleAnswer>)
      },
    )
    .put(
      '/live-sale',
      described({
        tag,
        takesBody: true,
        summary: 'Save the sale by comments; not saved if it replaces another version than the stored one',
        answer: saveLiveSaleAnswer,
        refusals: { 400: 'The body is not valid' },
      }),
      requirePermission('orders.manage'),
      valid('json', saveLiveSaleBody),
      async (c) => {
        const body = c.req.valid('json')
        const { isSaved, stored } = await inTransaction(db, async (trx) => {
          const saved = await saveBusinessSettings(trx, 'live-sale', { ...body, now: new Date(clock.now()) })
          if (saved.before === null) return saved
          const { is_on, items } = saved.stored.settings
          const details = { on: is_on, products: items.length }
          await recordAudit(trx, { at: clock.now(), by: c.get('actor'), action: 'live-sale.changed', details })
          return saved
        })
        return c.json({
          success: true,
          data: { is_saved: isSaved, ...stored },
        } satisfies z.infer<typeof saveLiveSaleAnswer>)
      },
    )
    .get(
      '/count',
      described({ tag, summary: 'The number of threads without an answer', answer: commentCountAnswer }),
      requirePermission('conversations.read'),
      async (c) => {
        const waiting = await countWaitingThreads(db)
        return c.json({ success: true, data: { waiting } } satisfies z.infer<typeof commentCountAnswer>)
      },
    )
    .get(
      '/threads',
      described({
        tag,
        summary: 'Threads of comments, newest first; all, or those found by words, page and post',
        answer: commentListAnswer,
      }),
      requirePermission('conversations.read'),
      valid('query', commentListQuery),
      async (c) => {
        const { after, ...filter } = c.req.valid('query')
        const place = after === undefined ? null : readPlace(after)
        if (after !== undefined && place === null) return refuse(c, 400, 'after is not valid')
        const data = await listThreads(db, { ...filter, after: place })
        return c.json({ success: true, data } satisfies z.infer<typeof commentListAnswer>)
      },
    )
    .get(
      '/threads/:id',
      described({
        tag,
        summary: 'What one person wrote under one post, with the answers',
        answer: commentThreadAnswer,
        refusals: { 404: 'There is no such thread' },
      }),
      requirePermission('conversations.read'),
      valid('param', byId),
      (c) => answerWithThread(c, c.req.valid('param').id),
    )
    .put(
      '/threads/:id/done',
      described({
        tag,
        takesBody: true,
        summary: 'Comments up to a time need no answer; idempotent',
        answer: commentThreadAnswer,
        refusals: { 404: 'There is no such thread' },
      }),
      requirePermission('conversations.manage'),
      valid('param', byId),
      valid('json', doneBody),
      async (c) => {
        const { id } = c.req.valid('param')
        const upTo = new Date(c.req.valid('json').up_to)
        await inTransaction(db, (trx) => finishThread(trx, id, upTo))
        return answerWithThread(c, id)
      },
    )
    .post(
      '/sends/:key',
      described({
        tag,
        takesBody: true,
        summary: 'Look for, retry or discard an unconfirmed answer',
        answer: commentThreadAnswer,
        refusals: { 404: 'There is no such answer', ...sendRefusals },
      }),
      requirePermission('messages.send'),
      valid('param', byKey),
      valid('json', sendDecisionBody),
      async (c) => {
        const { key } = c.req.valid('param')
        const { decision, tries } = c.req.valid('json')
        const found = await db
          .selectFrom('comment_sends')
          .select('comment_id')
          .where('key', '=', key)
          .executeTakeFirst()
        if (found === undefined) return refuse(c, 404, unknownThread)
        return send(c, found.comment_id, () => sends.decide(key, decision, tries))
      },
    )
    .post(
      '/:id/replies',
      described({
        tag,
        takesBody: true,
        summary: 'Answer a comment, in public or once in private; the same key gets the same answer',
        answer: commentThreadAnswer,
        parameters: [keyParameter('answer', true)],
        refusals: { 400: 'The body or the key is not valid', ...sendRefusals },
      }),
      requirePermission('messages.send'),
      valid('param', byId),
      valid('json', replyBody),
      async (c) => {
        const key = c.req.header(keyHeader) ?? ''
        if (!isWellFormedKey(key)) return refuse(c, 400, `${keyHeader} is not valid`)
        const { id: commentId } = c.req.valid('param')
        return send(c, commentId, () =>
          sends.reply({ key, staffId: c.get('staff').id, commentId, ...c.req.valid('json') }),
        )
      },
    )
    .put(
      '/:id/hidden',
      described({
        tag,
        takesBody: true,
        summary: 'Hide a comment or show it again; idempotent',
        answer: commentThreadAnswer,
        refusals: { 404: 'There is no such comment', ...networkRefusals },
      }),
      requirePermission('conversations.manage'),
      valid('param', byId),
      valid('json', hiddenBody),
      (c) => change(c, c.req.valid('param').id, { kind: 'hide', ...c.req.valid('json') }),
    )
    .put(
      '/:id/like',
      described({
        tag,
        takesBody: true,
        summary: 'Like a comment as the page, or take the like back; idempotent, only on Facebook',
        answer: commentThreadAnswer,
        refusals: { 404: 'There is no such comment', ...networkRefusals },
      }),
      requirePermission('conversations.manage'),
      valid('param', byId),
      valid('json', likeBody),
      (c) => change(c, c.req.valid('param').id, { kind: 'like', ...c.req.valid('json') }),
    )
    .delete(
      '/:id',
      described({
        tag,
        summary: 'Delete a comment on the network; idempotent',
        answer: commentThreadAnswer,
        refusals: { 404: 'There is no such comment', ...networkRefusals },
      }),
      requirePermission('conversations.manage'),
      valid('param', byId),
      (c) => change(c, c.req.valid('param').id, { kind: 'delete' }),
    )
  routes.onError(handlePageError)
  return routes
}
