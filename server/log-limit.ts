import type { Clock } from './clock.ts'

/** Limits lines of the log that a stranger can cause: the returned function is true `max` times in each window. */
export function createLogLimit({
  max,
  window,
  clock,
}: {
  max: number
  /** Milliseconds. */
  window: number
  clock: Clock
}): () => boolean {
  let since = clock.now()
  let count = 0
  return () => {
    if (clock.now() - since >= window) {
      since = clock.now()
      count = 0
    }
    count += 1
    return count <= max
  }
}
