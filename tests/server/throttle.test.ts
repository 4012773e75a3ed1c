import { expect, it } from 'vitest'
import { throttle } from '../../server/throttle.ts'
import { manualClock } from './manual-clock.ts'

const start = Date.parse('2026-01-05T08:00:00Z')

it('runs at once, and once for all calls within an interval, at its end', () => {
  const clock = manualClock(start)
  const runs: number[] = []
  const call = throttle(() => runs.push(clock.now() - start), 200, clock)
  call()
  expect(runs).toEqual([0])
  clock.advance(50)
  call()
  call()
  expect(runs).toEqual([0])
  clock.advance(150)
  expect(runs).toEqual([0, 200])
  call()
  clock.advance(200)
  expect(runs).toEqual([0, 200, 400])
  clock.advance(1_000)
  expect(runs).toEqual([0, 200, 400])
  call()
  expect(runs).toEqual([0, 200, 400, 1_400])
})

it('keeps a call that `run` makes for the end of the interval', () => {
  const clock = manualClock(start)
  const runs: number[] = []
  const call: () => void = throttle(
    () => {
      runs.push(clock.now() - start)
      if (runs.length === 1) call()
    },
    200,
    clock,
  )
  call()
  expect(runs).toEqual([0])
  clock.advance(200)
  expect(runs).toEqual([0, 200])
})
