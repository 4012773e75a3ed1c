import { editDistance } from './edit-distance.ts'
import { frequentWords, particles, variantOf } from './taglish.ts'

/** A word of a text normalised by `comparable`, or a phrase that stands for one word. */
export type Token = {
  written: string
  /** The word that it stands for. */
  word: string
  kind: 'spelling' | 'meaning' | null
  /** The particles before it, which are left out. */
  leftOut: readonly string[]
}

type ReadingKind = 'meaning' | 'spelling' | 'ending' | 'prefix' | 'typing'

/** How a word of a message is read as a word of a keyword. `kind` is null for the same word. */
export type WordReading = { score: number; kind: ReadingKind | null }

/** The words that stand for a meaning in a table have at most this number of words. */
const longestPhrase = 2

/** The words of a normalised text, without particles. */
export function tokensOf(text: string): readonly Token[] {
  const words = text === '' ? [] : text.split(' ')
  const tokens: Token[] = []
  let leftOut: string[] = []
  for (let index = 0; index < words.length; ) {
    const word = words[index] ?? ''
    const phrase = words.slice(index, index + longestPhrase).join(' ')
    const ofPhrase = phrase === word ? undefined : variantOf(phrase)
    const variant = ofPhrase ?? variantOf(word)
    const written = ofPhrase === undefined ? word : phrase
    if (variant === undefined && particles.has(word)) leftOut.push(word)
    else {
      tokens.push({ written, word: variant?.word ?? word, kind: variant?.kind ?? null, leftOut })
      leftOut = []
    }
    index += ofPhrase === undefined ? 1 : longestPhrase
  }
  return tokens
}

const scores = { same: 1, spelling: 0.97, ending: 0.96, meaning: 0.95, sound: 0.94, prefix: 0.9 } as const

/** The part of a word's length that one typing error costs. */
const costOfError = 0.6
/** An error in the first letter is rare. */
const costOfFirstLetter = 0.05

const isLetters = (word: string): boolean => /^\p{L}+$/u.test(word)
const squeezed = (word: string): string => word.replace(/(.)\1+/gu, '$1')

/** How a word sounds in Taglish spelling. Words of fewer than four letters sound like themselves only. */
function soundOf(word: string): string {
  if (word.length < 4 || !isLetters(word)) return word
  const sound = squeezed(
    word.replaceAll('ph', 'f').replace(/[cq]/g, 'k').replaceAll('z', 's').replaceAll('v', 'b').replaceAll('f', 'p'),
  )
  return word.length < 5 ? sound : sound.replaceAll('e', 'i').replaceAll('o', 'u')
}

/** The word without an English ending of plural or tense. */
function stemOf(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word
  const rules: readonly (readonly [RegExp, string])[] = [
    [/ies$/, 'y'],
    [/(?<=s|x|z|ch|sh)es$/, ''],
    [/(?<![sui])s$/, ''],
    [/ing$/, ''],
    [/ed$/, ''],
  ]
  for (const [ending, replacement] of rules) {
    const stem = word.replace(ending, replacement)
    if (stem !== word && stem.length >= 3) return stem.replace(/([^aeiouls])\1$/, '$1').replace(/(?<=.{3})e$/, '')
  }
  return word.replace(/(?<=.{3})e$/, '')
}

const prefixes = /^(?:pinaka|ipinag|nakaka|makaka|magpa|nagpa|ipag|mag|nag|mang|pang|pag|mg|ng|pa|ma|na|i)(?=.{4})/

/** The root of a Filipino word: without a prefix and without the reduplication of the first syllable. */
function rootOf(word: string): string {
  if (word.length < 5 || !/^[a-z]+$/.test(word)) return word
  const root = word.replace(prefixes, '')
  return root.replace(/^([^aeiou]?[aeiou])\1(?=.{2})/, '$1')
}

/** The number of typing errors that a word of a keyword may have. */
const mostErrors = ({ length }: string): number => (length < 5 ? 0 : length < 8 ? 1 : 2)

const typingScore = (written: string, word: string): number => {
  const distance = editDistance(written, word, mostErrors(word))
  const first = written[0] === word[0] ? 0 : costOfFirstLetter
  return 1 - (costOfError * distance) / word.length - first
}

/** Readings that are kept, so that a word of many messages is read once. */
const mostKept = 20_000

function grouped(tokens: readonly Token[], keyOf: (word: string) => string): ReadonlyMap<string, readonly Token[]> {
  return Map.groupBy(tokens, ({ word }) => keyOf(word))
}

/**
 * Reads words of messages as the words of keywords. The answer has the written form of each keyword's word and how good
 * the reading is. A word that stands in a keyword, and a frequent word, is never read as a typing error of another.
 */
export function wordReaderOf(keywordTokens: readonly Token[]): (token: Token) => ReadonlyMap<string, WordReading> {
  const known = [...new Map(keywordTokens.map((token) => [token.written, token])).values()]
  const written = new Set(known.map((token) => token.written))
  const words = grouped(known, (word) => word)
  const stems = grouped(known, stemOf)
  const sounds = grouped(known, soundOf)
  const roots = grouped(known, rootOf)
  const typable = known.filter(({ word }) => mostErrors(word) > 0 && isLetters(word))
  const kept = new Map<string, ReadonlyMap<string, WordReading>>()

  function read(token: Token): ReadonlyMap<string, WordReading> {
    const readings = new Map<string, WordReading>()
    const add = (found: readonly Token[] | undefined, score: number, kind: (one: Token) => ReadingKind | null) => {
      for (const one of found ?? []) {
        if (one.word === token.word && (kind(one) === 'ending' || kind(one) === 'prefix')) continue
        if ((readings.get(one.written)?.score ?? 0) < score) readings.set(one.written, { score, kind: kind(one) })
      }
    }
    const { word } = token
    const isMeaning = (one: Token) => one.kind === 'meaning' || token.kind === 'meaning'
    const same = words.get(word) ?? []
    add(
      same.filter((one) => one.written === token.written),
      scores.same,
      () => null,
    )
    add(
      same.filter((one) => !isMeaning(one)),
      scores.spelling,
      () => 'spelling',
    )
    add(same, scores.meaning, () => 'meaning')
    if (!isLetters(word)) return readings
    add(stems.get(stemOf(word)), scores.ending, () => 'ending')
    add(sounds.get(soundOf(word)), scores.sound, () => 'spelling')
    if (squeezed(word).length >= 3) {
      add(
        known.filter((one) => isStretched(token.written, one.word)),
        scores.sound,
        () => 'spelling',
      )
    }
    add(roots.get(rootOf(word)), scores.prefix, () => 'prefix')
    if (token.kind !== null || written.has(token.written) || frequentWords.has(word)) return readings
    for (const one of typable) add([one], typingScore(word, one.word), () => 'typing')
    return readings
  }

  return (token) => {
    const before = kept.get(token.written)
    if (before !== undefined) return before
    const readings = read(token)
    if (kept.size >= mostKept) kept.clear()
    kept.set(token.written, readings)
    return readings
  }
}

/** Whether a word has a letter three times or more in a row, and is the other word without that. */
const isStretched = (written: string, word: string): boolean =>
  /(.)\1\1/u.test(written) && squeezed(written) === squeezed(word)
