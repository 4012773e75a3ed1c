import * as z from 'zod/mini'
import { limits } from '../../domain/limits.ts'
import { type Conversation, conversation } from '../../schemas/conversation.ts'
import { pagination } from '../../schemas/pagination.ts'
import { type Http, rows } from '../http.ts'

type Filter = { search: string; pageId: string | null; unreadOnly: boolean }
/** `unreadable` rows were left out. */
type Answer = { rows: Conversation[]; unreadable: number; hasNext: boolean; total: number }

/** The largest page the API serves. */
const largestPage = 100

/** The calls of the conversation list (spec section 7). All throw `Failure`. */
export function createConversations(http: Http, log: { warn: (text: string) => void }) {
  const answer = z.object({
    success: z.literal(true),
    data: z.array(z.unknown()),
    pagination,
  })
  const conversationRows = rows(conversation, (dropped) => log.warn(`${dropped} conversations could not be read`))

  async function load(filter: Filter, page: number, limit: number, signal: AbortSignal): Promise<Answer> {
    const { data, pagination } = await http.get('/facebook/conversations', {
      schema: answer,
      signal,
      query: {
        page,
        limit,
        search: filter.search.trim(),
        unreadOnly: filter.unreadOnly ? true : undefined,
        pageId: filter.pageId,
      },
    })
    const read = z.parse(conversationRows, data)
    return {
      rows: read,
      unreadable: data.length - read.length,
      hasNext: pagination.hasNext,
      total: pagination.total,
    }
  }

  return {
    /** A page of 20, counted from 1. */
    loadPage: ({ query, page }: { query: Filter; page: number }, signal: AbortSignal): Promise<Answer> =>
      load(query, page, limits.conversationPageSize, signal),

    /** At least the first `count` rows, as far as there are so many. */
    loadTop: async ({ query, count }: { query: Filter; count: number }, signal: AbortSignal): Promise<Answer> => {
      const size = count <= limits.conversationPageSize ? limits.conversationPageSize : largestPage
      let last = await load(query, 1, size, signal)
      const all = [...last.rows]
      let { unreadable } = last
      for (let page = 2; last.hasNext && (page - 1) * size < count; page += 1) {
        last = await load(query, page, size, signal)
        all.push(...last.rows)
        unreadable += last.unreadable
      }
      return { ...last, rows: all, unreadable }
    },
  }
}
