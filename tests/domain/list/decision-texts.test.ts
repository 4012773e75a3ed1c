import { describe, expect, it } from 'vitest'
import { doneTime, doneWords, shortMoment, snoozeEnd, snoozeWords } from '../../../src/domain/list/decision-texts.ts'
import { row, stateOf } from '../../model/inbox-fixture.ts'

/** A Monday at noon, in local time. */
const noon = new Date(2026, 10, 23, 12, 0)
const moment = (...[month, day, hour, minute]: [number, number, number, number]) =>
  new Date(2026, month - 1, day, hour, minute).toISOString()

describe('A short time', () => {
  it.each([
    ['the hour today', moment(11, 23, 17, 5), '5:05 PM'],
    ['the hour earlier today', moment(11, 23, 0, 0), '12:00 AM'],
    ['the day of the week too tomorrow', moment(11, 24, 9, 0), 'Tue 9:00 AM'],
    ['the day of the week too in the days before', moment(11, 19, 8, 30), 'Thu 8:30 AM'],
    ['the date a week ahead', moment(11, 30, 9, 0), 'Nov 30'],
    ['the date and the year in another year', new Date(2027, 0, 4, 9).toISOString(), 'Jan 4, 2027'],
  ])('is %s', (_, time, expected) => {
    expect(shortMoment(time, noon.getTime())).toBe(expected)
  })
})

describe('The end of a snooze', () => {
  const wrote = moment(11, 23, 10, 0)
  const snoozed = (snoozed_until: string | null) =>
    row('c1', 0, { last_incoming_at: wrote, state: stateOf(1, { snoozed_at: moment(11, 23, 11, 0), snoozed_until }) })

  it.each([
    ['a time', moment(11, 24, 18, 0), 'until Tue 6:00 PM', 'Snoozed until Nov 24, 2026, 6:00 PM'],
    ['a message', null, 'until they write', 'Snoozed until they write'],
    [
      'an hour before the reply window closes',
      moment(11, 24, 9, 0),
      'until window ends',
      'Snoozed until Nov 24, 2026, 9:00 AM, before the reply window closes',
    ],
  ])('by %s', (_, until, short, full) => {
    const found = [snoozeEnd(snoozed(until), noon.getTime()), snoozeWords(snoozed(until))]
    expect(found.map((text) => text.replaceAll('\u202f', ' '))).toEqual([short, full])
  })
})

describe('A closed conversation', () => {
  it('names who closed it, and the date unless that was today', () => {
    const words = (by: string | null, done_at: string) => doneWords(by, doneTime({ done_at }, noon.getTime()))
    expect([words('Ana', moment(11, 23, 8, 12)), words(null, moment(11, 23, 8, 12))]).toEqual([
      'Done by Ana, 8:12 AM',
      'Done, 8:12 AM',
    ])
    expect(words('Ana', moment(11, 22, 8, 12)).replaceAll('\u202f', ' ')).toBe('Done by Ana, Nov 22, 2026, 8:12 AM')
  })
})
