import type { SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import type { SyncedPages } from '../../domain/sync/sync-calls.ts'
import { syncToasts } from '../../domain/sync/toasts.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { notifyFailure, notifyWhen } from '../notify-failure.ts'
import { reportFailure } from '../on-failure.ts'
import { tellSession } from '../session-events.ts'
import { notify } from '../system.ts'

/** A null `pageId` means all pages. */
export type RecentSyncEvent = { type: 'recentSync.requested'; pageId: string | null }

/** The recent sync in the header (spec section 2): of the selected page, or of all pages if none is selected. */
export const recentSyncMachine = setup({
  types: { context: {} as { pageId: string | null }, events: {} as RecentSyncEvent },
  actors: {
    syncRecent: fromPromise<number, { pageId: string }>(mustBeProvided('syncRecent')),
    syncAllRecent: fromPromise<SyncedPages>(mustBeProvided('syncAllRecent')),
  },
  guards: { 'is of all pages': (_, { pageId }: { pageId: string | null }) => pageId === null },
  actions: {
    notify,
    'notify when': notifyWhen,
    'notify failure': notifyFailure,
    tellSession,
    'keep the page': assign({ pageId: (_, { pageId }: { pageId: string | null }) => pageId }),
  },
}).createMachine({
  id: 'recentSync',
  context: { pageId: null },
  initial: 'idle',
  states: {
    idle: {
      on: {
        'recentSync.requested': [
          { guard: { type: 'is of all pages', params: ({ event }) => event }, target: 'syncing.all' },
          { target: 'syncing.one', actions: { type: 'keep the page', params: ({ event }) => event } },
        ],
      },
    },
    syncing: {
      initial: 'one',
      exit: { type: 'tellSession', params: { type: 'inbox.invalidated' } },
      states: {
        one: {
          invoke: {
            id: 'syncRecent',
            src: 'syncRecent',
            input: ({ context }) => ({ pageId: context.pageId ?? '' }),
            onDone: {
              target: '#recentSync.idle',
              actions: {
                type: 'notify',
                params: ({ event }) => syncToasts.recent(event.output),
              },
            },
            onError: {
              target: '#recentSync.idle',
              actions: reportFailure(syncToasts.recentFailed, { refused: syncToasts.recentRefused }),
            },
          },
        },
        all: {
          invoke: {
            id: 'syncAllRecent',
            src: 'syncAllRecent',
            onDone: {
              target: '#recentSync.idle',
              actions: [
                {
                  type: 'notify',
                  params: ({ event: { output } }) => syncToasts.allRecent(output.messages, output.pages),
                },
                {
                  type: 'notify when',
                  params: ({ event: { output } }) => ({
                    when: output.failures.length > 0,
                    ...syncToasts.recentRefused(
                      output.failures.map((page) => `${page.page_name}: ${page.error}`).join(' '),
                    ),
                  }),
                },
              ],
            },
            onError: {
              target: '#recentSync.idle',
              actions: reportFailure(syncToasts.recentFailed, { refused: syncToasts.recentRefused }),
            },
          },
        },
      },
    },
  },
})

export const selectIsSyncing = (snapshot: SnapshotFrom<typeof recentSyncMachine>): boolean =>
  snapshot.matches('syncing')
