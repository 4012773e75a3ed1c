import * as z from 'zod/mini'
import { limits } from '../../domain/limits.ts'
import type { Hits, SearchRequest } from '../../domain/shell/search-calls.ts'
import type { AroundAnswer, AroundRequest } from '../../domain/thread/thread-calls.ts'
import { message } from '../../schemas/message.ts'
import { clientHit, messageHit, orderHit } from '../../schemas/search.ts'
import { type Http, rows } from '../http.ts'

/** The search for clients, orders and messages, and the messages around a found one (feature 'search'). All throw `Failure`. */
export function createSearch(http: Http, log: { warn: (text: string) => void }) {
  const next = z.catch(z.nullable(z.string()), null)
  const hits = z.object({
    success: z.literal(true),
    data: z.object({
      clients: z.nullish(z.object({ hits: rows(clientHit, log, 'clients'), next })),
      orders: z.nullish(z.object({ hits: rows(orderHit, log, 'orders'), next })),
      messages: z.nullish(z.object({ hits: rows(messageHit, log, 'messages'), next })),
      is_partial: z.catch(z.boolean(), false),
    }),
  })
  const around = z.object({
    success: z.literal(true),
    data: z.object({ messages: rows(message, log, 'messages'), has_older: z.boolean(), has_newer: z.boolean() }),
  })
  return {
    search: async ({ term, kinds, after }: SearchRequest, signal: AbortSignal): Promise<Hits> => {
      const query = { q: term, kinds: kinds.join(','), after }
      const { data } = await http.get('/search', { schema: hits, signal, query })
      const { clients = null, orders = null, messages = null, is_partial: isPartial } = data
      return { clients, orders, messages, isPartial }
    },

    /** Status 404 if there is no such message. */
    loadAround: async (
      { conversationId, messageId, at, side }: AroundRequest,
      signal: AbortSignal,
    ): Promise<AroundAnswer> => {
      const { data } = await http.get(`/facebook/conversations/${encodeURIComponent(conversationId)}/messages-around`, {
        schema: around,
        signal,
        query: { messageId, at, side, limit: limits.messagePageSize },
      })
      return { messages: data.messages, hasOlder: data.has_older, hasNewer: data.has_newer }
    },
  }
}
