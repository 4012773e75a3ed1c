import { useCallback } from 'react'
import { useOpenConversation } from './open-conversation.tsx'
import { usePart } from './use-part.ts'

/** Opens a conversation at one of its messages, from a dialog; null if the API offers no search. */
export function useOpenAtMessage(): ((conversationId: string, messageId: string) => void) | null {
  const openConversation = useOpenConversation()
  const around = usePart('around')
  const open = useCallback(
    (conversationId: string, messageId: string) => {
      around?.send({ type: 'message.requested', conversationId, messageId })
      openConversation(conversationId)
    },
    [around, openConversation],
  )
  return around === undefined ? null : open
}
