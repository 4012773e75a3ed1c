/** Where times come from; tests pass one that they move by hand. */
export type Clock = {
  /** Milliseconds since 1970. */
  now(): number
  /** Runs something once, after so many milliseconds; the answer calls it off. */
  after(milliseconds: number, run: () => void): () => void
}

/** The machine's clock. What waits on it does not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds)
    timer.unref()
    return () => clearTimeout(timer)
  },
}
