import type { FbUserRow } from '../../schemas/conversation.ts'
import type { Message } from '../../schemas/message.ts'

/** A change of the realtime table `messages` (spec section 4). A deleted row is known by its key alone. */
export type MessageChange =
  | {
      type: 'INSERT' | 'UPDATE'
      record: Message
      /** When the database wrote the row. */
      committedAt?: string | undefined
    }
  | { type: 'DELETE'; messageId: string }

/** A change of the realtime table `fb_users`. */
export type UserChange = { type: 'INSERT' | 'UPDATE'; row: FbUserRow; committedAt?: string | undefined }

export type ChannelName = 'messages' | 'users'

/** What the service of one realtime channel reports. */
export type ChannelReport =
  | { type: 'channel.subscribed'; channel: ChannelName }
  /** The server says that changes flow now; being subscribed comes earlier. */
  | { type: 'channel.ready'; channel: ChannelName }
  /** `isTokenRefused` where the server would not have the token, whatever this machine's clock says of it. */
  | { type: 'channel.failed'; channel: ChannelName; isTokenRefused?: boolean }
  | { type: 'channel.timedOut'; channel: ChannelName }
  /** The server closed it, as it does when the token expires; the client will not join again by itself. */
  | { type: 'channel.closed'; channel: ChannelName }
  | { type: 'messages.received'; changes: readonly MessageChange[] }
  | { type: 'users.received'; changes: readonly UserChange[] }
  /** A change came that cannot be read; what it said has to be fetched. */
  | { type: 'row.refused' }

export type ChannelInput = {
  channel: ChannelName
  /** Ask the identity provider for a new token first: the server would not have the old one any more. */
  needsFreshToken: boolean
}
