import { useCallback } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useSession } from '../actors.tsx'
import { addressOf } from './conversation-address.ts'
import { InboxScreen } from './InboxScreen.tsx'

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
