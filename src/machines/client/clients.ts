import type { AnyActorRef, EventObject, SnapshotFrom } from 'xstate'
import { assign, fromCallback, setup } from 'xstate'
import {
  type Clients,
  clientById,
  noClients,
  withAnswer,
  withClientLabels,
  withHeld,
  withLink,
} from '../../domain/client/clients.ts'
import type { Client } from '../../schemas/client.ts'
import type { ClientLabels } from '../../schemas/labels-of-row.ts'
import { type AddressedEvent, createSendAction, type Sender, type System } from '../system.ts'

export type ClientsEvent =
  /** An answer of the server. `asOf` is the number of the last link at the time of the request. */
  | { type: 'clients.fetched'; clients: readonly Client[]; asOf: number }
  /** A chat user was linked to a client in this tab. */
  | { type: 'client.linked'; userId: string; clientId: string }
  /** The link of a client was removed in this tab. */
  | { type: 'client.unlinked'; clientId: string }
  | { type: 'clientLabels.told'; clientId: string; labels: ClientLabels }
  /** A machine shows exactly these clients. Other clients may be deleted. */
  | { type: 'clients.held'; holder: string; ids: readonly string[] }

/**
 * Owns the clients, by id. Only the merge rule of `domain/client/clients.ts` writes them. All other code holds client
 * ids and reads the clients here: views by selectors, actions by `clientsIn(system)`.
 */
export const clientsMachine = setup({
  types: { context: {} as { clients: Clients }, events: {} as ClientsEvent },
  actions: {
    'merge the answer': assign({
      clients: ({ context }, { clients, asOf }: { clients: readonly Client[]; asOf: number }) =>
        withAnswer(context.clients, clients, asOf),
    }),
    'write the link': assign({
      clients: ({ context }, link: { userId: string | null; clientId: string }) => withLink(context.clients, link),
    }),
    'merge the labels': assign({
      clients: ({ context }, { clientId, labels }: { clientId: string; labels: ClientLabels }) =>
        withClientLabels(context.clients, clientId, labels),
    }),
    'hold the clients': assign({
      clients: ({ context }, { holder, ids }: { holder: string; ids: readonly string[] }) =>
        withHeld(context.clients, holder, ids),
    }),
  },
}).createMachine({
  id: 'clients',
  context: { clients: noClients },
  on: {
    'clients.fetched': { actions: { type: 'merge the answer', params: ({ event }) => event } },
    'client.linked': { actions: { type: 'write the link', params: ({ event }) => event } },
    'client.unlinked': {
      actions: { type: 'write the link', params: ({ event: { clientId } }) => ({ clientId, userId: null }) },
    },
    'clientLabels.told': { actions: { type: 'merge the labels', params: ({ event }) => event } },
    'clients.held': { actions: { type: 'hold the clients', params: ({ event }) => event } },
  },
})

type Snapshot = SnapshotFrom<typeof clientsMachine>

const actorIn = (system: System): AnyActorRef | undefined => system.get('clients')

/** The current clients, for use in the actions of machines, which hold ids. */
export function clientsIn(system: System): Clients {
  const snapshot: Snapshot | undefined = actorIn(system)?.getSnapshot()
  return snapshot?.context.clients ?? noClients
}

/** Addresses an event to the clients. If no clients run, the machine sends the event to itself and ignores it. */
export const toClients = (event: ClientsEvent, { system, self }: Sender): AddressedEvent => ({
  to: actorIn(system) ?? self,
  event,
})

/** Sends an event to the clients. */
export const tellClients = createSendAction<ClientsEvent>((event, sender) => [toClients(event, sender)])

/** Tells `holdClients` which clients the machine shows now. */
export type ClientsShown = { type: 'clients.shown'; ids: readonly string[] }

/** Keeps the clients that a machine shows from being deleted, as long as the machine invokes this actor. */
export const holdClients = fromCallback<ClientsShown, { ids: readonly string[] }>(
  ({ input, receive, system, self }) => {
    const clients = actorIn(system)
    const hold = (ids: readonly string[]) => {
      // At the end of a session the clients stop first.
      if (clients?.getSnapshot().status !== 'active') return
      clients.send({ type: 'clients.held', holder: self.sessionId, ids } satisfies ClientsEvent)
    }
    hold(input.ids)
    receive(({ ids }) => hold(ids))
    return () => hold([])
  },
)

/** `fbUserId` is the chat user that the client is linked to; null if there is none. */
export type ClientChanged = { type: 'client.changed'; fbUserId: string | null }

/** Reports when the client with the id appears, and when its chat user changes. */
export const watchClient = fromCallback<EventObject, { id: string }>(({ input, system, sendBack }) => {
  let last: string | null | undefined
  const look = () => {
    const client = clientById(clientsIn(system), input.id)
    if (client === undefined) return
    const fbUserId = client.fb_user_id ?? null
    if (fbUserId === last) return
    last = fbUserId
    sendBack({ type: 'client.changed', fbUserId } satisfies ClientChanged)
  }
  const subscription = actorIn(system)?.subscribe(look)
  look()
  return () => subscription?.unsubscribe()
})

/** Returns a selector for the client with the id. The client stays the same object until it changes. */
export const selectClient =
  (id: string | null) =>
  ({ context }: Snapshot): Client | null =>
    id === null ? null : (clientById(context.clients, id) ?? null)
