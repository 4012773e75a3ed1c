import { timeOfDay } from './moments.ts'

/**
 * A time like 09:00, of a setting or a report, as the times of messages are written. Empty if none is typed. A text without
 * a time zone is a local time, so no zone changes it.
 */
export const clockText = (time: string): string => (time === '' ? '' : timeOfDay(`1970-01-01T${time}`))
