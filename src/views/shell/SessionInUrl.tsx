import { useLayoutEffect } from 'react'
import { useSession } from '../actors.tsx'
import { QueryInUrl } from '../list/QueryInUrl.tsx'
import { useConversationInAddress } from './opened-conversation.ts'

/** Keeps the session and the address the same: the query of the list, and the conversation that is open. */
export default function SessionInUrl() {
  return (
    <>
      <QueryInUrl />
      <SelectionInUrl />
    </>
  )
}

/** Tells the session which conversation the address opens, before the next paint. */
function SelectionInUrl() {
  const session = useSession()
  const conversationId = useConversationInAddress()
  useLayoutEffect(() => {
    if (conversationId === null) session.send({ type: 'conversation.deselected' })
    else session.send({ type: 'conversation.selected', id: conversationId })
  }, [session, conversationId])
  return null
}
