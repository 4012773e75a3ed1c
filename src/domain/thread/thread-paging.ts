import { limits } from '../limits.ts'
import { comparePlaces, type Place, placeOf } from '../message-order.ts'
import type { MessageChange } from '../shell/changes.ts'
import {
  applyChanges,
  asWhole,
  confirmedCount,
  cutBefore,
  type FetchedPage,
  isKnown,
  mergePage,
  type ThreadMessages,
} from './thread-messages.ts'

const pageSize = limits.messagePageSize

/**
 * The maximum number of pages that a resync loads. If the gap is still open then, the thread drops the messages before
 * the gap.
 */
const catchUpPages = 10

export type OlderRequest = {
  page: number
  /** The page directly precedes the messages held, or overlaps them. */
  adjoins: boolean
  /** The next older page was empty. */
  isLast: boolean
  /** The oldest message of the previous page, which contained only known messages. This page must start earlier. */
  before: Place | null
}

/**
 * The request for the page with the next older messages. Pages are counted from the newest message, so they shift while
 * messages arrive; the count of messages held includes these. `isExact`: the server has no fewer messages in this range
 * than the thread; otherwise the page must overlap the messages held.
 */
export function olderRequest(thread: ThreadMessages, isExact: boolean): OlderRequest {
  const count = confirmedCount(thread)
  return {
    page: Math.floor(count / pageSize) + 1,
    adjoins: isExact && count % pageSize === 0,
    isLast: false,
    before: null,
  }
}

/**
 * Merges an older page into the thread. Returns a further request if this page added nothing: a page with only known
 * messages leads to the next older page; an empty page, or one that may be separated by a gap, leads to the next newer
 * page. A server that returns the same messages for every page has no older ones, even if it says so. A message deleted
 * in the meantime shifts the pages, so a page expected to adjoin may be separated by a gap.
 */
export function withOlder(
  thread: ThreadMessages,
  { page, adjoins, isLast, before }: OlderRequest,
  answer: FetchedPage,
  receivedMeanwhile: readonly MessageChange[],
): { thread: ThreadMessages; next: OlderRequest | null } {
  const { messages } = answer
  if (messages.length === 0 && page > 1)
    return { thread, next: { page: page - 1, adjoins: false, isLast: true, before: null } }
  const known = messages.filter((message) => isKnown(thread, message.message_id)).length
  const hasShifted = receivedMeanwhile.some((change) => change.type === 'DELETE')
  if ((!adjoins || hasShifted) && known === 0 && page > 1)
    return { thread, next: { page: page - 1, adjoins: false, isLast: false, before: null } }
  const hasMore = answer.hasMore && !isLast
  const merged = mergePage(thread, { messages, hasMore }, { isNewest: page === 1, adjoins: true })
  const paged = applyChanges(merged, receivedMeanwhile)
  const [oldest] = messages
  if (known < messages.length || !hasMore) return { thread: paged, next: null }
  if (!oldest) return { thread: asWhole(paged), next: null }
  const start = placeOf(oldest)
  if (before !== null && comparePlaces(start, before) >= 0) return { thread: asWhole(paged), next: null }
  return { thread: paged, next: { page: page + 1, adjoins: true, isLast: false, before: start } }
}

export type NewestRequest = {
  /** Counted from 1. */
  page: number
  /** The thread before the gap. Messages added since may come after the gap. */
  before: ThreadMessages
}

/**
 * Merges one of the newest pages into the thread. Returns the next page to fetch, or null when the gap is closed. A
 * resync loads older pages until the oldest message of a page was already held before the gap; an interrupted resync
 * may have left messages that come after the gap. `isExact` tells whether all messages held were compared, because only
 * fetched pages reveal messages that were deleted during the gap.
 */
export function withNewest(
  thread: ThreadMessages,
  { page, before }: NewestRequest,
  answer: FetchedPage,
  receivedMeanwhile: readonly MessageChange[],
): { thread: ThreadMessages; next: number | null; isExact: boolean } {
  const oldest = answer.messages[0]
  const isBeginning = confirmedCount(thread) === 0
  const isClosed = isBeginning || !answer.hasMore || (oldest !== undefined && isKnown(before, oldest.message_id))
  const merged = applyChanges(
    mergePage(thread, answer, { isNewest: page === 1, adjoins: isBeginning }),
    receivedMeanwhile,
  )
  const first = merged.messages[0]
  const isExact = !answer.hasMore || !first || !oldest || comparePlaces(placeOf(oldest), placeOf(first)) <= 0
  if (isClosed || !oldest) return { thread: merged, next: null, isExact }
  if (page < catchUpPages) return { thread: merged, next: page + 1, isExact: false }
  return { thread: cutBefore(merged, placeOf(oldest)), next: null, isExact: true }
}
