import { describe, expect, it } from 'vitest'
import type { MessageChange } from '../../../src/domain/shell/changes.ts'
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
import type { Conversation } from '../../../src/schemas/conversation.ts'
import { createCoverage, settled } from '../harness.ts'
import { at, faults, inserted, messageIn, renamed, row, updated } from '../inbox-fixture.ts'
import { whole } from '../list/conversations-fixture.ts'
import { startSession } from './session-fixture.ts'

const coverage = createCoverage(sessionMachine)
const maria = row('c1', 10, { unified_name: 'Maria', unread_messages: 2 })
const jose = row('c2', 5, { unified_name: 'José' })
const info = (text: string) => ({ kind: 'info', text })
const noMessages = { messages: [], hasMore: false }

async function opened(...rows: Conversation[]) {
  const sut = startSession(coverage.inspect)
  await sut.top.resolve(rows.length > 0 ? whole(...rows) : whole(maria, jose))
  sut.takeErrands()
  return sut
}

describe('the session', () => {
  it('starts its children for whoever is signed in, all of them by one clock and one source of keys', async () => {
    const sut = await opened()
    const { user, now, newKey } = sut.actor.getSnapshot().context
    const { outbox, drafts, autoSync } = sut.actor.getSnapshot().children
    expect(outbox?.getSnapshot().context).toMatchObject({ staffId: user.id, now, newKey })
    expect(drafts?.getSnapshot().context).toMatchObject({ staffId: user.id, newKey })
    expect(autoSync?.getSnapshot().context).toMatchObject({ now })
    expect([now(), newKey()]).toEqual([Date.parse(at(0)), 'key'])
  })

  it('lets its children, its user and what is open be found', async () => {
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

describe('a session that starts before the server has confirmed the person', () => {
  it('uses the user that the server then names', async () => {
    const sut = await opened()
    const named = { ...selectUser(sut.actor.getSnapshot()), role: 'administrator', deviceCache: true }
    sut.send({ type: 'user.confirmed', user: named })
    expect(selectUser(sut.actor.getSnapshot())).toBe(named)
  })
})

describe('opening a conversation', () => {
  it('starts its thread with the row of the list', async () => {
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

  it('leaves nothing unread in its row once it is marked as read', async () => {
    const sut = await opened()
    sut.send({ type: 'conversation.selected', id: 'c1' })
    await sut.messages.resolve({ messages: [messageIn('c1', 10)], hasMore: false })
    expect(sut.read.inputs()).toEqual([{ conversationId: 'c1', pageId: null }])
    expect(sut.row('c1')).toEqual({ ...maria, unread_messages: 0 })
  })

  it('marks nothing as read while the tab is hidden, and does once it is shown', async () => {
    const sut = await opened()
    sut.send({ type: 'tab.hidden' })
    sut.send({ type: 'conversation.selected', id: 'c1' })
    await sut.messages.resolve({ messages: [messageIn('c1', 10)], hasMore: false })
    const before = sut.read.inputs()
    sut.send({ type: 'tab.shown' })
    expect([before, sut.read.inputs()]).toEqual([[], [{ conversationId: 'c1', pageId: null }]])
  })

  it('takes the page filter along', async () => {
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

  it('asks for its messages again when another page is filtered by, and not when the page stays', async () => {
    const sut = await opened()
    sut.send({ type: 'conversation.selected', id: 'c1' })
    sut.send({ type: 'page.chosen', pageId: 'p1' })
    sut.send({ type: 'page.chosen', pageId: 'p1' })
    sut.send({ type: 'query.opened', query: { search: 'ana', pageId: 'p1', unreadOnly: true } })
    sut.send({ type: 'query.opened', query: { search: 'ana', pageId: null, unreadOnly: true } })
    expect(sut.messages.inputs().map(({ pageId }) => pageId)).toEqual([null, 'p1', null])
    expect(sut.messages.calls.map(({ signal }) => signal.aborted)).toEqual([true, true, false])
  })

  it('lets the last one win: the thread before it stops and what it asked for is aborted', async () => {
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

  it('changes nothing when it is open already, and closing it stops its thread', async () => {
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

  it('shows in the thread what a refresh of the list tells of its client', async () => {
    const sut = await opened()
    sut.send({ type: 'conversation.selected', id: 'c1' })
    sut.send({ type: 'refetch.requested' })
    await sut.top.resolve(whole({ ...maria, client_id: 'k1' }, { ...jose, client_id: 'k2' }))
    expect(sut.thread()?.getSnapshot().context.clientId).toBe('k1')
  })
})

describe('what is heard', () => {
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

  it('reaches no thread while none is open', async () => {
    const sut = await opened()
    sut.channels[0]?.report({ type: 'messages.received', changes })
    expect(sut.takeErrands().map(([to]) => to)).toEqual(['records', 'outbox', 'conversations', 'stats'])
  })
})

describe('what the address asks for', () => {
  const query = { search: 'ana', pageId: 'p1', unreadOnly: true }

  it('is told to the list, and its page to the counts', async () => {
    const sut = await opened()
    sut.send({ type: 'query.opened', query })
    expect(sut.takeErrands()).toEqual([
      ['records', { type: 'page.chosen', pageId: 'p1' }],
      ['conversations', { type: 'query.opened', query }],
      ['stats', { type: 'page.chosen', pageId: 'p1' }],
    ])
    expect(sut.top.last().input).toEqual({ query, count: 20 })
  })

  it('is all pages where its page is gone, whether that is known before or after', async () => {
    const sut = await opened()
    sut.send({ type: 'query.opened', query })
    await sut.pages.resolve([{ page_id: 'p2', page_name: 'Tarps Express', is_active: true }])
    const pageIds = [sut.actor.getSnapshot().context.pageId]
    sut.send({ type: 'query.opened', query })
    pageIds.push(sut.actor.getSnapshot().context.pageId)
    expect([pageIds, sut.top.last().input]).toEqual([[null, null], { query: { ...query, pageId: null }, count: 20 }])
  })
})

describe('news', () => {
  const hear = (sut: Awaited<ReturnType<typeof opened>>, ...changes: MessageChange[]) =>
    sut.channels[0]?.report({ type: 'messages.received', changes })

  it('of a message names its sender', async () => {
    const sut = await opened()
    hear(sut, inserted('c1', 20))
    expect(sut.toasts).toEqual([info('New message from Maria')])
  })

  it('of a message that was delivered late names its sender', async () => {
    const sut = await opened()
    hear(sut, inserted('c1', 20, { created_at: at(-60), timestamp_fb: at(-60) }))
    expect(sut.toasts).toEqual([info('New message from Maria')])
  })

  it('of somebody the list does not hold waits 1.5 s for the list to tell the name', async () => {
    const sut = await opened()
    hear(sut, inserted('c9', 20))
    await sut.top.resolve(whole(row('c9', 20, { unified_name: 'Ana Lim' }), maria, jose))
    sut.clock.increment(1_499)
    expect(sut.toasts).toEqual([])
    sut.clock.increment(1)
    expect(sut.toasts).toEqual([info('New message from Ana Lim')])
  })

  it('names nobody where the list never holds the sender', async () => {
    const sut = await opened()
    hear(sut, inserted('c9', 20))
    sut.clock.increment(1_500)
    expect(sut.toasts).toEqual([info('New message from Unknown User')])
  })

  it('is made of what the page filter keeps out of the open thread', async () => {
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
    ['that a historical sync brings', inserted('c1', 20, { is_historical: true })],
    ['that the page had answered when a sync brought them', inserted('c1', 20, { is_read: true })],
    ['that only changed', updated('c1', 20)],
  ])('is not made of messages %s', async (_, change) => {
    const sut = await opened()
    hear(sut, change)
    expect(sut.toasts).toEqual([])
  })

  it('is not made of what the person looks at, and is while the tab is hidden', async () => {
    const sut = await opened()
    sut.send({ type: 'conversation.selected', id: 'u1' })
    hear(sut, inserted('c1', 20))
    expect(sut.toasts).toEqual([])
    sut.send({ type: 'tab.hidden' })
    hear(sut, inserted('c1', 21))
    expect(sut.toasts).toEqual([info('New message from Maria')])
  })

  it('that comes soon after is told together after 3 s, a sender once', async () => {
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

describe('catching up', () => {
  it('is Live when the list, the outbox and the open thread have', async () => {
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

  it.each(['conversations', 'thread'] as const)('is not Live before what %s was refused has come', async (who) => {
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

  it('polls the first page, the thread and the sends while nothing can be heard', async () => {
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

  it('what a thread has read to the outbox, which may wait for one of them', async () => {
    const sut = await opened()
    sut.send({ type: 'conversation.selected', id: 'c1' })
    sut.takeErrands()
    const fetched = { type: 'messages.fetched' as const, messages: [message] }
    sut.send(fetched)
    expect(sut.takeErrands()).toEqual([['outbox', fetched]])
  })

  it('a sent message to its own thread, and refreshes the list', async () => {
    const sut = await opened()
    sut.send({ type: 'conversation.selected', id: 'c1' })
    sut.takeErrands()
    sut.send(sent)
    expect(sut.takeErrands()).toEqual([['thread', sent], ...refreshed])
  })

  it('nothing of what is written to somebody whom the list does not hold and the thread has found', async () => {
    const sut = await opened()
    sut.send({ type: 'conversation.selected', id: 'u9' })
    await sut.found.resolve(row('c9', 1, { fb_user_id: 'u9' }))
    sut.send({ type: 'messages.changed', changes: [inserted('c9', 0)] })
    sut.clock.increment(10_000)
    expect(sut.toasts.filter(({ kind }) => kind === 'info')).toEqual([])
  })

  it('that somebody who is not known wrote, while another conversation is open', async () => {
    const sut = await opened()
    sut.send({ type: 'conversation.selected', id: 'c1' })
    sut.send({ type: 'messages.changed', changes: [inserted('c9', 0)] })
    sut.clock.increment(10_000)
    expect(sut.toasts.filter(({ kind }) => kind === 'info')).toEqual([info('New message from Unknown User')])
  })

  it('a wish to refresh to everything', async () => {
    const sut = await opened()
    sut.send({ type: 'conversation.selected', id: 'c1' })
    sut.takeErrands()
    sut.send({ type: 'refetch.requested' })
    expect(sut.takeErrands()).toEqual([
      ['conversations', { type: 'refetch.requested' }],
      ['stats', { type: 'refetch.requested' }],
      ['pages', { type: 'refetch.requested' }],
      ['autoSync', { type: 'refetch.requested' }],
      ['thread', { type: 'resync.requested' }],
    ])
  })

  it('that the tab is hidden or shown to the thread, realtime and the automatic sync', async () => {
    const sut = await opened()
    sut.send({ type: 'conversation.selected', id: 'c1' })
    sut.takeErrands()
    for (const type of ['tab.hidden', 'tab.shown'] as const) {
      sut.send({ type })
      expect(sut.takeErrands()).toEqual([
        ['thread', { type }],
        ['realtime', { type }],
        ['autoSync', { type }],
      ])
    }
  })

  it('what the browser says of its connection to realtime, and of its clock to the automatic sync too', async () => {
    const sut = await opened()
    for (const type of ['browser.offline', 'browser.online', 'clock.jumped'] as const) sut.send({ type })
    expect(sut.takeErrands()).toEqual([
      ['realtime', { type: 'browser.offline' }],
      ['realtime', { type: 'browser.online' }],
      ['outbox', { type: 'browser.online' }],
      ['realtime', { type: 'clock.jumped' }],
      ['autoSync', { type: 'clock.jumped' }],
    ])
  })
})

describe('the page filter', () => {
  const shop = { page_id: 'p1', page_name: 'Shop', is_active: true }

  it('goes back to All Pages when the chosen page is gone', async () => {
    const sut = await opened()
    await sut.pages.resolve([shop])
    sut.send({ type: 'page.chosen', pageId: 'p1' })
    sut.send({ type: 'refetch.requested' })
    await sut.pages.resolve([])
    expect(sut.actor.getSnapshot().context.pageId).toBe(null)
    expect(sut.top.last().input.query.pageId).toBe(null)
    expect(sut.stats.last().input).toEqual({ pageId: null })
  })

  it('stays while the chosen page does', async () => {
    const sut = await opened()
    sut.send({ type: 'page.chosen', pageId: 'p1' })
    await sut.pages.resolve([shop])
    expect(sut.actor.getSnapshot().context.pageId).toBe('p1')
  })
})

it('takes everything with it when it ends', async () => {
  const sut = await opened()
  sut.send({ type: 'conversation.selected', id: 'c1' })
  const thread = sut.thread()
  sut.actor.stop()
  expect([thread?.getSnapshot().status, sut.channels.map(({ isOpen }) => isOpen)]).toEqual(['stopped', [false, false]])
  expect(sut.messages.last().signal.aborted).toBe(true)
})

describe('the page of a client', () => {
  it('asks for the client in the URL, and for nothing once it is left', async () => {
    const sut = await opened()
    sut.send({ type: 'client.opened', id: 'k1' })
    sut.send({ type: 'client.opened', id: 'k2' })
    expect(sut.client.profile.inputs()).toEqual([{ clientId: 'k1' }, { clientId: 'k2' }])
    expect(sut.client.profile.calls.map(({ signal }) => signal.aborted)).toEqual([true, false])
    sut.send({ type: 'client.left' })
    expect(sut.client.profile.last().signal.aborted).toBe(true)
  })
})

describe('a link made here', () => {
  it('is shown in the list and in the open conversation at once, and they are asked for what it changed', async () => {
    const sut = await opened()
    sut.send({ type: 'conversation.selected', id: 'c1' })
    sut.takeErrands()
    sut.send({ type: 'client.linked', userId: 'u1', clientId: 'k1' })
    const changes = [{ type: 'UPDATE', row: { id: 'u1', client_id: 'k1' } }]
    expect(sut.takeErrands()).toEqual(
      expect.arrayContaining([
        ['records', { type: 'users.changed', changes }],
        ['conversations', { type: 'users.changed', changes }],
        ['conversations', { type: 'list.invalidated' }],
        ['stats', { type: 'stats.invalidated' }],
      ]),
    )
    expect(sut.thread()?.getSnapshot().context.clientId).toBe('k1')
  })
})

describe('pages and syncs', () => {
  it('that may be other than known are asked for anew; a change here concerns the list and the thread too', async () => {
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

  it('of what is recent are of the page that is filtered by, or of all', async () => {
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

  it('by themselves are told what was changed here', async () => {
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
  it('is closed when the conversation it is about is left', async () => {
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

describe('these journeys take', () => {
  it('every state of the session', () => expect(coverage.statesMissed()).toEqual([]))
  it('every transition of the session', () => expect(coverage.transitionsMissed()).toEqual([]))
})
