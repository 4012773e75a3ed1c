import { claimsOf, needsRefresh } from '../../domain/session/access-token.ts'
import type { TokenPair } from '../../schemas/auth.ts'
import type { TextStorage } from '../storage.ts'

/** The storage keys of the product's own tokens (spec section 4). */
export const tokenKeys = { token: 'token', refreshToken: 'refreshToken', obtainedAt: 'tokenTimestamp' } as const

export type HeldTokens = {
  token: string
  refreshToken: string | null
  /** Milliseconds since 1970, by the local clock. */
  obtainedAt: number | null
  /** Changes whenever the tokens may belong to another user. */
  session: number
}

export type TokenStore = {
  /** The tokens in memory. */
  current(): HeldTokens | null
  isEnding(): boolean
  /** The subject of the held token; null if it names none or no token is held. */
  owner(): string | null
  /** Adopts the tokens in storage, which another tab may have written. Corrupt values are deleted. */
  adopt(): HeldTokens | null
  /**
   * Compares storage with the tokens held here, because another tab may have written to storage before its event
   * arrived: no tokens, the held tokens, other tokens of possibly the same user, or tokens of another user. Adopts
   * nothing.
   */
  stored(): 'none' | 'held' | 'samePerson' | 'other'
  /** Stores a token pair as a new session or as a continuation of the current one. */
  keep(pair: TokenPair, as: 'newSession' | 'sameSession'): HeldTokens
  /** Clears memory and storage. */
  clear(): void
  /** Clears only memory, because storage belongs to another tab's session. */
  drop(): void
}

/** Whether a token contains only characters that are valid in a header. */
const isValidToken = (text: string | null): text is string => text !== null && /^[\x21-\x7e]+$/.test(text)

const subjectOf = (token: string) => claimsOf(token)?.subject ?? null

export function createTokenStore(storage: TextStorage, now: () => number): TokenStore {
  let held: HeldTokens | null = null
  let sessions = 0

  function readValid(key: string): string | null {
    const text = storage.get(key)
    if (isValidToken(text)) return text
    if (text !== null) storage.remove(key)
    return null
  }

  function readMoment(): number | null {
    const text = readValid(tokenKeys.obtainedAt)
    if (text === null) return null
    const moment = Number(text)
    if (Number.isFinite(moment)) return moment
    storage.remove(tokenKeys.obtainedAt)
    return null
  }

  const removeAll = () => {
    for (const key of Object.values(tokenKeys)) storage.remove(key)
  }

  return {
    current: () => held,
    owner: () => held && subjectOf(held.token),
    isEnding: () => held !== null && needsRefresh(held.token, held.obtainedAt, now()),

    adopt: () => {
      const token = readValid(tokenKeys.token)
      if (token === null) {
        held = null
        return null
      }
      if (token === held?.token) return held
      const subject = subjectOf(token)
      const isSamePerson = held !== null && subject !== null && subject === subjectOf(held.token)
      held = {
        token,
        refreshToken: readValid(tokenKeys.refreshToken),
        obtainedAt: readMoment(),
        session: isSamePerson && held ? held.session : ++sessions,
      }
      return held
    },

    stored: () => {
      const token = storage.get(tokenKeys.token)
      if (token === null) return 'none'
      if (held === null) return 'other'
      if (token === held.token) return 'held'
      const [theirs, ours] = [subjectOf(token), subjectOf(held.token)]
      return theirs !== null && ours !== null && theirs !== ours ? 'other' : 'samePerson'
    },

    keep: (pair, as) => {
      const obtainedAt = now()
      const session = as === 'sameSession' && held ? held.session : ++sessions
      held = { ...pair, obtainedAt, session }
      // The token is stored last, because other tabs listen for its key and then read the other values.
      storage.set(tokenKeys.refreshToken, pair.refreshToken)
      storage.set(tokenKeys.obtainedAt, String(obtainedAt))
      storage.set(tokenKeys.token, pair.token)
      return held
    },

    drop: () => {
      held = null
    },

    clear: () => {
      held = null
      removeAll()
    },
  }
}
