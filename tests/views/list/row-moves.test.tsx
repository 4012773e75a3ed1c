import { render } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import RowMoves from '../../../src/views/list/RowMoves.tsx'

/** A list whose rows have these ids. Returns how to give it others, and the moves that were animated, by id. */
function listWith(...first: string[]) {
  const element = document.createElement('div')
  const list = { current: element }
  const moves = new Map<string, unknown>()
  const show = (ids: readonly string[]) => {
    moves.clear()
    element.replaceChildren(
      ...ids.map((id) => {
        const row = document.createElement('div')
        row.animate = (keyframes, options) => {
          moves.set(id, [keyframes, options])
          return {} as Animation
        }
        return row
      }),
    )
    return { list, ids, rows: { indexes: ids.map((_, index) => index), topOf: (index: number) => index * 58 } }
  }
  const { rerender } = render(<RowMoves {...show(first)} />)
  return { moves, change: (...ids: string[]) => rerender(<RowMoves {...show(ids)} />) }
}

const by = (pixels: number) => [
  [{ transform: `translateY(${pixels}px)` }, { transform: 'translateY(0)' }],
  { duration: 180, easing: 'cubic-bezier(.2,.8,.2,1)', composite: 'add' },
]

it('moves each row that changed its place from there in 180 ms, and no new or unmoved row', () => {
  const { moves, change } = listWith('a', 'b', 'c', 'd')
  expect(moves).toEqual(new Map())
  change('new', 'c', 'a', 'd')
  expect(moves).toEqual(
    new Map([
      ['c', by(58)],
      ['a', by(-116)],
    ]),
  )
  change('new', 'c', 'a', 'd')
  expect(moves).toEqual(new Map())
})

it('moves rows at once while places change more than three times a second', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const { moves, change } = listWith('a', 'b')
  const animated: boolean[] = []
  const changeAfter = (milliseconds: number) => {
    vi.advanceTimersByTime(milliseconds)
    change(...(animated.length % 2 === 0 ? ['b', 'a'] : ['a', 'b']))
    animated.push(moves.size > 0)
  }
  for (const pause of [0, 100, 100, 100, 600, 999, 400]) changeAfter(pause)
  vi.useRealTimers()
  expect(animated).toEqual([true, true, true, false, false, true, true])
})

it('moves rows at once for whoever reduces motion', () => {
  const media = vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList)
  const { moves, change } = listWith('a', 'b')
  change('b', 'a')
  expect(moves).toEqual(new Map())
  expect(media).toHaveBeenCalledWith('(prefers-reduced-motion: reduce)')
  media.mockReturnValue({ matches: false } as MediaQueryList)
  change('a', 'b')
  expect(moves.size).toBe(2)
  document.documentElement.setAttribute('data-still', '')
  change('b', 'a')
  expect(moves).toEqual(new Map())
  document.documentElement.removeAttribute('data-still')
  media.mockRestore()
})
