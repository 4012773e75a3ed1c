import * as z from 'zod/mini'
import type { SavedFaq } from '../../domain/faq/faq-calls.ts'
import {
  type FaqCategory,
  type FaqEntry,
  type FaqTestResult,
  faqCategory,
  faqEntry,
  faqMatch,
} from '../../schemas/faq.ts'
import { successAnswer } from '../../schemas/primitives.ts'
import { type Http, rows } from '../http.ts'

const entryPath = (id: string) => `/faq/entries/${encodeURIComponent(id)}`

/** The calls for FAQ entries (spec section 7). All throw `Failure`. Calls that change data are never aborted. */
export function createFaq(http: Http, log: { warn: (text: string) => void }) {
  const listOf = <Row extends z.ZodMiniType>(row: Row, name: string) => {
    const list = rows(row, log, name)
    return z.union([
      z.object({ success: z.literal(true), data: list }),
      z.pipe(
        list,
        z.transform((data) => ({ data })),
      ),
    ])
  }
  const categoriesAnswer = listOf(faqCategory, 'FAQ categories')
  const entriesAnswer = listOf(faqEntry, 'FAQs')
  const result = z.object({
    message: z.string(),
    matches: rows(faqMatch, log, 'FAQ matches'),
  })
  const testAnswer = z.union([
    z.object({ success: z.literal(true), data: result }),
    z.pipe(
      result,
      z.transform((data) => ({ data })),
    ),
  ])

  return {
    loadCategories: async (signal: AbortSignal): Promise<readonly FaqCategory[]> =>
      (await http.get('/faq/categories', { schema: categoriesAnswer, signal })).data,

    loadEntries: async (signal: AbortSignal): Promise<readonly FaqEntry[]> =>
      (await http.get('/faq/entries', { schema: entriesAnswer, signal })).data,

    /** A null id creates a new entry. */
    saveFaq: async ({ id, body }: SavedFaq): Promise<void> => {
      if (id === null) await http.post('/faq/entries', { schema: successAnswer, body })
      else await http.put(entryPath(id), { schema: successAnswer, body })
    },

    deleteFaq: async ({ id }: { id: string }): Promise<void> => {
      await http.delete(entryPath(id), { schema: successAnswer })
    },

    testMatch: async ({ message }: { message: string }, signal: AbortSignal): Promise<FaqTestResult> =>
      (await http.post('/faq/test-match', { schema: testAnswer, body: { message }, signal })).data,
  }
}
