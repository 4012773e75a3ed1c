import { hashPassword } from '../auth/passwords.ts'
import type { Db } from '../database/database.ts'

export type Account = { id: string; email: string; emailConfirmedAt: Date | null; createdAt: Date }

/**
 * Makes an account of the stand-in identity provider. Answers null when the e-mail already has one.
 * `confirmed` says that the e-mail is known to be the person's own.
 */
export const createAccount = async (
  db: Db,
  { email, password, confirmed, now }: { email: string; password: string; confirmed: boolean; now: number },
): Promise<Account | null> => {
  const row = await db
    .insertInto('auth_users')
    .values({
      email: email.toLowerCase(),
      password_hash: await hashPassword(password),
      email_confirmed_at: confirmed ? new Date(now) : null,
      created_at: new Date(now),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'email', 'email_confirmed_at', 'created_at'])
    .executeTakeFirst()
  if (row === undefined) return null
  return { id: row.id, email: row.email, emailConfirmedAt: row.email_confirmed_at, createdAt: row.created_at }
}
