import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bucketScale, joinBuckets, percentileOf } from '../../../server/reports/percentiles.ts'
import { percentile } from './plain-reports.ts'

/** As the database groups durations. */
const bucketsOf = (durations: readonly number[]) =>
  [...Map.groupBy(durations, (seconds) => Math.floor(Math.log(1 + seconds) * bucketScale))].map(([bucket, some]) => ({
    bucket,
    count: some.length,
    min: Math.min(...some),
    max: Math.max(...some),
  }))

const durations = fc.array(fc.integer({ min: 0, max: 90 * 24 * 3600 }), { minLength: 1, maxLength: 400 })

it('a percentile from buckets differs from that of all durations by 2 % at most', () => {
  fc.assert(
    fc.property(durations, fc.constantFrom(0, 0.5, 0.9, 1), (seconds, share) => {
      const exact = percentile(seconds, share) ?? Number.NaN
      expect(Math.abs((percentileOf(bucketsOf(seconds), share) ?? Number.NaN) - exact)).toBeLessThanOrEqual(
        0.0203 * (1 + exact),
      )
    }),
  )
})

it('a percentile of durations under 50 seconds is exact to the second', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 48 }), { minLength: 1 }), (seconds) => {
      expect(percentileOf(bucketsOf(seconds), 0.5)).toBeCloseTo(percentile(seconds, 0.5) ?? Number.NaN, 9)
    }),
  )
})

it('the buckets of two groups together have the percentiles of all their durations', () => {
  fc.assert(
    fc.property(durations, durations, (one, other) => {
      const joined = joinBuckets([...bucketsOf(one), ...bucketsOf(other)])
      expect(percentileOf(joined, 0.5)).toBeCloseTo(percentileOf(bucketsOf([...one, ...other]), 0.5) ?? Number.NaN, 6)
    }),
  )
})

it('no duration has no percentile', () => {
  expect(percentileOf([], 0.5)).toBeNull()
})
