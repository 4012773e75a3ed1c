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

describe('the form of the automatic sync shows', () => {
  it.each<[string, AutoSyncStatus | null, TypedSettings]>([
    ['the defaults where nothing is known', null, { interval: '5', hoursBack: '2', enabled: true }],
    [
      'the defaults and whether it is on, where only that is known',
      statusOf({ enabled: false }),
      { interval: '5', hoursBack: '2', enabled: false },
    ],
    [
      'what was set, whatever is in use',
      statusOf({ settings, config, enabled: false }),
      { interval: '10', hoursBack: '4', enabled: true },
    ],
    [
      'what is in use, where nothing was set',
      statusOf({ settings: null, config }),
      { interval: '15', hoursBack: '6', enabled: false },
    ],
  ])('%s', (_, status, shown) => expect(shownSettings(status)).toEqual(shown))
})

describe('a whole number from 1 to 60', () => {
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
  ])('typed as %j is %j', (text, number) => expect(wholeNumberIn(text, [1, 60])).toBe(number))
})

describe('what is typed into the form of the automatic sync', () => {
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
  ])('is the same: %s, with %j', (is, other) => expect(isSameSettings(typed, { ...typed, ...other })).toBe(is))
})
