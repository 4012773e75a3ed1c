import { errors, SignJWT } from 'jose'
import type { Clock } from '../clock.ts'
import { verifyToken } from './verify-token.ts'

/** Seconds. */
const accessTokenLifetime = 15 * 60

const issuer = 'staff-inbox'

type ProductClaims = { staffId: string; sessionId: string }

/** The product's own access tokens: HS256, 15 minutes, `sub` is the staff id and `sid` the session (spec section 7). */
export type ProductTokens = {
  issue(claims: ProductClaims): Promise<string>
  /** Null if the token is expired or invalid. */
  verify(token: string): Promise<ProductClaims | null>
}

/** The keys must be derived for this purpose only. The first signs, any verifies. */
export const createProductTokens = ({
  keys,
  clock,
}: {
  keys: readonly [Uint8Array, ...Uint8Array[]]
  clock: Clock
}): ProductTokens => ({
  issue: ({ staffId, sessionId }) => {
    const now = Math.floor(clock.now() / 1000)
    return new SignJWT({ sid: sessionId })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setSubject(staffId)
      .setIssuer(issuer)
      .setAudience(issuer)
      .setIssuedAt(now)
      .setExpirationTime(now + accessTokenLifetime)
      .sign(keys[0])
  },
  verify: async (token) => {
    try {
      const { payload } = await verifyToken(token, keys, {
        algorithms: ['HS256'],
        issuer,
        audience: issuer,
        requiredClaims: ['sub', 'sid', 'exp'],
        currentDate: new Date(clock.now()),
      })
      const { sub, sid } = payload
      return sub !== undefined && typeof sid === 'string' ? { staffId: sub, sessionId: sid } : null
    } catch (error) {
      if (error instanceof errors.JOSEError) return null
      throw error
    }
  },
})
