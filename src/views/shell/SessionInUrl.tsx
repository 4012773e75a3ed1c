import { useLayoutEffect } from 'react'
import { selectSelected } from '../../machines/session/session.ts'
import { useSession } from '../actors.tsx'
import { QueryInUrl } from '../list/QueryInUrl.tsx'
import { useConversationInAddress } from './opened-conversation.ts'

/** Synchronizes the session with the URL: the query of the list and the open conversation. */
export default function SessionInUrl() {
  return (
    <>
      <QueryInUrl />
      <SelectionInUrl />
    </>
  )
}

/** Sends the conversation id of the URL to the session before the next paint. */
function SelectionInUrl() {
  const session = useSession()
  const conversationId = useConversationInAddress()
  useLayoutEffect(() => {
    // An event that changes nothing would render the screen again.
    if (selectSelected(session.getSnapshot()) === conversationId) return
    if (conversationId === null) session.send({ type: 'conversation.deselected' })
    else session.send({ type: 'conversation.selected', id: conversationId })
  }, [session, conversationId])
  return null
}
