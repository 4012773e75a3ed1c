import type { FaqReason } from '../../schemas/faq.ts'
import { comparable } from '../comparable.ts'
import { type Token, tokensOf, type WordReading, wordReaderOf } from './word-readings.ts'

type Readable = { id: string; keywords: readonly string[] }

/** The best reading of a message as a keyword of an entry. `score` is above 0 and below 1. */
export type TolerantReading = { id: string; keyword: string; score: number; reasons: readonly FaqReason[] }

const scores = { otherSpacing: 0.97, particle: 0.99 } as const

/** A reading is never as good as an exact keyword. */
const highestScore = 0.99

/** The maximum number of words of a message that together may be one keyword. */
const longestRun = 4
/** Shorter keywords are not looked for across words. */
const shortestJoined = 5

type PreparedKeyword = { id: string; keyword: string; tokens: readonly Token[] }

/**
 * Finds the entries that a message asks for although it does not contain a keyword to the letter: other endings, typing
 * errors, Taglish spellings, particles and spaces. Gives the best reading for each entry, in no particular order.
 */
export function tolerantReaderOf(entries: readonly Readable[]): (message: string) => readonly TolerantReading[] {
  const keywords = entries.flatMap(({ id, keywords: all }) =>
    all.flatMap((keyword): PreparedKeyword[] => {
      const tokens = tokensOf(comparable(keyword))
      return tokens.length === 0 ? [] : [{ id, keyword, tokens }]
    }),
  )
  const beginning = Map.groupBy(keywords, ({ tokens }) => tokens[0]?.written ?? '')
  const joined = Map.groupBy(
    keywords.filter(({ tokens }) => joinedOf(tokens).length >= shortestJoined),
    ({ tokens }) => joinedOf(tokens),
  )
  const readWord = wordReaderOf(keywords.flatMap(({ tokens }) => tokens))

  return (message) => {
    const tokens = tokensOf(comparable(message))
    const best = new Map<string, TolerantReading>()
    const offer = (reading: TolerantReading) => {
      const known = best.get(reading.id)
      if (known === undefined || compareReadings(reading, known) < 0) best.set(reading.id, reading)
    }
    for (const [index, token] of tokens.entries()) {
      for (const first of readWord(token).keys()) {
        for (const keyword of beginning.get(first) ?? []) {
          const reading = phraseReading(tokens.slice(index, index + keyword.tokens.length), keyword, readWord)
          if (reading !== null) offer(reading)
        }
      }
      for (let length = 1; length <= longestRun && index + length <= tokens.length; length += 1) {
        const run = tokens.slice(index, index + length)
        for (const { id, keyword, tokens: words } of joined.get(joinedOf(run)) ?? []) {
          if (words.length === length) continue
          const reason = { kind: 'spacing', written: writtenOf(run), read: writtenOf(words) } as const
          offer({ id, keyword, score: scores.otherSpacing, reasons: [reason] })
        }
      }
    }
    return [...best.values()]
  }
}

const joinedOf = (tokens: readonly Token[]): string => tokens.map(({ written }) => written.replaceAll(' ', '')).join('')
const writtenOf = (tokens: readonly Token[]): string => tokens.map(({ written }) => written).join(' ')

/** Reads the words of a message as those of a keyword, one by one; null if a word is another one. */
function phraseReading(
  tokens: readonly Token[],
  { id, keyword, tokens: words }: PreparedKeyword,
  readWord: (token: Token) => ReadonlyMap<string, WordReading>,
): TolerantReading | null {
  if (tokens.length < words.length) return null
  let score = 1
  const reasons: FaqReason[] = []
  const leftOut: string[] = []
  for (const [index, word] of words.entries()) {
    const token = tokens[index]
    const reading = token && readWord(token).get(word.written)
    if (reading === undefined) return null
    score *= reading.score
    if (reading.kind !== null) reasons.push({ kind: reading.kind, written: token?.written ?? '', read: word.written })
    if (index > 0) leftOut.push(...(token?.leftOut ?? []))
  }
  score *= scores.particle ** leftOut.length
  for (const one of new Set(leftOut)) reasons.push({ kind: 'particle', written: one, read: '' })
  return { id, keyword, score: Math.min(highestScore, score), reasons }
}

/** Best first: by score, then the longer keyword, then the keyword itself, so that the order of keywords does not matter. */
function compareReadings(one: TolerantReading, other: TolerantReading): number {
  return (
    other.score - one.score ||
    other.keyword.length - one.keyword.length ||
    (one.keyword < other.keyword ? -1 : one.keyword > other.keyword ? 1 : 0)
  )
}
