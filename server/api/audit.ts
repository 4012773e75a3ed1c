import { Hono } from 'hono'
import * as z from 'zod/mini'
import { auditAnswer, auditExportBody, auditQuery } from '../../src/schemas/audit.ts'
import { recordAudit } from '../audit/audit.ts'
import { exportAudit, readAuditPage } from '../audit/read-audit.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import { described, valid } from './answers.ts'
import { type Authenticated, requirePermission } from './authentication.ts'

const tag = 'Audit log'

/** The audit log (not in the specification), to be mounted at /api/audit. */
export const createAuditRoutes = ({ db, clock }: { db: Db; clock: Pick<Clock, 'now'> }) =>
  new Hono<Authenticated>()
    .get(
      '/',
      described({
        tag,
        summary: 'Entries of the audit log, newest first, with filters; `before` is the `next` of the page before',
        answer: auditAnswer,
        refusals: { 400: 'A filter is not valid' },
      }),
      requirePermission('audit.read'),
      valid('query', auditQuery),
      async (c) => {
        const data = await readAuditPage(db, c.req.valid('query'))
        return c.json({ success: true, data } satisfies z.infer<typeof auditAnswer>)
      },
    )
    .post(
      '/export',
      described({
        tag,
        takesBody: true,
        summary: 'All matching entries as CSV (text/csv). The export is recorded',
        answer: z.string(),
        mediaType: 'text/csv',
        done: 'A CSV file',
      }),
      requirePermission('audit.read'),
      valid('json', auditExportBody),
      async (c) => {
        const filters = c.req.valid('json')
        await recordAudit(db, { at: clock.now(), by: c.get('actor'), action: 'audit.exported', details: filters })
        return c.body(exportAudit(db, filters), 200, {
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': 'attachment; filename="audit-log.csv"',
          'x-content-type-options': 'nosniff',
        })
      },
    )
