import type { SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import type { ClientRequestById, RemoveRequest } from '../../domain/client/client-calls.ts'
import { removalToasts } from '../../domain/client/dialog-toasts.ts'
import { noRetries, type Retries } from '../../domain/retries.ts'
import type { MovedChat } from '../../schemas/chats.ts'
import type { ClientSummary } from '../../schemas/client-removal.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { reportFailure } from '../on-failure.ts'
import { afterFailedRead, failedRead, readingActions, readingDelays, readingGuards } from '../reading.ts'
import { tellSession } from '../session-events.ts'
import { notify } from '../system.ts'
import { changedMeanwhile, chatsChanged } from './client-changes.ts'

declare module '../shell/dialog.ts' {
  interface DialogLogics {
    removeClient: typeof removeClientMachine
  }
}

type Context = ClientRequestById &
  Retries & {
    /** What the question names; null until it is loaded. */
    summary: ClientSummary | null
  }

/** Asks whether to delete a client, and says what happens to its orders, payments and chat. */
export const removeClientMachine = setup({
  types: {
    context: {} as Context,
    events: {} as { type: 'removal.confirmed' } | { type: 'refetch.requested' } | { type: 'dialog.dismissed' },
    input: {} as ClientRequestById,
  },
  actors: {
    loadSummary: fromPromise<ClientSummary, ClientRequestById>(mustBeProvided('loadSummary')),
    removeClient: fromPromise<readonly MovedChat[], RemoveRequest>(mustBeProvided('removeClient')),
  },
  delays: readingDelays,
  guards: {
    ...readingGuards,
    ...changedMeanwhile,
  },
  actions: {
    ...readingActions,
    notify,
    tellSession,
    'keep the summary': assign((_, { summary }: { summary: ClientSummary }) => ({ summary, ...noRetries })),
  },
}).createMachine({
  id: 'removeClient',
  context: ({ input }) => ({ ...input, summary: null, ...noRetries }),
  on: { 'dialog.dismissed': '.closed' },
  initial: 'loading',
  states: {
    loading: {
      invoke: {
        id: 'loadSummary',
        src: 'loadSummary',
        input: ({ context: { clientId } }) => ({ clientId }),
        onDone: {
          target: 'asking',
          actions: { type: 'keep the summary', params: ({ event }) => ({ summary: event.output }) },
        },
        onError: afterFailedRead(removalToasts.loadFailed),
      },
    },
    failed: failedRead('#removeClient.loading'),
    asking: { on: { 'removal.confirmed': 'removing' } },
    // Not dismissable, so that the person sees the result.
    removing: {
      on: { 'dialog.dismissed': {} },
      invoke: {
        id: 'removeClient',
        src: 'removeClient',
        input: ({ context: { clientId, summary } }) => ({ clientId, version: summary?.client.version ?? 0 }),
        onDone: {
          target: 'closed',
          actions: [
            {
              type: 'tellSession',
              params: ({ context, event }) => chatsChanged(event.output, context.clientId),
            },
            {
              type: 'tellSession',
              params: ({ context }) => ({ type: 'clientData.changed', clientIds: [context.clientId] }),
            },
            { type: 'notify', params: removalToasts.removed },
          ],
        },
        onError: [
          // The question may name other facts by now.
          {
            guard: { type: 'was changed by somebody else', params: ({ event }) => ({ error: event.error }) },
            target: 'loading',
            actions: reportFailure(removalToasts.removeFailed),
          },
          { target: 'asking', actions: reportFailure(removalToasts.removeFailed) },
        ],
      },
    },
    closed: { type: 'final' },
  },
})

type Snapshot = SnapshotFrom<typeof removeClientMachine>

/** What the question names; null until it is loaded. */
export const selectSummary = (snapshot: Snapshot): ClientSummary | null => snapshot.context.summary
export const selectHasFailed = (snapshot: Snapshot): boolean => snapshot.matches('failed')
export const selectIsAsking = (snapshot: Snapshot): boolean => snapshot.matches('asking')
export const selectIsRemoving = (snapshot: Snapshot): boolean => snapshot.matches('removing')
