import type { Conversation } from '../../schemas/conversation.ts'
import type { ConversationState } from '../../schemas/conversation-state.ts'
import { t } from '../../texts/list-on-demand.ts'
import { dateAndTime, dayKey, timeOfDay } from '../moments.ts'
import { endBeforeWindow } from './snooze-times.ts'

const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'short' })
const dayOfYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const dayOfAnyYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' })

const day = 86_400_000

/** The day of the week and the time of day. */
export const weekdayAndTime = (moment: string): string => `${weekday.format(Date.parse(moment))} ${timeOfDay(moment)}`

/** A time in as few words as are clear: the hour today, with the day of the week within six days, else the date. */
export function shortMoment(moment: string, now: number): string {
  const time = Date.parse(moment)
  const today = new Date(now).toISOString()
  if (dayKey(moment) === dayKey(today)) return timeOfDay(moment)
  if (Math.abs(time - now) < 6 * day) return weekdayAndTime(moment)
  return (new Date(time).getFullYear() === new Date(now).getFullYear() ? dayOfYear : dayOfAnyYear).format(time)
}

/** Whether the snooze was chosen to end before the reply window closes. */
const endsBeforeWindow = ({ last_incoming_at, state }: Conversation): boolean =>
  last_incoming_at != null &&
  state?.snoozed_until != null &&
  Date.parse(state.snoozed_until) === endBeforeWindow(Date.parse(last_incoming_at))

/** When the snooze of a row ends, in few words. `now` in milliseconds. */
export function snoozeEnd(conversation: Conversation, now: number): string {
  const until = conversation.state?.snoozed_until
  if (until == null) return t('list.untilTheyWrite')
  return endsBeforeWindow(conversation) ? t('list.untilWindow') : t('list.until', { time: shortMoment(until, now) })
}

/** The same in full. */
export function snoozeWords(conversation: Conversation): string {
  const until = conversation.state?.snoozed_until
  if (until == null) return t('list.snoozedUntilTheyWrite')
  const time = dateAndTime(until)
  return t(endsBeforeWindow(conversation) ? 'list.snoozedUntilWindow' : 'list.snoozedUntil', { time })
}

/** Who closed a conversation, and when. `by`: null if the person is not known. */
export const doneWords = (by: string | null, time: string): string =>
  by === null ? t('list.doneAt', { time }) : t('list.doneBy', { name: by, time })

/** The time at which a conversation was closed, with the date if that was not today. `now` in milliseconds. */
export const doneTime = ({ done_at }: Pick<ConversationState, 'done_at'>, now: number): string => {
  if (done_at === null) return ''
  return dayKey(done_at) === dayKey(new Date(now).toISOString()) ? timeOfDay(done_at) : dateAndTime(done_at)
}
