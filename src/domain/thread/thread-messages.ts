import type { ConversationStart, Message } from '../../schemas/message.ts'
import { kindOfMessage } from '../attachment-kind.ts'
import { isAutomatic } from '../faq/automatic.ts'
import { emptyLayers, type LayeredMap, lookUp, withChanges } from '../layered-map.ts'
import { comparePlaces, type Place, placeOf, sentAt } from '../message-order.ts'
import { matchOf, type SendFacts } from '../send/sent-message.ts'
import type { MessageChange } from '../shell/changes.ts'
import { completed, updated } from './message-versions.ts'

type Known = {
  message: Message
  /**
   * The commit time and type of the change that last wrote the message; later ones sort higher. Null if the message was
   * only fetched.
   */
  version: string | null
}

/**
 * A temporary message: a sent message that is shown under a `temp_` id until its row arrives (spec section 4, Sending).
 */
type Temporary = { message: Message; realMessageId: string | null }

/**
 * The messages of one thread: a gapless range of the server's messages from the oldest to the newest one held.
 * Immutable. A message without a change stays the same object, so that the views can detect which message changed.
 */
export type ThreadMessages = {
  /** Oldest first. */
  readonly messages: readonly Message[]
  /** The number of unread incoming messages. */
  readonly unread: number
  /**
   * The server has older messages before this place that are not loaded; null if the thread is loaded from its start.
   */
  readonly floor: Place | null
  /** Whether the first message of the server is the first of the conversation; undefined if the API does not say. */
  readonly start?: ConversationStart | undefined
  readonly known: LayeredMap<Known>
  /** Deleted ids. A late insert does not restore such a message. */
  readonly deleted: ReadonlySet<string>
  readonly temporary: readonly Temporary[]
  /** The ids of rows that were matched to a send by text. A row is matched only once. */
  readonly claimed: ReadonlySet<string>
}

export const emptyThread: ThreadMessages = {
  messages: [],
  unread: 0,
  floor: { at: Number.POSITIVE_INFINITY, id: '' },
  known: emptyLayers,
  deleted: new Set(),
  temporary: [],
  claimed: new Set(),
}

/** Whether the server has messages older than the oldest one held. */
export const hasOlder = (thread: ThreadMessages): boolean => thread.floor !== null

/** Whether a result page was fetched. Until then, changes are ignored. */
export const isLoaded = (thread: ThreadMessages): boolean => thread.floor?.at !== Number.POSITIVE_INFINITY

/**
 * The number of messages held that the server has stored. It determines which result page contains the next older
 * messages.
 */
export const confirmedCount = (thread: ThreadMessages): number => thread.messages.length - thread.temporary.length

export const isKnown = (thread: ThreadMessages, messageId: string): boolean =>
  lookUp(thread.known, messageId) !== undefined

/** The messages of a thread while a batch of changes is applied; committed once at the end. */
type Batch = {
  thread: ThreadMessages
  changed: Map<string, Known | undefined>
  deleted: Set<string> | null
  temporary: readonly Temporary[]
  claimed: Set<string> | null
}

const batchOf = (thread: ThreadMessages): Batch => ({
  thread,
  changed: new Map(),
  deleted: null,
  temporary: thread.temporary,
  claimed: null,
})

const find = (batch: Batch, id: string): Known | undefined =>
  batch.changed.has(id) ? batch.changed.get(id) : lookUp(batch.thread.known, id)

const isDeleted = (batch: Batch, id: string) => (batch.deleted ?? batch.thread.deleted).has(id)
const isClaimed = (batch: Batch, id: string) => (batch.claimed ?? batch.thread.claimed).has(id)

function claim(batch: Batch, id: string): void {
  batch.claimed ??= new Set(batch.thread.claimed)
  batch.claimed.add(id)
}

const isUnread = (message: Message) => message.direction === 'incoming' && !message.is_read

const isAnswer = (message: Message) => message.direction === 'outgoing' && !isAutomatic(message)

/** The oldest message that is unread and that staff have not answered since; null if there is none. */
export const firstUnread = ({ messages, unread }: ThreadMessages): string | null => {
  if (unread === 0) return null
  const from = messages.findLastIndex(isAnswer) + 1
  return messages.find((message, index) => index >= from && isUnread(message))?.message_id ?? null
}

/** The index of a place in the sorted messages, or the index at which it would be inserted. */
function indexOf(messages: readonly Message[], place: Place): number {
  let low = 0
  let high = messages.length
  while (low < high) {
    const middle = (low + high) >> 1
    const message = messages[middle]
    if (message && comparePlaces(placeOf(message), place) < 0) low = middle + 1
    else high = middle
  }
  return low
}

function merged(sorted: readonly Message[], added: readonly Message[]): readonly Message[] {
  const first = added[0]
  if (!first) return sorted
  const start = indexOf(sorted, placeOf(first))
  if (start === sorted.length) return sorted.concat(added)
  const result = sorted.slice(0, start)
  let next = start
  for (const message of added) {
    for (let other = sorted[next]; other && comparePlaces(placeOf(other), placeOf(message)) < 0; other = sorted[next]) {
      result.push(other)
      next += 1
    }
    result.push(message)
  }
  for (; next < sorted.length; next += 1) {
    const other = sorted[next]
    if (other) result.push(other)
  }
  return result
}

function commit(batch: Batch, floor: Place | null, start = batch.thread.start): ThreadMessages {
  const { thread, changed } = batch
  const gone = new Set<Message>()
  const added: Message[] = []
  const replaced: [Message, Message][] = []
  let unread = thread.unread
  for (const [id, now] of changed) {
    const before = lookUp(thread.known, id)?.message
    if (before === now?.message) continue
    if (before && isUnread(before)) unread -= 1
    if (now && isUnread(now.message)) unread += 1
    if (before && now && sentAt(before) === sentAt(now.message)) replaced.push([before, now.message])
    else {
      if (before) gone.add(before)
      if (now) added.push(now.message)
    }
  }
  let messages: readonly Message[] = thread.messages
  if (replaced.length > 0) {
    const copy = messages.slice()
    for (const [before, now] of replaced) copy[indexOf(messages, placeOf(before))] = now
    messages = copy
  }
  if (gone.size > 0) messages = messages.filter((message) => !gone.has(message))
  if (added.length > 0)
    messages = merged(
      messages,
      added.sort((a, b) => comparePlaces(placeOf(a), placeOf(b))),
    )
  const next: ThreadMessages = {
    messages,
    unread,
    floor,
    start,
    known: changed.size > 0 ? withChanges(thread.known, changed) : thread.known,
    deleted: batch.deleted ?? thread.deleted,
    temporary: batch.temporary,
    claimed: batch.claimed ?? thread.claimed,
  }
  const isSame =
    changed.size === 0 &&
    messages === thread.messages &&
    next.deleted === thread.deleted &&
    next.temporary === thread.temporary &&
    next.claimed === thread.claimed &&
    isSameStart(start, thread.start) &&
    (floor === thread.floor || (floor !== null && thread.floor !== null && comparePlaces(floor, thread.floor) === 0))
  return isSame ? thread : next
}

const isSameStart = (one: ConversationStart | undefined, other: ConversationStart | undefined): boolean =>
  one?.is_reached === other?.is_reached &&
  one?.unsynced?.page_id === other?.unsynced?.page_id &&
  one?.unsynced?.psid === other?.unsynced?.psid

const factsOf = ({ message, realMessageId }: Temporary): SendFacts => ({
  key: message.idempotency_key ?? null,
  messageId: realMessageId,
  pageId: message.page_id,
  text: message.message_text ?? '',
  fileKind: kindOfMessage(message),
  leftAt: sentAt(message),
})

/** The temporary message that a row belongs to. A certain match takes precedence over a likely one. */
function temporaryOf(batch: Batch, row: Message): { match: Temporary; isLikely: boolean } | null {
  const certain = batch.temporary.find((temporary) => matchOf(factsOf(temporary), row) === 'certain')
  if (certain) return { match: certain, isLikely: false }
  const likely = batch.temporary.find((temporary) => matchOf(factsOf(temporary), row) === 'likely')
  return likely ? { match: likely, isLikely: true } : null
}

function dropTemporary(batch: Batch, { match, isLikely }: { match: Temporary; isLikely: boolean }, row: Message): void {
  batch.temporary = batch.temporary.filter((temporary) => temporary !== match)
  batch.changed.set(match.message.message_id, undefined)
  if (isLikely) claim(batch, row.message_id)
}

function insert(batch: Batch, row: Message, version: string | null): void {
  const temporary = temporaryOf(batch, row)
  if (temporary) dropTemporary(batch, temporary, row)
  batch.changed.set(row.message_id, { message: row, version })
}

/** Updates a known message. If the row now has a key, it replaces the temporary message with that key. */
function rewrite(batch: Batch, known: Known, message: Message, version: string | null): void {
  const temporary = message.idempotency_key === known.message.idempotency_key ? null : temporaryOf(batch, message)
  if (temporary) dropTemporary(batch, temporary, message)
  if (message !== known.message || version !== known.version)
    batch.changed.set(message.message_id, { message, version })
}

/** The commit time, then the type of the change: an update with the same commit time as the insert sorts after it. */
const versionOf = (change: Extract<MessageChange, { record: Message }>): string | null =>
  change.committedAt === undefined ? null : `${change.committedAt} ${change.type}`

const isNewer = (version: string | null, known: Known, type: 'INSERT' | 'UPDATE'): boolean =>
  version !== null && known.version !== null ? version >= known.version : type === 'UPDATE'

function applyChange(batch: Batch, change: MessageChange): void {
  if (change.type === 'DELETE') {
    batch.deleted ??= new Set(batch.thread.deleted)
    batch.deleted.add(change.messageId)
    if (find(batch, change.messageId)) batch.changed.set(change.messageId, undefined)
    return
  }
  const { record } = change
  if (isDeleted(batch, record.message_id)) return
  const version = versionOf(change)
  const known = find(batch, record.message_id)
  if (known) {
    if (isNewer(version, known, change.type)) rewrite(batch, known, updated(known.message, record), version)
    else rewrite(batch, known, completed(known.message, record), known.version)
    return
  }
  const { floor } = batch.thread
  if (floor && comparePlaces(placeOf(record), floor) < 0) return
  insert(batch, record, version)
}

/**
 * The thread after these changes (spec section 4, "Message events"). Idempotent and independent of the order: a known
 * insert is skipped, an update may arrive before its insert, and a deleted message stays deleted. Messages older than
 * the range held are ignored; loading older pages fetches them. Pass only changes that belong to the thread, and
 * deletes.
 */
export function applyChanges(thread: ThreadMessages, changes: readonly MessageChange[]): ThreadMessages {
  const batch = batchOf(thread)
  for (const change of changes) applyChange(batch, change)
  return commit(batch, thread.floor)
}

export type FetchedPage = {
  /** Oldest first. */
  messages: readonly Message[]
  hasMore: boolean
  start?: ConversationStart | undefined
  /** For a page that was read before the thread started: the realtime changes in between. */
  changes?: readonly MessageChange[]
}

/**
 * Merges a result page into the thread by id. A message held within the time range of the page but missing from the
 * page was deleted. `isNewest`: no message is newer than this page. `adjoins`: there is no gap between the page and the
 * messages held, so the oldest message of the page becomes the start of the thread.
 */
export function mergePage(
  thread: ThreadMessages,
  page: FetchedPage,
  { isNewest, adjoins }: { isNewest: boolean; adjoins: boolean },
): ThreadMessages {
  const batch = batchOf(thread)
  const rows = page.messages.toSorted((a, b) => comparePlaces(placeOf(a), placeOf(b)))
  const [oldest, newest] = [rows[0], rows.at(-1)]
  const answered = new Set(rows.map((row) => row.message_id))
  const from = page.hasMore && oldest ? indexOf(thread.messages, placeOf(oldest)) : 0
  const to = isNewest ? thread.messages.length : newest ? indexOf(thread.messages, placeOf(newest)) : 0
  const temporaryIds = new Set(thread.temporary.map(({ message }) => message.message_id))
  if (newest || !page.hasMore)
    for (const { message_id: id } of thread.messages.slice(from, to))
      if (!answered.has(id) && !temporaryIds.has(id)) batch.changed.set(id, undefined)
  for (const row of rows) {
    if (isDeleted(batch, row.message_id)) continue
    const known = find(batch, row.message_id)
    if (known) rewrite(batch, known, updated(known.message, row), known.version)
    else insert(batch, row, null)
  }
  return commit(batch, floorAfter(thread, page, oldest, adjoins), page.start)
}

function floorAfter(thread: ThreadMessages, page: FetchedPage, oldest: Message | undefined, adjoins: boolean) {
  if (!page.hasMore) return null
  if (!adjoins || !oldest) return thread.floor
  const place = placeOf(oldest)
  if (confirmedCount(thread) === 0) return place
  if (thread.floor === null) return null
  return comparePlaces(place, thread.floor) < 0 ? place : thread.floor
}

/** The thread, marked as loaded from its start. */
export const asWhole = (thread: ThreadMessages): ThreadMessages => commit(batchOf(thread), null)

/**
 * The thread without the messages before that place. The removed messages were followed by a gap; loading older pages
 * fetches them again.
 */
export function cutBefore(thread: ThreadMessages, place: Place): ThreadMessages {
  const batch = batchOf(thread)
  for (const message of thread.messages.slice(0, indexOf(thread.messages, place)))
    if (!thread.temporary.some((temporary) => temporary.message === message))
      batch.changed.set(message.message_id, undefined)
  return commit(batch, place)
}

/**
 * Adds a message that was just sent. It is not added if its row is already in the thread, matched by id or key, or by
 * text and time if neither is known.
 */
export function addSent(thread: ThreadMessages, message: Message, realMessageId: string | null): ThreadMessages {
  const batch = batchOf(thread)
  if (isKnown(thread, message.message_id)) return thread
  if (realMessageId !== null && (isKnown(thread, realMessageId) || thread.deleted.has(realMessageId))) return thread
  const echo = echoIn(batch, message, realMessageId)
  if (echo) {
    if (!echo.idempotency_key) claim(batch, echo.message_id)
    return commit(batch, thread.floor)
  }
  batch.temporary = [...batch.temporary, { message, realMessageId }]
  batch.changed.set(message.message_id, { message, version: null })
  return commit(batch, thread.floor)
}

function echoIn(batch: Batch, sent: Message, realMessageId: string | null): Message | undefined {
  const { messages, temporary } = batch.thread
  const send = factsOf({ message: sent, realMessageId })
  const isTemporary = (message: Message) => temporary.some((other) => other.message === message)
  const certain = messages.findLast((message) => matchOf(send, message) === 'certain' && !isTemporary(message))
  if (certain) return certain
  return messages.find(
    (message) => matchOf(send, message) === 'likely' && !isTemporary(message) && !isClaimed(batch, message.message_id),
  )
}

/** The thread with every incoming message read (spec section 4, "Mark as read"). */
export function markAllRead(thread: ThreadMessages): ThreadMessages {
  if (thread.unread === 0) return thread
  const batch = batchOf(thread)
  for (const message of thread.messages) {
    if (!isUnread(message)) continue
    const version = lookUp(thread.known, message.message_id)?.version ?? null
    batch.changed.set(message.message_id, { message: { ...message, is_read: true }, version })
  }
  return commit(batch, thread.floor)
}
