import type { SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import type { ClientFile, ClientRequest } from '../../domain/client/client-file.ts'
import { Failure } from '../../domain/failure.ts'
import { mayPass, retryDelayAfter } from '../../domain/retries.ts'
import type { ToastText } from '../../domain/toast.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { notifyFailure } from '../notify-failure.ts'

/** `own` is what section 8 has for a failure; it has nothing for the profile. */
type Input = ClientRequest & { own?: ToastText }

type Context = { request: ClientRequest; own: ToastText | undefined; file: ClientFile | null; failures: number }

/** A person asks for it again; after a failure it is the retry. */
export type ClientDetailsEvent = { type: 'refresh.requested' }

/**
 * One part of what is known of a client (spec section 2): the profile, the orders with their payments, or the chats. What
 * is shown stays while it is refreshed.
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
  delays: { retryDelay: ({ context }) => retryDelayAfter(context.failures) },
  guards: {
    'is temporary': (_, { error }: { error: unknown }) => mayPass(error),
    'does not exist': (_, { error }: { error: unknown }) => error instanceof Failure && error.status === 404,
  },
  actions: {
    'notify failure': notifyFailure,
    'keep the file': assign((_, { file }: { file: ClientFile }) => ({ file, failures: 0 })),
    'count the failure': assign({ failures: ({ context }) => context.failures + 1 }),
  },
}).createMachine({
  id: 'clientDetails',
  context: ({ input: { own, ...request } }) => ({ request, own, file: null, failures: 0 }),
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
          {
            guard: { type: 'is temporary', params: ({ event }) => ({ error: event.error }) },
            target: 'failed.waiting',
            actions: [
              {
                type: 'notify failure',
                params: ({ context, event }) => ({
                  error: event.error,
                  own: context.own,
                  isSilent: context.failures > 0,
                }),
              },
              'count the failure',
            ],
          },
          {
            guard: { type: 'does not exist', params: ({ event }) => ({ error: event.error }) },
            target: 'failed.missing',
            actions: {
              type: 'notify failure',
              params: ({ context, event }) => ({ error: event.error, own: context.own }),
            },
          },
          {
            target: 'failed.refused',
            actions: {
              type: 'notify failure',
              params: ({ context, event }) => ({ error: event.error, own: context.own }),
            },
          },
        ],
      },
    },
    showing: {
      initial: 'idle',
      states: {
        idle: { on: { 'refresh.requested': 'refreshing' } },
        refreshing: {
          invoke: {
            id: 'refreshClient',
            src: 'loadClient',
            input: ({ context }) => context.request,
            onDone: {
              target: 'idle',
              actions: { type: 'keep the file', params: ({ event }) => ({ file: event.output }) },
            },
            onError: {
              target: 'idle',
              actions: {
                type: 'notify failure',
                params: ({ context, event }) => ({ error: event.error, own: context.own }),
              },
            },
          },
        },
      },
    },
    failed: {
      initial: 'waiting',
      on: { 'refresh.requested': 'loading' },
      states: {
        waiting: { after: { retryDelay: '#clientDetails.loading' } },
        missing: {},
        refused: {},
      },
    },
  },
})

type Snapshot = SnapshotFrom<typeof clientDetailsMachine>

/** Null until it was loaded. */
export const selectFile = (snapshot: Snapshot): ClientFile | null => snapshot.context.file

/** It never came: offer a retry (`refresh.requested`). */
export const selectHasFailed = (snapshot: Snapshot): boolean => snapshot.matches('failed')

/** Nobody has the id. */
export const selectIsMissing = (snapshot: Snapshot): boolean => snapshot.matches({ failed: 'missing' })
