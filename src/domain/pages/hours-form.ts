import {
  type BusinessHours,
  businessHoursLimits,
  isAwayTextShort,
  type PageHours,
} from '../../schemas/business-hours.ts'
import { t } from '../../texts/pages-on-demand.ts'
import { toastsIn } from '../toast.ts'

const { success, error } = toastsIn(t)

export const hoursToasts = {
  saved: success('pages.hoursSaved'),
  failed: error('pages.hoursFailed'),
  saveFailed: error('pages.hoursSaveFailed'),
} as const

type Span = PageHours['spans'][number]
type Holiday = PageHours['holidays'][number]

/** The hours that the form proposes for a page without hours: off, Monday to Friday. */
export const newHours = (): PageHours => ({
  is_on: false,
  spans: [1, 2, 3, 4, 5].map((day) => ({ day, from: '09:00', to: '18:00' })),
  holidays: [],
  text: t('pages.awayExample'),
})

export const hoursOf = ({ pages }: BusinessHours, pageId: string): PageHours => pages[pageId] ?? newHours()

/** The settings with the hours of these pages replaced. */
export const withHours = (settings: BusinessHours, pageIds: readonly string[], hours: PageHours): BusinessHours => ({
  pages: { ...settings.pages, ...Object.fromEntries(pageIds.map((id) => [id, hours])) },
})

/** The new span begins when the last span of the day ends. */
export const withSpan = (hours: PageHours, day: number): PageHours => {
  const last = hours.spans.findLast((span) => span.day === day)
  const added = last === undefined ? { day, from: '09:00', to: '18:00' } : { day, from: last.to, to: '' }
  return { ...hours, spans: [...hours.spans, added] }
}

export const withHoliday = (hours: PageHours): PageHours => ({
  ...hours,
  holidays: [...hours.holidays, { date: '', is_yearly: false, name: '' }],
})

export const withChangedSpan = (hours: PageHours, index: number, change: Partial<Span>): PageHours => ({
  ...hours,
  spans: hours.spans.map((span, at) => (at === index ? { ...span, ...change } : span)),
})

export const withChangedHoliday = (hours: PageHours, index: number, change: Partial<Holiday>): PageHours => ({
  ...hours,
  holidays: hours.holidays.map((holiday, at) => (at === index ? { ...holiday, ...change } : holiday)),
})

export const withoutSpan = (hours: PageHours, index: number): PageHours => ({
  ...hours,
  spans: hours.spans.filter((_, at) => at !== index),
})

export const withoutHoliday = (hours: PageHours, index: number): PageHours => ({
  ...hours,
  holidays: hours.holidays.filter((_, at) => at !== index),
})

/** Whether a span ends on the day after the one on which it begins. */
export const endsNextDay = ({ from, to }: Span): boolean => from !== '' && to !== '' && to <= from

/** The problem that prevents saving the hours of a page; null if there is none. */
export function hoursProblem({ is_on, spans, holidays, text }: PageHours): string | null {
  if (spans.some(({ from, to }) => from === '' || to === '')) return t('pages.hoursTimeMissing')
  if (holidays.some(({ date }) => date === '')) return t('pages.holidayDateMissing')
  if (!isAwayTextShort(text)) return t('pages.awayTooLong')
  if (!is_on) return null
  if (spans.length === 0) return t('pages.hoursMissing')
  return text.trim() === '' ? t('pages.awayMissing') : null
}

/** The reason why the hours cannot be saved; null if they can. `typed` is null if nothing was changed. */
export function hoursBlockedReason(typed: BusinessHours | null): string | null {
  if (typed === null) return t('pages.hoursUnchanged')
  return (
    Object.values(typed.pages)
      .map(hoursProblem)
      .find((problem) => problem !== null) ?? null
  )
}

export const isSpanFull = ({ spans }: PageHours): boolean => spans.length >= businessHoursLimits.spans
export const isHolidayFull = ({ holidays }: PageHours): boolean => holidays.length >= businessHoursLimits.holidays

const normal = ({ pages }: BusinessHours): string =>
  JSON.stringify(
    Object.keys(pages)
      .toSorted()
      .map((id) => {
        const { is_on, spans, holidays, text } = pages[id] ?? newHours()
        return [
          id,
          is_on,
          spans.map(({ day, from, to }) => [day, from, to]),
          holidays.map(({ date, is_yearly, name }) => [date, is_yearly, name]),
          text,
        ]
      }),
  )

export const isSameHours = (one: BusinessHours, other: BusinessHours): boolean => normal(one) === normal(other)
