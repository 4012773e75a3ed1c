import { t } from '../texts/shared.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

/** The date of a time, in the browser's time zone. */
export const dateOf = (moment: string): string => dates.format(Date.parse(moment))

/** The age of a time as shown in a list row (spec section 2); `now` in milliseconds. */
export const relativeTime = (moment: string, now: number): string => {
  const age = now - Date.parse(moment)
  if (age < minute) return t('shared.justNow')
  if (age < hour) return t('shared.minutesAgo', { count: Math.floor(age / minute) })
  if (age < day) return t('shared.hoursAgo', { count: Math.floor(age / hour) })
  if (age < 7 * day) return t('shared.daysAgo', { count: Math.floor(age / day) })
  return dateOf(moment)
}

const clockTime = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })

/**
 * The time of day, by 12 or 24 hours as the person's locale writes it. All texts with a time of day use this, `dateAndTime`
 * or `clockText`.
 */
export const timeOfDay = (moment: string): string => clockTime.format(Date.parse(moment))

/** A key that is equal for two times on the same local day. */
export const dayKey = (moment: string): string => new Date(moment).toDateString()

const longDate = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })

/** The heading of a day in a thread; `now` in milliseconds. */
export const dayLabel = (moment: string, now: number): string => {
  const then = new Date(moment)
  const today = new Date(now)
  if (then.toDateString() === today.toDateString()) return t('shared.today')
  const yesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1)
  if (then.toDateString() === yesterday.toDateString()) return t('shared.yesterday')
  return longDate.format(then)
}

const fullMoment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** Date and time, for places with enough room. */
export const dateAndTime = (moment: string): string => fullMoment.format(Date.parse(moment))
