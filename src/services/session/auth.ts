import * as z from 'zod/mini'
import { Failure, isRefusal, SessionLost } from '../../domain/failure.ts'
import type { Identity, Refreshed } from '../../domain/session/session-calls.ts'
import type { EndOfSession } from '../../domain/session/session-end.ts'
import { sessionToasts, signInTexts } from '../../domain/session/toasts.ts'
import { authUser, loginAnswer, logoutAnswer, meAnswer } from '../../schemas/auth.ts'
import { type BearerToken, type BearerTokens, type Http, waitFor } from '../http.ts'
import type { Provider } from './supabase.ts'
import type { HeldTokens, TokenStore } from './tokens.ts'

export type Locks = Pick<LockManager, 'request'>

type Settings = {
  /** The client without tokens. */
  http: Http
  tokens: TokenStore
  provider: Provider
  /** Shared by the tabs; absent in old browsers. */
  locks: Locks | undefined
  /** How long a tab waits for another one's refresh. Milliseconds. */
  lockLimit?: number
  wait?: typeof waitFor
}

/** How often, and after how many milliseconds each, a refused tab looks for what another one may have stored. */
const lateChecks = { count: 20, pause: 50 }

/** The named fields stand under `data`, or beside it in a foreign API. */
export const fields = <Schema extends z.ZodMiniType>(schema: Schema) =>
  z.pipe(
    z.transform((body: unknown) => {
      if (typeof body !== 'object' || body === null) return body
      const data = 'data' in body && typeof body.data === 'object' ? body.data : null
      return { ...body, ...data }
    }),
    schema,
  )

export const loggedIn = fields(loginAnswer.shape.data)
const me = fields(meAnswer.shape.data)
const refreshed = fields(
  z.object({ accessToken: z.string(), refreshToken: z.string(), user: z.catch(z.nullable(authUser), null) }),
)
const loggedOut = z.union([fields(logoutAnswer), z.unknown()])

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

const gone = () => new Failure({ kind: 'aborted', method: 'POST', path: '/auth' })

/** The calls behind the auth machine (spec sections 4 and 7). Each rejects with Failure or SessionLost. */
export function createAuth({ http, tokens, provider, locks, lockLimit = 5_000, wait = waitFor }: Settings) {
  /** One refresh at a time over all tabs. Who waited too long goes on alone: the other tab may hang. */
  async function alone<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    if (!locks) return work()
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(), lockLimit)
    let isGranted = false
    try {
      return await locks.request(
        'staff-inbox.refresh',
        { signal: AbortSignal.any([signal, limit.signal]) },
        async () => {
          isGranted = true
          clearTimeout(timer)
          return work()
        },
      )
    } catch (error) {
      if (isGranted || signal.aborted) throw error
      return work()
    } finally {
      clearTimeout(timer)
    }
  }

  /** What comes back after whoever asked has gone must not bring a session back to life. */
  function stopIfGone(signal: AbortSignal): void {
    if (signal.aborted) throw gone()
  }

  /** Another tab that did not wait for this one's refresh is the newer. */
  function takeOver(): Refreshed | null {
    const stored = tokens.stored()
    if (stored !== 'samePerson' && stored !== 'other') return null
    const held = tokens.adopt()
    return held && { user: null, session: held.session }
  }

  /**
   * The same after a refusal, which may be of a token that another tab has used: what it stored can be seen in this one's
   * process only later.
   */
  async function takeOverLate(signal: AbortSignal): Promise<Refreshed | null> {
    for (let looks = 0; looks < lateChecks.count && tokens.stored() === 'held' && !signal.aborted; looks += 1) {
      await wait(lateChecks.pause, signal)
    }
    return signal.aborted ? null : takeOver()
  }

  async function refresh(held: HeldTokens, signal: AbortSignal): Promise<Refreshed> {
    const { refreshToken } = held
    const answer = await http.post('/auth/refresh', { body: { refreshToken }, schema: refreshed, signal })
    stopIfGone(signal)
    const taken = takeOver()
    if (taken) return taken
    // Another tab has signed out: this one is about to hear of it.
    if (tokens.stored() === 'none') throw gone()
    const pair = { token: answer.accessToken, refreshToken: answer.refreshToken }
    return { user: answer.user, session: tokens.keep(pair, 'sameSession').session }
  }

  return {
    /**
     * Whether the provider has a session to go on with. Its code is loaded only if storage says so. The stored tokens are
     * held from here on, so that this tab knows them from what another one stores meanwhile.
     */
    findProviderSession: async (): Promise<boolean> => {
      tokens.adopt()
      return provider.hasStoredSession() && (await provider.accessToken()) !== null
    },

    /** POST /auth/supabase-login: the provider's token for the product's own pair. */
    exchangeProviderSession: async (signal: AbortSignal): Promise<Identity> => {
      const supabaseToken = await provider.accessToken()
      if (supabaseToken === null) throw new SessionLost(signInTexts.loginFailed)
      const answer = await http.post('/auth/supabase-login', { body: { supabaseToken }, schema: loggedIn, signal })
      stopIfGone(signal)
      const { token, refreshToken, user } = answer
      return { user, session: tokens.keep({ token, refreshToken }, 'newSession').session }
    },

    /** GET /auth/me with the stored token; null where there is none. */
    loadUser: async (signal: AbortSignal): Promise<Identity | null> => {
      const held = tokens.adopt()
      if (!held) return null
      const { user } = await http.get('/auth/me', { schema: me, headers: bearer(held.token), signal })
      return { user, session: held.session }
    },

    /**
     * POST /auth/refresh, or what another tab has got meanwhile. Throws SessionLost where there is nothing to
     * refresh with, which clears the session (spec section 8).
     */
    refreshTokens: (signal: AbortSignal): Promise<Refreshed> => {
      const before = tokens.current()
      return alone(signal, async () => {
        stopIfGone(signal)
        const held: HeldTokens | null = tokens.adopt()
        if (held && before && held.token !== before.token) return { user: null, session: held.session }
        if (!held?.refreshToken) throw new SessionLost(sessionToasts.noRefreshToken.text)
        try {
          return await refresh(held, signal)
        } catch (failure) {
          const taken = isRefusal(failure) ? await takeOverLate(signal) : null
          if (taken) return taken
          throw failure
        }
      })
    },

    /**
     * Clears all that is local at once, then tells provider and API, whose answers change nothing; what was begun to tell
     * them goes on though nobody waits for it. What another tab has stored meanwhile stays: all of it where the server
     * refused what this tab holds, somebody else's where the person asked. Where another tab ended the session, only
     * memory is cleared: in storage there may be a newer one already.
     */
    endSession: async ({ why }: { why: EndOfSession }): Promise<void> => {
      const stored = tokens.stored()
      const isAnotherTabs = stored === 'other' || (stored === 'samePerson' && why === 'refused')
      if (why === 'elsewhere' || (isAnotherTabs && why === 'refused')) {
        tokens.drop()
        provider.leave()
        return
      }
      const held = tokens.current()
      if (isAnotherTabs) tokens.drop()
      else tokens.clear()
      const signOutCalls: Promise<unknown>[] = [provider.signOut()]
      if (held) {
        signOutCalls.push(
          http.post('/auth/logout', {
            body: held.refreshToken === null ? {} : { refreshToken: held.refreshToken },
            schema: loggedOut,
            headers: bearer(held.token),
          }),
        )
      }
      await Promise.allSettled(signOutCalls)
    },
  }
}

/**
 * The tokens as the authenticated client wants them. `refresh` asks whoever shares one refresh among all callers. A
 * token of an earlier session is never replaced by the present one: that call belongs to somebody else. `starting`
 * is null once somebody is signed in, and before that resolves when somebody is; calls of a saved inbox wait for it.
 */
export function bearerTokens(
  tokens: TokenStore,
  refresh: () => Promise<void>,
  starting: () => Promise<void> | null = () => null,
): BearerTokens {
  const replacing = (used: BearerToken): HeldTokens => {
    const held = tokens.current()
    if (held && held.session === used.session) return held
    throw new Failure({ kind: 'aborted', method: 'POST', path: '/auth/refresh' })
  }
  return {
    ready: () => {
      const start = starting()
      if (start === null) return null
      const owner = tokens.owner()
      return start.then(() => {
        if (tokens.owner() !== owner) throw gone()
      })
    },
    current: tokens.current,
    isEnding: tokens.isEnding,
    renew: async (used) => {
      const held = replacing(used)
      if (held.token !== used.token) return held
      await refresh()
      return replacing(used)
    },
  }
}
