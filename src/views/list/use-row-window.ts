import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

/** The rows beyond the visible ones that are rendered. */
const overscan = 6

/** The rows beyond the visible ones that must stand there. Fewer than the overscan, so that not each row renders. */
const margin = 2

type Options = {
  scroller: RefObject<HTMLElement | null>
  count: number
  /** The height of each row in pixels. */
  rowHeight: number
  /** A gap of this height above the row at this index; null for no gap. */
  gap: { above: number; height: number } | null
}

/**
 * The visible rows of a list in which each row has the same height. Such a list needs no measured heights and no cache
 * of them, so it does without the virtualizer of the thread, which is 9 kB of the first load. The component renders
 * again only if a scroll or a change of the size uncovers rows.
 */
export function useRowWindow({ scroller, count, rowHeight, gap }: Options) {
  // The first rows are rendered before the list is measured.
  const [shown, setShown] = useState({ top: 0, height: window.innerHeight })
  const covered = useRef(shown)

  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    const spare = (overscan - margin) * rowHeight
    /**
     * Renders rows if visible ones are not covered, in the frame of the scroll or of the new size, which would otherwise show
     * a part of the list without rows.
     */
    const cover = () => {
      const { top, height } = covered.current
      const next = { top: element.scrollTop, height: element.clientHeight }
      if (next.top >= top - spare && next.top + next.height <= top + height + spare) return
      covered.current = next
      flushSync(() => setShown(next))
    }
    const sizes = new ResizeObserver(cover)
    sizes.observe(element)
    element.addEventListener('scroll', cover, { passive: true })
    return () => {
      sizes.disconnect()
      element.removeEventListener('scroll', cover)
    }
  }, [scroller, rowHeight])

  /** The distance of a row to the top of the list in pixels. */
  const topOf = (index: number) => index * rowHeight + (gap !== null && index >= gap.above ? gap.height : 0)
  const indexAt = (pixels: number) => {
    const isBelowGap = gap !== null && pixels >= topOf(gap.above)
    return Math.floor((isBelowGap ? pixels - gap.height : pixels) / rowHeight)
  }
  const totalHeight = count * rowHeight + (gap?.height ?? 0)
  // A list that became shorter is scrolled back by the browser after this render.
  const top = Math.max(0, Math.min(shown.top, totalHeight - shown.height))
  const first = Math.max(0, indexAt(top) - overscan)
  const last = Math.min(count - 1, indexAt(top + shown.height) + overscan)

  return {
    indexes: Array.from({ length: Math.max(0, last - first + 1) }, (_, offset) => first + offset),
    topOf,
    totalHeight,
    /** Scrolls only as far as the row needs to be seen whole. */
    scrollTo: (index: number) => {
      const element = scroller.current
      if (element === null) return
      const row = Math.min(Math.max(0, index), count - 1)
      const start = row === gap?.above ? topOf(row) - gap.height : topOf(row)
      const end = topOf(row) + rowHeight
      const { scrollTop, clientHeight } = element
      if (end > scrollTop + clientHeight) element.scrollTo({ top: end - clientHeight })
      else if (start < scrollTop) element.scrollTo({ top: start })
    },
  }
}
