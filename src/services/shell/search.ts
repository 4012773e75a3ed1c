import type { Hits, SearchRequest } from '../../domain/shell/search-calls.ts'
import { searchAnswer } from '../../schemas/search.ts'
import type { Http } from '../http.ts'

/** The search for clients, orders and messages (feature 'search'). Throws `Failure`. */
export function createSearch(http: Http) {
  return {
    search: async ({ term, kinds, after }: SearchRequest, signal: AbortSignal): Promise<Hits> => {
      const { data } = await http.get('/search', {
        schema: searchAnswer,
        signal,
        query: { q: term, kinds: kinds.join(','), after },
      })
      const { clients = null, orders = null, messages = null, is_partial: isPartial } = data
      return { clients, orders, messages, isPartial }
    },
  }
}
