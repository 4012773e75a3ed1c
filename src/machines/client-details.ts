import type { SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import { mayPass, retryDelayAfter } from '../domain/retries.ts'
import { threadToasts } from '../domain/toasts.ts'
import type { Client } from '../schemas/client.ts'
import type { Conversation } from '../schemas/conversation.ts'
import type { Order } from '../schemas/order.ts'
import { mustBeProvided } from './must-be-provided.ts'
import { notifyFailure } from './notify-failure.ts'

/** What is known of a client. */
export type ClientFile = {
  client: Client
  /** Newest first, at most 1000, each with its payments (spec section 9). */
  orders: readonly Order[]
  /** The conversations linked to the client, where they were asked for. */
  chats: readonly Conversation[]
}

type Context = { clientId: string; file: ClientFile | null; failures: number }

/** A person asks for it again; after a failure it is the retry. */
export type ClientDetailsEvent = { type: 'refresh.requested' }

/** One client with orders and payments (spec section 2, client details sidebar). What is shown stays while it is refreshed. */
export const clientDetailsMachine = setup({
  types: {
    context: {} as Context,
    events: {} as ClientDetailsEvent,
    input: {} as { clientId: string },
  },
  actors: {
    loadClient: fromPromise<ClientFile, { clientId: string }>(mustBeProvided('loadClient')),
  },
  delays: { retryDelay: ({ context }) => retryDelayAfter(context.failures) },
  guards: { 'may pass by itself': (_, { error }: { error: unknown }) => mayPass(error) },
  actions: {
    'notify failure': notifyFailure,
    'keep the file': assign((_, { file }: { file: ClientFile }) => ({ file, failures: 0 })),
    'count the failure': assign({ failures: ({ context }) => context.failures + 1 }),
  },
}).createMachine({
  id: 'clientDetails',
  context: ({ input }) => ({ clientId: input.clientId, file: null, failures: 0 }),
  initial: 'loading',
  states: {
    loading: {
      invoke: {
        id: 'loadClient',
        src: 'loadClient',
        input: ({ context }) => ({ clientId: context.clientId }),
        onDone: {
          target: 'showing',
          actions: { type: 'keep the file', params: ({ event }) => ({ file: event.output }) },
        },
        onError: [
          {
            guard: { type: 'may pass by itself', params: ({ event }) => ({ error: event.error }) },
            target: 'failed.waiting',
            actions: [
              {
                type: 'notify failure',
                params: ({ context, event }) => ({
                  error: event.error,
                  own: threadToasts.ordersFailed,
                  quietly: context.failures > 0,
                }),
              },
              'count the failure',
            ],
          },
          {
            target: 'failed.refused',
            actions: {
              type: 'notify failure',
              params: ({ event }) => ({ error: event.error, own: threadToasts.ordersFailed }),
            },
          },
        ],
      },
    },
    showing: {
      initial: 'resting',
      states: {
        resting: { on: { 'refresh.requested': 'refreshing' } },
        refreshing: {
          invoke: {
            id: 'refreshClient',
            src: 'loadClient',
            input: ({ context }) => ({ clientId: context.clientId }),
            onDone: {
              target: 'resting',
              actions: { type: 'keep the file', params: ({ event }) => ({ file: event.output }) },
            },
            onError: {
              target: 'resting',
              actions: {
                type: 'notify failure',
                params: ({ event }) => ({ error: event.error, own: threadToasts.ordersFailed }),
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
