import { act, renderHook } from '@testing-library/react'
import * as fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { useRowWindow } from '../../../src/views/list/use-row-window.ts'

const rowHeight = 58
const height = 640

const lists = fc.record({
  count: fc.integer({ min: 0, max: 400 }),
  /** The row below the gap, as a share of the rows; null for no gap. */
  gapAt: fc.option(fc.double({ min: 0, max: 0.99, noNaN: true })),
  /** By how many pixels the list is scrolled, one time after the other. */
  scrolls: fc.array(fc.oneof(fc.integer({ min: -1_500, max: 1_500 }), fc.integer({ min: -24_000, max: 24_000 })), {
    minLength: 1,
    maxLength: 5,
  }),
  /** The row that is to be seen last, as a share of the rows. */
  target: fc.double({ min: 0, max: 0.99, noNaN: true }),
})

function open(count: number, gapAt: number | null) {
  const element = document.createElement('div')
  element.className = 'scroller'
  const scroller = { current: element }
  const gap = gapAt === null || count === 0 ? null : { above: Math.floor(gapAt * count), height: 36 }
  const { result, unmount } = renderHook(() => useRowWindow({ scroller, count, rowHeight, gap }))
  const scrollBy = (pixels: number) =>
    act(() => {
      const most = Math.max(0, result.current.totalHeight - height)
      element.scrollTop = Math.min(most, Math.max(0, element.scrollTop + pixels))
      element.dispatchEvent(new Event('scroll'))
    })
  /** The rows that the visible part of the list shows, by their places. */
  const visible = () =>
    Array.from({ length: count }, (_, index) => index).filter((index) => {
      const top = result.current.topOf(index)
      return top < element.scrollTop + height && top + rowHeight > element.scrollTop
    })
  return { element, result, scrollBy, visible, gap, unmount }
}

test('the rendered rows follow each other, cover the visible part after each scroll, and are few', () => {
  fc.assert(
    fc.property(lists, ({ count, gapAt, scrolls }) => {
      const { result, scrollBy, visible, gap, unmount } = open(count, gapAt)
      const { totalHeight, topOf } = result.current
      expect(totalHeight).toBe(count * rowHeight + (gap?.height ?? 0))
      if (count > 0) expect(topOf(count - 1) + rowHeight).toBe(totalHeight)
      for (const pixels of [0, ...scrolls]) {
        scrollBy(pixels)
        const { indexes } = result.current
        expect(indexes).toEqual(expect.arrayContaining(visible()))
        expect(indexes).toEqual(indexes.map((_, place) => (indexes[0] ?? 0) + place))
        expect(indexes.length).toBeLessThanOrEqual(Math.ceil(window.innerHeight / rowHeight) + 2 * 6 + 2)
      }
      unmount()
    }),
    { numRuns: 60 },
  )
})

test('a row is scrolled to only as far as it needs to be seen whole', () => {
  fc.assert(
    fc.property(lists, ({ count, gapAt, scrolls, target }) => {
      fc.pre(count > 0)
      const { element, result, scrollBy, gap, unmount } = open(count, gapAt)
      for (const pixels of scrolls) scrollBy(pixels)
      const before = element.scrollTop
      const row = Math.floor(target * count)
      const bottom = result.current.topOf(row) + rowHeight
      // The row below the gap is shown with the gap.
      const top = result.current.topOf(row) - (row === gap?.above ? gap.height : 0)
      act(() => result.current.scrollTo(row))
      expect(element.scrollTop).toBe(bottom > before + height ? bottom - height : Math.min(before, top))
      unmount()
    }),
    { numRuns: 60 },
  )
})

test('a list that is shown again has its rows before the next frame', () => {
  const changes: (() => void)[] = []
  class Observer extends ResizeObserver {
    constructor(change: () => void) {
      super(change)
      changes.push(change)
    }
  }
  vi.stubGlobal('ResizeObserver', Observer)
  const { element, result } = open(300, null)
  // Hidden, as the list of a phone is beside an open conversation.
  element.className = ''
  for (const change of changes) act(change)
  expect(result.current.indexes).not.toContain(100)
  element.className = 'scroller'
  element.scrollTop = 100 * rowHeight
  // Without `act`, which renders what is due later.
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  for (const change of changes) change()
  expect(result.current.indexes).toContain(100)
  vi.unstubAllGlobals()
})

test('a list that became shorter shows its last rows without waiting for the scroll of the browser', () => {
  const scroller = { current: document.createElement('div') }
  scroller.current.className = 'scroller'
  const { result, rerender } = renderHook(({ count }) => useRowWindow({ scroller, count, rowHeight, gap: null }), {
    initialProps: { count: 300 },
  })
  act(() => {
    scroller.current.scrollTop = 200 * rowHeight
    scroller.current.dispatchEvent(new Event('scroll'))
  })
  rerender({ count: 5 })
  expect(result.current.indexes).toEqual([0, 1, 2, 3, 4])
})
