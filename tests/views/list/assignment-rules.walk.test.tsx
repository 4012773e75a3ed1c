import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { assignmentRules, assignmentRulesMachine } from '../../../src/machines/list/assignment-rules.ts'
import { type AssignmentRules, assignmentLimits } from '../../../src/schemas/assignment-rules.ts'
import { pageOf } from '../../model/dialogs-fixture.ts'
import { createCoverage, follow } from '../../model/harness.ts'
import { inTurn, members, rulesModel, rulesWith } from '../../model/list/assignment-rules-fixture.ts'
import { settingsDriver } from '../driving.ts'
import { listOf, showInbox, user } from '../inbox-harness.tsx'
import { expectScreen } from '../screen.ts'
import userEvent from '../user-event.ts'

const coverage = createCoverage(assignmentRulesMachine)
const person = { ...user, features: ['assignment-rules' as const], permissions: ['staff.manage'] }

async function open() {
  const inbox = await showInbox({ person, inspect: coverage.inspect })
  await inbox.answer('loadPages', [pageOf('p1', { page_name: 'Prints' })])
  await inbox.answer('loadTop', listOf([]))
  await inbox.openDialog({ name: 'assignmentRules' })
  return inbox
}
const dialog = () => screen.getByRole('dialog', { name: 'Assignment rules' })
const button = (name: string) => within(dialog()).getByRole('button', { name })
const choose = (name: string, option: string, at = 0) =>
  userEvent.selectOptions(within(dialog()).getAllByLabelText(name)[at] as Element, option)

describe('The dialog of the assignment rules', () => {
  it('matches its own model on every path', async () => {
    for (const path of rulesModel().everyTransitionInFewPaths()) {
      const inbox = await open()

      const drive = settingsDriver(inbox, { load: 'loadRules', save: 'saveRules' }, (event) =>
        event['settings'] === inTurn && screen.queryAllByRole('listitem').length === 0
          ? userEvent.click(button('Add rule'))
          : undefined,
      )
      await follow(path, drive, ({ expected }) => {
        const [shown] = screen.queryAllByRole('dialog', { name: 'Assignment rules', hidden: true })
        if (expected.status === 'done') return expect(shown).toBeUndefined()
        const settings = assignmentRules.selectSettings(expected)
        expect([
          shown?.querySelectorAll('ol > li').length,
          screen.queryByText(/A colleague changed the rules meanwhile/) !== null,
          screen.queryByRole('alertdialog') !== null,
          shown?.querySelector('button[type=submit]')?.textContent,
        ]).toEqual([
          settings?.rules.length ?? 0,
          assignmentRules.selectIsOvertaken(expected),
          expected.matches('leaving'),
          expected.matches('saving') ? 'Saving...' : 'Save',
        ])
      })
      inbox.unmount()
    }
  }, 120_000)

  it('makes rules in order, warns about those that are never used, and shows what no longer exists', async () => {
    const inbox = await open()
    const saved = { settings: rulesWith({ label_id: 'gone', action: 'nobody' }), version: 4 }
    await inbox.answer('loadRules', { saved, facts: { members } })
    expect(within(dialog()).getByLabelText<HTMLSelectElement>('Label').selectedOptions[0]?.text).toBe(
      'No longer available',
    )
    await choose('Label', 'With or without labels')
    await userEvent.click(button('Add rule'))
    expect(screen.getByText('Never used: rule 1 is for all conversations.')).toBeTruthy()
    await choose('Page', 'Prints', 1)
    await choose('Assign to', 'One colleague', 1)
    expect(screen.getByText('Choose who gets the conversations of each rule.')).toBeTruthy()
    await choose('Colleague', 'Ben')
    await userEvent.click(button('Move rule 2 up'))
    expect(screen.queryByText(/Never used/)).toBeNull()
    await expectScreen(dialog())
    await userEvent.click(within(dialog()).getByRole('checkbox', { name: /whoever answers first/ }))
    await userEvent.click(button('Save'))
    expect(inbox.waiting('saveRules')).toEqual([
      {
        settings: {
          ...rulesWith({ page_id: 'p1', action: 'member', member_id: 's2' }, { action: 'nobody' }),
          assigns_first_answer: true,
        },
        replaces: 4,
      },
    ])
    inbox.unmount()
  })
})

describe('The order of the rules', () => {
  const toPage = rulesWith({ action: 'nobody' }, { action: 'rotation' }, { action: 'least_loaded' })
  const actions = () =>
    within(dialog())
      .getAllByLabelText<HTMLSelectElement>('Assign to')
      .map(({ selectedOptions }) => selectedOptions[0]?.text)
  const [nobody, inTurns, fewest] = [
    'Nobody',
    'Present colleagues, in turn',
    'The present colleague with the fewest waiting',
  ]
  const show = async (settings: AssignmentRules) => {
    const inbox = await open()
    await inbox.answer('loadRules', { saved: { settings, version: 1 }, facts: { members } })
    return inbox
  }

  it.each([
    ['Move rule 1 down', [inTurns, nobody, fewest]],
    ['Move rule 2 up', [inTurns, nobody, fewest]],
    ['Move rule 2 down', [nobody, fewest, inTurns]],
    ['Move rule 3 up', [nobody, fewest, inTurns]],
    ['Remove rule 1', [inTurns, fewest]],
    ['Remove rule 3', [nobody, inTurns]],
  ])('changes with "%s"', async (name, after) => {
    const inbox = await show(toPage)
    expect(actions()).toEqual([nobody, inTurns, fewest])
    await userEvent.click(button(name))
    expect(actions()).toEqual(after)
    inbox.unmount()
  })

  it.each([1, 2, 3, assignmentLimits.rules])(
    'has no step up for the first and none down for the last of %i rules, and no rule beyond the limit',
    async (count) => {
      const inbox = await show(rulesWith(...Array.from({ length: count }, () => ({}))))
      const off = within(dialog())
        .getAllByRole<HTMLButtonElement>('button')
        .filter(({ disabled }) => disabled)
        .map((one) => one.ariaLabel ?? one.textContent)
      expect(off).toEqual([
        'Move rule 1 up',
        `Move rule ${count} down`,
        ...(count === assignmentLimits.rules ? ['Add rule'] : []),
        'Save',
      ])
      inbox.unmount()
    },
  )
})

describe('The tests of the dialog together', () => {
  it('enter every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('take every transition', () =>
    expect(coverage.transitionsMissed()).toEqual([
      // The confirmation dialog handles Escape itself.
      'assignmentRules.leaving -- dialog.dismissed --> assignmentRules.editing',
    ]))
})
