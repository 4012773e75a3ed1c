import type { FaqDoubt, FaqMatch, FaqNearMatch } from '../../schemas/faq.ts'
import { comparable } from '../comparable.ts'
import { type MatchableFaq, matcherOf } from './faq-matching.ts'
import { appliesTo } from './faq-pages.ts'
import { negations } from './taglish.ts'
import { tolerantReaderOf } from './tolerant-matching.ts'

export type AnsweringFaq = MatchableFaq & { page_ids?: readonly string[] | null | undefined }

export type FaqVerdict = {
  /** The entries with a keyword that stands in the message to the letter, best first. */
  matches: readonly FaqMatch[]
  /** The other entries that the message may ask for, best first. */
  near: readonly FaqNearMatch[]
  /** The entry that replies; null if none does. */
  answerId: string | null
  /** Why the best near match does not reply; null if it does, or if there is none. */
  doubt: FaqDoubt | null
}

/** Scores below are not shown to anybody. */
const lowestScore = 0.7
/** Two entries whose scores differ by less are about equally good. */
const clearLead = 0.05
/** A similar word in a longer message is rarely the question. Words. */
const longestQuestion = 30

/**
 * Decides which entry answers a message. The rule of the specification comes first: an entry with an exact keyword replies,
 * whatever is similar to others. Without one, the best near match replies if its score is at least `leastScore`, no other
 * entry is about equally good, and the message has no negation beside the keyword and at most 30 words. `leastScore` null:
 * only exact keywords reply. `pageId` null: entries of all pages.
 */
export function answererOf(entries: readonly AnsweringFaq[]) {
  const exact = matcherOf(entries)
  const near = tolerantReaderOf(entries)
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  return (
    message: string,
    { pageId, leastScore }: { pageId: string | null; leastScore: number | null },
  ): FaqVerdict => {
    const isOnPage = (id: string): boolean => {
      const entry = byId.get(id)
      return entry !== undefined && (pageId === null || appliesTo(entry, pageId))
    }
    const matches = exact(message).filter(({ id }) => isOnPage(id))
    const matched = new Set(matches.map(({ id }) => id))
    const similar = near(message)
      .filter(({ id, score }) => score >= lowestScore && !matched.has(id) && isOnPage(id))
      .flatMap(({ id, keyword, score, reasons }): FaqNearMatch[] => {
        const entry = byId.get(id)
        if (entry === undefined) return []
        const { title, category_name, priority } = entry
        return [{ id, title, category: category_name, priority, keyword, score, reasons: [...reasons] }]
      })
      .sort(
        (one, other) =>
          other.score - one.score ||
          other.priority - one.priority ||
          other.keyword.length - one.keyword.length ||
          (one.id < other.id ? -1 : 1),
      )
    const [winner] = matches
    if (winner !== undefined) return { matches, near: similar, answerId: winner.id, doubt: null }
    const doubt = doubtOf(message, similar, leastScore)
    return { matches, near: similar, answerId: doubt === null ? (similar[0]?.id ?? null) : null, doubt }
  }
}

/**
 * The entries that the message is a question for: those with an exact keyword, else the one that replies, else those that
 * are about equally good.
 */
export function claimsOf({ matches, near, answerId, doubt }: FaqVerdict): readonly { id: string; title: string }[] {
  if (matches.length > 0) return matches
  if (answerId !== null) return near.filter(({ id }) => id === answerId)
  const best = near[0]?.score ?? 0
  return doubt === 'several' ? near.filter(({ score }) => best - score < clearLead) : []
}

function doubtOf(message: string, [best, second]: readonly FaqNearMatch[], leastScore: number | null): FaqDoubt | null {
  if (best === undefined) return null
  if (leastScore === null) return 'exact-only'
  if (best.score < leastScore) return 'low-score'
  if (second !== undefined && best.score - second.score < clearLead) return 'several'
  const words = comparable(message).split(' ')
  if (words.length > longestQuestion) return 'long'
  const ofKeyword = new Set(comparable(best.keyword).split(' '))
  return words.some((word) => negations.has(word) && !ofKeyword.has(word)) ? 'negation' : null
}
