import type { Clock } from '../clock.ts'

export type AttemptCounter = {
  /** Whether the key is below the limit. */
  allowed(key: string): boolean
  count(key: string): void
  /** Takes one count back. */
  forgive(key: string): void
}

/** A fixed-window rate limiter in this process's memory. */
export const createAttemptCounter = ({
  limit,
  window,
  clock,
}: {
  limit: number
  /** Milliseconds. */
  window: number
  clock: Clock
}): AttemptCounter => {
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
