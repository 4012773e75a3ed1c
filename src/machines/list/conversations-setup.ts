import { assign, fromPromise, setup } from 'xstate'
import type { ClientDataChanged } from '../../domain/client/client-data.ts'
import { limits } from '../../domain/limits.ts'
import {
  appended,
  fresh,
  isMissing,
  type ListOrder,
  mergeTop,
  movedUp,
  placed,
  replaced,
  type Staleness,
  staleAll,
  stalenessAfterClients,
  stalenessAfterMessages,
  stalenessAfterUsers,
  staleTop,
  worse,
} from '../../domain/list/conversation-list.ts'
import type { ListAnswer, ListPageRequest, TopRequest } from '../../domain/list/list-calls.ts'
import { isFiltered, isSameQuery, isSearchable, type ListQuery } from '../../domain/list/list-query.ts'
import { idsOfMessage, type Records, rowById, rowIdIn, withFetched } from '../../domain/list/records.ts'
import { type ListRule, ruleOf } from '../../domain/list/views.ts'
import { mayBeTemporary, noRetries, type Retries, retriesAfter } from '../../domain/retries.ts'
import type { MessageChange, UserChange } from '../../domain/shell/changes.ts'
import type { ConversationView } from '../../schemas/conversation-state.ts'
import type { Label } from '../../schemas/label.ts'
import type { SavedInbox } from '../../schemas/saved-inbox.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { notifyFailure } from '../notify-failure.ts'
import { isTemporary } from '../on-failure.ts'
import { tellSession } from '../session-events.ts'
import { recordsIn, tellRecords } from './records.ts'

export type Context = Retries & {
  query: ListQuery
  /** The signed-in staff member, for the view of their own conversations. */
  userId: string
  now: () => number
  /** The row ids of the loaded rows, in the order of the view. */
  order: ListOrder
  /** The number of loaded rows that could not be read. The server counts them in its pages. */
  unreadable: number
  total: number
  hasNext: boolean
  /** The list comes from an earlier page load, and the server has not answered yet. */
  isSaved: boolean
  /** The row that was read last under "unread only". It stays in the list until another row is read. */
  held: readonly string[]
  /** The parts of the list that must be fetched again, and the parts being fetched. */
  stale: Staleness
  fetching: Staleness
  /** The number of rows that the pending fetch replaces. */
  covered: number
  /** A change arrived after the pending page was requested. */
  isPageOvertaken: boolean
  /** A resync was required after the pending list was requested. */
  isListOvertaken: boolean
  /** The number of the last change in the records when the top, or the page, was requested. */
  topAsOf: number
  pageAsOf: number
  /** The page to load next, counted from 1. */
  nextPage: number
  /** The session waits for `resync.done`. */
  needsResync: boolean
  /** A person requested the refetch, so a failure is shown at once. */
  isAsked: boolean
}

export type ConversationsEvent =
  | { type: 'search.typed'; text: string }
  | { type: 'page.chosen'; pageId: string | null }
  | { type: 'unreadOnly.chosen'; unreadOnly: boolean }
  | { type: 'view.chosen'; view: ConversationView }
  /** `undefined` removes the filter, or the choice of an order. */
  | {
      type: 'filter.chosen'
      filter: Pick<ListQuery, 'labelId'> | Pick<ListQuery, 'assignedTo'> | Pick<ListQuery, 'order'>
    }
  /** These labels exist. */
  | { type: 'labels.loaded'; labels: readonly Label[] }
  /** The query from the URL. Fetched without a typing delay. */
  | { type: 'query.opened'; query: ListQuery }
  | { type: 'more.requested' }
  /** Fetches all loaded rows again on a person's request. After a failed first load, the retry. */
  | { type: 'refetch.requested' }
  /** A change affects the top of the list. */
  | { type: 'list.invalidated' }
  | { type: 'messages.changed'; changes: readonly MessageChange[] }
  | { type: 'users.changed'; changes: readonly UserChange[] }
  /** What a client of any row owes may have changed, and with it the place of the row. */
  | ClientDataChanged
  | { type: 'conversation.read'; id: string }
  /** The states of these conversations changed. The records hold them. */
  | { type: 'states.moved'; ids: readonly string[] }
  | { type: 'resync.requested' }

export const pageSize = limits.conversationPageSize

/** The number of loaded rows of the server's list. A held row without unread messages is not in the server's list. */
const loadedCount = (order: ListOrder, held: readonly string[], records: Records): number =>
  order.length - held.filter((id) => rowById(records, id)?.unread_messages === 0).length

const ruleIn = ({ query, userId, now }: Context): ListRule => ruleOf(query, userId, now())

/** The row ids of the conversations that have inserted messages among the changes. */
const rowIdsOf = (changes: readonly MessageChange[], records: Records): string[] =>
  changes.flatMap((change) => (change.type === 'INSERT' ? (rowIdIn(records, idsOfMessage(change.record)) ?? []) : []))

/** The most loaded rows that a refetch covers. Later rows are updated when the person scrolls to them. */
const refreshLimit = 500

/** The context, events, guards and actions of the list's states. */
export const conversationsSetup = setup({
  types: {
    context: {} as Context,
    events: {} as ConversationsEvent,
    input: {} as
      | {
          pageId?: string | null
          saved?: SavedInbox['list'] | undefined
          /** The first view; undefined if the API offers no views. */
          view?: ConversationView | undefined
          userId?: string
          now?: () => number
        }
      | undefined,
  },
  actors: {
    /** Loads the first `count` rows. */
    loadTop: fromPromise<ListAnswer, TopRequest>(mustBeProvided('loadTop')),
    /** Loads a page of 20 rows, counted from 1. */
    loadPage: fromPromise<ListAnswer, ListPageRequest>(mustBeProvided('loadPage')),
  },
  delays: {
    searchDebounce: limits.conversationSearchDebounce,
    refreshInterval: 1_000,
    retryDelay: ({ context }) => context.retryDelay,
  },
  guards: {
    'is another search': ({ context }, { search }: { search: string }) =>
      search !== context.query.search && isSearchable(search),
    'the chosen label is gone': ({ context: { query } }, { labels }: { labels: readonly Label[] }) =>
      query.labelId !== undefined && !labels.some(({ id }) => id === query.labelId),
    'is another query': ({ context }, params: { query: ListQuery }) =>
      !isSameQuery(params.query, context.query) || params.query.view !== context.query.view,
    'has more': ({ context }) => context.hasNext,
    'is stale': ({ context }) => context.stale.depth !== 'none',
    'was overtaken by a resync': ({ context }) => context.isListOvertaken,
    'requires a resync': ({ context }) => context.needsResync,
    'is temporary': isTemporary,
    /** A refused fetch too is retried while the session waits for the resync. */
    'should retry': ({ context }, params: { error: unknown }) => context.needsResync || mayBeTemporary(params.error),
  },
  actions: {
    'notify failure': notifyFailure,
    tellSession,
    tellRecords,
    'use query': assign({
      query: ({ context }, part: Partial<ListQuery>) => ({ ...context.query, ...part }),
      held: [],
    }),
    'start a new list': assign({
      stale: fresh,
      isListOvertaken: false,
      topAsOf: ({ system }) => recordsIn(system).sequence,
    }),
    'start a refresh': assign(({ context, system }) => {
      const fetching = worse(context.stale, staleTop)
      const covered = fetching.depth === 'all' ? Math.min(context.order.length, refreshLimit) : 0
      return { stale: fresh, fetching, covered, topAsOf: recordsIn(system).sequence }
    }),
    'start loading a result page': assign(({ context, system }) => {
      const records = recordsIn(system)
      const loaded = loadedCount(context.order, context.held, records) + context.unreadable
      return { isPageOvertaken: false, pageAsOf: records.sequence, nextPage: Math.floor(loaded / pageSize) + 1 }
    }),
    'show the list': assign(({ context, system }, { rows, unreadable = 0, hasNext, total }: ListAnswer) => ({
      order: replaced(context.order, rows, withFetched(recordsIn(system), rows, context.topAsOf), ruleIn(context)),
      unreadable,
      total,
      hasNext,
      isSaved: false,
      isAsked: false,
      ...noRetries,
    })),
    'merge the first page': assign(({ context, system }, { rows, unreadable = 0, hasNext, total }: ListAnswer) => {
      const { fetching, covered, stale, held } = context
      const records = withFetched(recordsIn(system), rows, context.topAsOf)
      const answer = { rows, hasNext, covered, changedSince: [...stale.rows, ...held] }
      const { order, dropped } = mergeTop(context.order, answer, records, ruleIn(context))
      const length = loadedCount(order, held, records)
      const awaited = fetching.rows.filter((id) => !held.includes(id))
      const isUnsure = (dropped && fetching.depth === 'top' && length > rows.length) || isMissing(order, awaited, rows)
      return {
        order,
        // A fetch of the top alone does not count the unreadable rows below.
        unreadable: covered > 0 ? unreadable : Math.max(context.unreadable, unreadable),
        total,
        hasNext: hasNext && (context.hasNext || total > length || length <= rows.length),
        stale: isUnsure ? worse(stale, staleAll) : stale,
        isAsked: false,
        ...noRetries,
      }
    }),
    'append the result page': assign(({ context, system }, { rows, unreadable = 0, hasNext, total }: ListAnswer) => {
      const records = withFetched(recordsIn(system), rows, context.pageAsOf)
      const order = appended(context.order, rows, records, ruleIn(context))
      const isStuck = hasNext && order.length === context.order.length
      return {
        order,
        unreadable: context.unreadable + unreadable,
        total,
        hasNext,
        stale: isStuck || context.isPageOvertaken ? worse(context.stale, staleAll) : context.stale,
      }
    }),
    invalidate: assign({
      stale: ({ context }, { stale }: { stale: Staleness }) => worse(context.stale, stale),
      isPageOvertaken: true,
    }),
    'invalidate the fetched part': assign({ stale: ({ context }) => worse(context.stale, context.fetching) }),
    'require a resync': assign({ needsResync: true, stale: ({ context }) => worse(context.stale, staleAll) }),
    'mark the list as overtaken': assign({ isListOvertaken: true }),
    'clear the required resync': assign({ needsResync: false }),
    'move up rows with new messages': assign(
      ({ context, system }, { changes }: { changes: readonly MessageChange[] }) => {
        const records = recordsIn(system)
        const { isByMessage } = ruleIn(context)
        const order = isByMessage ? movedUp(context.order, changes, records) : context.order
        const stale: Staleness = isByMessage
          ? stalenessAfterMessages(order, changes, records, pageSize)
          : { depth: 'all', rows: rowIdsOf(changes, records) }
        return { order, stale: worse(context.stale, stale), isPageOvertaken: true }
      },
    ),
    'move rows by their states': assign(({ context, system }, { ids }: { ids: readonly string[] }) => {
      const records = recordsIn(system)
      const rows = ids.flatMap((id) => rowIdIn(records, [id]) ?? [])
      const rule = ruleIn(context)
      const order = placed(context.order, rows, records, rule, !isFiltered(context.query))
      return {
        order,
        total: Math.max(order.length, context.total + order.length - context.order.length),
        stale: worse(context.stale, { depth: rule.isByMessage ? 'top' : 'all', rows }),
        isPageOvertaken: true,
      }
    }),
    'invalidate rows of changed people': assign(
      ({ context, system }, { changes }: { changes: readonly UserChange[] }) => ({
        stale: worse(context.stale, stalenessAfterUsers(context.order, changes, recordsIn(system), pageSize)),
        isPageOvertaken: true,
      }),
    ),
    // Rows that are loading, and in the order of amounts rows that are not loaded, may have any client.
    'invalidate rows of changed clients': assign(
      ({ context, system }, { clientIds }: { clientIds: readonly string[] | null }) => {
        const isAny = context.order.length === 0 || context.query.order === 'urgent'
        const changed = stalenessAfterClients(context.order, isAny ? null : clientIds, recordsIn(system))
        return { stale: worse(context.stale, changed), isPageOvertaken: true }
      },
    ),
    'hold the read conversation': assign({
      held: ({ context, system }, { id }: { id: string }) => {
        const row = rowIdIn(recordsIn(system), [id])
        return context.query.unreadOnly && row !== null && context.order.includes(row) ? [row] : context.held
      },
    }),
    'mark as requested': assign({ isAsked: true }),
    'clear the requested mark': assign({ isAsked: false }),
    'count the failure': assign(({ context }, { error }: { error: unknown }) => ({
      isAsked: false,
      ...retriesAfter(context, error),
    })),
  },
})
