import type { Clock } from '../../../clock.ts'

/** Milliseconds. Under load every socket is written to once in this time. */
export const gatherWindow = 100
/** More changes than this in one window are a load. */
export const gatherAbove = 20

/**
 * Passes items on at once, in their order. Under load it gathers those of a window and passes them on together: with many
 * sockets, each write costs more than what it carries.
 */
export function createGathering<Item>({ deliver, clock }: { deliver: (items: readonly Item[]) => void; clock: Clock }) {
  let gathered: Item[] = []
  let windowStart = Number.NEGATIVE_INFINITY
  let count = 0
  let isLoaded = false
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

  return {
    add(item: Item): void {
      const now = clock.now()
      const age = now - windowStart
      if (age >= gatherWindow || age < 0) {
        isLoaded = count > gatherAbove && age < 2 * gatherWindow
        windowStart = now
        count = 0
      }
      count += 1
      gathered.push(item)
      if (!isLoaded) flush()
      else cancelTimer ??= clock.after(windowStart + gatherWindow - now, flush)
    },

    /** Forgets what was gathered. */
    drop,
  }
}
