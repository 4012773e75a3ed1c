import * as z from 'zod/mini'
import { answerOf, id, moment } from './primitives.ts'

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
})
export type FaqEntry = z.infer<typeof faqEntry>
export const faqEntriesAnswer = answerOf(z.array(faqEntry))

/** The maximum number of characters of each field; `keywords` is the maximum number of keywords. */
export const faqLimits = { title: 200, keyword: 100, keywords: 50, response: 1_800, message: 5_000 } as const

const keyword = z.string().check(z.trim(), z.minLength(1), z.maxLength(faqLimits.keyword))

/** The body of both POST and PUT (spec section 5, FAQ form). */
export const faqEntryBody = z.object({
  title: z.string().check(z.trim(), z.minLength(1), z.maxLength(faqLimits.title)),
  category_id: id,
  keywords: z.array(keyword).check(
    z.minLength(1),
    z.maxLength(faqLimits.keywords),
    z.refine((keywords) => new Set(keywords).size === keywords.length, 'not unique'),
  ),
  response: z.string().check(z.trim(), z.minLength(1), z.maxLength(faqLimits.response)),
  is_active: z._default(z.boolean(), true),
  priority: z._default(z.number().check(z.int(), z.minimum(0), z.maximum(100)), 0),
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

export const testMatchBody = z.object({
  message: z.string().check(z.trim(), z.minLength(1), z.maxLength(faqLimits.message)),
})
const faqTestResult = z.object({ message: z.string(), matches: z.array(faqMatch) })
export type FaqTestResult = z.infer<typeof faqTestResult>
export const testMatchAnswer = answerOf(faqTestResult)
