import type { ActorRefFrom, AnyEventObject } from 'xstate'
import { createActor, SimulatedClock, setup } from 'xstate'
import type { FilterToSave } from '../../../src/domain/list/saved-filter-calls.ts'
import type { FilterValues } from '../../../src/domain/list/saved-filters.ts'
import { savedFilterFormMachine } from '../../../src/machines/list/saved-filter-form.ts'
import { savedFilterManagerMachine } from '../../../src/machines/list/saved-filter-manager.ts'
import { savedFiltersMachine } from '../../../src/machines/list/saved-filters.ts'
import type { SavedFilter, SavedFilters } from '../../../src/schemas/saved-filter.ts'
import { createControl, createToastLog, type Inspect, modelOf } from '../harness.ts'
import { faults } from '../inbox-fixture.ts'

export const values: FilterValues = {
  view: 'waiting',
  page_id: 'p1',
  label_id: null,
  assigned_to: 'nobody',
  unread_only: false,
}
export const refunds: SavedFilter = { id: 'f1', name: 'Refunds', ...values }
export const mine: SavedFilter = { id: 'f2', name: 'Mine', ...values, page_id: null, assigned_to: 's1' }

/** The filters as the server tells them. */
export const told = (version: number, ...filters: SavedFilter[]): SavedFilters => ({ version, filters })

/** A session with the owner of the filters and the dialog, whose calls the test answers. */
export function startSavedFilters(inspect: Inspect, input: { values: FilterValues | null } = { values: null }) {
  const clock = new SimulatedClock()
  const toastLog = createToastLog()
  const load = createControl<SavedFilters>()
  const save = createControl<SavedFilters, FilterToSave>()
  const remove = createControl<SavedFilters, { id: string }>()
  /** What the owner was told. */
  const reports: AnyEventObject[] = []
  const session = createActor(
    setup({
      types: { events: {} as AnyEventObject },
      actors: {
        savedFilters: savedFiltersMachine.provide({ actors: { loadFilters: load.logic } }),
        dialog: savedFilterManagerMachine.provide({
          actors: {
            savedFilterForm: savedFilterFormMachine.provide({ actors: { saveFilter: save.logic } }),
            deleteFilter: remove.logic,
          },
        }),
      },
    }).createMachine({
      id: 'session',
      invoke: { src: 'savedFilters', id: 'savedFilters', systemId: 'savedFilters' },
      initial: 'closed',
      states: {
        closed: { on: { 'dialog.opened': 'open' } },
        open: { invoke: { src: 'dialog', id: 'dialog', systemId: 'dialog', input } },
      },
    }),
    {
      clock,
      systemId: 'session',
      inspect: (event) => {
        inspect(event)
        toastLog.inspect(event)
        if (event.type === '@xstate.event' && event.event.type === 'savedFilters.told') reports.push(event.event)
      },
    },
  ).start()
  const filters: ActorRefFrom<typeof savedFiltersMachine> = session.system.get('savedFilters')
  return { session, clock, load, save, remove, toasts: toastLog.toasts, filters, reports }
}

/** The dialog in a session that knows both filters. */
export function startFilterManager(inspect: Inspect, shown: FilterValues | null = null) {
  const sut = startSavedFilters(inspect, { values: shown })
  sut.filters.send({ type: 'savedFilters.told', saved: told(2, mine, refunds) })
  sut.session.send({ type: 'dialog.opened' })
  const actor: ActorRefFrom<typeof savedFilterManagerMachine> = sut.session.system.get('dialog')
  const form = () => actor.getSnapshot().children.savedFilterForm
  return {
    ...sut,
    actor,
    form,
    state: () => actor.getSnapshot().value,
    type: (name: string) => form()?.send({ type: 'fields.typed', change: { name } }),
    submit: () => form()?.send({ type: 'form.submitted' }),
  }
}

export const savedFiltersModel = () =>
  modelOf(savedFiltersMachine, {
    input: undefined,
    vertex: ({ context: { saved, failures } }) => [saved, Math.min(failures, 2)],
    stopWhen: ({ context }) => context.failures > 1,
    cases: {
      'refetch.requested': [{}],
      'savedFilters.changed': [{ version: null }, { version: 1 }, { version: 3 }],
      'savedFilters.told': [{ saved: told(2, refunds) }],
      'xstate.done.actor.loadFilters': [{ output: told(1, mine) }],
      'xstate.error.actor.loadFilters': [{ error: faults.noAnswer }, { error: faults.refused }],
    },
  })

export const filterManagerModel = (shown: FilterValues | null) =>
  modelOf(savedFilterManagerMachine, {
    input: { values: shown },
    vertex: ({ context }) => context,
    // Other tests follow the form.
    stopWhen: (snapshot) => snapshot.matches('form'),
    cases: {
      'item.edited': [{ item: refunds }],
      'deletion.requested': [{ item: refunds }],
      'deletion.confirmed': [{}],
      'deletion.cancelled': [{}],
      'dialog.dismissed': [{}],
      'xstate.done.actor.savedFilterForm': [],
      'xstate.done.actor.deleteFilter': [{ output: told(3, mine) }],
      'xstate.error.actor.deleteFilter': [{ error: faults.refused }],
    },
  })

/** The form for a new filter, or for the name of one, beside the other filter. */
export const filterFormModel = (item: SavedFilter | null) =>
  modelOf(savedFilterFormMachine, {
    input: { item, id: item?.id ?? 'f3', values, others: [mine] },
    vertex: ({ context }) => context,
    cases: {
      'fields.typed': ({ context }) =>
        context.error === null && context.fields.name === (item?.name ?? '')
          ? [{ change: { name: 'Money' } }, { change: { name: ' mine ' } }]
          : [],
      'form.submitted': [{}],
      'form.cancelled': [{}],
      'discard.confirmed': [{}],
      'discard.refused': [{}],
      'dialog.dismissed': ({ context }) => (context.error === null ? [{}] : []),
      'xstate.done.actor.saveFilter': [{ output: told(3, mine, refunds) }],
      'xstate.error.actor.saveFilter': ({ context }) => (context.error === null ? [{ error: faults.refused }] : []),
    },
  })
