import type { Conversation, FbUserRow } from '../../schemas/conversation.ts'
import type { ConversationState } from '../../schemas/conversation-state.ts'
import type { LabelChange } from '../../schemas/labels-of-row.ts'
import type { Message } from '../../schemas/message.ts'
import { emptyLayers, type LayeredMap, lookUp, withChanges } from '../layered-map.ts'
import { hasSameFields } from '../same-fields.ts'
import type { MessageChange, StateReport, UserChange } from '../shell/changes.ts'
import {
  idsOfConversation,
  lastMessageAt,
  rowIdOf,
  withMessage,
  withPerson,
  withRead,
  withUnread,
} from './conversation-row.ts'
import { withLabels } from './label-lists.ts'
import { mergedReceipts } from './receipts.ts'

/** A change of a row that realtime reported or this client made. Applying a change twice has no effect. */
type Change =
  | { type: 'message'; message: Message }
  | { type: 'read'; id: string; upTo: number }
  | { type: 'unread'; id: string }

type Person = {
  facts: FbUserRow
  /** The commit time; later times sort higher as text. Undefined if it is not known. */
  committedAt: string | undefined
  sequence: number
}

/** A change of this client that the server has not answered yet: the fields of the state and the labels that it sets. */
export type ExpectedState = { key: string; part: Partial<ConversationState>; labels?: LabelChange | undefined }

type KnownState = {
  /** The state with the highest version that the server has told. */
  told: ConversationState
  /** The staff member who changed the state last; null if a message or the time did, undefined if not known. */
  changedBy: string | null | undefined
  /** Shown on top of `told`, oldest first. */
  expected: readonly ExpectedState[]
}

/**
 * The conversations that the client knows, each stored once under its row id. Immutable. A row without a change stays
 * the same object, so that the views can detect which row changed.
 *
 * Server answers are rebased: a fetch stores the current `sequence` when it is sent, and all later changes are applied
 * again on top of the answer, because the server may have read the rows before those changes.
 */
export type Records = {
  readonly conversations: LayeredMap<Conversation>
  /** The number of conversations. */
  readonly size: number
  /** Maps every id of a conversation to its row id. */
  readonly rowIds: LayeredMap<string>
  /** The last known data of each person, by fb user id. */
  readonly people: ReadonlyMap<string, Person>
  /** The states that realtime, a change of this client, or an answer to one has told, by row id. */
  readonly states: ReadonlyMap<string, KnownState>
  /** The sequence number of the last change. */
  readonly sequence: number
  /** The last changes, oldest first. */
  readonly log: readonly { sequence: number; change: Change }[]
  /** The sum of all changes to the unread count since the start, from realtime and from this client. */
  readonly unreadChange: number
  /** The number of changes whose effect on the unread count is not known. */
  readonly uncounted: number
  /** The page filter: rows describe only messages of this social page. Null means All Pages. */
  readonly pageId: string | null
}

/** The maximum number of changes and of people to keep. More than can arrive during one fetch. */
const historyLimit = 1_000

export const emptyRecords: Records = {
  conversations: emptyLayers,
  size: 0,
  rowIds: emptyLayers,
  people: new Map(),
  states: new Map(),
  sequence: 0,
  log: [],
  unreadChange: 0,
  uncounted: 0,
  pageId: null,
}

type Ids = readonly (string | null | undefined)[]

/** The row id of the conversation that one of the ids belongs to, tried in order; null if none is known. */
export function rowIdIn({ rowIds }: Pick<Records, 'rowIds'>, ids: Ids): string | null {
  for (const id of ids) {
    const rowId = id == null ? undefined : lookUp(rowIds, id)
    if (rowId !== undefined) return rowId
  }
  return null
}

/** Whether two ids name one conversation, as far as the records know. */
export function isSameConversation(records: Pick<Records, 'rowIds'>, one: string | null, other: string): boolean {
  const row = rowIdIn(records, [one])
  return one === other || (row !== null && row === rowIdIn(records, [other]))
}

export const rowById = ({ conversations }: Pick<Records, 'conversations'>, id: string): Conversation | undefined =>
  lookUp(conversations, id)

/** The row of the conversation that one of the ids belongs to. */
export function rowIn(records: Records, ids: Ids): Conversation | null {
  const id = rowIdIn(records, ids)
  return id === null ? null : (lookUp(records.conversations, id) ?? null)
}

/** The ids with which a message refers to its conversation. */
export const idsOfMessage = ({ primary_user_id, fb_user_id }: Message): Ids => [primary_user_id, fb_user_id]

const idsOfChange = (change: Change): Ids => (change.type === 'message' ? idsOfMessage(change.message) : [change.id])

function applied(row: Conversation, change: Change, pageId: string | null): Conversation {
  if (change.type === 'read') return withRead(row, change.upTo)
  if (change.type === 'unread') return withUnread(row)
  return pageId === null || change.message.page_id === pageId ? withMessage(row, change.message) : row
}

/** The records with these rows. Rows without a change stay the same objects. */
function withRows(records: Records, rows: ReadonlyMap<string, Conversation>): Records {
  const changed = new Map<string, Conversation>()
  let { size } = records
  for (const [id, row] of rows) {
    const known = lookUp(records.conversations, id)
    if (known === undefined) size += 1
    if (known === undefined || !hasSameFields(known, row)) changed.set(id, row)
  }
  if (changed.size === 0) return records
  return { ...records, conversations: withChanges(records.conversations, changed), size }
}

function withRowIds(records: Records, rows: Iterable<Conversation>): Records {
  const changed = new Map<string, string>()
  // A row id always maps to its own row, even if another row contains the same id.
  const own = new Map<string, string>()
  for (const row of rows) {
    const rowId = rowIdOf(row)
    for (const id of idsOfConversation(row)) if (lookUp(records.rowIds, id) !== rowId) changed.set(id, rowId)
    own.set(rowId, rowId)
  }
  for (const [id, rowId] of own) if (changed.has(id)) changed.set(id, rowId)
  return changed.size === 0 ? records : { ...records, rowIds: withChanges(records.rowIds, changed) }
}

/** The records with a server answer that was requested when the last change had the number `asOf`. */
export function withFetched(records: Records, rows: readonly Conversation[], asOf: number): Records {
  const given = new Map(rows.map((row) => [rowIdOf(row), row]))
  const known = withRowIds(records, given.values())
  for (const { sequence, change } of known.log) {
    if (sequence <= asOf) continue
    const id = rowIdIn(known, idsOfChange(change))
    const row = id === null ? undefined : given.get(id)
    if (id !== null && row !== undefined) given.set(id, applied(row, change, known.pageId))
  }
  const states = new Map(known.states)
  for (const [id, row] of given)
    given.set(id, withNewestState(known, states, id, withReceipts(known, id, withPeople(known, row, asOf))))
  return withRows(states.size > 0 ? { ...known, states } : known, given)
}

const newerState = (a: ConversationState, b: ConversationState | undefined): ConversationState =>
  b !== undefined && b.version >= a.version ? b : a

function shownState({ told, expected }: KnownState): ConversationState {
  const shown = { ...told }
  for (const { part, labels } of expected) {
    Object.assign(shown, part)
    if (labels !== undefined) shown.label_ids = withLabels(shown.label_ids, labels)
  }
  return shown
}

/** The state as the same object if nothing in it has changed, so that the row stays the same object too. */
const keptIfSame = (before: ConversationState | undefined, now: ConversationState): ConversationState =>
  before !== undefined && hasSameFields(before, now) ? before : now

/** The answered row with the state of the highest version. `states` receives a later version of a known state. */
function withNewestState(
  records: Records,
  states: Map<string, KnownState>,
  id: string,
  row: Conversation,
): Conversation {
  const before = lookUp(records.conversations, id)?.state
  const known = states.get(id)
  if (known === undefined) return row.state === undefined ? row : { ...row, state: newerState(row.state, before) }
  if (row.state !== undefined && row.state.version > known.told.version) {
    const next = { ...known, told: row.state, changedBy: undefined }
    states.set(id, next)
    return { ...row, state: keptIfSame(before, shownState(next)) }
  }
  return { ...row, state: keptIfSame(before, shownState(known)) }
}

/** The answered row with the receipts that are known already. */
function withReceipts(records: Records, id: string, row: Conversation): Conversation {
  const known = lookUp(records.conversations, id)?.receipts
  const own = known?.filter(({ fb_user_id }) => idsOfConversation(row).includes(fb_user_id))
  const receipts = mergedReceipts(own, row.receipts)
  return receipts == null ? row : { ...row, receipts }
}

/** The row with the data of its people that arrived after change `asOf`. */
function withPeople({ people }: Records, row: Conversation, asOf: number): Conversation {
  return [...new Set(idsOfConversation(row))]
    .flatMap((id) => (id == null ? [] : (people.get(id) ?? [])))
    .filter(({ sequence }) => sequence > asOf)
    .sort((a, b) => a.sequence - b.sequence)
    .reduce((patched, { facts }) => withPerson(patched, facts), row)
}

/** Whether a change that does not change the row certainly does not change the number of unread messages either. */
const countsNothing = (change: Change, row: Conversation | undefined, pageId: string | null): boolean =>
  change.type === 'message'
    ? change.message.direction === 'outgoing' ||
      change.message.is_read ||
      (pageId !== null && change.message.page_id !== pageId)
    : change.type === 'read' && row?.unread_messages === 0

function withApplied(records: Records, changes: readonly Change[]): Records {
  if (changes.length === 0) return records
  const patched = new Map<string, Conversation>()
  let { unreadChange, uncounted } = records
  for (const change of changes) {
    const id = rowIdIn(records, idsOfChange(change))
    const row = id === null ? undefined : (patched.get(id) ?? lookUp(records.conversations, id))
    const next = row && applied(row, change, records.pageId)
    if (id !== null && next !== undefined) patched.set(id, next)
    unreadChange += (next?.unread_messages ?? 0) - (row?.unread_messages ?? 0)
    // If the row is not held, or has a later last message, it is not known whether the message is new.
    if (next === row && !countsNothing(change, row, records.pageId)) uncounted += 1
  }
  const numbered = changes.map((change, index) => ({ sequence: records.sequence + index + 1, change }))
  return withRows(
    {
      ...records,
      sequence: records.sequence + changes.length,
      unreadChange,
      uncounted,
      log: [...records.log, ...numbered].slice(-historyLimit),
    },
    patched,
  )
}

/** The records after these message changes. A new message updates its row at once. */
export function withMessageChanges(records: Records, changes: readonly MessageChange[]): Records {
  const inserted = changes.flatMap((change): Change[] =>
    change.type === 'INSERT' ? [{ type: 'message', message: change.record }] : [],
  )
  const others = changes.length - inserted.length
  return withApplied(others === 0 ? records : { ...records, uncounted: records.uncounted + others }, inserted)
}

/** The records in which a chat that joined or left a conversation is found there. */
function withMovedChats(records: Records, changes: readonly UserChange[]): Records {
  const moved = new Map<string, string>()
  for (const { row } of changes) {
    const before = lookUp(records.rowIds, row.id)
    if (row.primary_user_id != null && before !== undefined && before !== row.primary_user_id)
      moved.set(row.id, row.primary_user_id)
  }
  return moved.size === 0 ? records : { ...records, rowIds: withChanges(records.rowIds, moved) }
}

/**
 * The records after these changes of people. A change with an earlier commit time than the known data has no effect.
 */
export function withUserChanges(before: Records, changes: readonly UserChange[]): Records {
  const records = withMovedChats(before, changes)
  const people = new Map(records.people)
  const patched = new Map<string, Conversation>()
  let { sequence } = records
  for (const { row: facts, committedAt } of changes) {
    const known = people.get(facts.id)
    if (committedAt !== undefined && known?.committedAt !== undefined && committedAt < known.committedAt) continue
    sequence += 1
    people.delete(facts.id)
    people.set(facts.id, { facts, committedAt: committedAt ?? known?.committedAt, sequence })
    const id = rowIdIn(records, [facts.id])
    const row = id === null ? undefined : (patched.get(id) ?? lookUp(records.conversations, id))
    if (id !== null && row !== undefined) patched.set(id, withPerson(row, facts))
  }
  if (sequence === records.sequence) return records
  for (const id of people.keys()) {
    if (people.size <= historyLimit) break
    people.delete(id)
  }
  return withRows({ ...records, people, sequence }, patched)
}

/** The records with these known states, and the rows that show them. */
function withKnownStates(records: Records, changed: ReadonlyMap<string, KnownState>): Records {
  const states = new Map(records.states)
  const rows = new Map<string, Conversation>()
  for (const [id, known] of changed) {
    states.delete(id)
    states.set(id, known)
    const row = lookUp(records.conversations, id)
    if (row !== undefined) rows.set(id, { ...row, state: keptIfSame(row.state, shownState(known)) })
  }
  for (const [id, { expected }] of states) {
    if (states.size <= historyLimit) break
    if (expected.length === 0) states.delete(id)
  }
  return withRows({ ...records, states }, rows)
}

/** The records after the server told these states. A state with a lower version than the known one has no effect. */
export function withStates(records: Records, reports: readonly StateReport[]): Records {
  const changed = new Map<string, KnownState>()
  for (const { id: primaryId, state, changedBy } of reports) {
    const id = rowIdIn(records, [primaryId]) ?? primaryId
    const known = changed.get(id) ?? records.states.get(id)
    const before = known?.told ?? lookUp(records.conversations, id)?.state
    const isKnown = before !== undefined && before.version >= state.version
    // An answer repeats the version of its realtime event, which alone says who changed the state.
    if (isKnown && (before.version > state.version || changedBy === undefined)) continue
    changed.set(id, { told: state, changedBy, expected: known?.expected ?? [] })
  }
  return changed.size === 0 ? records : withKnownStates(records, changed)
}

/** The records with a change of this client that is shown before the server answers. `key` identifies the change. */
export function withExpectedState(records: Records, id: string, expected: ExpectedState): Records {
  const row = rowIn(records, [id])
  if (row?.state === undefined) return records
  const rowId = rowIdOf(row)
  const known = records.states.get(rowId) ?? { told: row.state, changedBy: undefined, expected: [] }
  return withKnownStates(records, new Map([[rowId, { ...known, expected: [...known.expected, expected] }]]))
}

/** The records after the server answered the change, or refused it. */
export function withoutExpectedState(records: Records, key: string): Records {
  const changed = new Map<string, KnownState>()
  for (const [id, known] of records.states)
    if (known.expected.some((each) => each.key === key))
      changed.set(id, { ...known, expected: known.expected.filter((each) => each.key !== key) })
  return changed.size === 0 ? records : withKnownStates(records, changed)
}

/** The state that the server told last; undefined if it is not known. Differs from the row's while a change is open. */
export const toldState = (records: Records, id: string): ConversationState | undefined =>
  records.states.get(id)?.told ?? rowById(records, id)?.state

/** The staff member who changed the state last; null if none did or if it is not known. */
export const stateChangedBy = (records: Records, id: string): string | null => records.states.get(id)?.changedBy ?? null

/** The records after a conversation was marked as unread. */
export const withUnreadMark = (records: Records, id: string): Records =>
  rowIdIn(records, [id]) === null ? records : withApplied(records, [{ type: 'unread', id }])

/** The records after a conversation was marked as read. */
export function withReadMark(records: Records, id: string): Records {
  const row = rowIn(records, [id])
  return row === null ? records : withApplied(records, [{ type: 'read', id, upTo: lastMessageAt(row) }])
}

/** The records with only these rows; the ids must be unique. */
export function withOnly(records: Records, ids: readonly string[]): Records {
  if (records.size <= ids.length) return records
  const kept = new Map<string, Conversation>()
  for (const id of ids) {
    const row = rowById(records, id)
    if (row !== undefined) kept.set(id, row)
  }
  const rowIds = new Map<string, string>()
  for (const row of kept.values())
    for (const id of idsOfConversation(row)) {
      const rowId = lookUp(records.rowIds, id)
      if (rowId !== undefined && kept.has(rowId)) rowIds.set(id, rowId)
    }
  return {
    ...records,
    conversations: withChanges(emptyLayers, kept),
    size: kept.size,
    rowIds: withChanges(emptyLayers, rowIds),
  }
}
