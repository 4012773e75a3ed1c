import * as z from 'zod/mini'
import { limits } from '../../domain/limits.ts'
import type { AroundAnswer, AroundRequest } from '../../domain/thread/thread-calls.ts'
import { message } from '../../schemas/message.ts'
import { type Http, rows } from '../http.ts'

/** The messages around one that was searched (feature 'search'). Throws `Failure`, with status 404 if there is no such message. */
export function createMessagesAround(http: Http, log: { warn: (text: string) => void }) {
  const schema = z.object({
    success: z.literal(true),
    data: z.object({ messages: rows(message, log, 'messages'), has_older: z.boolean(), has_newer: z.boolean() }),
  })
  return {
    loadAround: async (
      { conversationId, messageId, at, side }: AroundRequest,
      signal: AbortSignal,
    ): Promise<AroundAnswer> => {
      const { data } = await http.get(`/facebook/conversations/${encodeURIComponent(conversationId)}/messages-around`, {
        schema,
        signal,
        query: { messageId, at, side, limit: limits.messagePageSize },
      })
      return { messages: data.messages, hasOlder: data.has_older, hasNewer: data.has_newer }
    },
  }
}
