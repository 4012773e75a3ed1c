import { comparable } from '../comparable.ts'

const wordsOf = (text: string): string[] => comparable(text).split(' ').filter(Boolean)

/** Whether the letters occur in this order in the text. */
const areInOrder = (letters: string, text: string): boolean => {
  let from = 0
  for (const letter of letters) {
    from = text.indexOf(letter, from) + 1
    if (from === 0) return false
  }
  return true
}

/** The rank of one typed word among the words of a name; null if the word does not match. */
function rankOfWord(typed: string, words: readonly string[]): number | null {
  const starts = words.findIndex((word) => word.startsWith(typed))
  if (starts >= 0) return starts === 0 ? 0 : 1
  const initials = words.map(([first]) => first).join('')
  if (typed.length > 1 && initials.includes(typed)) return 2
  const isAbbreviated = words.some(
    (word, index) => word[0] === typed[0] && areInOrder(typed, words.slice(index).join('')),
  )
  return isAbbreviated ? 3 : null
}

/**
 * How well a name matches what a person typed, from 0, the best; null if the name does not match. Each typed word must
 * match, in any order: as the beginning of the name (0) or of another word of it (1), as initials of its words (2), or
 * as letters of it in their order from the beginning of a word (3). The ranks of the typed words are added up. Case,
 * accents and punctuation are ignored.
 */
export function fuzzyRank(typed: string, name: string): number | null {
  const words = wordsOf(name)
  let sum = 0
  for (const word of wordsOf(typed)) {
    const rank = rankOfWord(word, words)
    if (rank === null) return null
    sum += rank
  }
  return sum
}

/** The items whose names match, best match first. Items of one rank keep their order. */
export function fuzzyMatches<Item>(typed: string, items: readonly Item[], nameOf: (item: Item) => string): Item[] {
  return items
    .flatMap((item) => {
      const rank = fuzzyRank(typed, nameOf(item))
      return rank === null ? [] : [{ item, rank }]
    })
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item)
}
