/** In milliseconds. An item that follows the last delivery within this time waits for the next frame. */
const frame = 16
/**
 * If more items than this arrive in one frame, they are collected for a while, because a person cannot read them one by one.
 * A hundred items a second stay below this limit even if a frame takes 250 ms.
 */
const burstSize = 30
/** In milliseconds. */
const burstInterval = 100

type Timing = {
  /** Milliseconds. */
  now: () => number
  /** Calls back before the next paint, or soon if nothing is painted. Returns a function that cancels the call. */
  nextFrame: (callback: () => void) => () => void
  /** Calls back after this number of milliseconds. Returns a function that cancels the call. */
  after: (milliseconds: number, callback: () => void) => () => void
}

/**
 * Delivers items in batches: a single item at once, items in quick succession in one batch for each frame, and a burst
 * in few batches to limit the number of paints. Nothing is delivered after `stop`.
 */
export function createBatches<Item>(deliver: (items: readonly Item[]) => void, { now, nextFrame, after }: Timing) {
  let waiting: Item[] = []
  let cancel: (() => void) | null = null
  let lastAt = Number.NEGATIVE_INFINITY
  let lastSize = 0

  const flush = () => {
    cancel = null
    const items = waiting
    waiting = []
    lastAt = now()
    lastSize = items.length
    deliver(items)
  }

  return {
    add: (item: Item) => {
      waiting.push(item)
      if (cancel !== null) return
      const since = now() - lastAt
      if (lastSize >= burstSize && since < burstInterval) cancel = after(burstInterval - since, flush)
      else if (since >= frame) flush()
      else cancel = nextFrame(flush)
    },
    stop: () => {
      cancel?.()
      cancel = null
      waiting = []
    },
  }
}

/** Uses animation frames while the page is visible. A hidden page has none, so a timer is used. */
export const frameTiming = (window: Window): Timing => ({
  now: () => window.performance.now(),
  after: (milliseconds, callback) => {
    const timer = window.setTimeout(callback, milliseconds)
    return () => window.clearTimeout(timer)
  },
  nextFrame: (callback) => {
    if (window.document.hidden) {
      const timer = window.setTimeout(callback, 100)
      return () => window.clearTimeout(timer)
    }
    // If the page is hidden in the meantime, no frame comes; the first of timer and frame counts.
    const timer = window.setTimeout(run, 250)
    const request = window.requestAnimationFrame(run)
    const cancel = () => {
      window.clearTimeout(timer)
      window.cancelAnimationFrame(request)
    }
    function run() {
      cancel()
      callback()
    }
    return cancel
  },
})
