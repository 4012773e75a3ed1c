import { type Stats, statsAnswer } from '../../schemas/stats.ts'
import type { Http } from '../http.ts'

/** The counts of the header (spec section 7). Throws `Failure`. */
export function createStats(http: Http) {
  return {
    loadStats: async ({ pageId }: { pageId: string | null }, signal: AbortSignal): Promise<Stats> => {
      const { data } = await http.get('/facebook/stats', { schema: statsAnswer, query: { pageId }, signal })
      return data
    },
  }
}
