import * as z from 'zod/mini'
import { answerOf, count, id, moment } from './primitives.ts'
import { storableMoment } from './storable-moment.ts'

/** Spec section 3, FAQ category. */
export const faqCategory = z.object({ id, name: z.string() })
export type FaqCategory = z.infer<typeof faqCategory>
export const faqCategoriesAnswer = answerOf(z.array(faqCategory))

/** Spec section 3, FAQ entry. */
export const faqEntry = z.object({
  id,
  title: z.string(),
  category_id: z.nullish(id),
  category_name: z.nullish(z.string()),
  keywords: z._default(z.array(z.string()), []),
  /** May contain the placeholder `{userName}`. */
  response: z.string(),
  is_active: z._default(z.boolean(), true),
  priority: z._default(z.number(), 0),
  created_by_name: z.nullish(z.string()),
  created_at: z.nullish(moment),
  /** The pages on which the entry replies. Null or absent: all pages. Feature 'faq-matching'. */
  page_ids: z.nullish(z.array(id)),
})
export type FaqEntry = z.infer<typeof faqEntry>
export const faqEntriesAnswer = answerOf(z.array(faqEntry))

/** The maximum number of characters of each field; `keywords` is the maximum number of keywords. */
export const faqLimits = {
  title: 200,
  keyword: 100,
  keywords: 50,
  response: 1_800,
  message: 5_000,
  pages: 200,
} as const

const isUnique = (texts: readonly string[]): boolean => new Set(texts).size === texts.length

const keyword = z.string().check(z.trim(), z.minLength(1), z.maxLength(faqLimits.keyword))

/** The body of both POST and PUT (spec section 5, FAQ form). */
export const faqEntryBody = z.object({
  title: z.string().check(z.trim(), z.minLength(1), z.maxLength(faqLimits.title)),
  category_id: id,
  keywords: z.array(keyword).check(z.minLength(1), z.maxLength(faqLimits.keywords), z.refine(isUnique, 'not unique')),
  response: z.string().check(z.trim(), z.minLength(1), z.maxLength(faqLimits.response)),
  is_active: z._default(z.boolean(), true),
  priority: z._default(z.number().check(z.int(), z.minimum(0), z.maximum(100)), 0),
  /** Null: all pages. Absent: a new entry replies on all pages, an existing one stays as it is. */
  page_ids: z.optional(
    z.nullable(
      z
        .array(z.string().check(z.minLength(1), z.maxLength(100)))
        .check(z.minLength(1), z.maxLength(faqLimits.pages), z.refine(isUnique, 'not unique')),
    ),
  ),
})
export type FaqEntryBody = z.input<typeof faqEntryBody>
export const savedFaqAnswer = answerOf(faqEntry)
export const deleteFaqAnswer = z.object({ success: z.literal(true), message: z.optional(z.string()) })

/** An entry with a keyword that occurs in the message (spec section 3, FAQ test result). */
export const faqMatch = z.object({
  id,
  title: z.string(),
  category: z.nullish(z.string()),
  priority: z._default(z.number(), 0),
  matched_keywords: z._default(z.array(z.string()), []),
})
export type FaqMatch = z.infer<typeof faqMatch>

/** How words of a message were read as those of a keyword: `written` as `read`. A particle was left out. */
const faqReason = z.object({
  kind: z.enum(['meaning', 'spelling', 'ending', 'prefix', 'typing', 'spacing', 'particle']),
  written: z.string(),
  read: z.string(),
})
export type FaqReason = z.infer<typeof faqReason>

/** An entry that a message may ask for, without a keyword to the letter. `score` is above 0 and below 1. */
const faqNearMatch = z.object({
  id,
  title: z.string(),
  category: z.nullish(z.string()),
  priority: z._default(z.number(), 0),
  /** The keyword of the entry that the message is similar to. */
  keyword: z.string(),
  score: z.number(),
  reasons: z._default(z.array(faqReason), []),
})
export type FaqNearMatch = z.infer<typeof faqNearMatch>

/**
 * Why the best near match does not reply: only exact keywords reply, its score is low, another entry is about equally good,
 * the message has a negation, or more than 30 words.
 */
const faqDoubt = z.enum(['exact-only', 'low-score', 'several', 'negation', 'long'])
export type FaqDoubt = z.infer<typeof faqDoubt>

/** `pageId` absent: entries of all pages. */
export const testMatchBody = z.object({
  message: z.string().check(z.trim(), z.minLength(1), z.maxLength(faqLimits.message)),
  pageId: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
})
/** `near` and `answer`: feature 'faq-matching'. `answer.id` null: no entry replies. */
export const faqTestResult = z.object({
  message: z.string(),
  matches: z.array(faqMatch),
  near: z.optional(z.array(faqNearMatch)),
  answer: z.optional(z.object({ id: z.nullable(id), doubt: z.nullable(faqDoubt) })),
})
export type FaqTestResult = z.infer<typeof faqTestResult>
export const testMatchAnswer = answerOf(faqTestResult)

/** What may reply besides exact keywords: near matches of at least this score. Null: nothing. */
const faqMatching = z.object({ least_score: z.nullable(z.number().check(z.minimum(0.7), z.maximum(0.99))) })
export type FaqMatching = z.infer<typeof faqMatching>
export const usualFaqMatching: FaqMatching = { least_score: 0.9 }

/** The version increases with every write. */
const savedFaqMatching = z.object({ settings: faqMatching, version: count })
export const faqMatchingAnswer = answerOf(savedFaqMatching)
/** `replaces`: the version that the person saw. The server refuses the write if it stores another version. */
export const saveFaqMatchingBody = z.object({ settings: faqMatching, replaces: count })
export const saveFaqMatchingAnswer = answerOf(z.extend(savedFaqMatching, { is_saved: z.boolean() }))

/**
 * `days` that a dry run looks back. `samples`: of each list, in one part. `recent`: people of the last minutes. `text`:
 * characters.
 */
export const faqDryRunLimits = { days: 30, samples: 20, recent: 2_000, text: 300 } as const

const faqDryRunCursor = z.object({
  /** The messages with higher ids, up to `last`, follow. */
  after: count,
  last: count,
  since: storableMoment,
  total: count,
  done: count,
  /** Changes with the entries and the setting, so that one run does not mix two states. */
  version: z.string().check(z.maxLength(100)),
  /** Who would have got a reply within the last minutes, and when. */
  recent: z
    .array(z.object({ person: z.string().check(z.maxLength(200)), at: storableMoment }))
    .check(z.maxLength(faqDryRunLimits.recent)),
})
export type FaqDryRunCursor = z.infer<typeof faqDryRunCursor>

/** `entry`: not saved yet; `id` null is a new one, any other stands in for the saved one. `next` null: the first part. */
export const faqDryRunBody = z.object({
  entry: z.nullable(z.extend(faqEntryBody, { id: z.nullable(id) })),
  next: z.nullable(faqDryRunCursor),
})

/**
 * What becomes of a message: `answered`, or an entry would answer and the rules of automatic replies prevent it: staff wrote
 * within the hour before (`staff`), or an automatic reply went out within the ten minutes before (`recent`). `doubtful`: an
 * entry is similar and does not reply. `none`: no entry.
 */
const faqDryRunOutcomes = ['answered', 'staff', 'recent', 'doubtful', 'none'] as const
export type FaqDryRunOutcome = (typeof faqDryRunOutcomes)[number]

const faqDryRunSample = z.object({
  message_id: id,
  conversation_id: id,
  page_id: id,
  text: z.string(),
  written_at: moment,
  outcome: z.enum(faqDryRunOutcomes),
  doubt: z.nullable(faqDoubt),
  /**
   * The entries that claim the message, or else the most similar one; the one that answers first. `score` 1: an exact
   * keyword.
   */
  entries: z.array(
    z.object({ id, title: z.string(), keyword: z.string(), score: z.number(), reasons: z.array(faqReason) }),
  ),
})
export type FaqDryRunSample = z.infer<typeof faqDryRunSample>

/** The id of a new entry in a dry run. */
export const unsavedFaqId = 'new'

export const faqDryRunEntry = z.object({ id, title: z.string(), count })

/** One part of a dry run. Nothing was sent or stored. An unsaved new entry has `unsavedFaqId`. */
export const faqDryRunPart = z.object({
  total: count,
  done: count,
  outcomes: z.record(z.enum(faqDryRunOutcomes), count),
  /** Messages that two or more entries claim; also counted as an outcome. */
  contested: count,
  /** Messages that each entry would answer. */
  entries: z.array(faqDryRunEntry),
  answered: z.array(faqDryRunSample),
  several: z.array(faqDryRunSample),
  /** Those that ask something. */
  unanswered: z.array(faqDryRunSample),
  /** Null: this was the last part. */
  next: z.nullable(faqDryRunCursor),
})
export type FaqDryRunPart = z.infer<typeof faqDryRunPart>
export const faqDryRunAnswer = answerOf(faqDryRunPart)

/** An automatic answer that staff marked wrong, for the editor of the FAQ. */
export const faqWrongAnswer = z.object({
  message_id: id,
  conversation_id: id,
  page_id: id,
  /** What the customer wrote; null if that message is gone or has no text. */
  question: z.nullable(z.string()),
  /** What was answered. */
  answer: z.nullable(z.string()),
  /** The entry, if it still exists, and its title at the time of the answer. */
  faq_id: z.nullable(id),
  faq_title: z.string(),
  marked_by_name: z.nullable(z.string()),
  marked_at: moment,
})
export type FaqWrongAnswer = z.infer<typeof faqWrongAnswer>
/** The maximum number of answers in the list. */
export const mostWrongAnswers = 200
/** Newest first. `total`: all that are not resolved. */
export const faqWrongAnswers = z.object({ answers: z.array(faqWrongAnswer), total: count })
export type FaqWrongAnswers = z.infer<typeof faqWrongAnswers>
export const faqWrongAnswersAnswer = answerOf(faqWrongAnswers)
