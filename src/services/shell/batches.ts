/** Milliseconds within which another item counts as fast. */
const frame = 16
/**
 * So many items in one frame are a flood, which nobody reads as it passes: it is let gather for a while. A hundred items
 * a second are none, also on a machine that takes a quarter of a second for a frame: each of them is looked for.
 */
const flood = 30
/** Milliseconds. */
const gathering = 100

type Timing = {
  /** Milliseconds. */
  now: () => number
  /** Calls back before the next paint, or soon where nothing is painted; returns what calls that off. */
  nextFrame: (callback: () => void) => () => void
  /** Calls back after so many milliseconds; returns what calls that off. */
  after: (milliseconds: number, callback: () => void) => () => void
}

/**
 * Hands items on in batches: one that comes alone at once, those that come fast together, one batch a frame, and a flood
 * in few batches, so that it costs few paints. Nothing is handed on after `stop`.
 */
export function createBatches<Item>(deliver: (items: readonly Item[]) => void, { now, nextFrame, after }: Timing) {
  let waiting: Item[] = []
  let callOff: (() => void) | null = null
  let lastAt = Number.NEGATIVE_INFINITY
  let lastSize = 0

  const flush = () => {
    callOff = null
    const items = waiting
    waiting = []
    lastAt = now()
    lastSize = items.length
    deliver(items)
  }

  return {
    add: (item: Item) => {
      waiting.push(item)
      if (callOff !== null) return
      const since = now() - lastAt
      if (lastSize >= flood && since < gathering) callOff = after(gathering - since, flush)
      else if (since >= frame) flush()
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
  after: (milliseconds, callback) => {
    const timer = window.setTimeout(callback, milliseconds)
    return () => window.clearTimeout(timer)
  },
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
