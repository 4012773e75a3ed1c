import { type RefObject, useLayoutEffect, useRef } from 'react'

/** In milliseconds. */
const duration = 180

const isReduced = () =>
  document.documentElement.hasAttribute('data-still') || window.matchMedia('(prefers-reduced-motion: reduce)').matches

/**
 * Animates the rendered rows that have changed their place. A CSS transition would animate only some of them, because React
 * takes rows out of the document and puts them back to change their order, which ends a transition.
 *
 * @param tops The distance of each rendered row to the top of the list in pixels, in the order of the list's elements.
 */
export function useRowMoves(list: RefObject<HTMLElement | null>, tops: ReadonlyMap<string, number>): void {
  const before = useRef(tops)
  useLayoutEffect(() => {
    const moved = [...tops].flatMap(([id, top], index) => {
      const from = before.current.get(id)
      return from === undefined || from === top ? [] : [{ index, by: from - top }]
    })
    before.current = tops
    if (moved.length === 0 || isReduced()) return
    for (const { index, by } of moved) {
      // The moves of a row that moves again before its animation ends are added.
      list.current?.children[index]?.animate([{ transform: `translateY(${by}px)` }, { transform: 'translateY(0)' }], {
        duration,
        easing: 'cubic-bezier(.2,.8,.2,1)',
        composite: 'add',
      })
    }
  })
}
