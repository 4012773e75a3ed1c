import { errors, SignJWT } from 'jose'
import { verifyToken } from '../../auth/verify-token.ts'
import type { Clock } from '../../clock.ts'

/** Seconds. */
export const providerTokenLifetime = 60 * 60

type ProviderClaims = { userId: string; email: string; sessionId: string; expiresAt: number }

type ProviderVerdict =
  /** `expiresAt` in milliseconds. */
  { valid: true; claims: ProviderClaims } | { valid: false; fault: 'expired' | 'malformed' | 'forged'; message: string }

/** Access tokens like those of Supabase Auth: HS256, one hour, `role: authenticated`. */
export type ProviderTokens = {
  issue(subject: { userId: string; email: string; sessionId: string }): Promise<{ token: string; expiresAt: number }>
  verify(token: string): Promise<ProviderVerdict>
}

const faultOf = (error: unknown, now: number): ProviderVerdict => {
  if (error instanceof errors.JWTExpired) {
    const seconds = Math.floor(now / 1000) - Number(error.payload.exp)
    return { valid: false, fault: 'expired', message: `Token has expired ${seconds} seconds ago` }
  }
  if (error instanceof errors.JWSSignatureVerificationFailed || error instanceof errors.JOSEAlgNotAllowed)
    return { valid: false, fault: 'forged', message: 'Failed to validate JWT signature' }
  if (error instanceof errors.JOSEError)
    return { valid: false, fault: 'malformed', message: 'The token provided is not a valid JWT' }
  throw error
}

/** The keys must be derived for this purpose only. The first signs, any verifies. */
export const createProviderTokens = ({
  keys,
  issuer,
  clock,
}: {
  keys: readonly [Uint8Array, ...Uint8Array[]]
  issuer: string
  clock: Clock
}): ProviderTokens => ({
  issue: async ({ userId, email, sessionId }) => {
    const now = Math.floor(clock.now() / 1000)
    const expiresAt = now + providerTokenLifetime
    const token = await new SignJWT({
      email,
      phone: '',
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: {},
      role: 'authenticated',
      aal: 'aal1',
      amr: [{ method: 'password', timestamp: now }],
      session_id: sessionId,
      is_anonymous: false,
    })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setSubject(userId)
      .setIssuer(issuer)
      .setAudience('authenticated')
      .setIssuedAt(now)
      .setExpirationTime(expiresAt)
      .sign(keys[0])
    return { token, expiresAt: expiresAt * 1000 }
  },
  verify: async (token) => {
    const now = clock.now()
    try {
      const { payload } = await verifyToken(token, keys, {
        algorithms: ['HS256'],
        issuer,
        audience: 'authenticated',
        requiredClaims: ['sub', 'exp', 'session_id'],
        currentDate: new Date(now),
      })
      const { sub = '', exp = 0 } = payload
      return {
        valid: true,
        claims: {
          userId: sub,
          email: String(payload['email'] ?? ''),
          sessionId: String(payload['session_id']),
          expiresAt: exp * 1000,
        },
      }
    } catch (error) {
      return faultOf(error, now)
    }
  },
})
