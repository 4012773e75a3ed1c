import { claimsOf, needsRefresh } from '../../domain/session/access-token.ts'
import type { TokenPair } from '../../schemas/auth.ts'
import type { TextStorage } from '../storage.ts'

/** The storage keys of the product's own tokens (spec section 4). */
export const tokenKeys = { token: 'token', refreshToken: 'refreshToken', obtainedAt: 'tokenTimestamp' } as const

export type HeldTokens = {
  token: string
  refreshToken: string | null
  /** Milliseconds since 1970, by this machine's clock. */
  obtainedAt: number | null
  /** Changes whenever the tokens may be another person's. */
  session: number
}

export type TokenStore = {
  /** What this tab holds in memory. */
  current(): HeldTokens | null
  isEnding(): boolean
  /** The subject of the held token; null if it names none or no token is held. */
  owner(): string | null
  /** Takes over what stands in storage, which another tab may have written. Corrupt values are cleared. */
  adopt(): HeldTokens | null
  /**
   * Whose tokens stand in storage, where another tab may have written without this one having heard of it: none, those
   * held here, others that may be the same person's, or somebody else's. Takes nothing over.
   */
  stored(): 'none' | 'held' | 'samePerson' | 'other'
  /** Keeps a pair as a new session, or as the continuation of the present one. */
  keep(pair: TokenPair, as: 'newSession' | 'sameSession'): HeldTokens
  /** Clears memory and storage. */
  clear(): void
  /** Clears memory alone: what stands in storage is another tab's. */
  drop(): void
}

/** What a header can carry and a token may be. */
const isSound = (text: string | null): text is string => text !== null && /^[\x21-\x7e]+$/.test(text)

const subjectOf = (token: string) => claimsOf(token)?.subject ?? null

export function createTokenStore(storage: TextStorage, now: () => number): TokenStore {
  let held: HeldTokens | null = null
  let sessions = 0

  function readValid(key: string): string | null {
    const text = storage.get(key)
    if (isSound(text)) return text
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
      // The token comes last: other tabs listen for it and then read the others.
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
