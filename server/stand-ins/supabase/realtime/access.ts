import { permissionsOf } from '../../../auth/roles.ts'
import type { Db } from '../../../database/database.ts'
import type { ProviderTokens } from '../provider-tokens.ts'
import type { VerifyToken } from './channel.ts'

const faults = { expired: 'InvalidJWTToken', malformed: 'MalformedJWT', forged: 'JwtSignatureError' } as const

/**
 * Allows active staff with the permission to read conversations, with a valid provider token and an open session. Does
 * what the row-level security policies do in a hosted project: an account alone is not a staff member.
 */
export const createRealtimeAccess =
  ({ db, tokens }: { db: Db; tokens: ProviderTokens }): VerifyToken =>
  async (token) => {
    const verdict = await tokens.verify(token)
    if (!verdict.valid) return { valid: false, fault: faults[verdict.fault], message: verdict.message }
    const { sessionId, userId, expiresAt } = verdict.claims
    const staff = await db
      .selectFrom('auth_sessions')
      .innerJoin('staff', 'staff.supabase_id', 'auth_sessions.user_id')
      .select(['staff.role', 'staff.permissions'])
      .where('auth_sessions.id', '=', sessionId)
      .where('auth_sessions.user_id', '=', userId)
      .where('auth_sessions.revoked_at', 'is', null)
      .where('staff.is_active', '=', true)
      .executeTakeFirst()
    if (staff === undefined) return { valid: false, fault: 'Unauthorized', message: 'Not a staff member' }
    if (!permissionsOf(staff.role, staff.permissions).includes('conversations.read')) {
      return { valid: false, fault: 'Unauthorized', message: 'Missing permission: conversations.read' }
    }
    return { valid: true, expiresAt, userId, sessionId }
  }
