import type { Conversation } from '../../schemas/conversation.ts'
import { t } from '../../texts/send.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Milliseconds after the person's last message in which the network accepts a reply; `human` is for replies that staff write. */
export const replyWindows = { standard: day, human: 7 * day }

export type ReplyWindow = {
  /** `human`: only what a member of staff writes is taken, which is all that is sent from here. */
  state: 'standard' | 'human' | 'closed'
  /** Milliseconds until the state ends; 0 when it is closed. */
  left: number
}

/** How long a person can still be answered; null where it is not known when they last wrote. `now` in milliseconds. */
export function replyWindow(lastIncomingAt: string | null | undefined, now: number): ReplyWindow | null {
  if (lastIncomingAt == null) return null
  const age = Math.max(0, now - Date.parse(lastIncomingAt))
  if (age < replyWindows.standard) return { state: 'standard', left: replyWindows.standard - age }
  if (age < replyWindows.human) return { state: 'human', left: replyWindows.human - age }
  return { state: 'closed', left: 0 }
}

/**
 * Whether the network takes no answer from this page; null is a page that is not known yet. The window is of the page
 * that the conversation names, and of all of them where it names none.
 */
export const isClosedFor = (
  state: ReplyWindow['state'] | null,
  { page_id }: Pick<Conversation, 'page_id'>,
  pageId: string | null,
): boolean => state === 'closed' && (page_id == null || page_id === pageId)

/** 'Reply within 3h 12m': what is left, in its two largest units. */
export function replyWindowText({ state, left }: ReplyWindow): string {
  if (state === 'closed') return t('send.windowIsClosed')
  const days = Math.floor(left / day)
  const hours = Math.floor((left % day) / hour)
  const minutes = Math.floor((left % hour) / minute)
  if (days > 0) return t('send.replyInDays', { days, hours })
  return hours > 0
    ? t('send.replyInHours', { hours, minutes })
    : t('send.replyInMinutes', { minutes: Math.max(1, minutes) })
}
