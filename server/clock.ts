/** The source of time. Tests use a manual clock. */
export type Clock = {
  /** Milliseconds since 1970. */
  now(): number
  /** Calls `run` once after a delay. Returns a function that cancels it. */
  after(milliseconds: number, run: () => void): () => void
}

/** The system clock. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds)
    timer.unref()
    return () => clearTimeout(timer)
  },
}

/** Like the system clock, but setting the machine's clock does not move it. It may stand still while the machine sleeps. */
export const steadyClock: Clock = {
  ...systemClock,
  now: () => Math.round(performance.timeOrigin + performance.now()),
}
