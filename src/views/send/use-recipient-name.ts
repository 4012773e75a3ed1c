import { nameOf } from '../../domain/list/conversation-text.ts'
import { safeName } from '../../domain/shown-text.ts'
import type { Unsent } from '../../machines/send/unsent.ts'
import { t } from '../../texts/list.ts'
import { useRow } from '../use-list.ts'

/** The person's current name, or, for a conversation that the list does not hold, the name when they were written to. */
export function useRecipientName(send: Unsent): string {
  const row = useRow('recipient' in send ? send.recipient.conversationId : '')
  if (row !== null) return nameOf(row)
  const name = 'recipient' in send ? send.recipient.name : safeName(send.comment.author ?? '')
  return name || t('list.unknownUser')
}
