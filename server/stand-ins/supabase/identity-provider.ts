import { endSessionsOf } from '../../auth/end-sessions.ts'
import type { IdentityProvider } from '../../auth/identity-provider.ts'
import { hashPassword, verifyPassword } from '../../auth/passwords.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/database.ts'
import { inTransaction } from '../../database/transaction.ts'
import { storePassword } from './accounts.ts'
import type { ProviderTokens } from './provider-tokens.ts'

/** The stand-in as the identity provider, on the database. It sends no confirmation emails, so no email is proven. */
export const embeddedProvider = ({
  db,
  tokens,
  clock,
}: {
  db: Db
  tokens: ProviderTokens
  clock: Clock
}): IdentityProvider => ({
  verify: async (token) => {
    const verdict = await tokens.verify(token)
    if (!verdict.valid) return null
    const session = await db
      .selectFrom('auth_sessions')
      .innerJoin('auth_users', 'auth_users.id', 'auth_sessions.user_id')
      .select(['auth_sessions.id', 'auth_sessions.user_id', 'auth_users.must_change_password'])
      .where('auth_sessions.id', '=', verdict.claims.sessionId)
      .where('auth_sessions.user_id', '=', verdict.claims.userId)
      .where('auth_sessions.revoked_at', 'is', null)
      .executeTakeFirst()
    if (session === undefined) return null
    return { subject: session.user_id, sessionId: session.id, mustChangePassword: session.must_change_password }
  },
  emailOf: async (_token, { subject }) => {
    const user = await db.selectFrom('auth_users').select('email').where('id', '=', subject).executeTakeFirst()
    return user === undefined ? null : { address: user.email, isProven: false }
  },
  checkPassword: async ({ subject, password }) => {
    const user = await db.selectFrom('auth_users').select('password_hash').where('id', '=', subject).executeTakeFirst()
    return verifyPassword(password, user?.password_hash)
  },
  setPassword: async (_token, { subject, sessionId }, { password }) => {
    const passwordHash = await hashPassword(password)
    await inTransaction(db, async (transaction) => {
      const staff = await transaction
        .selectFrom('staff')
        .select('id')
        .where('supabase_id', '=', subject)
        .executeTakeFirstOrThrow()
      const keep = { providerSessionId: sessionId }
      await endSessionsOf(transaction, { staffId: staff.id, keep, now: clock.now() })
      await storePassword(transaction, { userId: subject, passwordHash, isOneTime: false })
    })
    return null
  },
})
