/** A duration of s seconds belongs to bucket floor(ln(1 + s) * bucketScale), so a bucket is at most 2 % wide. */
export const bucketScale = 50

/**
 * Durations between `min` and `max` seconds. Sorting a few hundred buckets takes the place of sorting all durations.
 */
export type Bucket = { count: number; min: number; max: number }

/**
 * The value that divides the durations at a share, linear between the two nearest, as PostgreSQL's `percentile_cont`.
 * Exact while no bucket there holds more than two durations, else within 2 %. Null if there is no duration.
 */
export function percentileOf(buckets: readonly Bucket[], share: number): number | null {
  const sorted = buckets.toSorted((one, other) => one.min - other.min)
  const total = sorted.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return null
  const place = share * (total - 1)
  const low = valueAt(sorted, Math.floor(place))
  return low + (valueAt(sorted, Math.ceil(place)) - low) * (place - Math.floor(place))
}

/** The duration at an index of all durations, if those of a bucket are spread evenly. */
function valueAt(sorted: readonly Bucket[], index: number): number {
  let before = 0
  for (const { count, min, max } of sorted) {
    if (index < before + count) return count === 1 ? min : min + ((max - min) * (index - before)) / (count - 1)
    before += count
  }
  return Number.NaN
}

/** The buckets of several groups, those of one number together. */
export function joinBuckets(buckets: readonly (Bucket & { bucket: number })[]): Bucket[] {
  const joined = new Map<number, Bucket>()
  for (const { bucket, count, min, max } of buckets) {
    const known = joined.get(bucket)
    joined.set(
      bucket,
      known === undefined
        ? { count, min, max }
        : { count: known.count + count, min: Math.min(known.min, min), max: Math.max(known.max, max) },
    )
  }
  return [...joined.values()]
}
