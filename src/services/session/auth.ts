import * as z from 'zod/mini'
import { Failure, isRefusal, SessionLost } from '../../domain/failure.ts'
import type { Refreshed, SignedIn } from '../../domain/session/session-calls.ts'
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
  /** How long a tab waits for the refresh of another tab. In milliseconds. */
  lockLimit?: number
  wait?: typeof waitFor
}

/**
 * How often, and at which interval in milliseconds, a tab checks for tokens stored by another tab after its refresh was
 * refused.
 */
const lateChecks = { count: 20, pause: 50 }

/** Reads the named fields under `data`, or, for a foreign API, on the top level. */
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

/** The calls of the auth machine (spec sections 4 and 7). Each rejects with Failure or SessionLost. */
export function createAuth({ http, tokens, provider, locks, lockLimit = 5_000, wait = waitFor }: Settings) {
  /**
   * Ensures that only one tab refreshes at a time. After the time limit, a tab refreshes without the lock, because the
   * other tab may hang.
   */
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

  /** Throws if the caller has cancelled, so that a late answer cannot restore an ended session. */
  function stopIfGone(signal: AbortSignal): void {
    if (signal.aborted) throw gone()
  }

  /** Adopts tokens that another tab stored in the meantime. They are newer than those of this refresh. */
  function takeOver(): Refreshed | null {
    const stored = tokens.stored()
    if (stored !== 'samePerson' && stored !== 'other') return null
    const held = tokens.adopt()
    return held && { user: null, session: held.session }
  }

  /**
   * The same after a refusal. Another tab may already have used the refresh token, but the tokens that it stored can
   * become visible in this process with a delay.
   */
  async function takeOverLate(signal: AbortSignal): Promise<Refreshed | null> {
    for (let checks = 0; checks < lateChecks.count && tokens.stored() === 'held' && !signal.aborted; checks += 1) {
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
    // Another tab has signed out. Its storage event will reach this tab soon.
    if (tokens.stored() === 'none') throw gone()
    const pair = { token: answer.accessToken, refreshToken: answer.refreshToken }
    return { user: answer.user, session: tokens.keep(pair, 'sameSession').session }
  }

  return {
    /**
     * Whether the provider has a session to continue. Its code is loaded only if a stored session exists. Adopts the
     * stored tokens, so that this tab can distinguish them from tokens that another tab stores later.
     */
    findProviderSession: async (): Promise<boolean> => {
      tokens.adopt()
      return provider.hasStoredSession() && (await provider.accessToken()) !== null
    },

    /** POST /auth/supabase-login: exchanges the provider's token for the product's own token pair. */
    exchangeProviderSession: async (signal: AbortSignal): Promise<SignedIn> => {
      const supabaseToken = await provider.accessToken()
      if (supabaseToken === null) throw new SessionLost(signInTexts.loginFailed)
      const answer = await http.post('/auth/supabase-login', { body: { supabaseToken }, schema: loggedIn, signal })
      stopIfGone(signal)
      const { token, refreshToken, user } = answer
      return { user, session: tokens.keep({ token, refreshToken }, 'newSession').session }
    },

    /** GET /auth/me with the stored token; null if there is none. */
    loadUser: async (signal: AbortSignal): Promise<SignedIn | null> => {
      const held = tokens.adopt()
      if (!held) return null
      const { user } = await http.get('/auth/me', { schema: me, headers: bearer(held.token), signal })
      return { user, session: held.session }
    },

    /**
     * POST /auth/refresh, or the tokens that another tab obtained in the meantime. Throws SessionLost if there is no
     * refresh token, which clears the session (spec section 8).
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
     * Clears all local data at once, then notifies the provider and the API, whose answers are ignored. The
     * notification continues even if the caller no longer waits. Tokens that another tab stored in the meantime are
     * kept: all of them after a refusal, because the server refused only this tab's tokens, but only those of another
     * user after a sign-out. If another tab ended the session, only memory is cleared, because storage may already hold
     * a newer session.
     */
    endSession: async ({ why }: { why: EndOfSession }): Promise<void> => {
      const stored = tokens.stored()
      const isOfAnotherTab = stored === 'other' || (stored === 'samePerson' && why === 'refused')
      if (why === 'elsewhere' || (isOfAnotherTab && why === 'refused')) {
        tokens.drop()
        provider.leave()
        return
      }
      const held = tokens.current()
      if (isOfAnotherTab) tokens.drop()
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
 * Adapts the tokens to the authenticated client. `refresh` is shared, so that concurrent callers cause only one
 * refresh. A token of an earlier session is never replaced by the current one, because that call may belong to another
 * user. `starting` is null once a user is signed in; before that, it is a promise that resolves at sign-in, and calls
 * of a saved inbox wait for it.
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
