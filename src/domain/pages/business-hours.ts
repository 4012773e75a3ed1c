import type { PageHours } from '../../schemas/business-hours.ts'

type Times = Pick<PageHours, 'spans' | 'holidays'>
/** Milliseconds since 1970; `until` is exclusive. */
type Period = { from: number; until: number }

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** The search for the beginning of a closed period goes back this many days. */
const maxDaysBack = 60

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'iso8601',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formats.set(timeZone, format)
  return format
}

/** The local time of a time zone, as the milliseconds since 1970 at which UTC has the same date and time. */
function shownAt(time: number, timeZone: string): number {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(time)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
}

/**
 * The first moment at which the clocks of the time zone show this time or a later one. So a time that the clocks show twice
 * counts the first time, and one that they skip counts when they skip it.
 */
function momentOf(shown: number, timeZone: string): number {
  const offsetAt = (time: number) => shownAt(time, timeZone) - time
  // Time zones are at most 12 hours behind UTC and 14 hours ahead: these lie a day before and after the moment.
  let before = shown - 14 * hour - day
  let after = shown + 12 * hour + day
  const offsetBefore = offsetAt(before)
  const offsetAfter = offsetAt(after)
  if (offsetBefore === offsetAfter) return shown - offsetBefore
  while (after - before > minute) {
    const middle = Math.floor((before + after) / 2 / minute) * minute
    if (offsetAt(middle) === offsetBefore) before = middle
    else after = middle
  }
  return shown - offsetBefore < after ? shown - offsetBefore : Math.max(after, shown - offsetAfter)
}

const millisecondsOf = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * hour + minutes * minute
}

/** The periods that begin on a date (its midnight as milliseconds of UTC): none on a holiday. */
function periodsOf({ spans, holidays }: Times, date: number, timeZone: string): Period[] {
  const name = new Date(date).toISOString().slice(0, 10)
  if (
    holidays.some((holiday) => holiday.date === name || (holiday.is_yearly && holiday.date.slice(4) === name.slice(4)))
  )
    return []
  const weekday = new Date(date).getUTCDay()
  return spans
    .filter((span) => span.day === weekday)
    .map((span) => {
      const [from, to] = [millisecondsOf(span.from), millisecondsOf(span.to)]
      return {
        from: momentOf(date + from, timeZone),
        until: momentOf(date + to + (to > from ? 0 : day), timeZone),
      }
    })
    .filter(({ from, until }) => from < until)
}

/**
 * When the business closed, in milliseconds since 1970; null if it is open now. Hours follow the clocks of the time zone. A
 * holiday removes the hours that begin on it. A closed period of more than 60 days counts as 60 days.
 */
export function closedSince(times: Times, now: number, timeZone: string): number | null {
  const today = Math.floor(shownAt(now, timeZone) / day) * day
  const earliest = today - maxDaysBack * day
  let closedAt: number | null = null
  // Clocks that are set back over midnight may show yesterday again.
  for (let date = today + day; date >= earliest; date -= day) {
    const isFound = closedAt !== null
    for (const { from, until } of periodsOf(times, date, timeZone)) {
      if (from <= now && now < until) return null
      if (until <= now) closedAt = Math.max(closedAt ?? until, until)
    }
    // Hours of the day before may end later, and may last until now.
    if (isFound) break
  }
  return closedAt ?? momentOf(earliest, timeZone)
}
