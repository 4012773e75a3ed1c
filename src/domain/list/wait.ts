import type { Conversation } from '../../schemas/conversation.ts'
import { t } from '../../texts/list.ts'
import { limits } from '../limits.ts'
import { isLate, isWaiting } from './views.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/**
 * How urgent a wait is. `late`: 24 hours have passed, so no automatic answer leaves. `closed`: seven days have passed, so staff
 * cannot reply either.
 */
export type WaitTone = 'calm' | 'warn' | 'urgent' | 'late' | 'closed'

export type Wait = {
  tone: WaitTone
  /** The age of the wait in its largest unit. */
  age: string
  /** How much of the standard reply window has passed, in twelfths. */
  twelfths: number
}

const ageText = (age: number): string => {
  if (age < hour) return t('list.ageMinutes', { count: Math.max(1, Math.floor(age / minute)) })
  return age < 2 * day
    ? t('list.ageHours', { count: Math.floor(age / hour) })
    : t('list.ageDays', { count: Math.floor(age / day) })
}

function toneOf(row: Conversation, age: number, now: number): WaitTone {
  if (isLate(row, now)) return isLate(row, now, 'human') ? 'closed' : 'late'
  if (age < 12 * hour) return 'calm'
  return age < 20 * hour ? 'warn' : 'urgent'
}

/** The wait of a person for an answer by staff; null if the person does not wait. `now` in milliseconds. */
export function waitOf(row: Conversation, now: number): Wait | null {
  const since = row.state?.waiting_since
  if (since == null || !isWaiting(row)) return null
  const age = Math.max(0, now - Date.parse(since))
  return {
    tone: toneOf(row, age, now),
    age: ageText(age),
    twelfths: Math.min(12, Math.floor((12 * age) / limits.replyWindows.standard)),
  }
}
