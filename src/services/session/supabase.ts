import type { AuthError, SupabaseClient } from '@supabase/supabase-js'
import * as z from 'zod/mini'
import { Failure } from '../../domain/failure.ts'
import { limits } from '../../domain/limits.ts'
import { claimsOf } from '../../domain/session/access-token.ts'
import type { Credentials } from '../../domain/session/session-calls.ts'
import type { TextStorage } from '../storage.ts'

export const providerKey = 'supabase.auth.token'

/** Invalid where one of the three is missing (spec section 5). */
const storedSession = z.object({ access_token: z.string(), refresh_token: z.string(), expires_at: z.number() })

type ProviderIdentity = { id: string; accessToken: string }

export type Provider = {
  /** The one client of this tab; its code is loaded when it is first asked for. */
  client(): Promise<SupabaseClient>
  /** Whether storage holds a session that could be gone on with; a corrupt one is cleared. Loads nothing. */
  hasStoredSession(): boolean
  /**
   * The provider's token, fresh; null where it has no session any more. Throws Failure where no answer came. Loads the
   * client only if the stored token ends soon.
   */
  accessToken(): Promise<string | null>
  /** Who the provider's session is of, with its token; null and Failure as for `accessToken`. */
  identity(): Promise<ProviderIdentity | null>
  /** Throws Failure, with the provider's message as its `error`. */
  signIn(credentials: Credentials): Promise<void>
  /**
   * Registers somebody, who is signed in by it. Throws Failure as `signIn` does, with the provider's own words for
   * 'User already registered' and 'Email not confirmed' where it answers without saying so.
   */
  signUp(credentials: Credentials): Promise<void>
  /**
   * Ends the session of this device. Memory and storage are cleared before the provider is told, so that no answer,
   * no missing one and no reload brings the session back. A stored session of somebody else, whom another tab has signed
   * in meanwhile, stays. Rejects where the provider could not be told.
   */
  signOut(): Promise<void>
  /** Drops what this tab holds of a session that another one ended. Storage is left alone. */
  leave(): void
}

type Settings = {
  /** Where Supabase is: an absolute URL. */
  url: string
  anonKey: string
  storage: TextStorage
}

const ignore = () => {}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** A failure of the provider's client, told as ours: status 0 is its way to say that no answer came. */
function failureOf(error: AuthError, path: string): Failure {
  const status = error.status ?? 0
  const method = 'POST'
  if (status === 0) return new Failure({ kind: 'noAnswer', method, path })
  return new Failure({ kind: 'status', method, path, status, error: error.message, code: error.code })
}

/** A call of the provider's client that nobody answers ends, too. */
const send: typeof fetch = (input, init) => {
  const limit = AbortSignal.timeout(limits.apiTimeout)
  return fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, limit]) : limit })
}

/** The identity provider (spec section 7) and the connection its realtime shares. */
export function createProvider({ url, anonKey, storage }: Settings): Provider {
  type Opened = { client: Promise<SupabaseClient>; close: () => void }
  let current: Opened | null = null
  /** Whose session this tab used last, where their token tells. */
  let person: string | null = null

  function load(): Opened {
    let isOpen = true
    // The proof of a PKCE flow. No flow here comes back by an address, so that none has to outlive the tab.
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
            // A refresh that was under way when the session ended must not bring it back.
            setItem: (key, text) => {
              if (key !== providerKey) aside.set(key, text)
              else if (isOpen) storage.set(key, text)
            },
            removeItem: (key) => {
              if (key !== providerKey) aside.delete(key)
              else if (isOpen) storage.remove(key)
            },
          },
          // What an e-mail of a hosted project leads back to holds a code then, and no tokens (spec section 3).
          flowType: 'pkce',
          detectSessionInUrl: false,
        },
        global: { fetch: send },
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

  /** Code that could not be loaded is no answer, too. */
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

  /** Known to be another person's than the one that this tab used. */
  function isOthers(session: { access_token: string }): boolean {
    const whose = claimsOf(session.access_token)?.subject ?? null
    return whose !== null && person !== null && whose !== person
  }

  /** The stored token of a tab that has not loaded the client yet; null if it ends within 300 seconds. */
  function storedToken(): string | null {
    const session = current === null ? readSession() : null
    if (session === null) return null
    if (session.expires_at - Date.now() / 1_000 < limits.tokenRefreshThresholdSeconds) return null
    rememberSubject(session)
    return session.access_token
  }

  async function identity(): Promise<ProviderIdentity | null> {
    const path = '/auth/v1/token'
    const { data, error } = await (await reach(path)).auth.getSession()
    if (!error) {
      rememberSubject(data.session)
      return data.session && { id: data.session.user.id, accessToken: data.session.access_token }
    }
    const failure = failureOf(error, path)
    if (failure.kind === 'status' && (failure.status ?? 0) < 500 && failure.status !== 429) return null
    throw failure
  }

  function leave(): void {
    current?.close()
    current = null
  }

  return {
    client: open,
    hasStoredSession: () => readSession() !== null,

    accessToken: async () => storedToken() ?? (await identity())?.accessToken ?? null,
    identity,

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
      const refused = (said: string) => new Failure({ kind: 'status', method: 'POST', path, status: 400, error: said })
      // Where e-mails are to be confirmed, a hosted project hides who is registered: it answers with somebody who has no identity.
      throw refused(data.user.identities?.length === 0 ? 'User already registered' : 'Email not confirmed')
    },

    leave,

    signOut: async () => {
      const session = readSession()
      leave()
      if (!session || isOthers(session)) return
      storage.remove(providerKey)
      await send(`${url}/auth/v1/logout?scope=local`, {
        method: 'POST',
        headers: { apikey: anonKey, authorization: `Bearer ${session.access_token}` },
      })
    },
  }
}
