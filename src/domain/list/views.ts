import { type Conversation, nobody } from '../../schemas/conversation.ts'
import type { ConversationState, ConversationView } from '../../schemas/conversation-state.ts'
import { limits } from '../limits.ts'
import { lastMessageAt } from './conversation-row.ts'
import type { ListQuery } from './list-query.ts'

/**
 * The view whose rows a query requests; undefined if the API offers no views. A search looks in all conversations,
 * because a person who is searched for may be in any view.
 */
export const viewOf = ({ view, search }: ListQuery): ConversationView | undefined =>
  view !== undefined && search.trim() !== '' ? 'all' : view

type OpenFields = Pick<ConversationState, 'done_at' | 'snoozed_at' | 'muted_at'>

const isOpen = ({ done_at, snoozed_at, muted_at }: OpenFields): boolean =>
  done_at === null && snoozed_at === null && muted_at === null

/** Whether the person waits for an answer by staff. */
export const isWaiting = ({ state }: Pick<Conversation, 'state'>): boolean =>
  state !== undefined && state.waiting_since !== null && isOpen(state)

/** Whether a row belongs to a view by its state. A row without a known state belongs where the server put it. */
export function isInView(
  row: Pick<Conversation, 'state'>,
  view: ConversationView | undefined,
  userId: string,
): boolean {
  const { state } = row
  if (state === undefined) return true
  switch (view) {
    case 'waiting':
      return isWaiting(row)
    case 'mine':
      return isOpen(state) && state.assigned_to === userId
    case 'unassigned':
      return isOpen(state) && state.assigned_to === null
    case 'snoozed':
      return state.snoozed_at !== null && state.done_at === null
    case 'done':
      return state.done_at !== null
    default:
      return true
  }
}

/** The time of the person's last message in milliseconds, as far as the row tells; -Infinity if it does not. */
const lastIncomingAt = (row: Conversation): number => {
  if (row.last_message_direction === 'incoming') return lastMessageAt(row)
  const moment = row.last_incoming_at ?? row.state?.waiting_since
  return moment == null ? Number.NEGATIVE_INFINITY : Date.parse(moment)
}

/** Whether the person's last message is older than the reply window, `human` for that of staff; `now` in milliseconds. */
export const isLate = (row: Conversation, now: number, kind: 'standard' | 'human' = 'standard'): boolean =>
  now - lastIncomingAt(row) >= limits.replyWindows[kind]

/** Later than every time that a row can hold, so that a key of an open window is greater than each time. */
const afterAllTimes = 1e15

const timeOr = (moment: string | null | undefined, otherwise: number): number =>
  moment == null ? otherwise : Date.parse(moment)

/**
 * By how many milliseconds a person who owes `cents` comes before one who owes nothing, in the order by urgency: two hours
 * for each power of ten. `urgency` in 0057_outstanding.sql is the same rule.
 */
export const headStart = (cents: number): number => 7_200_000 * Math.log10(1 + cents / 100)

/** The place of a row in a view: rows with a greater key come first. `now` in milliseconds. */
export function viewKey(
  row: Conversation,
  view: ConversationView | undefined,
  now: number,
  order?: ListQuery['order'],
): number {
  switch (view) {
    case 'waiting':
      if (isLate(row, now)) return lastIncomingAt(row)
      return (
        afterAllTimes -
        (order === 'urgent'
          ? lastIncomingAt(row) - headStart(row.outstanding ?? 0)
          : timeOr(row.state?.waiting_since, lastMessageAt(row)))
      )
    case 'snoozed':
      return -timeOr(row.state?.snoozed_until, Number.POSITIVE_INFINITY)
    case 'done':
      return timeOr(row.state?.done_at, Number.NEGATIVE_INFINITY)
    default:
      return lastMessageAt(row)
  }
}

/** What decides about the rows of a list. */
export type ListRule = {
  /** Rows with a greater key come first. */
  keyOf: (row: Conversation) => number
  includes: (row: Conversation) => boolean
  /** A new message moves its row to the top. */
  isByMessage: boolean
}

/** The rule of an API without views: all conversations, newest message first. */
export const allByMessage: ListRule = { keyOf: lastMessageAt, includes: () => true, isByMessage: true }

/** The rule of a query for this staff member; `now` in milliseconds. */
export function ruleOf(query: ListQuery, userId: string, now: number): ListRule {
  const view = viewOf(query)
  const { labelId, assignedTo, order } = query
  const isFound = ({ state }: Conversation) =>
    state === undefined ||
    ((labelId === undefined || state.label_ids.includes(labelId)) &&
      (assignedTo === undefined || (state.assigned_to ?? nobody) === assignedTo))
  if (view === undefined || view === 'all')
    return labelId === undefined && assignedTo === undefined ? allByMessage : { ...allByMessage, includes: isFound }
  return {
    keyOf: (row) => viewKey(row, view, now, order),
    includes: (row) => isInView(row, view, userId) && isFound(row),
    isByMessage: view === 'mine' || view === 'unassigned',
  }
}
