import type { NotificationSettings } from '../../schemas/notification-settings.ts'

type QuietHours = NotificationSettings['quiet']

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** The weekday (0 is Sunday) and the time of the day ('23:59') that clocks show in a time zone. */
function localTime(now: number, timeZone: string): { day: number; time: string } {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const parts = new Map(format.formatToParts(now).map(({ type, value }) => [type, value]))
  return { day: weekdays.indexOf(parts.get('weekday') ?? ''), time: `${parts.get('hour')}:${parts.get('minute')}` }
}

/**
 * Whether quiet hours last at this time, in milliseconds since 1970. They follow the clocks of their time zone, so they
 * are an hour longer or shorter in the night in which the clocks change.
 */
export function isQuiet({ isOn, from, to, days, timeZone }: QuietHours, now: number): boolean {
  if (!isOn) return false
  const { day, time } = localTime(now, timeZone)
  const beganToday = days.includes(day) && time >= from
  if (from < to) return beganToday && time < to
  return beganToday || (days.includes((day + 6) % 7) && time < to)
}
