import type { SnapshotFrom } from 'xstate'
import { and, assign, fromPromise, not, raise, setup } from 'xstate'
import { limits } from '../../domain/limits.ts'
import { noRetries, type Retries } from '../../domain/retries.ts'
import { historySyncToasts } from '../../domain/sync/dialog-toasts.ts'
import type { HistorySyncRequest } from '../../domain/sync/sync-calls.ts'
import { historyLimitOf, historyLimitProblem } from '../../domain/sync/sync-settings.ts'
import type { Platform } from '../../schemas/conversation.ts'
import { type HistorySync, isUnderWay, type SyncStatus } from '../../schemas/sync.ts'
import { t } from '../../texts/sync-on-demand.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { ifTemporary, reportFailure, reportOnce } from '../on-failure.ts'
import { readingActions, readingDelays, readingGuards } from '../reading.ts'
import { tellSession } from '../session-events.ts'
import { notify } from '../system.ts'

declare module '../shell/dialog.ts' {
  interface DialogLogics {
    historySync: typeof historySyncMachine
  }
}

type Context = Retries & {
  pageId: string | null
  platform: Platform
  /** The typed text. */
  limit: string
  /** The status of the chosen page; null until it is known. */
  status: SyncStatus | null
  /** The running sync, or the sync that ended while the dialog was open. */
  job: HistorySync | null
}

export type HistorySyncEvent =
  | { type: 'page.chosen'; pageId: string | null }
  | { type: 'platform.chosen'; platform: Platform }
  | { type: 'limit.typed'; limit: string }
  | { type: 'refetch.requested' }
  | { type: 'sync.requested' }
  | { type: 'cancel.requested' }
  | { type: 'dialog.dismissed' }

type Found = { type: 'sync.found'; job: HistorySync } | { type: 'status.invalidated' }
type Job = { job: HistorySync }

/**
 * The dialog 'Sync Historical Messages' (spec section 2). A sync runs on the server, so closing the dialog does not
 * stop the sync. Choosing the page again shows the running sync.
 */
export const historySyncMachine = setup({
  types: {
    context: {} as Context,
    events: {} as HistorySyncEvent | Found,
    input: {} as { pageId: string | null },
  },
  actors: {
    loadSyncStatus: fromPromise<SyncStatus, { pageId: string }>(mustBeProvided('loadSyncStatus')),
    /** Returns null if the API completed the sync before it answered and names no job. */
    startHistorySync: fromPromise<HistorySync | null, HistorySyncRequest>(mustBeProvided('startHistorySync')),
    loadHistorySync: fromPromise<HistorySync, { id: string }>(mustBeProvided('loadHistorySync')),
    cancelHistorySync: fromPromise<HistorySync, { id: string }>(mustBeProvided('cancelHistorySync')),
  },
  delays: {
    progressInterval: 2_000,
    ...readingDelays,
  },
  guards: {
    'has a page': ({ context }) => context.pageId !== null,
    'has a valid limit': ({ context }) => historyLimitOf(context.limit) !== null,
    'is already done': (_, { job }: { job: HistorySync | null }) => job === null,
    'is running': (_, { job }: Job) => isUnderWay(job),
    'found a running sync': (_, { status }: { status: SyncStatus }) => status.underWay.length > 0,
    'has failed': (_, { job }: Job) => job.state === 'failed',
    ...readingGuards,
  },
  actions: {
    notify,
    ...readingActions,
    tellSession,
    'use the page': assign({ pageId: (_, { pageId }: { pageId: string | null }) => pageId, status: null, job: null }),
    'use the platform': assign({ platform: (_, { platform }: { platform: Platform }) => platform, job: null }),
    'keep the limit': assign({ limit: (_, { limit }: { limit: string }) => limit, job: null }),
    'keep the status': assign({ status: (_, { status }: { status: SyncStatus }) => status }),
    'notify about the running sync': raise((_, { status }: { status: SyncStatus }) => {
      const [job] = status.underWay
      return job === undefined ? { type: 'status.invalidated' } : { type: 'sync.found', job }
    }),
    'keep the job': assign({ job: (_, { job }: { job: HistorySync | null }) => job, ...noRetries }),
    'resume the job': assign((_, { job }: Job) => ({
      job,
      platform: job.platform,
      limit: String(job.limit),
      ...noRetries,
    })),
    'forget the job': assign({ job: null, ...noRetries }),
    'invalidate the status': raise({ type: 'status.invalidated' }),
  },
}).createMachine({
  id: 'historySync',
  context: ({ input }) => ({
    pageId: input.pageId,
    platform: 'messenger',
    limit: String(limits.historySync.limit),
    status: null,
    job: null,
    ...noRetries,
  }),
  initial: 'open',
  states: {
    open: {
      type: 'parallel',
      states: {
        status: {
          initial: 'invalidated',
          on: { 'status.invalidated': '.invalidated' },
          states: {
            invalidated: { always: [{ guard: 'has a page', target: 'loading' }, { target: 'none' }] },
            none: {},
            loading: {
              invoke: {
                id: 'loadSyncStatus',
                src: 'loadSyncStatus',
                input: ({ context }) => ({ pageId: context.pageId ?? '' }),
                onDone: [
                  {
                    guard: { type: 'found a running sync', params: ({ event }) => ({ status: event.output }) },
                    target: 'known',
                    actions: [
                      { type: 'keep the status', params: ({ event }) => ({ status: event.output }) },
                      { type: 'notify about the running sync', params: ({ event }) => ({ status: event.output }) },
                    ],
                  },
                  {
                    target: 'known',
                    actions: { type: 'keep the status', params: ({ event }) => ({ status: event.output }) },
                  },
                ],
                onError: { target: 'failed', actions: reportFailure(historySyncToasts.statusFailed) },
              },
            },
            known: {},
            failed: { on: { 'refetch.requested': 'loading' } },
          },
        },
        work: {
          initial: 'choosing',
          states: {
            choosing: {
              initial: 'unsynced',
              states: {
                unsynced: {},
                /** The API completed the sync before it answered. Only the success is known. */
                synced: {},
              },
              on: {
                'page.chosen': {
                  target: '.unsynced',
                  actions: [{ type: 'use the page', params: ({ event }) => event }, 'invalidate the status'],
                },
                'platform.chosen': {
                  target: '.unsynced',
                  actions: { type: 'use the platform', params: ({ event }) => event },
                },
                'limit.typed': {
                  target: '.unsynced',
                  actions: { type: 'keep the limit', params: ({ event }) => event },
                },
                'sync.requested': [
                  { guard: and(['has a page', 'has a valid limit']), target: 'starting' },
                  {
                    guard: not('has a page'),
                    actions: { type: 'notify', params: historySyncToasts.pageMissing },
                  },
                ],
                'sync.found': { target: 'running', actions: { type: 'resume the job', params: ({ event }) => event } },
                'dialog.dismissed': '#historySync.dismissed',
              },
            },
            starting: {
              entry: 'forget the job',
              invoke: {
                id: 'startHistorySync',
                src: 'startHistorySync',
                input: ({ context }) => ({
                  pageId: context.pageId ?? '',
                  platform: context.platform,
                  limit: historyLimitOf(context.limit) ?? limits.historySync.limit,
                }),
                onDone: [
                  {
                    guard: { type: 'is already done', params: ({ event }) => ({ job: event.output }) },
                    target: 'choosing.synced',
                    actions: ['invalidate the status', { type: 'tellSession', params: { type: 'inbox.invalidated' } }],
                  },
                  {
                    target: 'deciding',
                    actions: { type: 'keep the job', params: ({ event }) => ({ job: event.output }) },
                  },
                ],
                onError: {
                  target: 'choosing',
                  actions: [
                    reportFailure(historySyncToasts.historyFailed),
                    // The sync may have started although the answer was lost.
                    'invalidate the status',
                  ],
                },
              },
            },
            running: {
              initial: 'waiting',
              on: {
                'cancel.requested': 'cancelling',
                'dialog.dismissed': '#historySync.dismissed',
              },
              states: {
                waiting: { after: { progressInterval: 'asking' } },
                asking: {
                  invoke: {
                    id: 'loadHistorySync',
                    src: 'loadHistorySync',
                    input: ({ context }) => ({ id: context.job?.id ?? '' }),
                    onDone: {
                      target: '#historySync.open.work.deciding',
                      actions: { type: 'keep the job', params: ({ event }) => ({ job: event.output }) },
                    },
                    onError: [
                      { guard: ifTemporary, target: 'backingOff', actions: reportOnce(historySyncToasts.statusFailed) },
                      {
                        target: '#historySync.open.work.choosing',
                        actions: [reportFailure(historySyncToasts.statusFailed), 'forget the job'],
                      },
                    ],
                  },
                },
                backingOff: { after: { retryDelay: 'asking' } },
              },
            },
            cancelling: {
              invoke: {
                id: 'cancelHistorySync',
                src: 'cancelHistorySync',
                input: ({ context }) => ({ id: context.job?.id ?? '' }),
                onDone: {
                  target: 'deciding',
                  actions: { type: 'keep the job', params: ({ event }) => ({ job: event.output }) },
                },
                onError: { target: 'running', actions: reportFailure(historySyncToasts.cancelFailed) },
              },
            },
            /** A transient state that evaluates the fetched job. */
            deciding: {
              always: [
                { guard: { type: 'is running', params: ({ context }) => jobOf(context) }, target: 'running' },
                {
                  guard: { type: 'has failed', params: ({ context }) => jobOf(context) },
                  target: 'choosing',
                  actions: [
                    {
                      type: 'notify',
                      params: ({ context }) => ({
                        ...historySyncToasts.historyFailed,
                        text: context.job?.error || historySyncToasts.historyFailed.text,
                      }),
                    },
                    'invalidate the status',
                    { type: 'tellSession', params: { type: 'inbox.invalidated' } },
                  ],
                },
                {
                  target: 'choosing',
                  actions: ['invalidate the status', { type: 'tellSession', params: { type: 'inbox.invalidated' } }],
                },
              ],
            },
          },
        },
      },
    },
    dismissed: { type: 'final' },
  },
})

const jobOf = ({ job }: Context): Job => {
  if (job === null) throw new Error('a decision requires a job')
  return { job }
}

type Snapshot = SnapshotFrom<typeof historySyncMachine>
export type HistorySyncStep = 'choosing' | 'starting' | 'running' | 'cancelling'

const busySteps: readonly HistorySyncStep[] = ['starting', 'running', 'cancelling']

export const selectForm = (snapshot: Snapshot) => snapshot.context
/** The problem of the typed limit; null if there is none. */
export const selectLimitProblem = ({ context }: Snapshot): string | null => historyLimitProblem(context.limit)
/** The reason why no sync can start; null if one can. */
export const selectBlockedReason = (snapshot: Snapshot): string | null => {
  if (snapshot.context.pageId === null) return historySyncToasts.pageMissing.text
  const problem = selectLimitProblem(snapshot)
  return problem && t('sync.limitProblem', { problem })
}
export const selectStep = (snapshot: Snapshot): HistorySyncStep =>
  busySteps.find((work) => snapshot.matches({ open: { work } })) ?? 'choosing'

/** The API completed the last sync before it answered. */
export const selectIsSynced = (snapshot: Snapshot): boolean =>
  snapshot.matches({ open: { work: { choosing: 'synced' } } })

/** The last attempt to fetch the progress failed. */
export const selectIsUnreachable = (snapshot: Snapshot): boolean => snapshot.context.failures > 0
export const selectIsStatusLoading = (snapshot: Snapshot): boolean => snapshot.matches({ open: { status: 'loading' } })
export const selectHasStatusFailed = (snapshot: Snapshot): boolean => snapshot.matches({ open: { status: 'failed' } })
