import type { Clock } from '../clock.ts'
import { createAttemptCounter } from './attempt-counter.ts'

export type PasswordAttempts = {
  /**
   * Counts a password attempt; call it before hashing, so that a burst is limited too. Returns null if the limit is
   * reached. Call `forgive` if the password was correct, `withdraw` if it was not checked; both take the count back.
   */
  begin(from: { address: string; email: string }): { forgive(): void; withdraw(): void } | null
}

const window = 5 * 60_000
const maxKnownSources = 10_000

/**
 * Limits per five minutes: 10 wrong passwords per e-mail and address, 200 per address, and 50 per e-mail from addresses
 * where it has not signed in before. An attacker therefore cannot lock a person out of a known address.
 */
export const createPasswordAttempts = (clock: Clock): PasswordAttempts => {
  const failures = createAttemptCounter({ limit: 10, window, clock })
  const failuresByAddress = createAttemptCounter({ limit: 200, window, clock })
  const failuresByEmail = createAttemptCounter({ limit: 50, window, clock })
  /** Address and e-mail of successful sign-ins, oldest first. */
  const knownSources = new Set<string>()

  const remember = (attempt: string) => {
    knownSources.delete(attempt)
    knownSources.add(attempt)
    if (knownSources.size <= maxKnownSources) return
    const [oldest = ''] = knownSources
    knownSources.delete(oldest)
  }

  return {
    begin: ({ address, email: typedEmail }) => {
      const email = typedEmail.toLowerCase()
      const attempt = `${address} ${email}`
      const counts = [
        [failures, attempt],
        [failuresByAddress, address],
        ...(knownSources.has(attempt) ? [] : [[failuresByEmail, email] as const]),
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
