import { type AssignmentRule, type AssignmentRules, assignmentLimits } from '../../schemas/assignment-rules.ts'
import { t } from '../../texts/list-on-demand.ts'
import { toastsIn } from '../toast.ts'

const { success, error } = toastsIn(t)

export const rulesToasts = {
  saved: success('list.rulesSaved'),
  failed: error('list.rulesFailed'),
  saveFailed: error('list.rulesSaveFailed'),
} as const

export const noRules: AssignmentRules = { rules: [], assigns_first_answer: false }

/** A new rule is for each conversation and assigns in turn. */
export const withRule = (settings: AssignmentRules): AssignmentRules => ({
  ...settings,
  rules: [...settings.rules, { page_id: null, label_id: null, action: 'rotation', member_id: null }],
})

/** A rule names a staff member only if its action needs one; '' while none is chosen. */
export const withChangedRule = (
  settings: AssignmentRules,
  index: number,
  change: Partial<AssignmentRule>,
): AssignmentRules => ({
  ...settings,
  rules: settings.rules.map((rule, at) => {
    if (at !== index) return rule
    const changed = { ...rule, ...change }
    return { ...changed, member_id: changed.action === 'member' ? (changed.member_id ?? '') : null }
  }),
})

export const withoutRule = (settings: AssignmentRules, index: number): AssignmentRules => ({
  ...settings,
  rules: settings.rules.filter((_, at) => at !== index),
})

/** The settings with a rule one place earlier. */
export const withRuleEarlier = (settings: AssignmentRules, index: number): AssignmentRules => ({
  ...settings,
  rules: settings.rules.map((rule, at, all) =>
    at === index - 1 ? (all[index] ?? rule) : at === index ? (all[index - 1] ?? rule) : rule,
  ),
})

export const areRulesFull = ({ rules }: AssignmentRules): boolean => rules.length >= assignmentLimits.rules

/** The index of the first rule without conditions; no later rule ever applies. -1 if there is no such rule. */
export const lastApplied = ({ rules }: AssignmentRules): number =>
  rules.findIndex(({ page_id, label_id }) => page_id === null && label_id === null)

/** The reason why the rules cannot be saved; null if they can. `typed` is null if nothing was changed. */
export function rulesBlockedReason(typed: AssignmentRules | null): string | null {
  if (typed === null) return t('list.rulesUnchanged')
  return typed.rules.some(({ member_id }) => member_id === '') ? t('list.rulesMemberMissing') : null
}

const normal = ({ rules, assigns_first_answer }: AssignmentRules): string =>
  JSON.stringify([
    assigns_first_answer,
    rules.map(({ page_id, label_id, action, member_id }) => [page_id, label_id, action, member_id]),
  ])

export const isSameRules = (one: AssignmentRules, other: AssignmentRules): boolean => normal(one) === normal(other)
