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

/** How far a catch-up pages back before the thread is begun anew. */
const catchUpPages = 10

export type OlderRequest = {
  page: number
  /** The page begins where the thread ends, or overlaps it. */
  adjoins: boolean
  /** The page after it was empty. */
  isLast: boolean
  /** Where the page before it, which was known throughout, began: this one has to begin earlier. */
  before: Place | null
}

/**
 * Which page holds the messages before those that are held. Pages are counted from the newest message, so they shift
 * while messages arrive; what has arrived is held and counted. `isExact` says that the server holds no fewer in this
 * stretch; else the page has to overlap what is held.
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
 * The thread with an older page, and the request to go on with where this page brought nothing to keep: a page that is
 * known throughout leads to the one before it, a page that is empty or may lie beyond a gap to the one after it. A
 * server that answers with the same messages however far back it is asked has no older ones, whatever it says. A
 * message that was deleted meanwhile moves the pages: one that was to adjoin may lie beyond a gap.
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
  /** The thread as it was when something may have been missed; what was taken in since may stand after a gap. */
  before: ThreadMessages
}

/**
 * The thread with one of the newest pages, and the next page to fetch, or null when the gap is closed: a catch-up pages
 * back until the oldest message of a page was held before the gap (a catch-up that was broken off leaves messages that
 * stand after it). `isExact` tells whether all that is held was compared: messages deleted during the gap are noticed in pages alone.
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
