import { Hono } from 'hono'
import type * as z from 'zod/mini'
import { searchAnswer, searchQuery } from '../../src/schemas/search.ts'
import type { Db } from '../database/database.ts'
import { readPlace, searchAll } from '../database/search-all.ts'
import { runSearch } from '../database/search-queue.ts'
import { described, refuse, valid } from './answers.ts'
import { type Authenticated, requirePermission } from './authentication.ts'

/** One search for clients, orders and messages (feature 'search'), to be mounted at /api/search. */
export const createSearchRoutes = ({ db, country }: { db: Db; country: string }) =>
  new Hono<Authenticated>().get(
    '/',
    described({
      tag: 'Search',
      summary:
        'Clients, orders and the text of messages, by the beginnings of words; clients need clients.read, orders orders.read',
      answer: searchAnswer,
      refusals: { 400: 'A parameter is not valid', 503: 'Too many searches are running' },
    }),
    requirePermission('conversations.read'),
    valid('query', searchQuery),
    async (c) => {
      const query = c.req.valid('query')
      const after = readPlace(query)
      if (after === null) return refuse(c, 400, 'after is not valid')
      const { permissions } = c.get('staff')
      const data = await runSearch(() => searchAll(db, { ...query, after, country, permissions }), c.req.raw.signal)
      return c.json({ success: true, data } satisfies z.infer<typeof searchAnswer>)
    },
  )
