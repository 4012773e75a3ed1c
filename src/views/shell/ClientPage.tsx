import { useCallback } from 'react'
import { useNavigate } from 'react-router'
import { useSession } from '../actors.tsx'
import ClientScreen from '../client/ClientScreen.tsx'
import { OpenConversationProvider } from '../open-conversation.tsx'
import { addressOf } from './conversation-address.ts'
import { Dialogs } from './Dialogs.tsx'

/** The client's page, with the dialogs that are opened from there. */
export default function ClientPage() {
  const session = useSession()
  const navigate = useNavigate()
  const open = useCallback(
    (id: string) => {
      const { pathname, state } = addressOf(session, id)
      void navigate(pathname, { state })
    },
    [session, navigate],
  )
  return (
    <OpenConversationProvider onOpen={open}>
      <ClientScreen />
      <Dialogs />
    </OpenConversationProvider>
  )
}
