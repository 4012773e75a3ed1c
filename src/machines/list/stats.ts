import type { SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import { limits } from '../../domain/limits.ts'
import { noRetries, type Retries, retriesAfter } from '../../domain/retries.ts'
import type { Stats } from '../../schemas/stats.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { notifyFailure } from '../notify-failure.ts'
import { ifTemporary, isTemporary, reportOnce } from '../on-failure.ts'

type Context = Retries & {
  pageId: string | null
  stats: Stats | null
  /** Something changed after the answer under way was asked for. */
  isOvertaken: boolean
}

export type StatsEvent =
  /** Messages changed, or one was sent. */
  { type: 'stats.invalidated' } | { type: 'page.chosen'; pageId: string | null } | { type: 'refetch.requested' }

/** The counts in the header, fetched again 1 s after a change (spec section 4). A storm of changes does not put it off. */
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
    retryDelay: ({ context }) => context.retryDelay,
  },
  guards: {
    'was invalidated meanwhile': ({ context }) => context.isOvertaken,
    'is temporary': isTemporary,
    'is another page': ({ context }, params: { pageId: string | null }) => params.pageId !== context.pageId,
  },
  actions: {
    'notify failure': notifyFailure,
    'use page': assign({ pageId: (_, params: { pageId: string | null }) => params.pageId }),
    'show stats': assign({ stats: (_, params: { stats: Stats }) => params.stats, ...noRetries }),
    begin: assign({ isOvertaken: false }),
    'remember the change': assign({ isOvertaken: true }),
    'count the failure': assign(({ context }, { error }: { error: unknown }) => retriesAfter(context, error)),
    'reset the failure count': assign(noRetries),
  },
}).createMachine({
  id: 'stats',
  context: ({ input }) => ({ pageId: input?.pageId ?? null, stats: null, isOvertaken: false, ...noRetries }),
  initial: 'loading',
  on: {
    'page.chosen': {
      guard: { type: 'is another page', params: ({ event }) => ({ pageId: event.pageId }) },
      target: '.loading',
      actions: { type: 'use page', params: ({ event }) => ({ pageId: event.pageId }) },
    },
    /** A person asks, and is told again if it fails. */
    'refetch.requested': { target: '.loading', actions: 'reset the failure count' },
  },
  states: {
    idle: { on: { 'stats.invalidated': 'debouncing' } },
    debouncing: { after: { changesDebounce: 'loading' } },
    loading: {
      entry: 'begin',
      invoke: {
        id: 'loadStats',
        src: 'loadStats',
        input: ({ context }) => ({ pageId: context.pageId }),
        onDone: [
          {
            guard: 'was invalidated meanwhile',
            target: 'debouncing',
            actions: { type: 'show stats', params: ({ event }) => ({ stats: event.output }) },
          },
          { target: 'idle', actions: { type: 'show stats', params: ({ event }) => ({ stats: event.output }) } },
        ],
        onError: [
          { guard: ifTemporary, target: 'backingOff', actions: reportOnce() },
          { guard: 'was invalidated meanwhile', target: 'debouncing', actions: reportOnce() },
          { target: 'idle', actions: reportOnce() },
        ],
      },
      on: { 'stats.invalidated': { actions: 'remember the change' } },
    },
    backingOff: { after: { retryDelay: 'loading' } },
  },
})

type Snapshot = SnapshotFrom<typeof statsMachine>

/** Null until they are known. */
export const selectTotalConversations = (snapshot: Snapshot): number | null =>
  snapshot.context.stats?.total_conversations ?? null

/** Null until they are known. */
export const selectUnreadMessages = (snapshot: Snapshot): number | null =>
  snapshot.context.stats?.unread_messages ?? null
