/** A part of a text, from `start` to before `end`, in UTF-16 units. */
export type Mark = { start: number; end: number }

type Word = { folded: string; marks: readonly Mark[] }

const accents = /[\u0300-\u036f]/g
const apostrophes = /['`\u2018\u2019\u02bc]/
const separators =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters separate words too
  /[\u0000-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7\u2000-\u206f\u2e00-\u2e7f\u3000-\u303f]/
const numbers = /[0-9][0-9 ().-]{5,20}[0-9]/g

const fold = (character: string): string =>
  character.normalize('NFKD').replace(accents, '').toLowerCase().replaceAll('ς', 'σ')

/** The words of a text as the database function `search_words` stores them; each unit of a word has its place in the text. */
function wordsWithPlaces(text: string): Word[] {
  const words: Word[] = []
  let folded = ''
  let marks: Mark[] = []
  const close = () => {
    if (folded !== '') words.push({ folded, marks })
    folded = ''
    marks = []
  }
  let start = 0
  for (const character of text) {
    const end = start + character.length
    for (const unit of apostrophes.test(character) ? '' : fold(character)) {
      if (separators.test(unit)) close()
      else {
        folded += unit
        for (let at = 0; at < unit.length; at++) marks.push({ start, end })
      }
    }
    start = end
  }
  close()
  return words
}

/** The different words of a typed search. */
export const searchWords = (text: string): string[] => [...new Set(wordsWithPlaces(text).map(({ folded }) => folded))]

const digitsOf = (text: string) => text.replaceAll(/\D/g, '')

/**
 * Where a text has what was searched: the beginnings of words, and numbers that are the searched phone number in another
 * notation. In the order of the text, without overlaps.
 */
export function marksIn(text: string, search: string): Mark[] {
  const typed = searchWords(search)
  const found: Mark[] = []
  for (const { folded, marks } of wordsWithPlaces(text)) {
    const longest = Math.max(0, ...typed.filter((word) => folded.startsWith(word)).map((word) => word.length))
    const [first, last] = [marks[0], marks[longest - 1]]
    if (first && last) found.push({ start: first.start, end: last.end })
  }
  const digits = digitsOf(search).slice(-10)
  if (digits.length >= 7 && /^\+?[\d\s().-]+$/.test(search.trim()))
    for (const { 0: number, index } of text.matchAll(numbers))
      if (digitsOf(number).includes(digits)) found.push({ start: index, end: index + number.length })
  return joined(found.toSorted((a, b) => a.start - b.start))
}

/** Overlapping marks become one. */
function joined(marks: readonly Mark[]): Mark[] {
  const result: Mark[] = []
  for (const mark of marks) {
    const last = result.at(-1)
    if (last && mark.start < last.end) last.end = Math.max(last.end, mark.end)
    else result.push({ ...mark })
  }
  return result
}

/** The characters before the place that was found. A line of a phone has about 45, and the place must be among them. */
const before = 20

/** At most `length` characters of a text on one line, with the first place that was found near the beginning. */
export function excerptOf(text: string, search: string, length: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  const characters = [...line]
  const first = marksIn(line, search)[0]
  const place = first === undefined ? 0 : [...line.slice(0, first.start)].length
  const space = characters.indexOf(' ', place - before - 1)
  const near = space >= 0 && space < place - 1 ? space + 1 : place - before
  const from = place <= before * 2 ? 0 : near
  const part = characters.slice(from, from + length).join('')
  return `${from > 0 ? '…' : ''}${part.trim()}${from + length < characters.length ? '…' : ''}`
}
