import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { useRowWindow } from './use-row-window.ts'

/** In milliseconds. */
const duration = 180
/** Further changes within `busyPeriod` are not animated: nobody can follow them, and animating all takes much CPU time. */
const busyAbove = 3
/** In milliseconds. */
const busyPeriod = 1_000

const isReduced = () =>
  document.documentElement.hasAttribute('data-still') || window.matchMedia('(prefers-reduced-motion: reduce)').matches

type RowMovesProps = {
  list: RefObject<HTMLElement | null>
  /** Of all rows. */
  ids: readonly string[]
  rows: Pick<ReturnType<typeof useRowWindow>, 'indexes' | 'topOf'>
}

/**
 * Animates the rendered rows that have changed their place, unless places change often. A CSS transition would animate only
 * some of them, because React takes rows out of the document and puts them back to change their order, which ends a
 * transition.
 */
export default function RowMoves({ list, ids, rows }: RowMovesProps) {
  const before = useRef<ReadonlyMap<string, number>>(new Map())
  const lastChanges = useRef<readonly number[]>([])
  useLayoutEffect(() => {
    const tops = new Map(rows.indexes.map((index) => [ids[index] ?? '', rows.topOf(index)]))
    const moved = [...tops].flatMap(([id, top], index) => {
      const from = before.current.get(id)
      return from === undefined || from === top ? [] : [{ index, by: from - top }]
    })
    before.current = tops
    if (moved.length === 0) return
    const now = performance.now()
    const recent = lastChanges.current.filter((at) => now - at < busyPeriod)
    lastChanges.current = [...recent.slice(-busyAbove), now]
    if (recent.length >= busyAbove || isReduced()) return
    for (const { index, by } of moved) {
      // The moves of a row that moves again before its animation ends are added.
      list.current?.children[index]?.animate([{ transform: `translateY(${by}px)` }, { transform: 'translateY(0)' }], {
        duration,
        easing: 'cubic-bezier(.2,.8,.2,1)',
        composite: 'add',
      })
    }
  })
  return null
}
