import { networkOf } from '../client-address.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import { createAttempts, hashedKey } from './attempts.ts'
import { assertHashMayWait } from './passwords.ts'

export type PasswordAttempts = {
  /**
   * Counts a password attempt; call it before hashing, so that a burst is limited too. Returns null if the limit is
   * reached, and throws PasswordsBusy if the password could not be checked now.
   */
  begin(from: { address: string; email: string }): Promise<PasswordAttempt | null>
}

type PasswordAttempt = {
  /** Undoes the count of a correct password. */
  forgive(): Promise<void>
  /** Undoes the count of a password that was not checked. */
  withdraw(): Promise<void>
  /**
   * For a wrong password: whether the audit log must record it. One wrong password reaches the provider and, after its
   * refusal, the legacy login; only the provider's refusal is recorded then.
   */
  isUnrecorded(): Promise<boolean>
}

const window = 5 * 60_000
/** The legacy login follows the provider's refusal within this time. Milliseconds. */
const sameAttempt = 60_000
/** A sign-in makes an address known to its email for this long. Milliseconds. */
export const knownSourceLifetime = 90 * 24 * 60 * 60_000

/**
 * Limits per five minutes: 10 wrong passwords per email and address, 200 per address, and 50 per email from addresses
 * where it has not signed in before. An attacker therefore cannot lock a person out of a known address. An IPv6 /64 counts
 * as one address. `login` names the place where the password is checked: each has its own counts, because a person who
 * signs in with one wrong password may reach both.
 */
export const createPasswordAttempts = ({
  db,
  clock,
  login,
}: {
  db: Db
  clock: Clock
  login: 'provider' | 'legacy'
}): PasswordAttempts => {
  const attempts = createAttempts({ db, clock })

  const isKnown = async (source: string): Promise<boolean> => {
    const row = await db
      .selectFrom('known_sources')
      .select('key')
      .where('key', '=', hashedKey(source))
      .where('expires_at', '>', new Date(clock.now()))
      .executeTakeFirst()
    return row !== undefined
  }

  const remember = async (source: string): Promise<void> => {
    const expires_at = new Date(clock.now() + knownSourceLifetime)
    await db
      .insertInto('known_sources')
      .values({ key: hashedKey(source), expires_at })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ expires_at }))
      .execute()
  }

  return {
    begin: async ({ address, email: typedEmail }) => {
      // While the queue of hashes is full, an attempt costs no query.
      assertHashMayWait()
      const email = typedEmail.toLowerCase()
      const network = networkOf(address)
      const source = `${login} password ${network} ${email}`
      const limits = [
        { key: source, max: 10, window },
        { key: `${login} password address ${network}`, max: 200, window },
      ]
      if (!(await isKnown(source))) limits.push({ key: `${login} password e-mail ${email}`, max: 50, window })
      const attempt = await attempts.take(limits)
      if (attempt === null) return null
      const refusedByProvider = `refused by the provider ${network} ${email}`
      return {
        isUnrecorded: async () => {
          if (login === 'legacy') return !(await attempts.takeBack(refusedByProvider))
          await attempts.take([{ key: refusedByProvider, max: 1_000, window: sameAttempt }])
          return true
        },
        withdraw: attempt.giveBack,
        forgive: async () => {
          await attempt.giveBack()
          await remember(source)
        },
      }
    },
  }
}
