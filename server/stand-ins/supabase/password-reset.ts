import { createHash, randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import { isNewPassword } from '../../../src/domain/session/password-rules.ts'
import { recordAudit, staffActor } from '../../audit/audit.ts'
import { endSessionsOf } from '../../auth/end-sessions.ts'
import type { PasswordReset } from '../../auth/password-reset.ts'
import { hashPassword } from '../../auth/passwords.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/database.ts'
import { hasEmail } from '../../database/email.ts'
import { inTransaction } from '../../database/transaction.ts'
import { type Jobs, jobDefaults, workDefaults } from '../../jobs.ts'
import type { Mail } from '../../mail/mail.ts'
import { storePassword } from './accounts.ts'

const queue = 'password-reset'
/** How long a link works. Milliseconds. */
export const linkLifetime = 60 * 60_000

const jobData = z.object({ email: z.string() })

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url')

/**
 * A new password of the built-in provider by an emailed link. The job looks the person up, makes the link and sends the
 * email, so the request takes equally long for every email, and no token is stored in the queue.
 */
export const createPasswordReset = ({
  db,
  jobs,
  mail,
  publicUrl,
  clock,
}: {
  db: Db
  jobs: Pick<Jobs, 'createQueue' | 'work' | 'send'>
  mail: Mail
  /** Without a slash at its end. */
  publicUrl: string
  clock: Clock
}): PasswordReset & { createQueue(): Promise<void>; work(): Promise<void> } => {
  const findAccount = (email: string) =>
    db
      .selectFrom('auth_users')
      .innerJoin('staff', 'staff.supabase_id', 'auth_users.id')
      .select(['auth_users.id', 'staff.email'])
      .where(hasEmail(email, 'auth_users.email'))
      .where('staff.is_active', '=', true)
      .executeTakeFirst()

  /** Makes a link, which ends the previous one, and sends it. Does nothing for an unknown email. */
  const sendLink = async (email: string): Promise<void> => {
    const account = await findAccount(email)
    if (account === undefined) return
    const token = randomBytes(32).toString('base64url')
    const link = { token_hash: hashOf(token), expires_at: new Date(clock.now() + linkLifetime) }
    await db
      .insertInto('password_resets')
      .values({ user_id: account.id, ...link })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(link))
      .execute()
    await mail.send({
      to: [account.email],
      subject: 'A new password for Staff Inbox',
      // After the hash, so that no server and no log receives the token.
      text: `Hello,

somebody asked for a new password for your account at Staff Inbox.
Open this link within one hour to choose one:

${publicUrl}/login#reset=${token}

If that was not you, ignore this email. Your password stays as it is.
`,
    })
  }

  const findReset = (executor: Db, token: string) =>
    executor
      .selectFrom('password_resets')
      .innerJoin('auth_users', 'auth_users.id', 'password_resets.user_id')
      .innerJoin('staff', 'staff.supabase_id', 'auth_users.id')
      .select(['password_resets.user_id', 'auth_users.email', 'staff.id as staff_id', 'staff.name'])
      .where('token_hash', '=', hashOf(token))
      .where('expires_at', '>', new Date(clock.now()))

  return {
    request: async (email) => {
      await jobs.send(queue, { email } satisfies z.infer<typeof jobData>)
    },

    complete: async ({ token, password }, source) => {
      const reset = await findReset(db, token).executeTakeFirst()
      if (reset === undefined) return 'badLink'
      if (!isNewPassword({ password, repeatedPassword: password, email: reset.email })) return 'weakPassword'
      const passwordHash = await hashPassword(password)
      return inTransaction(db, async (transaction) => {
        await endSessionsOf(transaction, { staffId: reset.staff_id, now: clock.now() })
        const found = await findReset(transaction, token).forUpdate('password_resets').executeTakeFirst()
        if (found === undefined) return 'badLink'
        await storePassword(transaction, { userId: found.user_id, passwordHash, isOneTime: false })
        const by = staffActor({ ...found, id: found.staff_id }, source)
        const row = { kind: 'staff', id: found.staff_id } as const
        await recordAudit(transaction, { at: clock.now(), by, action: 'password.reset', row })
        return 'done'
      })
    },

    /** To be called before routes are served, because they queue jobs. */
    createQueue: () =>
      jobs.createQueue(queue, {
        ...jobDefaults,
        retryLimit: 6,
        retryDelay: 5,
        retryDelayMax: 10 * 60,
        expireInSeconds: 60,
        // The data holds an email address.
        retentionSeconds: 60 * 60,
        deleteAfterSeconds: 60,
      }),

    /** Starts the worker. A link that could not be sent for half an hour is given up. */
    work: async (): Promise<void> => {
      await jobs.work(queue, workDefaults, async ([job]) => {
        if (job !== undefined) await sendLink(jobData.parse(job.data).email)
      })
    },
  }
}
