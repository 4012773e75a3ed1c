import type { Client } from '../../schemas/client.ts'
import type { Conversation } from '../../schemas/conversation.ts'
import type { Order } from '../../schemas/order.ts'

/** The loaded data of a client. A missing part was not requested; an empty list means that the client has none. */
export type ClientFile = {
  client?: Client
  /** Newest first, at most 1000, each with its payments (spec section 9). */
  orders?: readonly Order[]
  /** The conversations linked to the client. */
  chats?: readonly Conversation[]
}

/** The client to load. `fbUserId` is the chat user linked to the client; only the request for chats needs it. */
export type ClientRequest = { clientId: string; fbUserId?: string | null }
