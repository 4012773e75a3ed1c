import { nameOf } from '../../domain/list/conversation-text.ts'
import type { Recipient } from '../../domain/send/outgoing.ts'
import { t } from '../../texts/list.ts'
import { useRow } from '../use-list.ts'

/** The person's current name, or, for a conversation that the list does not hold, the name when they were written to. */
export function useRecipientName({ conversationId, name }: Recipient): string {
  const row = useRow(conversationId)
  return row === null ? (name ?? t('list.unknownUser')) : nameOf(row)
}
