import type { IdentityProvider } from '../../auth/identity-provider.ts'
import type { Db } from '../../database/database.ts'
import type { ProviderTokens } from './provider-tokens.ts'

/** The stand-in as the identity provider, on the database. It sends no confirmation e-mails, so no e-mail is proven. */
export const embeddedProvider = ({ db, tokens }: { db: Db; tokens: ProviderTokens }): IdentityProvider => ({
  verify: async (token) => {
    const verdict = await tokens.verify(token)
    if (!verdict.valid) return null
    const session = await db
      .selectFrom('auth_sessions')
      .select('user_id')
      .where('id', '=', verdict.claims.sessionId)
      .where('user_id', '=', verdict.claims.userId)
      .where('revoked_at', 'is', null)
      .executeTakeFirst()
    return session === undefined ? null : { subject: session.user_id, sessionId: verdict.claims.sessionId }
  },
  emailOf: async (_token, { subject }) => {
    const user = await db.selectFrom('auth_users').select('email').where('id', '=', subject).executeTakeFirst()
    return user === undefined ? null : { address: user.email, isProven: false }
  },
})
