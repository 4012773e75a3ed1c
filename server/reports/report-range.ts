import type { ReportQuery } from '../../src/schemas/report.ts'

/** Calendar dates, both inclusive, in the time zone of the business. */
export type ReportRange = { from: string; to: string; timeZone: string }

/** The date of a moment in a time zone, as 2026-05-01. */
const dateIn = (timeZone: string, at: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(at)

export function rangeOf(
  { days, from, to }: Pick<ReportQuery, 'days' | 'from' | 'to'>,
  { now, timeZone }: { now: number; timeZone: string },
): ReportRange {
  if (from !== undefined && to !== undefined) return { from, to, timeZone }
  const today = dateIn(timeZone, now)
  const first = new Date(today)
  first.setUTCDate(first.getUTCDate() + 1 - Number(days))
  return { from: first.toISOString().slice(0, 10), to: today, timeZone }
}
