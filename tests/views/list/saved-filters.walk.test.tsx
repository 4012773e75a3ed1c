import { act, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { AnyEventObject, InspectionEvent } from 'xstate'
import type { FilterValues } from '../../../src/domain/list/saved-filters.ts'
import { savedFilterFormMachine } from '../../../src/machines/list/saved-filter-form.ts'
import { savedFilterManagerMachine } from '../../../src/machines/list/saved-filter-manager.ts'
import { savedFiltersMachine } from '../../../src/machines/list/saved-filters.ts'
import type { SavedFilter } from '../../../src/schemas/saved-filter.ts'
import { createCoverage, driverOf, follow } from '../../model/harness.ts'
import { row, stateOf } from '../../model/inbox-fixture.ts'
import { withLabels } from '../../model/list/labels-fixture.ts'
import {
  filterFormModel,
  filterManagerModel,
  mine,
  refunds,
  savedFiltersModel,
  told,
  values,
} from '../../model/list/saved-filters-fixture.ts'
import { headings, inQuestion, press } from '../driving.ts'
import { found } from '../found.ts'
import { listOf, showInbox } from '../inbox-harness.tsx'

const list = createCoverage(savedFiltersMachine)
const form = createCoverage(savedFilterFormMachine)
const manager = createCoverage(savedFilterManagerMachine)
const inspect = (event: InspectionEvent) => {
  list.inspect(event)
  form.inspect(event)
  manager.inspect(event)
}

const person = {
  ...withLabels,
  features: ['conversation-states', 'labels', 'assignee-filter', 'saved-filters'] as const,
}

/** An inbox with its rail, whose part for saved filters has started. */
async function show() {
  await Promise.all([
    import('../../../src/views/list/ViewRail.tsx'),
    import('../../../src/views/list/ListFilters.tsx'),
    import('../../../src/views/list/SavedFilterManagerDialog.tsx'),
  ])
  const inbox = await showInbox({ person: { ...person, features: [...person.features] }, inspect })
  await inbox.answer('loadTop', listOf([row('c1', 0, { state: stateOf(1) })]))
  await act(() => vi.dynamicImportSettled())
  return inbox
}
type Inbox = Awaited<ReturnType<typeof show>>

const typeName = (name: string) =>
  act(async () => void fireEvent.change(screen.getByLabelText('Name'), { target: { value: name } }))
const namesIn = (role: 'group' | 'list') =>
  [...(screen.queryByRole(role, { name: 'Saved filters', hidden: true })?.querySelectorAll('bdi') ?? [])].map(
    ({ textContent }) => textContent,
  )
const namesOf = (filters: readonly SavedFilter[]) => filters.map(({ name }) => name)

const openManager = async (inbox: Inbox, input: { values: FilterValues | null }) => {
  await inbox.openDialog({ name: 'savedFilterManager', input })
}
const dialog = () => screen.queryByRole('dialog', { hidden: true })
const dismiss = async (inbox: Inbox) => {
  const close = screen.queryByRole('button', { name: 'Close' })
  if (close) return act(async () => fireEvent.click(close))
  // Hidden behind a question: only the closing of the whole dialog dismisses it there.
  return act(async () => inbox.app.system.get('dialog').send({ type: 'dialog.dismissed' }))
}

describe('The walk through the saved filters', () => {
  const paths = savedFiltersModel().everyTransitionInFewPaths()

  it(`shows the known filters below the views on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const inbox = await show()
      const direct = (event: AnyEventObject) => act(async () => inbox.app.system.get('savedFilters').send(event))
      const drive = driverOf(direct, {
        calls: { loadFilters: inbox.control('loadFilters') },
        delays: { retryDelay: () => inbox.pass(2_000) },
      })
      await follow(path, drive, ({ expected }) => {
        expect({ names: namesIn('group'), calls: inbox.waiting('loadFilters').length }).toEqual({
          names: namesOf(expected.context.saved.filters),
          calls: expected.matches('loading') ? 1 : 0,
        })
      })
      inbox.unmount()
    }
  })

  it('shows a filter by a press, marks it, and offers to save another combination', async () => {
    const inbox = await show()
    await inbox.answer('loadFilters', told(2, mine))
    const group = within(screen.getByRole('group', { name: 'Saved filters', hidden: true }))
    await act(async () => fireEvent.click(group.getByRole('button', { name: 'Mine', hidden: true })))
    const query = () => (inbox.waiting('loadTop') as { query: unknown }[]).map((call) => call.query)
    expect(query()).toEqual([
      { search: '', pageId: null, unreadOnly: false, view: 'waiting', labelId: undefined, assignedTo: 's1' },
    ])
    await inbox.answer('loadTop', listOf([]))
    const isShown = () => group.getByRole('button', { name: 'Mine', hidden: true }).getAttribute('aria-current')
    expect([isShown(), screen.queryByRole('button', { name: 'Save this filter' })]).toEqual(['true', null])
    const chosen = () => screen.getByLabelText<HTMLSelectElement>('Assignee').selectedOptions[0]?.textContent
    const before = chosen()
    await inbox.answer('loadTeam', [{ id: 's1', name: 'Paolo Cruz', is_active: true }])
    expect([before, chosen()]).toEqual(['No longer available', 'Paolo Cruz (you)'])
    await act(async () => void fireEvent.change(screen.getByLabelText('Assignee'), { target: { value: 'nobody' } }))
    expect(isShown()).toBeNull()
    await press('Save this filter')
    await act(() => vi.dynamicImportSettled())
    await typeName('Free')
    await press('Save')
    expect(inbox.waiting('saveFilter')).toEqual([
      { id: expect.any(String), body: { ...values, page_id: null, name: 'Free' } },
    ])
    inbox.unmount()
  })

  it('says that the label of a filter was deleted, instead of showing other rows', async () => {
    const inbox = await show()
    await inbox.answer('loadFilters', told(2, { ...mine, label_id: 'l9' }))
    await inbox.answer('loadLabels', [])
    await press('Mine (no longer works)')
    await act(() => vi.dynamicImportSettled())
    expect(inbox.waiting('loadTop')).toEqual([])
    const shown = within(found(dialog(), 'the dialog'))
    expect(shown.getByText('The label of this filter was deleted.')).toBeTruthy()
    expect(shown.queryByRole('button', { name: 'Mine' })).toBeNull()
    inbox.unmount()
  })

  it('enters every state', () => expect(list.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(list.transitionsMissed()).toEqual([]))
})

describe('The walk through the form of a filter', () => {
  const paths = [null, refunds].flatMap((item) =>
    filterFormModel(item)
      .everyTransitionInFewPaths()
      .map((path) => ({ item, path })),
  )

  it(`shows the expected state on ${paths.length} paths`, async () => {
    for (const { item, path } of paths) {
      const inbox = await show()
      await inbox.answer('loadFilters', told(2, mine, refunds))
      await openManager(inbox, { values: item === null ? values : null })
      if (item !== null) await press('Rename Refunds')
      const presses: Record<string, (event: AnyEventObject) => Promise<unknown>> = {
        'fields.typed': ({ change }) => typeName(change.name),
        'form.submitted': () =>
          act(async () => void fireEvent.submit(found(dialog()?.querySelector('form'), 'the form'))),
        'form.cancelled': () => press('Cancel'),
        'discard.confirmed': () => inQuestion('Discard'),
        'discard.refused': () => inQuestion('Keep editing'),
        'dialog.dismissed': () => dismiss(inbox),
      }
      const drive = driverOf((event: AnyEventObject) => found(presses[event.type], event.type)(event), {
        calls: { saveFilter: inbox.control('saveFilter') },
      })
      await follow(path, drive, ({ expected: { value, context, status } }) => {
        if (status !== 'active') {
          // A new filter has no list to return to.
          expect(dialog() === null).toBe(item === null || context.isDismissed)
          return
        }
        expect({
          heading: headings(),
          name: screen.getByLabelText<HTMLInputElement>('Name').value,
          error: screen.queryByRole('alert', { hidden: true })?.textContent ?? null,
          asks: screen.queryByRole('alertdialog') !== null,
          saving: screen.queryByText('Saving...') !== null,
        }).toEqual({
          heading: [item === null ? 'Save the filter' : 'Rename the filter'],
          name: context.fields.name,
          error: context.error,
          asks: value === 'leaving',
          saving: value === 'saving',
        })
      })
      inbox.unmount()
    }
  })

  it('enters every state', () => expect(form.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(form.transitionsMissed()).toEqual([]))
})

describe('The walk through the dialog of filters', () => {
  const paths = filterManagerModel(null).everyTransitionInFewPaths()

  it(`shows the expected state on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const inbox = await show()
      await inbox.answer('loadFilters', told(2, mine, refunds))
      await openManager(inbox, { values: null })
      const presses: Record<string, () => Promise<unknown>> = {
        'item.edited': () => press('Rename Refunds'),
        'deletion.requested': () => press('Delete Refunds'),
        'deletion.confirmed': () => inQuestion('Delete filter'),
        'deletion.cancelled': () => inQuestion('Cancel'),
        'dialog.dismissed': () => dismiss(inbox),
      }
      let isDeleted = false
      const drive = driverOf((event: AnyEventObject) => found(presses[event.type], event.type)(), {
        calls: { deleteFilter: inbox.control('deleteFilter') },
      })
      await follow(path, drive, async ({ event, expected }) => {
        if (expected.status !== 'active') return expect(dialog()).toBeNull()
        if (event.type === 'xstate.done.actor.deleteFilter') isDeleted = true
        expect({
          names: namesIn('list'),
          form: dialog()?.querySelector('form') !== null,
          question: screen.queryByText('Delete the filter “Refunds”? Its conversations stay.') !== null,
          deleting: screen.queryByText('Deleting...') !== null,
        }).toEqual({
          names: expected.matches('form') ? [] : namesOf(isDeleted ? [mine] : [mine, refunds]),
          form: expected.matches('form'),
          question: expected.matches('asking') || expected.matches('deleting'),
          deleting: expected.matches('deleting'),
        })
        // Another tab saves the deleted filter again.
        if (isDeleted)
          await act(async () =>
            inbox.app.system.get('savedFilters').send({ type: 'savedFilters.told', saved: told(9, mine, refunds) }),
          )
        isDeleted = false
      })
      inbox.unmount()
    }
  })

  it('chooses a filter and closes', async () => {
    const inbox = await show()
    await inbox.answer('loadFilters', told(2, refunds))
    await openManager(inbox, { values: null })
    await act(async () =>
      fireEvent.click(within(found(dialog(), 'the dialog')).getByRole('button', { name: 'Refunds' })),
    )
    expect([dialog(), (inbox.waiting('loadTop') as { query: { pageId: string } }[])[0]?.query.pageId]).toEqual([
      null,
      'p1',
    ])
    inbox.unmount()
  })

  it('enters every state', () => expect(manager.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(manager.transitionsMissed()).toEqual([]))
})
