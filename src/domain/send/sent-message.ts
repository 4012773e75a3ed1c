import type { Message } from '../../schemas/message.ts'
import { limits } from '../limits.ts'
import { sentAt } from '../message-order.ts'

/** What tells one of our sends from other messages. */
export type SendFacts = {
  /** Its Idempotency-Key. */
  key: string | null
  /** The id that the server gave the message; null where it gave none. */
  messageId: string | null
  pageId: string | null
  text: string
  /** Milliseconds since 1970; null before it left. */
  leftAt: number | null
}

/**
 * Whether a message of the conversation is our send (spec section 4, Sending): 'certain' by the id or the key, 'likely' by page,
 * text and time where neither is known. A message that carries a key is never matched by its text.
 */
export function matchOf(send: SendFacts, message: Message): 'certain' | 'likely' | null {
  if (message.direction !== 'outgoing') return null
  if (send.messageId !== null && send.messageId === message.message_id) return 'certain'
  if (message.idempotency_key) return message.idempotency_key === send.key ? 'certain' : null
  if (send.messageId !== null || send.leftAt === null) return null
  const isAlike = message.page_id === send.pageId && (message.message_text ?? '') === send.text
  return isAlike && Math.abs(sentAt(message) - send.leftAt) < limits.temporaryMessageWindow ? 'likely' : null
}
