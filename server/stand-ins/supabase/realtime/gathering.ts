import type { Clock } from '../../../clock.ts'

/** The rate of writes is measured in windows of this length. Milliseconds. */
export const measuredWindow = 100
/** No pause is longer. Milliseconds. */
export const longestPause = 100
/** Writes in a window (items × sockets) for each millisecond of the pause. */
export const writesPerMillisecond = 64
/** A shorter pause would save little. Milliseconds. */
export const shortestPause = 16

/**
 * Passes items on at once, in their order. Under load it gathers them for a pause and passes them on together, because
 * each write costs more than what it carries. The pause grows with the writes of the window before.
 */
export function createGathering<Item>({
  deliver,
  sockets,
  clock,
}: {
  deliver: (items: readonly Item[]) => void
  /** The number of open sockets: at most so many writes for an item. */
  sockets: () => number
  clock: Clock
}) {
  let gathered: Item[] = []
  let windowStart = Number.NEGATIVE_INFINITY
  let count = 0
  let pause = 0
  let cancelTimer: (() => void) | null = null

  const drop = () => {
    cancelTimer?.()
    cancelTimer = null
    gathered = []
  }

  const flush = () => {
    const items = gathered
    drop()
    if (items.length > 0) deliver(items)
  }

  const pauseAfter = (items: number): number => {
    const wanted = Math.floor((items * sockets()) / writesPerMillisecond)
    return wanted < shortestPause ? 0 : Math.min(wanted, longestPause)
  }

  return {
    add(item: Item): void {
      const now = clock.now()
      const age = now - windowStart
      if (age >= measuredWindow || age < 0) {
        pause = age < 2 * measuredWindow ? pauseAfter(count) : 0
        windowStart = now
        count = 0
      }
      count += 1
      gathered.push(item)
      if (pause === 0) flush()
      else cancelTimer ??= clock.after(pause, flush)
    },

    /** Forgets what was gathered. */
    drop,
  }
}
