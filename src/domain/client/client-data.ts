import type { Client } from '../../schemas/client.ts'
import type { Conversation } from '../../schemas/conversation.ts'
import type { Order } from '../../schemas/order.ts'

/** The answer to a request for a client's data. A missing part was not requested; an empty list is an answer. */
export type ClientData = {
  client?: Client
  /** Newest first, at most 1000, each with its payments (spec section 9). */
  orders?: readonly Order[]
  /** The conversations linked to the client. */
  chats?: readonly Conversation[]
}

/** The same data by id where it has another owner: `clients` owns the client, `records` the chats. */
export type HeldClientData = Pick<ClientData, 'orders'> & {
  /** The row ids of the conversations linked to the client. */
  chatIds?: readonly string[]
}

/** Clients, their orders or payments changed on the server. `clientIds` is null if there are too many ids to list. */
export type ClientDataChanged = { type: 'clientData.changed'; clientIds: readonly string[] | null }

/** The client to load. `fbUserId` is the chat user linked to the client; only the request for chats needs it. */
export type ClientRequest = { clientId: string; fbUserId?: string | null }
