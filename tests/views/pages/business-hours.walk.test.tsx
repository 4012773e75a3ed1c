import { fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { newHours } from '../../../src/domain/pages/hours-form.ts'
import { businessHours, businessHoursMachine } from '../../../src/machines/pages/business-hours.ts'
import { pageOf } from '../../model/dialogs-fixture.ts'
import { createCoverage, follow } from '../../model/harness.ts'
import { away, hoursModel } from '../../model/pages/business-hours-fixture.ts'
import { settingsDriver } from '../driving.ts'
import { found } from '../found.ts'
import { listOf, showInbox, user } from '../inbox-harness.tsx'
import { expectScreen } from '../screen.ts'
import userEvent from '../user-event.ts'

const coverage = createCoverage(businessHoursMachine)
const person = { ...user, features: ['business-hours' as const], permissions: ['faq.manage'] }
const loaded = { saved: { settings: null, version: 0 }, facts: { timeZone: 'Asia/Manila' } }

async function open(pages = [pageOf('p1', { page_name: 'Prints' })]) {
  const inbox = await showInbox({ person, inspect: coverage.inspect })
  await inbox.answer('loadPages', pages)
  await inbox.answer('loadTop', listOf([]))
  await inbox.openDialog({ name: 'businessHours' })
  return inbox
}
const dialog = () => screen.getByRole('dialog', { name: 'Business hours' })
/** The first of these buttons: each page has its own. */
const button = (name: string) => found(within(dialog()).getAllByRole('button', { name })[0], name)
const checks = () =>
  within(dialog()).getAllByRole<HTMLInputElement>('checkbox', { name: 'Send the away answer', hidden: true })

describe('The dialog of the business hours', () => {
  it('matches its own model on every path', async () => {
    for (const path of hoursModel().everyTransitionInFewPaths()) {
      const inbox = await open()

      const drive = settingsDriver(inbox, { load: 'loadHours', save: 'saveHours' }, (event) =>
        event['settings'] === away && checks()[0]?.checked === false
          ? userEvent.click(found(checks()[0], 'the check'))
          : undefined,
      )
      await follow(path, drive, ({ expected }) => {
        const [shown] = screen.queryAllByRole('dialog', { name: 'Business hours', hidden: true })
        if (expected.status === 'done') return expect(shown).toBeUndefined()
        const settings = businessHours.selectSettings(expected)
        const text = shown && within(shown).queryByLabelText<HTMLTextAreaElement>('Away answer')
        expect([
          text?.value ?? null,
          screen.queryByText(/A colleague changed the business hours meanwhile/) !== null,
          screen.queryByRole('alertdialog') !== null,
          shown?.querySelector('button[type=submit]')?.textContent,
        ]).toEqual([
          settings && (settings.pages['p1'] ?? newHours()).text,
          businessHours.selectIsOvertaken(expected),
          expected.matches('leaving'),
          expected.matches('saving') ? 'Saving...' : 'Save',
        ])
      })
      inbox.unmount()
    }
  }, 120_000)

  it('warns of a variable that is not filled in', async () => {
    const inbox = await open([pageOf('p1')])
    await inbox.answer('loadHours', loaded)
    const field = within(dialog()).getByLabelText('Away answer')
    const warning = '{first_name} is not filled in. Customers would see it as {first_name}.'
    fireEvent.change(field, { target: { value: 'Hi {userName}!' } })
    expect(within(dialog()).queryByText(warning)).toBeNull()
    fireEvent.change(field, { target: { value: 'Hi {first_name}!' } })
    expect(within(dialog()).getByText(warning)).toBeTruthy()
    inbox.unmount()
  })

  it('offers to copy the hours only if there are several pages', async () => {
    const offered: number[] = []
    for (const pages of [[pageOf('p1')], [pageOf('p1'), pageOf('p2')]]) {
      const inbox = await open(pages)
      await inbox.answer('loadHours', loaded)
      offered.push(within(dialog()).queryAllByRole('button', { name: 'Use for all pages', hidden: true }).length)
      inbox.unmount()
    }
    expect(offered).toEqual([0, 2])
  })

  it('changes days, times and holidays, says what is missing, and copies them to all pages', async () => {
    const inbox = await open([pageOf('p1', { page_name: 'Prints' }), pageOf('p2', { page_name: 'Cakes' })])
    await inbox.answer('loadHours', loaded)
    await userEvent.click(within(dialog()).getByText('Prints'))
    await userEvent.click(checks()[0] as Element)
    await expectScreen(dialog())
    await userEvent.click(button('Remove Monday 9:00 AM–6:00 PM'))
    await userEvent.click(button('Add hours on Saturday'))
    await userEvent.click(button('Add hours on Saturday'))
    expect([screen.getAllByText('Type both times of each line.')[0], screen.getByText('Incomplete')]).toHaveLength(2)
    const [, until] = within(dialog()).getAllByLabelText('Saturday: to')
    await userEvent.type(until as Element, '02:00')
    expect(screen.getByText('on the next day')).toBeTruthy()
    await userEvent.click(button('Add holiday'))
    await userEvent.type(within(dialog()).getByLabelText('Date of the holiday'), '2026-12-30')
    await userEvent.type(within(dialog()).getByLabelText('Name'), 'Rizal Day')
    await userEvent.click(within(dialog()).getByRole('checkbox', { name: 'Every year' }))
    await userEvent.click(button('Use for all pages'))
    await userEvent.click(button('Save'))
    const hours = {
      ...newHours(),
      is_on: true,
      spans: [
        ...[2, 3, 4, 5].map((day) => ({ day, from: '09:00', to: '18:00' })),
        { day: 6, from: '09:00', to: '18:00' },
        { day: 6, from: '18:00', to: '02:00' },
      ],
      holidays: [{ date: '2026-12-30', is_yearly: true, name: 'Rizal Day' }],
    }
    expect(inbox.waiting('saveHours')).toEqual([{ settings: { pages: { p1: hours, p2: hours } }, replaces: 0 }])
    inbox.unmount()
  })
})

describe('The tests of the dialog together', () => {
  it('enter every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('take every transition', () =>
    expect(coverage.transitionsMissed()).toEqual([
      // The confirmation dialog handles Escape itself.
      'businessHours.leaving -- dialog.dismissed --> businessHours.editing',
    ]))
})
