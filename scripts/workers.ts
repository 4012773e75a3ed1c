import { availableParallelism, totalmem } from 'node:os'

/** With more, tests that watch the time get in one another's way, and PostgreSQL runs out of connections. */
const mostWorkers = 8

/** How many test workers this machine takes: one for each core, as far as its memory goes round. At least one. */
export function workerCount(gigabytesEach: number): number {
  // A container's limit; 0, or more than the machine has, where there is none.
  const memory = Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem())
  const inMemory = Math.floor(memory / 2 ** 30 / gigabytesEach)
  return Math.max(1, Math.min(availableParallelism(), inMemory, mostWorkers))
}
