import { Hono } from 'hono'
import * as z from 'zod/mini'
import type { Business } from '../../src/schemas/business.ts'
import { type ExportFormat, exportAnswer, exportRequest, exportTicketQuery } from '../../src/schemas/data-export.ts'
import { recordAudit } from '../audit/audit.ts'
import { createAttempts } from '../auth/attempts.ts'
import type { Permission } from '../auth/roles.ts'
import { findStaffBySession } from '../auth/staff.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import { exportData } from '../exports/export-data.ts'
import { issueTicket, takeTicket } from '../exports/export-tickets.ts'
import { described, refuse, refuseTooMany, valid } from './answers.ts'
import { type Authenticated, requirePermission } from './authentication.ts'
import { createExportStreams, refuseExport } from './export-streams.ts'

const tag = 'Export'
const permission = 'data.export' satisfies Permission
/** The exports that one staff member may begin within `window` milliseconds. */
const maxBegun = { max: 60, window: 60 * 60_000 }

const mediaTypes: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
}

/** To be mounted at /api/exports, behind the authentication. */
export function createExportRoutes({ db, clock }: { db: Db; clock: Clock }) {
  const attempts = createAttempts({ db, clock })
  return new Hono<Authenticated>().post(
    '/',
    described({
      tag,
      takesBody: true,
      summary: 'The address of a download, which works once within a minute. The export is recorded',
      answer: exportAnswer,
      refusals: { 429: 'Too many exports in an hour' },
    }),
    requirePermission(permission),
    valid('json', exportRequest),
    async (c) => {
      const key = `data-export ${c.get('staff').id}`
      if ((await attempts.take([{ key, ...maxBegun }])) === null) return refuseTooMany(c)
      const request = c.req.valid('json')
      const ticket = await issueTicket(db, c.get('sessionId'), request, clock.now())
      await recordAudit(db, { at: clock.now(), by: c.get('actor'), action: 'data.exported', details: request })
      const path = `/exports/file?ticket=${ticket}`
      return c.json({ success: true, data: { path } } satisfies z.infer<typeof exportAnswer>)
    },
  )
}

/**
 * The download, to be mounted at /api/exports without authentication: a browser saves a file of any size from an address,
 * and an address cannot carry the token of the session.
 */
export function createDownloadRoutes({ db, clock, business }: { db: Db; clock: Clock; business: Business }) {
  const streams = createExportStreams(clock)
  return new Hono().get(
    '/file',
    described({
      tag,
      guard: 'none',
      summary: 'All rows of a kind as CSV or JSON, for a ticket',
      answer: z.string(),
      mediaType: 'text/csv',
      done: 'A file',
      refusals: {
        403: 'The ticket is used, expired or of a session that has ended',
        503: 'Too many exports are running',
      },
    }),
    valid('query', exportTicketQuery),
    async (c) => {
      if (streams.areFull()) return refuseExport(c)
      // Requests for the header alone would use up the ticket.
      if (c.req.method === 'HEAD') return c.body(null)
      const taken = await takeTicket(db, c.req.valid('query').ticket, clock.now())
      const member = taken === null ? null : await findStaffBySession(db, taken)
      if (taken === null || !member?.isActive || !member.user.permissions.includes(permission))
        return refuse(c, 403, 'This download has expired. Start the export again.')
      const { kind, format } = taken.request
      c.header('content-type', mediaTypes[format])
      c.header('content-disposition', `attachment; filename="${kind}.${format}"`)
      c.header('x-content-type-options', 'nosniff')
      return c.body(await streams.open(exportData(db, taken.request, business)))
    },
  )
}
