import type { ChatStep } from '../../domain/client/chats.ts'
import { type Chats, chatsAnswer, type MovedChat, movedChatsAnswer } from '../../schemas/chats.ts'
import type { Http } from '../http.ts'

/** Corrections of links and merges (feature 'chats'). All throw `Failure`. */
export function createChats(http: Http) {
  const change = ({ conversationId, step }: { conversationId: string; step: ChatStep }) => {
    switch (step.kind) {
      case 'unlink': {
        const body = { fbUserId: conversationId, clientId: step.clientId }
        return http.post('/facebook/unlink-client', { schema: movedChatsAnswer, body })
      }
      case 'split':
        return http.post('/facebook/split-chat', { schema: movedChatsAnswer, body: { fbUserId: step.chatId } })
      case 'join': {
        const body = { fbUserId: conversationId, otherId: step.otherId }
        return http.post('/facebook/join-chats', { schema: movedChatsAnswer, body })
      }
    }
  }

  return {
    loadConversationChats: async (
      { conversationId }: { conversationId: string },
      signal: AbortSignal,
    ): Promise<Chats> =>
      (await http.get(`/facebook/chats/${encodeURIComponent(conversationId)}`, { schema: chatsAnswer, signal })).data,

    /** Returns the identities of the changed conversations. Never aborted. Throws a Failure with status 409 if refused. */
    changeChats: async (request: Parameters<typeof change>[0]): Promise<readonly MovedChat[]> =>
      (await change(request)).data,
  }
}
