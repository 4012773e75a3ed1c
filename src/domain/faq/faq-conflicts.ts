import { comparable } from '../comparable.ts'
import { shareAPage } from './faq-pages.ts'
import { tokensOf } from './word-readings.ts'

export type ConflictingFaq = {
  id: string
  title: string
  keywords: readonly string[]
  priority: number
  is_active: boolean
  page_ids?: readonly string[] | null | undefined
}

/**
 * A question that two active entries of a common page answer: `keyword` of this entry and `otherKeyword` of another one.
 * `isAnswered`: this entry is the one that replies.
 */
export type FaqConflict = {
  keyword: string
  other: { id: string; title: string }
  otherKeyword: string
  isAnswered: boolean
}

type Keyword = { entry: ConflictingFaq; keyword: string; form: string }

/**
 * Finds the conflicts of entries with each other. Two entries answer one question if they have the same keyword, apart from
 * spelling and particles, or if the keyword of one contains that of the other, whose higher priority always wins. With
 * the same priority the longer keyword replies, which is how a special case is written.
 */
export function conflictsOf(entries: readonly ConflictingFaq[]): ReadonlyMap<string, readonly FaqConflict[]> {
  const keywords = entries
    .filter(({ is_active }) => is_active)
    .flatMap((entry) => entry.keywords.map((keyword): Keyword => ({ entry, keyword, form: formOf(keyword) })))
    .filter(({ form }) => form !== '')
  const byForm = Map.groupBy(keywords, ({ form }) => form)
  const found = new Map<string, FaqConflict[]>()
  const tell = (of: Keyword, other: Keyword, isAnswered: boolean) => {
    const conflicts = found.get(of.entry.id) ?? []
    found.set(of.entry.id, conflicts)
    const { id, title } = other.entry
    conflicts.push({ keyword: of.keyword, other: { id, title }, otherKeyword: other.keyword, isAnswered })
  }
  for (const longer of keywords) {
    for (const form of formsWithin(longer.form)) {
      for (const shorter of byForm.get(form) ?? []) {
        if (shorter.entry.id === longer.entry.id || !shareAPage(shorter.entry, longer.entry)) continue
        const isSame = form === longer.form
        // Each pair of the same form is met from both sides.
        if (isSame) tell(longer, shorter, winsOver(longer, shorter))
        else if (shorter.entry.priority > longer.entry.priority) {
          tell(longer, shorter, false)
          tell(shorter, longer, true)
        }
      }
    }
  }
  return found
}

/** As `matcherOf` decides between two entries that both have the keyword. */
const winsOver = (one: Keyword, other: Keyword): boolean =>
  one.entry.priority !== other.entry.priority
    ? one.entry.priority > other.entry.priority
    : one.form.length !== other.form.length
      ? one.form.length > other.form.length
      : one.entry.id < other.entry.id

/** The same for keywords that differ in known spellings, meanings and particles only. */
const formOf = (keyword: string): string => {
  const compared = comparable(keyword)
  return (
    tokensOf(compared)
      .map(({ word }) => word)
      .join(' ') || compared
  )
}

/** The form itself and the forms of the words within. */
function formsWithin(form: string): ReadonlySet<string> {
  const words = form.split(' ')
  return new Set(
    words.flatMap((_, from) => words.slice(from).map((__, length) => words.slice(from, from + length + 1).join(' '))),
  )
}
