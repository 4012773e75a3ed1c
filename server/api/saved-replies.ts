import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { successAnswer } from '../../src/schemas/primitives.ts'
import {
  savedRepliesAnswer,
  savedReplyAnswer,
  savedReplyBody,
  savedReplyLimits,
  usedReplyBody,
} from '../../src/schemas/saved-reply.ts'
import { recordAudit } from '../audit/audit.ts'
import { cleanText } from '../clean-text.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import {
  countUse,
  createSavedReply,
  deleteSavedReply,
  findSavedReply,
  listSavedReplies,
  type SavedReplyProblem,
  updateSavedReply,
} from '../database/saved-replies.ts'
import { inTransaction } from '../database/transaction.ts'
import { described, refuse, valid } from './answers.ts'
import { type Authenticated, requirePermission } from './authentication.ts'

const tag = 'Saved replies'
const byId = z.object({ id: z.string().check(z.maxLength(200)) })

const refusals = {
  400: 'The body is not valid',
  422: 'The name is taken, a page does not exist, or there are too many saved replies',
} as const

const problems: Readonly<Record<SavedReplyProblem, string>> = {
  taken: 'Another saved reply has this name',
  noPage: 'One of the pages does not exist',
  full: `There are already ${savedReplyLimits.replies} saved replies. Delete one first.`,
}

type Stored = NonNullable<Awaited<ReturnType<typeof findSavedReply>>>

const toApi = (reply: Stored) => ({
  ...reply,
  created_at: reply.created_at.toISOString(),
  updated_at: reply.updated_at.toISOString(),
})

/** Saved replies (feature 'saved-replies'), to be mounted at /api/saved-replies. */
export const createSavedReplyRoutes = ({ db, clock }: { db: Db; clock: Pick<Clock, 'now'> }) => {
  const writeOf = (c: Context<Authenticated>, body: z.output<typeof savedReplyBody>) => ({
    values: { ...body, text: cleanText(body.text) },
    staffId: c.get('staff').id,
    now: new Date(clock.now()),
  })
  const entry = (c: Context<Authenticated>, action: 'created' | 'changed' | 'deleted', id: string, name: string) => ({
    at: clock.now(),
    by: c.get('actor'),
    action: `saved-reply.${action}` as const,
    row: { kind: 'saved-reply' as const, id },
    details: { name },
  })

  return new Hono<Authenticated>()
    .get(
      '/',
      described({ tag, summary: 'All saved replies, by name', answer: savedRepliesAnswer }),
      requirePermission('messages.send'),
      async (c) => {
        const replies = await listSavedReplies(db)
        return c.json({ success: true, data: replies.map(toApi) } satisfies z.infer<typeof savedRepliesAnswer>)
      },
    )
    .post(
      '/',
      described({ tag, takesBody: true, summary: 'Create a saved reply', answer: savedReplyAnswer, refusals }),
      requirePermission('faq.manage'),
      valid('json', savedReplyBody),
      async (c) => {
        const write = writeOf(c, c.req.valid('json'))
        const created = await inTransaction(db, async (trx) => {
          const result = await createSavedReply(trx, write)
          if (typeof result === 'string') return result
          await recordAudit(trx, entry(c, 'created', result.id, write.values.name))
          return findSavedReply(trx, result.id)
        })
        if (created === undefined) throw new Error('a saved reply is missing right after its creation')
        if (typeof created === 'string') return refuse(c, 422, problems[created])
        return c.json({ success: true, data: toApi(created) } satisfies z.infer<typeof savedReplyAnswer>)
      },
    )
    .put(
      '/:id',
      described({
        tag,
        takesBody: true,
        summary: 'Change a saved reply',
        answer: savedReplyAnswer,
        refusals: { ...refusals, 409: 'The saved reply was deleted' },
      }),
      requirePermission('faq.manage'),
      valid('param', byId),
      valid('json', savedReplyBody),
      async (c) => {
        const { id } = c.req.valid('param')
        const write = writeOf(c, c.req.valid('json'))
        const changed = await inTransaction(db, async (trx) => {
          const problem = await updateSavedReply(trx, id, write)
          if (problem !== null) return problem
          await recordAudit(trx, entry(c, 'changed', id, write.values.name))
          return findSavedReply(trx, id)
        })
        if (changed === undefined) return refuse(c, 409, 'This saved reply was deleted in the meantime')
        if (typeof changed === 'string') return refuse(c, 422, problems[changed])
        return c.json({ success: true, data: toApi(changed) } satisfies z.infer<typeof savedReplyAnswer>)
      },
    )
    .delete(
      '/:id',
      described({ tag, summary: 'Delete a saved reply; idempotent', answer: successAnswer }),
      requirePermission('faq.manage'),
      valid('param', byId),
      async (c) => {
        const { id } = c.req.valid('param')
        await inTransaction(db, async (trx) => {
          const deleted = await deleteSavedReply(trx, id)
          if (deleted !== undefined) await recordAudit(trx, entry(c, 'deleted', id, deleted.name))
        })
        return c.json({ success: true } satisfies z.infer<typeof successAnswer>)
      },
    )
    .post(
      '/:id/used',
      described({
        tag,
        takesBody: true,
        summary: 'Count the use in a message that the person has sent; each message counts once',
        answer: successAnswer,
        refusals: { 404: 'There is no such saved reply, or the person has sent no such message' },
      }),
      requirePermission('messages.send'),
      valid('param', byId),
      valid('json', usedReplyBody),
      async (c) => {
        const use = { id: c.req.valid('param').id, key: c.req.valid('json').key, staffId: c.get('staff').id }
        if (!(await inTransaction(db, (trx) => countUse(trx, use))))
          return refuse(c, 404, 'There is no such saved reply or sent message')
        return c.json({ success: true } satisfies z.infer<typeof successAnswer>)
      },
    )
}
