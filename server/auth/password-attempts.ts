import type { Clock } from '../clock.ts'
import { createAttempts } from './attempts.ts'

export type PasswordAttempts = {
  /**
   * Counts a try of a password, before the slow part, or a burst at once would slip through. Null when there were too
   * many. Otherwise the try stays counted, unless `forgive` is called because the password was right, or `withdraw`
   * because the password was not looked at.
   */
  begin(from: { address: string; email: string }): { forgive(): void; withdraw(): void } | null
}

const window = 5 * 60_000
const mostRemembered = 10_000

/**
 * Ten wrong passwords for one e-mail from one address, two hundred from one address, fifty for one e-mail from wherever
 * it has not signed in before, in five minutes. From where it has, strangers cannot lock it out.
 */
export const createPasswordAttempts = (clock: Clock): PasswordAttempts => {
  const failures = createAttempts({ limit: 10, window, clock })
  const failuresByAddress = createAttempts({ limit: 200, window, clock })
  const failuresByEmail = createAttempts({ limit: 50, window, clock })
  /** Who signed in from where, the longest ago first. */
  const familiar = new Set<string>()

  const remember = (attempt: string) => {
    familiar.delete(attempt)
    familiar.add(attempt)
    if (familiar.size <= mostRemembered) return
    const [oldest = ''] = familiar
    familiar.delete(oldest)
  }

  return {
    begin: ({ address, email: written }) => {
      const email = written.toLowerCase()
      const attempt = `${address} ${email}`
      const counts = [
        [failures, attempt],
        [failuresByAddress, address],
        ...(familiar.has(attempt) ? [] : [[failuresByEmail, email] as const]),
      ] as const
      if (!counts.every(([attempts, key]) => attempts.allowed(key))) return null
      for (const [attempts, key] of counts) attempts.count(key)
      const withdraw = () => {
        for (const [attempts, key] of counts) attempts.forgive(key)
      }
      return {
        withdraw,
        forgive: () => {
          withdraw()
          remember(attempt)
        },
      }
    },
  }
}
