import { type ActorOptions, SimulatedClock } from 'xstate'
import { Failure } from '../../../src/domain/failure.ts'
import type { SavedThread } from '../../../src/domain/thread/saved-inbox.ts'
import type { FetchedPage } from '../../../src/domain/thread/thread-messages.ts'
import { threadMachine } from '../../../src/machines/thread/thread.ts'
import { initialDataOf, type ThreadEvent } from '../../../src/machines/thread/thread-setup.ts'
import type { AuthUser } from '../../../src/schemas/auth.ts'
import type { Conversation } from '../../../src/schemas/conversation.ts'
import type { Message } from '../../../src/schemas/message.ts'
import { conversationOf, messageOf } from '../../domain/message-fixture.ts'
import { createControl, createToastLog } from '../harness.ts'
import { isToRecords, startWithRecords } from '../records-fixture.ts'

type Inspect = (
  event: Parameters<Extract<NonNullable<ActorOptions<typeof threadMachine>['inspect']>, (event: never) => void>>[0],
) => void
type Reading = { conversationId: string; pageId: string | null }

const get = { method: 'GET', path: '/facebook/conversations/ana/messages' }
export const failures = {
  noAnswer: new Failure({ ...get, kind: 'noAnswer' }),
  badAnswer: new Failure({ ...get, kind: 'badAnswer', status: 200 }),
  refused: new Failure({ ...get, kind: 'status', status: 403 }),
  notThere: new Failure({ ...get, kind: 'status', status: 404 }),
  tooMany: new Failure({ ...get, kind: 'status', status: 429, retryAfter: 7_000 }),
}

const userOf = (...permissions: string[]): AuthUser => ({
  id: 's1',
  email: 'ana@example.com',
  role: 'agent',
  permissions,
})
export const agent = userOf('conversations.read', 'conversations.mark_read')
export const viewer = userOf('conversations.read')
/** The API has other permission names. */
export const otherNames = userOf('chat')

/** A result page of read messages, oldest first. Each is named m<n>; n is its second. */
export const pageOf = (seconds: readonly number[], hasMore = false): FetchedPage => ({
  messages: seconds.map((second) => messageOf(`m${second}`, second, { is_read: true })),
  hasMore,
})

/** The integers from the first to the last. */
export const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)

const toldToSession: ReadonlySet<string> = new Set(['resync.done', 'conversation.read', 'conversation.gone'])

/** The records hold `conversation` from the start; `pageId` is the page filter. */
type Settings = {
  id?: string
  conversation?: Conversation | null
  pageId?: string | null
  visible?: boolean
  saved?: SavedThread | null
  user?: AuthUser
}

/** A running thread. The test settles its calls. */
export function startThread(
  {
    id = 'ana',
    conversation = conversationOf(),
    pageId = null,
    visible = true,
    saved = null,
    user = agent,
  }: Settings = {},
  alsoInspect: Inspect = () => {},
) {
  const find = createControl<Conversation | null, { id: string }>()
  const load = createControl<FetchedPage, Reading & { page: number }>()
  const read = createControl<void, Reading>()
  const clock = new SimulatedClock()
  const log = createToastLog()
  const session: unknown[] = []
  const fetched: { message_id: string }[][] = []
  const { actor, fetch, row, tellRecords } = startWithRecords(
    threadMachine.provide({ actors: { findConversation: find.logic, loadMessages: load.logic, markRead: read.logic } }),
    {
      clock,
      rows: conversation === null ? [] : [conversation],
      input: { id, ...initialDataOf(conversation, pageId), visible, saved, user },
      inspect: (event) => {
        alsoInspect(event)
        log.inspect(event)
        if (event.type !== '@xstate.event' || isToRecords(event)) return
        if (toldToSession.has(event.event.type)) session.push(event.event)
        if (event.event.type === 'messages.fetched') fetched.push(event.event['messages'])
      },
    },
  )
  /** Like the session, tells the records about messages first. */
  const tell = (event: ThreadEvent) => {
    if (event.type === 'messages.changed') tellRecords(event)
    actor.send(event)
  }
  return {
    actor,
    /** The server answers with this row. */
    fetch,
    row,
    tellRecords,
    clock,
    find,
    load,
    read,
    /** The events that the session received. */
    session,
    /** The ids of each result page that the thread reported to the session. */
    fetched: () => fetched.map((page) => page.map(({ message_id }) => message_id)),
    toasts: log.toasts,
    snapshot: () => actor.getSnapshot(),
    content: () => actor.getSnapshot().value.content,
    reading: () => actor.getSnapshot().value.reading,
    tell,
    insert: (...records: Message[]) =>
      tell({
        type: 'messages.changed',
        changes: records.map((record) => ({ type: 'INSERT', record }) as const),
      }),
    ids: () => actor.getSnapshot().context.thread.messages.map((message) => message.message_id),
    pages: () => load.inputs().map(({ page }) => page),
  }
}
