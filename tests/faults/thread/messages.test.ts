import { describe, expect, it } from 'vitest'
import { Failure } from '../../../src/domain/failure.ts'
import { createHttp } from '../../../src/services/http.ts'
import { createMessages } from '../../../src/services/thread/messages.ts'
import { conversationOf, messageOf } from '../../domain/message-fixture.ts'

type Answer = { status?: number; body: unknown }

/** The calls against a server with one fixed answer, or with one for each call. */
function callsOn(answer: Answer | ((call: string) => Answer), sendsKeys = true) {
  const asked: unknown[] = []
  const warnings: string[] = []
  const log = { warn: (text: string) => void warnings.push(text) }
  const http = createHttp({
    baseUrl: '/api',
    log,
    retries: 0,
    tokens: { current: () => ({ token: 't', session: 1 }), isEnding: () => false, renew: () => Promise.reject() },
    fetch: async (url, init) => {
      const key = new Headers(init?.headers).get('Idempotency-Key')
      const sent = typeof init?.body === 'string' ? { body: JSON.parse(init.body) } : {}
      const call = `${init?.method} ${url}`
      const { status = 200, body } = typeof answer === 'function' ? answer(call) : answer
      asked.push({ call, ...sent, ...(key === null ? {} : { key }) })
      return new Response(JSON.stringify(body), { status })
    },
  })
  return { messages: createMessages(http, log, { sendsKeys }), asked, warnings }
}
const { signal } = new AbortController()
const read = { conversationId: 'ana', pageId: null, page: 1 }
const order = { key: 'k1', pageId: 'p1', psid: 'psid', text: 'hello' }

describe('A page of messages', () => {
  it('is requested by number, with 50 messages and the page filter', async () => {
    const { messages, asked } = callsOn({ body: { success: true, data: { messages: [], hasMore: false } } })
    await messages.loadMessages({ conversationId: 'a/b', pageId: 'p1', page: 2 }, signal)
    expect(asked).toEqual([{ call: 'GET /api/facebook/conversations/a%2Fb/messages?page=2&limit=50&pageId=p1' }])
  })

  it('drops one unreadable row and keeps the others', async () => {
    const [good, bad] = [messageOf('m1', 1), { ...messageOf('m2', 2), direction: 'sideways' }]
    const { messages, warnings } = callsOn({ body: { success: true, data: { messages: [good, bad], hasMore: true } } })
    expect([await messages.loadMessages(read, signal), warnings]).toEqual([
      { messages: [good], hasMore: true },
      ['1 messages could not be read'],
    ])
  })

  it('that is full has older messages if the server does not say', async () => {
    const page = (length: number) => Array.from({ length }, (_, index) => messageOf(`m${index}`, index))
    const hasMore = async (length: number) => {
      const { messages } = callsOn({ body: { success: true, data: { messages: page(length) } } })
      return (await messages.loadMessages(read, signal)).hasMore
    }
    expect([await hasMore(50), await hasMore(49)]).toEqual([true, false])
  })

  it.each([
    ['no data', { success: true }],
    ['a bare text', 'ok'],
    ['no list of messages', { success: true, data: { messages: null } }],
  ])('with %s fails as a bad answer', async (_, body) => {
    const { messages } = callsOn({ body })
    await expect(messages.loadMessages(read, signal)).rejects.toMatchObject({ name: 'Failure', kind: 'badAnswer' })
  })
})

describe('A conversation opened by a link', () => {
  const others = [
    conversationOf({ primary_user_id: 'x', fb_user_id: 'y' }),
    conversationOf({ fb_user_ids: 'ana, ana-p1, ana-p2' }),
  ]

  it.each(['ana', 'ana-p1', 'ana-p2'])('is found by %s', async (id) => {
    const { messages, asked } = callsOn({ body: { success: true, data: others } })
    expect([await messages.findConversation({ id }, signal), asked]).toEqual([
      others[1],
      [{ call: `GET /api/facebook/conversations?page=1&limit=20&search=${id}` }],
    ])
  })

  it('is null if no row has that id', async () => {
    const { messages } = callsOn({ body: { success: true, data: others } })
    expect(await messages.findConversation({ id: 'an' }, signal)).toBe(null)
  })

  it('is found by an id in a list without spaces', async () => {
    const group = conversationOf({ fb_user_ids: 'ana,ana-p1,ana-p2' })
    const { messages } = callsOn({ body: { success: true, data: [group] } })
    expect(await messages.findConversation({ id: 'ana-p2' }, signal)).toEqual(group)
  })
})

describe('A conversation that this browser stores something about', () => {
  const found = { success: true, data: [conversationOf()] }
  const none = { success: true, data: [] }

  it.each([
    ['is gone if its messages answer 404 and nobody is found', 404, none, true],
    ['is not gone if its messages answer 404 and it is found', 404, found, false],
    ['is not gone if its messages are answered', 200, none, false],
  ])('%s', async (_, status, list, isGone) => {
    const { messages } = callsOn((call) =>
      call.includes('/messages') && status === 200
        ? { body: { success: true, data: { messages: [], hasMore: false } } }
        : call.includes('/messages')
          ? { status, body: { success: false, error: 'Conversation not found' } }
          : { body: list },
    )
    expect(await messages.isGone({ id: 'ana' }, signal)).toBe(isGone)
  })

  it.each([
    ['messages are refused', '/messages', 500],
    ['look-up is refused, as by a proxy that answers 404 to everything', '/conversations', 404],
  ])('is unknown if the %s', async (_, part, status) => {
    const { messages } = callsOn((call) =>
      call.includes(part) || status === 404 ? { status, body: { success: false } } : { body: none },
    )
    await expect(messages.isGone({ id: 'ana' }, signal)).rejects.toMatchObject({ kind: 'status', status })
  })
})

describe('Sending a message', () => {
  it('posts the specified payload with its idempotency key', async () => {
    const { messages, asked } = callsOn({
      body: { success: true, data: { message_id: 'm9', created_at: '2026-03-01T09:00:00.000Z' } },
    })
    expect(await messages.sendMessage(order)).toEqual({ messageId: 'm9', createdAt: '2026-03-01T09:00:00.000Z' })
    expect(asked).toEqual([
      {
        call: 'POST /api/facebook/send-message',
        key: 'k1',
        body: { pageId: 'p1', recipientPsid: 'psid', messageText: 'hello', messageType: 'text' },
      },
    ])
  })

  it('sends no key if the API does not accept keys', async () => {
    const { messages, asked } = callsOn({ body: { success: true } }, false)
    await messages.sendMessage(order)
    expect(asked).toEqual([
      {
        call: 'POST /api/facebook/send-message',
        body: { pageId: 'p1', recipientPsid: 'psid', messageText: 'hello', messageType: 'text' },
      },
    ])
  })

  it.each([
    ['returns no message', { success: true }],
    ['returns other data', { success: true, data: 'queued' }],
  ])('succeeds if the server %s', async (_, body) => {
    expect(await callsOn({ body }).messages.sendMessage(order)).toEqual({ messageId: null, createdAt: null })
  })

  it('fails if the server does not report success', async () => {
    await expect(callsOn({ body: { success: false, error: 'no' } }).messages.sendMessage(order)).rejects.toMatchObject({
      kind: 'badAnswer',
    })
  })

  it('writes no message text into its failure', async () => {
    const failure = await callsOn({ status: 422, body: { success: false, error: 'Refused' } })
      .messages.sendMessage({ ...order, text: 'a secret' })
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Failure)
    expect(`${failure} ${JSON.stringify(failure)}`).not.toContain('a secret')
  })

  it('looks up the best page and the psid', async () => {
    const best = callsOn({ body: { success: true, data: { page_id: 7, psid: null } } })
    const identity = callsOn({ body: { success: true, data: { psid: 'psid-2' } } })
    expect([
      await best.messages.findBestPage({ userId: 'ana' }, signal),
      await identity.messages.findIdentity({ userId: 'ana', pageId: 'p2' }, signal),
      [...best.asked, ...identity.asked],
    ]).toEqual([
      { pageId: '7', reason: null },
      { psid: 'psid-2', platform: null },
      [{ call: 'GET /api/facebook/users/ana/best-page' }, { call: 'GET /api/facebook/users/ana/identity/p2' }],
    ])
  })
})

describe('Marking as read', () => {
  it('sends the page of the messages', async () => {
    const { messages, asked } = callsOn({ body: { success: true } })
    await messages.markRead({ conversationId: 'ana', pageId: 'p1' })
    await messages.markRead({ conversationId: 'ana', pageId: null })
    expect(asked).toEqual([
      { call: 'POST /api/facebook/conversations/ana/mark-read', body: { pageId: 'p1' } },
      { call: 'POST /api/facebook/conversations/ana/mark-read', body: { pageId: null } },
    ])
  })
})
