import type { FbUserRow } from '../../schemas/conversation.ts'
import type { ConversationState } from '../../schemas/conversation-state.ts'
import type { Message } from '../../schemas/message.ts'

/** A change in the realtime table `messages` (spec section 4). For a deleted row, only its key is known. */
export type MessageChange =
  | {
      type: 'INSERT' | 'UPDATE'
      record: Message
      /** The commit time. */
      committedAt?: string | undefined
    }
  | { type: 'DELETE'; messageId: string }

/** A change in the realtime table `fb_users`. */
export type UserChange = { type: 'INSERT' | 'UPDATE'; row: FbUserRow; committedAt?: string | undefined }

/** A state that the server told. `id` is a primary user id. */
export type StateReport = {
  id: string
  state: ConversationState
  /** The staff member who changed the state; null if a message or the time did, undefined if the server did not tell. */
  changedBy?: string | null | undefined
}

export type ChannelName = 'messages' | 'users'

/** What the service of one realtime channel reports. */
export type ChannelReport =
  | { type: 'channel.subscribed'; channel: ChannelName }
  /** The server has started to deliver changes. This comes later than the subscription. */
  | { type: 'channel.ready'; channel: ChannelName }
  /** `isTokenRefused` if the server rejected the token, even if the token is valid by the local clock. */
  | { type: 'channel.failed'; channel: ChannelName; isTokenRefused?: boolean }
  /** The token is valid, but its session has ended or its owner may not listen. `channel.failed` follows. */
  | { type: 'access.refused' }
  | { type: 'channel.timedOut'; channel: ChannelName }
  /**
   * The server closed the channel, as it does when the token expires. The realtime client does not join again by
   * itself.
   */
  | { type: 'channel.closed'; channel: ChannelName }
  | { type: 'messages.received'; changes: readonly MessageChange[] }
  | { type: 'users.received'; changes: readonly UserChange[] }
  | { type: 'states.received'; changes: readonly StateReport[] }
  /** A change arrived that does not match the schema; its data must be fetched. */
  | { type: 'row.refused' }

export type ChannelInput = {
  channel: ChannelName
  /** The channel of the users also receives the states of conversations. */
  withStates?: boolean | undefined
  /** Request a new token from the identity provider first, because the server refused the current one. */
  needsFreshToken: boolean
}
