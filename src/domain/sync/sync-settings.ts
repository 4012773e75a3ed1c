import type { AutoSyncConfig, AutoSyncStatus } from '../../schemas/auto-sync.ts'
import { t } from '../../texts/sync-on-demand.ts'
import { limits } from '../limits.ts'

/** The settings of the automatic sync as typed. */
export type TypedSettings = { interval: string; hoursBack: string; enabled: boolean }

type Range = readonly [least: number, most: number]

/** A whole number within a range, both ends included, or null. */
export function wholeNumberIn(text: string, [least, most]: Range): number | null {
  const trimmed = text.trim()
  if (!/^\d{1,4}$/.test(trimmed)) return null
  const number = Number(trimmed)
  return number >= least && number <= most ? number : null
}

/** The problem of a typed number; null if it is a whole number within the range. */
const rangeProblem = (text: string, [least, most]: Range): string | null =>
  wholeNumberIn(text, [least, most]) === null ? t('shared.wholeNumber', { least, most }) : null

/** The problem of each field of the settings; null for a valid field. */
export const settingsProblems = ({ interval, hoursBack }: TypedSettings) => ({
  interval: rangeProblem(interval, limits.autoSync.intervalRange),
  hoursBack: rangeProblem(hoursBack, limits.autoSync.hoursBackRange),
})

export const isSameSettings = (one: TypedSettings, other: TypedSettings): boolean =>
  one.interval === other.interval && one.hoursBack === other.hoursBack && one.enabled === other.enabled

/** The reason why the settings cannot be saved; null if they can. `shown`: the settings that the form shows untyped. */
export function settingsBlockedReason(settings: TypedSettings, shown: TypedSettings): string | null {
  if (isSameSettings(settings, shown)) return t('sync.nothingChanged')
  const { interval, hoursBack } = settingsProblems(settings)
  if (interval !== null) return t('sync.intervalProblem', { problem: interval })
  return hoursBack && t('sync.hoursBackProblem', { problem: hoursBack })
}

/** The typed limit of a historical sync, or null if it is out of range (spec section 5). */
export const historyLimitOf = (text: string): number | null => wholeNumberIn(text, limits.historySync.range)

/** The problem of the typed limit of a historical sync; null if it is valid. */
export const historyLimitProblem = (text: string): string | null => rangeProblem(text, limits.historySync.range)

/** The request body for the typed settings, or null if a number is out of range (spec section 5). */
export function configOf({ interval, hoursBack, enabled }: TypedSettings): AutoSyncConfig | null {
  const minutes = wholeNumberIn(interval, limits.autoSync.intervalRange)
  const hours = wholeNumberIn(hoursBack, limits.autoSync.hoursBackRange)
  return minutes === null || hours === null ? null : { interval_minutes: minutes, hours_back: hours, enabled }
}

/**
 * The values of the form before the user types: the current settings, or the defaults of section 9 if they are not
 * known.
 */
export function shownSettings(status: AutoSyncStatus | null): TypedSettings {
  const known = status?.settings ?? status?.config
  return {
    interval: String(known?.interval_minutes ?? limits.autoSync.interval),
    hoursBack: String(known?.hours_back ?? limits.autoSync.hoursBack),
    enabled: known?.enabled ?? status?.enabled ?? true,
  }
}
