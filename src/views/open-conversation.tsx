import { createContext, type ReactNode, use } from 'react'

const OpenConversation = createContext<(id: string) => void>(() => {})

type OpenConversationProviderProps = {
  /** Opens the conversation with the row id at its URL. */
  onOpen: (id: string) => void
  children: ReactNode
}

export function OpenConversationProvider({ onOpen, children }: OpenConversationProviderProps) {
  return <OpenConversation value={onOpen}>{children}</OpenConversation>
}

/** The function that opens a conversation, for views that the screen does not pass it to, such as dialogs. */
export const useOpenConversation = () => use(OpenConversation)
