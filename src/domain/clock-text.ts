import { timeOfDay } from './moments.ts'

/** A time like 09:00, of a setting or a report, as the times of messages are written. Empty if none is typed. */
// Without a time zone, the text is a local time, which `timeOfDay` writes unchanged.
export const clockText = (time: string): string => (time === '' ? '' : timeOfDay(`1970-01-01T${time}`))
