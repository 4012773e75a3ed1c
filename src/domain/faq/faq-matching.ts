import type { FaqMatch } from '../../schemas/faq.ts'
import { comparable, containsKeyword } from '../comparable.ts'

export type MatchableFaq = {
  id: string
  title: string
  category_name: string | null
  keywords: readonly string[]
  priority: number
}

/**
 * All entries with a keyword that occurs in the message as a whole word or phrase, best match first: by priority, then
 * by the length of the longest matched keyword, then by id. The matched keywords keep the spelling of the entry and are
 * sorted longest first (spec section 7, POST /faq/test-match).
 */
export const matchesOf = (message: string, entries: readonly MatchableFaq[]): FaqMatch[] => matcherOf(entries)(message)

/** `matchesOf` for many messages: the keywords are normalised once. */
export function matcherOf(entries: readonly MatchableFaq[]): (message: string) => FaqMatch[] {
  const prepared = entries.map(({ keywords, ...entry }) => ({
    ...entry,
    keywords: keywords
      .map((keyword) => ({ keyword, compared: comparable(keyword) }))
      .sort((one, other) => other.compared.length - one.compared.length),
  }))
  return (message) => {
    const text = comparable(message)
    return prepared
      .flatMap(({ id, title, category_name, keywords, priority }) => {
        const matched = keywords.filter(({ compared }) => containsKeyword(text, compared))
        const [longest] = matched
        if (longest === undefined) return []
        const match = {
          id,
          title,
          category: category_name,
          priority,
          matched_keywords: matched.map((one) => one.keyword),
        }
        return [{ match, longest: longest.compared.length }]
      })
      .sort(
        (one, other) =>
          other.match.priority - one.match.priority ||
          other.longest - one.longest ||
          (one.match.id < other.match.id ? -1 : 1),
      )
      .map(({ match }) => match)
  }
}
