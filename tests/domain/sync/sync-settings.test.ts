import { describe, expect, it } from 'vitest'
import {
  configOf,
  isSameSettings,
  shownSettings,
  type TypedSettings,
  wholeNumberIn,
} from '../../../src/domain/sync/sync-settings.ts'
import type { AutoSyncStatus } from '../../../src/schemas/auto-sync.ts'

const statusOf = (rest: Partial<AutoSyncStatus>): AutoSyncStatus => ({
  isRunning: false,
  enabled: true,
  isSyncing: false,
  ...rest,
})
const settings = { interval_minutes: 10, hours_back: 4, enabled: true }
const config = { interval_minutes: 15, hours_back: 6, enabled: false }

describe('The form of the automatic sync shows', () => {
  it.each<[string, AutoSyncStatus | null, TypedSettings]>([
    ['the defaults without a status', null, { interval: '5', hoursBack: '2', enabled: true }],
    [
      'the defaults and the switch if only the switch is known',
      statusOf({ enabled: false }),
      { interval: '5', hoursBack: '2', enabled: false },
    ],
    [
      'the saved settings, not the running ones',
      statusOf({ settings, config, enabled: false }),
      { interval: '10', hoursBack: '4', enabled: true },
    ],
    [
      'the running settings without saved ones',
      statusOf({ settings: null, config }),
      { interval: '15', hoursBack: '6', enabled: false },
    ],
  ])('%s', (_, status, shown) => expect(shownSettings(status)).toEqual(shown))
})

describe('A whole number from 1 to 60', () => {
  it.each([
    ['1', 1],
    ['60', 60],
    [' 7 ', 7],
    ['0007', 7],
    ['0', null],
    ['61', null],
    ['00007', null],
    ['', null],
    [' ', null],
    ['-5', null],
    ['5.5', null],
    ['5e0', null],
    ['0x5', null],
    ['5 min', null],
    ['five', null],
  ])('typed as %j is read as %j', (text, number) => expect(wholeNumberIn(text, [1, 60])).toBe(number))
})

describe('The input of the automatic sync form', () => {
  const typed: TypedSettings = { interval: '60', hoursBack: '24', enabled: false }

  it('is sent as numbers', () => {
    expect(configOf(typed)).toEqual({ interval_minutes: 60, hours_back: 24, enabled: false })
  })

  it.each([
    ['an interval', { interval: '61' }],
    ['hours', { hoursBack: '25' }],
  ])('is not sent with %s out of range', (_, wrong) => expect(configOf({ ...typed, ...wrong })).toBe(null))

  it.each<[boolean, Partial<TypedSettings>]>([
    [true, {}],
    [false, { interval: '6' }],
    [false, { hoursBack: '2' }],
    [false, { enabled: true }],
  ])('counts as unchanged: %s, with %j', (is, other) => expect(isSameSettings(typed, { ...typed, ...other })).toBe(is))
})
