import type { SnapshotFrom } from 'xstate'
import { assign, enqueueActions, sendTo, setup } from 'xstate'
import { listToasts } from '../../domain/list/toasts.ts'
import { threadToasts } from '../../domain/thread/toasts.ts'
import type { Client } from '../../schemas/client.ts'
import { type ClientDetailsEvent, clientDetailsMachine, selectFile } from './client-details.ts'

type Context = { clientId: string; fbUserId: string | null }

type ClientPageEvent = ClientDetailsEvent | { type: 'client.loaded'; client: Client }

/**
 * The page of a client (spec section 2). The profile, the orders with their payments, and the chats load separately, so
 * a failure of one does not hide the others. The chats load after the profile, which contains their ids.
 */
export const clientPageMachine = setup({
  types: {
    context: {} as Context,
    events: {} as ClientPageEvent,
    input: {} as { clientId: string },
    children: {} as { profile: 'profile'; orders: 'orders'; chats: 'chats' },
  },
  actors: { profile: clientDetailsMachine, orders: clientDetailsMachine, chats: clientDetailsMachine },
  guards: {
    'has another chat': ({ context }, { client }: { client: Client }) =>
      (client.fb_user_id ?? null) !== context.fbUserId,
  },
  actions: {
    'receive the profile': enqueueActions(
      ({ enqueue }, { snapshot }: { snapshot: SnapshotFrom<typeof clientDetailsMachine> }) => {
        const client = selectFile(snapshot)?.client
        if (client) enqueue.raise({ type: 'client.loaded', client })
      },
    ),
    'keep the chat user': assign({ fbUserId: (_, { client }: { client: Client }) => client.fb_user_id ?? null }),
    'refetch the profile': sendTo('profile', { type: 'refetch.requested' }),
    'refetch the orders': sendTo('orders', { type: 'refetch.requested' }),
    'refetch the chats': sendTo('chats', { type: 'refetch.requested' }),
  },
}).createMachine({
  id: 'clientPage',
  context: ({ input }) => ({ clientId: input.clientId, fbUserId: null }),
  invoke: [
    {
      id: 'profile',
      src: 'profile',
      input: ({ context }) => ({ clientId: context.clientId }),
      onSnapshot: { actions: { type: 'receive the profile', params: ({ event }) => ({ snapshot: event.snapshot }) } },
    },
    {
      id: 'orders',
      src: 'orders',
      input: ({ context }) => ({ clientId: context.clientId, own: threadToasts.ordersFailed }),
    },
  ],
  on: { 'refetch.requested': { actions: ['refetch the profile', 'refetch the orders'] } },
  initial: 'loading',
  states: {
    loading: {
      on: {
        'client.loaded': {
          target: 'loaded',
          actions: { type: 'keep the chat user', params: ({ event }) => event },
        },
      },
    },
    loaded: {
      invoke: {
        id: 'chats',
        src: 'chats',
        input: ({ context }) => ({ ...context, own: listToasts.failed }),
      },
      on: {
        'refetch.requested': { actions: ['refetch the profile', 'refetch the orders', 'refetch the chats'] },
        'client.loaded': {
          guard: { type: 'has another chat', params: ({ event }) => event },
          target: 'loaded',
          reenter: true,
          actions: { type: 'keep the chat user', params: ({ event }) => event },
        },
      },
    },
  },
})

type Snapshot = SnapshotFrom<typeof clientPageMachine>

export const selectProfile = (snapshot: Snapshot) => snapshot.children.profile
/** The orders with their payments. */
export const selectOrders = (snapshot: Snapshot) => snapshot.children.orders
/** The chats; undefined until the profile is loaded. */
export const selectChats = (snapshot: Snapshot) => snapshot.children.chats
