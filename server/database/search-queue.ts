import PQueue from 'p-queue'
import { Busy, CallerGone } from '../busy.ts'

/** Of the ten connections to PostgreSQL. The embedded database has one session, so any query waits behind these. */
export const maxConcurrentSearches = 3
export const maxQueuedSearches = 30

const queue = new PQueue({ concurrency: maxConcurrentSearches })

/**
 * Runs a search, few at a time in this process, so that slow searches do not use all connections. Throws Busy if too
 * many wait, and CallerGone if `signal` was aborted before its turn.
 */
export async function runSearch<T>(search: () => Promise<T>, signal: AbortSignal): Promise<T> {
  if (queue.size >= maxQueuedSearches) {
    throw new Busy('Many searches are running right now. Please try again in a few seconds.')
  }
  // The signal only ends the wait: an aborted search continues in the database, and counts as running until it ends.
  return queue.add(() => {
    if (signal.aborted) throw new CallerGone()
    return search()
  })
}
