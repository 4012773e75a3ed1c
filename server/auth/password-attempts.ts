import type { Clock } from '../clock.ts'
import { createAttempts } from './attempts.ts'

export type PasswordAttempts = {
  /**
   * Counts a try of a password, before the slow part, or a burst at once would slip through. Null when there were too
   * many; otherwise how to take it back once the password was right.
   */
  begin(from: { address: string; email: string }): { forgive(): void } | null
}

const window = 5 * 60_000

/** Ten wrong passwords for one e-mail from one address, two hundred from one address, in five minutes. */
export const createPasswordAttempts = (clock: Clock): PasswordAttempts => {
  const failures = createAttempts({ limit: 10, window, clock })
  const failuresByAddress = createAttempts({ limit: 200, window, clock })
  return {
    begin: ({ address, email }) => {
      const attempt = `${address} ${email.toLowerCase()}`
      if (!failures.allowed(attempt) || !failuresByAddress.allowed(address)) return null
      failures.count(attempt)
      failuresByAddress.count(address)
      return {
        forgive: () => {
          failures.forgive(attempt)
          failuresByAddress.forgive(address)
        },
      }
    },
  }
}
