import { useLocation, useParams } from 'react-router'

/**
 * The conversation that a history entry opens. The path holds its primary user id. A conversation without a primary
 * user id opens at the path of the bare inbox (spec section 2). Its fb user id is kept in the state of the history
 * entry, which survives back, forward and a reload.
 */
export type BareInboxState = { conversationId: string }

/** The fb user id in the state of a history entry; null if the entry opens no such conversation. */
export const conversationInState = (state: unknown): string | null => {
  const id = typeof state === 'object' && state !== null && 'conversationId' in state ? state.conversationId : null
  return typeof id === 'string' ? id : null
}

/** The id of the conversation that the current history entry opens; null if it opens none. */
export function useConversationInAddress(): string | null {
  const { conversationId } = useParams()
  const { state } = useLocation()
  return conversationId ?? conversationInState(state)
}
