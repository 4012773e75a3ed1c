import { describe, expect, it } from 'vitest'
import {
  lastApplied,
  noRules,
  withChangedRule,
  withoutRule,
  withRule,
  withRuleEarlier,
} from '../../../src/domain/list/rules-form.ts'
import { assignmentRules, assignmentRulesMachine } from '../../../src/machines/list/assignment-rules.ts'
import { createCoverage } from '../harness.ts'
import { followBeside } from '../reference.ts'
import { driveSettings, settingsReference, shownSettings, startSettingsForm } from '../settings-form-fixture.ts'
import { members, rulesModel, rulesWith } from './assignment-rules-fixture.ts'

const coverage = createCoverage(assignmentRulesMachine)

describe('The form of the assignment rules', () => {
  it('adds, changes, moves and removes rules', () => {
    const two = withChangedRule(withRule(withRule(noRules)), 0, { page_id: 'p1', action: 'member' })
    expect(two).toEqual(rulesWith({ page_id: 'p1', action: 'member', member_id: '' }, {}))
    const chosen = withChangedRule(two, 0, { member_id: 's2' })
    expect(withRuleEarlier(chosen, 1)).toEqual(rulesWith({}, { page_id: 'p1', action: 'member', member_id: 's2' }))
    expect(withRuleEarlier(chosen, 2)).toEqual(chosen)
    // Another action needs no staff member.
    expect(withChangedRule(chosen, 0, { action: 'nobody' })).toEqual(rulesWith({ page_id: 'p1', action: 'nobody' }, {}))
    expect(withoutRule(chosen, 0)).toEqual(rulesWith({}))
    expect([lastApplied(chosen), lastApplied(noRules)]).toEqual([1, -1])
  })

  it('is not saved while a rule lacks its staff member', async () => {
    const sut = startSettingsForm(assignmentRules, coverage.inspect)
    await sut.load.resolve({ saved: { settings: null, version: 0 }, facts: { members } })
    sut.actor.send({ type: 'settings.edited', settings: rulesWith({ action: 'member', member_id: '' }) })
    sut.actor.send({ type: 'settings.submitted' })
    expect([assignmentRules.selectBlockedReason(sut.snapshot()), sut.save.calls.length]).toEqual([
      'Choose who gets the conversations of each rule.',
      0,
    ])
    const complete = rulesWith({ action: 'member', member_id: 's2' })
    sut.actor.send({ type: 'settings.edited', settings: complete })
    sut.actor.send({ type: 'settings.submitted' })
    await sut.save.resolve({ settings: complete, version: 1, isSaved: true })
    expect([sut.save.inputs(), sut.toasts]).toEqual([
      [{ settings: complete, replaces: 0 }],
      [{ kind: 'success', text: 'Assignment rules saved' }],
    ])
  })

  const paths = rulesModel().everyTransition()
  const reference = settingsReference('assignmentRules', noRules, ({ rules }) =>
    rules.every(({ member_id }) => member_id !== ''),
  )
  it(`shows what the reference shows on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = startSettingsForm(assignmentRules, coverage.inspect)
      await followBeside(path, driveSettings(sut), reference, () => shownSettings(assignmentRules, sut))
      sut.actor.stop()
    }
  })

  it('enters every state and takes every transition', () =>
    expect([coverage.statesMissed(), coverage.transitionsMissed()]).toEqual([[], []]))
})
