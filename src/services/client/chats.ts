import type { ChatStep } from '../../domain/client/chats.ts'
import { type Chats, chatsAnswer, type MovedChat, movedChatsAnswer } from '../../schemas/chats.ts'
import type { Http } from '../http.ts'

/** Corrections of links and merges (feature 'chats'). All throw `Failure`. */
export function createChats(http: Http) {
  const change = async (path: string, body: object): Promise<readonly MovedChat[]> =>
    (await http.post(`/facebook/${path}`, { schema: movedChatsAnswer, body })).data

  return {
    loadConversationChats: async (
      { conversationId }: { conversationId: string },
      signal: AbortSignal,
    ): Promise<Chats> =>
      (await http.get(`/facebook/chats/${encodeURIComponent(conversationId)}`, { schema: chatsAnswer, signal })).data,

    /** Returns the identities of the changed conversations. Never aborted. Throws a Failure with status 409 if refused. */
    changeChats: ({ conversationId, step }: { conversationId: string; step: ChatStep }) => {
      switch (step.kind) {
        case 'unlink':
          return change('unlink-client', { fbUserId: conversationId, clientId: step.clientId })
        case 'split':
          return change('split-chat', { fbUserId: step.chatId })
        case 'join':
          return change('join-chats', { fbUserId: conversationId, otherId: step.otherId })
      }
    },
  }
}
