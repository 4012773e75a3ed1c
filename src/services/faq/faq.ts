import * as z from 'zod/mini'
import type { AnswerMark, DryRunRequest, SavedFaq, TestedMessage } from '../../domain/faq/faq-calls.ts'
import type { SavedSettings, SettingsSave, SettingsSaveResult } from '../../domain/settings-calls.ts'
import {
  type FaqCategory,
  type FaqDryRunPart,
  type FaqEntry,
  type FaqMatching,
  type FaqTestResult,
  type FaqWrongAnswers,
  faqCategory,
  faqDryRunEntry,
  faqDryRunPart,
  faqEntry,
  faqMatch,
  faqMatchingAnswer,
  faqTestResult,
  faqWrongAnswer,
  faqWrongAnswers,
  saveFaqMatchingAnswer,
} from '../../schemas/faq.ts'
import { type Message, wrongAnswerAnswer } from '../../schemas/message.ts'
import { answerOf, successAnswer } from '../../schemas/primitives.ts'
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
  const dryRunAnswer = answerOf(z.extend(faqDryRunPart, { entries: rows(faqDryRunEntry, log, 'entries of a dry run') }))
  const wrongAnswersAnswer = answerOf(
    z.extend(faqWrongAnswers, { answers: rows(faqWrongAnswer, log, 'wrong answers') }),
  )
  const result = z.extend(faqTestResult, { matches: rows(faqMatch, log, 'FAQ matches') })
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

    testMatch: async ({ message, pageId }: TestedMessage, signal: AbortSignal): Promise<FaqTestResult> => {
      const body = pageId === null ? { message } : { message, pageId }
      return (await http.post('/faq/test-match', { schema: testAnswer, body, signal })).data
    },

    loadMatching: async (signal: AbortSignal): Promise<{ saved: SavedSettings<FaqMatching>; facts: null }> => ({
      saved: (await http.get('/faq/matching', { schema: faqMatchingAnswer, signal })).data,
      facts: null,
    }),

    saveMatching: async (body: SettingsSave<FaqMatching>): Promise<SettingsSaveResult<FaqMatching>> => {
      const { data } = await http.put('/faq/matching', { schema: saveFaqMatchingAnswer, body })
      return { settings: data.settings, version: data.version, isSaved: data.is_saved }
    },

    loadWrongAnswers: async (signal: AbortSignal): Promise<FaqWrongAnswers> =>
      (await http.get('/faq/wrong-answers', { schema: wrongAnswersAnswer, signal })).data,

    resolveWrongAnswer: async ({ messageId }: { messageId: string }): Promise<void> => {
      await http.post(`/faq/wrong-answers/${encodeURIComponent(messageId)}/resolve`, { schema: successAnswer })
    },

    /** One part of a dry run. */
    dryRun: async (body: DryRunRequest, signal: AbortSignal): Promise<FaqDryRunPart> =>
      (await http.post('/faq/dry-run', { schema: dryRunAnswer, body, signal })).data,

    /** Marks an automatic answer wrong, or takes the mark back. Returns the answer as it is now. */
    markAnswer: async ({ messageId, isWrong }: AnswerMark): Promise<Message> => {
      const path = `/facebook/messages/${encodeURIComponent(messageId)}/wrong-answer`
      const { data } = await (isWrong
        ? http.put(path, { schema: wrongAnswerAnswer })
        : http.delete(path, { schema: wrongAnswerAnswer }))
      return data.message
    },
  }
}
