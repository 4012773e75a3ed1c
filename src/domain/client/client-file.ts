import type { Client } from '../../schemas/client.ts'
import type { Conversation } from '../../schemas/conversation.ts'
import type { Order } from '../../schemas/order.ts'

/** What is known of a client, by the parts that were asked for: one that is not there was not, an empty list is none. */
export type ClientFile = {
  client?: Client
  /** Newest first, at most 1000, each with its payments (spec section 9). */
  orders?: readonly Order[]
  /** The conversations linked to the client. */
  chats?: readonly Conversation[]
}

/** Whose file; `fbUserId` names the chat that is linked to the client, for who asks for its chats. */
export type ClientRequest = { clientId: string; fbUserId?: string | null }
