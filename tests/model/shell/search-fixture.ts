import type { SnapshotFrom } from 'xstate'
import { createActor, SimulatedClock } from 'xstate'
import { type Hits, noHits, type SearchRequest } from '../../../src/domain/shell/search-calls.ts'
import { searchMachine } from '../../../src/machines/shell/search.ts'
import type { MessageHit } from '../../../src/schemas/search.ts'
import { faults } from '../client/clients-fixture.ts'
import { createControl, createToastLog, type Inspect, inspectAll, modelOf } from '../harness.ts'
import { ends, type Reference, when } from '../reference.ts'

export const messageHit = (id: string): MessageHit => ({
  message_id: id,
  primary_user_id: 'u1',
  page_id: 'p1',
  name: 'Ana Cruz',
  direction: 'incoming',
  excerpt: `Magkano po ang ${id}?`,
  at: '2026-01-15T12:00:00.000Z',
})

export const messagesOf = (ids: readonly string[], next: string | null = null): Hits => ({
  ...noHits,
  messages: { hits: ids.map(messageHit), next },
})

export function startSearch(isOffered = true, alsoInspect: Inspect = () => {}) {
  const search = createControl<Hits, SearchRequest>()
  const clock = new SimulatedClock()
  const log = createToastLog()
  const actor = createActor(searchMachine.provide({ actors: { search: search.logic } }), {
    input: { isOffered },
    clock,
    inspect: inspectAll(alsoInspect, log.inspect),
  }).start()
  return { actor, clock, search, toasts: log.toasts, state: () => actor.getSnapshot().value }
}

export const searchModel = () =>
  modelOf(searchMachine, {
    input: { isOffered: true },
    vertex: ({ context: { term, found, hits } }) => [term, found, hits],
    cases: {
      'term.typed': [{ term: 'po' }, { term: ' ' }, { term: 'bag' }],
      'refetch.requested': [{}],
      'more.requested': [{ kind: 'messages' }, { kind: 'orders' }],
      'xstate.done.actor.search': ({ context: { term } }) => [
        { output: term === 'po' ? messagesOf(['m2', 'm1'], 'next') : messagesOf(['m9']) },
      ],
      'xstate.error.actor.search': [{ error: faults.noAnswer }],
      'xstate.done.actor.searchMore': [{ output: messagesOf(['m0']) }],
      'xstate.error.actor.searchMore': [{ error: faults.noAnswer }],
    },
  })

export type SearchShown = {
  phase: 'idle' | 'debouncing' | 'searching' | 'found' | 'loadingMore' | 'failed'
  term: string
  found: string
  ids: readonly string[]
  hasMore: boolean
  failures: number
}

const none = { found: '', ids: [], hasMore: false } as const

/** What the search has to do, by hand. */
export const searchReference: Reference<SearchShown> = {
  start: { phase: 'idle', term: '', ...none, failures: 0 },
  accepts: ({ phase, hasMore }) => [
    'term.typed',
    ...when(phase === 'failed', 'refetch.requested'),
    ...when(phase === 'found' && hasMore, 'more.requested'),
    ...when(phase === 'debouncing', 'xstate.after.searchDebounce.search.debouncing'),
    ...(phase === 'searching' ? ends('search') : []),
    ...(phase === 'loadingMore' ? ends('searchMore') : []),
  ],
  rules: {
    'term.typed': (_, { term }) => (term.trim() === '' ? { phase: 'idle', ...none } : { phase: 'debouncing', term }),
    'xstate.after.searchDebounce.search.debouncing': () => ({ phase: 'searching' }),
    'xstate.done.actor.search': ({ term }) =>
      term === 'po'
        ? { phase: 'found', found: 'po', ids: ['m2', 'm1'], hasMore: true }
        : { phase: 'found', found: 'bag', ids: ['m9'], hasMore: false },
    'xstate.error.actor.search': ({ failures }) => ({ phase: 'failed', ...none, failures: failures + 1 }),
    'refetch.requested': () => ({ phase: 'searching' }),
    'more.requested': (_, { kind }) => (kind === 'messages' ? { phase: 'loadingMore' } : {}),
    'xstate.done.actor.searchMore': ({ ids }) => ({ phase: 'found', ids: [...ids, 'm0'], hasMore: false }),
    'xstate.error.actor.searchMore': ({ failures }) => ({ phase: 'found', failures: failures + 1 }),
  },
  shown: (state) => state,
}

export const phaseOf = ({ value }: Pick<SnapshotFrom<typeof searchMachine>, 'value'>): string => String(value)
