import type { Db } from '../database/database.ts'
import { hasEmail } from '../database/email.ts'
import { type StaffMember, staffMemberOf } from './staff.ts'

export type LegacyStaff = StaffMember & {
  /** The linked provider user; null before the migration. */
  supabaseId: string | null
  /** The hash of the legacy password. */
  passwordHash: string
  /** Active, without a provider user, and flagged to set a new password. */
  needsMigration: boolean
}

/** Finds a staff member with a legacy password by email (spec section 4, migration). */
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
    .where(hasEmail(email))
    .executeTakeFirst()
  if (row === undefined || row.legacy_password_hash === null) return null
  return {
    ...staffMemberOf(row),
    supabaseId: row.supabase_id,
    passwordHash: row.legacy_password_hash,
    needsMigration: row.needs_migration && row.is_active && row.supabase_id === null,
  }
}

/** Links a legacy member to the provider user that replaces the legacy password. False if one is already linked. */
export const linkProviderUser = async (
  db: Db,
  { staffId, supabaseId }: { staffId: string; supabaseId: string },
): Promise<boolean> => {
  const linked = await db
    .updateTable('staff')
    .set({ supabase_id: supabaseId })
    .where('id', '=', staffId)
    .where('supabase_id', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return linked !== undefined
}

/** Undoes `linkProviderUser`. */
export const unlinkProviderUser = async (
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
