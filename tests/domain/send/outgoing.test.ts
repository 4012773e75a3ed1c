import { describe, expect, it } from 'vitest'
import { Failure } from '../../../src/domain/failure.ts'
import { newKey } from '../../../src/domain/new-key.ts'
import {
  echoesOf,
  isOnItsWay,
  nextToSend,
  type Outgoing,
  outgoingIn,
  ownPsid,
  recipientOf,
  restored,
  temporaryMessage,
} from '../../../src/domain/send/outgoing.ts'
import { wasRefused } from '../../../src/domain/send/send-outcome.ts'
import { belongsTo, pageShown } from '../../../src/domain/thread/thread-belonging.ts'
import type { Conversation } from '../../../src/schemas/conversation.ts'
import type { Message } from '../../../src/schemas/message.ts'
import { outgoingOf } from '../../model/send/send-fixture.ts'
import { at, conversationOf, messageOf } from '../message-fixture.ts'

describe('The recipient of a send', () => {
  it('is taken from the conversation', () => {
    expect(recipientOf(conversationOf())).toEqual({
      conversationId: 'ana',
      name: 'Ana Cruz',
      fbUserId: 'ana-p1',
      pages: [
        { id: 'p1', name: 'Bakery' },
        { id: 'p2', name: 'Flowers' },
      ],
      psid: 'psid-ana-p1',
      psidPageId: 'p1',
    })
  })

  it('has its own psid only on its own page', () => {
    const recipient = recipientOf(conversationOf())
    const unknown = recipientOf(conversationOf({ page_id: null }))
    expect([
      ownPsid(recipient, 'p1'),
      ownPsid(recipient, 'p2'),
      ownPsid(recipient, null),
      ownPsid(unknown, null),
    ]).toEqual(['psid-ana-p1', null, null, null])
  })
})

describe('A stored send', () => {
  const left = { pageId: 'p1', psid: 'psid-ana-p1', leftAt: '2026-03-01T09:00:00.000Z' }
  const cases: [string, Partial<Outgoing>, Partial<Outgoing>][] = [
    ['in flight is unconfirmed', { ...left, status: 'pending', echoId: 'm1' }, { ...left, status: 'unconfirmed' }],
    ['unconfirmed stays unconfirmed', { ...left, status: 'unconfirmed' }, { ...left, status: 'unconfirmed' }],
    ['not found is checked again', { ...left, status: 'notFound' }, { ...left, status: 'unconfirmed' }],
    ['that has not left waits', { pageId: 'p1', status: 'pending' }, { status: 'waiting' }],
    ['queued waits', { status: 'queued' }, { status: 'waiting' }],
    ['offline waits', { status: 'offline' }, { status: 'waiting' }],
    ['waiting waits', { status: 'waiting' }, { status: 'waiting' }],
    [
      'refused once and tried again offline waits',
      { ...left, status: 'offline' },
      { leftAt: left.leftAt, status: 'waiting' },
    ],
    ['failed stays failed', { status: 'failed', failure: 'No' }, { status: 'failed', failure: 'No' }],
  ]
  it.each(cases)('%s after a restart', (_, before, after) => {
    expect(restored(outgoingOf(before))).toEqual(outgoingOf(after))
  })
})

describe('A send is in progress', () => {
  it.each<[Outgoing['status'], boolean]>([
    ['queued', true],
    ['pending', true],
    ['offline', false],
    ['waiting', false],
    ['unconfirmed', false],
    ['notFound', false],
    ['failed', false],
  ])('with the status %s: %s', (status, expected) => expect(isOnItsWay(outgoingOf({ status }))).toBe(expected))
})

describe('The temporary message of a send', () => {
  const written = {
    message_id: 'temp_k1',
    id: null,
    fb_user_id: 'ana-p1',
    primary_user_id: 'ana',
    message_text: 'hello',
    direction: 'outgoing',
    is_read: true,
    attachments: null,
    idempotency_key: 'k1',
  }
  const cases: [string, Partial<Outgoing>, string | null, Partial<Message>][] = [
    [
      'has the name of its page and the time of the server',
      { pageId: 'p2', leftAt: at(1) },
      at(2),
      { page_id: 'p2', page_name: 'Flowers', created_at: at(2), timestamp_fb: at(2) },
    ],
    [
      'has the departure time without a server time, and no name of an unknown page',
      { pageId: 'p9', leftAt: at(1) },
      null,
      { page_id: 'p9', page_name: null, created_at: at(1), timestamp_fb: at(1) },
    ],
    [
      'has the creation time if it never left, and no page before a page is found',
      {},
      null,
      { page_id: '', page_name: null, created_at: at(0), timestamp_fb: at(0) },
    ],
  ]
  it.each(cases)('%s', (_, outgoing, sentAtServer, message) => {
    expect(temporaryMessage(outgoingOf(outgoing), sentAtServer)).toEqual({ ...written, ...message })
  })
})

describe('The next send to leave', () => {
  const to = (conversationId: string, key: string, status: Outgoing['status']) =>
    outgoingOf({ key, status, recipient: { ...outgoingOf().recipient, conversationId } })
  const cases: [string, Outgoing[], string | undefined][] = [
    ['is the first queued send', [to('a', 'k1', 'queued'), to('a', 'k2', 'queued')], 'k1'],
    ['waits for a send to the same person', [to('a', 'k1', 'pending'), to('a', 'k2', 'queued')], undefined],
    ['ignores other people', [to('a', 'k1', 'pending'), to('a', 'k2', 'queued'), to('b', 'k3', 'queued')], 'k3'],
    ['does not wait for an unconfirmed send', [to('a', 'k1', 'unconfirmed'), to('a', 'k2', 'queued')], 'k2'],
  ]
  it.each(cases)('%s', (_, outgoing, key) => {
    expect(nextToSend(outgoing)?.key).toBe(key)
  })
})

describe('A message', () => {
  const cases: [string, Partial<Message>, Partial<Conversation>, string | null, boolean][] = [
    ['of the same user and page belongs', {}, {}, null, true],
    [
      'whose row names the primary user belongs, from any identity',
      { fb_user_id: 'ana-p2', page_id: 'p2' },
      {},
      null,
      true,
    ],
    ['whose row names another conversation does not', { primary_user_id: 'ben' }, {}, null, false],
    ['of another page than the filtered one does not', { page_id: 'p2' }, {}, 'p1', false],
    ['of the filtered page belongs', {}, {}, 'p1', true],
    [
      'of the primary user on one of the pages belongs',
      { primary_user_id: null, fb_user_id: 'ana', page_id: 'p2' },
      {},
      null,
      true,
    ],
    [
      'of the primary user on another page does not',
      { primary_user_id: null, fb_user_id: 'ana', page_id: 'p9' },
      {},
      null,
      false,
    ],
    ['of the same user on another page does not', { primary_user_id: null, page_id: 'p9' }, {}, null, false],
    ['of another user does not', { primary_user_id: null, fb_user_id: 'ben' }, {}, null, false],
    ['belongs by its user without a primary user id', {}, { primary_user_id: null }, null, true],
  ]
  it.each(cases)('%s', (_, message, conversation, pageId, belongs) => {
    expect(belongsTo(messageOf('m1', 1, message), conversationOf(conversation), pageId)).toBe(belongs)
  })
})

describe('A page filter', () => {
  it.each([
    [null, null],
    ['p2', 'p2'],
    ['p9', null],
  ])('of %s limits a thread of the pages p1 and p2 to %s (null is all)', (pageId, shown) =>
    expect(pageShown(conversationOf(), pageId)).toBe(shown),
  )

  it('applies while the conversation is unknown', () => expect(pageShown(null, 'p9')).toBe('p9'))
})

describe('The rows of one batch', () => {
  const sent = (key: string) => outgoingOf({ key, status: 'pending', pageId: 'p1', leftAt: at(0) })
  const row = (id: string, idempotency_key: string | null) =>
    messageOf(id, 1, { direction: 'outgoing', message_text: 'hello', idempotency_key })

  it('match by the key of a later update, not by text', () => {
    const echoes = echoesOf([sent('k1'), sent('k2')], [row('m1', null), row('m1', 'k1'), row('m2', null)], new Set())
    expect(echoes.map(({ key, messageId, isCertain }) => [key, messageId, isCertain])).toEqual([
      ['k1', 'm1', true],
      ['k2', 'm2', false],
    ])
  })

  it('do not match by text if they carry the key of another send', () => {
    expect(echoesOf([sent('k1')], [row('m1', 'another')], new Set())).toEqual([])
  })

  it('do not match by text if they already match another send', () => {
    const shown = { ...sent('k1'), echoId: 'm1' }
    const rows = [row('m1', null), row('m2', null)]
    expect(echoesOf([shown, sent('k2')], rows, new Set()).map(({ key, messageId }) => [key, messageId])).toEqual([
      ['k2', 'm2'],
    ])
    expect(echoesOf([sent('k1')], rows, new Set(['m1', 'm2']))).toEqual([])
  })
})

describe('A row without a key', () => {
  const sent = { status: 'pending', pageId: 'p1', leftAt: at(0) } as const
  const guess = { key: 'k1', messageId: 'm1', createdAt: at(1), isCertain: false }
  const cases: [string, Partial<Outgoing>, Partial<Message>, boolean][] = [
    ['matches a send in flight', {}, {}, true],
    ['does not match an unconfirmed send', { status: 'unconfirmed' }, {}, false],
    ['does not match a send that was not found', { status: 'notFound' }, {}, false],
    ['does not match a failed send', { status: 'failed' }, {}, false],
    ['does not match a waiting send', { status: 'waiting' }, { message_text: 'another' }, false],
    ['does not match a send that has not left', { leftAt: null }, {}, false],
    ['does not match a send with a known message', { echoId: 'm0' }, {}, false],
    ['does not match another text', {}, { message_text: 'another' }, false],
    ['does not match another page', {}, { page_id: 'p2' }, false],
    ['does not match a send that left 10 s before', {}, { timestamp_fb: at(10) }, false],
    ['does not match if it is incoming', {}, { direction: 'incoming' }, false],
    ['does not match another person', {}, { primary_user_id: 'ben' }, false],
    ['matches by its person, from any identity', {}, { primary_user_id: 'ana', fb_user_id: 'ana-p2' }, true],
    ['matches by the main identity of the person', {}, { primary_user_id: null, fb_user_id: 'ana' }, true],
    ['matches by the identity', {}, { primary_user_id: null }, true],
    ['does not match another identity', {}, { primary_user_id: null, fb_user_id: 'ben' }, false],
  ]
  it.each(cases)('%s', (_, outgoing, record, isEcho) => {
    const row = messageOf('m1', 1, { direction: 'outgoing', message_text: 'hello', created_at: at(3), ...record })
    expect(echoesOf([outgoingOf({ ...sent, ...outgoing })], [row], new Set())).toEqual(isEcho ? [guess] : [])
  })

  it('is dated by the database if the network gave no time', () => {
    const row = messageOf('m1', 1, { direction: 'outgoing', message_text: 'hello', timestamp_fb: null })
    expect(echoesOf([outgoingOf(sent)], [row], new Set())).toEqual([guess])
  })
})

describe('The sends shown below the messages of a conversation', () => {
  it('are the sends to that person without a row in the thread', () => {
    const to = (conversationId: string) => ({ recipient: { ...outgoingOf().recipient, conversationId } })
    const sends = [
      outgoingOf({ key: 'pending', status: 'pending' }),
      outgoingOf({ key: 'shown', status: 'pending', echoId: 'm1' }),
      outgoingOf({ key: 'refused', status: 'failed' }),
      outgoingOf({ key: 'of another', status: 'pending', ...to('ben') }),
    ]
    expect([outgoingIn(sends, 'ana'), outgoingIn(sends, 'ben')].map((all) => all.map(({ key }) => key))).toEqual([
      ['pending', 'refused'],
      ['of another'],
    ])
  })
})

describe('A failed call of a send', () => {
  const post = { method: 'POST', path: '/facebook/send-message' }
  const status = (code: number) => new Failure({ ...post, kind: 'status', status: code })
  it.each([400, 401, 403, 404, 409, 422, 429])('counts as refused with the status %i', (code) => {
    expect(wasRefused(status(code))).toBe(true)
  })
  it.each([
    ...[408, 500, 502, 503, 504].map((code) => [String(code), status(code)] as const),
    ...(['noAnswer', 'timeout', 'badAnswer', 'aborted'] as const).map(
      (kind) => [kind, new Failure({ ...post, kind })] as const,
    ),
    [
      'an unreadable answer, even with the status 422',
      new Failure({ ...post, kind: 'badAnswer', status: 422 }),
    ] as const,
    ['a missing status', new Failure({ ...post, kind: 'status' })] as const,
    ['an error that is no Failure', Object.assign(new Error('?'), { kind: 'status', status: 422 })] as const,
  ])('leaves the outcome open after %s', (_, failure) => {
    expect(wasRefused(failure)).toBe(false)
  })
})

describe('An idempotency key', () => {
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
  it('is a random UUID, also on insecure origins', () => {
    const native = crypto.randomUUID
    const keys = [newKey(), newKey()]
    try {
      Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true })
      keys.push(newKey(), newKey())
    } finally {
      Object.defineProperty(crypto, 'randomUUID', { value: native, configurable: true })
    }
    expect([keys.every((key) => uuid.test(key)), new Set(keys).size]).toEqual([true, 4])
  })
})
