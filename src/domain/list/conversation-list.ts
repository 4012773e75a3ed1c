import type { Conversation } from '../../schemas/conversation.ts'
import { sentAt } from '../message-order.ts'
import type { MessageChange, UserChange } from '../shell/changes.ts'
import { lastMessageAt, rowIdOf } from './conversation-row.ts'
import { idsOfMessage, type Records, rowById, rowIdIn } from './records.ts'

/**
 * The row ids of the conversations that are loaded: a beginning of the server's list, newest first. The rows are in the
 * records. An order that did not change stays the same array.
 */
export type ListOrder = readonly string[]

const isSameOrder = (a: ListOrder, b: ListOrder): boolean =>
  a.length === b.length && a.every((id, index) => id === b[index])

const keptWhereSame = (before: ListOrder, now: ListOrder): ListOrder => (isSameOrder(before, now) ? before : now)

const timeIn = (records: Records) => (id: string) => {
  const row = rowById(records, id)
  return row ? lastMessageAt(row) : Number.NEGATIVE_INFINITY
}

const uniqueIds = (rows: readonly Conversation[]): string[] => [...new Set(rows.map(rowIdOf))]

/** Two orders, each newest first, as one; where two are of one time the left one goes first. */
function mergeByTime(left: ListOrder, right: ListOrder, time: (id: string) => number): string[] {
  const merged: string[] = []
  let next = 0
  for (const id of left) {
    const at = time(id)
    for (let other = right[next]; other !== undefined && time(other) > at; other = right[next]) {
      merged.push(other)
      next += 1
    }
    merged.push(id)
  }
  return merged.concat(right.slice(next))
}

/** The answered ids in the order of their rows in the records, which may hold newer messages than the answer. */
function inTimeOf(records: Records, rows: readonly Conversation[]): string[] {
  const time = timeIn(records)
  const moved = new Set(rows.filter((row) => time(rowIdOf(row)) > lastMessageAt(row)).map(rowIdOf))
  const ids = uniqueIds(rows)
  if (moved.size === 0) return ids
  return mergeByTime(
    ids.filter((id) => moved.has(id)).sort((a, b) => time(b) - time(a)),
    ids.filter((id) => !moved.has(id)),
    time,
  )
}

/** The order of another search or filter: what the server answered and nothing else. `records` hold the answer. */
export const replaced = (order: ListOrder, rows: readonly Conversation[], records: Records): ListOrder =>
  keptWhereSame(order, inTimeOf(records, rows))

type TopAnswer = {
  rows: readonly Conversation[]
  /** False where these are all rows there are. */
  hasNext: boolean
  /** How many rows of the list the fetch was to replace; rows after them are known to lie further down. */
  covered: number
  /** The rows that were heard of after the answer was asked for. */
  heard: readonly string[]
}

/**
 * The beginning of the list was fetched again (spec section 4, "any message change refreshes the list"); `records` hold
 * the answer. Rows that moved up are moved, later rows stay, and a row that should stand among the answered ones but does
 * not is gone. `dropped` tells that one was, so that the later rows are fetched again too.
 * A row that was heard of since is not gone: the answer knows nothing of that yet.
 */
export function mergeTop(
  order: ListOrder,
  answer: TopAnswer,
  records: Records,
): { order: ListOrder; dropped: boolean } {
  const time = timeIn(records)
  const answered = new Set(answer.rows.map(rowIdOf))
  const heard = new Set(answer.heard)
  const lastRow = answer.rows.at(-1)
  const floor = lastRow ? lastMessageAt(lastRow) : Number.POSITIVE_INFINITY
  const isGone = (id: string, index: number) =>
    !heard.has(id) && (!answer.hasNext || index < answer.covered || time(id) > floor)
  const others = order.filter((id) => !answered.has(id))
  const kept = order.filter((id, index) => !answered.has(id) && !isGone(id, index))
  const ids = inTimeOf(records, answer.rows)
  const merged = heard.size > 0 ? mergeByTime(ids, kept, time) : [...ids, ...kept]
  return { order: keptWhereSame(order, merged), dropped: kept.length < others.length }
}

/** A later page: unknown rows go to the end. */
export function appended(order: ListOrder, rows: readonly Conversation[]): ListOrder {
  const known = new Set(order)
  const added = uniqueIds(rows).filter((id) => !known.has(id))
  return added.length === 0 ? order : [...order, ...added]
}

/** The loaded row that a message or a person belongs to. */
const listedIn = (order: ListOrder, records: Records, ids: Parameters<typeof rowIdIn>[1]): string | null => {
  const id = rowIdIn(records, ids)
  return id !== null && order.includes(id) ? id : null
}

/** The order after these changes of messages, which `records` hold: rows that got a newer message move up. */
export function movedUp(order: ListOrder, changes: readonly MessageChange[], records: Records): ListOrder {
  const time = timeIn(records)
  const moved = new Set<string>()
  for (const change of changes) {
    if (change.type !== 'INSERT') continue
    const id = listedIn(order, records, idsOfMessage(change.record))
    // A row whose last message is another one has not moved for this one.
    if (id !== null && time(id) === sentAt(change.record)) moved.add(id)
  }
  if (moved.size === 0) return order
  const merged = mergeByTime(
    [...moved].sort((a, b) => time(b) - time(a)),
    order.filter((id) => !moved.has(id)),
    time,
  )
  return keptWhereSame(order, merged)
}

/** What has to be fetched again: how much of the loaded list, and because of which rows. */
export type Staleness = { depth: 'none' | 'top' | 'all'; rows: readonly string[] }

export const fresh: Staleness = { depth: 'none', rows: [] }
export const staleTop: Staleness = { depth: 'top', rows: [] }
export const staleAll: Staleness = { depth: 'all', rows: [] }

const rank = { none: 0, top: 1, all: 2 } as const satisfies Record<Staleness['depth'], number>

/** Both together. */
export function worse(a: Staleness, b: Staleness): Staleness {
  const known = new Set(a.rows)
  const added = b.rows.filter((id) => !known.has(id))
  return {
    depth: rank[a.depth] >= rank[b.depth] ? a.depth : b.depth,
    rows: added.length === 0 ? a.rows : [...a.rows, ...added],
  }
}

/** True where a row that had to be fetched again is shown but was not among those fetched. */
export const isMissing = (order: ListOrder, wanted: readonly string[], rows: readonly Conversation[]): boolean => {
  const listed = new Set(order)
  const fetched = new Set(rows.map(rowIdOf))
  return wanted.some((id) => listed.has(id) && !fetched.has(id))
}

/**
 * What changes just heard, which `records` hold and after which the order is this, ask for: the first page where it is
 * likely to show them all, else everything that is loaded. A deleted message names no conversation; an old or changed one
 * may belong to a later page.
 */
export function stalenessAfterMessages(
  order: ListOrder,
  changes: readonly MessageChange[],
  records: Records,
  pageSize: number,
): Staleness {
  const top = new Set(order.slice(0, pageSize))
  const last = order[pageSize - 1]
  const floor = last === undefined ? Number.NEGATIVE_INFINITY : timeIn(records)(last)
  return changes.reduce((stale, change) => {
    if (change.type === 'DELETE') return worse(stale, staleAll)
    const { record } = change
    const id = listedIn(order, records, idsOfMessage(record)) ?? record.primary_user_id ?? null
    const isAtTop = change.type === 'INSERT' && sentAt(record) > floor
    const isLater = id === null || (!top.has(id) && order.includes(id))
    return worse(stale, { depth: isLater && !isAtTop ? 'all' : 'top', rows: id === null ? [] : [id] })
  }, fresh)
}

/** The same for changes of chat users; one that is not known here may be part of a conversation that is. */
export function stalenessAfterUsers(
  order: ListOrder,
  changes: readonly UserChange[],
  records: Records,
  pageSize: number,
): Staleness {
  const top = new Set(order.slice(0, pageSize))
  return changes.reduce((stale, { row }) => {
    const id = rowIdIn(records, [row.id])
    return worse(stale, id !== null && top.has(id) ? { depth: 'top', rows: [id] } : staleAll)
  }, fresh)
}
