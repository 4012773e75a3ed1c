import { Hono } from 'hono'
import * as z from 'zod/mini'
import { statsAnswer } from '../../src/schemas/stats.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import { readStats } from '../database/totals.ts'
import { described, valid } from './answers.ts'
import { type Authenticated, requirePermission } from './authentication.ts'

const query = z.object({ pageId: z.optional(z.string()) })

/** The counts of the inbox (spec section 7), to be mounted at /api/facebook. */
export const createStatsRoutes = ({ db, clock }: { db: Db; clock: Clock }) =>
  new Hono<Authenticated>().get(
    '/stats',
    described({
      tag: 'Stats',
      summary: 'Messages, conversations and users of the inbox or of one page',
      answer: statsAnswer,
      refusals: { 400: 'A parameter is not valid' },
    }),
    requirePermission('stats.read'),
    valid('query', query),
    async (c) => {
      const data = await readStats(db, { pageId: c.req.valid('query').pageId, now: clock.now() })
      return c.json({ success: true, data } satisfies z.infer<typeof statsAnswer>)
    },
  )
