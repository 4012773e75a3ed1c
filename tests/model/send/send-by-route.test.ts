import { describe, expect, it } from 'vitest'
import { createActor, SimulatedClock } from 'xstate'
import { composeSession } from '../../../src/compose-session.ts'
import { Failure } from '../../../src/domain/failure.ts'
import type { BestPage, PageIdentity, SendAnswer, SendOrder } from '../../../src/domain/send/send-calls.ts'
import type { ChannelReport, MessageChange } from '../../../src/domain/shell/changes.ts'
import { selectRoute } from '../../../src/machines/send/send-route.ts'
import { selectSendRoute } from '../../../src/machines/thread/thread.ts'
import type { Page } from '../../../src/schemas/page.ts'
import { fakeServices, fakeSessionServices } from '../../fake-services.ts'
import { autoSyncOf } from '../dialogs-fixture.ts'
import { createControl, settled } from '../harness.ts'
import { at, inserted, row, updated } from '../inbox-fixture.ts'
import { statsOf } from '../list/stats-and-pages-fixture.ts'

const pages: readonly Page[] = [
  { page_id: 'p1', page_name: 'Prints', is_active: true },
  { page_id: 'p2', page_name: 'Tarps', is_active: true },
]
const onBoth = { page_ids: 'p1, p2', page_names: 'Prints, Tarps', page_count: 2, psid: 'own-psid' }
const maria = row('c1', 10, onBoth)
const jose = row('c2', 5, onBoth)

/** The composed session in the state Live, with Maria's conversation open. The test settles look-ups and sends. */
async function start() {
  const best = createControl<BestPage, { userId: string }>()
  const identity = createControl<PageIdentity, { userId: string; pageId: string }>()
  const sending = createControl<SendAnswer, SendOrder>()
  const channels: { channel: 'messages' | 'users'; report: (event: ChannelReport) => void }[] = []
  const connection = { isOnline: true }
  const clock = new SimulatedClock()
  let listed = [maria, jose]
  const machine = composeSession(
    fakeSessionServices({
      conversations: {
        loadTop: async () => ({ rows: listed, hasNext: false, total: listed.length }),
        loadPage: async () => ({ rows: [], hasNext: false, total: listed.length }),
      },
      stats: { loadStats: async () => statsOf(2, 0) },
      pages: { loadPages: async () => pages },
      messages: {
        loadMessages: async () => ({ messages: [], hasMore: false }),
        findBestPage: best.call,
        findIdentity: identity.call,
        sendMessage: (order: SendOrder) => sending.call(order, new AbortController().signal),
      },
      autoSync: { loadStatus: async () => autoSyncOf() },
      openChannel: ({ channel }, report) => {
        channels.push({ channel, report })
        return () => {}
      },
      outboxStorage: { load: async () => [], store: () => {}, forget: () => {}, forgetAll: () => {} },
      isOnline: () => connection.isOnline,
    }),
    { deviceCache: fakeServices().deviceCache, wasLeft: () => false },
  )
  const session = createActor(machine, {
    systemId: 'session',
    clock,
    input: {
      user: { id: 's1', email: 'ana@example.com', role: 'agent', permissions: [] },
      now: () => Date.parse(at(20)),
    },
  }).start()
  await settled()
  session.send({ type: 'conversation.selected', id: 'c1' })
  for (const type of ['channel.subscribed', 'channel.ready'] as const)
    for (const { channel, report } of channels.slice(0, 2)) report({ type, channel })
  await settled()

  let drafts = 0
  const messages = channels.findLast(({ channel }) => channel === 'messages')
  const sut = {
    best,
    identity,
    sending,
    clock,
    connection,
    session,
    outbox: () => session.getSnapshot().children.outbox,
    thread: () => session.getSnapshot().children.thread,
    hear: (...changes: MessageChange[]) => messages?.report({ type: 'messages.received', changes }),
    loseTheChannel: () => messages?.report({ type: 'channel.failed', channel: 'messages' }),
    list: async (...rows: typeof listed) => {
      listed = rows
      session.getSnapshot().children.conversations?.send({ type: 'list.invalidated' })
      clock.increment(1_000)
      await settled()
    },
    ask: (pageId: string | null) => sut.thread()?.send({ type: 'route.requested', pageId }),
    /** Answers the look-up of the route of Maria's conversation with the page p2. */
    lookUp: async () => {
      sut.ask(null)
      await best.resolve({ pageId: 'p2', reason: 'last_incoming' })
      await identity.resolve({ psid: 'psid-p2', platform: 'messenger' })
    },
    write: (text: string, conversationId = 'c1', pageId: string | null = null) => {
      drafts += 1
      sut
        .outbox()
        ?.send({ type: 'send.requested', draftId: `d${drafts}`, conversationId, pageId, platform: null, text })
    },
    shown: () => {
      const actor = sut.thread() && selectSendRoute(session.getSnapshot().children.thread?.getSnapshot() as never)
      return actor === undefined ? null : selectRoute(actor.getSnapshot())
    },
    /** Page, psid and text of the sent messages, in order. */
    left: () => sending.inputs().map(({ pageId, psid, text }) => [pageId, psid, text]),
    lookUps: () => [best.calls.length, identity.calls.length],
  }
  return sut
}

type Sut = Awaited<ReturnType<typeof start>>
const answer: SendAnswer = { messageId: 'm1', createdAt: at(20) }

describe('a message whose send route is known', () => {
  it('is sent by the displayed route, and the next message too, without another look-up', async () => {
    const sut = await start()
    await sut.lookUp()
    sut.write('one')
    expect(sut.left()).toEqual([['p2', 'psid-p2', 'one']])
    await sut.sending.resolve(answer)
    sut.hear(inserted('c1', 20, { message_id: 'm1', direction: 'outgoing', page_id: 'p2', is_read: true }))
    sut.hear(updated('c1', 10, { is_read: true }))
    sut.hear(inserted('c2', 21, { page_id: 'p1' }))
    sut.ask(null)
    sut.write('two')
    expect([sut.left(), sut.lookUps(), sut.shown()?.pageId]).toEqual([
      [
        ['p2', 'psid-p2', 'one'],
        ['p2', 'psid-p2', 'two'],
      ],
      [1, 1],
      'p2',
    ])
  })

  it('that the server refused on another page is sent by that page again when all that waits is sent', async () => {
    const sut = await start()
    await sut.lookUp()
    sut.write('one')
    await sut.sending.reject(
      new Failure({ kind: 'status', status: 429, method: 'POST', path: '/facebook/send-message' }),
    )
    const [key] = sut.sending.inputs().map((order) => order.key)
    sut.connection.isOnline = false
    sut.outbox()?.send({ type: 'send.retried', key: key ?? '' })
    sut.connection.isOnline = true
    sut.session.send({ type: 'browser.online' })
    sut.ask('p1')
    await sut.identity.resolve({ psid: 'psid-p1', platform: 'messenger' })
    sut.ask(null)
    await sut.best.resolve({ pageId: 'p1', reason: 'last_incoming' })
    await sut.identity.resolve({ psid: 'psid-p1', platform: 'messenger' })
    expect(sut.shown()?.pageId).toBe('p1')
    sut.outbox()?.send({ type: 'waiting.retried' })
    await settled()
    expect([sut.left(), sut.sending.inputs().map((order) => order.key)]).toEqual([
      [
        ['p2', 'psid-p2', 'one'],
        ['p2', 'psid-p2', 'one'],
      ],
      [key, key],
    ])
  })

  it('is sent from the chosen page to the psid that was looked up there', async () => {
    const sut = await start()
    await sut.lookUp()
    sut.ask('p1')
    await sut.identity.resolve({ psid: 'psid-p1', platform: 'messenger' })
    sut.write('one', 'c1', 'p1')
    expect([sut.left(), sut.lookUps()]).toEqual([[['p1', 'psid-p1', 'one']], [1, 2]])
  })

  it('looks up its page and identity again when staff retry a send that never left', async () => {
    const sut = await start()
    await sut.lookUp()
    sut.connection.isOnline = false
    sut.write('one')
    const [kept] = sut.outbox()?.getSnapshot().context.outgoing ?? []
    expect([kept?.status, kept?.pageId, kept?.psid, sut.left()]).toEqual(['offline', null, null, []])
    sut.connection.isOnline = true
    sut.outbox()?.send({ type: 'send.retried', key: kept?.key ?? '' })
    await sut.best.resolve({ pageId: 'p1', reason: 'last_incoming' })
    await sut.identity.resolve({ psid: 'psid-p1', platform: null })
    expect(sut.left()).toEqual([['p1', 'psid-p1', 'one']])
  })

  it('finds another page when staff retry after a refusal because of an inactive page', async () => {
    const sut = await start()
    await sut.lookUp()
    sut.write('one')
    const refusal = { method: 'POST', path: '/facebook/send-message', kind: 'status', status: 422 } as const
    await sut.sending.reject(new Failure({ ...refusal, error: 'This page is inactive.', code: 'PAGE_INACTIVE' }))
    const [failed] = sut.outbox()?.getSnapshot().context.outgoing ?? []
    sut.outbox()?.send({ type: 'send.retried', key: failed?.key ?? '' })
    await sut.best.resolve({ pageId: 'p1', reason: 'last_incoming' })
    await sut.identity.resolve({ psid: 'psid-p1', platform: null })
    expect(sut.left()).toEqual([
      ['p2', 'psid-p2', 'one'],
      ['p1', 'psid-p1', 'one'],
    ])
  })
})

describe('a message whose send route may have changed looks up its page and identity itself', () => {
  const mayHaveChanged: Record<string, (sut: Sut) => void | Promise<void>> = {
    'the person wrote': (sut) => sut.hear(inserted('c1', 30)),
    'the person wrote to a page that the filter hides': async (sut) => {
      sut.session.send({ type: 'page.chosen', pageId: 'p2' })
      await settled()
      await sut.lookUp()
      sut.hear(inserted('c1', 30, { page_id: 'p1' }))
    },
    'a colleague answered from another page': (sut) =>
      sut.hear(inserted('c1', 30, { direction: 'outgoing', page_id: 'p1' })),
    'a message was deleted': (sut) => sut.hear({ type: 'DELETE', messageId: 'm-c1-10' }),
    'the pages may be others': (sut) => sut.session.send({ type: 'pages.invalidated' }),
    'a page was changed here': (sut) => sut.session.send({ type: 'pages.changed' }),
    'the inbox is refreshed': (sut) => sut.session.send({ type: 'refetch.requested' }),
    'the inbox catches up after a gap': (sut) => sut.session.send({ type: 'resync.requested' }),
    'messages cannot be heard': (sut) => sut.loseTheChannel(),
    'the conversation is known on another page': (sut) => sut.list({ ...maria, page_ids: 'p1, p2, p3' }, jose),
    'another page was chosen': (sut) => void sut.ask('p1'),
    'another conversation is open': async (sut) => {
      sut.session.send({ type: 'conversation.selected', id: 'c2' })
      await settled()
      await sut.lookUp()
    },
    'the best page could not be looked up': async (sut) => {
      sut.ask('p1')
      sut.ask(null)
      await sut.best.reject(new Error('offline'))
      await sut.identity.resolve({ psid: 'psid-p1', platform: null })
    },
    'the identity could not be looked up': async (sut) => {
      sut.ask('p1')
      sut.ask(null)
      await sut.best.resolve({ pageId: 'p1', reason: 'last_incoming' })
      await sut.identity.reject(new Error('offline'))
    },
  }
  it.each(Object.entries(mayHaveChanged))('after %s', async (_, change) => {
    const sut = await start()
    await sut.lookUp()
    await change(sut)
    const [pagesAsked = 0] = sut.lookUps()
    sut.write('one')
    expect([sut.best.calls.length - pagesAsked, sut.best.last().input, sut.left()]).toEqual([1, { userId: 'c1' }, []])
    await sut.best.resolve({ pageId: 'p1', reason: 'last_incoming' })
    expect(sut.identity.last().input).toEqual({ userId: 'c1', pageId: 'p1' })
    await sut.identity.resolve({ psid: 'psid-now', platform: null })
    expect(sut.left()).toEqual([['p1', 'psid-now', 'one']])
  })

  it('after it waited for another message and the person wrote during that time', async () => {
    const sut = await start()
    await sut.lookUp()
    sut.write('one')
    sut.write('two')
    sut.hear(inserted('c1', 30, { page_id: 'p1' }))
    await sut.sending.resolve(answer)
    await sut.best.resolve({ pageId: 'p1', reason: 'last_incoming' })
    await sut.identity.resolve({ psid: 'psid-p1', platform: null })
    expect(sut.left()).toEqual([
      ['p2', 'psid-p2', 'one'],
      ['p1', 'psid-p1', 'two'],
    ])
  })

  it('but not after the route was looked up again', async () => {
    const sut = await start()
    await sut.lookUp()
    sut.hear(inserted('c1', 30, { page_id: 'p1' }))
    sut.clock.increment(1_000)
    await sut.best.resolve({ pageId: 'p1', reason: 'last_incoming' })
    await sut.identity.resolve({ psid: 'psid-p1', platform: 'messenger' })
    sut.write('one')
    expect([sut.left(), sut.lookUps(), sut.shown()?.pageId]).toEqual([[['p1', 'psid-p1', 'one']], [2, 2], 'p1'])
  })
})

it('two messages to two people are each sent by the route of their own conversation', async () => {
  const sut = await start()
  await sut.lookUp()
  sut.write('to Maria')
  sut.session.send({ type: 'conversation.selected', id: 'c2' })
  await settled()
  sut.ask(null)
  sut.write('to José, too early', 'c2')
  const [, ofRoute, ofSend] = sut.best.calls
  ofRoute?.resolve({ pageId: 'p1', reason: 'last_incoming' })
  ofSend?.resolve({ pageId: 'p1', reason: 'last_incoming' })
  await settled()
  for (const { resolve } of sut.identity.calls.slice(1)) resolve({ psid: 'psid-jose', platform: 'messenger' })
  await settled()
  sut.write('to Maria again', 'c1')
  await sut.sending.resolve(answer)
  expect([sut.best.last().input, sut.left()]).toEqual([
    { userId: 'c2' },
    [
      ['p2', 'psid-p2', 'to Maria'],
      ['p1', 'psid-jose', 'to José, too early'],
    ],
  ])
  sut.sending.calls[0]?.resolve(answer)
  await settled()
  expect(sut.best.last().input).toEqual({ userId: 'c1' })
})
