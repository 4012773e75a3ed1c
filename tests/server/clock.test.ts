import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { steadyClock, systemClock } from '../../server/clock.ts'

const hour = 60 * 60_000

describe('steadyClock', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'] }))
  afterEach(() => void vi.useRealTimers())

  it.each([
    ['ahead', hour],
    ['back', -hour],
  ])('counts the time that passes, and nothing else, when the machine is set an hour %s', (_, offset) => {
    const [steadyBefore, systemBefore] = [steadyClock.now(), systemClock.now()]
    vi.setSystemTime(systemBefore + offset)
    vi.advanceTimersByTime(1_500)
    expect([steadyClock.now() - steadyBefore, systemClock.now() - systemBefore]).toEqual([1_500, 1_500 + offset])
  })

  it('starts with the time of the machine', () => {
    vi.useRealTimers()
    expect(Math.abs(steadyClock.now() - Date.now())).toBeLessThan(hour)
  })
})
