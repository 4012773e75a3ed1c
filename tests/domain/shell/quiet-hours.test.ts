import { describe, expect, it } from 'vitest'
import { isQuiet } from '../../../src/domain/shell/quiet-hours.ts'

const everyDay = [0, 1, 2, 3, 4, 5, 6]
const night = { isOn: true, from: '22:00', to: '07:00', days: everyDay, timeZone: 'Asia/Manila' }
const at = (moment: string) => Date.parse(moment)

describe('Quiet hours', () => {
  it.each([
    // The night in Manila, which is 8 hours ahead: 14:00Z to 23:00Z.
    ['a minute before they begin', night, '2026-01-05T13:59:59Z', false],
    ['as they begin', night, '2026-01-05T14:00:00Z', true],
    ['after midnight', night, '2026-01-05T17:30:00Z', true],
    ['a minute before they end', night, '2026-01-05T22:59:59Z', true],
    ['as they end', night, '2026-01-05T23:00:00Z', false],
    ['while they are off', { ...night, isOn: false }, '2026-01-05T17:30:00Z', false],
    ['at the same moment elsewhere', { ...night, timeZone: 'America/New_York' }, '2026-01-05T17:30:00Z', false],
    ['with an offset of 45 minutes', { ...night, timeZone: 'Asia/Kathmandu' }, '2026-01-05T16:15:00Z', true],
    ['a minute earlier there', { ...night, timeZone: 'Asia/Kathmandu' }, '2026-01-05T16:14:00Z', false],
    // 5 January 2026 is a Monday.
    ['on a chosen day', { ...night, days: [1] }, '2026-01-05T15:00:00Z', true],
    ['in the morning after a chosen day', { ...night, days: [1] }, '2026-01-05T22:00:00Z', true],
    ['in the morning of a chosen day', { ...night, days: [1] }, '2026-01-04T22:00:00Z', false],
    ['in the evening after a chosen day', { ...night, days: [1] }, '2026-01-06T15:00:00Z', false],
    ['in the morning after a Saturday', { ...night, days: [6] }, '2026-01-10T22:00:00Z', true],
    ['on no day', { ...night, days: [] }, '2026-01-05T15:00:00Z', false],
    ['within a day, inside', { ...night, from: '12:00', to: '13:00' }, '2026-01-05T04:59:00Z', true],
    ['within a day, at the end', { ...night, from: '12:00', to: '13:00' }, '2026-01-05T05:00:00Z', false],
    [
      'within a day, on another day',
      { ...night, from: '12:00', to: '13:00', days: [2] },
      '2026-01-05T04:30:00Z',
      false,
    ],
    ['for 24 hours, at their beginning', { ...night, to: '22:00', days: [1] }, '2026-01-05T14:00:00Z', true],
    ['for 24 hours, a minute before their end', { ...night, to: '22:00', days: [1] }, '2026-01-06T13:59:00Z', true],
    ['for 24 hours, at their end', { ...night, to: '22:00', days: [1] }, '2026-01-06T14:00:00Z', false],
    // In Berlin, clocks went from 02:00 to 03:00 on 29 March 2026, and go from 03:00 back to 02:00 on 25 October.
    ['in the short night, before the end', { ...night, timeZone: 'Europe/Berlin' }, '2026-03-29T04:59:00Z', true],
    ['in the short night, at the end', { ...night, timeZone: 'Europe/Berlin' }, '2026-03-29T05:00:00Z', false],
    ['in the long night, before the end', { ...night, timeZone: 'Europe/Berlin' }, '2026-10-25T05:59:00Z', true],
    ['in the long night, at the end', { ...night, timeZone: 'Europe/Berlin' }, '2026-10-25T06:00:00Z', false],
    [
      'until a time that the clocks skip',
      { ...night, to: '02:30', timeZone: 'Europe/Berlin' },
      '2026-03-29T01:00:00Z',
      false,
    ],
    [
      'until a time that comes twice, the first time',
      { ...night, to: '02:30', timeZone: 'Europe/Berlin' },
      '2026-10-25T00:30:00Z',
      false,
    ],
    // Lord Howe Island moves its clocks by half an hour.
    ['with a change of half an hour', { ...night, timeZone: 'Australia/Lord_Howe' }, '2026-04-05T20:29:00Z', true],
    ['with it, at the end', { ...night, timeZone: 'Australia/Lord_Howe' }, '2026-04-05T20:30:00Z', false],
  ])('are known %s', (_, quiet, moment, expected) => expect(isQuiet(quiet, at(moment))).toBe(expected))
})
