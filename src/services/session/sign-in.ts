import * as z from 'zod/mini'
import { SessionLost } from '../../domain/failure.ts'
import { isUnknownToProvider } from '../../domain/session/provider-refusals.ts'
import type { Credentials, MigrationCheck, SignedIn } from '../../domain/session/session-calls.ts'
import { signInTexts } from '../../domain/session/toasts.ts'
import { completeMigrationAnswer } from '../../schemas/auth.ts'
import type { Http } from '../http.ts'
import { bearer, fields, loggedIn } from './auth.ts'
import type { Provider } from './supabase.ts'
import type { TokenStore } from './tokens.ts'

type Settings = {
  /** The client without tokens. */
  http: Http
  tokens: TokenStore
  provider: Provider
}

const checked = fields(z.object({ needsMigration: z.boolean() }))

/**
 * The calls of one sign-in, from the provider's password sign-in to the legacy login or a new password (spec sections 4
 * and 7). The typed password is kept between calls only here, so that no machine and no inspector holds it. Each call
 * rejects with Failure or SessionLost.
 */
export function createSignIn({ http, tokens, provider }: Settings) {
  let typed: Credentials | null = null
  let chosen: Credentials | null = null

  const forget = () => {
    typed = null
    chosen = null
  }

  function stillHeld(credentials: Credentials | null): Credentials {
    if (credentials === null) throw new SessionLost(signInTexts.noMigration)
    return credentials
  }

  return {
    /** The provider's password sign-in. */
    askProvider: async (credentials: Credentials): Promise<void> => {
      forget()
      try {
        await provider.signIn(credentials)
      } catch (failure) {
        if (isUnknownToProvider(failure)) typed = credentials
        throw failure
      }
    },

    /** POST /auth/check-migration for a user whom the provider does not know. */
    checkMigration: async (signal: AbortSignal): Promise<MigrationCheck> => {
      const { email } = stillHeld(typed)
      try {
        const answer = await http.post('/auth/check-migration', { body: { email }, schema: checked, signal })
        return { needsMigration: answer.needsMigration, email }
      } catch (failure) {
        forget()
        throw failure
      }
    },

    /** POST /auth/login, the legacy login. */
    signInLegacy: async (signal: AbortSignal): Promise<SignedIn> => {
      const { email, password } = stillHeld(typed)
      forget()
      const answer = await http.post('/auth/login', { body: { email, password }, schema: loggedIn, signal })
      const { token, refreshToken, user } = answer
      return { user, session: tokens.keep({ token, refreshToken }, 'newSession').session }
    },

    /** Registers the user with the provider, with the new password. */
    signUp: async ({ password }: { password: string }): Promise<void> => {
      const { email } = stillHeld(typed)
      chosen = { email, password }
      await provider.signUp(chosen)
    },

    /** Signs in a user whom an earlier attempt has registered. */
    signInAsRegistered: (): Promise<void> => provider.signIn(stillHeld(chosen)),

    /**
     * POST /auth/complete-migration. The provider's token identifies the caller, and the old password proves that the
     * caller owns the account.
     */
    completeMigration: async (signal: AbortSignal): Promise<void> => {
      const { email } = stillHeld(chosen)
      const { password: legacyPassword } = stillHeld(typed)
      const user = await provider.currentUser()
      if (user === null) throw new SessionLost(signInTexts.noMigration)
      await http.post('/auth/complete-migration', {
        body: { email, supabaseId: user.id, legacyPassword },
        schema: completeMigrationAnswer,
        headers: bearer(user.accessToken),
        signal,
      })
    },

    /** Deletes the typed values. */
    forget,
  }
}
