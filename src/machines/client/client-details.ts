import type { SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import type { ClientFile, ClientRequest } from '../../domain/client/client-file.ts'
import { Failure } from '../../domain/failure.ts'
import { noRetries, type Retries, retriesAfter } from '../../domain/retries.ts'
import type { ToastText } from '../../domain/toast.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { notifyFailure } from '../notify-failure.ts'
import { ifTemporary, isTemporary, reportFailure, reportOnce } from '../on-failure.ts'

/** `own` is the toast of spec section 8 for a failure. The section has none for the profile. */
type Input = ClientRequest & { own?: ToastText }

type Context = Retries & { request: ClientRequest; own: ToastText | undefined; file: ClientFile | null }

const ownText = ({ own }: Context) => own

/** Fetches again on a person's request. After a failure, the retry. */
export type ClientDetailsEvent = { type: 'refetch.requested' }

/**
 * One part of a client's data (spec section 2): the profile, the orders with their payments, or the chats. The shown
 * data stays on the screen during a refetch.
 */
export const clientDetailsMachine = setup({
  types: {
    context: {} as Context,
    events: {} as ClientDetailsEvent,
    input: {} as Input,
  },
  actors: {
    loadClient: fromPromise<ClientFile, ClientRequest>(mustBeProvided('loadClient')),
  },
  delays: { retryDelay: ({ context }) => context.retryDelay },
  guards: {
    'is temporary': isTemporary,
    'does not exist': (_, { error }: { error: unknown }) => error instanceof Failure && error.status === 404,
  },
  actions: {
    'notify failure': notifyFailure,
    'keep the file': assign((_, { file }: { file: ClientFile }) => ({ file, ...noRetries })),
    'count the failure': assign(({ context }, { error }: { error: unknown }) => retriesAfter(context, error)),
  },
}).createMachine({
  id: 'clientDetails',
  context: ({ input: { own, ...request } }) => ({ request, own, file: null, ...noRetries }),
  initial: 'loading',
  states: {
    loading: {
      invoke: {
        id: 'loadClient',
        src: 'loadClient',
        input: ({ context }) => context.request,
        onDone: {
          target: 'showing',
          actions: { type: 'keep the file', params: ({ event }) => ({ file: event.output }) },
        },
        onError: [
          { guard: ifTemporary, target: 'failed.waiting', actions: reportOnce(ownText) },
          {
            guard: { type: 'does not exist', params: ({ event }) => ({ error: event.error }) },
            target: 'failed.missing',
            actions: reportFailure(ownText),
          },
          { target: 'failed.refused', actions: reportFailure(ownText) },
        ],
      },
    },
    showing: {
      initial: 'idle',
      states: {
        idle: { on: { 'refetch.requested': 'refreshing' } },
        refreshing: {
          invoke: {
            id: 'refreshClient',
            src: 'loadClient',
            input: ({ context }) => context.request,
            onDone: {
              target: 'idle',
              actions: { type: 'keep the file', params: ({ event }) => ({ file: event.output }) },
            },
            onError: { target: 'idle', actions: reportFailure(ownText) },
          },
        },
      },
    },
    failed: {
      initial: 'waiting',
      on: { 'refetch.requested': 'loading' },
      states: {
        waiting: { after: { retryDelay: '#clientDetails.loading' } },
        missing: {},
        refused: {},
      },
    },
  },
})

type Snapshot = SnapshotFrom<typeof clientDetailsMachine>

/** Null until the data is loaded. */
export const selectFile = (snapshot: Snapshot): ClientFile | null => snapshot.context.file

/** Loading failed; `refetch.requested` retries. */
export const selectHasFailed = (snapshot: Snapshot): boolean => snapshot.matches('failed')

/** No client has the id. */
export const selectIsMissing = (snapshot: Snapshot): boolean => snapshot.matches({ failed: 'missing' })
