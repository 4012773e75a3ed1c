import type { AutoSyncConfig, AutoSyncStatus } from '../../schemas/auto-sync.ts'
import { limits } from '../limits.ts'

/** The settings of the automatic sync as they are typed. */
export type TypedSettings = { interval: string; hoursBack: string; enabled: boolean }

/** A whole number within a range, both ends included, or null. */
export function wholeNumberIn(text: string, [least, most]: readonly [number, number]): number | null {
  const trimmed = text.trim()
  if (!/^\d{1,4}$/.test(trimmed)) return null
  const number = Number(trimmed)
  return number >= least && number <= most ? number : null
}

/** What was typed as it is sent, or null where a number is out of its range (spec section 5). */
export function configOf({ interval, hoursBack, enabled }: TypedSettings): AutoSyncConfig | null {
  const minutes = wholeNumberIn(interval, limits.autoSync.intervalRange)
  const hours = wholeNumberIn(hoursBack, limits.autoSync.hoursBackRange)
  return minutes === null || hours === null ? null : { interval_minutes: minutes, hours_back: hours, enabled }
}

export const isSameSettings = (one: TypedSettings, other: TypedSettings): boolean =>
  one.interval === other.interval && one.hoursBack === other.hoursBack && one.enabled === other.enabled

/** What the form shows while nothing was typed; the defaults of section 9 where nothing is known. */
export function shownSettings(status: AutoSyncStatus | null): TypedSettings {
  const known = status?.settings ?? status?.config
  return {
    interval: String(known?.interval_minutes ?? limits.autoSync.interval),
    hoursBack: String(known?.hours_back ?? limits.autoSync.hoursBack),
    enabled: known?.enabled ?? status?.enabled ?? true,
  }
}
