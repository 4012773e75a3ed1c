import type { ChangeRefusal, StateDecision } from '../../schemas/conversation-state.ts'
import { labelLimits } from '../../schemas/labels-of-row.ts'
import { t } from '../../texts/list-on-demand.ts'
import { type ToastText, toastsIn } from '../toast.ts'

const { success, warning, error } = toastsIn(t)

export const stateToasts = { failed: error('list.stateFailed') } as const

const textIdOf = (decision: StateDecision) => {
  if ('done' in decision) return decision.done ? 'list.didDone' : 'list.didReopen'
  if ('snooze' in decision) return decision.snooze === null ? 'list.didWake' : 'list.didSnooze'
  if ('assigned_to' in decision) return decision.assigned_to === null ? 'list.didRelease' : 'list.didAssign'
  if ('muted' in decision) return decision.muted ? 'list.didMute' : 'list.didUnmute'
  if ('labels' in decision) return 'list.didLabel'
  return 'list.didUnread'
}

/** The toast after the server accepted a decision about these people. `member`: whom they were assigned to. */
export const changedToast = (decision: StateDecision, names: readonly string[], member: string | null): ToastText =>
  success(textIdOf(decision), {
    count: names.length,
    name: names[0] ?? '',
    member: member ?? t('list.somebody'),
  })

/** The toast after the server refused `count` changes. `by` is who changed the conversation, if it is known. */
export function refusedToast(refusal: ChangeRefusal, count: number, by: string | null): ToastText {
  switch (refusal) {
    case 'changed':
      return by === null
        ? warning('list.refusedChangedUnknown', { count })
        : warning('list.refusedChanged', { member: by })
    case 'written':
      return warning('list.refusedWritten')
    case 'unknown_member':
      return warning('list.refusedMember')
    case 'past':
      return warning('list.refusedPast')
    case 'unknown_label':
      return warning('list.refusedLabel')
    case 'too_many_labels':
      return warning('list.refusedTooManyLabels', { most: labelLimits.ofRow })
    case 'unknown':
      return warning('list.refusedUnknown', { count })
  }
}
