import { limits } from '../limits.ts'

/** The presets of the snooze dialog that are a time. Conversations 'until they write' and 'before the window closes' have none. */
export const snoozePresets = ['hour', 'evening', 'tomorrow', 'monday'] as const
export type SnoozePreset = (typeof snoozePresets)[number]

const eveningHour = 18
const morningHour = 9

/** The day `days` after a time, at this hour of the local time zone. */
const atHour = (now: Date, days: number, hour: number): Date =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour)

/**
 * The end of a preset; null if it is already over, as this evening is at night, or if another preset says the same, as
 * tomorrow does on a Sunday. `now` in milliseconds.
 */
export function presetEnd(preset: SnoozePreset, now: number): Date | null {
  const date = new Date(now)
  switch (preset) {
    case 'hour':
      return new Date(now + 3_600_000)
    case 'evening': {
      const evening = atHour(date, 0, eveningHour)
      return evening.getTime() > now ? evening : null
    }
    case 'tomorrow':
      return atHour(date, 1, morningHour)
    case 'monday':
      return date.getDay() === 0 ? null : atHour(date, 8 - date.getDay(), morningHour)
  }
}

/** A snooze until the reply window closes ends this long before, in milliseconds. */
const windowMargin = 3_600_000

/** The end of a snooze until shortly before the reply window closes. Both times in milliseconds. */
export const endBeforeWindow = (lastIncomingAt: number): number =>
  lastIncomingAt + limits.replyWindows.standard - windowMargin
