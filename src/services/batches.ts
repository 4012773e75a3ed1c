/** Milliseconds within which another item counts as fast. */
const frame = 16

type Timing = {
  /** Milliseconds. */
  now: () => number
  /** Calls back before the next paint, or soon where nothing is painted; returns what calls that off. */
  nextFrame: (callback: () => void) => () => void
}

/**
 * Hands items on in batches: one that comes alone at once, those that come fast together, one batch a frame. Nothing is
 * handed on after `stop`.
 */
export function createBatches<Item>(deliver: (items: readonly Item[]) => void, { now, nextFrame }: Timing) {
  let waiting: Item[] = []
  let callOff: (() => void) | null = null
  let lastAt = Number.NEGATIVE_INFINITY

  const flush = () => {
    callOff = null
    const items = waiting
    waiting = []
    lastAt = now()
    deliver(items)
  }

  return {
    add: (item: Item) => {
      waiting.push(item)
      if (callOff !== null) return
      if (now() - lastAt >= frame) flush()
      else callOff = nextFrame(flush)
    },
    stop: () => {
      callOff?.()
      callOff = null
      waiting = []
    },
  }
}

/** Animation frames of a page that is shown; a hidden page has none and is served by a timer. */
export const frameTiming = (window: Window): Timing => ({
  now: () => window.performance.now(),
  nextFrame: (callback) => {
    if (window.document.hidden) {
      const timer = window.setTimeout(callback, 100)
      return () => window.clearTimeout(timer)
    }
    // A page that is hidden meanwhile gets no frame: whichever comes first.
    const timer = window.setTimeout(run, 250)
    const request = window.requestAnimationFrame(run)
    const callOff = () => {
      window.clearTimeout(timer)
      window.cancelAnimationFrame(request)
    }
    function run() {
      callOff()
      callback()
    }
    return callOff
  },
})
