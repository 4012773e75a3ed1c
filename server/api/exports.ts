import type { Context } from 'hono'
import { Hono } from 'hono'
import * as z from 'zod/mini'
import type { Business } from '../../src/schemas/business.ts'
import { type ExportFormat, exportAnswer, exportRequest, exportTicketQuery } from '../../src/schemas/data-export.ts'
import { type AuditEntry, recordAudit } from '../audit/audit.ts'
import { createAttempts } from '../auth/attempts.ts'
import type { Permission } from '../auth/roles.ts'
import { findStaffBySession } from '../auth/staff.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import type { Download } from '../database/tables/imports.ts'
import { exportData } from '../exports/export-data.ts'
import { issueTicket, takeTicket } from '../exports/export-tickets.ts'
import type { CsvImports } from '../imports/csv-imports.ts'
import { described, refuse, refuseTooMany, valid } from './answers.ts'
import { type Authenticated, requirePermission } from './authentication.ts'
import { type ExportStreams, refuseExport } from './export-streams.ts'

const tag = 'Export'
const permission = 'data.export' satisfies Permission
/** The exports that one staff member may begin within `window` milliseconds. */
const maxBegun = { max: 60, window: 60 * 60_000 }

const mediaTypes: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
}

export type BeginDownload = ReturnType<typeof createBeginDownload>

/** Answers with the address of a download, which works once within a minute, and records the export. */
export function createBeginDownload({ db, clock, streams }: { db: Db; clock: Clock; streams: ExportStreams }) {
  const attempts = createAttempts({ db, clock })
  return async (c: Context<Authenticated>, download: Download, about: Pick<AuditEntry, 'row' | 'details'>) => {
    const key = `data-export ${c.get('staff').id}`
    if ((await attempts.take([{ key, ...maxBegun }])) === null) return refuseTooMany(c)
    if (streams.areFull()) return refuseExport(c)
    const ticket = await issueTicket(db, c.get('sessionId'), download, clock.now())
    await recordAudit(db, { at: clock.now(), by: c.get('actor'), action: 'data.exported', ...about })
    const path = `/exports/file?ticket=${ticket}`
    return c.json({ success: true, data: { path } } satisfies z.infer<typeof exportAnswer>)
  }
}

/** To be mounted at /api/exports, behind the authentication. */
export const createExportRoutes = ({ beginDownload }: { beginDownload: BeginDownload }) =>
  new Hono<Authenticated>().post(
    '/',
    described({
      tag,
      takesBody: true,
      summary: 'The address of a download, which works once within a minute. The export is recorded',
      answer: exportAnswer,
      refusals: { 429: 'Too many exports in an hour', 503: 'Too many exports are running' },
    }),
    requirePermission(permission),
    valid('json', exportRequest),
    (c) => {
      const request = c.req.valid('json')
      return beginDownload(c, request, { details: request })
    },
  )

/**
 * The download, to be mounted at /api/exports without authentication: a browser saves a file of any size from an address,
 * and an address cannot carry the token of the session.
 */
export function createDownloadRoutes({
  db,
  clock,
  csvImports,
  streams,
  business,
}: {
  db: Db
  clock: Clock
  csvImports: Pick<CsvImports, 'refusedRows'>
  streams: ExportStreams
  business: Business
}) {
  const partsOf = (download: Download): AsyncGenerator<string> =>
    'refused_of' in download ? csvImports.refusedRows(download.refused_of) : exportData(db, download, business)
  return new Hono().get(
    '/file',
    described({
      tag,
      guard: 'none',
      summary: 'All rows of a kind as CSV or JSON, or the rows that an import did not store as CSV, for a ticket',
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
      // Requests for the header alone would use up the ticket.
      if (c.req.method === 'HEAD') return c.body(null)
      const stream = await streams.open(async () => {
        const taken = await takeTicket(db, c.req.valid('query').ticket, clock.now())
        const member = taken === null ? null : await findStaffBySession(db, taken)
        if (taken === null || !member?.isActive || !member.user.permissions.includes(permissionFor(taken.request)))
          return null
        const [name, format] =
          'refused_of' in taken.request ? ['refused-rows', 'csv' as const] : [taken.request.kind, taken.request.format]
        c.header('content-type', mediaTypes[format])
        c.header('content-disposition', `attachment; filename="${name}.${format}"`)
        c.header('x-content-type-options', 'nosniff')
        return partsOf(taken.request)
      })
      if (stream === 'full') return refuseExport(c)
      if (stream === null) return refuse(c, 403, 'This download has expired. Start the export again.')
      return c.body(stream)
    },
  )
}

const permissionFor = (download: Download): Permission => ('refused_of' in download ? 'imports.manage' : permission)
