import type { Clock } from './clock.ts'

/**
 * Returns a function that calls `run` at once, but at most once in an interval: calls within the interval after a run cause
 * one run at its end. The interval is in milliseconds.
 */
export function throttle(run: () => void, interval: number, clock: Pick<Clock, 'after'>): () => void {
  let isOpen = true
  let isWanted = false

  const call = (): void => {
    if (!isOpen) {
      isWanted = true
      return
    }
    isOpen = false
    isWanted = false
    clock.after(interval, () => {
      isOpen = true
      if (isWanted) call()
    })
    run()
  }
  return call
}
