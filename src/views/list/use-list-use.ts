import { type FocusEvent, type PointerEvent, useEffect, useRef } from 'react'
import { useDisplayedListActor } from '../use-list.ts'

/**
 * Reports to the displayed list that the mouse, the keyboard focus or a press is in an element, which gets the returned
 * props. The focus counts only if the keyboard has moved it there: a click leaves it in the list.
 */
export function useListUse(isOffered: boolean) {
  const actor = useDisplayedListActor()
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isOffered) return
    const release = () => actor.send({ type: 'press.ended' })
    document.addEventListener('pointerup', release)
    document.addEventListener('pointercancel', release)
    return () => {
      document.removeEventListener('pointerup', release)
      document.removeEventListener('pointercancel', release)
      for (const type of ['press.ended', 'pointer.left', 'focus.left'] as const) actor.send({ type })
    }
  }, [isOffered, actor])
  if (!isOffered) return { ref }
  return {
    ref,
    onPointerEnter: ({ pointerType }: PointerEvent) => {
      if (pointerType === 'mouse') actor.send({ type: 'pointer.entered' })
    },
    onPointerLeave: () => actor.send({ type: 'pointer.left' }),
    onPointerDown: () => actor.send({ type: 'press.began' }),
    onFocus: ({ target }: FocusEvent) => {
      if (target.matches(':focus-visible')) actor.send({ type: 'focus.entered' })
    },
    onBlur: ({ relatedTarget }: FocusEvent) => {
      if (!(relatedTarget instanceof Node && ref.current?.contains(relatedTarget))) actor.send({ type: 'focus.left' })
    },
  }
}
