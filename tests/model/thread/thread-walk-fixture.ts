import type { SnapshotFrom } from 'xstate'
import { Failure } from '../../../src/domain/failure.ts'
import { emptyRecords, withFetched } from '../../../src/domain/list/records.ts'
import type { MessageChange } from '../../../src/domain/shell/changes.ts'
import { type FetchedPage, hasOlder, isLoaded } from '../../../src/domain/thread/thread-messages.ts'
import { threadMachine } from '../../../src/machines/thread/thread.ts'
import { initialDataOf } from '../../../src/machines/thread/thread-setup.ts'
import type { Conversation } from '../../../src/schemas/conversation.ts'
import type { Message } from '../../../src/schemas/message.ts'
import { conversationOf, messageOf } from '../../domain/message-fixture.ts'
import { type Cases, modelOf, type Path, type RecordsBeside, recordsBeside } from '../harness.ts'
import { limits } from '../limits-of-walks.ts'
import { agent, failures, range } from './thread-fixture.ts'

type Snapshot = SnapshotFrom<typeof threadMachine>

/** The messages of the server: m1, m2, … as far as they were written, without the deleted ones. */
type World = { newest: number; without: ReadonlySet<string>; edited: boolean; unread: readonly number[] }

/** Staff sent the sixth message. Its idempotency key identifies it. */
const ownNumber = 6
const ownKey = 'own-key'

const idOf = (number: number) => `m${number}`
const numberOf = (id: string) => Number(id.slice(1))

const messageAt = (number: number, { edited, unread }: Pick<World, 'edited' | 'unread'>): Message =>
  messageOf(idOf(number), number, {
    is_read: !unread.includes(number),
    ...(number === 4 && edited && { message_text: 'text after the edit' }),
    ...(number === ownNumber && { direction: 'outgoing', idempotency_key: ownKey }),
  })

/** One result page of these messages, counted from the newest; each result page is sorted oldest first. */
export function pageIn(messages: readonly Message[], page: number): FetchedPage {
  const size = limits.messagePageSize
  const end = messages.length - (page - 1) * size
  return {
    messages: messages.slice(Math.max(0, end - size), Math.max(0, end)),
    hasMore: end > size,
  }
}

const pageOfWorld = (world: World, page: number): FetchedPage => {
  const numbers = range(1, world.newest).filter((number) => !world.without.has(idOf(number)))
  return pageIn(
    numbers.map((number) => messageAt(number, world)),
    page,
  )
}

const insertOf = (message: Message): MessageChange => ({ type: 'INSERT', record: message })
const inserted = (number: number, unread = false) =>
  insertOf(messageAt(number, { edited: false, unread: unread ? [number] : [] }))
const edited: MessageChange = { type: 'UPDATE', record: messageAt(4, { edited: true, unread: [] }) }
const deleted = (number: number): MessageChange => ({ type: 'DELETE', messageId: idOf(number) })
const elsewhere: MessageChange = insertOf(messageOf('m50', 50, { primary_user_id: 'ben', fb_user_id: 'ben-p1' }))

/** A sent message before its row is known. */
const temporary = messageOf('temp_1', ownNumber, {
  direction: 'outgoing',
  is_read: true,
  message_text: `text of m${ownNumber}`,
  idempotency_key: ownKey,
})
const sent = { conversationId: 'ana', message: temporary, realMessageId: null }

const heldIds = ({ context: { thread, receivedMeanwhile } }: Snapshot): string[] => [
  ...thread.messages.map(({ message_id }) => message_id),
  ...receivedMeanwhile.flatMap((change) => (change.type === 'INSERT' ? [change.record.message_id] : [])),
]

/** The messages of the server that the thread can know from its events. */
function worldOf(snapshot: Snapshot, { unread = [] as readonly number[], more = 0 } = {}): World {
  const { thread, receivedMeanwhile } = snapshot.context
  const changed = [
    ...receivedMeanwhile.flatMap((change) => (change.type === 'UPDATE' ? [change.record] : [])),
    ...thread.messages,
  ]
  const gone = receivedMeanwhile.flatMap((change) => (change.type === 'DELETE' ? [change.messageId] : []))
  const numbers = heldIds(snapshot).flatMap((id) => (/^m\d+$/.test(id) ? [numberOf(id)] : []))
  return {
    newest: Math.max(5, ...numbers) + more,
    without: new Set([...thread.deleted, ...gone]),
    edited: changed.some(({ message_text }) => message_text === 'text after the edit'),
    unread,
  }
}

/** All values that the walk compares, few enough to keep the number of states finite. */
export const seen = ({ context }: Snapshot) => {
  const { thread, receivedMeanwhile, older, retryDelay, beforeGap, lookedUpAsOf, ...rest } = context
  return {
    ...rest,
    messages: thread.messages.map(({ message_id, message_text, is_read }) => [message_id, message_text, is_read]),
    isLoaded: isLoaded(thread),
    hasOlder: hasOlder(thread),
    beforeGap: beforeGap?.messages.map(({ message_id }) => message_id),
    deleted: [...thread.deleted],
    receivedMeanwhile: receivedMeanwhile.map((change) =>
      change.type === 'DELETE' ? change.messageId : change.record.message_id,
    ),
    older: older.page,
  }
}

const knows = (snapshot: Snapshot, id: string) => heldIds(snapshot).includes(id)
const once = (id: string, change: MessageChange) => (snapshot: Snapshot) =>
  knows(snapshot, id) ? [] : [{ changes: [change] }]

const newestPage = (snapshot: Snapshot) => [{ output: pageOfWorld(worldOf(snapshot), 1) }]
export const newestPageInTurn = (snapshot: Snapshot) => [
  { output: pageOfWorld(worldOf(snapshot), snapshot.context.newestPage) },
]
const newestUnread = (snapshot: Snapshot) => [{ output: pageOfWorld(worldOf(snapshot, { unread: [5] }), 1) }]
const olderPage = (snapshot: Snapshot) => [{ output: pageOfWorld(worldOf(snapshot), snapshot.context.older.page) }]
/** At most once, more than one result page may be missed. */
const newestPages = (snapshot: Snapshot) => {
  const { newestPage: page } = snapshot.context
  const world = worldOf(snapshot)
  const missed =
    isLoaded(snapshot.context.thread) && page === 1 && world.newest <= 7
      ? [{ output: pageOfWorld({ ...world, newest: 11 }, 1) }]
      : []
  return [{ output: pageOfWorld(world, page) }, ...missed]
}

const nothing: Cases<Snapshot> = {
  'conversation.changed': [],
  'end.left': [],
  'end.seen': [],
  'message.sent': [],
  'messages.changed': [],
  'older.requested': [],
  'read.requested': [],
  'resync.requested': [],
  'route.requested': [],
  'summary.requested': [],
  'tab.hidden': [],
  'tab.shown': [],
  'user.confirmed': [],
  'refetch.requested': [],
  'xstate.done.actor.findConversation': [],
  'xstate.error.actor.findConversation': [],
  'xstate.done.actor.loadNewest': newestPage,
  'xstate.error.actor.loadNewest': [],
  'xstate.done.actor.refetchNewest': newestPages,
  'xstate.error.actor.refetchNewest': [],
  'xstate.done.actor.loadOlder': olderPage,
  'xstate.error.actor.loadOlder': [],
  'xstate.done.actor.markRead': [{}],
  'xstate.error.actor.markRead': [],
}

type Walk = {
  conversation: Conversation | null
  cases: Cases<Snapshot>
  stopWhen?: (snapshot: Snapshot) => boolean
}

const failedTwice = ({ context }: Snapshot) => context.failures > 1

/** Parts of the thread's behaviour, each walked separately, because a walk over all of them would never end. */
export const threadWalks = {
  'a link is followed': {
    conversation: null,
    stopWhen: (snapshot) => failedTwice(snapshot) || snapshot.matches({ content: 'showing' }),
    cases: {
      'conversation.changed': (snapshot) =>
        recordsBeside(snapshot).size > 0 ? [] : [{ clientId: null, row: conversationOf() }],
      // After a conversation was not found, only its row in the records shows that it exists.
      'messages.changed': (snapshot) =>
        snapshot.matches({ content: 'notFound' }) ? [] : once('m7', inserted(7))(snapshot),
      'resync.requested': [{}],
      'route.requested': [{ pageId: 'p2' }],
      'refetch.requested': [{}],
      'xstate.done.actor.findConversation': [{ output: conversationOf() }, { output: null }],
      'xstate.error.actor.findConversation': [{ error: failures.noAnswer }, { error: failures.refused }],
      'xstate.error.actor.loadNewest': [
        { error: failures.noAnswer },
        { error: failures.refused },
        { error: failures.notThere },
      ],
    },
  },
  'the thread catches up': {
    conversation: conversationOf(),
    stopWhen: failedTwice,
    cases: {
      'resync.requested': [{}],
      'refetch.requested': [{}],
      'xstate.done.actor.findConversation': [{ output: conversationOf() }, { output: null }],
      'xstate.done.actor.loadNewest': newestPages,
      'xstate.error.actor.refetchNewest': [
        { error: failures.noAnswer },
        { error: failures.refused },
        { error: failures.notThere },
      ],
    },
  },
  'older messages are asked for': {
    conversation: conversationOf(),
    cases: {
      'older.requested': [{}],
      'resync.requested': [{}],
      'xstate.error.actor.loadOlder': [{ error: failures.noAnswer }],
    },
  },
  'a message is sent': {
    conversation: conversationOf(),
    cases: {
      'message.sent': (snapshot) => (knows(snapshot, 'temp_1') ? [] : [sent, { ...sent, conversationId: 'ben' }]),
      'messages.changed': (snapshot) => [...once('m6', inserted(6))(snapshot), ...once('m7', inserted(7))(snapshot)],
      'refetch.requested': [{}],
    },
  },
  'messages change': {
    conversation: conversationOf(),
    cases: {
      'messages.changed': (snapshot) => [
        ...(worldOf(snapshot).without.has('m5') ? [] : [{ changes: [deleted(5)] }]),
        ...(worldOf(snapshot).edited ? [] : [{ changes: [edited, elsewhere] }]),
      ],
      'older.requested': [{}],
      'refetch.requested': [{}],
      'xstate.done.actor.refetchNewest': newestPageInTurn,
    },
  },
  'messages are read': {
    conversation: conversationOf({ unread_messages: 1 }),
    cases: {
      'end.left': [{}],
      'end.seen': [{}],
      'messages.changed': once('m7', inserted(7, true)),
      'read.requested': [{}],
      'xstate.done.actor.loadNewest': newestUnread,
      'xstate.error.actor.markRead': [{ error: failures.noAnswer }],
    },
  },
  'reading is refused': {
    conversation: conversationOf({ unread_messages: 1 }),
    cases: {
      'read.requested': [{}],
      'tab.hidden': [{}],
      'tab.shown': [{}],
      'xstate.done.actor.loadNewest': newestUnread,
      'xstate.error.actor.markRead': [{ error: failures.noAnswer }, { error: failures.refused }],
    },
  },
  'it is read while it catches up': {
    conversation: conversationOf({ unread_messages: 1 }),
    stopWhen: ({ context }) => context.failures > 0,
    cases: {
      'messages.changed': once('m7', inserted(7, true)),
      'resync.requested': [{}],
      'tab.hidden': [{}],
      'tab.shown': [{}],
      'xstate.done.actor.loadNewest': newestUnread,
      'xstate.done.actor.refetchNewest': newestPageInTurn,
      'xstate.error.actor.refetchNewest': [{ error: failures.noAnswer }],
    },
  },
} satisfies Record<string, Walk>

export type ThreadWalk = keyof typeof threadWalks

/** The records during a walk: the row, once the server has sent it. */
const recordsOf = (conversation: Conversation | null): RecordsBeside<Snapshot> => ({
  start: withFetched(emptyRecords, conversation === null ? [] : [conversation], 0),
  after: (records, event) => {
    const row = event.type === 'xstate.done.actor.findConversation' ? event['output'] : event['row']
    return row ? withFetched(records, [row], records.sequence) : records
  },
})

/** The paths of this part. Another `vertex` or fewer cases result in a smaller walk. */
export function threadModel(
  walk: ThreadWalk,
  { vertex = seen, cases: fewer = {} }: { vertex?: (snapshot: Snapshot) => unknown; cases?: Cases<Snapshot> } = {},
) {
  const { conversation, cases, stopWhen }: Walk = threadWalks[walk]
  return modelOf(threadMachine, {
    input: { id: 'ana', ...initialDataOf(conversation, null), visible: true, user: agent },
    records: recordsOf(conversation),
    vertex,
    ...(stopWhen && { stopWhen }),
    limit: 20_000,
    cases: { ...nothing, ...cases, ...fewer },
  })
}

/** The messages that are written before the thread is visible. */
export const history: readonly Message[] = range(1, 5).map((number) => messageAt(number, { edited: false, unread: [] }))

const nameOf = (_: string, value: unknown): unknown => {
  if (value instanceof Failure) return value.status ?? value.kind
  if (typeof value !== 'object' || value === null) return value
  if ('message_id' in value) return value.message_id
  return 'unified_name' in value ? value.unified_name : value
}

/** A short description of a path. */
export const wayOf = ({ steps }: Path<typeof threadMachine>): string =>
  steps
    .map(({ event: { type, ...payload }, expected: { value } }) =>
      [type, JSON.stringify(payload, nameOf), '→', JSON.stringify(value)].join(' '),
    )
    .join(' · ')
