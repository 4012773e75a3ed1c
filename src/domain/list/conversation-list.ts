import type { Conversation } from '../../schemas/conversation.ts'
import { sentAt } from '../message-order.ts'
import { hasSameFields } from '../same-fields.ts'
import type { MessageChange, UserChange } from '../shell/changes.ts'
import { rowIdOf } from './conversation-row.ts'
import { emptyRecords, idsOfMessage, type Records, rowById, rowIdIn } from './records.ts'
import { allByMessage, type ListRule } from './views.ts'

/**
 * The row ids of the loaded conversations: the first rows of the server's list, in the order of the list's rule. The
 * rows themselves are in the records. An unchanged order stays the same array.
 */
export type ListOrder = readonly string[]

export const isSameOrder = (a: ListOrder, b: ListOrder): boolean =>
  a.length === b.length && a.every((id, index) => id === b[index])

const keptWhereSame = (before: ListOrder, now: ListOrder): ListOrder => (isSameOrder(before, now) ? before : now)

const keyIn =
  (records: Records, { keyOf }: ListRule) =>
  (id: string) => {
    const row = rowById(records, id)
    return row ? keyOf(row) : Number.NEGATIVE_INFINITY
  }

const uniqueIds = (rows: readonly Conversation[]): string[] => [...new Set(rows.map(rowIdOf))]

/** Merges two orders, each greatest key first. If two rows have the same key, the left one comes first. */
function mergeByKey(left: ListOrder, right: ListOrder, key: (id: string) => number): string[] {
  const merged: string[] = []
  let next = 0
  for (const id of left) {
    const at = key(id)
    for (let other = right[next]; other !== undefined && key(other) > at; other = right[next]) {
      merged.push(other)
      next += 1
    }
    merged.push(id)
  }
  return merged.concat(right.slice(next))
}

const hasSameState = ({ state: a }: Conversation, { state: b }: Conversation): boolean =>
  a === b || (a !== undefined && b !== undefined && hasSameFields(a, b))

/** The answered rows without those that a later state in the records has taken out of the view. */
const stillIncluded = (records: Records, rows: readonly Conversation[], { includes }: ListRule): Conversation[] =>
  rows.filter((row) => {
    const now = rowById(records, rowIdOf(row))
    return now === undefined || hasSameState(now, row) || includes(now)
  })

/** The answered ids sorted by the keys in the records, which may hold newer messages and states than the answer. */
function sortedBy(rule: ListRule, records: Records, answered: readonly Conversation[]): string[] {
  const key = keyIn(records, rule)
  const rows = stillIncluded(records, answered, rule)
  const moved = new Set(rows.filter((row) => key(rowIdOf(row)) > rule.keyOf(row)).map(rowIdOf))
  const ids = uniqueIds(rows)
  if (moved.size === 0) return ids
  return mergeByKey(
    ids.filter((id) => moved.has(id)).sort((a, b) => key(b) - key(a)),
    ids.filter((id) => !moved.has(id)),
    key,
  )
}

/** The order for a new search or filter: only the rows of the server's answer. `records` already contain the answer. */
export const replaced = (
  order: ListOrder,
  rows: readonly Conversation[],
  records: Records,
  rule: ListRule = allByMessage,
): ListOrder => keptWhereSame(order, sortedBy(rule, records, rows))

type TopAnswer = {
  rows: readonly Conversation[]
  /** False if these are all rows of the list. */
  hasNext: boolean
  /** The number of rows that the fetch was meant to replace. Rows after them are further down in the list. */
  covered: number
  /** The row ids with a realtime change after the request was sent. */
  changedSince: readonly string[]
}

/**
 * Merges a refetch of the first rows (spec section 4, "any message change refreshes the list"). `records` already
 * contain the answer. Rows with newer messages move up, rows after the answered part stay, and a row that belongs in
 * the answered part but is missing from the answer is removed. `dropped` reports such a removal, so that the later rows
 * are fetched again too. A row with a realtime change since the request is not removed, because the answer may predate
 * that change.
 */
export function mergeTop(
  order: ListOrder,
  answer: TopAnswer,
  records: Records,
  rule: ListRule = allByMessage,
): { order: ListOrder; dropped: boolean } {
  const key = keyIn(records, rule)
  const answered = new Set(answer.rows.map(rowIdOf))
  const changedSince = new Set(answer.changedSince)
  const lastRow = answer.rows.at(-1)
  const floor = lastRow ? rule.keyOf(lastRow) : Number.POSITIVE_INFINITY
  const isGone = (id: string, index: number) =>
    !changedSince.has(id) && (!answer.hasNext || index < answer.covered || key(id) > floor)
  const others = order.filter((id) => !answered.has(id))
  const kept = order.filter((id, index) => !answered.has(id) && !isGone(id, index))
  const ids = sortedBy(rule, records, answer.rows)
  const merged = changedSince.size > 0 ? mergeByKey(ids, kept, key) : [...ids, ...kept]
  return { order: keptWhereSame(order, merged), dropped: kept.length < others.length }
}

/** Adds the rows of a later result page, which `records` already contain. Unknown rows are appended. */
export function appended(
  order: ListOrder,
  rows: readonly Conversation[],
  records: Records = emptyRecords,
  rule: ListRule = allByMessage,
): ListOrder {
  const known = new Set(order)
  const added = uniqueIds(stillIncluded(records, rows, rule)).filter((id) => !known.has(id))
  return added.length === 0 ? order : [...order, ...added]
}

/** The loaded row that a message or a person belongs to. */
const listedIn = (order: ListOrder, records: Records, ids: Parameters<typeof rowIdIn>[1]): string | null => {
  const id = rowIdIn(records, ids)
  return id !== null && order.includes(id) ? id : null
}

/**
 * The order after these message changes, which `records` already contain. Rows that received a newer message move up.
 */
export function movedUp(order: ListOrder, changes: readonly MessageChange[], records: Records): ListOrder {
  const time = keyIn(records, allByMessage)
  const moved = new Set<string>()
  for (const change of changes) {
    if (change.type !== 'INSERT') continue
    const id = listedIn(order, records, idsOfMessage(change.record))
    // If the row's last message is a different one, this message did not move the row.
    if (id !== null && time(id) === sentAt(change.record)) moved.add(id)
  }
  if (moved.size === 0) return order
  const merged = mergeByKey(
    [...moved].sort((a, b) => time(b) - time(a)),
    order.filter((id) => !moved.has(id)),
    time,
  )
  return keptWhereSame(order, merged)
}

/**
 * The order after the states of these rows changed, which `records` already contain. A row that left the view is
 * removed. A row that entered the view is added if it is known and `mayAdd`.
 */
export function placed(
  order: ListOrder,
  ids: readonly string[],
  records: Records,
  rule: ListRule,
  mayAdd: boolean,
): ListOrder {
  const key = keyIn(records, rule)
  const changed = new Set(ids)
  const listed = new Set(order)
  const kept = [...changed].filter((id) => {
    const row = rowById(records, id)
    return row !== undefined && (listed.has(id) || mayAdd) && rule.includes(row)
  })
  const merged = mergeByKey(
    kept.sort((a, b) => key(b) - key(a)),
    order.filter((id) => !changed.has(id)),
    key,
  )
  return keptWhereSame(order, merged)
}

/** The part of the loaded list that must be fetched again, and the rows that caused it. */
export type Staleness = { depth: 'none' | 'top' | 'all'; rows: readonly string[] }

export const fresh: Staleness = { depth: 'none', rows: [] }
export const staleTop: Staleness = { depth: 'top', rows: [] }
export const staleAll: Staleness = { depth: 'all', rows: [] }

const rank = { none: 0, top: 1, all: 2 } as const satisfies Record<Staleness['depth'], number>

/** Combines two values: the greater depth and the rows of both. */
export function worse(a: Staleness, b: Staleness): Staleness {
  const known = new Set(a.rows)
  const added = b.rows.filter((id) => !known.has(id))
  return {
    depth: rank[a.depth] >= rank[b.depth] ? a.depth : b.depth,
    rows: added.length === 0 ? a.rows : [...a.rows, ...added],
  }
}

/** Whether one of the wanted rows is shown in the list but missing from the fetched rows. */
export const isMissing = (order: ListOrder, wanted: readonly string[], rows: readonly Conversation[]): boolean => {
  const listed = new Set(order)
  const fetched = new Set(rows.map(rowIdOf))
  return wanted.some((id) => listed.has(id) && !fetched.has(id))
}

/**
 * The part of the list to fetch after message changes; `records` and `order` already include the changes. The first
 * result page is enough if it probably contains all affected rows; otherwise everything that is loaded. A deleted
 * message names no conversation. An old or updated message may belong to a later result page.
 */
export function stalenessAfterMessages(
  order: ListOrder,
  changes: readonly MessageChange[],
  records: Records,
  pageSize: number,
): Staleness {
  const top = new Set(order.slice(0, pageSize))
  const last = order[pageSize - 1]
  const floor = last === undefined ? Number.NEGATIVE_INFINITY : keyIn(records, allByMessage)(last)
  return changes.reduce((stale, change) => {
    if (change.type === 'DELETE') return worse(stale, staleAll)
    const { record } = change
    const id = listedIn(order, records, idsOfMessage(record)) ?? record.primary_user_id ?? null
    const isAtTop = change.type === 'INSERT' && sentAt(record) > floor
    const isLater = id === null || (!top.has(id) && order.includes(id))
    return worse(stale, { depth: isLater && !isAtTop ? 'all' : 'top', rows: id === null ? [] : [id] })
  }, fresh)
}

/** The same for changes of chat users. An unknown chat user may belong to a known conversation. */
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

/** The same for changes of clients, of which a row shows what is owed. Null: any client. */
export const stalenessAfterClients = (
  order: ListOrder,
  clientIds: readonly string[] | null,
  records: Records,
): Staleness =>
  clientIds === null || order.some((id) => clientIds.includes(rowById(records, id)?.client_id ?? '')) ? staleAll : fresh
