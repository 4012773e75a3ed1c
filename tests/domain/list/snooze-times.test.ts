import { describe, expect, it } from 'vitest'
import { presetEnd } from '../../../src/domain/list/snooze-times.ts'
import { waitOf } from '../../../src/domain/list/wait.ts'
import { at, row, stateOf } from '../../model/inbox-fixture.ts'

/** Local times. */
const thursdayNoon = new Date(2026, 10, 19, 12, 30)
const thursdayNight = new Date(2026, 10, 19, 21)
const sunday = new Date(2026, 10, 22, 8)
const monday = new Date(2026, 10, 23, 8)

describe('A snooze', () => {
  it.each([
    ['hour', thursdayNoon, new Date(2026, 10, 19, 13, 30)],
    ['evening', thursdayNoon, new Date(2026, 10, 19, 18)],
    ['evening', thursdayNight, null],
    ['tomorrow', thursdayNight, new Date(2026, 10, 20, 9)],
    ['monday', thursdayNight, new Date(2026, 10, 23, 9)],
    ['monday', sunday, null],
    ['tomorrow', sunday, new Date(2026, 10, 23, 9)],
    ['monday', monday, new Date(2026, 10, 30, 9)],
  ] as const)('of the preset %s from %s ends at %s', (preset, now, end) =>
    expect(presetEnd(preset, now.getTime())).toEqual(end),
  )
})

describe('The chip of a wait', () => {
  const waiting = row('c1', 0, { state: stateOf(1, { waiting_since: at(0) }) })
  it.each([
    [0, 'calm', '1m', 0],
    [59, 'calm', '59m', 0],
    [60, 'calm', '1h', 0],
    [11 * 60 + 59, 'calm', '11h', 5],
    [12 * 60, 'warn', '12h', 6],
    [19 * 60 + 59, 'warn', '19h', 9],
    [20 * 60, 'urgent', '20h', 10],
    [24 * 60, 'late', '24h', 12],
    [49 * 60, 'late', '2d', 12],
    [7 * 24 * 60 - 1, 'late', '6d', 12],
    [7 * 24 * 60, 'closed', '7d', 12],
  ] as const)('after %i minutes is %s and says %s', (minutes, tone, age, twelfths) =>
    expect(waitOf(waiting, Date.parse(at(minutes)))).toEqual({ tone, age, twelfths }),
  )

  it('of a person who wrote again is not closed', () =>
    expect(waitOf({ ...waiting, last_message_at: at(600) }, Date.parse(at(25 * 60)))?.tone).toBe('urgent'))

  it('is absent if the person does not wait', () =>
    expect(waitOf(row('c1', 0, { state: stateOf(1, { waiting_since: at(0), done_at: at(1) }) }), 0)).toBe(null))
})
