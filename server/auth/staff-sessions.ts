import type * as z from 'zod/mini'
import type { AuthUser, loginAnswer } from '../../src/schemas/auth.ts'
import { type AuditSource, recordAudit, staffActor } from '../audit/audit.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import { inTransaction } from '../database/transaction.ts'
import type { RefreshTokens } from './refresh-tokens.ts'
import { keepLastSeen } from './staff.ts'
import type { ProductTokens } from './tokens.ts'

export type StaffSessions = {
  /**
   * Starts a session and returns the login response with its token pair (spec section 7). When the session ends, the
   * provider's session ends with it.
   */
  start(user: AuthUser, source: AuditSource, providerSessionId: string | null): Promise<z.infer<typeof loginAnswer>>
}

export const createStaffSessions = ({
  db,
  tokens,
  refreshTokens,
  clock,
  deviceCache,
}: {
  db: Db
  tokens: ProductTokens
  refreshTokens: RefreshTokens
  clock: Clock
  /** Whether browsers may keep a copy of conversations. */
  deviceCache: boolean
}): StaffSessions => ({
  start: async (user, source, providerSessionId) => {
    const at = clock.now()
    const { id: sessionId } = await inTransaction(db, async (trx) => {
      await recordAudit(trx, { at, by: staffActor(user, source), action: 'sign-in.succeeded' })
      return trx
        .insertInto('staff_sessions')
        .values({ staff_id: user.id, provider_session_id: providerSessionId, created_at: new Date(at) })
        .returning('id')
        .executeTakeFirstOrThrow()
    })
    await keepLastSeen(db, user.id, at)
    const token = await tokens.issue({ staffId: user.id, sessionId })
    return {
      success: true,
      data: { token, refreshToken: await refreshTokens.issue(sessionId), user: { ...user, deviceCache } },
    }
  },
})
