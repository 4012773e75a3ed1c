import * as z from 'zod/mini'
import type { ChatStep } from '../../domain/client/chats.ts'
import { type Chats, chat, type MovedChat, movedChat, namedClient } from '../../schemas/chats.ts'
import { answerOf } from '../../schemas/primitives.ts'
import { type Http, rows } from '../http.ts'

/** Corrections of links and merges (feature 'chats'). All throw `Failure`. */
export function createChats(http: Http, log: { warn: (text: string) => void }) {
  const schema = z.object({ success: z.literal(true), data: rows(movedChat, log, 'chats') })
  const chatsAnswer = answerOf(z.object({ client: namedClient, chats: rows(chat, log, 'chats') }))

  const change = ({ conversationId, step }: { conversationId: string; step: ChatStep }) => {
    switch (step.kind) {
      case 'unlink': {
        const body = { fbUserId: conversationId, clientId: step.clientId }
        return http.post('/facebook/unlink-client', { schema, body })
      }
      case 'split':
        return http.post('/facebook/split-chat', { schema, body: { fbUserId: step.chatId } })
      case 'join': {
        const body = { fbUserId: conversationId, otherId: step.otherId }
        return http.post('/facebook/join-chats', { schema, body })
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
