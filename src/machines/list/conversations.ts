import type { SnapshotFrom } from 'xstate'
import { fresh, staleAll, staleTop } from '../../domain/list/conversation-list.ts'
import type { ListAnswer } from '../../domain/list/list-calls.ts'
import { isFiltered, type ListQuery } from '../../domain/list/list-query.ts'
import { listToasts } from '../../domain/list/toasts.ts'
import { noRetries } from '../../domain/retries.ts'
import type { SavedInbox } from '../../schemas/saved-inbox.ts'
import { ifTemporary, reportFailure, reportOnce } from '../on-failure.ts'
import { type Context, conversationsSetup, pageSize } from './conversations-setup.ts'

type Fetched = { context: Context; event: { output: ListAnswer } }

/** Stores the rows of an answer in the records, and their order in the list. */
const taking = <Take extends 'show the list' | 'merge the first page'>(take: Take) => [
  {
    type: 'tellRecords' as const,
    params: ({ context, event }: Fetched) => ({
      type: 'conversations.fetched' as const,
      rows: event.output.rows,
      asOf: context.topAsOf,
    }),
  },
  { type: take, params: ({ event }: Fetched) => event.output },
  {
    type: 'tellRecords' as const,
    params: ({ context }: Fetched) => ({ type: 'conversations.listed' as const, ids: context.order }),
  },
]

/** Transitions after an answer. Reports `resync.done` if the session waits for the resync. */
const answered = <Take extends 'show the list' | 'merge the first page', Target extends string>(
  take: Take,
  target: Target,
) => [
  {
    guard: 'requires a resync' as const,
    target,
    actions: [
      ...taking(take),
      'clear the required resync' as const,
      { type: 'tellSession' as const, params: { type: 'resync.done' as const, from: 'conversations' as const } },
    ],
  },
  { target, actions: taking(take) },
]

const wasReported = ({ failures, isAsked }: Context): boolean => failures > 0 && !isAsked

/** Fetches at once instead of waiting for the next interval. */
const refetchAtOnce = {
  'refetch.requested': {
    target: 'refreshing' as const,
    actions: ['mark as requested' as const, { type: 'invalidate' as const, params: { stale: staleAll } }],
  },
  'resync.requested': { target: 'refreshing' as const, actions: 'require a resync' as const },
}

/**
 * The conversation list (spec sections 2 and 4): search, filters, paging, and refetches after changes. Only one fetch
 * of the first page runs at a time. Leaving a state aborts its request, so the last query wins.
 */
export const conversationsMachine = conversationsSetup.createMachine({
  id: 'conversations',
  context: ({ input }) => ({
    query: {
      search: '',
      pageId: input?.pageId ?? null,
      unreadOnly: false,
      view: input?.view && (input.saved?.view ?? input.view),
    },
    userId: input?.userId ?? '',
    now: input?.now ?? Date.now,
    order: input?.saved?.ids ?? [],
    unreadable: 0,
    total: input?.saved?.total ?? 0,
    hasNext: input?.saved?.hasNext ?? false,
    isSaved: input?.saved !== undefined,
    held: [],
    stale: fresh,
    fetching: fresh,
    covered: 0,
    isPageOvertaken: false,
    isListOvertaken: false,
    topAsOf: 0,
    pageAsOf: 0,
    nextPage: 1,
    needsResync: false,
    isAsked: false,
    ...noRetries,
  }),
  initial: 'loading',
  on: {
    'search.typed': {
      guard: { type: 'is another search', params: ({ event }) => ({ search: event.text }) },
      target: '.debouncing',
      actions: { type: 'use query', params: ({ event }) => ({ search: event.text }) },
    },
    'page.chosen': {
      guard: {
        type: 'is another query',
        params: ({ context, event }) => ({ query: { ...context.query, pageId: event.pageId } }),
      },
      target: '.loading',
      actions: { type: 'use query', params: ({ event }) => ({ pageId: event.pageId }) },
    },
    'unreadOnly.chosen': {
      guard: {
        type: 'is another query',
        params: ({ context, event }) => ({ query: { ...context.query, unreadOnly: event.unreadOnly } }),
      },
      target: '.loading',
      actions: { type: 'use query', params: ({ event }) => ({ unreadOnly: event.unreadOnly }) },
    },
    'view.chosen': {
      guard: {
        type: 'is another query',
        params: ({ context, event }) => ({ query: { ...context.query, view: event.view } }),
      },
      target: '.loading',
      actions: { type: 'use query', params: ({ event }) => ({ view: event.view }) },
    },
    'filter.chosen': {
      guard: {
        type: 'is another query',
        params: ({ context, event }) => ({ query: { ...context.query, ...event.filter } }),
      },
      target: '.loading',
      actions: { type: 'use query', params: ({ event }) => event.filter },
    },
    'labels.loaded': {
      guard: { type: 'the chosen label is gone', params: ({ event }) => ({ labels: event.labels }) },
      target: '.loading',
      actions: { type: 'use query', params: { labelId: undefined } },
    },
    'query.opened': {
      guard: { type: 'is another query', params: ({ event }) => ({ query: event.query }) },
      target: '.loading',
      actions: { type: 'use query', params: ({ event }) => event.query },
    },
    'refetch.requested': { actions: ['mark as requested', { type: 'invalidate', params: { stale: staleAll } }] },
    'list.invalidated': { actions: { type: 'invalidate', params: { stale: staleTop } } },
    'messages.changed': {
      actions: { type: 'move up rows with new messages', params: ({ event }) => ({ changes: event.changes }) },
    },
    'users.changed': {
      actions: { type: 'invalidate rows of changed people', params: ({ event }) => ({ changes: event.changes }) },
    },
    'clientData.changed': {
      actions: { type: 'invalidate rows of changed clients', params: ({ event }) => event },
    },
    'conversation.read': { actions: { type: 'hold the read conversation', params: ({ event }) => ({ id: event.id }) } },
    'states.moved': {
      actions: { type: 'move rows by their states', params: ({ event }) => ({ ids: event.ids }) },
    },
    'resync.requested': { actions: 'require a resync' },
  },
  states: {
    debouncing: { after: { searchDebounce: 'loading' } },
    loading: {
      entry: 'start a new list',
      invoke: {
        id: 'loadTop',
        src: 'loadTop',
        input: ({ context }) => ({ query: context.query, count: pageSize }),
        onDone: [
          { guard: 'was overtaken by a resync', target: 'loaded', actions: taking('show the list') },
          ...answered('show the list', 'loaded'),
        ],
        onError: [
          { guard: ifTemporary, target: 'failed.waiting', actions: reportOnce(listToasts.failed, wasReported) },
          {
            target: 'failed.refused',
            actions: reportOnce(listToasts.failed, (context: Context) => context.needsResync && wasReported(context)),
          },
        ],
      },
      // The first rows are not delayed: the answer is shown, and the list that the resync needs is fetched after it.
      on: { 'resync.requested': { actions: ['require a resync', 'mark the list as overtaken'] } },
    },
    /** The requested list could not be loaded. Rows of an earlier query stay on the screen. */
    failed: {
      initial: 'waiting',
      states: {
        waiting: { after: { retryDelay: '#conversations.loading' } },
        refused: { after: { retryDelay: { guard: 'requires a resync', target: '#conversations.loading' } } },
      },
      on: {
        'refetch.requested': { target: 'loading', actions: 'mark as requested' },
        'list.invalidated': 'loading',
        'resync.requested': { target: 'loading', actions: 'require a resync' },
      },
    },
    loaded: {
      type: 'parallel',
      states: {
        paging: {
          initial: 'idle',
          states: {
            idle: { on: { 'more.requested': { guard: 'has more', target: 'loadingMore' } } },
            loadingMore: {
              entry: 'start loading a result page',
              invoke: {
                id: 'loadPage',
                src: 'loadPage',
                input: ({ context }) => ({
                  query: context.query,
                  page: context.nextPage,
                }),
                onDone: {
                  target: 'idle',
                  actions: [
                    {
                      type: 'tellRecords',
                      params: ({ context, event }) => ({
                        type: 'conversations.fetched',
                        rows: event.output.rows,
                        asOf: context.pageAsOf,
                      }),
                    },
                    { type: 'append the result page', params: ({ event }) => event.output },
                  ],
                },
                onError: {
                  target: 'idle',
                  actions: reportFailure(listToasts.moreFailed),
                },
              },
            },
          },
        },
        /** A change triggers a refetch at once, then at most one per interval. The last change is always fetched. */
        freshness: {
          initial: 'fresh',
          states: {
            fresh: { always: { guard: 'is stale', target: 'refreshing' } },
            refreshing: {
              entry: 'start a refresh',
              invoke: {
                id: 'refreshTop',
                src: 'loadTop',
                input: ({ context }) => ({
                  query: context.query,
                  count: Math.max(pageSize, context.covered + context.unreadable),
                }),
                onDone: answered('merge the first page', 'throttled'),
                onError: [
                  {
                    guard: { type: 'should retry', params: ({ event }) => ({ error: event.error }) },
                    target: 'backingOff',
                    actions: ['invalidate the fetched part', ...reportOnce(listToasts.failed, wasReported)],
                  },
                  {
                    target: 'throttled',
                    actions: [reportFailure(listToasts.failed), 'clear the requested mark'],
                  },
                ],
              },
              on: { 'resync.requested': { target: 'refreshing', reenter: true, actions: 'require a resync' } },
            },
            throttled: { after: { refreshInterval: 'fresh' }, on: refetchAtOnce },
            backingOff: { after: { retryDelay: 'refreshing' }, on: refetchAtOnce },
          },
        },
      },
    },
  },
})

type Snapshot = SnapshotFrom<typeof conversationsMachine>

/** Row ids in order. The array stays the same until a row is added, removed or moved. */
export const selectOrder = (snapshot: Snapshot): readonly string[] => snapshot.context.order

export const selectQuery = (snapshot: Snapshot): ListQuery => snapshot.context.query
/** The query after typing has stopped; null during typing. */
export const selectSettledQuery = (snapshot: Snapshot): ListQuery | null =>
  snapshot.matches('debouncing') ? null : snapshot.context.query

/** Rows saved by an earlier page load are shown until the server answers. */
export const selectIsSaved = (snapshot: Snapshot): boolean => snapshot.context.isSaved

/** The list to save in this browser; null if the list is searched, filtered or stale. */
export const selectListToSave = (snapshot: Snapshot): SavedInbox['list'] | null => {
  const { query, order, total, hasNext } = snapshot.context
  if (!snapshot.matches('loaded') || isFiltered(query)) return null
  const list = { ids: [...order], total, hasNext }
  return query.view === undefined ? list : { ...list, view: query.view }
}

export const selectTotal = (snapshot: Snapshot): number => snapshot.context.total
export const selectHasMore = (snapshot: Snapshot): boolean => snapshot.matches('loaded') && snapshot.context.hasNext

/** The list for the current query is loading. Earlier rows may still be shown. */
export const selectIsLoading = (snapshot: Snapshot): boolean =>
  snapshot.matches('debouncing') || snapshot.matches('loading')

export const selectIsLoadingMore = (snapshot: Snapshot): boolean =>
  snapshot.matches({ loaded: { paging: 'loadingMore' } })

/** A fetch of the list is pending, the first one or a later one. */
export const selectIsRefreshing = (snapshot: Snapshot): boolean =>
  snapshot.matches('loading') || snapshot.matches({ loaded: { freshness: 'refreshing' } })

/** A fetch of the list is pending that a person waits for. */
export const selectIsRefreshAwaited = (snapshot: Snapshot): boolean =>
  snapshot.context.isAsked ? selectIsRefreshing(snapshot) : snapshot.matches('loading')

/** Loading the list for the current query failed; `refetch.requested` retries. */
export const selectHasFailed = (snapshot: Snapshot): boolean => snapshot.matches('failed')
