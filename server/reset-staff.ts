import { commandLineActor } from './audit/audit.ts'
import { createStaffManagement, type StaffManagement, StaffRefused } from './auth/staff-management.ts'
import type { Clock } from './clock.ts'
import type { Db } from './database/database.ts'
import { hasEmail } from './database/email.ts'
import { staffAccounts } from './stand-ins/supabase/staff-accounts.ts'
import { StartupError } from './startup-error.ts'

const findStaff = async (db: Db, email: string): Promise<string> => {
  const staff = await db.selectFrom('staff').select('id').where(hasEmail(email)).executeTakeFirst()
  if (staff === undefined) throw new StartupError(`${email} is not a member of staff.`)
  return staff.id
}

/**
 * Sets a one-time password at the built-in provider, from the command line. The second factor stays. Throws StartupError
 * for an unknown email.
 */
export async function setOneTimePassword(
  { db, clock }: { db: Db; clock: Clock },
  email: string,
): Promise<{ password: string }> {
  return manage({ db, clock }, async (staff) => staff.resetPassword(await findStaff(db, email), commandLineActor))
}

/**
 * Removes the second factor of a person who lost it, and ends their sessions. Throws StartupError for an unknown email or
 * without a factor.
 */
export async function resetSecondFactor({ db, clock }: { db: Db; clock: Clock }, email: string): Promise<void> {
  await manage({ db, clock }, async (staff) => staff.removeSecondFactor(await findStaff(db, email), commandLineActor))
}

async function manage<T>(
  { db, clock }: { db: Db; clock: Clock },
  change: (staff: StaffManagement) => Promise<T>,
): Promise<T> {
  try {
    return await change(createStaffManagement({ db, accounts: staffAccounts, clock }))
  } catch (error) {
    if (error instanceof StaffRefused) throw new StartupError(error.message)
    throw error
  }
}
