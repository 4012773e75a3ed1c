import type { SnapshotFrom } from 'xstate'
import { fresh, staleAll, staleTop } from '../../domain/list/conversation-list.ts'
import type { ListAnswer } from '../../domain/list/list-calls.ts'
import type { ListQuery } from '../../domain/list/list-query.ts'
import { listToasts } from '../../domain/list/toasts.ts'
import { type Context, conversationsSetup, pageSize } from './conversations-setup.ts'

type Fetched = { context: Context; event: { output: ListAnswer } }

/** The rows of an answer go to the records, and the list keeps their order. */
const taking = <Take extends 'show the list' | 'merge the top'>(take: Take) => [
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

/**
 * The conversation list (spec sections 2 and 4): search, filters, paging, and refreshing while things change.
 * One fetch of the first page at a time; leaving a state aborts what it asked for, so the last intent wins.
 */
export const conversationsMachine = conversationsSetup.createMachine({
  id: 'conversations',
  context: ({ input }) => ({
    query: { search: '', pageId: input?.pageId ?? null, unreadOnly: false },
    order: [],
    unreadable: 0,
    total: 0,
    hasNext: false,
    held: [],
    stale: fresh,
    fetching: fresh,
    covered: 0,
    isPageOvertaken: false,
    topAsOf: 0,
    pageAsOf: 0,
    nextPage: 1,
    owesResync: false,
    isAsked: false,
    failures: 0,
    retryDelay: 0,
  }),
  initial: 'loading',
  on: {
    'search.typed': {
      guard: { type: 'is another search', params: ({ event }) => ({ search: event.text }) },
      target: '.settling',
      actions: { type: 'use query', params: ({ event }) => ({ search: event.text }) },
    },
    'page.chosen': {
      guard: { type: 'is another page', params: ({ event }) => ({ pageId: event.pageId }) },
      target: '.loading',
      actions: { type: 'use query', params: ({ event }) => ({ pageId: event.pageId }) },
    },
    'unreadOnly.chosen': {
      guard: { type: 'is the other choice', params: ({ event }) => ({ unreadOnly: event.unreadOnly }) },
      target: '.loading',
      actions: { type: 'use query', params: ({ event }) => ({ unreadOnly: event.unreadOnly }) },
    },
    'query.opened': {
      guard: { type: 'is another query', params: ({ event }) => ({ query: event.query }) },
      target: '.loading',
      actions: { type: 'use query', params: ({ event }) => event.query },
    },
    'refresh.requested': { actions: ['note the asking', { type: 'mark stale', params: { stale: staleAll } }] },
    'list.outdated': { actions: { type: 'mark stale', params: { stale: staleTop } } },
    'messages.changed': {
      actions: { type: 'note changed messages', params: ({ event }) => ({ changes: event.changes }) },
    },
    'users.changed': { actions: { type: 'note changed people', params: ({ event }) => ({ changes: event.changes }) } },
    'conversation.read': { actions: { type: 'hold what was read', params: ({ event }) => ({ id: event.id }) } },
    'resync.requested': { actions: 'owe a resync' },
  },
  states: {
    settling: { after: { searchSettles: 'loading' } },
    loading: {
      entry: 'begin the list',
      invoke: {
        id: 'loadTop',
        src: 'loadTop',
        input: ({ context }) => ({ query: context.query, count: pageSize }),
        onDone: [
          {
            guard: 'owes a resync',
            target: 'loaded',
            actions: [
              ...taking('show the list'),
              'owe nothing',
              { type: 'tellSession', params: { type: 'resync.done', from: 'conversations' } },
            ],
          },
          { target: 'loaded', actions: taking('show the list') },
        ],
        onError: [
          {
            guard: { type: 'may pass by itself', params: ({ event }) => ({ error: event.error }) },
            target: 'failed.waiting',
            actions: [
              {
                type: 'notify failure',
                params: ({ context, event }) => ({
                  error: event.error,
                  own: listToasts.failed,
                  quietly: context.failures > 0 && !context.isAsked,
                }),
              },
              { type: 'count the failure', params: ({ event }) => ({ error: event.error }) },
            ],
          },
          {
            target: 'failed.refused',
            actions: [
              {
                type: 'notify failure',
                params: ({ context, event }) => ({
                  error: event.error,
                  own: listToasts.failed,
                  quietly: context.owesResync && context.failures > 0 && !context.isAsked,
                }),
              },
              { type: 'count the failure', params: ({ event }) => ({ error: event.error }) },
            ],
          },
        ],
      },
      on: { 'resync.requested': { target: 'loading', reenter: true, actions: 'owe a resync' } },
    },
    /** The list asked for never came; rows of an earlier question stay on the screen. */
    failed: {
      initial: 'waiting',
      states: {
        waiting: { after: { retryDelay: '#conversations.loading' } },
        refused: { after: { retryDelay: { guard: 'owes a resync', target: '#conversations.loading' } } },
      },
      on: {
        'refresh.requested': { target: 'loading', actions: 'note the asking' },
        'list.outdated': 'loading',
        'resync.requested': { target: 'loading', actions: 'owe a resync' },
      },
    },
    loaded: {
      type: 'parallel',
      states: {
        paging: {
          initial: 'resting',
          states: {
            resting: { on: { 'more.requested': { guard: 'has more', target: 'loadingMore' } } },
            loadingMore: {
              entry: 'begin a page',
              invoke: {
                id: 'loadPage',
                src: 'loadPage',
                input: ({ context }) => ({
                  query: context.query,
                  page: context.nextPage,
                }),
                onDone: {
                  target: 'resting',
                  actions: [
                    {
                      type: 'tellRecords',
                      params: ({ context, event }) => ({
                        type: 'conversations.fetched',
                        rows: event.output.rows,
                        asOf: context.pageAsOf,
                      }),
                    },
                    { type: 'append the page', params: ({ event }) => event.output },
                  ],
                },
                onError: {
                  target: 'resting',
                  actions: {
                    type: 'notify failure',
                    params: ({ event }) => ({ error: event.error, own: listToasts.moreFailed }),
                  },
                },
              },
            },
          },
        },
        /** Changes refresh at once, then at most once an interval: the last change is always followed by a refresh. */
        freshness: {
          initial: 'fresh',
          states: {
            fresh: { always: { guard: 'is stale', target: 'refreshing' } },
            refreshing: {
              entry: 'begin a refresh',
              invoke: {
                id: 'refreshTop',
                src: 'loadTop',
                input: ({ context }) => ({
                  query: context.query,
                  count: Math.max(pageSize, context.covered + context.unreadable),
                }),
                onDone: [
                  {
                    guard: 'owes a resync',
                    target: 'cooling',
                    actions: [
                      ...taking('merge the top'),
                      'owe nothing',
                      { type: 'tellSession', params: { type: 'resync.done', from: 'conversations' } },
                    ],
                  },
                  { target: 'cooling', actions: taking('merge the top') },
                ],
                onError: [
                  {
                    guard: { type: 'is to be tried again', params: ({ event }) => ({ error: event.error }) },
                    target: 'backingOff',
                    actions: [
                      'fetch it again',
                      {
                        type: 'notify failure',
                        params: ({ context, event }) => ({
                          error: event.error,
                          own: listToasts.failed,
                          quietly: context.failures > 0 && !context.isAsked,
                        }),
                      },
                      { type: 'count the failure', params: ({ event }) => ({ error: event.error }) },
                    ],
                  },
                  {
                    target: 'cooling',
                    actions: [
                      {
                        type: 'notify failure',
                        params: ({ event }) => ({ error: event.error, own: listToasts.failed }),
                      },
                      'forget the asking',
                    ],
                  },
                ],
              },
              on: { 'resync.requested': { target: 'refreshing', reenter: true, actions: 'owe a resync' } },
            },
            cooling: {
              after: { refreshInterval: 'fresh' },
              on: {
                'refresh.requested': {
                  target: 'refreshing',
                  actions: ['note the asking', { type: 'mark stale', params: { stale: staleAll } }],
                },
                'resync.requested': { target: 'refreshing', actions: 'owe a resync' },
              },
            },
            backingOff: {
              after: { retryDelay: 'refreshing' },
              on: {
                'refresh.requested': {
                  target: 'refreshing',
                  actions: ['note the asking', { type: 'mark stale', params: { stale: staleAll } }],
                },
                'resync.requested': { target: 'refreshing', actions: 'owe a resync' },
              },
            },
          },
        },
      },
    },
  },
})

type Snapshot = SnapshotFrom<typeof conversationsMachine>

/** Row ids in order; the same array until a row comes, goes or moves. */
export const selectOrder = (snapshot: Snapshot): readonly string[] => snapshot.context.order

export const selectQuery = (snapshot: Snapshot): ListQuery => snapshot.context.query
/** The query once typing has stopped; null while somebody types. */
export const selectSettledQuery = (snapshot: Snapshot): ListQuery | null =>
  snapshot.matches('settling') ? null : snapshot.context.query

export const selectTotal = (snapshot: Snapshot): number => snapshot.context.total
export const selectHasMore = (snapshot: Snapshot): boolean => snapshot.matches('loaded') && snapshot.context.hasNext

/** The list for what was asked is under way; earlier rows may still be shown. */
export const selectIsLoading = (snapshot: Snapshot): boolean =>
  snapshot.matches('settling') || snapshot.matches('loading')

export const selectIsLoadingMore = (snapshot: Snapshot): boolean =>
  snapshot.matches({ loaded: { paging: 'loadingMore' } })

/** The list is being fetched, for the first time or again. */
export const selectIsRefreshing = (snapshot: Snapshot): boolean =>
  snapshot.matches('loading') || snapshot.matches({ loaded: { freshness: 'refreshing' } })

/** The list for what was asked never came: offer a retry (`refresh.requested`). */
export const selectHasFailed = (snapshot: Snapshot): boolean => snapshot.matches('failed')
