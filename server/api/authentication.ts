import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { AuthUser } from '../../src/schemas/auth.ts'
import { type AuditActor, type AuditSource, staffActor } from '../audit/audit.ts'
import type { Permission } from '../auth/roles.ts'
import { findStaffBySession } from '../auth/staff.ts'
import type { ProductTokens } from '../auth/tokens.ts'
import { unknownAddress } from '../client-address.ts'
import type { Db } from '../database/database.ts'
import { refuse } from './answers.ts'

export type Authenticated = {
  Variables: {
    staff: AuthUser
    sessionId: string
    /** The staff member and where the request came from, for the audit log. */
    actor: AuditActor
  }
}

/** Where a request came from. `addressOf` returns the client's IP address. */
export function sourceOf(c: Context, addressOf: (c: Context) => string): AuditSource {
  const address = addressOf(c)
  return {
    address: address === unknownAddress ? null : address,
    userAgent: c.req.header('user-agent') ?? null,
  }
}

/** The token of an `Authorization: Bearer …` header, or null. */
export const bearerToken = (header: string | undefined): string | null =>
  /^Bearer +(\S+)$/i.exec(header ?? '')?.[1] ?? null

/**
 * Middleware: responds 401 unless the bearer token is valid, its session has not ended and the account is active. Sets
 * `staff`, `sessionId` and `actor` (spec section 7).
 */
export const authenticate = ({
  db,
  tokens,
  addressOf,
}: {
  db: Db
  tokens: ProductTokens
  addressOf: (c: Context) => string
}) =>
  createMiddleware<Authenticated>(async (c, next) => {
    const token = bearerToken(c.req.header('authorization'))
    if (token === null) return refuse(c, 401, 'Authentication required')
    const claims = await tokens.verify(token)
    if (claims === null) return refuse(c, 401, 'Invalid or expired token')
    const member = await findStaffBySession(db, claims)
    if (member === null || !member.isActive) return refuse(c, 401, 'This session has ended')
    c.set('staff', member.user)
    c.set('sessionId', claims.sessionId)
    c.set('actor', staffActor(member.user, sourceOf(c, addressOf)))
    return next()
  })

/** Middleware, after `authenticate`: responds 403 and names the missing permission (spec section 6). */
export const requirePermission = (permission: Permission) =>
  createMiddleware<Authenticated>(async (c, next) => {
    if (c.get('staff').permissions.includes(permission)) return next()
    const error = `Missing permission: ${permission}`
    return c.json(
      { success: false, error, requiredPermission: permission, details: { requiredPermission: permission } },
      403,
    )
  })
