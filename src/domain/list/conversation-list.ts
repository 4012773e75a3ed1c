import type { Conversation, FbUserRow } from '../../schemas/conversation.ts'
import type { Message } from '../../schemas/message.ts'
import type { MessageChange, UserChange } from '../shell/changes.ts'
import { momentOf, sentAt } from '../thread/message-order.ts'

/**
 * The rows of the inbox that are loaded: a beginning of the server's list, newest first.
 * A row that did not change keeps its object, so that the screen can tell which did.
 */
export type ConversationList = {
  readonly byId: ReadonlyMap<string, Conversation>
  readonly order: readonly string[]
}

export const emptyList: ConversationList = { byId: new Map(), order: [] }

/** What names a conversation in the list and in the URL (spec section 2). */
export const rowIdOf = (row: Conversation): string => row.primary_user_id ?? row.fb_user_id

const timeOf = (row: Conversation): number =>
  row.last_message_at == null ? Number.NEGATIVE_INFINITY : Date.parse(row.last_message_at)

const isSame = (a: Conversation, b: Conversation): boolean => {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof Conversation>
  for (const key of keys) if ((a[key] ?? null) !== (b[key] ?? null)) return false
  return true
}

const isSameOrder = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((id, index) => id === b[index])

/** The id of the row a message or a chat user belongs to, if that row is loaded. */
export function rowOfUser(list: ConversationList, ids: readonly (string | null | undefined)[]): string | null {
  for (const id of ids) if (id != null && list.byId.has(id)) return id
  for (const row of list.byId.values()) if (ids.includes(row.fb_user_id)) return rowIdOf(row)
  return null
}

const rowOfMessage = (list: ConversationList, message: Message) =>
  rowOfUser(list, [message.primary_user_id, message.fb_user_id])

/** The list with these rows and this order, keeping every object that says the same as before. */
function withRows(list: ConversationList, given: ReadonlyMap<string, Conversation>, order: readonly string[]) {
  const ids = isSameOrder(order, list.order) ? list.order : order
  const changed = [...given].filter(([id, row]) => {
    const known = list.byId.get(id)
    return known === undefined || !isSame(known, row)
  })
  if (changed.length === 0 && ids === list.order) return list
  const byId = new Map(list.byId)
  for (const [id, row] of changed) byId.set(id, row)
  if (byId.size > ids.length) {
    const kept = new Set(ids)
    for (const id of list.order) if (!kept.has(id)) byId.delete(id)
  }
  return { byId, order: ids }
}

/** Two orders, each newest first, as one; where two are of one time the left one goes first. */
function mergeByTime(left: readonly string[], right: readonly string[], time: (id: string) => number) {
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

/** The list of another search or filter: what the server answered and nothing else. */
export function replaceRows(list: ConversationList, rows: readonly Conversation[]): ConversationList {
  const given = new Map(rows.map((row) => [rowIdOf(row), row]))
  return withRows(list, given, [...given.keys()])
}

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
 * The beginning of the list was fetched again (spec section 4, "any message change refreshes the list").
 * Rows that moved up are moved, later rows stay, and a row that should stand among the answered ones but does not
 * is gone. `dropped` tells that one was, so that the later rows are fetched again too.
 * Of a row that was heard of since, the answer knows nothing yet: it is neither gone nor older than it is here.
 */
export function mergeTop(list: ConversationList, answer: TopAnswer): { list: ConversationList; dropped: boolean } {
  const given = new Map(answer.rows.map((row) => [rowIdOf(row), row]))
  const heard = new Set(answer.heard)
  const lastRow = answer.rows.at(-1)
  const floor = lastRow ? timeOf(lastRow) : Number.POSITIVE_INFINITY
  const kept: string[] = []
  let dropped = false
  for (const [index, id] of list.order.entries()) {
    const known = list.byId.get(id)
    if (!known) continue
    const row = given.get(id)
    if (row && heard.has(id) && timeOf(known) > timeOf(row)) {
      given.delete(id)
      kept.push(id)
    } else if (!row) {
      const isGone = !heard.has(id) && (!answer.hasNext || index < answer.covered || timeOf(known) > floor)
      if (isGone) dropped = true
      else kept.push(id)
    }
  }
  const answered = [...given.keys()]
  const order = heard.size > 0 ? mergeByTime(answered, kept, timeIn(list, given)) : [...answered, ...kept]
  return { list: withRows(list, given, order), dropped }
}

const timeIn = (list: ConversationList, given: ReadonlyMap<string, Conversation>) => (id: string) => {
  const row = given.get(id) ?? list.byId.get(id)
  return row ? timeOf(row) : Number.NEGATIVE_INFINITY
}

/** A later page: unknown rows go to the end, known ones are brought up to date where they stand. */
export function appendRows(list: ConversationList, rows: readonly Conversation[]): ConversationList {
  const given = new Map(rows.map((row) => [rowIdOf(row), row]))
  const added = [...given.keys()].filter((id) => !list.byId.has(id))
  return withRows(list, given, added.length === 0 ? list.order : [...list.order, ...added])
}

/**
 * What a row can show at once of changes just heard; the refresh that follows has the last word.
 * Only a message newer than the row's last one counts, so a change heard twice counts once.
 * With a page filter (`pageId`) the messages of other pages do not show.
 */
export function patchMessages(
  list: ConversationList,
  changes: readonly MessageChange[],
  pageId: string | null,
): ConversationList {
  const patched = new Map<string, Conversation>()
  for (const change of changes) {
    if (change.type !== 'INSERT') continue
    const { record } = change
    if (pageId !== null && record.page_id !== pageId) continue
    const id = rowOfMessage(list, record)
    const row = id === null ? undefined : (patched.get(id) ?? list.byId.get(id))
    if (id === null || row === undefined || sentAt(record) <= timeOf(row)) continue
    patched.set(id, withMessage(row, record))
  }
  if (patched.size === 0) return list
  const time = timeIn(list, patched)
  const moved = [...patched.keys()].toSorted((a, b) => time(b) - time(a))
  const others = list.order.filter((id) => !patched.has(id))
  return withRows(list, patched, mergeByTime(moved, others, time))
}

function withMessage(row: Conversation, message: Message): Conversation {
  const isIncoming = message.direction === 'incoming'
  const at = momentOf(message)
  return {
    ...row,
    last_message_at: at,
    last_message_text: message.message_text,
    last_message_direction: message.direction,
    last_message_page_id: message.page_id,
    last_message_page_name:
      message.page_id === row.last_message_page_id ? row.last_message_page_name : message.page_name,
    last_incoming_at: isIncoming && message.page_id === row.page_id ? at : row.last_incoming_at,
    total_messages: row.total_messages + 1,
    unread_messages: row.unread_messages + (isIncoming && !message.is_read ? 1 : 0),
  }
}

/** What a row of `fb_users` says about a conversation it belongs to (spec section 4): name, picture and client. */
export function patchUser(row: Conversation, user: FbUserRow): Conversation {
  if (user.id !== row.fb_user_id && user.id !== row.primary_user_id) return row
  const patched: Conversation = {
    ...row,
    user_name: user.name ?? row.user_name,
    unified_name: user.name ?? row.unified_name,
    first_name: user.first_name ?? row.first_name,
    last_name: user.last_name ?? row.last_name,
    profile_pic: user.profile_pic ?? row.profile_pic,
    client_id: user.client_id,
  }
  return isSame(row, patched) ? row : patched
}

/** `patchUser` for every row the changes name. */
export function patchUsers(list: ConversationList, changes: readonly UserChange[]): ConversationList {
  const patched = new Map<string, Conversation>()
  for (const { row: user } of changes) {
    const id = rowOfUser(list, [user.id])
    const row = id === null ? undefined : (patched.get(id) ?? list.byId.get(id))
    if (id !== null && row !== undefined) patched.set(id, patchUser(row, user))
  }
  return patched.size === 0 ? list : withRows(list, patched, list.order)
}

/** A conversation was read: nothing is unread in its row (spec section 4, "Mark as read"). */
export function markRead(list: ConversationList, conversationId: string): ConversationList {
  const id = rowOfUser(list, [conversationId])
  const row = id === null ? undefined : list.byId.get(id)
  if (id === null || row === undefined || row.unread_messages === 0) return list
  return withRows(list, new Map([[id, { ...row, unread_messages: 0 }]]), list.order)
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
export const isMissing = (
  list: ConversationList,
  wanted: readonly string[],
  rows: readonly Conversation[],
): boolean => {
  const fetched = new Set(rows.map(rowIdOf))
  return wanted.some((id) => list.byId.has(id) && !fetched.has(id))
}

/**
 * What changes just heard ask for: the first page where it is likely to show them all, else everything that is loaded.
 * A deleted message names no conversation; an old or changed one may belong to a later page.
 */
export function stalenessAfterMessages(
  list: ConversationList,
  changes: readonly MessageChange[],
  pageSize: number,
): Staleness {
  const top = new Set(list.order.slice(0, pageSize))
  const last = list.byId.get(list.order[pageSize - 1] ?? '')
  const floor = last ? timeOf(last) : Number.NEGATIVE_INFINITY
  return changes.reduce((stale, change) => {
    if (change.type === 'DELETE') return worse(stale, staleAll)
    const { record } = change
    const id = rowOfMessage(list, record) ?? record.primary_user_id ?? null
    const isAtTop = change.type === 'INSERT' && sentAt(record) > floor
    const isLater = id === null || (list.byId.has(id) && !top.has(id))
    return worse(stale, { depth: isLater && !isAtTop ? 'all' : 'top', rows: id === null ? [] : [id] })
  }, fresh)
}

/** The same for changes of chat users; one that is not known here may be part of a conversation that is. */
export function stalenessAfterUsers(
  list: ConversationList,
  changes: readonly UserChange[],
  pageSize: number,
): Staleness {
  const top = new Set(list.order.slice(0, pageSize))
  return changes.reduce((stale, { row }) => {
    const id = rowOfUser(list, [row.id])
    return worse(stale, id !== null && top.has(id) ? { depth: 'top', rows: [id] } : staleAll)
  }, fresh)
}
