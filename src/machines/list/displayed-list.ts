import type { EventObject, SnapshotFrom } from 'xstate'
import { and, assign, fromCallback, not, setup, stateIn } from 'xstate'
import { type Arrangement, arranged, emptyArrangement, held, waitingCount } from '../../domain/list/displayed-list.ts'
import { addressSearchOf } from '../../domain/list/list-query.ts'
import { type Choice, emptyChoice, toggled, withAll, withoutOthers, withRange } from '../../domain/list/marked-rows.ts'
import type { Records } from '../../domain/list/records.ts'
import { viewOf } from '../../domain/list/views.ts'
import { recordsIn, tellRecords } from './records.ts'

/** The list as the server and realtime have told it. */
type List = {
  order: readonly string[]
  /** The address of the query. */
  query: string
  /** Only Waiting folds late rows. */
  folds: boolean
  hasNext: boolean
  /** The rows belong to an earlier query. */
  isLoading: boolean
}

export type DisplayedListEvent =
  | ({ type: 'list.changed' } & List)
  /** The mouse is over the list. */
  | { type: 'pointer.entered' }
  | { type: 'pointer.left' }
  /** The list has the keyboard focus. */
  | { type: 'focus.entered' }
  | { type: 'focus.left' }
  /** A pointer is down on the list. */
  | { type: 'press.began' }
  | { type: 'press.ended' }
  /** The person wants to see the new and moved rows. */
  | { type: 'arrivals.taken' }
  | { type: 'fold.toggled' }
  | { type: 'row.marked'; id: string }
  /** The rows from the last chosen one, or else from `from`, to this one. */
  | { type: 'range.marked'; from: string; id: string }
  | { type: 'all.marked' }
  | { type: 'marks.cleared' }

/** Changes which rows are chosen. */
export type MarkEvent = Extract<DisplayedListEvent, { type: `${string}.marked` }>

type Context = {
  now: () => number
  list: List
  latest: Arrangement
  shown: Arrangement
  /** The shown rows that are no longer in the list. */
  leaving: readonly string[]
  isFoldOpen: boolean
  choice: Choice
}

/** Reports the list whenever it has changed. */
const watchList = fromCallback<EventObject>(({ system, sendBack }) => {
  const conversations = system.get('conversations')
  if (conversations === undefined) return
  let last: List | null = null
  const look = () => {
    const snapshot = conversations.getSnapshot()
    const { order, query, hasNext } = snapshot.context
    const isLoading = snapshot.matches('debouncing') || snapshot.matches('loading')
    const list = { order, query: addressSearchOf(query), folds: viewOf(query) === 'waiting', hasNext, isLoading }
    if (last !== null && last.order === order && last.query === list.query && last.hasNext === hasNext)
      if (last.isLoading === isLoading) return
    last = list
    sendBack({ type: 'list.changed', ...list } satisfies DisplayedListEvent)
  }
  const subscription = conversations.subscribe(look)
  look()
  return () => subscription.unsubscribe()
})

const latestOf = ({ latest, now }: Context, { order, folds }: List, records: Records): Arrangement => {
  if (folds) return arranged(latest, order, records, now())
  return latest.ids === order ? latest : { ids: order, late: 0 }
}

/** The rows that can be chosen together: those that are shown and belong to the list. */
const choosable = ({ shown, leaving, isFoldOpen }: Context): readonly string[] =>
  shown.ids.slice(0, isFoldOpen ? undefined : shown.ids.length - shown.late).filter((id) => !leaving.includes(id))

const displayedListSetup = setup({
  types: {
    context: {} as Context,
    events: {} as DisplayedListEvent,
    input: {} as { now?: () => number } | undefined,
  },
  actors: { watchList },
  delays: {
    /** Milliseconds. A click arrives after the release of the pointer. */
    clickDelay: 100,
    /** Milliseconds between leaving the list and the moves of its rows. */
    settleDelay: 300,
    /** Milliseconds after which rows may have become late. */
    windowTick: 30_000,
  },
  guards: {
    'is not in use': and([stateIn({ pointer: 'outside' }), stateIn({ focus: 'outside' }), stateIn({ press: 'none' })]),
    'is another list': ({ context: { list } }, next: List) =>
      next.query !== list.query || (list.isLoading && !next.isLoading),
  },
  actions: {
    tellRecords,
    'store the list': assign(({ context, system }, next: List) => ({
      list: next,
      latest: latestOf(context, next, recordsIn(system)),
    })),
    'arrange by the time': assign({
      latest: ({ context, system }) => latestOf(context, context.list, recordsIn(system)),
    }),
    'show the latest': assign(({ context: { latest, choice } }) => ({
      shown: latest,
      leaving: [],
      choice: withoutOthers(choice, new Set(latest.ids)),
    })),
    'store the list behind the shown': assign(({ context, system }, next: List) => {
      const latest = latestOf(context, next, recordsIn(system))
      // Only if the list had more rows, those at its end were loaded by scrolling.
      const shown = held(context.shown, latest, context.list.hasNext)
      const listed = new Set(latest.ids)
      return { list: next, latest, shown, leaving: shown.ids.filter((id) => !listed.has(id)) }
    }),
    'toggle the fold': assign({ isFoldOpen: ({ context }) => !context.isFoldOpen }),
    'toggle the mark': assign({ choice: ({ context }, { id }: { id: string }) => toggled(context.choice, id) }),
    'mark the range': assign({
      choice: ({ context }, { from, id }: { from: string; id: string }) =>
        withRange(context.choice, choosable(context), from, id),
    }),
    'mark all': assign({ choice: ({ context }) => withAll(context.choice, choosable(context)) }),
    'clear the marks': assign({ choice: emptyChoice }),
  },
})

/** Keeps the rows that are shown, although the list may no longer hold them. */
const keepRows = {
  type: 'tellRecords' as const,
  params: ({ context }: { context: Context }) => ({
    type: 'conversations.held' as const,
    from: 'list' as const,
    ids: context.shown.ids,
  }),
}

const listOf = ({ event: { order, query, folds, hasNext, isLoading } }: { event: List }): List => ({
  order,
  query,
  folds,
  hasNext,
  isLoading,
})

const holding = {
  'list.changed': [
    {
      guard: { type: 'is another list' as const, params: listOf },
      actions: [
        { type: 'store the list' as const, params: listOf },
        'show the latest' as const,
        'clear the marks' as const,
        keepRows,
      ],
    },
    { actions: [{ type: 'store the list behind the shown' as const, params: listOf }, keepRows] },
  ],
}

/**
 * The list as it is shown. While the pointer, the focus or a press is in the list, no row moves: new and moved rows
 * wait, and rows that left stay. Also holds the marked rows and the fold of the late rows.
 */
export const displayedListMachine = displayedListSetup.createMachine({
  id: 'displayedList',
  context: ({ input }) => ({
    now: input?.now ?? Date.now,
    list: { order: [], query: '', folds: false, hasNext: false, isLoading: true },
    latest: emptyArrangement,
    shown: emptyArrangement,
    leaving: [],
    isFoldOpen: false,
    choice: emptyChoice,
  }),
  invoke: { src: 'watchList', id: 'watchList' },
  type: 'parallel',
  on: {
    'fold.toggled': { actions: 'toggle the fold' },
    'row.marked': { actions: { type: 'toggle the mark', params: ({ event }) => event } },
    'range.marked': { actions: { type: 'mark the range', params: ({ event }) => event } },
    'all.marked': { actions: 'mark all' },
    'marks.cleared': { actions: 'clear the marks' },
  },
  states: {
    pointer: {
      initial: 'outside',
      states: {
        outside: { on: { 'pointer.entered': 'inside' } },
        inside: { on: { 'pointer.left': 'outside' } },
      },
    },
    focus: {
      initial: 'outside',
      states: {
        outside: { on: { 'focus.entered': 'inside' } },
        inside: { on: { 'focus.left': 'outside' } },
      },
    },
    press: {
      initial: 'none',
      states: {
        none: { on: { 'press.began': 'down' } },
        down: { on: { 'press.ended': 'clicking' } },
        clicking: { after: { clickDelay: 'none' }, on: { 'press.began': 'down' } },
      },
    },
    order: {
      initial: 'following',
      states: {
        following: {
          entry: [
            'arrange by the time',
            'show the latest',
            { type: 'tellRecords', params: { type: 'conversations.held', from: 'list', ids: [] } },
          ],
          always: { guard: not('is not in use'), target: 'held' },
          after: { windowTick: { target: 'following', reenter: true } },
          on: {
            'list.changed': [
              {
                guard: { type: 'is another list', params: listOf },
                actions: [{ type: 'store the list', params: listOf }, 'show the latest', 'clear the marks'],
              },
              { actions: [{ type: 'store the list', params: listOf }, 'show the latest'] },
            ],
          },
        },
        held: {
          entry: keepRows,
          always: { guard: 'is not in use', target: 'settling' },
          on: { ...holding, 'arrivals.taken': { actions: ['arrange by the time', 'show the latest', keepRows] } },
        },
        settling: {
          always: { guard: not('is not in use'), target: 'held' },
          after: { settleDelay: 'following' },
          on: holding,
        },
      },
    },
  },
})

type Snapshot = SnapshotFrom<typeof displayedListMachine>

export const selectShown = (snapshot: Snapshot): Arrangement => snapshot.context.shown
export const selectLeaving = (snapshot: Snapshot): readonly string[] => snapshot.context.leaving
export const selectMarked = (snapshot: Snapshot): readonly string[] => snapshot.context.choice.marked
/** The number of rows that can be chosen at once, chosen or not. */
export const selectChoosableCount = ({ context }: Snapshot): number => choosable(context).length
export const selectIsFoldOpen = (snapshot: Snapshot): boolean => snapshot.context.isFoldOpen
export const selectIsHeld = (snapshot: Snapshot): boolean => !snapshot.matches({ order: 'following' })

/** The number of rows that are new or moved since the order is held. */
export const selectWaitingCount = ({ context: { shown, latest } }: Snapshot): number =>
  waitingCount(shown.ids, latest.ids)
