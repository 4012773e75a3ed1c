import { type FaqEntry, type FaqEntryBody, faqLimits } from '../../schemas/faq.ts'
import { t } from '../../texts/faq-on-demand.ts'
import { comparable } from './faq-matching.ts'

/** The form of a FAQ entry as it is being filled in; `keyword` is what stands in its field and is not added yet. */
export type FaqDraft = {
  title: string
  categoryId: string
  keywords: readonly string[]
  keyword: string
  response: string
  isActive: boolean
  /** As it is typed. */
  priority: string
}

export const priorityRange = { least: 0, most: 100, usual: 0 } as const

/** The form for a new entry, or for one that is there (spec section 3: active, priority 0). */
export const draftOf = (entry: FaqEntry | null): FaqDraft => ({
  title: entry?.title ?? '',
  categoryId: entry?.category_id ?? '',
  keywords: entry?.keywords ?? [],
  keyword: '',
  response: entry?.response ?? '',
  isActive: entry?.is_active ?? true,
  priority: String(entry?.priority ?? priorityRange.usual),
})

/** What is wrong with the typed keyword itself; null if nothing is, or if none is typed. */
function spellingProblem({ keyword, keywords }: FaqDraft): string | null {
  const typed = keyword.trim()
  if (typed === '') return null
  if (typed.length > faqLimits.keyword) return t('shared.tooLong', { most: faqLimits.keyword })
  const added = comparable(typed)
  if (added === '') return t('faq.keywordEmpty')
  return keywords.some((known) => comparable(known) === added) ? t('faq.keywordKnown') : null
}

/** Says that the entry has too many keywords, the typed one included; null if it has not. */
function countProblem(draft: FaqDraft): string | null {
  const isTyped = draft.keyword.trim() !== '' && spellingProblem(draft) === null
  const count = draft.keywords.length + (isTyped ? 1 : 0)
  return count > faqLimits.keywords ? t('faq.keywordsFull', { most: faqLimits.keywords }) : null
}

/** Why the typed keyword cannot be added; null if it can, or if none is typed. */
export const keywordProblem = (draft: FaqDraft): string | null => spellingProblem(draft) ?? countProblem(draft)

/** Whether the typed keyword can be added (spec section 5: trimmed, non-empty, unique). */
export const hasNewKeyword = (draft: FaqDraft): boolean => draft.keyword.trim() !== '' && keywordProblem(draft) === null

/** The draft with the typed keyword added, if it can be. */
export const withKeyword = (draft: FaqDraft): FaqDraft =>
  hasNewKeyword(draft) ? { ...draft, keywords: [...draft.keywords, draft.keyword.trim()], keyword: '' } : draft

export const withoutKeyword = (draft: FaqDraft, keyword: string): FaqDraft => ({
  ...draft,
  keywords: draft.keywords.filter((one) => one !== keyword),
})

/** Null where it is no whole number from 0 to 100. */
export function priorityOf({ priority }: FaqDraft): number | null {
  if (!/^\d{1,3}$/.test(priority.trim())) return null
  const value = Number(priority)
  return value <= priorityRange.most ? value : null
}

/** What is wrong with the typed priority; null if nothing is. */
export const priorityProblem = (draft: FaqDraft): string | null =>
  priorityOf(draft) === null ? t('shared.wholeNumber', { least: priorityRange.least, most: priorityRange.most }) : null

const tooLong = (field: string, text: string, most: number): string | null =>
  text.trim().length > most ? t('shared.fieldTooLong', { field, most }) : null

/** What has to be mended first before the entry can be saved (spec section 5, FAQ form); null where nothing has. */
export function blockedReasonOf(draft: FaqDraft): string | null {
  if (draft.title.trim() === '') return t('faq.titleMissing')
  if (draft.categoryId === '') return t('faq.categoryMissing')
  if (draft.keywords.length === 0) return t('faq.keywordMissing')
  if (draft.response.trim() === '') return t('faq.responseMissing')
  const problem = priorityProblem(draft)
  if (problem !== null) return t('faq.priorityProblem', { problem })
  return (
    tooLong(t('faq.title'), draft.title, faqLimits.title) ??
    tooLong(t('faq.response'), draft.response, faqLimits.response) ??
    countProblem(draft)
  )
}

/** What is saved; null where the form is not complete. A keyword that was typed and not added is not lost. */
export function bodyOf(draft: FaqDraft): Required<FaqEntryBody> | null {
  const priority = priorityOf(draft)
  if (blockedReasonOf(draft) !== null || priority === null) return null
  return {
    title: draft.title.trim(),
    category_id: draft.categoryId,
    keywords: [...withKeyword(draft).keywords],
    response: draft.response.trim(),
    is_active: draft.isActive,
    priority,
  }
}

/** Whether a message can be tested: it says something and is not longer than the API takes. */
export const isTestable = (message: string): boolean =>
  message.trim() !== '' && message.trim().length <= faqLimits.message

/** Whether two drafts hold the same. */
export const isSameDraft = (one: FaqDraft, other: FaqDraft): boolean => JSON.stringify(one) === JSON.stringify(other)
