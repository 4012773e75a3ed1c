import { Hono } from 'hono'
import type * as z from 'zod/mini'
import {
  assignmentRulesAnswer,
  saveAssignmentRulesAnswer,
  saveAssignmentRulesBody,
} from '../../src/schemas/assignment-rules.ts'
import { findAssignable } from '../assignments.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Clock } from '../clock.ts'
import { findBusinessSettings, saveBusinessSettings } from '../database/business-settings.ts'
import type { Db } from '../database/database.ts'
import { inTransaction } from '../database/transaction.ts'
import { described, valid } from './answers.ts'
import { type Authenticated, requirePermission } from './authentication.ts'

const tag = 'Assignment rules'

/** The rules by which conversations are assigned (feature 'assignment-rules'), to be mounted at /api/assignment-rules. */
export const createAssignmentRuleRoutes = ({ db, clock }: { db: Db; clock: Pick<Clock, 'now'> }) =>
  new Hono<Authenticated>()
    .get(
      '/',
      described({ tag, summary: 'The rules, and who can get conversations', answer: assignmentRulesAnswer }),
      requirePermission('staff.manage'),
      async (c) =>
        c.json({
          success: true,
          data: { ...(await findBusinessSettings(db, 'assignment-rules')), members: await findAssignable(db) },
        } satisfies z.infer<typeof assignmentRulesAnswer>),
    )
    .put(
      '/',
      described({
        tag,
        takesBody: true,
        summary: 'Save the rules; not saved if they replace another version than the stored one',
        answer: saveAssignmentRulesAnswer,
        refusals: { 400: 'The body is not valid' },
      }),
      requirePermission('staff.manage'),
      valid('json', saveAssignmentRulesBody),
      async (c) => {
        const body = c.req.valid('json')
        const { isSaved, stored } = await inTransaction(db, async (trx) => {
          const saved = await saveBusinessSettings(trx, 'assignment-rules', { ...body, now: new Date(clock.now()) })
          if (saved.before !== null) {
            const { rules, assigns_first_answer } = saved.stored.settings
            await recordAudit(trx, {
              at: clock.now(),
              by: c.get('actor'),
              action: 'assignment-rules.changed',
              details: { rules: rules.map(({ action }) => action), firstAnswer: assigns_first_answer },
            })
          }
          return saved
        })
        return c.json({
          success: true,
          data: { is_saved: isSaved, ...stored },
        } satisfies z.infer<typeof saveAssignmentRulesAnswer>)
      },
    )
