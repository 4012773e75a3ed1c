import { type RefObject, useLayoutEffect } from 'react'

/** Calls `onResize` at the start and when the scroller or its content changes its size. A stable `onResize` observes once. */
export function useResize(scroller: RefObject<HTMLElement | null>, onResize: (scroller: HTMLElement) => void): void {
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    const observer = new ResizeObserver(() => onResize(element))
    observer.observe(element)
    if (element.firstElementChild !== null) observer.observe(element.firstElementChild)
    return () => observer.disconnect()
  }, [scroller, onResize])
}
