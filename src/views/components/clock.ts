import { useCallback, useSyncExternalStore } from 'react'

const tick = 30_000

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  timer ??= setInterval(() => {
    for (const each of listeners) each()
  }, tick)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/**
 * Returns a text that depends on the current time, such as '2m ago'. All users of this hook share one timer. A
 * component renders again only when its own text has changed.
 */
export function useTimedText(textAt: (now: number) => string): string {
  return useSyncExternalStore(
    subscribe,
    useCallback(() => textAt(Date.now()), [textAt]),
  )
}
