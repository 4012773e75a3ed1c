import { randomBytes } from 'node:crypto'
import { type Role, roles } from './auth/roles.ts'
import type { Clock } from './clock.ts'
import type { Db } from './database/database.ts'
import { createAccount } from './stand-ins/supabase/accounts.ts'
import { StartupError } from './startup-error.ts'

const isRole = (text: string): text is Role => roles.some((role) => role === text)

/**
 * Adds a staff member, for example the first one. With the built-in identity provider it also creates the account and
 * returns its password; with a hosted provider the person signs up there with the same e-mail. Throws StartupError for
 * an invalid role, an invalid e-mail or an existing member.
 */
export async function addStaff(
  { db, clock, hasOwnProvider }: { db: Db; clock: Clock; hasOwnProvider: boolean },
  { email, role, name }: { email: string; role: string; name?: string | undefined },
): Promise<{ password: string | null }> {
  if (!isRole(role)) throw new StartupError(`The role must be one of ${roles.join(', ')}, not "${role}".`)
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new StartupError(`"${email}" is not an e-mail address.`)
  return db.transaction().execute(async (transaction) => {
    const staff = await transaction
      .insertInto('staff')
      .values({ email, role, name: name ?? null })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (staff === undefined) throw new StartupError(`${email} is a member of staff already.`)
    if (!hasOwnProvider) return { password: null }

    const password = randomBytes(12).toString('base64url')
    const account = await createAccount(transaction, { email, password, confirmed: true, now: clock.now() })
    if (account === null) throw new StartupError(`${email} has an account already.`)
    await transaction.updateTable('staff').set({ supabase_id: account.id }).where('id', '=', staff.id).execute()
    return { password }
  })
}
