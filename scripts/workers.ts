import { availableParallelism, totalmem } from 'node:os'

/** With more workers, time-sensitive tests fail and PostgreSQL runs out of connections. */
const maxWorkers = 8

/** The number of test workers: one per core, limited by memory, at least one. */
export function workerCount(gigabytesEach: number): number {
  // The container's limit; without one it is 0 or more than the machine's memory.
  const memory = Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem())
  const inMemory = Math.floor(memory / 2 ** 30 / gigabytesEach)
  return Math.max(1, Math.min(availableParallelism(), inMemory, maxWorkers))
}
