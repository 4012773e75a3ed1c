import type { Db } from '../database/database.ts'

/**
 * Ends the sessions of a staff member at the product and at the built-in provider, except those that `keep` names: the
 * provider session and every product session that was exchanged for it, or one product session. Without `keep` all end.
 * Call it in a transaction.
 */
export const endSessionsOf = async (
  db: Db,
  {
    staffId,
    keep = {},
    now,
  }: { staffId: string; keep?: { providerSessionId?: string | null; productSessionId?: string }; now: number },
): Promise<void> => {
  const { providerSessionId = null, productSessionId = null } = keep
  // Sign-ins that are under way hold this lock: they end before, or see that their provider session has ended.
  await db.selectFrom('staff').select('id').where('id', '=', staffId).forUpdate().execute()
  const product = await db
    .updateTable('staff_sessions')
    .set({ revoked_at: new Date(now) })
    .where('staff_id', '=', staffId)
    .where('revoked_at', 'is', null)
    .$if(productSessionId !== null, (query) => query.where('id', '!=', productSessionId ?? ''))
    .$if(providerSessionId !== null, (query) =>
      query.where('provider_session_id', 'is distinct from', providerSessionId),
    )
    .returning('id')
    .execute()
  const provider = await db
    .updateTable('auth_sessions')
    .set({ revoked_at: new Date(now) })
    .where('user_id', '=', (where) => where.selectFrom('staff').select('supabase_id').where('id', '=', staffId))
    .where('revoked_at', 'is', null)
    .$if(providerSessionId !== null, (query) => query.where('id', '!=', providerSessionId ?? ''))
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
