import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { closedSince } from '../../../src/domain/pages/business-hours.ts'
import { newHours, withSpan } from '../../../src/domain/pages/hours-form.ts'
import type { PageHours } from '../../../src/schemas/business-hours.ts'

type Times = Pick<PageHours, 'spans' | 'holidays'>

const minute = 60_000
const day = 24 * 60 * minute
const at = (moment: string) => Date.parse(moment)
const iso = (time: number | null) => (time === null ? null : new Date(time).toISOString().slice(0, 16))

const holidayOn = (date: string, isYearly = false) => ({ date, is_yearly: isYearly, name: '' })
const weekdays = [1, 2, 3, 4, 5].map((weekday) => ({ day: weekday, from: '09:00', to: '18:00' }))
const office: Times = { spans: weekdays, holidays: [] }
const bar: Times = { spans: [{ day: 5, from: '20:00', to: '02:00' }], holidays: [] }

describe('The closed period', () => {
  it.each<[string, Times, string, string, string | null]>([
    // Manila is 8 hours ahead of UTC. 2 March 2026 is a Monday.
    ['is none while the business is open', office, 'Asia/Manila', '2026-03-02T01:00', null],
    ['lasts until the minute of opening', office, 'Asia/Manila', '2026-03-02T00:59', '2026-02-27T10:00'],
    ['is none in the last minute', office, 'Asia/Manila', '2026-03-02T09:59', null],
    ['begins with the minute of closing', office, 'Asia/Manila', '2026-03-02T10:00', '2026-03-02T10:00'],
    ['is one over a weekend', office, 'Asia/Manila', '2026-03-08T20:00', '2026-03-06T10:00'],
    ['is none after midnight in hours that last longer', bar, 'Asia/Manila', '2026-03-06T17:59', null],
    ['begins after midnight', bar, 'Asia/Manila', '2026-03-06T18:00', '2026-03-06T18:00'],
    [
      'is interrupted by each of several spans a day',
      { spans: [...weekdays, { day: 1, from: '20:00', to: '21:00' }], holidays: [] },
      'Asia/Manila',
      '2026-03-02T14:00',
      '2026-03-02T13:00',
    ],
    [
      'is not begun by the end of a span inside another one',
      {
        spans: [
          { day: 1, from: '09:00', to: '18:00' },
          { day: 1, from: '10:00', to: '12:00' },
        ],
        holidays: [],
      },
      'Asia/Manila',
      '2026-03-02T20:00',
      '2026-03-02T10:00',
    ],
    [
      'goes on over a holiday',
      { ...office, holidays: [holidayOn('2026-03-03')] },
      'Asia/Manila',
      '2026-03-03T04:00',
      '2026-03-02T10:00',
    ],
    [
      'goes on over a yearly holiday of another year',
      { ...office, holidays: [holidayOn('2020-03-03', true)] },
      'Asia/Manila',
      '2026-03-03T04:00',
      '2026-03-02T10:00',
    ],
    [
      'is none on the date of a holiday of another year',
      { ...office, holidays: [holidayOn('2025-03-03')] },
      'Asia/Manila',
      '2026-03-03T04:00',
      null,
    ],
    [
      'does not begin at midnight of a holiday if hours that began before last longer',
      { ...bar, holidays: [holidayOn('2026-03-07')] },
      'Asia/Manila',
      '2026-03-06T17:00',
      null,
    ],
    [
      'is none on a day of 24 hours',
      { spans: [{ day: 1, from: '08:00', to: '08:00' }], holidays: [] },
      'Asia/Manila',
      '2026-03-02T23:59',
      null,
    ],
    [
      'of a business that never opens is 60 days long',
      { spans: [], holidays: [] },
      'UTC',
      '2026-03-02T10:00',
      '2026-01-01T00:00',
    ],
    // In New York, clocks go from 02:00 to 03:00 on 8 March 2026, and from 02:00 back to 01:00 on 1 November.
    [
      'begins with the jump if the clocks skip its beginning',
      { spans: [{ day: 0, from: '01:00', to: '02:30' }], holidays: [] },
      'America/New_York',
      '2026-03-08T07:00',
      '2026-03-08T07:00',
    ],
    [
      'begins at the first of two equal times',
      { spans: [{ day: 0, from: '00:30', to: '01:30' }], holidays: [] },
      'America/New_York',
      '2026-11-01T05:30',
      '2026-11-01T05:30',
    ],
  ])('%s', (_, times, timeZone, now, expected) => {
    expect(iso(closedSince(times, at(`${now}:00Z`), timeZone))).toBe(expected)
  })
})

/** Around a change of the clocks: by an hour, by half an hour, over midnight, and without a change. */
const places = [
  ['Europe/Berlin', '2026-03-29'],
  ['Europe/Berlin', '2026-10-25'],
  ['America/New_York', '2026-03-08'],
  ['America/New_York', '2026-11-01'],
  ['Australia/Lord_Howe', '2026-04-05'],
  ['Australia/Lord_Howe', '2026-10-04'],
  ['America/Santiago', '2026-04-05'],
  ['America/Santiago', '2026-09-06'],
  ['Africa/Cairo', '2026-10-29'],
  ['Asia/Kathmandu', '2026-05-10'],
  ['Pacific/Kiritimati', '2026-12-31'],
  ['Pacific/Pago_Pago', '2026-01-01'],
] as const

const time = fc
  .tuple(fc.constantFrom(0, 1, 2, 3, 8, 12, 22, 23), fc.constantFrom('00', '15', '30', '59'))
  .map(([hour, minutes]) => `${String(hour).padStart(2, '0')}:${minutes}`)

/** The local time of each minute of eight days, as 'YYYY-MM-DDTHH:MM'. */
const clocks = new Map<string, { first: number; shown: string[] }>()
function clocksOf(timeZone: string, date: string) {
  const key = `${timeZone} ${date}`
  const known = clocks.get(key)
  if (known !== undefined) return known
  const first = at(`${date}T00:00:00Z`) - 5 * day
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  const shown = Array.from({ length: (8 * day) / minute }, (_, index) =>
    format.format(first + index * minute).replace(' ', 'T'),
  )
  clocks.set(key, { first, shown })
  return { first, shown }
}

const nextDate = (date: string, days: number) =>
  new Date(at(`${date}T00:00:00Z`) + days * day).toISOString().slice(0, 10)

/** Marks the open minutes one by one, by their local time. */
function oracle({ spans, holidays }: Times, { shown }: { shown: string[] }): boolean[] {
  const open = shown.map(() => false)
  /** The first minute in which the clocks show the time or a later one. */
  const minuteOf = (wanted: string) => shown.findIndex((text) => text >= wanted)
  const dates = [...new Set(shown.map((text) => text.slice(0, 10)))]
  for (const date of [nextDate(dates[0] ?? '', -1), ...dates.slice(0, -2)]) {
    const isHoliday = holidays.some(
      (one) => one.date === date || (one.is_yearly && one.date.slice(5) === date.slice(5)),
    )
    for (const span of isHoliday ? [] : spans) {
      if (new Date(`${date}T12:00:00Z`).getUTCDay() !== span.day) continue
      const end = span.to > span.from ? date : nextDate(date, 1)
      open.fill(true, minuteOf(`${date}T${span.from}`), minuteOf(`${end}T${span.to}`))
    }
  }
  return open
}

describe('Business hours', () => {
  it('agree with clocks that are read minute by minute, in every time zone and over every change of the clocks', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...places),
        fc.array(fc.record({ day: fc.integer({ min: 0, max: 6 }), from: time, to: time }), {
          minLength: 1,
          maxLength: 9,
        }),
        fc.array(fc.tuple(fc.integer({ min: -3, max: 2 }), fc.boolean()), { maxLength: 2 }),
        fc.array(fc.integer({ min: 3 * 24 * 60, max: 6 * 24 * 60 - 1 }), { minLength: 3, maxLength: 3 }),
        ([timeZone, date], spans, away, minutes) => {
          const holidays = away.map(([offset, isYearly]) => holidayOn(nextDate(date, offset), isYearly))
          const times = { spans, holidays }
          const known = clocksOf(timeZone, date)
          const open = oracle(times, known)
          for (const index of minutes) {
            const closedAt = open[index] ? null : open.lastIndexOf(true, index) + 1
            const found = closedSince(times, known.first + index * minute, timeZone)
            // The oracle does not know when the business closed before its first minute.
            if (closedAt === 0) expect(found).toBeLessThan(known.first + 2 * day)
            else expect(iso(found)).toBe(closedAt === null ? null : iso(known.first + closedAt * minute))
          }
        },
      ),
      { seed: 17, numRuns: 400 },
    )
  })
})

describe('A new span of opening hours', () => {
  it('is a whole day, or begins when the last span of the day ends', () => {
    const empty = { ...newHours(), spans: [] }
    const [first, other] = [withSpan(empty, 1), withSpan(withSpan(empty, 1), 2)]
    expect(other.spans).toEqual([...first.spans, { day: 2, from: '09:00', to: '18:00' }])
    expect(withSpan(other, 1).spans).toEqual([...other.spans, { day: 1, from: '18:00', to: '' }])
  })
})
