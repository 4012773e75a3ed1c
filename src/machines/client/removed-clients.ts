import type { SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import type { ClientRequestById } from '../../domain/client/client-calls.ts'
import { removalToasts } from '../../domain/client/dialog-toasts.ts'
import { noRetries, type Retries } from '../../domain/retries.ts'
import type { MovedChat } from '../../schemas/chats.ts'
import type { RemovedClient } from '../../schemas/client-removal.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { reportFailure } from '../on-failure.ts'
import { afterFailedRead, failedRead, readingActions, readingDelays, readingGuards } from '../reading.ts'
import { tellSession } from '../session-events.ts'
import { notify } from '../system.ts'
import { chatsChanged } from './client-changes.ts'

declare module '../shell/dialog.ts' {
  interface DialogLogics {
    removedClients: typeof removedClientsMachine
  }
}

type Context = Retries & {
  /** The clients that can be restored; null until they are loaded. */
  clients: readonly RemovedClient[] | null
  /** The id of the client that is being restored. */
  restoring: string | null
}

/** The dialog with the clients that were deleted or merged, from which each can be restored. */
export const removedClientsMachine = setup({
  types: {
    context: {} as Context,
    events: {} as
      | { type: 'restore.requested'; id: string }
      | { type: 'refetch.requested' }
      | { type: 'dialog.dismissed' },
  },
  actors: {
    loadRemovals: fromPromise<readonly RemovedClient[]>(mustBeProvided('loadRemovals')),
    undoRemoval: fromPromise<readonly MovedChat[], ClientRequestById>(mustBeProvided('undoRemoval')),
  },
  delays: readingDelays,
  guards: readingGuards,
  actions: {
    ...readingActions,
    notify,
    tellSession,
    'keep the clients': assign((_, { clients }: { clients: readonly RemovedClient[] }) => ({ clients, ...noRetries })),
    'keep which is restored': assign({ restoring: (_, { id }: { id: string }) => id }),
    'nothing is restored': assign({ restoring: null }),
  },
}).createMachine({
  id: 'removedClients',
  context: { clients: null, restoring: null, ...noRetries },
  on: { 'dialog.dismissed': '.closed' },
  initial: 'loading',
  states: {
    loading: {
      invoke: {
        id: 'loadRemovals',
        src: 'loadRemovals',
        onDone: {
          target: 'showing',
          actions: { type: 'keep the clients', params: ({ event }) => ({ clients: event.output }) },
        },
        onError: afterFailedRead(removalToasts.listFailed),
      },
    },
    failed: failedRead('#removedClients.loading'),
    showing: {
      on: {
        'restore.requested': {
          target: 'restoring',
          actions: { type: 'keep which is restored', params: ({ event }) => event },
        },
      },
    },
    // Not dismissable, so that the person sees the result.
    restoring: {
      on: { 'dialog.dismissed': {} },
      exit: 'nothing is restored',
      invoke: {
        id: 'undoRemoval',
        src: 'undoRemoval',
        input: ({ context }) => ({ clientId: context.restoring ?? '' }),
        onDone: {
          target: 'loading',
          actions: [
            {
              type: 'tellSession',
              params: ({ event }) => chatsChanged(event.output, null),
            },
            { type: 'tellSession', params: { type: 'clientData.changed', clientIds: null } },
            { type: 'notify', params: removalToasts.restored },
          ],
        },
        // Somebody else may have restored the client.
        onError: { target: 'loading', actions: reportFailure(removalToasts.restoreFailed) },
      },
    },
    closed: { type: 'final' },
  },
})

type Snapshot = SnapshotFrom<typeof removedClientsMachine>

/** The clients that can be restored; null until they are loaded. */
export const selectClients = (snapshot: Snapshot): readonly RemovedClient[] | null => snapshot.context.clients
export const selectHasFailed = (snapshot: Snapshot): boolean => snapshot.matches('failed')
/** The id of the client that is being restored; null if there is none. */
export const selectRestoring = (snapshot: Snapshot): string | null => snapshot.context.restoring
/** No client can be restored now. */
export const selectIsBusy = (snapshot: Snapshot): boolean => !snapshot.matches('showing')
