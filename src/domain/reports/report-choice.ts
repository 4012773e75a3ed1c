import {
  daysBetween,
  maxReportDays,
  type ReportDays,
  type ReportGroup,
  type ReportName,
  type ReportRequest,
} from '../../schemas/report.ts'
import { t } from '../../texts/reports-on-demand.ts'

/** What is chosen in the dialog. `from` and `to` count for the own range only; '' is no date. `pageId` '' is all pages. */
export type ReportChoice = {
  report: ReportName
  by: ReportGroup
  range: ReportDays | 'own'
  from: string
  to: string
  pageId: string
}

export const firstChoice: ReportChoice = { report: 'waiting', by: 'page', range: '7', from: '', to: '', pageId: '' }

/** What the rows of a report can stand for. */
export const groupsOf = (report: ReportName): readonly ReportGroup[] =>
  report === 'questions' ? [] : report === 'waiting' ? ['page', 'person'] : ['page', 'person', 'hour', 'date']

/** The choice after a change. A report that does not offer the chosen rows is grouped by page. */
export function choiceAfter(choice: ReportChoice, change: Partial<ReportChoice>): ReportChoice {
  const next = { ...choice, ...change }
  return { ...next, by: groupsOf(next.report).includes(next.by) ? next.by : 'page' }
}

/** Why the range cannot be asked for; null if it can. */
export function rangeProblem({ report, range, from, to }: ReportChoice): string | null {
  if (report === 'waiting' || range !== 'own') return null
  if (from === '' || to === '') return t('reports.bothDates')
  if (to < from) return t('reports.wrongOrder')
  return daysBetween(from, to) >= maxReportDays ? t('reports.tooLong') : null
}

export const requestOf = ({ report, by, range, from, to, pageId }: ReportChoice): ReportRequest => ({
  report,
  by,
  ...(report === 'waiting' ? { days: '1' } : range === 'own' ? { from, to } : { days: range }),
  ...(pageId === '' ? {} : { pageId }),
})
