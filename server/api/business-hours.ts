import { isDeepStrictEqual } from 'node:util'
import { Hono } from 'hono'
import type * as z from 'zod/mini'
import {
  businessHoursAnswer,
  saveBusinessHoursAnswer,
  saveBusinessHoursBody,
} from '../../src/schemas/business-hours.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Clock } from '../clock.ts'
import { findBusinessSettings, saveBusinessSettings } from '../database/business-settings.ts'
import type { Db } from '../database/database.ts'
import { inTransaction } from '../database/transaction.ts'
import { described, valid } from './answers.ts'
import { type Authenticated, requirePermission } from './authentication.ts'

const tag = 'Business hours'

type Parts = { db: Db; clock: Pick<Clock, 'now'>; timeZone: string }

/** Business hours and away answers (feature 'business-hours'), to be mounted at /api/business-hours. */
export const createBusinessHoursRoutes = ({ db, clock, timeZone }: Parts) =>
  new Hono<Authenticated>()
    .get(
      '/',
      described({ tag, summary: 'The business hours and away answers of the pages', answer: businessHoursAnswer }),
      requirePermission('faq.read'),
      async (c) =>
        c.json({
          success: true,
          data: { ...(await findBusinessSettings(db, 'business-hours')), time_zone: timeZone },
        } satisfies z.infer<typeof businessHoursAnswer>),
    )
    .put(
      '/',
      described({
        tag,
        takesBody: true,
        summary: 'Save the business hours; not saved if they replace another version than the stored one',
        answer: saveBusinessHoursAnswer,
        refusals: { 400: 'The body is not valid' },
      }),
      requirePermission('faq.manage'),
      valid('json', saveBusinessHoursBody),
      async (c) => {
        const body = c.req.valid('json')
        const { isSaved, stored } = await inTransaction(db, async (trx) => {
          const saved = await saveBusinessSettings(trx, 'business-hours', { ...body, now: new Date(clock.now()) })
          if (saved.before === null) return saved
          const [before, after] = [saved.before.pages, saved.stored.settings.pages]
          const pages = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
            (id) => !isDeepStrictEqual(before[id], after[id]),
          )
          const on = pages.filter((id) => after[id]?.is_on)
          await recordAudit(trx, {
            at: clock.now(),
            by: c.get('actor'),
            action: 'business-hours.changed',
            details: { pages, on },
          })
          return saved
        })
        return c.json({
          success: true,
          data: { is_saved: isSaved, ...stored },
        } satisfies z.infer<typeof saveBusinessHoursAnswer>)
      },
    )
