import type { AuthUser } from '../../src/schemas/auth.ts'
import type { Db } from '../database/database.ts'
import { hasEmail } from '../database/email.ts'
import type { Row } from '../database/tables.ts'
import { permissionsOf } from './roles.ts'

export type StaffMember = { user: AuthUser; isActive: boolean }

const columns = ['id', 'email', 'name', 'role', 'permissions', 'is_active'] as const

type StaffRow = Pick<Row<'staff'>, (typeof columns)[number]>

/** The API's form of a staff member, with the permissions of the role and their own. */
export const staffMemberOf = (row: StaffRow): StaffMember => ({
  user: {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    permissions: permissionsOf(row.role, row.permissions),
  },
  isActive: row.is_active,
})

/** Finds staff by the session of a product token. Null if the session has ended. */
export const findStaffBySession = async (
  db: Db,
  { staffId, sessionId }: { staffId: string; sessionId: string },
): Promise<StaffMember | null> => {
  const row = await db
    .selectFrom('staff')
    .innerJoin('staff_sessions', 'staff_sessions.staff_id', 'staff.id')
    .select(columns.map((column) => `staff.${column}` as const))
    .where('staff_sessions.id', '=', sessionId)
    .where('staff.id', '=', staffId)
    .where('staff_sessions.revoked_at', 'is', null)
    .executeTakeFirst()
  return row === undefined ? null : staffMemberOf(row)
}

/** Finds staff by the identity provider's user id. */
export const findStaffBySupabaseId = async (db: Db, supabaseId: string): Promise<StaffMember | null> => {
  const row = await db.selectFrom('staff').select(columns).where('supabase_id', '=', supabaseId).executeTakeFirst()
  return row === undefined ? null : staffMemberOf(row)
}

/** Keeps when a member last signed in or renewed a session. */
export const keepLastSeen = async (db: Db, staffId: string, now: number): Promise<void> => {
  await db
    .updateTable('staff')
    .set({ last_seen_at: new Date(now) })
    .where('id', '=', staffId)
    .execute()
}

/** Links the staff member with this confirmed email to a provider user. Null if there is none without a provider user. */
export const linkStaffByEmail = async (
  db: Db,
  { email, supabaseId }: { email: string; supabaseId: string },
): Promise<StaffMember | null> => {
  const row = await db
    .updateTable('staff')
    .set({ supabase_id: supabaseId })
    .where(hasEmail(email))
    .where('supabase_id', 'is', null)
    .returning(columns)
    .executeTakeFirst()
  return row === undefined ? null : staffMemberOf(row)
}
