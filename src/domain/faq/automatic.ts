import type { Message } from '../../schemas/message.ts'

/** Where the keys of automatic answers begin; nobody else may send under such a key. */
export const automaticKeyStart = 'auto-reply:'

/** The one key under which an incoming message is answered, whoever answers it and however often. */
export const automaticKeyOf = (messageId: string): string => automaticKeyStart + messageId

export const isAutomaticKey = (key: string): boolean => key.startsWith(automaticKeyStart)

/** Whether the product wrote it by itself, from a FAQ entry. */
export const isAutomatic = ({ idempotency_key }: Pick<Message, 'idempotency_key'>): boolean =>
  isAutomaticKey(idempotency_key ?? '')
