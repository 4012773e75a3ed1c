import type { Conversation } from '../../schemas/conversation.ts'
import { t } from '../../texts/send-on-demand.ts'
import { limits } from '../limits.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

export type ReplyWindow = {
  /** `human`: only replies written by staff are accepted. All messages sent from the inbox are written by staff. */
  state: 'standard' | 'human' | 'closed'
  /** Milliseconds until the state ends; 0 if it is closed. */
  left: number
}

/** The reply window of a person; null if the time of the person's last message is not known. `now` in milliseconds. */
export function replyWindow(lastIncomingAt: string | null | undefined, now: number): ReplyWindow | null {
  if (lastIncomingAt == null) return null
  const age = Math.max(0, now - Date.parse(lastIncomingAt))
  if (age < limits.replyWindows.standard) return { state: 'standard', left: limits.replyWindows.standard - age }
  if (age < limits.replyWindows.human) return { state: 'human', left: limits.replyWindows.human - age }
  return { state: 'closed', left: 0 }
}

/**
 * Whether the network rejects a reply from this page; a null page is not known yet. The window applies to the page of
 * the conversation, or to all pages if the conversation names none.
 */
export const isClosedFor = (
  state: ReplyWindow['state'] | null,
  conversation: Pick<Conversation, 'page_id'>,
  pageId: string | null,
): boolean => windowOn(state, conversation, pageId) === 'closed'

/** The state of the window on this page; null if it is not known there. */
export const windowOn = (
  state: ReplyWindow['state'] | null,
  { page_id }: Pick<Conversation, 'page_id'>,
  pageId: string | null,
): ReplyWindow['state'] | null => (page_id == null || page_id === pageId ? state : null)

/** 'Reply within 3h 12m': the remaining time in its two largest units. */
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
