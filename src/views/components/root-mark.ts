import { useLayoutEffect } from 'react'

const counts = new Map<string, number>()

/**
 * Sets an attribute on the root element while a component that calls this is mounted. The style sheet reads it. A
 * selector such as `:root:has(…)` instead would be checked by the browser after every change of the page.
 */
export function useRootMark(name: 'data-dialog' | 'data-client-page' | 'data-writing'): void {
  useLayoutEffect(() => {
    const root = document.documentElement
    const add = (change: number) => {
      const count = (counts.get(name) ?? 0) + change
      counts.set(name, count)
      root.toggleAttribute(name, count > 0)
    }
    add(1)
    return () => add(-1)
  }, [name])
}
