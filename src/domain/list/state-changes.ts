import type { ChangeRefusal, ConversationState, StateChange, StateDecision } from '../../schemas/conversation-state.ts'
import { undoOfLabels } from './label-lists.ts'

/** A decision about conversations. `ids` are row ids. */
export type StateStep = { ids: readonly string[]; decision: StateDecision }

/** What the person saw when deciding. */
export type SeenState = { id: string; version: number; seenMessageAt: string | null }

export type ChangeStatesRequest = { changes: readonly StateChange[] }

/** In the order of the changes. */
export type ChangeStatesResult = { id: string; state: ConversationState | null; refusal: ChangeRefusal | null }

/** The fields of the state that a decision sets, as far as they are known before the answer. `at` is an ISO time. */
export function expectedPart(
  decision: StateDecision,
  { userId, at }: { userId: string; at: string },
): Partial<ConversationState> {
  const awake = { snoozed_at: null, snoozed_until: null }
  if ('done' in decision)
    return decision.done
      ? { ...awake, done_at: at, done_by: userId, returned_at: null }
      : { done_at: null, done_by: null }
  if ('snooze' in decision) {
    if (decision.snooze === null) return awake
    const { until } = decision.snooze
    const isTime = until !== 'message' && until !== 'window'
    return { done_at: null, done_by: null, snoozed_at: at, snoozed_until: isTime ? until : null, returned_at: null }
  }
  if ('assigned_to' in decision) return { assigned_to: decision.assigned_to }
  return 'muted' in decision ? { muted_at: decision.muted ? at : null } : {}
}

/** The snooze that a state has; null if there is none, or if its time is over. `now` in milliseconds. */
function snoozeOf({ snoozed_at, snoozed_until }: ConversationState, now: number): StateDecision {
  if (snoozed_at === null) return { snooze: null }
  if (snoozed_until === null) return { snooze: { until: 'message' } }
  return { snooze: Date.parse(snoozed_until) > now ? { until: snoozed_until } : null }
}

/** The decisions that restore a state after a decision about it; none if it cannot be undone. `now` in milliseconds. */
export function undoOf(decision: StateDecision, before: ConversationState, now: number): StateDecision[] {
  if ('done' in decision) {
    if (!decision.done) return before.done_at === null ? [] : [{ done: true }]
    const snooze = snoozeOf(before, now)
    const wasSnoozed = 'snooze' in snooze && snooze.snooze !== null
    return before.done_at === null ? [{ done: false }, ...(wasSnoozed ? [snooze] : [])] : []
  }
  if ('snooze' in decision) return [before.done_at === null ? snoozeOf(before, now) : { done: true }]
  if ('assigned_to' in decision) return [{ assigned_to: before.assigned_to }]
  if ('labels' in decision) {
    const labels = undoOfLabels(decision.labels, before.label_ids)
    return labels.add.length + labels.remove.length > 0 ? [{ labels }] : []
  }
  return 'muted' in decision ? [{ muted: before.muted_at !== null }] : []
}

/** The steps for these decisions by conversation: one step for each different decision, in the order of the decisions. */
export function stepsOf(decisions: readonly { id: string; decisions: readonly StateDecision[] }[]): StateStep[] {
  const longest = Math.max(0, ...decisions.map(({ decisions: all }) => all.length))
  return Array.from({ length: longest }, (_, place) => {
    const steps = new Map<string, { ids: string[]; decision: StateDecision }>()
    for (const { id, decisions: all } of decisions) {
      const decision = all[place]
      if (decision === undefined) continue
      const key = JSON.stringify(decision)
      const step = steps.get(key) ?? { ids: [], decision }
      step.ids.push(id)
      steps.set(key, step)
    }
    return [...steps.values()]
  }).flat()
}
