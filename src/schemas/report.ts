import * as z from 'zod/mini'
import { answerOf, count, id, moment } from './primitives.ts'

/** The reports (feature 'reports'). */
export const reportNames = ['waiting', 'responses', 'resolutions', 'messages', 'questions'] as const
export type ReportName = (typeof reportNames)[number]

/** What the rows of a report stand for. Dates are months in ranges of more than `maxDailyRows` days. */
const reportGroups = ['page', 'person', 'hour', 'date'] as const
export type ReportGroup = (typeof reportGroups)[number]

/** Ranges that end today, in days. */
export const reportDays = ['1', '7', '30'] as const
export type ReportDays = (typeof reportDays)[number]

/** The longest range: two years. */
export const maxReportDays = 731
export const maxDailyRows = 92

const dayLength = 24 * 60 * 60 * 1000
/** Days from one calendar date to another. */
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / dayLength

const calendarDate = z.string().check(
  z.regex(/^[12]\d{3}-\d{2}-\d{2}$/),
  z.refine((text) => {
    const time = Date.parse(text)
    return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
  }, 'not a date'),
)

/** Either `days`, or `from` and `to`: calendar dates in the time zone of the business, both inclusive. */
const fields = {
  days: z.optional(z.enum(reportDays)),
  from: z.optional(calendarDate),
  to: z.optional(calendarDate),
  by: z._default(z.enum(reportGroups), 'page'),
  pageId: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
}
type Range = { days?: ReportDays | undefined; from?: string | undefined; to?: string | undefined }

const isRange = ({ days, from, to }: Range): boolean => {
  if (from === undefined || to === undefined) return days !== undefined && from === to
  return days === undefined && from <= to && daysBetween(from, to) < maxReportDays
}
const rangeCheck = z.refine<Range>(isRange, { error: 'not a range of at most two years', path: ['to'] })

export const reportQuery = z.object(fields).check(rangeCheck)
export type ReportQuery = z.infer<typeof reportQuery>

export const reportExportBody = z.object({ report: z.enum(reportNames), ...fields }).check(rangeCheck)
export type ReportRequest = z.infer<typeof reportExportBody>

/** `key` of a person: 'staff:<id>', 'outside', 'automatic', 'unknown' or 'nobody'. `name`: of the page or the person. */
const rowFields = { key: z.string(), name: z.nullable(z.string()) }

/** The dates of the range. `is_complete` is false while messages from before the feature are still being counted. */
const base = { from: z.string(), to: z.string(), time_zone: z.string(), is_complete: z.boolean() }

const waitingFields = { count, longest_since: z.nullable(moment) }
const waitingRow = z.object({ ...rowFields, ...waitingFields })
const waitingReport = z.object({
  ...base,
  report: z.literal('waiting'),
  total: z.object(waitingFields),
  rows: z.array(waitingRow),
})
export type WaitingRow = z.infer<typeof waitingRow>

/** Seconds. Null if there is nothing to measure. */
const timesFields = { count, median: z.nullable(z.number()), p90: z.nullable(z.number()) }
const timesRow = z.object({ ...rowFields, ...timesFields })
export type TimesRow = z.infer<typeof timesRow>

/**
 * Waits that began in the range and were answered, by who answered. `automatic`: the first automatic replies, with keys
 * 'automatic:<title of the FAQ entry>'; empty unless grouped by person.
 */
const responsesReport = z.object({
  ...base,
  report: z.literal('responses'),
  total: z.object(timesFields),
  rows: z.array(timesRow),
  automatic: z.array(timesRow),
  /** Waits that began in the range: all, those closed without an answer, those that are not over. */
  outcomes: z.object({ begun: count, closed: count, open: count }),
})
/** Conversations that were closed in the range. */
const resolutionsReport = z.object({
  ...base,
  report: z.literal('resolutions'),
  total: z.object(timesFields),
  rows: z.array(timesRow),
})

const volumeFields = { incoming: count, staff: count, automatic: count, outside: count }
const volumeRow = z.object({ ...rowFields, ...volumeFields })
export type VolumeRow = z.infer<typeof volumeRow>
const messagesReport = z.object({
  ...base,
  report: z.literal('messages'),
  total: z.object(volumeFields),
  rows: z.array(volumeRow),
})

/** Equal questions, with the last one as the example. `entries` answer it, the one that is sent first. */
const questionGroup = z.object({
  text: z.string(),
  count,
  asked_at: moment,
  conversation_id: id,
  entries: z.array(z.object({ id, title: z.string() })),
})
export type QuestionGroup = z.infer<typeof questionGroup>
/** The most frequent questions were compared with the active FAQ entries; `compared` counts their messages. */
const questionsReport = z.object({
  ...base,
  report: z.literal('questions'),
  total: z.object({ asked: count, compared: count, answered: count }),
  unanswered: z.array(questionGroup),
  conflicts: z.array(questionGroup),
})

const report = z.discriminatedUnion('report', [
  waitingReport,
  responsesReport,
  resolutionsReport,
  messagesReport,
  questionsReport,
])
export type Report = z.infer<typeof report>
export const reportAnswer = answerOf(report)
