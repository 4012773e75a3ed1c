import { commandLineActor } from './audit/audit.ts'
import { type Role, roles } from './auth/roles.ts'
import { createStaffManagement, StaffRefused } from './auth/staff-management.ts'
import type { Clock } from './clock.ts'
import type { Db } from './database/database.ts'
import { staffAccounts } from './stand-ins/supabase/staff-accounts.ts'
import { StartupError } from './startup-error.ts'

const isRole = (text: string): text is Role => roles.some((role) => role === text)

/**
 * Adds a staff member, for example the first one. With the built-in identity provider it also creates the account and
 * returns its password; with a hosted provider the person signs up there with the same email. Throws StartupError for
 * an invalid role, an invalid email or an existing member.
 */
export async function addStaff(
  { db, clock, hasOwnProvider }: { db: Db; clock: Clock; hasOwnProvider: boolean },
  { email, role, name }: { email: string; role: string; name?: string | undefined },
): Promise<{ password: string | null }> {
  if (!isRole(role)) throw new StartupError(`The role must be one of ${roles.join(', ')}, not "${role}".`)
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new StartupError(`"${email}" is not an email address.`)
  const staff = createStaffManagement({ db, accounts: hasOwnProvider ? staffAccounts : null, clock })
  try {
    const { password } = await staff.add({ email, role, name: name ?? null }, commandLineActor)
    return { password }
  } catch (error) {
    if (error instanceof StaffRefused) throw new StartupError(error.message)
    throw error
  }
}
