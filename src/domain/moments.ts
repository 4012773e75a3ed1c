import type { Message } from '../schemas/message.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** How long ago a moment was, as a row of the list says it (spec section 2); `now` in milliseconds. */
export const relativeTime = (moment: string, now: number): string => {
  const then = Date.parse(moment)
  const age = now - then
  if (age < minute) return 'Just now'
  if (age < hour) return `${Math.floor(age / minute)}m ago`
  if (age < day) return `${Math.floor(age / hour)}h ago`
  if (age < 7 * day) return `${Math.floor(age / day)}d ago`
  return new Date(then).toLocaleDateString()
}

const clockTime = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

/** The time of day of a moment, hours and minutes. */
export const timeOfDay = (moment: string): string => clockTime.format(Date.parse(moment))

/** A key that two moments share exactly when they are on the same local day. */
export const dayKey = (moment: string): string => new Date(moment).toDateString()

const longDate = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })

/** The heading of a day in a thread; `now` in milliseconds. */
export const dayLabel = (moment: string, now: number): string => {
  const then = new Date(moment)
  const today = new Date(now)
  if (then.toDateString() === today.toDateString()) return 'Today'
  const yesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1)
  if (then.toDateString() === yesterday.toDateString()) return 'Yesterday'
  return longDate.format(then)
}

const fullMoment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** Date and time, where there is room for both. */
export const dateAndTime = (moment: string): string => fullMoment.format(Date.parse(moment))

/** When a message was written: what the network says, else when the server stored it. */
export const momentOf = (message: Message): string => message.timestamp_fb ?? message.created_at
