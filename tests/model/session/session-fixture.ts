import type { EventObject } from 'xstate'
import { createActor, fromCallback, SimulatedClock } from 'xstate'
import type { ListAnswer } from '../../../src/domain/list/list-calls.ts'
import type { ListQuery } from '../../../src/domain/list/list-query.ts'
import type { Outgoing } from '../../../src/domain/send/outgoing.ts'
import type { ChannelInput, ChannelReport } from '../../../src/domain/shell/changes.ts'
import type { FetchedPage } from '../../../src/domain/thread/thread-messages.ts'
import { conversationsMachine } from '../../../src/machines/list/conversations.ts'
import { selectRow } from '../../../src/machines/list/records.ts'
import { statsMachine } from '../../../src/machines/list/stats.ts'
import { pagesMachine } from '../../../src/machines/pages/pages.ts'
import { draftsMachine } from '../../../src/machines/send/drafts.ts'
import { outboxMachine } from '../../../src/machines/send/outbox.ts'
import { sessionMachine } from '../../../src/machines/session/session.ts'
import type { SessionEvent } from '../../../src/machines/session-events.ts'
import { realtimeMachine, selectConnection } from '../../../src/machines/shell/realtime.ts'
import { autoSyncMachine } from '../../../src/machines/sync/auto-sync.ts'
import { recentSyncMachine } from '../../../src/machines/sync/recent-sync.ts'
import { threadMachine } from '../../../src/machines/thread/thread.ts'
import type { AuthUser } from '../../../src/schemas/auth.ts'
import type { AutoSyncStatus } from '../../../src/schemas/auto-sync.ts'
import type { Conversation } from '../../../src/schemas/conversation.ts'
import type { Page } from '../../../src/schemas/page.ts'
import type { Stats } from '../../../src/schemas/stats.ts'
import { controlClientPage } from '../client/clients-fixture.ts'
import { createControl, createToastLog } from '../harness.ts'
import { at } from '../inbox-fixture.ts'

const children = [
  'draftSync',
  'signOut',
  'drafts',
  'records',
  'clients',
  'conversations',
  'stats',
  'pages',
  'outbox',
  'realtime',
  'thread',
  'autoSync',
  'alarms',
  'recentSync',
  'labels',
]

/** The session with its real children. The test controls every answer. The time is noon. */
export const startSession = (...inspectors: ((event: never) => void)[]) => startSessionOf({}, ...inspectors)

/** The same for a user with these fields. */
export function startSessionOf(user: Partial<AuthUser>, ...inspectors: ((event: never) => void)[]) {
  const top = createControl<ListAnswer, { query: ListQuery; count: number }>()
  const page = createControl<ListAnswer, { query: ListQuery; page: number }>()
  const stats = createControl<Stats, { pageId: string | null }>()
  const pages = createControl<readonly Page[]>()
  const outgoing = createControl<readonly Outgoing[], { staffId: string }>()
  const found = createControl<Conversation | null, { id: string }>()
  const messages = createControl<FetchedPage, { conversationId: string; pageId: string | null; page: number }>()
  const read = createControl<void, { conversationId: string; pageId: string | null }>()
  const senders = createControl<
    { rows: readonly Conversation[]; asOf: number },
    { ids: readonly string[]; asOf: number }
  >()
  const channels: { input: ChannelInput; report: (event: ChannelReport) => void; isOpen: boolean }[] = []
  const client = controlClientPage()
  const clock = new SimulatedClock()
  const toastLog = createToastLog()
  const toLaterParts: EventObject[] = []
  let errands: [string, EventObject][] = []

  const machine = sessionMachine.provide({
    actors: {
      conversations: conversationsMachine.provide({ actors: { loadTop: top.logic, loadPage: page.logic } }),
      stats: statsMachine.provide({ actors: { loadStats: stats.logic } }),
      pages: pagesMachine.provide({ actors: { loadPages: pages.logic } }),
      outbox: outboxMachine.provide({
        actors: { loadOutgoing: outgoing.logic, forgetOnSignOut: fromCallback(() => {}) },
      }),
      thread: threadMachine.provide({
        actors: { findConversation: found.logic, loadMessages: messages.logic, markRead: read.logic },
      }),
      realtime: realtimeMachine.provide({
        actors: {
          channel: fromCallback<EventObject, ChannelInput>(({ input, sendBack }) => {
            const channel = { input, report: sendBack, isOpen: true }
            channels.push(channel)
            return () => {
              channel.isOpen = false
            }
          }),
        },
      }),
      autoSync: autoSyncMachine.provide({ actors: { loadStatus: createControl<AutoSyncStatus>().logic } }),
      recentSync: recentSyncMachine.provide({
        actors: { syncRecent: createControl<number, { pageId: string }>().logic },
      }),
      clientPage: client.machine,
      drafts: draftsMachine.provide({ actors: { watchDrafts: fromCallback(() => {}) }, actions: { store: () => {} } }),
      browser: fromCallback(() => {}),
      findSenders: senders.logic,
    },
  })
  const actor = createActor(machine, {
    systemId: 'session',
    clock,
    input: {
      user: { id: 's1', email: 'ana@example.com', role: 'agent', permissions: [], ...user },
      now: () => Date.parse(at(0)),
      newKey: () => 'key',
    },
    inspect: (event) => {
      toastLog.inspect(event)
      if (
        event.type === '@xstate.event' &&
        event.sourceRef === actor &&
        'id' in event.actorRef &&
        children.includes(String(event.actorRef.id)) &&
        !event.event.type.startsWith('xstate.')
      )
        errands.push([String(event.actorRef.id), event.event])
      if (
        event.type === '@xstate.event' &&
        event.sourceRef === actor &&
        event.actorRef === actor.system.get('laterParts')
      )
        toLaterParts.push(event.event)
      for (const inspect of inspectors) inspect(event as never)
    },
  })
  actor.start()

  return {
    actor,
    clock,
    top,
    page,
    stats,
    pages,
    found,
    senders,
    messages,
    read,
    client,
    channels,
    toasts: toastLog.toasts,
    /** The events that the session sent to `laterParts`. */
    toLaterParts,
    send: (event: SessionEvent) => actor.send(event),
    /** The events that the session sent to its children since the last call. */
    takeErrands: () => {
      const taken = errands
      errands = []
      return taken
    },
    connection: () => {
      const realtime = actor.getSnapshot().children.realtime
      return realtime && selectConnection(realtime.getSnapshot())
    },
    row: (id: string) => {
      const { records } = actor.getSnapshot().children
      return records && selectRow(id)(records.getSnapshot())
    },
    thread: () => actor.getSnapshot().children.thread,
    /** Both channels are subscribed. */
    connect: () => {
      for (const { input, report } of channels.slice(-2)) {
        report({ type: 'channel.subscribed', channel: input.channel })
        report({ type: 'channel.ready', channel: input.channel })
      }
    },
  }
}
