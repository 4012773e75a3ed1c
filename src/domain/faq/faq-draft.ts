import type { FaqEntry, FaqEntryBody } from '../../schemas/faq.ts'
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

/** Why what stands in the field cannot be added; null where it can, or where nothing stands there. */
export function keywordProblem({ keyword, keywords }: FaqDraft): string | null {
  if (keyword.trim() === '') return null
  const added = comparable(keyword)
  if (added === '') return t('faq.keywordEmpty')
  return keywords.some((known) => comparable(known) === added) ? t('faq.keywordKnown') : null
}

/** The draft with what stands in the field as a keyword (spec section 5: trimmed, non-empty, unique). */
export const withKeyword = (draft: FaqDraft): FaqDraft =>
  draft.keyword.trim() === '' || keywordProblem(draft) !== null
    ? draft
    : { ...draft, keywords: [...draft.keywords, draft.keyword.trim()], keyword: '' }

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

export const priorityProblem = (): string =>
  t('shared.wholeNumber', { least: priorityRange.least, most: priorityRange.most })

/** What has to be mended first before the entry can be saved (spec section 5, FAQ form); null where nothing has. */
export function blockedReasonOf(draft: FaqDraft): string | null {
  if (draft.title.trim() === '') return t('faq.titleMissing')
  if (draft.categoryId === '') return t('faq.categoryMissing')
  if (draft.keywords.length === 0) return t('faq.keywordMissing')
  if (draft.response.trim() === '') return t('faq.responseMissing')
  return priorityOf(draft) === null ? t('faq.priorityProblem', { problem: priorityProblem() }) : null
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

/** Whether two drafts hold the same. */
export const isSameDraft = (one: FaqDraft, other: FaqDraft): boolean => JSON.stringify(one) === JSON.stringify(other)
