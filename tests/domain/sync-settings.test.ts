import { describe, expect, it } from 'vitest'
import { shownSettings, type TypedSettings } from '../../src/domain/sync-settings.ts'
import type { AutoSyncStatus } from '../../src/schemas/auto-sync.ts'

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
