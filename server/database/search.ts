import { type RawBuilder, sql } from 'kysely'
import { phoneSearchDigits } from '../phones.ts'

/** Normalizes a search term like the database function `search_form`. */
function searchForm(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
}

/**
 * The LIKE patterns of a search; all must match `search_text`. Words match anywhere, in any order, without regard to case
 * and accents. Terms of one or two letters match at the beginning of a word only: elsewhere they would match nearly every
 * name, and no index would help.
 */
export function searchPatterns(search: string): string[] {
  return searchForm(search)
    .split(/[\s\p{Cc}]+/u)
    .filter((word) => word !== '')
    .slice(0, 10)
    .map((word) => {
      const escaped = word.replace(/[\\%_]/g, '\\$&')
      return /^[a-z0-9]{1,2}$/.test(word) ? `% ${escaped}%` : `%${escaped}%`
    })
}

/**
 * Whether `search_text` contains all words of the search, or the phone number that the search may be, in any notation. False
 * for a search without words. `country`: of phone numbers without a country code.
 */
export function matchesSearch(search: string, country: string): RawBuilder<boolean> {
  const patterns = searchPatterns(search)
  if (patterns.length === 0) return sql<boolean>`false`
  const words = sql<boolean>`(${sql.join(
    patterns.map((pattern) => sql`search_text like ${pattern}`),
    sql` and `,
  )})`
  const digits = phoneSearchDigits(search.trim(), country)
  return digits === null ? words : sql<boolean>`(${words} or search_text like ${`%${digits}%`})`
}
