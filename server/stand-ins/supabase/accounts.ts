import { hashPassword, verifyPassword } from '../../auth/passwords.ts'
import type { Db } from '../../database/database.ts'
import { hasEmail } from '../../database/email.ts'
import type { Row } from '../../database/tables.ts'

export type Account = { id: string; email: string; emailConfirmedAt: Date | null; createdAt: Date }

/** Creates an account of the stand-in identity provider; null if the email has one. `confirmed`: the email is verified. */
export const createAccount = async (
  db: Db,
  { password, ...account }: { email: string; password: string; confirmed: boolean; now: number },
): Promise<Account | null> => insertAccount(db, { ...account, passwordHash: await hashPassword(password) })

/** Null if the email has an account. */
export const insertAccount = async (
  db: Db,
  { email, passwordHash, confirmed, now }: { email: string; passwordHash: string; confirmed: boolean; now: number },
): Promise<Account | null> => {
  const row = await db
    .insertInto('auth_users')
    .values({
      email: email.toLowerCase(),
      password_hash: passwordHash,
      email_confirmed_at: confirmed ? new Date(now) : null,
      created_at: new Date(now),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'email', 'email_confirmed_at', 'created_at'])
    .executeTakeFirst()
  return row === undefined ? null : accountOf(row)
}

type AccountRow = Pick<Row<'auth_users'>, 'id' | 'email' | 'email_confirmed_at' | 'created_at'>

export const accountOf = (row: AccountRow): Account => ({
  id: row.id,
  email: row.email,
  emailConfirmedAt: row.email_confirmed_at,
  createdAt: row.created_at,
})

/**
 * Creates a confirmed account. An existing account that is not linked to staff may be a stranger's, so it is replaced and
 * its sessions are deleted. Returns null if the existing account is linked to staff or has the same password.
 */
export const replaceAccount = async (
  db: Db,
  { email, password, now }: { email: string; password: string; now: number },
): Promise<Account | null> => {
  const present = await db
    .selectFrom('auth_users')
    .leftJoin('staff', 'staff.supabase_id', 'auth_users.id')
    .select(['auth_users.id', 'auth_users.password_hash', 'staff.id as staff_id'])
    .where(hasEmail(email, 'auth_users.email'))
    .executeTakeFirst()
  if (present === undefined) return createAccount(db, { email, password, confirmed: true, now })
  if (present.staff_id !== null || (await verifyPassword(password, present.password_hash))) return null
  // Hash before the transaction: hashing may wait in a queue, and the embedded database has only one connection.
  const passwordHash = await hashPassword(password)
  return db.transaction().execute(async (transaction) => {
    // Locked, so that no staff member can be linked to the deleted account meanwhile.
    await transaction.selectFrom('staff').select('id').where(hasEmail(email)).forUpdate().execute()
    await transaction
      .deleteFrom('auth_users')
      .where('id', '=', present.id)
      .where((where) =>
        where.not(
          where.exists(where.selectFrom('staff').select('staff.id').where('staff.supabase_id', '=', present.id)),
        ),
      )
      .execute()
    return insertAccount(transaction, { email, passwordHash, confirmed: true, now })
  })
}

/**
 * Sets a new password and ends every link for one. `isOneTime`: the person must choose another one at the next sign-in.
 * The caller ends the sessions.
 */
export const storePassword = async (
  db: Db,
  { userId, passwordHash, isOneTime }: { userId: string; passwordHash: string; isOneTime: boolean },
): Promise<void> => {
  await db
    .updateTable('auth_users')
    .set({ password_hash: passwordHash, must_change_password: isOneTime })
    .where('id', '=', userId)
    .execute()
  await db.deleteFrom('password_resets').where('user_id', '=', userId).execute()
}
