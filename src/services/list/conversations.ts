import * as z from 'zod/mini'
import { limits } from '../../domain/limits.ts'
import { rowIdOf } from '../../domain/list/conversation-row.ts'
import type { ListAnswer, ListPageRequest, TopRequest } from '../../domain/list/list-calls.ts'
import type { ListQuery } from '../../domain/list/list-query.ts'
import { viewOf } from '../../domain/list/views.ts'
import { type Conversation, conversation } from '../../schemas/conversation.ts'
import { pagination } from '../../schemas/pagination.ts'
import { type Http, rows } from '../http.ts'

/** The number of result pages requested in parallel. */
const pagesAtOnce = 4

/** Removes duplicate conversations and keeps the first occurrence. */
function firstOfEach(rows: readonly Conversation[]): Conversation[] {
  const seen = new Set<string>()
  return rows.filter((row) => {
    const id = rowIdOf(row)
    const isNew = !seen.has(id)
    seen.add(id)
    return isNew
  })
}

/** The calls of the conversation list (spec section 7). All throw `Failure`. */
export function createConversations(http: Http, log: { warn: (text: string) => void }) {
  const answer = z.object({
    success: z.literal(true),
    data: z.array(z.unknown()),
    pagination,
  })
  const conversationRows = rows(conversation, log, 'conversations')

  async function load(filter: ListQuery, page: number, signal: AbortSignal) {
    const { data, pagination } = await http.get('/facebook/conversations', {
      schema: answer,
      signal,
      query: {
        page,
        limit: limits.conversationPageSize,
        search: filter.search.trim(),
        unreadOnly: filter.unreadOnly ? true : undefined,
        pageId: filter.pageId,
        view: viewOf(filter),
        labelId: filter.labelId,
        assignedTo: filter.assignedTo,
        order: viewOf(filter) === 'waiting' ? filter.order : undefined,
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
    /** A result page of 20 rows, counted from 1. */
    loadPage: ({ query, page }: ListPageRequest, signal: AbortSignal): Promise<ListAnswer> => load(query, page, signal),

    /** At least the first `count` rows, or all if there are fewer, in result pages of 20 (spec section 7). */
    loadTop: async ({ query, count }: TopRequest, signal: AbortSignal): Promise<ListAnswer> => {
      const first = await load(query, 1, signal)
      const answers = [first]
      const pages = Math.ceil(Math.min(count, first.total) / limits.conversationPageSize)
      while (answers.length < pages) {
        const after = answers.length
        const next = Array.from({ length: Math.min(pagesAtOnce, pages - after) }, (_, index) =>
          load(query, after + 1 + index, signal),
        )
        answers.push(...(await Promise.all(next)))
      }
      const all = answers.flatMap(({ rows }) => rows)
      const unreadable = answers.reduce((sum, answer) => sum + answer.unreadable, 0)
      let found = firstOfEach(all)
      // A conversation moved to the top while the pages were read and shifted another one onto two pages.
      if (found.length < all.length) found = firstOfEach([...(await load(query, 1, signal)).rows, ...all])
      return { ...(answers.at(-1) ?? first), rows: found, unreadable }
    },
  }
}
