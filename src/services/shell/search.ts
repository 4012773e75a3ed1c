import * as z from 'zod/mini'
import type { Hits, SearchRequest } from '../../domain/shell/search-calls.ts'
import { clientHit, messageHit, orderHit } from '../../schemas/search.ts'
import { type Http, rows } from '../http.ts'

/** The search for clients, orders and messages (feature 'search'). Throws `Failure`. */
export function createSearch(http: Http, log: { warn: (text: string) => void }) {
  const next = z.catch(z.nullable(z.string()), null)
  const schema = z.object({
    success: z.literal(true),
    data: z.object({
      clients: z.nullish(z.object({ hits: rows(clientHit, log, 'clients'), next })),
      orders: z.nullish(z.object({ hits: rows(orderHit, log, 'orders'), next })),
      messages: z.nullish(z.object({ hits: rows(messageHit, log, 'messages'), next })),
      is_partial: z.catch(z.boolean(), false),
    }),
  })
  return {
    search: async ({ term, kinds, after }: SearchRequest, signal: AbortSignal): Promise<Hits> => {
      const query = { q: term, kinds: kinds.join(','), after }
      const { data } = await http.get('/search', { schema, signal, query })
      const { clients = null, orders = null, messages = null, is_partial: isPartial } = data
      return { clients, orders, messages, isPartial }
    },
  }
}
