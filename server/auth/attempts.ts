import type { Clock } from '../clock.ts'

export type Attempts = {
  /** Whether one more attempt may be made under this key. */
  allowed(key: string): boolean
  /** Counts one against the key. */
  count(key: string): void
  /** Takes one back. */
  forgive(key: string): void
}

/** Counts attempts in windows of fixed length, in this process's memory; what has run out is forgotten. */
export const createAttempts = ({
  limit,
  window,
  clock,
}: {
  limit: number
  /** Milliseconds. */
  window: number
  clock: Clock
}): Attempts => {
  let since = clock.now()
  let counts = new Map<string, number>()
  const current = () => {
    if (clock.now() - since >= window) {
      since = clock.now()
      counts = new Map()
    }
    return counts
  }
  return {
    allowed: (key) => (current().get(key) ?? 0) < limit,
    count: (key) => {
      current().set(key, (current().get(key) ?? 0) + 1)
    },
    forgive: (key) => {
      current().set(key, Math.max(0, (current().get(key) ?? 0) - 1))
    },
  }
}
