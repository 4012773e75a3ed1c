import { useCallback } from 'react'
import { selectThread } from '../../machines/session/session.ts'
import { selectConversationId } from '../../machines/thread/thread.ts'
import { useSession } from '../actors.tsx'
import { usePart } from '../use-part.ts'

/** Opens the thread around a message of the open conversation, as the search does; null if the API offers no search. */
export function useShowOriginal(): ((messageId: string) => void) | null {
  const session = useSession()
  const around = usePart('around')
  const show = useCallback(
    (messageId: string) => {
      const thread = selectThread(session.getSnapshot())
      const conversationId = thread && selectConversationId(thread.getSnapshot())
      if (conversationId != null) around?.send({ type: 'message.requested', conversationId, messageId })
    },
    [session, around],
  )
  return around === undefined ? null : show
}
