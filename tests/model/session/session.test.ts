import { describe, expect, it } from 'vitest'
import type { MessageChange } from '../../../src/domain/shell/changes.ts'
import { clientsIn } from '../../../src/machines/client/clients.ts'
import {
  selectClientPage,
  selectConversations,
  selectPageId,
  selectPages,
  selectSelected,
  selectThread,
  selectUser,
  sessionMachine,
} from '../../../src/machines/session/session.ts'
import type { SessionEvent } from '../../../src/machines/session-events.ts'
import type { Conversation } from '../../../src/schemas/conversation.ts'
import { clientOf } from '../client/clients-fixture.ts'
import { createCoverage, info, settled } from '../harness.ts'
import { at, faults, inserted, messageIn, renamed, row, stateOf, updated } from '../inbox-fixture.ts'
import { whole } from '../list/conversations-fixture.ts'
import { startSession, startSessionOf } from './session-fixture.ts'

const coverage = createCoverage(sessionMachine)
const maria = row('c1', 10, { unified_name: 'Maria', unread_messages: 2 })
const jose = row('c2', 5, { unified_name: 'José' })
const noMessages = { messages: [], hasMore: false }

async function opened(...rows: Conversation[]) {
  const sut = startSession(coverage.inspect)
  await sut.top.resolve(rows.length > 0 ? whole(...rows) : whole(maria, jose))
  sut.takeErrands()
  return sut
}

describe('the session', () => {
  it('starts its children for the signed-in user, all with the same clock and source of keys', async () => {
    const sut = await opened()
    const { user, now, newKey } = sut.actor.getSnapshot().context
    const { outbox, drafts, autoSync } = sut.actor.getSnapshot().children
    expect(outbox?.getSnapshot().context).toMatchObject({ staffId: user.id, now, newKey })
    expect(drafts?.getSnapshot().context).toMatchObject({ staffId: user.id, newKey })
    expect(autoSync?.getSnapshot().context).toMatchObject({ now })
    expect([now(), newKey()]).toEqual([Date.parse(at(0)), 'key'])
  })

  it('gives access to its children, its user and the open conversation', async () => {
    const sut = await opened()
    sut.send({ type: 'conversation.selected', id: 'c1' })
    sut.send({ type: 'page.chosen', pageId: 'p1' })
    const open = sut.actor.getSnapshot()
    sut.send({ type: 'client.opened', id: 'k1' })
    const onClient = sut.actor.getSnapshot()
    expect([selectUser(open).id, selectSelected(open), selectPageId(open)]).toEqual(['s1', 'c1', 'p1'])
    const selected = [selectConversations(open), selectPages(open), selectThread(open), selectClientPage(onClient)]
    expect(selected.map((child) => child?.id)).toEqual(['conversations', 'pages', 'thread', 'clientPage'])
  })
})

describe('a session that starts before the server has confirmed the user', () => {
  it('uses the user that the server then names', async () => {
    const sut = await opened()
    const named = { ...selectUser(sut.actor.getSnapshot()), role: 'administrator', deviceCache: true }
    sut.send({ type: 'user.confirmed', user: named })
    expect(selectUser(sut.actor.getSnapshot())).toBe(named)
    expect(sut.takeErrands()).toContainEqual(['alarms', { type: 'user.confirmed', user: named }])
  })
})

describe('opening a conversation', () => {
  it('starts its thread with the row from the list', async () => {
    const sut = await opened()
    sut.send({ type: 'conversation.selected', id: 'u1' })
    expect(sut.thread()?.getSnapshot().context).toMatchObject({
      id: 'u1',
      conversationId: 'c1',
      unreadAtOpening: 2,
      pageId: null,
      visible: true,
    })
    expect(sut.messages.inputs()).toEqual([{ conversationId: 'c1', pageId: null, page: 1 }])
  })

  it('leaves no unread messages in its row after it is marked as read', async () => {
    const sut = await opened()
    sut.send({ type: 'conversation.selected', id: 'c1' })
    await sut.messages.resolve({ messages: [messageIn('c1', 10)], hasMore: false })
    expect(sut.read.inputs()).toEqual([{ conversationId: 'c1', pageId: null }])
    expect(sut.row('c1')).toEqual({ ...maria, unread_messages: 0 })
  })

  it('marks nothing as read while the tab is hidden, but does once the tab is visible', async () => {
    const sut = await opened()
    sut.send({ type: 'tab.hidden' })
    sut.send({ type: 'conversation.selected', id: 'c1' })
    await sut.messages.resolve({ messages: [messageIn('c1', 10)], hasMore: false })
    const before = sut.read.inputs()
    sut.send({ type: 'tab.shown' })
    expect([before, sut.read.inputs()]).toEqual([[], [{ conversationId: 'c1', pageId: null }]])
  })

  it('passes on the page filter', async () => {
    const sut = await opened()
    sut.send({ type: 'page.chosen', pageId: 'p1' })
    expect(sut.takeErrands()).toEqual([
      ['records', { type: 'page.chosen', pageId: 'p1' }],
      ['conversations', { type: 'page.chosen', pageId: 'p1' }],
      ['stats', { type: 'page.chosen', pageId: 'p1' }],
    ])
    sut.send({ type: 'conversation.selected', id: 'c1' })
    expect(sut.messages.inputs()).toEqual([{ conversationId: 'c1', pageId: 'p1', page: 1 }])
  })

  it('fetches its messages again when the page filter changes, and not when it stays', async () => {
    const sut = await opened()
    sut.send({ type: 'conversation.selected', id: 'c1' })
    sut.send({ type: 'page.chosen', pageId: 'p1' })
    sut.send({ type: 'page.chosen', pageId: 'p1' })
    sut.send({ type: 'query.opened', query: { search: 'ana', pageId: 'p1', unreadOnly: true } })
    sut.send({ type: 'query.opened', query: { search: 'ana', pageId: null, unreadOnly: true } })
    expect(sut.messages.inputs().map(({ pageId }) => pageId)).toEqual([null, 'p1', null])
    expect(sut.messages.calls.map(({ signal }) => signal.aborted)).toEqual([true, true, false])
  })

  it('stops the thread of the earlier conversation and aborts its fetches', async () => {
    const sut = await opened()
    sut.send({ type: 'conversation.selected', id: 'c1' })
    const first = sut.thread()
    sut.send({ type: 'conversation.selected', id: 'c2' })
    sut.messages.calls[0]?.resolve({ messages: [messageIn('c1', 10)], hasMore: false })
    await settled()
    expect(first?.getSnapshot().status).toBe('stopped')
    expect(sut.messages.calls.map(({ signal }) => signal.aborted)).toEqual([true, false])
    expect(sut.thread()?.getSnapshot().context.conversationId).toBe('c2')
  })

  it('changes nothing if the conversation is open already; closing it stops its thread', async () => {
    const sut = await opened()
    sut.send({ type: 'conversation.selected', id: 'c1' })
    const thread = sut.thread()
    sut.send({ type: 'conversation.selected', id: 'c1' })
    expect(sut.thread()).toBe(thread)
    sut.send({ type: 'conversation.deselected' })
    expect([sut.thread(), thread?.getSnapshot().status, sut.actor.getSnapshot().context.selected]).toEqual([
      undefined,
      'stopped',
      null,
    ])
  })

  it('shows in the thread the client that a refetch of the list returned', async () => {
    const sut = await opened()
    sut.send({ type: 'conversation.selected', id: 'c1' })
    sut.send({ type: 'refetch.requested' })
    await sut.top.resolve(whole({ ...maria, client_id: 'k1' }, { ...jose, client_id: 'k2' }))
    expect(sut.thread()?.getSnapshot().context.clientId).toBe('k1')
  })
})

describe('a realtime change', () => {
  const changes = [inserted('c2', 20)]

  it('goes to the records first, then to the thread, the outbox, the list and the counts', async () => {
    const sut = await opened()
    sut.send({ type: 'conversation.selected', id: 'c1' })
    sut.takeErrands()
    sut.channels[0]?.report({ type: 'messages.received', changes })
    const heard = { type: 'messages.changed', changes }
    expect(sut.takeErrands()).toEqual([
      ['records', heard],
      ['thread', heard],
      ['outbox', heard],
      ['conversations', heard],
      ['stats', { type: 'unread.changed' }],
    ])
  })

  it('of a person goes to the records and the list', async () => {
    const sut = await opened()
    sut.send({ type: 'conversation.selected', id: 'c1' })
    await sut.messages.resolve(noMessages)
    sut.takeErrands()
    const users = [renamed('u2', 'Joseph')]
    sut.channels[1]?.report({ type: 'users.received', changes: users })
    expect(sut.takeErrands()).toEqual([
      ['records', { type: 'users.changed', changes: users }],
      ['conversations', { type: 'users.changed', changes: users }],
    ])
  })

  it('reaches no thread while no conversation is open', async () => {
    const sut = await opened()
    sut.channels[0]?.report({ type: 'messages.received', changes })
    expect(sut.takeErrands().map(([to]) => to)).toEqual(['records', 'outbox', 'conversations', 'stats'])
  })
})

describe('the query in the address', () => {
  const query = { search: 'ana', pageId: 'p1', unreadOnly: true }

  it('goes to the list, and its page to the counts', async () => {
    const sut = await opened()
    sut.send({ type: 'query.opened', query })
    expect(sut.takeErrands()).toEqual([
      ['records', { type: 'page.chosen', pageId: 'p1' }],
      ['conversations', { type: 'query.opened', query }],
      ['stats', { type: 'page.chosen', pageId: 'p1' }],
    ])
    expect(sut.top.last().input).toEqual({ query, count: 20 })
  })

  it('falls back to All Pages if its page does not exist, known before or after', async () => {
    const sut = await opened()
    sut.send({ type: 'query.opened', query })
    await sut.pages.resolve([{ page_id: 'p2', page_name: 'Tarps Express', is_active: true }])
    const pageIds = [sut.actor.getSnapshot().context.pageId]
    sut.send({ type: 'query.opened', query })
    pageIds.push(sut.actor.getSnapshot().context.pageId)
    expect([pageIds, sut.top.last().input]).toEqual([[null, null], { query: { ...query, pageId: null }, count: 20 }])
  })
})

describe('a notification', () => {
  const hear = (sut: Awaited<ReturnType<typeof opened>>, ...changes: MessageChange[]) =>
    sut.channels[0]?.report({ type: 'messages.received', changes })

  it('of a message names its sender', async () => {
    const sut = await opened()
    hear(sut, inserted('c1', 20))
    expect(sut.toasts).toEqual([info('New message from Maria')])
  })

  it('of a late delivery names its sender', async () => {
    const sut = await opened()
    hear(sut, inserted('c1', 20, { created_at: at(-60), timestamp_fb: at(-60) }))
    expect(sut.toasts).toEqual([info('New message from Maria')])
  })

  it('of a sender who is not in the list waits 3 s at most until the list contains the name', async () => {
    const sut = await opened()
    hear(sut, inserted('c9', 20))
    await sut.top.resolve(whole(row('c9', 20, { unified_name: 'Ana Lim' }), maria, jose))
    sut.clock.increment(2_999)
    expect(sut.toasts).toEqual([])
    sut.clock.increment(1)
    expect(sut.toasts).toEqual([info('New message from Ana Lim')])
  })

  it('of a sender who is not in the list is shown at once when the sender was looked up', async () => {
    const sut = await opened()
    hear(sut, inserted('c9', 20), inserted('c8', 21), inserted('c9', 22))
    expect(sut.senders.inputs().map(({ ids }) => ids)).toEqual([['c9', 'c8']])
    const rows = [row('c9', 20, { unified_name: 'Ana Lim' }), row('c8', 21, { unified_name: 'Ben Go' })]
    await sut.senders.resolve({ rows, asOf: sut.senders.last().input.asOf })
    expect(sut.toasts).toEqual([info('New message from Ana Lim'), info('New message from Ben Go')])
  })

  it('of a sender without a name, listed or looked up, is looked up again every second', async () => {
    const nameless = row('c9', 20, { unified_name: null, user_name: null })
    for (const listed of [[], [nameless]]) {
      const sut = await opened(maria, ...listed)
      hear(sut, inserted('c9', 20))
      await sut.senders.resolve({ rows: [nameless], asOf: 0 })
      sut.clock.increment(999)
      expect([sut.toasts, sut.senders.calls.length]).toEqual([[], 1])
      sut.clock.increment(1)
      await sut.senders.resolve({ rows: [row('c9', 20, { unified_name: 'Ana Lim' })], asOf: 0 })
      expect(sut.toasts).toEqual([info('New message from Ana Lim')])
    }
  })

  it('contains no name after a failed look-up, and many unknown senders are not looked up', async () => {
    const sut = await opened()
    hear(sut, inserted('c9', 20))
    await sut.senders.reject(faults.noAnswer)
    sut.clock.increment(3_000)
    expect(sut.toasts).toEqual([info('New message from Unknown User')])
    sut.clock.increment(3_000)
    hear(sut, ...['c5', 'c6', 'c7', 'c8'].map((id) => inserted(id, 21)))
    expect(sut.senders.calls).toHaveLength(2)
  })

  it('does not appear for a muted person, known or looked up', async () => {
    const muted = { state: stateOf(1, { muted_at: at(0) }) }
    const sut = await opened({ ...maria, ...muted })
    hear(sut, inserted('c1', 20))
    sut.clock.increment(3_000)
    hear(sut, inserted('c9', 21))
    await sut.senders.resolve({ rows: [row('c9', 21, muted)], asOf: 0 })
    sut.clock.increment(10_000)
    expect(sut.toasts).toEqual([])
  })

  it('is reported to the code that raises sounds and desktop notifications', async () => {
    const sut = await opened()
    hear(sut, inserted('c1', 20, { message_text: 'Magkano po?' }))
    expect(sut.toLaterParts.at(-1)).toEqual({
      type: 'messages.announced',
      senders: [{ id: 'c1', name: 'Maria', line: 'Magkano po?' }],
    })
  })

  it('that was clicked asks the screen to open its conversation', async () => {
    const sut = await opened()
    const asked: string[] = []
    sut.actor.on('conversation.requested', ({ id }) => asked.push(id))
    sut.send({ type: 'conversation.requested', id: 'c2' })
    expect(asked).toEqual(['c2'])
  })

  it('is raised by settings that the dialog has saved', async () => {
    const sut = await opened()
    const event = { type: 'settings.saved', saved: { settings: null, version: 1 } } as const
    sut.send(event)
    expect(sut.toLaterParts.at(-1)).toEqual(event)
  })

  it('of comments that was pressed is passed on to the code that opens them', async () => {
    const sut = await opened()
    const event = { type: 'comments.requested', threadId: 't1' } as const
    sut.send(event)
    expect(sut.toLaterParts.at(-1)).toEqual(event)
  })

  it('contains no name if the list never contains the sender', async () => {
    const sut = await opened()
    hear(sut, inserted('c9', 20))
    sut.clock.increment(3_000)
    expect(sut.toasts).toEqual([info('New message from Unknown User')])
  })

  it('appears for a message that the page filter keeps out of the open thread', async () => {
    const sut = await opened({ ...maria, page_ids: 'p1, p2' })
    sut.send({ type: 'conversation.selected', id: 'c1' })
    sut.send({ type: 'page.chosen', pageId: 'p2' })
    hear(sut, inserted('c1', 20, { page_id: 'p2' }))
    expect(sut.toasts).toEqual([])
    hear(sut, inserted('c1', 21, { page_id: 'p1' }))
    expect(sut.toasts).toEqual([info('New message from Maria')])
  })

  it.each([
    ['that are outgoing', inserted('c1', 20, { direction: 'outgoing' })],
    ['of a history sync', inserted('c1', 20, { is_historical: true })],
    ['that the page had answered before a sync stored them', inserted('c1', 20, { is_read: true })],
    ['that were only updated', updated('c1', 20)],
  ])('does not appear for messages %s', async (_, change) => {
    const sut = await opened()
    hear(sut, change)
    expect(sut.toasts).toEqual([])
  })

  it('does not appear for the visible thread, but does while the tab is hidden', async () => {
    const sut = await opened()
    sut.send({ type: 'conversation.selected', id: 'u1' })
    hear(sut, inserted('c1', 20))
    expect(sut.toasts).toEqual([])
    sut.send({ type: 'tab.hidden' })
    hear(sut, inserted('c1', 21))
    expect(sut.toasts).toEqual([info('New message from Maria')])
  })

  it('waits 3 s after another one and then names each sender once', async () => {
    const sut = await opened()
    hear(sut, inserted('c1', 20))
    hear(sut, inserted('c2', 21), inserted('c2', 22))
    sut.clock.increment(2_999)
    expect(sut.toasts.length).toBe(1)
    sut.clock.increment(1)
    expect(sut.toasts).toEqual([info('New message from Maria'), info('New message from José')])
    sut.clock.increment(10_000)
    expect(sut.toasts.length).toBe(2)
  })

  it('of more than three people is one toast', async () => {
    const sut = await opened()
    hear(sut, ...['c1', 'c2', 'c2'].map((id, index) => inserted(id, 30 + index)))
    sut.clock.increment(3_000)
    sut.send({ type: 'refetch.requested' })
    await sut.top.resolve(whole(...['c1', 'c2', 'c3', 'c4'].map((id) => row(id, 40))))
    hear(sut, ...['c1', 'c2', 'c3', 'c4', 'c4'].map((id, index) => inserted(id, 50 + index)))
    expect(sut.toasts.slice(2)).toEqual([info('5 new messages from 4 people')])
  })
})

describe('a resync', () => {
  it('ends in Live once the list, the outbox and the open thread have caught up', async () => {
    const sut = await opened()
    sut.send({ type: 'conversation.selected', id: 'c1' })
    await sut.messages.resolve(noMessages)
    sut.connect()
    expect([sut.connection(), sut.actor.getSnapshot().context.awaiting]).toEqual([
      'connecting',
      ['conversations', 'thread'],
    ])
    await sut.top.resolve(whole(maria))
    expect(sut.connection()).toBe('connecting')
    await sut.messages.resolve(noMessages)
    expect(sut.connection()).toBe('live')
  })

  it.each(['conversations', 'thread'] as const)('ends in Live only after a refused %s fetch succeeds', async (who) => {
    const sut = await opened()
    sut.send({ type: 'conversation.selected', id: 'c1' })
    await sut.messages.resolve(noMessages)
    sut.connect()
    const calls = { conversations: sut.top, thread: sut.messages }
    if (who === 'thread') await sut.top.resolve(whole(maria))
    else await sut.messages.resolve(noMessages)
    await calls[who].reject(faults.refused)
    expect([sut.connection(), sut.actor.getSnapshot().context.awaiting]).toEqual(['connecting', [who]])
    sut.clock.increment(2_000)
    if (who === 'thread') await sut.messages.resolve(noMessages)
    else await sut.top.resolve(whole(maria))
    expect(sut.connection()).toBe('live')
  })

  it('does not wait for a thread that was closed meanwhile', async () => {
    const sut = await opened()
    sut.send({ type: 'conversation.selected', id: 'c1' })
    await sut.messages.resolve(noMessages)
    sut.connect()
    await sut.top.resolve(whole(maria))
    sut.send({ type: 'conversation.deselected' })
    expect(sut.connection()).toBe('live')
  })

  it('is replaced by polls of the first page, the thread and the sends while realtime is disconnected', async () => {
    const sut = await opened()
    sut.send({ type: 'conversation.selected', id: 'c1' })
    for (const { input, report } of sut.channels) report({ type: 'channel.failed', channel: input.channel })
    sut.takeErrands()
    sut.clock.increment(30_000)
    expect(sut.takeErrands()).toEqual([
      ['conversations', { type: 'list.invalidated' }],
      ['thread', { type: 'resync.requested' }],
      ['outbox', { type: 'resync.requested' }],
      ['stats', { type: 'stats.invalidated' }],
    ])
    expect(sut.connection()).toBe('offline')
  })
})

describe('the session passes on', () => {
  const message = messageIn('c1', 20, { message_id: 'temp_1', direction: 'outgoing' })
  const sent = { type: 'message.sent' as const, conversationId: 'c1', message, realMessageId: 'm9' }
  const refreshed = [
    ['conversations', { type: 'list.invalidated' }],
    ['stats', { type: 'stats.invalidated' }],
  ]

  it('messages that a thread has fetched to the outbox, which may wait for one of them', async () => {
    const sut = await opened()
    sut.send({ type: 'conversation.selected', id: 'c1' })
    sut.takeErrands()
    const fetched = { type: 'messages.fetched' as const, messages: [message] }
    sut.send(fetched)
    expect(sut.takeErrands()).toEqual([['outbox', fetched]])
  })

  it('a sent message to its own thread, and refetches the list', async () => {
    const sut = await opened()
    sut.send({ type: 'conversation.selected', id: 'c1' })
    sut.takeErrands()
    sut.send(sent)
    expect(sut.takeErrands()).toEqual([
      ['thread', sent],
      ['pages', { type: 'page.accepted', pageId: sent.message.page_id }],
      ...refreshed,
    ])
  })

  it('no notification of a message in the open thread, although the list lacks its conversation', async () => {
    const sut = await opened()
    sut.send({ type: 'conversation.selected', id: 'u9' })
    await sut.found.resolve(row('c9', 1, { fb_user_id: 'u9' }))
    sut.send({ type: 'messages.changed', changes: [inserted('c9', 0)] })
    sut.clock.increment(10_000)
    expect(sut.toasts.filter(({ kind }) => kind === 'info')).toEqual([])
  })

  it('the notification of a message from an unknown person while another conversation is open', async () => {
    const sut = await opened()
    sut.send({ type: 'conversation.selected', id: 'c1' })
    sut.send({ type: 'messages.changed', changes: [inserted('c9', 0)] })
    sut.clock.increment(10_000)
    expect(sut.toasts.filter(({ kind }) => kind === 'info')).toEqual([info('New message from Unknown User')])
  })

  it('a refetch request to all children', async () => {
    const sut = await opened()
    sut.send({ type: 'conversation.selected', id: 'c1' })
    sut.takeErrands()
    sut.send({ type: 'refetch.requested' })
    expect(sut.takeErrands()).toEqual([
      ['conversations', { type: 'refetch.requested' }],
      ['stats', { type: 'refetch.requested' }],
      ['pages', { type: 'refetch.requested' }],
      ['autoSync', { type: 'refetch.requested' }],
      ['alarms', { type: 'refetch.requested' }],
      ['labels', { type: 'refetch.requested' }],
      ['thread', { type: 'resync.requested' }],
    ])
  })

  it('the visibility of the tab to the thread, realtime, the automatic sync, the alarms and the drafts', async () => {
    const sut = await opened()
    sut.send({ type: 'conversation.selected', id: 'c1' })
    sut.takeErrands()
    for (const type of ['tab.hidden', 'tab.shown'] as const) {
      sut.send({ type })
      expect(sut.takeErrands()).toEqual([
        ['thread', { type }],
        ['realtime', { type }],
        ['autoSync', { type }],
        ['alarms', { type }],
        ['draftSync', { type: type === 'tab.shown' ? 'drafts.invalidated' : type }],
      ])
    }
  })

  it('the state of the connection to realtime, and the ticks of the clock to the automatic sync and the alarms too', async () => {
    const sut = await opened()
    for (const type of ['browser.offline', 'browser.online', 'clock.jumped'] as const) sut.send({ type })
    expect(sut.takeErrands()).toEqual([
      ['realtime', { type: 'browser.offline' }],
      ['realtime', { type: 'browser.online' }],
      ['outbox', { type: 'browser.online' }],
      ['draftSync', { type: 'drafts.invalidated' }],
      ['realtime', { type: 'clock.jumped' }],
      ['autoSync', { type: 'clock.jumped' }],
      ['alarms', { type: 'clock.jumped' }],
    ])
  })
})

describe('the page filter', () => {
  const shop = { page_id: 'p1', page_name: 'Shop', is_active: true }

  it('changes to All Pages when the chosen page is gone', async () => {
    const sut = await opened()
    await sut.pages.resolve([shop])
    sut.send({ type: 'page.chosen', pageId: 'p1' })
    sut.send({ type: 'refetch.requested' })
    await sut.pages.resolve([])
    expect(sut.actor.getSnapshot().context.pageId).toBe(null)
    expect(sut.top.last().input.query.pageId).toBe(null)
    expect(sut.stats.last().input).toEqual({ pageId: null })
  })

  it('stays while the chosen page exists', async () => {
    const sut = await opened()
    sut.send({ type: 'page.chosen', pageId: 'p1' })
    await sut.pages.resolve([shop])
    expect(sut.actor.getSnapshot().context.pageId).toBe('p1')
  })
})

it('the session stops all its children when it ends', async () => {
  const sut = await opened()
  sut.send({ type: 'conversation.selected', id: 'c1' })
  const thread = sut.thread()
  sut.actor.stop()
  expect([thread?.getSnapshot().status, sut.channels.map(({ isOpen }) => isOpen)]).toEqual(['stopped', [false, false]])
  expect(sut.messages.last().signal.aborted).toBe(true)
})

describe('the screen of a client', () => {
  it('fetches the client in the URL, and nothing after staff leave the screen', async () => {
    const sut = await opened()
    sut.send({ type: 'client.opened', id: 'k1' })
    sut.send({ type: 'client.opened', id: 'k2' })
    expect(sut.client.profile.inputs()).toEqual([{ clientId: 'k1' }, { clientId: 'k2' }])
    expect(sut.client.profile.calls.map(({ signal }) => signal.aborted)).toEqual([true, false])
    sut.send({ type: 'client.left' })
    expect(sut.client.profile.last().signal.aborted).toBe(true)
  })

  it('keeps the rows of its chats while it is open, although the list does not hold them', async () => {
    const sut = await opened()
    const refetch = async () => {
      sut.send({ type: 'refetch.requested' })
      await sut.top.resolve(whole(maria))
    }
    sut.send({ type: 'client.opened', id: 'k1' })
    await sut.client.profile.resolve({ client: clientOf('k1', { fb_user_id: 'c8' }) })
    await sut.client.chats.resolve({ chats: [row('c8', 1)] })
    await refetch()
    expect(sut.row('c8')).toEqual(row('c8', 1))
    sut.send({ type: 'client.left' })
    await refetch()
    expect(sut.row('c8')).toBe(null)
  })

  it('and the open conversation keep their clients', async () => {
    const sut = await opened()
    const held = () => [...clientsIn(sut.actor.system).held.values()]
    sut.send({ type: 'conversation.selected', id: 'c1' })
    sut.send({ type: 'client.linked', userId: 'u1', clientId: 'k1' })
    sut.send({ type: 'client.opened', id: 'k2' })
    expect(held()).toEqual([['k1'], ['k2']])
    sut.send({ type: 'conversation.deselected' })
    sut.send({ type: 'client.left' })
    expect(held()).toEqual([])
  })
})

describe('the erasure of a person by this browser', () => {
  it('removes the draft and unsent messages, and list, thread and counts are fetched again', async () => {
    const sut = await opened()
    sut.send({ type: 'conversation.selected', id: 'c1' })
    sut.takeErrands()
    sut.send({ type: 'person.erased', conversationId: 'c1' })
    expect(sut.takeErrands()).toEqual(
      expect.arrayContaining([
        ['outbox', { type: 'conversation.gone', id: 'c1' }],
        ['drafts', { type: 'conversation.gone', id: 'c1' }],
        ['conversations', { type: 'list.invalidated' }],
        ['thread', { type: 'resync.requested' }],
        ['stats', { type: 'stats.invalidated' }],
      ]),
    )
  })
})

describe('drafts on the server', () => {
  const save = { conversationId: 'c1', text: 'a', extras: null, version: 'v1', replaces: null }
  it.each<[SessionEvent, string, object]>([
    [{ type: 'drafts.fetched', drafts: [] }, 'drafts', { type: 'drafts.fetched', drafts: [] }],
    [
      { type: 'draft.saving', conversationId: 'c1', version: 'v1' },
      'drafts',
      { type: 'draft.saving', conversationId: 'c1', version: 'v1' },
    ],
    [
      { type: 'draft.answered', save, result: { isSaved: true, draft: null } },
      'drafts',
      { type: 'draft.answered', save, result: { isSaved: true, draft: null } },
    ],
    [{ type: 'draft.refused', save }, 'drafts', { type: 'draft.refused', save }],
    [{ type: 'drafts.changed', next: save }, 'draftSync', { type: 'drafts.changed', next: save }],
    [{ type: 'drafts.merged', next: null }, 'draftSync', { type: 'drafts.merged', next: null }],
    [{ type: 'flush.requested' }, 'draftSync', { type: 'flush.requested' }],
    [{ type: 'conversation.selected', id: 'c1' }, 'draftSync', { type: 'drafts.invalidated' }],
    [{ type: 'browser.online' }, 'draftSync', { type: 'drafts.invalidated' }],
    [{ type: 'tab.shown' }, 'draftSync', { type: 'drafts.invalidated' }],
    [{ type: 'tab.hidden' }, 'draftSync', { type: 'tab.hidden' }],
    [{ type: 'resync.requested' }, 'draftSync', { type: 'drafts.invalidated' }],
    [{ type: 'drafts.flushed' }, 'signOut', { type: 'drafts.flushed' }],
  ])('get %j', async (event, child, told) => {
    const sut = await opened()
    sut.takeErrands()
    sut.send(event)
    expect(sut.takeErrands()).toContainEqual([child, told])
  })
})

describe('a press on the row of a conversation', () => {
  it('is passed on with the page filter and the open conversation', async () => {
    const sut = await opened()
    const press = () => {
      sut.send({ type: 'conversation.pressed', id: 'c1' })
      return sut.toLaterParts.at(-1)
    }
    const requested = { type: 'prefetch.requested', id: 'c1' }
    expect(press()).toEqual({ ...requested, pageId: null, openId: null })
    sut.send({ type: 'page.chosen', pageId: 'p1' })
    sut.send({ type: 'conversation.selected', id: 'c2' })
    expect(press()).toEqual({ ...requested, pageId: 'p1', openId: 'c2' })
  })
})

describe('a conversation that the server no longer knows', () => {
  it('is removed by the owners of typed texts', async () => {
    const sut = await opened()
    sut.takeErrands()
    sut.send({ type: 'conversation.gone', id: 'c1' })
    expect(sut.takeErrands()).toEqual([
      ...['outbox', 'drafts'].map((owner) => [owner, { type: 'conversation.gone', id: 'c1' }]),
      ['draftSync', { type: 'drafts.merged', next: null }],
    ])
  })
})

describe('a link to a client made in this browser', () => {
  it('appears in the list and in the open conversation at once, and both refetch what it changed', async () => {
    const sut = await opened()
    sut.send({ type: 'conversation.selected', id: 'c1' })
    sut.takeErrands()
    sut.send({ type: 'client.linked', userId: 'u1', clientId: 'k1' })
    const changes = [{ type: 'UPDATE', row: { id: 'u1', client_id: 'k1' } }]
    expect(sut.takeErrands()).toEqual(
      expect.arrayContaining([
        ['clients', { type: 'client.linked', userId: 'u1', clientId: 'k1' }],
        ['records', { type: 'users.changed', changes }],
        ['conversations', { type: 'users.changed', changes }],
        ['conversations', { type: 'list.invalidated' }],
        ['stats', { type: 'stats.invalidated' }],
      ]),
    )
    expect(sut.thread()?.getSnapshot().context.clientId).toBe('k1')
  })
})

describe('chats that moved to another conversation', () => {
  const moveTo = (conversation: string, id = 'u1') =>
    ({ type: 'UPDATE', row: { id, primary_user_id: conversation, client_id: null } }) as const

  it('are applied as if realtime had reported them, and the client without a person is known at once', async () => {
    const sut = await opened()
    sut.takeErrands()
    const changes = [moveTo('c1')]
    sut.send({ type: 'chats.changed', changes, unlinkedClient: 'k1' })
    expect(sut.takeErrands()).toEqual(
      expect.arrayContaining([
        ['records', { type: 'users.changed', changes }],
        ['conversations', { type: 'users.changed', changes }],
        ['clients', { type: 'client.unlinked', clientId: 'k1' }],
        ['conversations', { type: 'list.invalidated' }],
        ['stats', { type: 'stats.invalidated' }],
      ]),
    )
  })

  it.each([
    ['leaves the open conversation', 'u1', 'c2', true],
    ['leaves for a conversation of its own', 'u1', 'u1', true],
    ['joins the open conversation', 'u2', 'c1', true],
    ['stays in the open conversation', 'u1', 'c1', false],
    ['moves between other conversations', 'u2', 'c3', false],
  ])('open the thread anew if a chat %s', async (_, chat, conversation, isReopened) => {
    const sut = await opened()
    sut.send({ type: 'conversation.selected', id: 'c1' })
    await sut.messages.resolve(noMessages)
    const before = sut.thread()
    sut.channels[1]?.report({ type: 'users.received', changes: [moveTo(conversation, chat)] })
    expect(sut.thread() !== before).toBe(isReopened)
  })
})

describe('a sync of a chat of the open conversation', () => {
  const unsynced = { page_id: 'p1', psid: 'psid-1', platform: 'messenger' } as const
  const synced = { id: 'u1', page_id: 'p1', primary_user_id: 'c1', history_synced: true }

  it.each([
    ['lets the thread fetch again', unsynced, synced, true],
    ['does nothing if the row tells of none', unsynced, { ...synced, history_synced: false }, false],
    ['does nothing if the API does not tell', unsynced, { ...synced, history_synced: undefined }, false],
    ['does nothing for another page', unsynced, { ...synced, page_id: 'p2' }, false],
    ['does nothing for another conversation', unsynced, { ...synced, id: 'u2', primary_user_id: 'c2' }, false],
    ['does nothing if the thread knows its start', null, synced, false],
  ])('%s', async (case_, waitsFor, row, isFetched) => {
    const sut = await opened()
    sut.send({ type: 'conversation.selected', id: 'c1' })
    await sut.messages.resolve({ ...noMessages, start: { is_reached: waitsFor === null, unsynced: waitsFor } })
    const before = sut.messages.calls.length
    sut.channels[1]?.report({ type: 'users.received', changes: [{ type: 'UPDATE', row }] })
    expect(sut.messages.calls.length - before, case_).toBe(isFetched ? 1 : 0)
  })
})

describe('the states of conversations', () => {
  const changes = [{ id: 'c1', state: stateOf(3), changedBy: 's2' }]
  const moved = ['conversations', { type: 'states.moved', ids: ['c1'] }]
  const counts = ['stats', { type: 'stats.invalidated' }]

  it('go to the records, then to the list and to the counts, whoever changed them', async () => {
    const sut = await opened()
    sut.takeErrands()
    sut.channels[1]?.report({ type: 'states.received', changes })
    expect(sut.takeErrands()).toEqual([['records', { type: 'states.changed', changes }], moved, counts])
    const expected = { type: 'states.expected', ids: ['c1'], expected: { key: 'k', part: { done_at: at(0) } } } as const
    sut.send(expected)
    expect(sut.takeErrands()).toEqual([['records', expected], moved])
    const settled = { type: 'states.settled', key: 'k', ids: ['c1'], told: changes } as const
    sut.send(settled)
    expect(sut.takeErrands()).toEqual([['records', settled], moved, counts])
  })

  it('of a conversation marked as unread change the row and the header', async () => {
    const sut = await opened()
    sut.takeErrands()
    const unread = { type: 'conversations.unread', ids: ['c1'] } as const
    sut.send(unread)
    expect(sut.takeErrands()).toEqual([
      ['records', unread],
      ['conversations', { type: 'list.invalidated' }],
      ['stats', { type: 'unread.changed' }],
    ])
  })
})

describe('a change of states', () => {
  it('and its undo go to the part that sends them', async () => {
    const sut = await opened()
    sut.toLaterParts.length = 0
    const change = { type: 'change.requested', ids: ['c1'], decision: { done: true } } as const
    sut.send(change)
    sut.send({ type: 'undo.requested', key: 'k' })
    expect(sut.toLaterParts).toEqual([change, { type: 'undo.requested', key: 'k' }])
  })
})

describe('the views', () => {
  const query = { search: '', pageId: null, unreadOnly: false, view: 'done' } as const
  const viewsAsked = (sut: ReturnType<typeof startSession>) => sut.top.inputs().map(({ query: { view } }) => view)

  it('of an API that offers them begin with Waiting, from the address and without one', async () => {
    const sut = startSessionOf({ features: ['conversation-states'] }, coverage.inspect)
    sut.send({ type: 'query.opened', query })
    sut.send({ type: 'query.opened', query: { ...query, view: undefined } })
    sut.send({ type: 'view.chosen', view: 'mine' })
    expect(viewsAsked(sut)).toEqual(['waiting', 'done', 'waiting', 'mine'])
    expect(sut.channels.map(({ input }) => [input.channel, input.withStates])).toEqual([
      ['messages', undefined],
      ['users', true],
    ])
  })

  it('are no part of a call to an API that does not offer them, whatever the address says', async () => {
    const sut = startSessionOf({})
    sut.send({ type: 'query.opened', query: { ...query, search: 'ana' } })
    expect(viewsAsked(sut)).toEqual([undefined, undefined])
    expect(sut.channels.map(({ input }) => input.withStates)).toEqual([undefined, undefined])
  })

  it('appear when the confirmed user has them and the saved user had not', async () => {
    const sut = startSessionOf({})
    const user = sut.actor.getSnapshot().context.user
    sut.send({ type: 'user.confirmed', user: { ...user, features: ['conversation-states'] } })
    expect(viewsAsked(sut)).toEqual([undefined, 'waiting'])
  })
})

describe('labels', () => {
  it('go from their owner to the list, and changes of them to their owner', async () => {
    const sut = await opened()
    sut.takeErrands()
    const told = { type: 'labels.told', labels: [] } as const
    const loaded = { type: 'labels.loaded', labels: [] } as const
    const labels = { version: 1, label_ids: ['l1'] }
    const ofClient = { type: 'clientLabels.told', clientId: 'k1', labels } as const
    for (const event of [told, loaded, { type: 'labels.invalidated' } as const, ofClient]) sut.send(event)
    expect(sut.takeErrands()).toEqual([
      ['labels', told],
      ['conversations', loaded],
      ['labels', { type: 'labels.invalidated' }],
      ['clients', ofClient],
    ])
  })
})

describe('changes of clients, orders and payments', () => {
  it('are told to the list alone while no client is shown, if the rows show amounts', async () => {
    const sut = await opened()
    const { user } = sut.actor.getSnapshot().context
    sut.takeErrands()
    const changed = { type: 'clientData.changed', clientIds: ['k1'] } as const
    sut.send(changed)
    expect(sut.takeErrands()).toEqual([])
    sut.send({ type: 'user.confirmed', user: { ...user, features: ['outstanding'], permissions: ['orders.read'] } })
    sut.takeErrands()
    sut.send(changed)
    expect(sut.takeErrands()).toEqual([['conversations', changed]])
  })
})

it('changes of comments are told to no other child than the dialog', async () => {
  const sut = await opened()
  sut.takeErrands()
  sut.send({ type: 'comments.changed', thread: { id: 't1', postId: 'post-1' } })
  expect(sut.takeErrands()).toEqual([])
})

describe('pages and syncs', () => {
  it('are fetched again if they may have changed; a change here also refetches the list and the thread', async () => {
    const sut = await opened()
    sut.send({ type: 'conversation.selected', id: 'c1' })
    sut.takeErrands()
    sut.send({ type: 'pages.invalidated' })
    sut.send({ type: 'pages.changed' })
    expect(sut.takeErrands()).toEqual([
      ['pages', { type: 'pages.invalidated' }],
      ['pages', { type: 'pages.invalidated' }],
      ['conversations', { type: 'list.invalidated' }],
      ['thread', { type: 'resync.requested' }],
      ['stats', { type: 'stats.invalidated' }],
    ])
  })

  it('of recent messages cover the filtered page, or all pages', async () => {
    const sut = await opened()
    sut.takeErrands()
    sut.send({ type: 'recentSync.requested' })
    sut.send({ type: 'page.chosen', pageId: 'p1' })
    sut.send({ type: 'recentSync.requested' })
    expect(sut.takeErrands().filter(([to]) => to === 'recentSync')).toEqual([
      ['recentSync', { type: 'recentSync.requested', pageId: null }],
      ['recentSync', { type: 'recentSync.requested', pageId: 'p1' }],
    ])
  })

  it('that run automatically are told about changes in this browser', async () => {
    const sut = await opened()
    sut.takeErrands()
    const status = { isRunning: false, enabled: false, isSyncing: false }
    sut.send({ type: 'autoSync.received', status })
    sut.send({ type: 'autoSync.invalidated' })
    expect(sut.takeErrands().filter(([to]) => to === 'autoSync')).toEqual([
      ['autoSync', { type: 'status.received', status }],
      ['autoSync', { type: 'refetch.requested' }],
    ])
  })
})

describe('a dialog', () => {
  it('is closed when staff leave its conversation', async () => {
    const sut = await opened()
    sut.send({ type: 'conversation.selected', id: 'c1' })
    const dialog = () => sut.actor.getSnapshot().children.dialog
    const input = { conversationId: 'c1', images: [{ url: '/a.jpg', name: 'a' }], index: 0 }
    dialog()?.send({ type: 'dialog.requested', dialog: { name: 'image', input } })
    expect(dialog()?.getSnapshot().value).toBe('loading')
    sut.send({ type: 'conversation.deselected' })
    expect(dialog()?.getSnapshot().value).toBe('closed')
  })
})

describe('the tests of the session', () => {
  it('enter every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('take every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
