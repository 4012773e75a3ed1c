import { Hono } from 'hono'
import type * as z from 'zod/mini'
import { pagesAnswer } from '../../src/schemas/page.ts'
import type { Db } from '../database/database.ts'
import { listPages } from '../database/pages.ts'
import { described } from './answers.ts'
import { type Authenticated, requirePermission } from './authentication.ts'

/** The connected pages (spec section 7), to be mounted at /api/facebook. */
export const createPageRoutes = ({ db }: { db: Db }) =>
  new Hono<Authenticated>().get(
    '/pages',
    described({ tag: 'Pages', summary: 'The connected pages, without their access tokens', answer: pagesAnswer }),
    requirePermission('pages.read'),
    async (c) => {
      const pages = await listPages(db)
      return c.json({
        success: true,
        data: {
          data: pages.map((page) => ({
            ...page,
            created_at: page.created_at.toISOString(),
            updated_at: page.updated_at.toISOString(),
          })),
        },
      } satisfies z.infer<typeof pagesAnswer>)
    },
  )
