import { Hono } from 'hono'
import PQueue from 'p-queue'
import * as z from 'zod/mini'
import {
  faqDryRunAnswer,
  faqDryRunBody,
  faqMatchingAnswer,
  faqWrongAnswersAnswer,
  saveFaqMatchingAnswer,
  saveFaqMatchingBody,
} from '../../src/schemas/faq.ts'
import { successAnswer } from '../../src/schemas/primitives.ts'
import { recordAudit } from '../audit/audit.ts'
import { Busy, CallerGone } from '../busy.ts'
import type { Clock } from '../clock.ts'
import { findBusinessSettings, saveBusinessSettings } from '../database/business-settings.ts'
import type { Db } from '../database/database.ts'
import { inTransaction } from '../database/transaction.ts'
import { listWrongAnswers, resolveWrongAnswer } from '../database/wrong-answers.ts'
import { dryRunPart, FaqChanged } from '../network/faq/dry-run.ts'
import { described, refuse, valid } from './answers.ts'
import { type Authenticated, requirePermission } from './authentication.ts'

const tag = 'FAQ'
const maxQueued = 20
const byMessageId = z.object({ messageId: z.string() })

/**
 * What may reply besides exact keywords, the answers that staff marked wrong, and the dry run (feature 'faq-matching'), to be
 * mounted at /api/faq. One part of a dry run at a time is read in a process.
 */
export const createFaqMatchingRoutes = ({ db, clock }: { db: Db; clock: Pick<Clock, 'now'> }) => {
  const queue = new PQueue({ concurrency: 1 })
  return new Hono<Authenticated>()
    .get(
      '/matching',
      described({ tag, summary: 'The score that similar entries need to reply', answer: faqMatchingAnswer }),
      requirePermission('faq.read'),
      async (c) =>
        c.json({ success: true, data: await findBusinessSettings(db, 'faq-matching') } satisfies z.infer<
          typeof faqMatchingAnswer
        >),
    )
    .put(
      '/matching',
      described({
        tag,
        takesBody: true,
        summary: 'Save that score; not saved if it replaces another version than the stored one',
        answer: saveFaqMatchingAnswer,
        refusals: { 400: 'The body is not valid' },
      }),
      requirePermission('faq.manage'),
      valid('json', saveFaqMatchingBody),
      async (c) => {
        const body = c.req.valid('json')
        const { isSaved, stored } = await inTransaction(db, async (trx) => {
          const saved = await saveBusinessSettings(trx, 'faq-matching', { ...body, now: new Date(clock.now()) })
          if (saved.before !== null) {
            await recordAudit(trx, {
              at: clock.now(),
              by: c.get('actor'),
              action: 'faq.matching-changed',
              details: { least_score: saved.stored.settings.least_score },
            })
          }
          return saved
        })
        return c.json({
          success: true,
          data: { is_saved: isSaved, ...stored },
        } satisfies z.infer<typeof saveFaqMatchingAnswer>)
      },
    )
    .get(
      '/wrong-answers',
      described({
        tag,
        summary: 'The automatic answers that staff marked wrong and nobody resolved, newest first, at most 200',
        answer: faqWrongAnswersAnswer,
      }),
      requirePermission('faq.manage'),
      async (c) =>
        c.json({ success: true, data: await listWrongAnswers(db) } satisfies z.infer<typeof faqWrongAnswersAnswer>),
    )
    .post(
      '/wrong-answers/:messageId/resolve',
      described({ tag, summary: 'Take a wrong answer off the list; idempotent', answer: successAnswer }),
      requirePermission('faq.manage'),
      valid('param', byMessageId),
      async (c) => {
        const { messageId } = c.req.valid('param')
        const now = clock.now()
        await inTransaction(db, async (trx) => {
          const resolved = await resolveWrongAnswer(trx, messageId, { staffId: c.get('staff').id, now: new Date(now) })
          if (resolved === undefined) return
          await recordAudit(trx, {
            at: now,
            by: c.get('actor'),
            action: 'faq.answer-resolved',
            ...(resolved.faq_id === null ? {} : { row: { kind: 'faq' as const, id: resolved.faq_id } }),
            details: { title: resolved.title },
          })
        })
        return c.json({ success: true } satisfies z.infer<typeof successAnswer>)
      },
    )
    .post(
      '/dry-run',
      described({
        tag,
        takesBody: true,
        summary:
          'What the entries would have answered of the messages of the last 30 days, part by part. Sends nothing',
        answer: faqDryRunAnswer,
        refusals: {
          400: 'The body is not valid',
          409: 'The entries or the setting changed since the first part',
          503: 'Too many dry runs are under way',
        },
      }),
      requirePermission('faq.manage'),
      valid('json', faqDryRunBody),
      async (c) => {
        if (queue.size >= maxQueued) throw new Busy('Many dry runs are under way. Please try again in a few seconds.')
        const { signal } = c.req.raw
        const body = c.req.valid('json')
        try {
          const data = await queue.add(() => {
            if (signal.aborted) throw new CallerGone()
            return dryRunPart(db, { ...body, now: clock.now(), signal })
          })
          return c.json({ success: true, data } satisfies z.infer<typeof faqDryRunAnswer>)
        } catch (error) {
          if (error instanceof FaqChanged)
            return refuse(c, 409, 'The FAQ was changed during the dry run. Start it again.')
          throw error
        }
      },
    )
}
