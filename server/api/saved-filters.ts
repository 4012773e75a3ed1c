import { Hono } from 'hono'
import * as z from 'zod/mini'
import {
  type SavedFilters,
  savedFilterBody,
  savedFilterLimits,
  savedFiltersAnswer,
} from '../../src/schemas/saved-filter.ts'
import { cleanText } from '../clean-text.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import { deleteFilter, listSavedFilters, type SavedFilterProblem, saveFilter } from '../database/saved-filters.ts'
import { inTransaction } from '../database/transaction.ts'
import { described, refuse, valid } from './answers.ts'
import { type Authenticated, requirePermission } from './authentication.ts'

const tag = 'Saved filters'
const byId = z.object({ id: z.string().check(z.minLength(1), z.maxLength(100)) })

/** The body of an answer. The schema types an array as mutable. */
const answerWith = ({ version, filters }: SavedFilters) =>
  ({ success: true, data: { version, filters: [...filters] } }) satisfies z.infer<typeof savedFiltersAnswer>

const problems: Readonly<Record<SavedFilterProblem, string>> = {
  taken: 'Another of your filters has this name',
  full: `You already have ${savedFilterLimits.filters} filters. Delete one first.`,
}

/** The saved filters of the signed-in person (feature 'saved-filters'), to be mounted at /api/facebook. */
export const createSavedFilterRoutes = ({ db, clock }: { db: Db; clock: Pick<Clock, 'now'> }) =>
  new Hono<Authenticated>()
    .get(
      '/saved-filters',
      described({ tag, summary: 'The filters of the signed-in person, by name', answer: savedFiltersAnswer }),
      requirePermission('conversations.read'),
      async (c) => c.json(answerWith(await listSavedFilters(db, c.get('staff').id))),
    )
    .put(
      '/saved-filters/:id',
      described({
        tag,
        takesBody: true,
        summary: 'Create or change the filter with an id that the client chose; idempotent',
        answer: savedFiltersAnswer,
        refusals: { 400: 'The body is not valid', 422: 'The name is taken, or the person has too many filters' },
      }),
      requirePermission('conversations.read'),
      valid('param', byId),
      valid('json', savedFilterBody),
      async (c) => {
        const body = c.req.valid('json')
        const staffId = c.get('staff').id
        const saved = await inTransaction(db, async (trx) => {
          const problem = await saveFilter(trx, {
            staffId,
            id: c.req.valid('param').id,
            values: { ...body, name: cleanText(body.name) },
            now: new Date(clock.now()),
          })
          return problem ?? listSavedFilters(trx, staffId)
        })
        if (typeof saved === 'string') return refuse(c, 422, problems[saved])
        return c.json(answerWith(saved))
      },
    )
    .delete(
      '/saved-filters/:id',
      described({ tag, summary: 'Delete a filter of the signed-in person; idempotent', answer: savedFiltersAnswer }),
      requirePermission('conversations.read'),
      valid('param', byId),
      async (c) => {
        const staffId = c.get('staff').id
        const left = await inTransaction(db, async (trx) => {
          await deleteFilter(trx, staffId, c.req.valid('param').id)
          return listSavedFilters(trx, staffId)
        })
        return c.json(answerWith(left))
      },
    )
