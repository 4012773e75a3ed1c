import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { wrongAnswerAnswer } from '../../src/schemas/message.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import { findMessages } from '../database/thread.ts'
import { inTransaction } from '../database/transaction.ts'
import { findAnsweringEntry, markAnswerWrong, unmarkAnswer } from '../database/wrong-answers.ts'
import { described, refuse, valid } from './answers.ts'
import { toApiMessage } from './api-message.ts'
import { type Authenticated, requirePermission } from './authentication.ts'

const tag = 'Conversations and messages'
const ofMessage = z.object({ messageId: z.string() })
const refusals = { 404: 'There is no automatic answer of a FAQ entry with this id' } as const

/** Marks on automatic answers (feature 'faq-matching'), to be mounted at /api/facebook. */
export const createWrongAnswerRoutes = ({ db, clock }: { db: Db; clock: Pick<Clock, 'now'> }) => {
  /** `isWrong`: the mark after the call. */
  const change = async (c: Context<Authenticated>, messageId: string, isWrong: boolean) => {
    const now = clock.now()
    const isKnown = await inTransaction(db, async (trx) => {
      const entry = await findAnsweringEntry(trx, messageId)
      if (entry === null) return false
      const by = { staffId: c.get('staff').id, now: new Date(now) }
      const isChanged = isWrong ? await markAnswerWrong(trx, messageId, entry, by) : await unmarkAnswer(trx, messageId)
      if (isChanged) {
        await recordAudit(trx, {
          at: now,
          by: c.get('actor'),
          action: isWrong ? 'faq.answer-marked' : 'faq.answer-unmarked',
          ...(entry.faq_id === null ? {} : { row: { kind: 'faq' as const, id: entry.faq_id } }),
          details: { title: entry.title },
        })
      }
      return true
    })
    const [row] = isKnown ? await findMessages(db, [messageId]) : []
    if (row === undefined) return refuse(c, 404, 'This automatic answer no longer exists')
    return c.json({ success: true, data: { message: toApiMessage(row) } } satisfies z.infer<typeof wrongAnswerAnswer>)
  }

  return new Hono<Authenticated>()
    .put(
      '/messages/:messageId/wrong-answer',
      described({
        tag,
        summary: 'Mark an automatic answer wrong; the first mark stays',
        answer: wrongAnswerAnswer,
        refusals,
      }),
      requirePermission('messages.send'),
      valid('param', ofMessage),
      (c) => change(c, c.req.valid('param').messageId, true),
    )
    .delete(
      '/messages/:messageId/wrong-answer',
      described({
        tag,
        summary: 'Take the mark of a wrong answer back; idempotent',
        answer: wrongAnswerAnswer,
        refusals,
      }),
      requirePermission('messages.send'),
      valid('param', ofMessage),
      (c) => change(c, c.req.valid('param').messageId, false),
    )
}
