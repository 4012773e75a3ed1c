import { randomBytes } from 'node:crypto'
import { endSessionsOf } from './auth/end-sessions.ts'
import { hashPassword } from './auth/passwords.ts'
import { removeSecondFactor } from './auth/second-factors.ts'
import type { Clock } from './clock.ts'
import type { Db } from './database/database.ts'
import { inTransaction } from './database/transaction.ts'
import { replaceAccount, storePassword } from './stand-ins/supabase/accounts.ts'
import { StartupError } from './startup-error.ts'

const findStaff = async (db: Db, email: string) => {
  const staff = await db
    .selectFrom('staff')
    .select(['id', 'email', 'supabase_id'])
    .where((where) => where(where.fn('lower', ['email']), '=', email.toLowerCase()))
    .executeTakeFirst()
  if (staff === undefined) throw new StartupError(`${email} is not a member of staff.`)
  return staff
}

/**
 * Sets a one-time password at the built-in provider and ends all sessions of the person, who must choose a new password
 * at the next sign-in. A person with a legacy password gets an account. The second factor stays. Throws StartupError for
 * an unknown e-mail.
 */
export async function setOneTimePassword(
  { db, clock }: { db: Db; clock: Clock },
  email: string,
): Promise<{ password: string }> {
  const staff = await findStaff(db, email)
  const password = randomBytes(12).toString('base64url')
  const now = clock.now()
  // Hashed before the transaction: the embedded database has one connection.
  const passwordHash = await hashPassword(password)
  const account =
    staff.supabase_id === null
      ? await replaceAccount(db, { email: staff.email, password, now })
      : { id: staff.supabase_id }
  if (account === null) throw new StartupError(`${email} has an account of another member of staff.`)
  await inTransaction(db, async (transaction) => {
    await endSessionsOf(transaction, { staffId: staff.id, now })
    await transaction.updateTable('staff').set({ supabase_id: account.id }).where('id', '=', staff.id).execute()
    await storePassword(transaction, { userId: account.id, passwordHash, isOneTime: true })
  })
  return { password }
}

/** Removes the second factor of a person who lost it. Throws StartupError for an unknown e-mail or without a factor. */
export async function resetSecondFactor({ db }: { db: Db }, email: string): Promise<void> {
  const staff = await findStaff(db, email)
  if (!(await removeSecondFactor(db, staff.id))) throw new StartupError(`${email} has no second factor.`)
}
