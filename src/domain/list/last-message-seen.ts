import type { Conversation } from '../../schemas/conversation.ts'

/** When the person read the last message of the conversation, if that is ours; null if not. */
export function lastMessageSeenAt(row: Conversation): string | null {
  if (row.last_message_direction !== 'outgoing' || row.last_message_at == null) return null
  const at = Date.parse(row.last_message_at)
  const seen = row.receipts?.find(
    ({ page_id, read_up_to }) =>
      page_id === row.last_message_page_id && read_up_to != null && Date.parse(read_up_to) >= at,
  )
  return seen?.read_at ?? null
}
