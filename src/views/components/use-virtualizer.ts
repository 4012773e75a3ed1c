import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type PartialKeys,
  type VirtualItem,
  Virtualizer,
  type VirtualizerOptions,
} from '@tanstack/react-virtual'
import { useLayoutEffect, useReducer, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

type Options<Scroller extends HTMLElement, Item extends HTMLElement> = PartialKeys<
  Omit<VirtualizerOptions<Scroller, Item>, 'onChange'>,
  'observeElementRect' | 'observeElementOffset' | 'scrollToFn'
>

/**
 * A virtualizer whose component renders again only when the virtual items change. The package's own hook also renders
 * at the beginning and the end of each scroll, which are two further commits for every message that arrives.
 */
export function useVirtualizer<Scroller extends HTMLElement, Item extends HTMLElement>(
  options: Options<Scroller, Item>,
): Virtualizer<Scroller, Item> {
  const rerender = useReducer((count: number) => count + 1, 0)[1]
  const rendered = useRef<readonly VirtualItem[]>([])
  /** During a commit `flushSync` is not allowed. */
  const isCommitting = useRef(false)
  const resolved: VirtualizerOptions<Scroller, Item> = {
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    ...options,
    onChange: (instance, isSync) => {
      if (covers(rendered.current, instance)) return
      if (isSync && !isCommitting.current) flushSync(rerender)
      else rerender()
    },
  }
  const [virtualizer] = useState(() => {
    const created = new Virtualizer(resolved)
    const { measureElement } = created
    created.measureElement = (element) => {
      isCommitting.current = true
      measureElement(element)
      isCommitting.current = false
    }
    return created
  })
  virtualizer.setOptions(resolved)
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer])
  useLayoutEffect(() => {
    rendered.current = virtualizer.getVirtualItems()
    return virtualizer._willUpdate()
  })
  return virtualizer
}

/** Items beyond the visible ones that must stand there already. Fewer than the overscan, so that not each one renders. */
const margin = 2

/** Whether the rendered items are where they must be and cover the visible range. */
function covers<Scroller extends HTMLElement, Item extends HTMLElement>(
  rendered: readonly VirtualItem[],
  virtualizer: Virtualizer<Scroller, Item>,
): boolean {
  const items = virtualizer.getVirtualItems()
  if (items === rendered) return true
  const { range, options } = virtualizer
  const [first, last] = [rendered.at(0), rendered.at(-1)]
  if (range === null || first === undefined || last === undefined) return false
  const from = Math.max(0, range.startIndex - margin)
  const to = Math.min(options.count - 1, range.endIndex + margin)
  if (from < first.index || to > last.index) return false
  return items.every((item) => {
    const known = rendered[item.index - first.index]
    return known === undefined || known === item
  })
}
