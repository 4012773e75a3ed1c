/** What a searched text becomes; the database's `search_form` does the same to what is stored. */
function searchForm(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
}

/**
 * The LIKE patterns of a search, all of which must match `search_text`: each word is found anywhere, without regard to
 * case, accents or order. One or two letters are found at the beginning of a word: anywhere they would match nearly
 * every name, and no index would help.
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
