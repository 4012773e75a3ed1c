import { createReports } from '../../../src/services/reports/reports.ts'
import { describeRequests, ok } from '../requests.ts'

const report = {
  report: 'waiting',
  from: '2026-01-05',
  to: '2026-01-06',
  time_zone: 'Asia/Manila',
  is_complete: true,
  total: { count: 1, longest_since: '2026-01-05T07:00:00.000Z' },
  rows: [{ key: 'p1', name: 'Bakery', count: 1, longest_since: '2026-01-05T07:00:00.000Z' }],
}
const request = { report: 'waiting', from: '2026-01-05', to: '2026-01-06', by: 'page', pageId: 'p/1' } as const

describeRequests('The service of reports', (http, _, save) => createReports(http, save), [
  {
    claim: 'asks for a report of a range',
    call: (reports, signal) => reports.loadReport(request, signal),
    asks: ['GET /reports/waiting?from=2026-01-05&to=2026-01-06&by=page&pageId=p%2F1'],
    answer: ok(report),
    gives: report,
  },
  {
    claim: 'saves a report as a file that spreadsheets read as UTF-8',
    call: (reports) => reports.exportReport(request),
    asks: ['POST /reports/export', request],
    answer: 'page,name\r\np1,Bakery',
    saves: [['report-waiting.csv', '\ufeffpage,name\r\np1,Bakery']],
  },
])
