import type { MessageChange } from './changes.ts'
import { limits } from './limits.ts'
import { placeOf } from './message-order.ts'
import {
  applyChanges,
  confirmedCount,
  cutBefore,
  type FetchedPage,
  isKnown,
  mergePage,
  type ThreadMessages,
} from './thread-messages.ts'

const pageSize = limits.messagePageSize

/** How far a catch-up pages back before the thread is begun anew. */
const catchUpPages = 10

/** `adjoins`: the page begins where the thread ends, or overlaps it. */
export type OlderRequest = { page: number; adjoins: boolean }

/**
 * Which page holds the messages before those that are held. Pages are counted from the newest message, so they shift
 * while messages arrive; what has arrived is held and counted.
 */
export function olderRequest(thread: ThreadMessages): OlderRequest {
  const count = confirmedCount(thread)
  return { page: Math.floor(count / pageSize) + 1, adjoins: count % pageSize === 0 }
}

/**
 * The thread with an older page, and the request to go on with where this page brought nothing to keep: a page that is
 * known throughout leads to the one before it, a page that may lie beyond a gap to the one after it.
 */
export function withOlder(
  thread: ThreadMessages,
  request: OlderRequest,
  answer: FetchedPage,
  heardMeanwhile: readonly MessageChange[],
): { thread: ThreadMessages; next: OlderRequest | null } {
  const known = answer.messages.filter((message) => isKnown(thread, message.message_id)).length
  const adjoins = request.adjoins || known > 0 || request.page === 1
  if (!adjoins) return { thread, next: { page: request.page - 1, adjoins: false } }
  const merged = applyChanges(
    mergePage(thread, answer, { isNewest: request.page === 1, adjoins: true }),
    heardMeanwhile,
  )
  const isAllKnown = known === answer.messages.length && answer.hasMore
  return { thread: merged, next: isAllKnown ? { page: request.page + 1, adjoins: true } : null }
}

/**
 * The thread with one of the newest pages, counted from 1, and the next page to fetch, or null when the gap is closed:
 * a catch-up pages back until the oldest message of a page is known (what came live after the gap is newer than it).
 */
export function withNewest(
  thread: ThreadMessages,
  page: number,
  answer: FetchedPage,
  heardMeanwhile: readonly MessageChange[],
): { thread: ThreadMessages; next: number | null } {
  const oldest = answer.messages[0]
  const isBeginning = confirmedCount(thread) === 0
  const isClosed = isBeginning || !answer.hasMore || (oldest !== undefined && isKnown(thread, oldest.message_id))
  const merged = applyChanges(mergePage(thread, answer, { isNewest: page === 1, adjoins: isBeginning }), heardMeanwhile)
  if (isClosed) return { thread: merged, next: null }
  if (page < catchUpPages || !oldest) return { thread: merged, next: page < catchUpPages ? page + 1 : null }
  return { thread: cutBefore(merged, placeOf(oldest)), next: null }
}
