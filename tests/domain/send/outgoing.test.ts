import { describe, expect, it } from 'vitest'
import { Failure } from '../../../src/domain/failure.ts'
import { newKey } from '../../../src/domain/new-key.ts'
import {
  echoesOf,
  isOnItsWay,
  nextToLeave,
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

describe('the recipient of a send', () => {
  it('is told by the conversation', () => {
    expect(recipientOf(conversationOf())).toEqual({
      conversationId: 'ana',
      fbUserId: 'ana-p1',
      pages: [
        { id: 'p1', name: 'Bakery' },
        { id: 'p2', name: 'Flowers' },
      ],
      psid: 'psid-ana-p1',
      psidPageId: 'p1',
    })
  })

  it('has its own psid on its own page alone', () => {
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

describe('a send that was kept', () => {
  const left = { pageId: 'p1', psid: 'psid-ana-p1', leftAt: '2026-03-01T09:00:00.000Z' }
  const cases: [string, Partial<Outgoing>, Partial<Outgoing>][] = [
    ['under way is unconfirmed', { ...left, status: 'pending', echoId: 'm1' }, { ...left, status: 'unconfirmed' }],
    ['unconfirmed stays so', { ...left, status: 'unconfirmed' }, { ...left, status: 'unconfirmed' }],
    ['not found so far is looked for again', { ...left, status: 'notFound' }, { ...left, status: 'unconfirmed' }],
    ['before it left waits', { pageId: 'p1', status: 'pending' }, { status: 'waiting' }],
    ['queued waits', { status: 'queued' }, { status: 'waiting' }],
    ['offline waits', { status: 'offline' }, { status: 'waiting' }],
    ['waiting waits', { status: 'waiting' }, { status: 'waiting' }],
    [
      'refused once and tried again offline waits',
      { ...left, status: 'offline' },
      { leftAt: left.leftAt, status: 'waiting' },
    ],
    ['failed stays so', { status: 'failed', failure: 'No' }, { status: 'failed', failure: 'No' }],
  ]
  it.each(cases)('%s after a restart', (_, before, after) => {
    expect(restored(outgoingOf(before))).toEqual(outgoingOf(after))
  })
})

describe('a send is on its way', () => {
  it.each<[Outgoing['status'], boolean]>([
    ['queued', true],
    ['pending', true],
    ['offline', false],
    ['waiting', false],
    ['unconfirmed', false],
    ['notFound', false],
    ['failed', false],
  ])('while it is %s: %s', (status, expected) => expect(isOnItsWay(outgoingOf({ status }))).toBe(expected))
})

describe('the message that stands for a send', () => {
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
      'names its page and has the time of the server',
      { pageId: 'p2', leftAt: at(1) },
      at(2),
      { page_id: 'p2', page_name: 'Flowers', created_at: at(2), timestamp_fb: at(2) },
    ],
    [
      'has the time when it left where the server gave none, and no name of an unknown page',
      { pageId: 'p9', leftAt: at(1) },
      null,
      { page_id: 'p9', page_name: null, created_at: at(1), timestamp_fb: at(1) },
    ],
    [
      'has the time when it was written where it never left, and no page before one is found',
      {},
      null,
      { page_id: '', page_name: null, created_at: at(0), timestamp_fb: at(0) },
    ],
  ]
  it.each(cases)('%s', (_, outgoing, sentAtServer, message) => {
    expect(temporaryMessage(outgoingOf(outgoing), sentAtServer)).toEqual({ ...written, ...message })
  })
})

describe('the next send to leave', () => {
  const to = (conversationId: string, key: string, status: Outgoing['status']) =>
    outgoingOf({ key, status, recipient: { ...outgoingOf().recipient, conversationId } })
  const cases: [string, Outgoing[], string | undefined][] = [
    ['is the first that is queued', [to('a', 'k1', 'queued'), to('a', 'k2', 'queued')], 'k1'],
    ['waits for one under way to the same person', [to('a', 'k1', 'pending'), to('a', 'k2', 'queued')], undefined],
    ['waits for nobody else', [to('a', 'k1', 'pending'), to('a', 'k2', 'queued'), to('b', 'k3', 'queued')], 'k3'],
    ['does not wait for what the person decides', [to('a', 'k1', 'unconfirmed'), to('a', 'k2', 'queued')], 'k2'],
  ]
  it.each(cases)('%s', (_, outgoing, key) => {
    expect(nextToLeave(outgoing)?.key).toBe(key)
  })
})

describe('a message', () => {
  const cases: [string, Partial<Message>, Partial<Conversation>, string | null, boolean][] = [
    ['of the same user and page belongs', {}, {}, null, true],
    [
      'whose row names the primary user belongs, whichever identity wrote it',
      { fb_user_id: 'ana-p2', page_id: 'p2' },
      {},
      null,
      true,
    ],
    ['whose row names another conversation does not', { primary_user_id: 'ben' }, {}, null, false],
    ['of another page than the filtered one does not', { page_id: 'p2' }, {}, 'p1', false],
    ['of the filtered page belongs', {}, {}, 'p1', true],
    [
      'by the primary user on one of the pages belongs',
      { primary_user_id: null, fb_user_id: 'ana', page_id: 'p2' },
      {},
      null,
      true,
    ],
    [
      'by the primary user on another page does not',
      { primary_user_id: null, fb_user_id: 'ana', page_id: 'p9' },
      {},
      null,
      false,
    ],
    ['of the same user on another page does not', { primary_user_id: null, page_id: 'p9' }, {}, null, false],
    ['of another user does not', { primary_user_id: null, fb_user_id: 'ben' }, {}, null, false],
    ['belongs by its user where the conversation has no primary one', {}, { primary_user_id: null }, null, true],
  ]
  it.each(cases)('%s', (_, message, conversation, pageId, belongs) => {
    expect(belongsTo(messageOf('m1', 1, message), conversationOf(conversation), pageId)).toBe(belongs)
  })
})

describe('a page filter', () => {
  it.each([
    [null, null],
    ['p2', 'p2'],
    ['p9', null],
  ])('of %s lets a thread of the pages p1 and p2 show the messages of %s (null is all)', (pageId, shown) =>
    expect(pageShown(conversationOf(), pageId)).toBe(shown),
  )

  it('holds as long as nobody knows whose thread it is', () => expect(pageShown(null, 'p9')).toBe('p9'))
})

describe('the rows of one batch', () => {
  const sent = (key: string) => outgoingOf({ key, status: 'unconfirmed', pageId: 'p1', leftAt: at(0) })
  const row = (id: string, idempotency_key: string | null) =>
    messageOf(id, 1, { direction: 'outgoing', message_text: 'hello', idempotency_key })

  it('are known by a key that follows its row, and nobody’s guess is taken for it', () => {
    const echoes = echoesOf([sent('k1'), sent('k2')], [row('m1', null), row('m1', 'k1'), row('m2', null)], new Set())
    expect(echoes.map(({ key, messageId, isCertain }) => [key, messageId, isCertain])).toEqual([
      ['k1', 'm1', true],
      ['k2', 'm2', false],
    ])
  })

  it('are nobody’s guess where they carry the key of a colleague', () => {
    expect(echoesOf([sent('k1')], [row('m1', 'another')], new Set())).toEqual([])
  })

  it('are nobody’s guess where another send is taken for them already', () => {
    const shown = { ...sent('k1'), echoId: 'm1' }
    const rows = [row('m1', null), row('m2', null)]
    expect(echoesOf([shown, sent('k2')], rows, new Set()).map(({ key, messageId }) => [key, messageId])).toEqual([
      ['k2', 'm2'],
    ])
    expect(echoesOf([sent('k1')], rows, new Set(['m1', 'm2']))).toEqual([])
  })
})

describe('a row without a key', () => {
  const sent = { status: 'pending', pageId: 'p1', leftAt: at(0) } as const
  const guess = { key: 'k1', messageId: 'm1', createdAt: at(1), isCertain: false }
  const cases: [string, Partial<Outgoing>, Partial<Message>, boolean][] = [
    ['is guessed to be a send under way', {}, {}, true],
    ['is guessed to be one that is looked for', { status: 'unconfirmed' }, {}, true],
    ['is guessed to be one that was not found', { status: 'notFound' }, {}, true],
    ['is not one that was refused', { status: 'failed' }, {}, false],
    ['is not one that waits, whatever that one says', { status: 'waiting' }, { message_text: 'another' }, false],
    ['is not one that has not left', { leftAt: null }, {}, false],
    ['is not one whose message is known', { echoId: 'm0' }, {}, false],
    ['is not one with another text', {}, { message_text: 'another' }, false],
    ['is not one on another page', {}, { page_id: 'p2' }, false],
    ['is not one that left 10 s before', {}, { timestamp_fb: at(10) }, false],
    ['is not one when it came in', {}, { direction: 'incoming' }, false],
    ['is not one to another person', {}, { primary_user_id: 'ben' }, false],
    ['is known by its person, whichever identity it names', {}, { primary_user_id: 'ana', fb_user_id: 'ana-p2' }, true],
    ['is known by an identity that is the person', {}, { primary_user_id: null, fb_user_id: 'ana' }, true],
    ['is known by the identity', {}, { primary_user_id: null }, true],
    ['is not one to another identity', {}, { primary_user_id: null, fb_user_id: 'ben' }, false],
  ]
  it.each(cases)('%s', (_, outgoing, record, isEcho) => {
    const row = messageOf('m1', 1, { direction: 'outgoing', message_text: 'hello', created_at: at(3), ...record })
    expect(echoesOf([outgoingOf({ ...sent, ...outgoing })], [row], new Set())).toEqual(isEcho ? [guess] : [])
  })

  it('has the time of the database where the network gave none', () => {
    const row = messageOf('m1', 1, { direction: 'outgoing', message_text: 'hello', timestamp_fb: null })
    expect(echoesOf([outgoingOf(sent)], [row], new Set())).toEqual([guess])
  })
})

describe('what stands below the messages of a conversation', () => {
  it('is what was sent to that person and has no row there yet', () => {
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

describe('a failed call of a send', () => {
  const post = { method: 'POST', path: '/facebook/send-message' }
  const status = (code: number) => new Failure({ ...post, kind: 'status', status: code })
  it.each([400, 401, 403, 404, 409, 422, 429])('was refused with %i', (code) => {
    expect(wasRefused(status(code))).toBe(true)
  })
  it.each([
    ...[408, 500, 502, 503, 504].map((code) => [String(code), status(code)] as const),
    ...(['noAnswer', 'timeout', 'badAnswer', 'aborted'] as const).map(
      (kind) => [kind, new Failure({ ...post, kind })] as const,
    ),
    [
      'an answer that cannot be read, be its status 422',
      new Failure({ ...post, kind: 'badAnswer', status: 422 }),
    ] as const,
    ['a status that is not there', new Failure({ ...post, kind: 'status' })] as const,
    ['something else', Object.assign(new Error('?'), { kind: 'status', status: 422 })] as const,
  ])('leaves open what became of it with %s', (_, failure) => {
    expect(wasRefused(failure)).toBe(false)
  })
})

describe('a key', () => {
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
  it('is a random UUID, on insecure origins too', () => {
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
