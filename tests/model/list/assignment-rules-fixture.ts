import { noRules } from '../../../src/domain/list/rules-form.ts'
import { assignmentRules } from '../../../src/machines/list/assignment-rules.ts'
import type { AssignmentRule, AssignmentRules } from '../../../src/schemas/assignment-rules.ts'
import { settingsFormModel } from '../settings-form-fixture.ts'

export const rulesWith = (...rules: Partial<AssignmentRule>[]): AssignmentRules => ({
  ...noRules,
  rules: rules.map((rule) => ({ page_id: null, label_id: null, action: 'rotation', member_id: null, ...rule })),
})
export const inTurn = rulesWith({})
export const members = [
  { id: 's1', name: 'Maria' },
  { id: 's2', name: 'Ben' },
]

export const rulesModel = () =>
  settingsFormModel(assignmentRules, {
    facts: { members },
    empty: noRules,
    changed: inTurn,
    incomplete: rulesWith({ action: 'member', member_id: '' }),
    others: { ...noRules, assigns_first_answer: true },
  })
