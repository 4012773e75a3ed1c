import { Hono } from 'hono'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { alarmsAnswer } from '../../src/schemas/alarm.ts'
import { textOf } from '../alarms/conditions.ts'
import type { Db } from '../database/database.ts'
import { described } from './answers.ts'
import { type Authenticated, requirePermission } from './authentication.ts'

const limit = 100

/** The incidents, shown to administrators, to be mounted at /api/alarms. */
export const createAlarmRoutes = ({ db }: { db: Db }) =>
  new Hono<Authenticated>().get(
    '/',
    described({
      tag: 'Operating',
      summary: 'Incidents: those that last, then those that ended, newest first; at most 100',
      answer: alarmsAnswer,
      refusals: {},
    }),
    requirePermission('alarms.read'),
    async (c) => {
      const rows = await db
        .selectFrom('alarms')
        .selectAll()
        .orderBy(sql`ended_at is not null`)
        .orderBy('started_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return c.json({
        success: true,
        data: rows.map((row) => ({
          id: row.id,
          kind: row.kind,
          text: textOf(row),
          started_at: row.started_at.toISOString(),
          ended_at: row.ended_at?.toISOString() ?? null,
        })),
      } satisfies z.infer<typeof alarmsAnswer>)
    },
  )
