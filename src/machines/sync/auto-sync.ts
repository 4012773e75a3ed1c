import type { SnapshotFrom } from 'xstate'
import { assign, fromPromise, raise, setup } from 'xstate'
import { limits } from '../../domain/limits.ts'
import { autoSyncToasts } from '../../domain/sync/toasts.ts'
import type { ToastText } from '../../domain/toast.ts'
import type { AutoSyncRun, AutoSyncStatus } from '../../schemas/auto-sync.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { notifyFailure, notifyWhen } from '../notify-failure.ts'
import { reportFailure } from '../on-failure.ts'
import { tellSession } from '../session-events.ts'
import { notify } from '../system.ts'

type Context = {
  status: AutoSyncStatus | null
  /** The time of the last status, in milliseconds. */
  knownAt: number | null
  isHidden: boolean
  now: () => number
}

export type AutoSyncEvent =
  | { type: 'status.received'; status: AutoSyncStatus }
  /** Fetches the status at once. */
  | { type: 'refetch.requested' }
  | { type: 'force.requested' }
  | { type: 'tab.shown' }
  | { type: 'tab.hidden' }
  | { type: 'clock.jumped' }

const forceToasts: Record<AutoSyncRun['state'], ToastText> = {
  completed: autoSyncToasts.forced,
  running: autoSyncToasts.goesOn,
  stopped: autoSyncToasts.stopped,
  failed: autoSyncToasts.forceFailed,
}

const runOf = (status: AutoSyncStatus | null): string =>
  `${status?.lastRun?.id ?? ''} ${status?.lastRun?.finished_at ?? ''}`

/**
 * The status of the automatic sync (spec section 4). Polls every 30 s; a failed poll shows no toast. The status is old
 * after 120 s without an answer. Forced syncs run here, so the result is shown even after the dialog was closed.
 */
export const autoSyncMachine = setup({
  types: {
    context: {} as Context,
    events: {} as AutoSyncEvent,
    input: {} as { now?: () => number } | undefined,
  },
  actors: {
    loadStatus: fromPromise<AutoSyncStatus>(mustBeProvided('loadStatus')),
    forceSync: fromPromise<AutoSyncRun | null>(mustBeProvided('forceSync')),
  },
  delays: {
    /** A hidden tab polls less often. */
    pollDelay: ({ context }) => limits.statusPolling * (context.isHidden ? 10 : 1),
    statusMaxAge: limits.statusMaxAge,
  },
  guards: {
    'is a different run': ({ context }, { status }: { status: AutoSyncStatus }) =>
      context.status !== null && runOf(context.status) !== runOf(status),
  },
  actions: {
    notify,
    'notify when': notifyWhen,
    'notify failure': notifyFailure,
    tellSession,
    'receive the status': raise(
      (_, { status }: { status: AutoSyncStatus }) => ({ type: 'status.received', status }) as const,
    ),
    'refetch the status': raise({ type: 'refetch.requested' }),
    'store the status': assign(({ context }, { status }: { status: AutoSyncStatus }) => ({
      status,
      knownAt: context.now(),
    })),
    'remember that the tab is hidden': assign({ isHidden: true }),
    'remember that the tab is visible': assign({ isHidden: false }),
  },
}).createMachine({
  id: 'autoSync',
  context: ({ input }) => ({ status: null, knownAt: null, isHidden: false, now: input?.now ?? Date.now }),
  type: 'parallel',
  states: {
    watching: {
      initial: 'polling',
      on: {
        'refetch.requested': '.polling',
        // The received status may be newer than the pending answer, so the answer is discarded.
        'status.received': '.waiting',
        'tab.hidden': { actions: 'remember that the tab is hidden' },
        'tab.shown': { target: '.polling', actions: 'remember that the tab is visible' },
        'clock.jumped': '.polling',
      },
      states: {
        polling: {
          invoke: {
            id: 'loadStatus',
            src: 'loadStatus',
            onDone: { actions: { type: 'receive the status', params: ({ event }) => ({ status: event.output }) } },
            onError: 'waiting',
          },
        },
        waiting: { after: { pollDelay: 'polling' } },
      },
    },
    freshness: {
      initial: 'none',
      on: {
        'status.received': [
          {
            // A new run may have changed which pages failed or have invalid tokens, so the pages are fetched again.
            guard: { type: 'is a different run', params: ({ event }) => event },
            target: '.fresh',
            actions: [
              { type: 'store the status', params: ({ event }) => event },
              { type: 'tellSession', params: { type: 'pages.invalidated' } },
            ],
          },
          { target: '.fresh', actions: { type: 'store the status', params: ({ event }) => event } },
        ],
      },
      states: {
        none: {},
        fresh: { after: { statusMaxAge: 'old' }, on: { 'clock.jumped': 'old' } },
        old: {},
      },
    },
    forcing: {
      initial: 'idle',
      states: {
        idle: { on: { 'force.requested': 'syncing' } },
        syncing: {
          exit: ['refetch the status', { type: 'tellSession', params: { type: 'inbox.invalidated' } }],
          invoke: {
            id: 'forceSync',
            src: 'forceSync',
            onDone: {
              target: 'idle',
              actions: { type: 'notify', params: ({ event }) => forceToasts[event.output?.state ?? 'completed'] },
            },
            onError: {
              target: 'idle',
              actions: reportFailure(autoSyncToasts.forceFailed),
            },
          },
        },
      },
    },
  },
})

type Snapshot = SnapshotFrom<typeof autoSyncMachine>

/** Null until the status is known. */
export const selectStatus = (snapshot: Snapshot): AutoSyncStatus | null => snapshot.context.status

/** The time of the last status, in milliseconds; null before the first. */
export const selectKnownAt = (snapshot: Snapshot): number | null => snapshot.context.knownAt

export const selectIsForcing = (snapshot: Snapshot): boolean => snapshot.matches({ forcing: 'syncing' })

export type AutoSyncState = 'unknown' | 'old' | 'syncing' | 'on' | 'off'

/** The state of the indicator (spec section 2). An old status is neither On nor Off. */
export const selectAutoSyncState = (snapshot: Snapshot): AutoSyncState => {
  const { status } = snapshot.context
  if (selectIsForcing(snapshot)) return 'syncing'
  if (status === null) return 'unknown'
  if (snapshot.matches({ freshness: 'old' })) return 'old'
  if (status.isSyncing) return 'syncing'
  return status.isRunning ? 'on' : 'off'
}
