import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { comparable } from '../../src/domain/comparable.ts'
import { answererOf } from '../../src/domain/faq/faq-answers.ts'
import {
  deleteFaqAnswer,
  faqCategoriesAnswer,
  faqEntriesAnswer,
  faqEntryBody,
  savedFaqAnswer,
  testMatchAnswer,
  testMatchBody,
} from '../../src/schemas/faq.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import {
  CategoryUnknown,
  createFaqEntry,
  deleteFaqEntry,
  type FaqValues,
  findFaqEntry,
  listFaqCategories,
  listFaqEntries,
  readFaqRules,
  updateFaqEntry,
} from '../database/faq.ts'
import { inTransaction } from '../database/transaction.ts'
import { described, refuse, valid } from './answers.ts'
import { type Authenticated, requirePermission } from './authentication.ts'

const tag = 'FAQ'
const byId = z.object({ id: z.string() })

const refusals = {
  400: 'The body is not valid',
  422: 'There is no such category, or a keyword has neither letter nor number',
} as const

const toApi = <Row extends { created_at: Date }>(row: Row) => ({ ...row, created_at: row.created_at.toISOString() })

/** A keyword without letters or numbers never matches. */
const findEmptyKeyword = ({ keywords }: FaqValues) => keywords.find((keyword) => comparable(keyword) === '')

/** FAQ entries and their categories (spec section 7), to be mounted at /api/faq. */
export const createFaqRoutes = ({ db, clock }: { db: Db; clock: Pick<Clock, 'now'> }) => {
  const recorded = (c: Context<Authenticated>) => ({ at: clock.now(), by: c.get('actor') })

  return new Hono<Authenticated>()
    .get(
      '/categories',
      described({ tag, summary: 'The categories of FAQ entries', answer: faqCategoriesAnswer }),
      requirePermission('faq.read'),
      async (c) =>
        c.json({ success: true, data: await listFaqCategories(db) } satisfies z.infer<typeof faqCategoriesAnswer>),
    )
    .get(
      '/entries',
      described({ tag, summary: 'All FAQ entries, highest priority first', answer: faqEntriesAnswer }),
      requirePermission('faq.read'),
      async (c) => {
        const entries = await listFaqEntries(db)
        return c.json({ success: true, data: entries.map(toApi) } satisfies z.infer<typeof faqEntriesAnswer>)
      },
    )
    .post(
      '/entries',
      described({ tag, takesBody: true, summary: 'Create an FAQ entry', answer: savedFaqAnswer, refusals }),
      requirePermission('faq.manage'),
      valid('json', faqEntryBody),
      async (c) => {
        const values = c.req.valid('json')
        const bad = findEmptyKeyword(values)
        if (bad !== undefined) return refuse(c, 422, noWord(bad))
        try {
          const entry = await inTransaction(db, async (trx) => {
            const id = await createFaqEntry(trx, values, c.get('staff').id)
            await recordAudit(trx, {
              ...recorded(c),
              action: 'faq.created',
              row: { kind: 'faq', id },
              details: titleOf(values),
            })
            return findFaqEntry(trx, id)
          })
          if (entry === undefined) throw new Error('an FAQ entry is missing right after its creation')
          return c.json({ success: true, data: toApi(entry) } satisfies z.infer<typeof savedFaqAnswer>)
        } catch (error) {
          if (error instanceof CategoryUnknown) return refuse(c, 422, unknownCategory)
          throw error
        }
      },
    )
    .put(
      '/entries/:id',
      described({
        tag,
        takesBody: true,
        summary: 'Change an FAQ entry',
        answer: savedFaqAnswer,
        refusals: { ...refusals, 409: 'The entry was deleted' },
      }),
      requirePermission('faq.manage'),
      valid('param', byId),
      valid('json', faqEntryBody),
      async (c) => {
        const { id } = c.req.valid('param')
        const values = c.req.valid('json')
        const bad = findEmptyKeyword(values)
        if (bad !== undefined) return refuse(c, 422, noWord(bad))
        try {
          const entry = await inTransaction(db, async (trx) => {
            if (!(await updateFaqEntry(trx, id, values, new Date(clock.now())))) return undefined
            await recordAudit(trx, {
              ...recorded(c),
              action: 'faq.changed',
              row: { kind: 'faq', id },
              details: titleOf(values),
            })
            return findFaqEntry(trx, id)
          })
          if (entry === undefined) return refuse(c, 409, 'This FAQ entry was deleted in the meantime')
          return c.json({ success: true, data: toApi(entry) } satisfies z.infer<typeof savedFaqAnswer>)
        } catch (error) {
          if (error instanceof CategoryUnknown) return refuse(c, 422, unknownCategory)
          throw error
        }
      },
    )
    .delete(
      '/entries/:id',
      described({ tag, summary: 'Delete an FAQ entry; idempotent', answer: deleteFaqAnswer }),
      requirePermission('faq.manage'),
      valid('param', byId),
      async (c) => {
        const { id } = c.req.valid('param')
        await inTransaction(db, async (trx) => {
          const deleted = await deleteFaqEntry(trx, id)
          if (deleted === undefined) return
          await recordAudit(trx, {
            ...recorded(c),
            action: 'faq.deleted',
            row: { kind: 'faq', id },
            details: titleOf(deleted),
          })
        })
        return c.json({ success: true } satisfies z.infer<typeof deleteFaqAnswer>)
      },
    )
    .post(
      '/test-match',
      described({
        tag,
        takesBody: true,
        summary: 'The active entries that match a message, those that are similar, and the one that would answer it',
        answer: testMatchAnswer,
        refusals: { 400: 'The message is empty or too long' },
      }),
      requirePermission('faq.read'),
      valid('json', testMatchBody),
      async (c) => {
        const { message, pageId = null } = c.req.valid('json')
        const { entries, leastScore } = await readFaqRules(db)
        const { matches, near, answerId, doubt } = answererOf(entries)(message, { pageId, leastScore })
        return c.json({
          success: true,
          data: { message, matches: [...matches], near: [...near], answer: { id: answerId, doubt } },
        } satisfies z.infer<typeof testMatchAnswer>)
      },
    )
}

const titleOf = ({ title }: { title: string }) => ({ title })

const unknownCategory = 'There is no such category'
const noWord = (keyword: string) => `The keyword "${keyword}" has neither a letter nor a number`
