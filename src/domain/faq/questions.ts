import { comparable } from '../comparable.ts'

/** Words that make a text a question, in English and Filipino. */
const questionWords = new Set(
  'alin ano available bakit can could do does hm how is kailan magkano may meron paano price pwede saan sino what when where which who why'.split(
    ' ',
  ),
)

/** Texts that are longer tell a story; their groups would have one member. */
const maxWords = 40

/**
 * The normalised form of a question, equal for texts that differ in case, accents and punctuation. Null for a text that
 * asks nothing: without a question mark, it must begin with a question word or be at most four words with one.
 */
export function questionForm(text: string): string | null {
  const form = comparable(text)
  if (form === '') return null
  const words = form.split(' ')
  if (words.length > maxWords) return null
  const asks =
    /[?\uff1f\u061f]/.test(text) ||
    questionWords.has(words[0] ?? '') ||
    (words.length <= 4 && words.some((word) => questionWords.has(word)))
  return asks ? form : null
}
