import { Hono } from 'hono'
import * as z from 'zod/mini'
import { type Stats, statsAnswer } from '../../src/schemas/stats.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import { readStats } from '../database/totals.ts'
import { createSharedRead } from '../shared-read.ts'
import { described, valid } from './answers.ts'
import { type Authenticated, requirePermission } from './authentication.ts'

const query = z.object({ pageId: z.optional(z.string()) })

/** Every open browser asks after every change, so the callers of a process share one query a second. Milliseconds. */
const interval = 1_000
/** Pages that are counted apart. Any text may be asked for as a page id, so the number has a limit. */
const maxPages = 1_000

/** The counts of the inbox (spec section 7), to be mounted at /api/facebook. */
export const createStatsRoutes = ({ db, clock }: { db: Db; clock: Clock }) => {
  const reads = new Map<string | undefined, () => Promise<Stats>>()
  const readOf = (pageId: string | undefined) => {
    const known = reads.get(pageId)
    if (known !== undefined) return known
    const read = createSharedRead({
      read: () => readStats(db, { pageId, now: clock.now() }),
      interval,
      clock,
    })
    if (reads.size >= maxPages) reads.clear()
    reads.set(pageId, read)
    return read
  }

  return new Hono<Authenticated>().get(
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
      const data = await readOf(c.req.valid('query').pageId)()
      return c.json({ success: true, data } satisfies z.infer<typeof statsAnswer>)
    },
  )
}
