import * as z from 'zod/mini'
import { labelChange } from './labels-of-row.ts'
import { answerOf, count, id, moment } from './primitives.ts'

/**
 * How far a conversation is handled (feature 'conversation-states'). The server changes it when messages arrive, staff
 * by `changeStatesBody`.
 */
export const conversationState = z.object({
  /** Increases with every change of the state; 0 before the first. */
  version: count,
  /** The time of the person's first message that staff have not answered. Automatic answers do not count. */
  waiting_since: z.nullable(moment),
  done_at: z.nullable(moment),
  /** The staff member who closed the conversation. */
  done_by: z.nullable(id),
  snoozed_at: z.nullable(moment),
  /** When a snooze ends; null if only a message of the person ends it. */
  snoozed_until: z.nullable(moment),
  /** When the last snooze ended by time; null as soon as staff answer, close or snooze the conversation. */
  returned_at: z.nullable(moment),
  /** The staff member who takes care of the conversation. */
  assigned_to: z.nullable(id),
  /** When the person was muted: no notices, and never waiting. */
  muted_at: z.nullable(moment),
  /** The labels, in the order in which they were put on. Empty if the API does not offer 'labels'. */
  label_ids: z._default(z.array(id), []),
})
export type ConversationState = z.infer<typeof conversationState>

/** A row of the realtime table `conversation_events`: a state, with what changed. Rows are only inserted. */
export const conversationEventRow = z.extend(z.omit(conversationState, { version: true }), {
  /** The version of the state. */
  id: count,
  primary_user_id: id,
  at: moment,
  /** The staff member who changed the state; null if a message or the time did. */
  changed_by: z.nullable(id),
})

export const conversationViews = ['waiting', 'mine', 'unassigned', 'all', 'snoozed', 'done'] as const
export const conversationView = z.enum(conversationViews)
export type ConversationView = z.infer<typeof conversationView>

/** The orders of the view Waiting: the longest wait first, or by the time left in the reply window and what is owed. */
export const waitingOrder = z.enum(['longest', 'urgent'])

/** Counts go up to this number. A count that reaches it means "at least". */
export const viewCountLimit = 1_000

/** The number of conversations of each view; `all` is the total of the statistics. */
export const viewCounts = z.object({
  waiting: count,
  /** Waiting conversations whose reply window closes within 4 hours. */
  urgent: count,
  unassigned: count,
  snoozed: count,
  done: count,
  /** Open conversations by the staff member they are assigned to. A member without one is missing. */
  assigned: z.record(z.string(), count),
})
export type ViewCounts = z.infer<typeof viewCounts>

const snooze = z.union([
  z.object({ until: moment }),
  /** Until the person writes. */
  z.object({ until: z.literal('message') }),
  /** Until one hour before the reply window closes. */
  z.object({ until: z.literal('window') }),
])

/** One thing about a state that a person decides. */
const decision = z.union([
  z.object({ done: z.boolean() }),
  z.object({ snooze: z.nullable(snooze) }),
  z.object({ assigned_to: z.nullable(id) }),
  z.object({ muted: z.boolean() }),
  /** Marks the person's last message as unread. */
  z.object({ unread: z.literal(true) }),
  /** Does not depend on the version: it changes these labels alone. */
  z.object({ labels: labelChange }),
])
export type StateDecision = z.infer<typeof decision>

const stateChange = z.object({
  /** A primary or fb user id. */
  id,
  /** The state that the person saw; another version on the server refuses the change. */
  version: count,
  /** The last message that the person saw. A later message of the person refuses `done` and `snooze`. */
  seen_message_at: z.nullable(moment),
  decision,
})
export type StateChange = z.infer<typeof stateChange>

/** The maximum number of conversations in one call. */
export const maxStateChanges = 100

export const changeStatesBody = z.object({
  changes: z.array(stateChange).check(z.minLength(1), z.maxLength(maxStateChanges)),
})

/**
 * Why a change was refused: the conversation is unknown, somebody changed its state before, the person wrote meanwhile,
 * the member cannot take care of it, the end of the snooze has passed, a label was deleted, or there are too many labels.
 */
const changeRefusal = z.enum([
  'unknown',
  'changed',
  'written',
  'unknown_member',
  'past',
  'unknown_label',
  'too_many_labels',
])
export type ChangeRefusal = z.infer<typeof changeRefusal>

/** One result for each change, in their order, with the state after it; null if the conversation is unknown. */
export const changeResult = z.object({ id, state: z.nullable(conversationState), refusal: z.nullable(changeRefusal) })
export const changeStatesAnswer = answerOf(z.object({ results: z.array(changeResult) }))

/**
 * The staff members whom a conversation can be assigned to, and those who did something before. `may_answer`:
 * whether the member may answer customers, and so be assigned; absent from an API that does not say.
 */
export const teamMember = z.object({
  id,
  name: z.string(),
  is_active: z.boolean(),
  may_answer: z.optional(z.boolean()),
})
export const teamAnswer = answerOf(z.array(teamMember))
export type TeamMember = z.infer<typeof teamMember>
