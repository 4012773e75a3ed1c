import type { SnapshotFrom } from 'xstate'
import { assign, sendTo, setup } from 'xstate'
import type { ClientDataChanged } from '../../domain/client/client-data.ts'
import { listToasts } from '../../domain/list/toasts.ts'
import { threadToasts } from '../../domain/thread/toasts.ts'
import { type ClientDetailsEvent, clientDetailsMachine } from './client-details.ts'
import { type ClientChanged, holdClients, watchClient } from './clients.ts'

type Context = { clientId: string; fbUserId: string | null }

type ClientPageEvent = ClientDetailsEvent | ClientChanged

/**
 * The page of a client (spec section 2). The profile, the orders with their payments, and the chats load separately, so
 * a failure of one does not hide the others. The chats load when the client is known, because they are looked up by the
 * client's chat user.
 */
export const clientPageMachine = setup({
  types: {
    context: {} as Context,
    events: {} as ClientPageEvent,
    input: {} as { clientId: string },
    children: {} as { profile: 'profile'; orders: 'orders'; chats: 'chats' },
  },
  actors: {
    holdClients,
    watchClient,
    profile: clientDetailsMachine,
    orders: clientDetailsMachine,
    chats: clientDetailsMachine,
  },
  actions: {
    'keep the chat user': assign({ fbUserId: (_, { fbUserId }: { fbUserId: string | null }) => fbUserId }),
    'refetch the profile': sendTo('profile', { type: 'refetch.requested' }),
    'refetch the orders': sendTo('orders', { type: 'refetch.requested' }),
    'refetch the chats': sendTo('chats', { type: 'refetch.requested' }),
    'tell the profile': sendTo('profile', (_, event: ClientDataChanged) => event),
    'tell the orders': sendTo('orders', (_, event: ClientDataChanged) => event),
  },
}).createMachine({
  id: 'clientPage',
  context: ({ input }) => ({ clientId: input.clientId, fbUserId: null }),
  invoke: [
    { id: 'holdClients', src: 'holdClients', input: ({ context }) => ({ ids: [context.clientId] }) },
    { id: 'watchClient', src: 'watchClient', input: ({ context }) => ({ id: context.clientId }) },
    { id: 'profile', src: 'profile', input: ({ context }) => ({ clientId: context.clientId }) },
    {
      id: 'orders',
      src: 'orders',
      input: ({ context }) => ({ clientId: context.clientId, own: threadToasts.ordersFailed }),
    },
  ],
  on: {
    'refetch.requested': { actions: ['refetch the profile', 'refetch the orders'] },
    'clientData.changed': {
      actions: [
        { type: 'tell the profile', params: ({ event }) => event },
        { type: 'tell the orders', params: ({ event }) => event },
      ],
    },
  },
  initial: 'loading',
  states: {
    loading: {
      on: {
        'client.changed': {
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
        'client.changed': {
          target: 'loaded',
          reenter: true,
          actions: { type: 'keep the chat user', params: ({ event }) => event },
        },
      },
    },
  },
})

type Snapshot = SnapshotFrom<typeof clientPageMachine>

/** Loads the client. */
export const selectProfile = (snapshot: Snapshot) => snapshot.children.profile
/** The orders with their payments. */
export const selectOrders = (snapshot: Snapshot) => snapshot.children.orders
/** The chats; undefined until the client is known. */
export const selectChats = (snapshot: Snapshot) => snapshot.children.chats
