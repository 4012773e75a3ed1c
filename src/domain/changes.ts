import type { FbUserRow } from '../schemas/conversation.ts'
import type { Message } from '../schemas/message.ts'

/** A change of the realtime table `messages` (spec section 4). A deleted row is known by its key alone. */
export type MessageChange =
  | {
      type: 'INSERT' | 'UPDATE'
      record: Message
      /** When the database wrote it: told apart from when the message was written, old messages coming in late are known. */
      committedAt?: string | undefined
    }
  | { type: 'DELETE'; messageId: string }

/** A change of the realtime table `fb_users`. */
export type UserChange = { type: 'INSERT' | 'UPDATE'; row: FbUserRow }
