import { selectRow } from '../../machines/list/records.ts'
import type { SessionRef } from '../actors.tsx'
import type { BareInboxState } from './opened-conversation.ts'

/** The path and the history state for opening a conversation. */
export type ConversationAddress = { pathname: string; state: BareInboxState | null }

export function addressOf(session: SessionRef, id: string): ConversationAddress {
  const row = selectRow(id)(session.system.get('records').getSnapshot())
  if (row && row.primary_user_id == null) return { pathname: '/', state: { conversationId: id } }
  return { pathname: `/${encodeURIComponent(id)}`, state: null }
}
