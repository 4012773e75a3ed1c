import { assign, fromPromise, type SnapshotFrom, setup } from 'xstate'
import type { MessageChange, UserChange } from '../domain/changes.ts'
import {
  appendRows,
  type ConversationList,
  emptyList,
  fresh,
  isMissing,
  markRead,
  mergeTop,
  patchMessages,
  patchUsers,
  replaceRows,
  rowOfUser,
  type Staleness,
  staleAll,
  stalenessAfterMessages,
  stalenessAfterUsers,
  staleTop,
  worse,
} from '../domain/conversation-list.ts'
import { limits } from '../domain/limits.ts'
import { isSameQuery, type ListQuery } from '../domain/list-query.ts'
import { mayPass, retryDelayAfter } from '../domain/retries.ts'
import { listToasts } from '../domain/toasts.ts'
import type { Conversation } from '../schemas/conversation.ts'
import { mustBeProvided } from './must-be-provided.ts'
import { notifyFailure } from './notify-failure.ts'
import { tellSession } from './session-events.ts'

export type { ListQuery }

/** Rows from the server's list, newest first, and how many there are in all. */
export type ListAnswer = { rows: readonly Conversation[]; hasNext: boolean; total: number }

type Context = {
  query: ListQuery
  list: ConversationList
  total: number
  hasNext: boolean
  /** The row that was read last under "unread only": it stays until another is read, or else it would go while it is looked at. */
  held: readonly string[]
  /** What has to be fetched again, and what is being fetched. */
  stale: Staleness
  fetching: Staleness
  /** How many rows the fetch under way is to replace. */
  covered: number
  /** Something changed after the page under way was asked for. */
  isPageOvertaken: boolean
  /** The session waits for `resync.done`. */
  owesResync: boolean
  /** A person waits for the refresh, and is told at once if it fails. */
  isAsked: boolean
  failures: number
  /** Milliseconds from the last failure until the list is asked for again. */
  retryDelay: number
}

export type ConversationsEvent =
  | { type: 'search.typed'; text: string }
  | { type: 'page.chosen'; pageId: string | null }
  | { type: 'unreadOnly.chosen'; unreadOnly: boolean }
  /** The address asks for it: at once, for nobody is typing. */
  | { type: 'query.opened'; query: ListQuery }
  | { type: 'more.requested' }
  /** A person asks: everything loaded is fetched again. After a failed first load it is the retry. */
  | { type: 'refresh.requested' }
  /** Something happened that shows at the top of the list. */
  | { type: 'list.outdated' }
  | { type: 'messages.changed'; changes: readonly MessageChange[] }
  | { type: 'users.changed'; changes: readonly UserChange[] }
  | { type: 'conversation.read'; id: string }
  | { type: 'resync.requested' }

const pageSize = limits.conversationPageSize

/** How many rows of the server's list are loaded: a row that is held and has nothing unread is not among its own. */
const loadedCount = (list: ConversationList, held: readonly string[]): number =>
  list.order.length - held.filter((id) => list.byId.get(id)?.unread_messages === 0).length

/** How many loaded rows a refresh fetches again at most; rows after them are brought up to date when they are scrolled to. */
const refreshLimit = 500

/**
 * The conversation list (spec sections 2 and 4): search, filters, paging, and refreshing while things change.
 * One fetch of the first page at a time; leaving a state aborts what it asked for, so the last intent wins.
 */
export const conversationsMachine = setup({
  types: {
    context: {} as Context,
    events: {} as ConversationsEvent,
    input: {} as { pageId?: string | null } | undefined,
  },
  actors: {
    /** The first `count` rows. */
    loadTop: fromPromise<ListAnswer, { query: ListQuery; count: number }>(mustBeProvided('loadTop')),
    /** A page of 20, counted from 1. */
    loadPage: fromPromise<ListAnswer, { query: ListQuery; page: number }>(mustBeProvided('loadPage')),
  },
  delays: {
    searchSettles: limits.conversationSearchDebounce,
    refreshInterval: 1_000,
    retryDelay: ({ context }) => context.retryDelay,
  },
  guards: {
    'is another search': ({ context }, params: { search: string }) => params.search !== context.query.search,
    'is another page': ({ context }, params: { pageId: string | null }) => params.pageId !== context.query.pageId,
    'is the other choice': ({ context }, params: { unreadOnly: boolean }) =>
      params.unreadOnly !== context.query.unreadOnly,
    'is another query': ({ context }, params: { query: ListQuery }) => !isSameQuery(params.query, context.query),
    'has more': ({ context }) => context.hasNext,
    'is stale': ({ context }) => context.stale.depth !== 'none',
    'owes a resync': ({ context }) => context.owesResync,
    'may pass by itself': (_, params: { error: unknown }) => mayPass(params.error),
    /** Even what was refused is, while the session waits for it. */
    'is to be tried again': ({ context }, params: { error: unknown }) => context.owesResync || mayPass(params.error),
  },
  actions: {
    'notify failure': notifyFailure,
    tellSession,
    'use query': assign({
      query: ({ context }, part: Partial<ListQuery>) => ({ ...context.query, ...part }),
      held: [],
    }),
    'begin the list': assign({ stale: fresh }),
    'begin a refresh': assign(({ context }) => {
      const fetching = worse(context.stale, staleTop)
      const covered = fetching.depth === 'all' ? Math.min(context.list.order.length, refreshLimit) : 0
      return { stale: fresh, fetching, covered }
    }),
    'begin a page': assign({ isPageOvertaken: false }),
    'show the list': assign(({ context }, { rows, hasNext, total }: ListAnswer) => ({
      list: replaceRows(context.list, rows),
      total,
      hasNext,
      isAsked: false,
      failures: 0,
    })),
    'merge the top': assign(({ context }, { rows, hasNext, total }: ListAnswer) => {
      const { fetching, covered, stale, held } = context
      const { list, dropped } = mergeTop(context.list, { rows, hasNext, covered, heard: [...stale.rows, ...held] })
      const length = loadedCount(list, held)
      const awaited = fetching.rows.filter((id) => !held.includes(id))
      const isUnsure = (dropped && fetching.depth === 'top' && length > rows.length) || isMissing(list, awaited, rows)
      return {
        list,
        total,
        hasNext: hasNext && (context.hasNext || total > length || length <= rows.length),
        stale: isUnsure ? worse(stale, staleAll) : stale,
        isAsked: false,
        failures: 0,
      }
    }),
    'append the page': assign(({ context }, { rows, hasNext, total }: ListAnswer) => {
      const list = appendRows(context.list, rows)
      const isStuck = hasNext && list.order.length === context.list.order.length
      return {
        list,
        total,
        hasNext,
        stale: isStuck || context.isPageOvertaken ? worse(context.stale, staleAll) : context.stale,
      }
    }),
    'mark stale': assign({
      stale: ({ context }, { stale }: { stale: Staleness }) => worse(context.stale, stale),
      isPageOvertaken: true,
    }),
    'fetch it again': assign({ stale: ({ context }) => worse(context.stale, context.fetching) }),
    'owe a resync': assign({ owesResync: true, stale: ({ context }) => worse(context.stale, staleAll) }),
    'owe nothing': assign({ owesResync: false }),
    'patch messages': assign(({ context }, { changes }: { changes: readonly MessageChange[] }) => ({
      list: patchMessages(context.list, changes, context.query.pageId),
      stale: worse(context.stale, stalenessAfterMessages(context.list, changes, pageSize)),
      isPageOvertaken: true,
    })),
    'patch users': assign(({ context }, { changes }: { changes: readonly UserChange[] }) => ({
      list: patchUsers(context.list, changes),
      stale: worse(context.stale, stalenessAfterUsers(context.list, changes, pageSize)),
      isPageOvertaken: true,
    })),
    'mark read': assign(({ context }, { id }: { id: string }) => {
      const row = rowOfUser(context.list, [id])
      return {
        list: markRead(context.list, id),
        held: context.query.unreadOnly && row !== null ? [row] : context.held,
      }
    }),
    'note the asking': assign({ isAsked: true }),
    'forget the asking': assign({ isAsked: false }),
    'count the failure': assign(({ context }, { error }: { error: unknown }) => ({
      isAsked: false,
      failures: context.failures + 1,
      retryDelay: retryDelayAfter(context.failures + 1, error),
    })),
  },
}).createMachine({
  id: 'conversations',
  context: ({ input }) => ({
    query: { search: '', pageId: input?.pageId ?? null, unreadOnly: false },
    list: emptyList,
    total: 0,
    hasNext: false,
    held: [],
    stale: fresh,
    fetching: fresh,
    covered: 0,
    isPageOvertaken: false,
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
    'messages.changed': { actions: { type: 'patch messages', params: ({ event }) => ({ changes: event.changes }) } },
    'users.changed': { actions: { type: 'patch users', params: ({ event }) => ({ changes: event.changes }) } },
    'conversation.read': { actions: { type: 'mark read', params: ({ event }) => ({ id: event.id }) } },
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
              { type: 'show the list', params: ({ event }) => event.output },
              'owe nothing',
              { type: 'tellSession', params: { type: 'resync.done', from: 'conversations' } },
            ],
          },
          { target: 'loaded', actions: { type: 'show the list', params: ({ event }) => event.output } },
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
                  page: Math.floor(loadedCount(context.list, context.held) / pageSize) + 1,
                }),
                onDone: {
                  target: 'resting',
                  actions: { type: 'append the page', params: ({ event }) => event.output },
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
                  count: Math.max(pageSize, context.covered),
                }),
                onDone: [
                  {
                    guard: 'owes a resync',
                    target: 'cooling',
                    actions: [
                      { type: 'merge the top', params: ({ event }) => event.output },
                      'owe nothing',
                      { type: 'tellSession', params: { type: 'resync.done', from: 'conversations' } },
                    ],
                  },
                  { target: 'cooling', actions: { type: 'merge the top', params: ({ event }) => event.output } },
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
export const selectOrder = (snapshot: Snapshot): readonly string[] => snapshot.context.list.order

/** A selector for one row, which stays the same object until that row changes. */
export const selectRow = (id: string) => (snapshot: Snapshot) => snapshot.context.list.byId.get(id)

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
