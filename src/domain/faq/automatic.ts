import type { Message } from '../../schemas/message.ts'

/** The prefix of the idempotency keys of automatic replies. The server rejects this prefix in keys of other sends. */
export const automaticKeyStart = 'auto-reply:'

/**
 * The idempotency key of the automatic reply to an incoming message. One key for each message prevents a second
 * answer.
 */
export const automaticKeyOf = (messageId: string): string => automaticKeyStart + messageId

export const isAutomaticKey = (key: string): boolean => key.startsWith(automaticKeyStart)

/** Whether a message is an automatic reply from a FAQ entry. */
export const isAutomatic = ({ idempotency_key }: Pick<Message, 'idempotency_key'>): boolean =>
  isAutomaticKey(idempotency_key ?? '')
