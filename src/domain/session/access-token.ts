import { limits } from '../limits.ts'

export type AccessTokenClaims = {
  subject: string | null
  /** Seconds since 1970, by the issuer's clock. */
  expiresAt: number
  issuedAt: number | null
}

function payloadOf(token: string): unknown {
  const [, payload = ''] = token.split('.')
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return null
  }
}

const isFiniteNumber = (value: unknown): value is number => Number.isFinite(value)

/**
 * The claims of a JWT, not verified; only the server can verify them. Null if the text is not a JWT or has no expiry
 * time.
 */
export function claimsOf(token: string): AccessTokenClaims | null {
  const { exp, iat, sub } = (payloadOf(token) ?? {}) as Partial<Record<'exp' | 'iat' | 'sub', unknown>>
  if (!isFiniteNumber(exp)) return null
  return {
    subject: typeof sub === 'string' || typeof sub === 'number' ? String(sub) : null,
    expiresAt: exp,
    issuedAt: isFiniteNumber(iat) ? iat : null,
  }
}

/**
 * Seconds until a token with these claims expires. If the issue time is known, the lifetime is counted from the time at
 * which this browser received the token, so that a wrong local clock does not make a fresh token look expired.
 * `obtainedAt` and `now` are milliseconds by the local clock.
 */
export function secondsLeft(
  { expiresAt, issuedAt }: AccessTokenClaims,
  obtainedAt: number | null,
  now: number,
): number {
  if (issuedAt === null || obtainedAt === null) return expiresAt - now / 1_000
  return expiresAt - issuedAt - (now - obtainedAt) / 1_000
}

/**
 * Whether to refresh a token: fewer than 300 seconds remain, or it has expired or cannot be decoded (spec section 4). A
 * token with a lifetime below 600 seconds is refreshed in the second half of its lifetime. A token whose remaining
 * lifetime is not known (it cannot be decoded, or was already near its expiry by the local clock when it was received)
 * is kept for 300 seconds; otherwise every call would refresh it.
 */
export function needsRefresh(token: string, obtainedAt: number | null, now: number): boolean {
  const threshold = limits.tokenRefreshThresholdSeconds
  const claims = claimsOf(token)
  const isNew = obtainedAt !== null && now - obtainedAt < threshold * 1_000
  if (claims === null) return !isNew
  const { expiresAt, issuedAt } = claims
  const wasOverWhenItCame = issuedAt === null && obtainedAt !== null && expiresAt - obtainedAt / 1_000 < threshold
  if (wasOverWhenItCame) return !isNew
  const lifetime = issuedAt === null ? Number.POSITIVE_INFINITY : expiresAt - issuedAt
  return secondsLeft(claims, obtainedAt, now) < Math.min(threshold, lifetime / 2)
}
