import { isSameRules, noRules, rulesBlockedReason, rulesToasts } from '../../domain/list/rules-form.ts'
import type { AssignmentMember, AssignmentRules } from '../../schemas/assignment-rules.ts'
import { settingsForm } from '../settings-form.ts'

declare module '../shell/dialog.ts' {
  interface DialogLogics {
    assignmentRules: typeof assignmentRulesMachine
  }
}

/** The dialog of the assignment rules, with the staff members who can get conversations. */
export const assignmentRules = settingsForm<AssignmentRules, { members: readonly AssignmentMember[] }>({
  id: 'assignmentRules',
  facts: { members: [] },
  defaults: () => noRules,
  isSame: isSameRules,
  blockedReason: rulesBlockedReason,
  toasts: rulesToasts,
})
export const assignmentRulesMachine = assignmentRules.machine
