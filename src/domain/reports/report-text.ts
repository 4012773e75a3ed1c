import type { Report, ReportGroup, ReportName } from '../../schemas/report.ts'
import { t } from '../../texts/reports-on-demand.ts'
import { clockText } from '../clock-text.ts'
import { safeName } from '../shown-text.ts'

const names = {
  waiting: 'reports.waiting',
  responses: 'reports.responses',
  resolutions: 'reports.resolutions',
  messages: 'reports.messages',
  questions: 'reports.questions',
} as const
export const reportTitle = (report: ReportName): string => t(names[report])

const groups = {
  page: 'reports.page',
  person: 'reports.person',
  hour: 'reports.hour',
  date: 'reports.date',
} as const
export const groupTitle = (by: ReportGroup): string => t(groups[by])

/** A duration in its two largest units. */
export function durationText(seconds: number | null): string {
  if (seconds === null) return t('reports.none')
  if (seconds < 60) return t('reports.seconds', { seconds: Math.round(seconds) })
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return t('reports.minutes', { minutes })
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return t('reports.hours', { hours, minutes: minutes % 60 })
  const inHours = Math.round(seconds / 3600)
  return t('reports.longDays', { days: Math.floor(inHours / 24), hours: inHours % 24 })
}

const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
const months = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** A calendar date like 2026-05-01. */
export const calendarDate = (date: string): string => dates.format(Date.parse(date))

const automaticStart = 'automatic:'

/** What a row stands for. */
export function rowLabel(by: ReportGroup, { key, name }: { key: string; name: string | null }): string {
  switch (by) {
    case 'page':
      return safeName(name ?? '') || t('reports.removedPage')
    case 'person':
      if (key === 'outside') return t('reports.outside')
      if (key === 'unknown') return t('reports.unknown')
      if (key === 'nobody') return t('reports.nobody')
      if (key === 'automatic' || key === automaticStart) return t('reports.automatic')
      if (key.startsWith(automaticStart))
        return t('reports.automaticEntry', { title: safeName(key.slice(automaticStart.length)) })
      return safeName(name ?? '') || t('reports.formerMember')
    case 'hour':
      return clockText(`${key}:00`)
    case 'date':
      return key.length === 7 ? months.format(Date.parse(key)) : calendarDate(key)
  }
}

/** Whether the rows add up to more than who waits, because a conversation has several pages. */
export const hasRepeats = (report: Report): boolean =>
  report.report === 'waiting' && report.rows.reduce((sum, { count }) => sum + count, 0) > report.total.count
