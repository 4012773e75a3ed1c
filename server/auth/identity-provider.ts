import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose'
import * as z from 'zod/mini'
import type { Clock } from '../clock.ts'

/** Who the provider says somebody is: `subject` is the provider's user id. */
type Identity = { subject: string }

export type IdentityProvider = {
  /** Null when the provider token is not good (spec section 4, sign-in). Throws ProviderUnavailable. */
  verify(token: string): Promise<Identity | null>
  /** The e-mail of the bearer of a verified token, as the provider holds it. Throws ProviderUnavailable. */
  emailOf(token: string, identity: Identity): Promise<ProviderEmail | null>
}

/** `isProven`: its owner answered a message sent there, so that whoever has the account reads that e-mail. */
type ProviderEmail = { address: string; isProven: boolean }

/** The hosted provider did not answer; nothing is known about the token. */
export class ProviderUnavailable extends Error {}

const hostedUser = z.object({
  id: z.string(),
  email: z.nullish(z.string()),
  email_confirmed_at: z.nullish(z.string()),
})

const refusedTokens = [
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
 * A hosted Supabase project. With its JWT secret tokens are checked by HS256, otherwise by the project's published keys.
 * A claim of the token does not prove an e-mail (its metadata is the user's to write), so the project itself is asked.
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
        return sub === undefined ? null : { subject: sub }
      } catch (error) {
        if (refusedTokens.some((kind) => error instanceof kind)) return null
        throw new ProviderUnavailable('The identity provider does not publish its keys', { cause: error })
      }
    },
    emailOf: async (token, { subject }) => {
      let answer: Response
      let body: unknown
      try {
        answer = await fetch(`${issuer}/user`, {
          headers: { authorization: `Bearer ${token}`, apikey: anonKey ?? '' },
          signal: AbortSignal.timeout(timeout),
        })
        body = await answer.json()
      } catch (error) {
        throw new ProviderUnavailable('The identity provider does not answer', { cause: error })
      }
      if (answer.status >= 500 || answer.status === 429)
        throw new ProviderUnavailable(`The identity provider answered ${answer.status}`)
      const user = hostedUser.safeParse(body)
      if (!answer.ok || !user.success || user.data.id !== subject) return null
      const { email, email_confirmed_at: confirmedAt } = user.data
      return email ? { address: email, isProven: Boolean(confirmedAt) } : null
    },
  }
}
