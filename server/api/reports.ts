import { Hono } from 'hono'
import PQueue from 'p-queue'
import * as z from 'zod/mini'
import {
  type ReportRequest,
  reportAnswer,
  reportExportBody,
  reportNames,
  reportQuery,
} from '../../src/schemas/report.ts'
import { recordAudit } from '../audit/audit.ts'
import { Busy, CallerGone } from '../busy.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import { csvOf } from '../reports/report-csv.ts'
import { readReport } from '../reports/reports.ts'
import { described, refuse, valid } from './answers.ts'
import { type Authenticated, requirePermission } from './authentication.ts'

const tag = 'Reports'
const maxQueued = 20

/** The reports (not in the specification), to be mounted at /api/reports. One report at a time is read in a process. */
export const createReportRoutes = ({
  db,
  clock,
  timeZone,
}: {
  db: Db
  clock: Pick<Clock, 'now'>
  /** Of the business: where its days begin. */
  timeZone: string
}) => {
  const queue = new PQueue({ concurrency: 1 })
  async function read(request: ReportRequest, signal: AbortSignal) {
    if (queue.size >= maxQueued)
      throw new Busy('Many reports are being read right now. Please try again in a few seconds.')
    return queue.add(() => {
      if (signal.aborted) throw new CallerGone()
      return readReport({ db, now: clock.now(), timeZone }, request)
    })
  }

  return new Hono<Authenticated>()
    .get(
      '/:report',
      described({
        tag,
        summary: 'One report: either of the last `days`, or from one date to another, both inclusive',
        answer: reportAnswer,
        refusals: { 400: 'A parameter is not valid', 503: 'Too many reports are being read' },
      }),
      requirePermission('reports.read'),
      valid('param', z.object({ report: z.enum(reportNames) })),
      valid('query', reportQuery),
      async (c) => {
        const request = { ...c.req.valid('param'), ...c.req.valid('query') }
        if (isMeaningless(request)) return refuse(c, 400, 'by is not valid')
        const data = await read(request, c.req.raw.signal)
        return c.json({ success: true, data } satisfies z.infer<typeof reportAnswer>)
      },
    )
    .post(
      '/export',
      described({
        tag,
        takesBody: true,
        summary: 'The rows of a report as CSV (text/csv). The export is recorded',
        answer: z.string(),
        mediaType: 'text/csv',
        done: 'A CSV file',
        refusals: { 503: 'Too many reports are being read' },
      }),
      requirePermission('reports.read'),
      valid('json', reportExportBody),
      async (c) => {
        const request = c.req.valid('json')
        if (isMeaningless(request)) return refuse(c, 400, 'by is not valid')
        const report = await read(request, c.req.raw.signal)
        const { from, to } = report
        await recordAudit(db, {
          at: clock.now(),
          by: c.get('actor'),
          action: 'report.exported',
          details: { report: request.report, from, to },
        })
        return c.body(csvOf(report, request.by), 200, {
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': `attachment; filename="${request.report}-${from}-${to}.csv"`,
          'x-content-type-options': 'nosniff',
        })
      },
    )
}

/** Who waits now has no hour and no date. */
const isMeaningless = ({ report, by }: ReportRequest): boolean =>
  report === 'waiting' && (by === 'hour' || by === 'date')
