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
