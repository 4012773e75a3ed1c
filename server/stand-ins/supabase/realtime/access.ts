import { permissionsOf } from '../../../auth/roles.ts'
import { factorNeed, type RequiredFor } from '../../../auth/second-factors.ts'
import type { Db } from '../../../database/database.ts'
import type { ProviderTokens } from '../provider-tokens.ts'
import type { VerifyToken } from './channel.ts'

type AccessParts = { db: Db; tokens: ProviderTokens; requireSecondFactor?: RequiredFor }

const faults = { expired: 'InvalidJWTToken', malformed: 'MalformedJWT', forged: 'JwtSignatureError' } as const

/**
 * Allows active staff with the permission to read conversations, with a valid provider token and an open session that
 * needs neither a code of the second factor nor a new password. Does what the row-level security policies do in a hosted
 * project: an account alone is not a staff member.
 */
export const createRealtimeAccess =
  ({ db, tokens, requireSecondFactor: required }: AccessParts): VerifyToken =>
  async (token) => {
    const verdict = await tokens.verify(token)
    if (!verdict.valid) return { valid: false, fault: faults[verdict.fault], message: verdict.message }
    const { sessionId, userId, expiresAt } = verdict.claims
    const staff = await db
      .selectFrom('auth_sessions')
      .innerJoin('staff', 'staff.supabase_id', 'auth_sessions.user_id')
      .innerJoin('auth_users', 'auth_users.id', 'auth_sessions.user_id')
      .select(['staff.id', 'staff.role', 'staff.permissions', 'auth_users.must_change_password'])
      .where('auth_sessions.id', '=', sessionId)
      .where('auth_sessions.user_id', '=', userId)
      .where('auth_sessions.revoked_at', 'is', null)
      .where('staff.is_active', '=', true)
      .executeTakeFirst()
    if (staff === undefined) return { valid: false, fault: 'Unauthorized', message: 'Not a staff member' }
    if (!permissionsOf(staff.role, staff.permissions).includes('conversations.read')) {
      return { valid: false, fault: 'Unauthorized', message: 'Missing permission: conversations.read' }
    }
    const need = await factorNeed(db, { staffId: staff.id, role: staff.role, providerSessionId: sessionId, required })
    if (need !== 'nothing' || staff.must_change_password) {
      return { valid: false, fault: 'Unauthorized', message: 'The sign-in is not complete' }
    }
    return { valid: true, expiresAt, userId, sessionId }
  }
