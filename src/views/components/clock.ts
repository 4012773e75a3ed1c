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
 * A text that depends on the time of day, such as '2m ago'. All of them share one timer, and a component
 * is rendered again only when its own text has changed.
 */
export function useTimedText(textAt: (now: number) => string): string {
  return useSyncExternalStore(
    subscribe,
    useCallback(() => textAt(Date.now()), [textAt]),
  )
}
