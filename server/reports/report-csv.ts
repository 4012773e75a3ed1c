import { stringify } from 'csv-stringify/sync'
import type { Report, ReportGroup } from '../../src/schemas/report.ts'
import { csvOptions } from '../csv.ts'

type Cell = string | number | null

/** To the millisecond. Percentiles between two durations have more digits. */
const secondsOf = (value: number | null): Cell => (value === null ? null : Number(value.toFixed(3)))

/** A report as CSV with a header. Durations are in seconds. */
export function csvOf(report: Report, by: ReportGroup): string {
  const { columns, rows } = tableOf(report, by)
  return stringify(rows, { ...csvOptions, columns })
}

function tableOf(report: Report, by: ReportGroup): { columns: string[]; rows: Cell[][] } {
  const group = by === 'page' || by === 'person' ? [by, 'name'] : [by]
  const of = ({ key, name }: { key: string; name: string | null }): Cell[] => (group.length === 2 ? [key, name] : [key])
  switch (report.report) {
    case 'waiting':
      return {
        columns: [...group, 'waiting', 'longest since'],
        rows: report.rows.map((row) => [...of(row), row.count, row.longest_since]),
      }
    case 'responses':
      return {
        columns: [...group, 'first responses', 'median seconds', 'p90 seconds'],
        rows: [...report.rows, ...report.automatic].map((row) => [
          ...of(row),
          row.count,
          secondsOf(row.median),
          secondsOf(row.p90),
        ]),
      }
    case 'resolutions':
      return {
        columns: [...group, 'closed', 'median seconds', 'p90 seconds'],
        rows: report.rows.map((row) => [...of(row), row.count, secondsOf(row.median), secondsOf(row.p90)]),
      }
    case 'messages':
      return {
        columns: [...group, 'received', 'sent by staff', 'sent automatically', 'sent outside'],
        rows: report.rows.map((row) => [...of(row), row.incoming, row.staff, row.automatic, row.outside]),
      }
    case 'questions':
      return {
        columns: ['question', 'times', 'last asked', 'conversation', 'entries'],
        rows: [...report.unanswered, ...report.conflicts].map((group) => [
          group.text,
          group.count,
          group.asked_at,
          group.conversation_id,
          group.entries.map(({ title }) => title).join('; '),
        ]),
      }
  }
}
