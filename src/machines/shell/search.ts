import type { SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import { limits } from '../../domain/limits.ts'
import { isSearchable } from '../../domain/list/list-query.ts'
import { type Hits, noHits, type SearchRequest, withMore } from '../../domain/shell/search-calls.ts'
import { searchToasts } from '../../domain/shell/search-toasts.ts'
import { type HitKind, hitKinds } from '../../schemas/search.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { notifyFailure } from '../notify-failure.ts'
import { reportFailure } from '../on-failure.ts'

type Context = {
  /** The API offers the search. */
  isOffered: boolean
  term: string
  hits: Hits
  /** The term that the hits belong to. */
  found: string
  /** The group whose next result page is loaded. */
  more: HitKind
}

export type SearchEvent =
  | { type: 'term.typed'; term: string }
  | { type: 'refetch.requested' }
  /** The next result page of a group. */
  | { type: 'more.requested'; kind: HitKind }

/** The clients, orders and messages in the palette. Those of the earlier term stay until the answer. */
export const searchMachine = setup({
  types: { context: {} as Context, events: {} as SearchEvent, input: {} as Pick<Context, 'isOffered'> },
  actors: { search: fromPromise<Hits, SearchRequest>(mustBeProvided('search')) },
  delays: { searchDebounce: limits.clientSearchDebounce },
  guards: {
    'can be searched': ({ context }, { term }: { term: string }) =>
      context.isOffered && term.trim() !== '' && isSearchable(term),
    'has more': ({ context }, { kind }: { kind: HitKind }) => context.hits[kind]?.next != null,
  },
  actions: {
    'notify failure': notifyFailure,
    'keep the term': assign((_, { term }: { term: string }) => ({ term: term.trim() })),
    'forget the hits': assign({ hits: noHits, found: '' }),
    'keep the hits': assign(({ context }, { hits }: { hits: Hits }) => ({ hits, found: context.term })),
    'choose the group': assign((_, { kind }: { kind: HitKind }) => ({ more: kind })),
    'add the hits': assign(({ context }, { hits }: { hits: Hits }) => ({
      hits: withMore(context.hits, context.more, hits),
    })),
  },
}).createMachine({
  id: 'search',
  context: ({ input }) => ({ ...input, term: '', hits: noHits, found: '', more: 'messages' }),
  initial: 'idle',
  on: {
    'term.typed': [
      {
        guard: { type: 'can be searched', params: ({ event }) => event },
        target: '.debouncing',
        actions: { type: 'keep the term', params: ({ event }) => event },
      },
      { target: '.idle' },
    ],
  },
  states: {
    idle: { entry: 'forget the hits' },
    debouncing: { after: { searchDebounce: 'searching' } },
    searching: {
      invoke: {
        id: 'search',
        src: 'search',
        input: ({ context }) => ({ term: context.term, kinds: hitKinds, after: null }),
        onDone: {
          target: 'found',
          actions: { type: 'keep the hits', params: ({ event }) => ({ hits: event.output }) },
        },
        onError: { target: 'failed', actions: ['forget the hits', reportFailure(searchToasts.failed)] },
      },
    },
    found: {
      on: {
        'more.requested': {
          guard: { type: 'has more', params: ({ event }) => event },
          target: 'loadingMore',
          actions: { type: 'choose the group', params: ({ event }) => event },
        },
      },
    },
    loadingMore: {
      invoke: {
        id: 'searchMore',
        src: 'search',
        input: ({ context: { found, more, hits } }) => ({
          term: found,
          kinds: [more],
          after: hits[more]?.next ?? null,
        }),
        onDone: { target: 'found', actions: { type: 'add the hits', params: ({ event }) => ({ hits: event.output }) } },
        // The group keeps its button.
        onError: { target: 'found', actions: reportFailure(searchToasts.failed) },
      },
    },
    failed: { on: { 'refetch.requested': 'searching' } },
  },
})

type Snapshot = SnapshotFrom<typeof searchMachine>

export const selectHits = (snapshot: Snapshot): Hits => snapshot.context.hits
/** The term that the hits belong to. */
export const selectFoundTerm = (snapshot: Snapshot): string => snapshot.context.found
export const selectIsSearching = (snapshot: Snapshot): boolean =>
  snapshot.matches('debouncing') || snapshot.matches('searching')
/** The search failed; `refetch.requested` retries. */
export const selectHasFailed = (snapshot: Snapshot): boolean => snapshot.matches('failed')
export const selectIsOffered = (snapshot: Snapshot): boolean => snapshot.context.isOffered
