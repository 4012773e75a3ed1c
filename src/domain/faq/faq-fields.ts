import { type FaqEntry, faqLimits, unsavedFaqId } from '../../schemas/faq.ts'
import { t } from '../../texts/faq-on-demand.ts'
import { type KeywordFields, keywordRules } from '../keywords.ts'
import type { SavedFaqBody } from './faq-calls.ts'
import { conflictsOf, type FaqConflict } from './faq-conflicts.ts'

/** The values of the FAQ entry form. */
export type FaqFields = KeywordFields & {
  title: string
  categoryId: string
  response: string
  isActive: boolean
  /** The text as typed. */
  priority: string
  /** The pages on which the entry replies; null for all pages. */
  pageIds: readonly string[] | null
}

export const priorityRange = { least: 0, most: 100, usual: 0 } as const

/** The form values for a new entry, or for an existing one (defaults of spec section 3: active, priority 0). */
export const fieldsOf = (entry: FaqEntry | null): FaqFields => ({
  title: entry?.title ?? '',
  categoryId: entry?.category_id ?? '',
  keywords: entry?.keywords ?? [],
  keyword: '',
  response: entry?.response ?? '',
  isActive: entry?.is_active ?? true,
  priority: String(entry?.priority ?? priorityRange.usual),
  pageIds: entry?.page_ids ?? null,
})

export const faqKeywords = keywordRules(faqLimits, {
  empty: () => t('faq.keywordEmpty'),
  known: () => t('faq.keywordKnown'),
  full: () => t('faq.keywordsFull', { most: faqLimits.keywords }),
})

/** The priority, or null if the text is not a whole number from 0 to 100. */
export function priorityOf({ priority }: FaqFields): number | null {
  if (!/^\d{1,3}$/.test(priority.trim())) return null
  const value = Number(priority)
  return value <= priorityRange.most ? value : null
}

/** The problem of the typed priority; null if the priority is valid. */
export const priorityProblem = (fields: FaqFields): string | null =>
  priorityOf(fields) === null ? t('shared.wholeNumber', { least: priorityRange.least, most: priorityRange.most }) : null

const tooLong = (field: string, text: string, most: number): string | null =>
  text.trim().length > most ? t('shared.fieldTooLong', { field, most }) : null

/** The first problem that prevents saving the entry (spec section 5, FAQ form); null if there is none. */
export function blockedReasonOf(fields: FaqFields): string | null {
  if (fields.title.trim() === '') return t('faq.titleMissing')
  if (fields.categoryId === '') return t('faq.categoryMissing')
  if (faqKeywords.added(fields).keywords.length === 0) return t('faq.keywordMissing')
  if (fields.response.trim() === '') return t('faq.responseMissing')
  if (fields.pageIds?.length === 0) return t('faq.pageMissing')
  const problem = priorityProblem(fields)
  if (problem !== null) return t('faq.priorityProblem', { problem })
  return (
    tooLong(t('faq.title'), fields.title, faqLimits.title) ??
    tooLong(t('faq.response'), fields.response, faqLimits.response) ??
    faqKeywords.countProblem(fields)
  )
}

/**
 * The request body for saving; null if the form is not complete. Includes a keyword that was typed but not added. Names the
 * pages if some are or were chosen only, because an API without this feature does not know them.
 */
export function bodyOf(fields: FaqFields, entry: FaqEntry | null): SavedFaqBody | null {
  const priority = priorityOf(fields)
  if (blockedReasonOf(fields) !== null || priority === null) return null
  return {
    title: fields.title.trim(),
    category_id: fields.categoryId,
    keywords: [...faqKeywords.added(fields).keywords],
    response: fields.response.trim(),
    is_active: fields.isActive,
    priority,
    ...(fields.pageIds !== null || entry?.page_ids != null ? { page_ids: fields.pageIds && [...fields.pageIds] } : {}),
  }
}

/** The fields after a page was chosen, or after the choice was taken back. Keeps ids of removed pages. */
export const withPage = (fields: FaqFields, pageId: string, isChosen: boolean): FaqFields => {
  const others = (fields.pageIds ?? []).filter((id) => id !== pageId)
  return { ...fields, pageIds: isChosen ? [...others, pageId] : others }
}

/**
 * The questions that the typed entry and another active entry answer. `entry` is the saved one that the form edits, null for
 * a new one.
 */
export function conflictsOfFields(
  fields: FaqFields,
  entry: FaqEntry | null,
  entries: readonly FaqEntry[],
): readonly FaqConflict[] {
  const id = entry?.id ?? unsavedFaqId
  const typed = {
    id,
    title: fields.title,
    keywords: faqKeywords.added(fields).keywords,
    priority: priorityOf(fields) ?? priorityRange.usual,
    is_active: fields.isActive,
    page_ids: fields.pageIds,
  }
  return conflictsOf([...entries.filter((other) => other.id !== id), typed]).get(id) ?? []
}

/** Whether a message can be tested: it is not blank and not longer than the API accepts. */
export const isTestable = (message: string): boolean =>
  message.trim() !== '' && message.trim().length <= faqLimits.message
