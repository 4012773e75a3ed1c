import type { Db } from '../database/database.ts'

/**
 * Ends all sessions of a staff member at the product and at the built-in provider. Call it in a transaction.
 */
export const endSessionsOf = async (db: Db, { staffId, now }: { staffId: string; now: number }): Promise<void> => {
  const revoked = { revoked_at: new Date(now) }
  const product = await db
    .updateTable('staff_sessions')
    .set(revoked)
    .where('staff_id', '=', staffId)
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute()
  const provider = await db
    .updateTable('auth_sessions')
    .set(revoked)
    .where('user_id', '=', (where) => where.selectFrom('staff').select('supabase_id').where('id', '=', staffId))
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute()
  for (const [issuer, sessions] of [
    ['product', product],
    ['provider', provider],
  ] as const) {
    if (sessions.length === 0) continue
    await db
      .deleteFrom('refresh_tokens')
      .where('issuer', '=', issuer)
      .where(
        'session_id',
        'in',
        sessions.map(({ id }) => id),
      )
      .execute()
  }
}
