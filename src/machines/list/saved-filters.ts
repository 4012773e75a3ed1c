import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import { newerFilters } from '../../domain/list/saved-filters.ts'
import { noRetries, type Retries } from '../../domain/retries.ts'
import type { SavedFilter, SavedFilters } from '../../schemas/saved-filter.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { ifTemporary, reportOnce } from '../on-failure.ts'
import { readingActions, readingDelays, readingGuards, waitingOrRefused } from '../reading.ts'
import { createSendAction, type System } from '../system.ts'

type Context = Retries & { saved: SavedFilters }

export type SavedFiltersEvent =
  | { type: 'refetch.requested' }
  /** Another tab saved filters, and they have this version now. Null: changes may have been missed. */
  | { type: 'savedFilters.changed'; version: number | null }
  /** The answer to a change of this tab has all filters. */
  | { type: 'savedFilters.told'; saved: SavedFilters }

const keepTold = {
  type: 'keep the filters' as const,
  params: ({ event }: { event: { saved: SavedFilters } }) => event,
}

/** Owns the saved filters of the signed-in person (feature 'saved-filters'). */
export const savedFiltersMachine = setup({
  types: { context: {} as Context, events: {} as SavedFiltersEvent },
  actors: { loadFilters: fromPromise<SavedFilters>(mustBeProvided('loadFilters')) },
  delays: readingDelays,
  guards: {
    ...readingGuards,
    'is newer': ({ context }, { version }: { version: number | null }) =>
      version === null || version > context.saved.version,
  },
  actions: {
    ...readingActions,
    'keep the filters': assign(({ context }, { saved }: { saved: SavedFilters }) => ({
      saved: newerFilters(context.saved, saved),
      ...noRetries,
    })),
  },
}).createMachine({
  id: 'savedFilters',
  context: { saved: { version: 0, filters: [] }, ...noRetries },
  initial: 'loading',
  on: { 'savedFilters.told': { actions: keepTold } },
  states: {
    loading: {
      invoke: {
        id: 'loadFilters',
        src: 'loadFilters',
        onDone: {
          target: 'known',
          actions: { type: 'keep the filters', params: ({ event }) => ({ saved: event.output }) },
        },
        onError: [
          { guard: ifTemporary, target: 'failed.waiting', actions: reportOnce() },
          { target: 'failed.refused', actions: reportOnce() },
        ],
      },
      // The answer on its way may be older.
      on: { 'savedFilters.changed': { target: 'loading', reenter: true } },
    },
    known: {
      on: {
        'refetch.requested': 'loading',
        'savedFilters.changed': {
          guard: { type: 'is newer', params: ({ event }) => event },
          target: 'loading',
        },
      },
    },
    failed: {
      ...waitingOrRefused('#savedFilters.loading'),
      on: {
        'refetch.requested': 'loading',
        'savedFilters.changed': 'loading',
        'savedFilters.told': { target: '#savedFilters.known', actions: keepTold },
      },
    },
  },
})

type Snapshot = SnapshotFrom<typeof savedFiltersMachine>

/** By name. The array stays the same until a filter changes. */
export const selectFilters = (snapshot: Snapshot): readonly SavedFilter[] => snapshot.context.saved.filters

/** The filters, for actions; empty if they are not offered or not loaded. */
export function savedFiltersIn(system: System): readonly SavedFilter[] {
  const actor: ActorRefFrom<typeof savedFiltersMachine> | undefined = system.get('savedFilters')
  return actor === undefined ? [] : selectFilters(actor.getSnapshot())
}

/** Gives the owner the filters of an answer: `{ type: 'tellFilters', params: { saved } }`. */
export const tellFilters = createSendAction<{ saved: SavedFilters }>(({ saved }, { system, self }) => [
  { to: system.get('savedFilters') ?? self, event: { type: 'savedFilters.told', saved } },
])
