import type { NotificationSettings } from '../../schemas/notification-settings.ts'
import { t } from '../../texts/shell-on-demand.ts'
import { hasSameFields } from '../same-fields.ts'
import { toastsIn } from '../toast.ts'

const { success, error } = toastsIn(t)

export const notificationToasts = {
  saved: success('shell.noticesSaved'),
  failed: error('shell.noticesFailed'),
  saveFailed: error('shell.noticesSaveFailed'),
} as const

/** The reason why the settings cannot be saved; null if they can. `typed` is null if nothing was changed. */
export function settingsBlockedReason(typed: NotificationSettings | null): string | null {
  if (typed === null) return t('shell.nothingChanged')
  const { isOn, from, to, days } = typed.quiet
  if (!isOn) return null
  if (from === '' || to === '') return t('shell.quietTimeMissing')
  return days.length === 0 ? t('shell.quietDayMissing') : null
}

/** The days with a day added or removed, in the order of the week. */
export const withDay = (days: readonly number[], day: number, isChosen: boolean): number[] =>
  [...days.filter((other) => other !== day), ...(isChosen ? [day] : [])].sort((one, other) => one - other)

export const isSameSettings = (one: NotificationSettings, other: NotificationSettings): boolean =>
  hasSameFields({ ...one, quiet: null }, { ...other, quiet: null }) &&
  hasSameFields({ ...one.quiet, days: one.quiet.days.join() }, { ...other.quiet, days: other.quiet.days.join() })
