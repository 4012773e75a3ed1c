import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createBatches, frameTiming } from '../../../src/services/shell/batches.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => vi.useRealTimers())

const later = (milliseconds: number, callback: () => void) => {
  const timer = setTimeout(callback, milliseconds)
  return () => clearTimeout(timer)
}

/** Batches with a frame each 16 ms. */
function open() {
  const delivered: (readonly number[])[] = []
  const batches = createBatches<number>((items) => delivered.push(items), {
    now: () => performance.now(),
    nextFrame: (callback) => later(16, callback),
    after: later,
  })
  let last = 0
  const add = (count = 1) => {
    for (let added = 0; added < count; added += 1) {
      last += 1
      batches.add(last)
    }
  }
  return { ...batches, add, delivered, sizes: () => delivered.map((items) => items.length) }
}

describe('Items are delivered', () => {
  it('at once if they are far apart', () => {
    const { add, delivered } = open()
    for (let item = 0; item < 3; item += 1) {
      add()
      vi.advanceTimersByTime(16)
    }
    expect(delivered).toEqual([[1], [2], [3]])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('with the next frame if they follow one another, in their order', () => {
    const { add, delivered } = open()
    add(3)
    vi.advanceTimersByTime(15)
    add()
    expect(delivered).toEqual([[1]])
    vi.advanceTimersByTime(1)
    expect(delivered).toEqual([[1], [2, 3, 4]])
  })

  it('after 100 ms if the last batch had 30 or more', () => {
    const { add, sizes } = open()
    add(31)
    vi.advanceTimersByTime(16)
    expect(sizes()).toEqual([1, 30])
    add(5)
    vi.advanceTimersByTime(60)
    add(5)
    vi.advanceTimersByTime(39)
    expect(sizes()).toEqual([1, 30])
    vi.advanceTimersByTime(1)
    expect(sizes()).toEqual([1, 30, 10])
    add()
    vi.advanceTimersByTime(16)
    expect(sizes()).toEqual([1, 30, 10, 1])
  })

  it('with the next frame if the last batch had 29, and at once when a burst is over', () => {
    const { add, sizes } = open()
    add(30)
    vi.advanceTimersByTime(16)
    add(31)
    vi.advanceTimersByTime(16)
    expect(sizes()).toEqual([1, 29, 31])
    vi.advanceTimersByTime(100)
    add()
    expect(sizes()).toEqual([1, 29, 31, 1])
  })

  it('never after a stop, which may come while none waits', () => {
    const { add, stop, delivered } = open()
    stop()
    add(2)
    stop()
    vi.advanceTimersByTime(1_000)
    expect([delivered, vi.getTimerCount()]).toEqual([[[1]], 0])
    add()
    expect(delivered).toEqual([[1], [3]])
  })
})

describe('The timing of a window', () => {
  function openWindow({ hidden = false } = {}) {
    const frames = new Map<number, () => void>()
    const calls: number[] = []
    const window = {
      document: { hidden },
      performance,
      setTimeout: (run: () => void, milliseconds: number) => setTimeout(run, milliseconds),
      clearTimeout: (timer: number) => clearTimeout(timer),
      requestAnimationFrame: (run: () => void) => {
        frames.set(frames.size + 1, run)
        return frames.size
      },
      cancelAnimationFrame: (request: number) => void frames.delete(request),
    }
    const timing = frameTiming(window as unknown as Window)
    return { timing, frames, calls, call: () => void calls.push(timing.now()) }
  }

  it('calls once with the frame of a visible page', () => {
    const { timing, frames, calls, call } = openWindow()
    const start = timing.now()
    timing.nextFrame(call)
    vi.advanceTimersByTime(10)
    for (const run of frames.values()) run()
    vi.advanceTimersByTime(1_000)
    expect([calls.map((at) => at - start), frames.size, vi.getTimerCount()]).toEqual([[10], 0, 0])
  })

  it.each([
    ['250 ms later if the page was hidden before the frame', false, 250],
    ['100 ms later in a hidden page', true, 100],
  ])('calls once %s', (_, hidden, expected) => {
    const { timing, frames, calls, call } = openWindow({ hidden })
    const start = timing.now()
    timing.nextFrame(call)
    vi.advanceTimersByTime(1_000)
    expect([calls.map((at) => at - start), frames.size, vi.getTimerCount()]).toEqual([[expected], 0, 0])
  })

  it.each([
    ['a frame', false],
    ['a hidden page', true],
  ])('calls nothing of %s or of a time that was cancelled', (_, hidden) => {
    const { timing, frames, calls, call } = openWindow({ hidden })
    timing.nextFrame(call)()
    timing.after(50, call)()
    timing.after(60, call)
    vi.advanceTimersByTime(1_000)
    expect([calls.length, frames.size, vi.getTimerCount()]).toEqual([1, 0, 0])
  })
})
