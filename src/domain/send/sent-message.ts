import type { Message } from '../../schemas/message.ts'
import type { FileKind } from '../../schemas/outgoing-file.ts'
import { kindOfMessage } from '../attachment-kind.ts'
import { limits } from '../limits.ts'
import { sentAt } from '../message-order.ts'
import { writtenText } from '../written-text.ts'

/** The data that identifies one of our sends among other messages. */
export type SendFacts = {
  /** The Idempotency-Key. */
  key: string | null
  /** The id that the server gave the message; null if there is none. */
  messageId: string | null
  pageId: string | null
  /** Empty if a file is sent. */
  text: string
  /** The kind of the file that is sent instead of a text; null for a text. */
  fileKind: FileKind | null
  /** Milliseconds since 1970; null before the request was sent. */
  leftAt: number | null
}

/**
 * Whether a message of the conversation is this send (spec section 4, Sending): 'certain' by id or key, 'likely' by
 * page, text or kind of file, and time if neither is known. A message with a key is never matched by its text.
 */
export function matchOf(send: SendFacts, message: Message): 'certain' | 'likely' | null {
  if (message.direction !== 'outgoing') return null
  if (send.messageId !== null && send.messageId === message.message_id) return 'certain'
  if (message.idempotency_key) return message.idempotency_key === send.key ? 'certain' : null
  if (send.messageId !== null || send.leftAt === null) return null
  const isAlike =
    message.page_id === send.pageId && writtenText(message) === send.text && kindOfMessage(message) === send.fileKind
  return isAlike && Math.abs(sentAt(message) - send.leftAt) < limits.temporaryMessageWindow ? 'likely' : null
}
