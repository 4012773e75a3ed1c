import { useCallback } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { selectRow } from '../../machines/list/records.ts'
import { type SessionRef, useSession } from '../actors.tsx'
import { InboxScreen } from './InboxScreen.tsx'
import type { BareInboxState } from './opened-conversation.ts'

/** The path and the history state for opening a row of the list. */
function addressOf(session: SessionRef, id: string): { pathname: string; state: BareInboxState | null } {
  const row = selectRow(id)(session.system.get('records').getSnapshot())
  if (row && row.primary_user_id == null) return { pathname: '/', state: { conversationId: id } }
  return { pathname: `/${encodeURIComponent(id)}`, state: null }
}

/** The inbox at its route. Opening a row navigates to its URL. */
export default function Inbox() {
  const session = useSession()
  const navigate = useNavigate()
  // Keeps the search and the filters in the URL when a conversation opens.
  const { search } = useLocation()
  const open = useCallback(
    (id: string) => {
      const { pathname, state } = addressOf(session, id)
      void navigate({ pathname, search }, { state })
    },
    [session, navigate, search],
  )
  const leave = useCallback(() => void navigate({ pathname: '/', search }), [navigate, search])
  return <InboxScreen onOpen={open} onLeave={leave} />
}
