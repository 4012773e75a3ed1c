import type { Db } from '../database/database.ts'
import { type StaffMember, staffMemberOf } from './staff.ts'

export type LegacyStaff = StaffMember & {
  /** The identity they are tied to; null before their migration. */
  supabaseId: string | null
  /** Of the password from before the identity provider. */
  passwordHash: string
  /** Active, tied to no identity, and to set a new password before anything else. */
  needsMigration: boolean
}

/** Whoever still has a password of the time before the identity provider, by e-mail (spec section 4, migration). */
export const findLegacyStaff = async (db: Db, email: string): Promise<LegacyStaff | null> => {
  const row = await db
    .selectFrom('staff')
    .select([
      'id',
      'email',
      'name',
      'role',
      'permissions',
      'is_active',
      'supabase_id',
      'legacy_password_hash',
      'needs_migration',
    ])
    .where((where) => where(where.fn('lower', ['email']), '=', email.toLowerCase()))
    .executeTakeFirst()
  if (row === undefined || row.legacy_password_hash === null) return null
  return {
    ...staffMemberOf(row),
    supabaseId: row.supabase_id,
    passwordHash: row.legacy_password_hash,
    needsMigration: row.needs_migration && row.is_active && row.supabase_id === null,
  }
}

/** Ties a legacy member to the identity that takes the old password's place; false when another was quicker. */
export const tieToIdentity = async (
  db: Db,
  { staffId, supabaseId }: { staffId: string; supabaseId: string },
): Promise<boolean> => {
  const tied = await db
    .updateTable('staff')
    .set({ supabase_id: supabaseId })
    .where('id', '=', staffId)
    .where('supabase_id', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return tied !== undefined
}

/** Takes a tie back. */
export const untieFromIdentity = async (
  db: Db,
  { staffId, supabaseId }: { staffId: string; supabaseId: string },
): Promise<void> => {
  await db
    .updateTable('staff')
    .set({ supabase_id: null })
    .where('id', '=', staffId)
    .where('supabase_id', '=', supabaseId)
    .execute()
}
