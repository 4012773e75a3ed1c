import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { waitFor } from '../../src/services/http.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Whether the wait is over after each of these pauses. */
async function overAfter(signal: AbortSignal | undefined, ...pauses: readonly (() => unknown)[]) {
  let isOver = false
  void waitFor(1_000, signal).then(() => {
    isOver = true
  })
  const seen: boolean[] = []
  for (const pause of pauses) {
    await pause()
    await vi.advanceTimersByTimeAsync(0)
    seen.push(isOver)
  }
  return seen
}
const after = (milliseconds: number) => () => vi.advanceTimersByTimeAsync(milliseconds)

it.each([
  ['without a signal', undefined],
  ['with a signal that is never aborted', new AbortController().signal],
])('a wait %s ends after its time', async (_, signal) => {
  expect(await overAfter(signal, after(999), after(1))).toEqual([false, true])
})

it('a wait ends as soon as its signal is aborted, and leaves no timer', async () => {
  const leaving = new AbortController()
  expect(await overAfter(leaving.signal, after(500), () => leaving.abort())).toEqual([false, true])
  expect(vi.getTimerCount()).toBe(0)
})

it('a wait listens to its signal no longer than it lasts', async () => {
  const { signal } = new AbortController()
  const removed = vi.spyOn(signal, 'removeEventListener')
  await overAfter(signal, after(1_000))
  expect(removed.mock.calls).toEqual([['abort', expect.any(Function)]])
})
