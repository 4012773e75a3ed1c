import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose'
import * as z from 'zod/mini'
import type { Clock } from '../clock.ts'

/**
 * `subject` is the id of the provider user, `sessionId` the provider session of the token; null if the token names none.
 * `mustChangePassword`: an administrator set a one-time password.
 */
export type ProviderUser = { subject: string; sessionId: string | null; mustChangePassword: boolean }

export type IdentityProvider = {
  /** Null if the provider token is invalid (spec section 4, sign-in). Throws ProviderUnavailable. */
  verify(token: string): Promise<ProviderUser | null>
  /** The provider's email for a verified token. Throws ProviderUnavailable. */
  emailOf(token: string, user: Pick<ProviderUser, 'subject'>): Promise<ProviderEmail | null>
  /** Whether this is the user's password. Throws ProviderUnavailable and PasswordsBusy. */
  checkPassword(credentials: { email: string; subject: string; password: string }): Promise<boolean>
  /**
   * Sets a new password after `checkPassword`, and ends the user's other sessions at the provider. Returns the reason of
   * a refusal, or null. Throws ProviderUnavailable and PasswordsBusy.
   */
  setPassword(token: string, user: ProviderUser, change: PasswordChange): Promise<string | null>
}

type PasswordChange = { currentPassword: string; password: string }

/** `isProven`: the person confirmed the address, so the account belongs to the owner of that mailbox. */
type ProviderEmail = { address: string; isProven: boolean }

/** The hosted provider did not respond, so the token could not be checked. */
export class ProviderUnavailable extends Error {}

const hostedUser = z.object({
  id: z.string(),
  email: z.nullish(z.string()),
  email_confirmed_at: z.nullish(z.string()),
})

const hostedSession = z.object({ access_token: z.string(), user: z.object({ id: z.string() }) })

const hostedRefusal = z.object({ msg: z.string() })

const invalidTokenErrors = [
  errors.JWTExpired,
  errors.JWTClaimValidationFailed,
  errors.JWTInvalid,
  errors.JWSInvalid,
  errors.JWSSignatureVerificationFailed,
  errors.JOSEAlgNotAllowed,
  errors.JOSENotSupported,
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
]

/**
 * A hosted Supabase project. Tokens are verified with the JWT secret (HS256), or else with the project's published keys.
 * The email is read from the project, because users can change the metadata in their tokens.
 */
export const hostedProvider = ({
  url,
  jwtSecret,
  anonKey,
  clock,
  timeout = 10_000,
}: {
  url: string
  jwtSecret: string | undefined
  anonKey: string | undefined
  clock: Clock
  /** Milliseconds. */
  timeout?: number
}): IdentityProvider => {
  const issuer = `${url.replace(/\/+$/, '')}/auth/v1`
  const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`), { timeoutDuration: timeout })
  const secret = jwtSecret === undefined ? undefined : new TextEncoder().encode(jwtSecret)

  const payloadOf = async (token: string): Promise<JWTPayload> => {
    const options: JWTVerifyOptions = {
      issuer,
      audience: 'authenticated',
      requiredClaims: ['sub', 'exp'],
      currentDate: new Date(clock.now()),
    }
    const verified =
      secret === undefined
        ? await jwtVerify(token, keys, { ...options, algorithms: ['ES256', 'RS256', 'EdDSA'] })
        : await jwtVerify(token, secret, { ...options, algorithms: ['HS256'] })
    return verified.payload
  }

  /** Throws ProviderUnavailable if no answer came, or none about the request. */
  const ask = async (path: string, init: RequestInit): Promise<{ isOk: boolean; body: unknown }> => {
    let response: Response
    let body: unknown
    try {
      response = await fetch(`${issuer}${path}`, {
        ...init,
        headers: { apikey: anonKey ?? '', ...init.headers },
        signal: AbortSignal.timeout(timeout),
      })
      body = response.status === 204 ? null : await response.json()
    } catch (error) {
      throw new ProviderUnavailable('The identity provider does not answer', { cause: error })
    }
    if (response.status >= 500 || response.status === 429)
      throw new ProviderUnavailable(`The identity provider answered ${response.status}`)
    return { isOk: response.ok, body }
  }

  return {
    verify: async (token) => {
      try {
        const { sub, session_id: session } = await payloadOf(token)
        if (sub === undefined) return null
        return { subject: sub, sessionId: typeof session === 'string' ? session : null, mustChangePassword: false }
      } catch (error) {
        if (invalidTokenErrors.some((kind) => error instanceof kind)) return null
        throw new ProviderUnavailable('The identity provider does not publish its keys', { cause: error })
      }
    },
    emailOf: async (token, { subject }) => {
      const { isOk, body } = await ask('/user', { headers: { authorization: `Bearer ${token}` } })
      const user = hostedUser.safeParse(body)
      if (!isOk || !user.success || user.data.id !== subject) return null
      const { email, email_confirmed_at: confirmedAt } = user.data
      return email ? { address: email, isProven: Boolean(confirmedAt) } : null
    },
    checkPassword: async ({ email, subject, password }) => {
      const { isOk, body } = await ask('/token?grant_type=password', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, password }),
      })
      const session = hostedSession.safeParse(body)
      if (!isOk || !session.success) return false
      // The check must leave no session behind. A failure to end it changes nothing about the password.
      await ask('/logout?scope=local', {
        method: 'POST',
        headers: { authorization: `Bearer ${session.data.access_token}` },
      }).catch(() => undefined)
      return session.data.user.id === subject
    },
    setPassword: async (token, _user, { currentPassword, password }) => {
      const { isOk, body } = await ask('/user', {
        method: 'PUT',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ password, current_password: currentPassword }),
      })
      if (isOk) return null
      const refusal = hostedRefusal.safeParse(body)
      return refusal.success ? refusal.data.msg : 'The password was not accepted.'
    },
  }
}
