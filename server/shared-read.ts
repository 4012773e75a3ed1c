import type { Clock } from './clock.ts'

/**
 * Reads at most once in `interval` milliseconds, and never twice at the same time. Callers in between wait for the next
 * read and share it. It begins after their calls, so no caller gets a state from before its call.
 */
export function createSharedRead<T>({
  read,
  interval,
  clock,
}: {
  read: () => Promise<T>
  interval: number
  clock: Clock
}): () => Promise<T> {
  let startedAt = Number.NEGATIVE_INFINITY
  let previous: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | null = null

  async function readNext(): Promise<T> {
    await previous
    const wait = startedAt + interval - clock.now()
    if (wait > 0) await new Promise<void>((resolve) => clock.after(wait, resolve))
    next = null
    startedAt = clock.now()
    const reading = read()
    previous = reading.catch(() => undefined)
    return reading
  }

  return () => {
    next ??= readNext()
    return next
  }
}
