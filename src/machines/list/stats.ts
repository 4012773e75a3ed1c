import type { SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import { limits } from '../../domain/limits.ts'
import { noRetries, type Retries } from '../../domain/retries.ts'
import type { ViewCounts } from '../../schemas/conversation-state.ts'
import type { Stats } from '../../schemas/stats.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { ifTemporary, reportOnce } from '../on-failure.ts'
import { readingActions, readingDelays, readingGuards } from '../reading.ts'
import { recordsIn } from './records.ts'

type Context = Retries & {
  pageId: string | null
  stats: Stats | null
  /** The shown number of unread messages: the number of the last answer plus the later changes in the records. */
  unread: number
  /** The records' change of the unread number at the last count. */
  unreadChange: number
  uncounted: number
  /** The shown number includes every received change. */
  isExact: boolean
  /** A change arrived after the pending answer was requested. */
  isOvertaken: boolean
}

export type StatsEvent =
  /** The counts may have changed in an unknown way. */
  | { type: 'stats.invalidated' }
  /** Messages changed, or were read in this tab. The records hold the known changes. */
  | { type: 'unread.changed' }
  | { type: 'page.chosen'; pageId: string | null }
  | { type: 'refetch.requested' }

/** Events after which the counts are fetched again. */
const counting = {
  'stats.invalidated': { actions: 'mark the number as inexact' as const },
  'unread.changed': { actions: 'count the change' as const },
}

/**
 * The counts in the header. The unread number follows the records at once. All counts are fetched again 1 s after a
 * change (spec section 4), which corrects them. Further changes do not delay this fetch.
 */
export const statsMachine = setup({
  types: {
    context: {} as Context,
    events: {} as StatsEvent,
    input: {} as { pageId?: string | null } | undefined,
  },
  actors: {
    loadStats: fromPromise<Stats, { pageId: string | null }>(mustBeProvided('loadStats')),
  },
  delays: {
    changesDebounce: limits.statsRefreshDebounce,
    ...readingDelays,
  },
  guards: {
    'was overtaken': ({ context }) => context.isOvertaken,
    ...readingGuards,
    'is another page': ({ context }, params: { pageId: string | null }) => params.pageId !== context.pageId,
  },
  actions: {
    ...readingActions,
    'use page': assign({ pageId: (_, params: { pageId: string | null }) => params.pageId }),
    'count the change': assign(({ context, system }) => {
      const { unreadChange, uncounted } = recordsIn(system)
      return {
        unread: Math.max(0, context.unread + unreadChange - context.unreadChange),
        unreadChange,
        uncounted,
        isExact: context.isExact && uncounted === context.uncounted,
      }
    }),
    'mark the number as inexact': assign({ isExact: false }),
    /** An answer that may lack later changes does not replace a number that includes them. */
    'show stats': assign(({ context }, { stats }: { stats: Stats }) => ({
      stats,
      unread: context.isOvertaken && context.isExact ? context.unread : stats.unread_messages,
      isExact: context.isExact || !context.isOvertaken,
      ...noRetries,
    })),
    'start counting': assign({ isOvertaken: false }),
    'mark the answer as overtaken': assign({ isOvertaken: true }),
  },
}).createMachine({
  id: 'stats',
  context: ({ input }) => ({
    pageId: input?.pageId ?? null,
    stats: null,
    unread: 0,
    unreadChange: 0,
    uncounted: 0,
    isExact: false,
    isOvertaken: false,
    ...noRetries,
  }),
  initial: 'loading',
  on: {
    'page.chosen': {
      guard: { type: 'is another page', params: ({ event }) => ({ pageId: event.pageId }) },
      target: '.loading',
      actions: [{ type: 'use page', params: ({ event }) => ({ pageId: event.pageId }) }, 'mark the number as inexact'],
    },
    /** A person requested the refetch, so a failure is shown again. */
    'refetch.requested': { target: '.loading', actions: 'reset the failure count' },
  },
  states: {
    idle: {
      on: {
        'stats.invalidated': { target: 'debouncing', actions: 'mark the number as inexact' },
        'unread.changed': { target: 'debouncing', actions: 'count the change' },
      },
    },
    debouncing: { after: { changesDebounce: 'loading' }, on: counting },
    loading: {
      entry: 'start counting',
      invoke: {
        id: 'loadStats',
        src: 'loadStats',
        input: ({ context }) => ({ pageId: context.pageId }),
        onDone: [
          {
            guard: 'was overtaken',
            target: 'debouncing',
            actions: { type: 'show stats', params: ({ event }) => ({ stats: event.output }) },
          },
          { target: 'idle', actions: { type: 'show stats', params: ({ event }) => ({ stats: event.output }) } },
        ],
        onError: [
          { guard: ifTemporary, target: 'backingOff', actions: reportOnce() },
          { guard: 'was overtaken', target: 'debouncing', actions: reportOnce() },
          { target: 'idle', actions: reportOnce() },
        ],
      },
      on: {
        'stats.invalidated': { actions: ['mark the answer as overtaken', 'mark the number as inexact'] },
        'unread.changed': { actions: ['mark the answer as overtaken', 'count the change'] },
      },
    },
    backingOff: { after: { retryDelay: 'loading' }, on: counting },
  },
})

type Snapshot = SnapshotFrom<typeof statsMachine>

/** Null until the counts are loaded. */
export const selectTotalConversations = (snapshot: Snapshot): number | null =>
  snapshot.context.stats?.total_conversations ?? null

/** Null until the counts are loaded, and if the API offers no views. */
export const selectViewCounts = (snapshot: Snapshot): ViewCounts | null => snapshot.context.stats?.views ?? null

/** Null until the counts are loaded. */
export const selectUnreadMessages = (snapshot: Snapshot): number | null =>
  snapshot.context.stats === null ? null : snapshot.context.unread
