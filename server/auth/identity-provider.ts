import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose'
import * as z from 'zod/mini'
import type { Clock } from '../clock.ts'

/** `subject` is the id of the provider user. `sessionId` is null if this server cannot end the provider's sessions. */
type ProviderUser = { subject: string; sessionId: string | null }

export type IdentityProvider = {
  /** Null if the provider token is invalid (spec section 4, sign-in). Throws ProviderUnavailable. */
  verify(token: string): Promise<ProviderUser | null>
  /** The provider's e-mail for a verified token. Throws ProviderUnavailable. */
  emailOf(token: string, user: Pick<ProviderUser, 'subject'>): Promise<ProviderEmail | null>
}

/** `isProven`: the person confirmed the address, so the account belongs to the owner of that mailbox. */
type ProviderEmail = { address: string; isProven: boolean }

/** The hosted provider did not respond, so the token could not be checked. */
export class ProviderUnavailable extends Error {}

const hostedUser = z.object({
  id: z.string(),
  email: z.nullish(z.string()),
  email_confirmed_at: z.nullish(z.string()),
})

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
 * The e-mail is read from the project, because users can change the metadata in their tokens.
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

  return {
    verify: async (token) => {
      try {
        const { sub } = await payloadOf(token)
        return sub === undefined ? null : { subject: sub, sessionId: null }
      } catch (error) {
        if (invalidTokenErrors.some((kind) => error instanceof kind)) return null
        throw new ProviderUnavailable('The identity provider does not publish its keys', { cause: error })
      }
    },
    emailOf: async (token, { subject }) => {
      let response: Response
      let body: unknown
      try {
        response = await fetch(`${issuer}/user`, {
          headers: { authorization: `Bearer ${token}`, apikey: anonKey ?? '' },
          signal: AbortSignal.timeout(timeout),
        })
        body = await response.json()
      } catch (error) {
        throw new ProviderUnavailable('The identity provider does not answer', { cause: error })
      }
      if (response.status >= 500 || response.status === 429)
        throw new ProviderUnavailable(`The identity provider answered ${response.status}`)
      const user = hostedUser.safeParse(body)
      if (!response.ok || !user.success || user.data.id !== subject) return null
      const { email, email_confirmed_at: confirmedAt } = user.data
      return email ? { address: email, isProven: Boolean(confirmedAt) } : null
    },
  }
}
