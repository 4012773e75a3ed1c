import { useCallback, useLayoutEffect, useRef } from 'react'
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
  // `navigate` and `search` change with every address. With stable functions the list need not render then.
  const address = useRef({ navigate, search })
  useLayoutEffect(() => {
    address.current = { navigate, search }
  })
  const open = useCallback(
    (id: string) => {
      const { pathname, state } = addressOf(session, id)
      // `SessionInUrl` sends the same after the navigation. Sent here, address and thread change in one commit.
      session.send({ type: 'conversation.selected', id })
      void address.current.navigate({ pathname, search: address.current.search }, { state })
    },
    [session],
  )
  const leave = useCallback(() => {
    void address.current.navigate({ pathname: '/', search: address.current.search })
  }, [])
  return <InboxScreen onOpen={open} onLeave={leave} />
}
