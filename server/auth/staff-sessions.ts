import type * as z from 'zod/mini'
import type { AuthUser, loginAnswer } from '../../src/schemas/auth.ts'
import { type AuditSource, recordAudit, staffActor } from '../audit/audit.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import { inTransaction } from '../database/transaction.ts'
import type { ProviderUser } from './identity-provider.ts'
import type { RefreshTokens } from './refresh-tokens.ts'
import type { FactorNeed, SecondFactors } from './second-factors.ts'
import { keepLastSeen } from './staff.ts'
import type { ProductTokens } from './tokens.ts'

type ProviderSession = Pick<ProviderUser, 'sessionId' | 'mustChangePassword'>

/** Why no session was started: the provider session has ended meanwhile, or the sign-in needs another step first. */
type Missing = 'ended' | 'newPassword' | Exclude<FactorNeed, 'nothing'>

export type StaffSessions = {
  /**
   * Starts a session and returns the login response with its token pair (spec section 7), or what is missing. When the
   * session ends, the provider's session ends with it. `provider` is null for the legacy login. Every session of the
   * product starts here, so that none starts without the second factor.
   */
  start(
    user: AuthUser,
    source: AuditSource,
    provider: ProviderSession | null,
  ): Promise<z.infer<typeof loginAnswer> | Missing>
}

export const createStaffSessions = ({
  db,
  tokens,
  refreshTokens,
  secondFactors,
  clock,
  offered,
}: {
  db: Db
  tokens: ProductTokens
  refreshTokens: RefreshTokens
  secondFactors: Pick<SecondFactors, 'needOf'>
  clock: Clock
  /** What this server offers every user. */
  offered: Pick<AuthUser, 'deviceCache' | 'business' | 'features'>
}): StaffSessions => {
  const insert = (user: AuthUser, source: AuditSource, provider: ProviderSession | null, at: number) =>
    inTransaction(db, async (transaction): Promise<{ id: string } | Missing> => {
      // A request that ends the sessions of this person or confirms a factor waits for this lock, and so does another start.
      await transaction.selectFrom('staff').select('id').where('id', '=', user.id).forNoKeyUpdate().execute()
      const providerSessionId = provider?.sessionId ?? null
      const ended = await transaction
        .selectFrom('auth_sessions')
        .select('id')
        .where('id', '=', providerSessionId ?? '')
        .where('revoked_at', 'is not', null)
        .executeTakeFirst()
      if (ended !== undefined) return 'ended'
      const need = await secondFactors.needOf(transaction, { staffId: user.id, role: user.role, providerSessionId })
      if (need === 'code') return need
      if (provider?.mustChangePassword) return 'newPassword'
      if (need === 'enrolment') return need
      const isSignIn =
        providerSessionId === null ||
        (await transaction
          .selectFrom('staff_sessions')
          .select('id')
          .where('staff_id', '=', user.id)
          .where('provider_session_id', '=', providerSessionId)
          .limit(1)
          .executeTakeFirst()) === undefined
      // A page that is loaded again continues the provider's session. Only the first exchange is a sign-in of a person.
      if (isSignIn) await recordAudit(transaction, { at, by: staffActor(user, source), action: 'sign-in.succeeded' })
      return transaction
        .insertInto('staff_sessions')
        .values({ staff_id: user.id, provider_session_id: providerSessionId, created_at: new Date(at) })
        .returning('id')
        .executeTakeFirstOrThrow()
    })

  return {
    start: async (user, source, provider) => {
      const at = clock.now()
      const session = await insert(user, source, provider, at)
      if (typeof session === 'string') return session
      await keepLastSeen(db, user.id, at)
      const token = await tokens.issue({ staffId: user.id, sessionId: session.id })
      return {
        success: true,
        data: { token, refreshToken: await refreshTokens.issue(session.id), user: { ...user, ...offered } },
      }
    },
  }
}
