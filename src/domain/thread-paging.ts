import type { MessageChange } from './changes.ts'
import { limits } from './limits.ts'
import { comparePlaces, type Place, placeOf } from './message-order.ts'
import {
  applyChanges,
  asWhole,
  confirmedCount,
  cutBefore,
  type FetchedPage,
  heldBefore,
  isKnown,
  mergePage,
  placeIn,
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
 * message that was deleted meanwhile moves the pages: one that was to adjoin may lie beyond a gap. `seam` is where a page
 * was taken to adjoin without overlapping: that is to be doubted once it is heard that a message after it was deleted.
 */
export function withOlder(
  thread: ThreadMessages,
  { page, adjoins, isLast, before }: OlderRequest,
  answer: FetchedPage,
  heardMeanwhile: readonly MessageChange[],
): { thread: ThreadMessages; next: OlderRequest | null; seam?: Place } {
  const { messages } = answer
  if (messages.length === 0 && page > 1)
    return { thread, next: { page: page - 1, adjoins: false, isLast: true, before: null } }
  const known = messages.filter((message) => isKnown(thread, message.message_id)).length
  const hasShifted = heardMeanwhile.some((change) => change.type === 'DELETE')
  if ((!adjoins || hasShifted) && known === 0 && page > 1)
    return { thread, next: { page: page - 1, adjoins: false, isLast: false, before: null } }
  const hasMore = answer.hasMore && !isLast
  const merged = mergePage(thread, { messages, hasMore }, { isNewest: page === 1, adjoins: true })
  const paged = applyChanges(merged, heardMeanwhile)
  const [oldest] = messages
  const last = thread.messages[0]
  if (known === 0 && oldest && last) return { thread: paged, next: null, seam: placeOf(last) }
  if (known < messages.length || !hasMore) return { thread: paged, next: null }
  if (!oldest) return { thread: asWhole(paged), next: null }
  const start = placeOf(oldest)
  if (before !== null && comparePlaces(start, before) >= 0) return { thread: asWhole(paged), next: null }
  return { thread: paged, next: { page: page + 1, adjoins: !hasShifted, isLast: false, before: start } }
}

export type NewestRequest = {
  /** Counted from 1. */
  page: number
  /** The thread as it was when something may have been missed; what was taken in since may stand after a gap. */
  before: ThreadMessages
  /** Where the last older page was joined on, unless that was compared since. */
  seam: Place | null
}

/**
 * What is sure when these changes come in after an older page was joined on at the seam: what stands before it, where a
 * message after it was deleted, because that may have moved the page before it was fetched. Null where nothing is in doubt.
 */
export function sureAfter(
  thread: ThreadMessages,
  seam: Place | null,
  changes: readonly MessageChange[],
): ThreadMessages | null {
  if (seam === null) return null
  const isMoved = changes.some((change) => {
    const place = change.type === 'DELETE' ? placeIn(thread, change.messageId) : null
    return place !== null && comparePlaces(place, seam) >= 0
  })
  return isMoved ? heldBefore(thread, seam) : null
}

const missingIn = (after: ThreadMessages, before: ThreadMessages): MessageChange[] => {
  const temporary = new Set(before.temporary.map(({ message }) => message.message_id))
  return before.messages.flatMap(({ message_id: messageId }) =>
    isKnown(after, messageId) || temporary.has(messageId) ? [] : [{ type: 'DELETE', messageId }],
  )
}

/**
 * The thread with one of the newest pages, and the next page to fetch, or null when the gap is closed: a catch-up pages
 * back until the oldest message of a page was held before the gap (a catch-up that was broken off leaves messages that
 * stand after it). `isExact` tells whether all that is held was compared: messages deleted during the gap are noticed in
 * pages alone. One that is noticed to be gone puts the seam in doubt, and `before` is what stands before that.
 */
export function withNewest(
  thread: ThreadMessages,
  { page, before, seam }: NewestRequest,
  answer: FetchedPage,
  heardMeanwhile: readonly MessageChange[],
): { thread: ThreadMessages; next: number | null; isExact: boolean; before: ThreadMessages; seam: Place | null } {
  const oldest = answer.messages[0]
  const isBeginning = confirmedCount(thread) === 0
  const merged = applyChanges(mergePage(thread, answer, { isNewest: page === 1, adjoins: isBeginning }), heardMeanwhile)
  const sure = sureAfter(thread, seam, missingIn(merged, thread)) ?? before
  const isClosed = isBeginning || !answer.hasMore || (oldest !== undefined && isKnown(sure, oldest.message_id))
  const first = merged.messages[0]
  const isExact = !answer.hasMore || !first || !oldest || comparePlaces(placeOf(oldest), placeOf(first)) <= 0
  if (isClosed || !oldest) {
    const isCompared = isExact || !oldest || (seam !== null && comparePlaces(placeOf(oldest), seam) < 0)
    return { thread: merged, next: null, isExact, before: sure, seam: isCompared ? null : seam }
  }
  if (page < catchUpPages) return { thread: merged, next: page + 1, isExact: false, before: sure, seam }
  return { thread: cutBefore(merged, placeOf(oldest)), next: null, isExact: true, before: sure, seam: null }
}
