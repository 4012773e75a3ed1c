import { describe, expect, it } from 'vitest'
import { Failure } from '../../../src/domain/failure.ts'
import { lineOf, newMessagesIn, newMessageToasts } from '../../../src/domain/list/new-messages.ts'
import { mayBeTemporary, retryDelayAfter } from '../../../src/domain/retries.ts'
import { at, inserted, messageIn, updated } from '../../model/inbox-fixture.ts'

describe('The new message toast', () => {
  it.each([
    ['appears for an incoming message that was just written', inserted('c1', 20), true],
    [
      'appears for one delivered an hour late',
      { ...inserted('c1', 20, { is_historical: false }), committedAt: at(80) },
      true,
    ],
    ['does not appear for a historical message', inserted('c1', 20, { is_historical: true }), false],
    ['does not appear for a message that is already read', inserted('c1', 20, { is_read: true }), false],
    ['does not appear for an outgoing message', inserted('c1', 20, { direction: 'outgoing' }), false],
    ['does not appear for an updated message', updated('c1', 20), false],
    ['does not appear for a deleted message', { type: 'DELETE', messageId: 'm1' } as const, false],
    ['appears for one without a commit time', { type: 'INSERT', record: messageIn('c1', -2) } as const, true],
  ])('%s: %#', (_, change, expected) => {
    expect(newMessagesIn([change])).toEqual(expected && change.type !== 'DELETE' ? [change.record] : [])
  })

  it.each([
    [[], []],
    [['Maria'], ['New message from Maria']],
    [
      ['Maria', 'José', 'Maria'],
      ['New message from Maria', 'New message from José'],
    ],
    [
      ['A', 'B', 'C'],
      ['New message from A', 'New message from B', 'New message from C'],
    ],
    [['A', 'B', 'C', 'D', 'D'], ['5 new messages from 4 people']],
  ])('for messages of %j reads %j', (senders, texts) => {
    const people = senders.map((name) => ({ id: name, name, line: 'Opo' }))
    expect(newMessageToasts(people).map(({ kind, text }) => [kind, text])).toEqual(texts.map((text) => ['info', text]))
  })

  it('carries the newest line of each sender, and the conversation that a press opens', () => {
    const senders = [
      { id: 'u1', name: 'Maria', line: lineOf({ message_text: ' Magkano\n po? ' }) },
      { id: 'u2', name: 'José', line: lineOf({ message_text: null }) },
      { id: 'u1', name: 'Maria', line: lineOf({ message_text: 'a'.repeat(200) }) },
    ]
    expect(senders[0]?.line).toBe('Magkano po?')
    expect(newMessageToasts(senders).map(({ news }) => news)).toEqual([
      { line: 'a'.repeat(120), conversationId: 'u1' },
      { line: 'Attachment', conversationId: 'u2' },
    ])
    const many = ['u1', 'u2', 'u3', 'u4'].map((id) => ({ id, name: id, line: 'Opo' }))
    expect(newMessageToasts(many).map(({ news }) => news)).toEqual([{ line: null, conversationId: null }])
  })

  it.each([
    [
      2,
      [
        ['New message from Unknown User', 'u0'],
        ['New message from Unknown User', 'u1'],
      ],
    ],
    [4, [['4 new messages from 4 people', null]]],
  ])('takes %i people with the same name as separate people', (count, texts) => {
    const people = Array.from({ length: count }, (_, index) => ({ id: `u${index}`, name: 'Unknown User', line: 'Opo' }))
    expect(newMessageToasts(people).map(({ text, news }) => [text, news?.conversationId])).toEqual(texts)
  })
})

describe('A failed read', () => {
  const failed = (kind: 'noAnswer' | 'timeout' | 'badAnswer' | 'aborted') =>
    new Failure({ kind, method: 'GET', path: '/' })
  const answered = (status: number) => new Failure({ kind: 'status', method: 'GET', path: '/', status })

  it.each([
    ['no answer', failed('noAnswer'), true],
    ['a time-out', failed('timeout'), true],
    ['an unreadable answer', failed('badAnswer'), true],
    ['an abort', failed('aborted'), false],
    ['408', answered(408), true],
    ['429', answered(429), true],
    ['500', answered(500), true],
    ['503', answered(503), true],
    ['400', answered(400), false],
    ['401', answered(401), false],
    ['403', answered(403), false],
    ['404', answered(404), false],
    ['422', answered(422), false],
    ['an internal error', new TypeError('x'), true],
  ])('with %s may be tried again: %#', (_, failure, expected) => {
    expect(mayBeTemporary(failure)).toBe(expected)
  })

  it('is retried after a growing delay of at most 30 s', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 60].map((failures) => retryDelayAfter(failures))).toEqual([
      2_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000,
    ])
  })

  it.each([
    [7_000, 7_000],
    [1_000, 2_000],
    [undefined, 2_000],
  ])('waits for Retry-After, but no less than the usual delay: %j', (retryAfter, delay) => {
    const paused = new Failure({ kind: 'status', method: 'GET', path: '/', status: 429, retryAfter })
    expect([retryDelayAfter(1, paused), retryDelayAfter(1, { retryAfter })]).toEqual([delay, 2_000])
  })
})
