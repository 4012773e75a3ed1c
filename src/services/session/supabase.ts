import type { AuthError, SupabaseClient } from '@supabase/supabase-js'
import * as z from 'zod/mini'
import { Failure } from '../../domain/failure.ts'
import { limits } from '../../domain/limits.ts'
import { claimsOf } from '../../domain/session/access-token.ts'
import type { Credentials } from '../../domain/session/session-calls.ts'
import { retryAfterOf } from '../http.ts'
import type { TextStorage } from '../storage.ts'

export const providerKey = 'supabase.auth.token'

/** A stored session is invalid if one of these three values is missing (spec section 5). */
const storedSession = z.object({ access_token: z.string(), refresh_token: z.string(), expires_at: z.number() })

type ProviderUser = { id: string; accessToken: string }

export type Provider = {
  /** The single client of this tab. Its code is loaded on the first call. */
  client(): Promise<SupabaseClient>
  /** Whether storage holds a session that can be continued. A corrupt session is deleted. Loads no code. */
  hasStoredSession(): boolean
  /**
   * A fresh token of the provider; null if its session has ended. Throws Failure if no answer came. Loads the client
   * only if the stored token expires soon.
   */
  accessToken(): Promise<string | null>
  /** The user of the provider's session and its token; null and Failure as for `accessToken`. */
  currentUser(): Promise<ProviderUser | null>
  /** Throws Failure, with the provider's message as its `error`. */
  signIn(credentials: Credentials): Promise<void>
  /**
   * Registers a user and signs the user in. Throws Failure like `signIn`. If the provider's answer does not state the
   * reason, the Failure has the provider's text 'User already registered' or 'Email not confirmed'.
   */
  signUp(credentials: Credentials): Promise<void>
  /**
   * Ends the session on this device. Memory and storage are cleared before the provider is notified, so that neither an
   * answer, a lost answer nor a reload can restore the session. A stored session of another user, who signed in on
   * another tab in the meantime, is kept. Rejects if the provider could not be notified.
   */
  signOut(): Promise<void>
  /** Clears this tab's memory of a session that another tab ended. Storage is not changed. */
  leave(): void
}

type Settings = {
  /** The absolute URL of Supabase. */
  url: string
  anonKey: string
  storage: TextStorage
}

/** The longest time that a rate limit holds refreshes back, in milliseconds, so that a wrong header does not end the session. */
const longestLimit = 60_000

const ignore = () => {}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Converts a failure of the provider's client to a Failure. The client reports status 0 if no answer came. */
function failureOf(error: AuthError, path: string, status = error.status ?? 0): Failure {
  const method = 'POST'
  if (status === 0) return new Failure({ kind: 'noAnswer', method, path })
  return new Failure({ kind: 'status', method, path, status, error: error.message, code: error.code })
}

/** Adds a time limit to the calls of the provider's client. */
const send: typeof fetch = (input, init) => {
  const limit = AbortSignal.timeout(limits.apiTimeout)
  return fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, limit]) : limit })
}

/** The identity provider (spec section 7) and the connection that it shares with realtime. */
export function createProvider({ url, anonKey, storage }: Settings): Provider {
  type Opened = { client: Promise<SupabaseClient>; close: () => void }
  let current: Opened | null = null
  /** The subject of the last session that this tab used; null if its token has none. */
  let person: string | null = null
  /** The answer to the last refresh, if its rate was limited. No refresh is sent before `until`, a `performance.now()`. */
  let limited: { text: string; until: number } | null = null

  /**
   * Answers a rate-limited refresh with status 503: after a 429 the provider's client would delete the session, after a
   * 503 it retries for half a minute and keeps the session.
   */
  const sendForClient: typeof fetch = async (input, init) => {
    if (!String(input).includes('grant_type=refresh_token')) return send(input, init)
    if (limited === null || limited.until <= performance.now()) {
      limited = null
      const response = await send(input, init)
      if (response.status !== 429) return response
      limited = {
        text: await response.text(),
        until: performance.now() + Math.min(retryAfterOf(response) ?? 0, longestLimit),
      }
    }
    return new Response(limited.text, { status: 503 })
  }

  function load(): Opened {
    let isOpen = true
    // The PKCE verifier is kept in memory only. No flow returns through a URL, so it need not outlive the tab.
    const aside = new Map<string, string>()
    const client = import('@supabase/supabase-js').then(({ createClient }) =>
      createClient(url, anonKey, {
        auth: {
          storageKey: providerKey,
          storage: {
            getItem: (key) => {
              if (key !== providerKey) return aside.get(key) ?? null
              return isOpen ? storage.get(key) : null
            },
            // A refresh that was in progress when the session ended must not restore the session.
            setItem: (key, text) => {
              if (key !== providerKey) aside.set(key, text)
              else if (isOpen) storage.set(key, text)
            },
            removeItem: (key) => {
              if (key !== providerKey) aside.delete(key)
              else if (isOpen) storage.remove(key)
            },
          },
          // With PKCE, the links in emails of a hosted project contain a code instead of tokens (spec section 3).
          flowType: 'pkce',
          detectSessionInUrl: false,
        },
        global: { fetch: sendForClient },
        realtime: { params: { eventsPerSecond: limits.realtimeEventsPerSecond } },
      }),
    )
    const opened: Opened = {
      client,
      close: () => {
        isOpen = false
        client.then(async (ended) => {
          ended.auth.dispose()
          await ended.removeAllChannels()
        }, ignore)
      },
    }
    client.catch(() => {
      if (current === opened) current = null
    })
    return opened
  }

  function open(): Promise<SupabaseClient> {
    current ??= load()
    return current.client
  }

  /** A failure to load the code counts as no answer. */
  async function reach(path: string): Promise<SupabaseClient> {
    try {
      return await open()
    } catch {
      throw new Failure({ kind: 'noAnswer', method: 'POST', path })
    }
  }

  function readSession() {
    const text = storage.get(providerKey)
    if (text === null) return null
    const parsed = z.safeParse(storedSession, readJson(text))
    if (parsed.success) return parsed.data
    storage.remove(providerKey)
    return null
  }

  const rememberSubject = (session: { access_token: string } | null) => {
    if (session) person = claimsOf(session.access_token)?.subject ?? null
  }

  /** Whether the session certainly belongs to another user than the one this tab used. */
  function isOfAnotherUser(session: { access_token: string }): boolean {
    const whose = claimsOf(session.access_token)?.subject ?? null
    return whose !== null && person !== null && whose !== person
  }

  /** The stored token, for a tab that has not loaded the client yet; null if it expires within 300 seconds. */
  function storedToken(): string | null {
    const session = current === null ? readSession() : null
    if (session === null) return null
    if (session.expires_at - Date.now() / 1_000 < limits.tokenRefreshThresholdSeconds) return null
    rememberSubject(session)
    return session.access_token
  }

  async function currentUser(): Promise<ProviderUser | null> {
    const path = '/auth/v1/token'
    const { data, error } = await (await reach(path)).auth.getSession()
    if (!error) {
      rememberSubject(data.session)
      return data.session && { id: data.session.user.id, accessToken: data.session.access_token }
    }
    const failure = failureOf(error, path, limited ? 429 : error.status)
    if (failure.kind === 'status' && (failure.status ?? 0) < 500 && !limited) return null
    throw failure
  }

  function leave(): void {
    limited = null
    current?.close()
    current = null
  }

  return {
    client: open,
    hasStoredSession: () => readSession() !== null,

    accessToken: async () => storedToken() ?? (await currentUser())?.accessToken ?? null,
    currentUser,

    signIn: async ({ email, password }) => {
      const path = '/auth/v1/token'
      const { data, error } = await (await reach(path)).auth.signInWithPassword({ email, password })
      if (error) throw failureOf(error, path)
      rememberSubject(data.session)
    },

    signUp: async ({ email, password }) => {
      const path = '/auth/v1/signup'
      const { data, error } = await (await reach(path)).auth.signUp({ email, password })
      if (error) throw failureOf(error, path)
      rememberSubject(data.session)
      if (data.session) return
      if (data.user === null) throw new Failure({ kind: 'badAnswer', method: 'POST', path })
      const refused = (reason: string) =>
        new Failure({ kind: 'status', method: 'POST', path, status: 400, error: reason })
      // If email confirmation is required, a hosted project does not reveal who is registered: it answers with a user
      // without identities.
      throw refused(data.user.identities?.length === 0 ? 'User already registered' : 'Email not confirmed')
    },

    leave,

    signOut: async () => {
      const session = readSession()
      leave()
      if (!session || isOfAnotherUser(session)) return
      storage.remove(providerKey)
      await send(`${url}/auth/v1/logout?scope=local`, {
        method: 'POST',
        headers: { apikey: anonKey, authorization: `Bearer ${session.access_token}` },
      })
    },
  }
}
