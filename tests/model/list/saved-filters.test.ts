import { describe, expect, it } from 'vitest'
import { selectError } from '../../../src/machines/item-forms.ts'
import { savedFilterFormMachine, selectBlockedReason } from '../../../src/machines/list/saved-filter-form.ts'
import { savedFilterManagerMachine, selectAskedAbout } from '../../../src/machines/list/saved-filter-manager.ts'
import { savedFiltersMachine, selectFilters } from '../../../src/machines/list/saved-filters.ts'
import type { SavedFilter, SavedFilters } from '../../../src/schemas/saved-filter.ts'
import { savedFilterLimits } from '../../../src/schemas/saved-filter.ts'
import { createCoverage, driverOf, inspectAll } from '../harness.ts'
import { faults } from '../inbox-fixture.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'
import {
  filterManagerModel,
  mine,
  refunds,
  savedFiltersModel,
  startFilterManager,
  startSavedFilters,
  told,
  values,
} from './saved-filters-fixture.ts'

const filtersCoverage = createCoverage(savedFiltersMachine)
const formCoverage = createCoverage(savedFilterFormMachine)
const managerCoverage = createCoverage(savedFilterManagerMachine)
const inspect = inspectAll(filtersCoverage.inspect, formCoverage.inspect, managerCoverage.inspect)
const startManager = (...shown: [typeof values] | []) => startFilterManager(inspect, ...shown)

describe('The saved filters', () => {
  type State = { calls: number; saved: SavedFilters; step: 'loading' | 'known' | 'waiting' | 'refused' }
  /** Written by hand: a fetch begins with the session, after a temporary failure, and when something may be old. */
  const asking = (state: State): State => ({ ...state, calls: state.calls + 1, step: 'loading' })
  const newer = (known: SavedFilters, answer: SavedFilters) => (answer.version < known.version ? known : answer)
  const reference: Reference<State> = {
    start: { calls: 1, saved: told(0), step: 'loading' },
    accepts: ({ step }) => [
      'savedFilters.told',
      'savedFilters.changed',
      ...when(step !== 'loading', 'refetch.requested'),
      ...when(step === 'loading', ...ends('loadFilters')),
      ...when(step === 'waiting', 'xstate.after.retryDelay.savedFilters.failed.waiting'),
    ],
    rules: {
      'refetch.requested': asking,
      // A change of this tab is known already.
      'savedFilters.changed': (state, { version }) =>
        state.step === 'known' && version !== null && version <= state.saved.version ? state : asking(state),
      'savedFilters.told': (state, { saved }) => ({
        saved: newer(state.saved, saved),
        step: state.step === 'loading' ? 'loading' : 'known',
      }),
      'xstate.done.actor.loadFilters': (state, { output }) => ({ saved: newer(state.saved, output), step: 'known' }),
      'xstate.error.actor.loadFilters': (_, { error }) => ({ step: error === faults.noAnswer ? 'waiting' : 'refused' }),
      'xstate.after.retryDelay.savedFilters.failed.waiting': asking,
    },
    shown: ({ calls, saved }) => ({ calls, filters: saved.filters }),
  }
  const paths = savedFiltersModel().everyTransition()

  it(`are fetched as the reference says on ${paths.length} paths, one for each transition`, async () => {
    for (const path of paths) {
      const { session, clock, load, filters } = startSavedFilters(inspect)
      const drive = driverOf((event: never) => filters.send(event), {
        calls: { loadFilters: load },
        delays: { retryDelay: () => clock.increment(60_000) },
      })
      await followBeside(path, drive, reference, () => ({
        calls: load.calls.length,
        filters: selectFilters(filters.getSnapshot()),
      }))
      session.stop()
    }
  })
})

describe('The dialog of saved filters', () => {
  it('saves the shown combination under a name, and closes', async () => {
    const sut = startManager(values)
    sut.type(' Unassigned of A ')
    sut.submit()
    const [call] = sut.save.inputs()
    expect(call).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), body: { ...values, name: 'Unassigned of A' } })
    const saved: SavedFilter = { id: call?.id ?? '', name: 'Unassigned of A', ...values }
    await sut.save.resolve(told(3, mine, refunds, saved))
    expect([sut.state(), selectFilters(sut.filters.getSnapshot()), sut.toasts]).toEqual([
      'dismissed',
      [mine, refunds, saved],
      [{ kind: 'success', text: 'Filter saved' }],
    ])
  })

  it('saves under the same id again after a failure, so that a lost answer makes no second filter', async () => {
    const sut = startManager(values)
    sut.type('Money')
    sut.submit()
    await sut.save.reject(faults.noAnswer)
    const form = sut.form()
    expect(form && selectError(form.getSnapshot())).not.toBeNull()
    sut.submit()
    await sut.save.resolve(told(3, mine, refunds))
    const [first, second] = sut.save.inputs()
    expect([second, sut.state()]).toEqual([first, 'dismissed'])
  })

  it('renames a filter without another change, and returns to the list', async () => {
    const sut = startManager()
    sut.actor.send({ type: 'item.edited', item: mine })
    sut.type('MINE')
    sut.submit()
    const { id, name: _, ...kept } = mine
    expect(sut.save.inputs()).toEqual([{ id, body: { ...kept, name: 'MINE' } }])
    await sut.save.resolve(told(3, refunds))
    expect([sut.state(), sut.toasts]).toEqual(['list', [{ kind: 'success', text: 'Filter renamed' }]])
  })

  it('says why a name cannot be saved', () => {
    const sut = startManager(values)
    const reason = () => {
      const form = sut.form()
      return form && selectBlockedReason(form.getSnapshot())
    }
    const reasons = ['', ' ', 'refunds', 'REFUNDS ', 'x'.repeat(savedFilterLimits.name + 1), 'New'].map((name) => {
      sut.type(name)
      return reason()
    })
    const many = Array.from({ length: savedFilterLimits.filters }, (_, index) => ({
      ...mine,
      id: `x${index}`,
      name: `${index}`,
    }))
    sut.session.stop()
    const full = startSavedFilters(inspect, { values })
    full.filters.send({ type: 'savedFilters.told', saved: told(9, ...many) })
    full.session.send({ type: 'dialog.opened' })
    const form = full.session.system.get('dialog').getSnapshot().children.savedFilterForm
    form.send({ type: 'fields.typed', change: { name: 'New' } })
    expect([...reasons, selectBlockedReason(form.getSnapshot())]).toEqual([
      'A name is missing',
      'A name is missing',
      'You already have a filter with this name',
      'You already have a filter with this name',
      'Name: use at most 40 characters.',
      null,
      'You have 20 filters already. Delete one first.',
    ])
  })

  it.each([
    ['the list', null],
    ['the form', values],
  ])('asks before typed text is discarded, and then leaves to where it began: %s', (_, shown) => {
    const sut = startFilterManager(inspect, shown)
    if (shown === null) sut.actor.send({ type: 'item.edited', item: refunds })
    sut.type('Half')
    sut.form()?.send({ type: 'form.cancelled' })
    sut.form()?.send({ type: 'discard.refused' })
    sut.form()?.send({ type: 'form.cancelled' })
    sut.form()?.send({ type: 'dialog.dismissed' })
    expect(sut.state()).toBe('form')
    sut.form()?.send({ type: 'form.cancelled' })
    sut.form()?.send({ type: 'discard.confirmed' })
    expect(sut.state()).toBe(shown === null ? 'list' : 'dismissed')
    if (shown !== null) return
    sut.actor.send({ type: 'item.edited', item: refunds })
    sut.actor.send({ type: 'dialog.dismissed' })
    expect(sut.state()).toBe('dismissed')
  })

  describe('follows the reference', () => {
    type State = {
      step: 'list' | 'form' | 'asking' | 'deleting' | 'dismissed'
      asked: SavedFilter | null
      told: number
    }
    const closed = { step: 'list', asked: null } as const
    const reference: Reference<State> = {
      start: { ...closed, told: 1 },
      accepts: ({ step }) => [
        ...when(step === 'list', 'item.edited', 'deletion.requested'),
        ...when(step === 'list' || step === 'asking' || step === 'form', 'dialog.dismissed'),
        ...when(step === 'asking', 'deletion.confirmed', 'deletion.cancelled'),
        ...when(step === 'deleting', ...ends('deleteFilter')),
      ],
      rules: {
        'item.edited': () => ({ step: 'form' }),
        'deletion.requested': (_, { item }) => ({ step: 'asking', asked: item }),
        'deletion.confirmed': () => ({ step: 'deleting' }),
        'deletion.cancelled': () => closed,
        'dialog.dismissed': ({ step }) => (step === 'asking' ? closed : { step: 'dismissed' }),
        'xstate.done.actor.deleteFilter': (state) => ({ ...closed, told: state.told + 1 }),
        'xstate.error.actor.deleteFilter': () => closed,
      },
      shown: ({ step, asked, told }) => ({ step, asked, told }),
    }
    const paths = filterManagerModel(null).everyTransition()

    it(`on ${paths.length} paths, one for each transition`, async () => {
      for (const path of paths) {
        const sut = startManager()
        const drive = driverOf((event: never) => sut.actor.send(event), { calls: { deleteFilter: sut.remove } })
        await followBeside(path, drive, reference, () => ({
          step: sut.state(),
          asked: selectAskedAbout(sut.actor.getSnapshot()),
          told: sut.reports.length,
        }))
        sut.session.stop()
      }
    })
  })
})

describe('Every state and transition is tested', () => {
  it('of the filters', () =>
    expect([filtersCoverage.statesMissed(), filtersCoverage.transitionsMissed()]).toEqual([[], []]))
  it('of the form', () => expect([formCoverage.statesMissed(), formCoverage.transitionsMissed()]).toEqual([[], []]))
  it('of the dialog', () =>
    expect([managerCoverage.statesMissed(), managerCoverage.transitionsMissed()]).toEqual([[], []]))
})
