import type { Clock } from '../../server/clock.ts'

export type ManualClock = Clock & {
  /** Advances the time and runs due timers in order. */
  advance(milliseconds: number): void
}

/** A clock that only tests advance. */
export const manualClock = (start = Date.now()): ManualClock => {
  let now = start
  let waiting: { at: number; run: () => void }[] = []
  return {
    now: () => now,
    after: (milliseconds, run) => {
      const entry = { at: now + milliseconds, run }
      waiting.push(entry)
      return () => {
        waiting = waiting.filter((other) => other !== entry)
      }
    },
    advance: (milliseconds) => {
      const until = now + milliseconds
      for (;;) {
        const [due] = waiting.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)
        if (due === undefined) break
        waiting = waiting.filter((entry) => entry !== due)
        now = Math.max(now, due.at)
        due.run()
      }
      now = until
    },
  }
}
