import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MessageChange } from '../../../src/domain/shell/changes.ts'
import {
  addSent,
  applyChanges,
  cutBefore,
  emptyThread,
  hasOlder,
  isLoaded,
  markAllRead,
  mergePage,
  type ThreadMessages,
} from '../../../src/domain/thread/thread-messages.ts'
import type { Message } from '../../../src/schemas/message.ts'
import { at, messageOf } from '../message-fixture.ts'

const insert = (record: Message, committedAt?: string): MessageChange => ({ type: 'INSERT', record, committedAt })
const update = (record: Message, committedAt?: string): MessageChange => ({ type: 'UPDATE', record, committedAt })
const remove = (messageId: string): MessageChange => ({ type: 'DELETE', messageId })

const threadOf = (messages: readonly Message[], hasMore = false): ThreadMessages =>
  mergePage(emptyThread, { messages, hasMore }, { isNewest: true, adjoins: true })
const idsOf = (thread: ThreadMessages) => thread.messages.map((message) => message.message_id)

const [one, two, three] = [messageOf('m1', 1), messageOf('m2', 2), messageOf('m3', 3)]

describe('changes of a thread', () => {
  const cases: Record<string, { before: Message[]; changes: MessageChange[]; after: Message[] }> = {
    'an insert comes at its place in time': { before: [one, three], changes: [insert(two)], after: [one, two, three] },
    'messages of one moment are ordered by id': {
      before: [messageOf('b', 5)],
      changes: [insert(messageOf('c', 5)), insert(messageOf('a', 5))],
      after: [messageOf('a', 5), messageOf('b', 5), messageOf('c', 5)],
    },
    'the time the network tells counts before the time it was stored': {
      before: [two],
      changes: [insert(messageOf('late', 1, { created_at: at(900) }))],
      after: [messageOf('late', 1, { created_at: at(900) }), two],
    },
    'without a time of the network the time it was stored counts': {
      before: [two],
      changes: [insert(messageOf('old', 1, { timestamp_fb: null }))],
      after: [messageOf('old', 1, { timestamp_fb: null }), two],
    },
    'a second insert of a known message is skipped': {
      before: [one],
      changes: [insert(one), insert(one)],
      after: [one],
    },
    'an insert of a known message brings what was not known of it, and no more': {
      before: [one],
      changes: [
        insert({
          ...one,
          id: 'row',
          primary_user_id: 'other',
          page_name: 'Bakery',
          idempotency_key: 'k',
          message_text: 'other',
        }),
      ],
      after: [{ ...one, id: 'row', page_name: 'Bakery', idempotency_key: 'k' }],
    },
    'or whose it is': {
      before: [{ ...one, primary_user_id: null }],
      changes: [insert(one)],
      after: [one],
    },
    'an update brings the new row': {
      before: [one],
      changes: [update({ ...one, message_text: 'edited' })],
      after: [{ ...one, message_text: 'edited' }],
    },
    'an update before its insert stays': {
      before: [],
      changes: [update({ ...one, message_text: 'edited' }, at(9)), insert(one, at(8))],
      after: [{ ...one, message_text: 'edited' }],
    },
    'an update that was overtaken by a later one changes nothing': {
      before: [one],
      changes: [update({ ...one, message_text: 'second' }, at(9)), update({ ...one, message_text: 'first' }, at(8))],
      after: [{ ...one, message_text: 'second' }],
    },
    'what is read stays read': {
      before: [{ ...one, is_read: true }],
      changes: [update({ ...one, message_text: 'edited' })],
      after: [{ ...one, is_read: true, message_text: 'edited' }],
    },
    'an overtaken row that was read marks as read': {
      before: [],
      changes: [insert(one, at(9)), update({ ...one, is_read: true, message_text: 'older' }, at(8))],
      after: [{ ...one, is_read: true }],
    },
    'an update keeps what a realtime row does not tell': {
      before: [{ ...one, page_name: 'Bakery' }],
      changes: [update({ ...one, is_read: true })],
      after: [{ ...one, page_name: 'Bakery', is_read: true }],
    },
    'an update that moves a message in time moves it': {
      before: [one, two],
      changes: [update({ ...one, timestamp_fb: at(7) })],
      after: [two, { ...one, timestamp_fb: at(7) }],
    },
    'a known message is removed by a delete': { before: [one, two], changes: [remove('m1')], after: [two] },
    'a delete of an unknown message is ignored': { before: [one], changes: [remove('m9')], after: [one] },
    'a late insert does not bring a deleted message back': {
      before: [one],
      changes: [remove('m2'), insert(two)],
      after: [one],
    },
  }
  it.each(Object.entries(cases))('%s', (_, { before, changes, after }) => {
    expect(applyChanges(threadOf(before), changes).messages).toEqual(after)
  })

  it('are not taken in before a page was fetched', () => {
    expect([isLoaded(emptyThread), applyChanges(emptyThread, [insert(one)]).messages]).toEqual([false, []])
  })

  it('leave out what is older than the oldest message held, while there is more', () => {
    const old = insert(messageOf('m0', 0))
    expect([idsOf(applyChanges(threadOf([one], true), [old])), idsOf(applyChanges(threadOf([one]), [old]))]).toEqual([
      ['m1'],
      ['m0', 'm1'],
    ])
  })

  it('leave every message they do not touch the same object', () => {
    const before = threadOf([one, two])
    const after = applyChanges(before, [insert(three), update({ ...two, is_read: true })])
    expect(after.messages[0]).toBe(before.messages[0])
    expect(after.messages[1]).not.toBe(before.messages[1])
  })

  it('that change nothing leave the thread the same object', () => {
    const before = threadOf([one, two])
    expect(applyChanges(before, [insert({ ...one }), update({ ...two })])).toBe(before)
  })

  it('count what is unread', () => {
    const before = threadOf([one, { ...two, is_read: true }])
    const after = applyChanges(before, [
      insert(three),
      insert(messageOf('mine', 4, { direction: 'outgoing' })),
      update({ ...one, is_read: true }),
    ])
    expect([before.unread, after.unread, markAllRead(after).unread, markAllRead(after).messages[2]?.is_read]).toEqual([
      1,
      1,
      0,
      true,
    ])
  })
})

describe('a fetched page', () => {
  it('is merged by id', () => {
    const page = { messages: [{ ...two, message_text: 'edited' }, three], hasMore: true }
    const thread = mergePage(threadOf([one, two]), page, { isNewest: true, adjoins: false })
    expect(thread.messages).toEqual([one, { ...two, message_text: 'edited' }, three])
  })

  it('shows by what it lacks what was deleted, within its stretch alone', () => {
    const held = threadOf([one, two, three, messageOf('m4', 4)], true)
    const page = { messages: [two, messageOf('m4', 4)], hasMore: true }
    expect([
      idsOf(mergePage(held, page, { isNewest: true, adjoins: false })),
      idsOf(mergePage(held, { messages: [two], hasMore: true }, { isNewest: true, adjoins: false })),
      idsOf(mergePage(held, { messages: [two], hasMore: true }, { isNewest: false, adjoins: false })),
      idsOf(mergePage(held, { messages: [two], hasMore: false }, { isNewest: false, adjoins: false })),
      idsOf(mergePage(held, { messages: [], hasMore: false }, { isNewest: true, adjoins: false })),
      idsOf(mergePage(held, { messages: [], hasMore: true }, { isNewest: true, adjoins: false })),
    ]).toEqual([
      ['m1', 'm2', 'm4'],
      ['m1', 'm2'],
      ['m1', 'm2', 'm3', 'm4'],
      ['m2', 'm3', 'm4'],
      [],
      ['m1', 'm2', 'm3', 'm4'],
    ])
  })

  it('does not undo that a message was read here', () => {
    const thread = mergePage(
      markAllRead(threadOf([one])),
      { messages: [one], hasMore: false },
      { isNewest: true, adjoins: false },
    )
    expect(thread.messages).toEqual([{ ...one, is_read: true }])
  })

  it('does not bring back what was deleted while it was on its way', () => {
    const held = applyChanges(threadOf([one, two]), [remove('m2')])
    expect(
      idsOf(mergePage(held, { messages: [one, two], hasMore: false }, { isNewest: true, adjoins: false })),
    ).toEqual(['m1'])
  })

  it('may come in any order', () => {
    const thread = mergePage(
      emptyThread,
      { messages: [three, one, two], hasMore: true },
      { isNewest: true, adjoins: true },
    )
    expect(thread).toEqual(threadOf([one, two, three], true))
    expect(idsOf(applyChanges(thread, [insert(messageOf('late', 1.5))]))).toEqual(['m1', 'late', 'm2', 'm3'])
  })

  it('of what is held already leaves the thread the same object', () => {
    const held = threadOf([one, two], true)
    const again = { messages: [{ ...one }, { ...two }], hasMore: true }
    expect(mergePage(held, again, { isNewest: true, adjoins: true })).toBe(held)
  })

  it('moves the edge of what is held back and never on', () => {
    const held = threadOf([two, three], true)
    const back = mergePage(held, { messages: [one], hasMore: true }, { isNewest: false, adjoins: true })
    const again = mergePage(back, { messages: [three], hasMore: true }, { isNewest: true, adjoins: true })
    const whole = mergePage(threadOf([one, two]), { messages: [two], hasMore: true }, { isNewest: true, adjoins: true })
    const late = insert(messageOf('late', 1.5))
    expect([
      idsOf(applyChanges(held, [late])),
      idsOf(applyChanges(back, [late])),
      idsOf(applyChanges(again, [late])),
      hasOlder(whole),
    ]).toEqual([['m2', 'm3'], ['m1', 'late', 'm2', 'm3'], ['m1', 'late', 'm2', 'm3'], false])
  })

  it('tells whether there are older messages', () => {
    const recent = threadOf([three], true)
    const older = mergePage(recent, { messages: [two], hasMore: true }, { isNewest: false, adjoins: true })
    const all = mergePage(older, { messages: [one], hasMore: false }, { isNewest: false, adjoins: true })
    expect([recent, older, all].map((thread) => [idsOf(thread), hasOlder(thread)])).toEqual([
      [['m3'], true],
      [['m2', 'm3'], true],
      [['m1', 'm2', 'm3'], false],
    ])
  })

  it('cuts a thread off where a gap would be', () => {
    const thread = cutBefore(threadOf([one, two, three]), { at: Date.parse(at(2)), id: 'm2' })
    expect([idsOf(thread), hasOlder(thread), idsOf(applyChanges(thread, [insert(one)]))]).toEqual([
      ['m2', 'm3'],
      true,
      ['m2', 'm3'],
    ])
  })
})

const mine = (id: string, seconds: number, rest: Partial<Message> = {}) =>
  messageOf(id, seconds, { direction: 'outgoing', is_read: true, message_text: 'ok', ...rest })
const temporary = (key: string, seconds: number) => mine(`temp_${key}`, seconds, { idempotency_key: key })

describe('a sent message', () => {
  it('stands in the thread until its row comes, known by its id', () => {
    const sent = addSent(threadOf([one]), temporary('k', 5), 'real')
    const settled = applyChanges(sent, [insert(mine('real', 5))])
    expect([idsOf(sent), idsOf(settled)]).toEqual([
      ['m1', 'temp_k'],
      ['m1', 'real'],
    ])
  })

  it('is known by its key where the server did not name it, however late', () => {
    const sent = addSent(threadOf([]), temporary('k', 5), null)
    expect(idsOf(applyChanges(sent, [insert(mine('real', 500, { idempotency_key: 'k' }))]))).toEqual(['real'])
  })

  it('is known by text, direction and 10 s where there is neither', () => {
    const sent = addSent(threadOf([]), temporary('k', 5), null)
    const afterRow = (row: Message) => idsOf(applyChanges(sent, [insert(row)]))
    expect([
      afterRow(mine('real', 14.999)),
      afterRow(mine('real', 15)),
      afterRow(mine('real', 6, { message_text: 'other' })),
      afterRow(mine('real', 6, { direction: 'incoming' })),
      afterRow(mine('real', 6, { page_id: 'p2' })),
    ]).toEqual([['real'], ['temp_k', 'real'], ['temp_k', 'real'], ['temp_k', 'real'], ['temp_k', 'real']])
  })

  it('is not taken for the same text of a colleague, whose row has another id or key', () => {
    const named = addSent(threadOf([]), temporary('k', 5), 'real')
    const unnamed = addSent(threadOf([]), temporary('k', 5), null)
    expect([
      idsOf(applyChanges(named, [insert(mine('theirs', 6))])),
      idsOf(applyChanges(unnamed, [insert(mine('theirs', 6, { idempotency_key: 'theirs' }))])),
    ]).toEqual([
      ['temp_k', 'theirs'],
      ['temp_k', 'theirs'],
    ])
  })

  it('twice with the same text within 10 s is two messages', () => {
    const sent = addSent(addSent(threadOf([]), temporary('a', 5), null), temporary('b', 6), null)
    const first = applyChanges(sent, [insert(mine('r1', 5))])
    const second = applyChanges(first, [insert(mine('r2', 6))])
    expect([idsOf(sent), idsOf(first), idsOf(second)]).toEqual([
      ['temp_a', 'temp_b'],
      ['r1', 'temp_b'],
      ['r1', 'r2'],
    ])
  })

  it('is not added where its row came first', () => {
    const echoed = (row: Message) => applyChanges(threadOf([]), [insert(row)])
    expect([
      idsOf(addSent(echoed(mine('real', 5)), temporary('k', 5), 'real')),
      idsOf(addSent(echoed(mine('real', 5, { idempotency_key: 'k' })), temporary('k', 5), null)),
      idsOf(addSent(echoed(mine('real', 5)), temporary('k', 5), null)),
    ]).toEqual([['real'], ['real'], ['real']])
  })

  it('is added where the row that came first is already another send', () => {
    const first = addSent(applyChanges(threadOf([]), [insert(mine('r1', 5))]), temporary('a', 5), null)
    const second = addSent(first, temporary('b', 6), null)
    expect([idsOf(first), idsOf(second), idsOf(applyChanges(second, [insert(mine('r2', 6))]))]).toEqual([
      ['r1'],
      ['r1', 'temp_b'],
      ['r1', 'r2'],
    ])
  })

  it('is added where the row in sight has taken the place of another send', () => {
    const first = applyChanges(addSent(threadOf([]), temporary('a', 5), null), [insert(mine('r1', 5))])
    const second = addSent(first, temporary('b', 6), null)
    expect([idsOf(first), idsOf(second)]).toEqual([['r1'], ['r1', 'temp_b']])
  })

  it('gives way to a known row that learns its key later', () => {
    const both = addSent(applyChanges(threadOf([]), [insert(mine('real', 50))]), temporary('k', 5), null)
    const settled = applyChanges(both, [update(mine('real', 50, { idempotency_key: 'k' }))])
    expect([idsOf(both), idsOf(settled)]).toEqual([['temp_k', 'real'], ['real']])
  })

  it('is not taken for the same words of the person', () => {
    const theirs = messageOf('m9', 5, { message_text: 'ok' })
    expect(idsOf(addSent(threadOf([theirs]), temporary('k', 5), null))).toEqual(['m9', 'temp_k'])
  })

  it('stays where the thread is cut off after it', () => {
    const sent = addSent(threadOf([one, two, three]), temporary('k', 0.5), null)
    expect(idsOf(cutBefore(sent, { at: Date.parse(at(2)), id: 'm2' }))).toEqual(['temp_k', 'm2', 'm3'])
  })

  it('told twice is there once', () => {
    const once = addSent(threadOf([]), temporary('k', 5), null)
    expect(addSent(once, temporary('k', 5), null)).toBe(once)
  })

  it('stays where a refetch does not have it yet, and gives way where it does', () => {
    const sent = addSent(threadOf([one]), temporary('k', 5), 'real')
    const fetched = (messages: Message[]) =>
      idsOf(mergePage(sent, { messages, hasMore: false }, { isNewest: true, adjoins: false }))
    expect([fetched([one]), fetched([one, mine('real', 5)])]).toEqual([
      ['m1', 'temp_k'],
      ['m1', 'real'],
    ])
  })
})

describe('a thread', () => {
  const ids = ['a', 'b', 'c', 'd', 'e']
  const history = fc
    .array(
      fc.record({
        id: fc.constantFrom(...ids),
        kind: fc.constantFrom('edit', 'read', 'delete'),
        seconds: fc.integer({ min: 0, max: 3 }),
      }),
      { maxLength: 12 },
    )
    .map((steps) => {
      const rows = new Map<string, Message>()
      const changes: MessageChange[] = []
      const gone = new Set<string>()
      for (const [index, { id, kind, seconds }] of steps.entries()) {
        if (gone.has(id)) continue
        const row = rows.get(id)
        const moment = at(1000 + index)
        if (!row) {
          rows.set(id, messageOf(id, seconds))
          changes.push(insert(messageOf(id, seconds), moment))
        } else if (kind === 'delete') {
          gone.add(id)
          rows.delete(id)
          changes.push(remove(id))
        } else {
          const next = kind === 'read' ? { ...row, is_read: true } : { ...row, message_text: `edit ${index}` }
          rows.set(id, next)
          changes.push(update(next, moment))
        }
      }
      return { changes, rows: [...rows.values()] }
    })
  const disordered = history.chain(({ changes, rows }) =>
    fc
      .tuple(
        fc.shuffledSubarray(changes, { minLength: changes.length }),
        fc.array(changes.length > 0 ? fc.constantFrom(...changes) : fc.constant(insert(one)), {
          maxLength: changes.length,
        }),
        fc.integer({ min: 1, max: 4 }),
      )
      .map(([shuffled, again, batch]) => ({
        rows,
        changes: [...shuffled, ...(changes.length > 0 ? again : [])],
        batch,
      })),
  )

  it('is the same after the same changes in any order, doubled and in any batches', () => {
    fc.assert(
      fc.property(disordered, ({ rows, changes, batch }) => {
        let thread = threadOf([])
        for (let from = 0; from < changes.length; from += batch) {
          thread = applyChanges(thread, changes.slice(from, from + batch))
        }
        expect(thread.messages).toEqual(threadOf(rows).messages)
        expect(thread.unread).toBe(rows.filter((row) => !row.is_read).length)
      }),
      { numRuns: 2_000 },
    )
  })

  it('of 50,000 messages takes one more without looking at more than a few of them', () => {
    let looks = 0
    const watched = (index: number): Message => {
      const message = messageOf(`m${index}`, index)
      const id = message.message_id
      const look = () => {
        looks += 1
        return id
      }
      return Object.defineProperty(message, 'message_id', { get: look, enumerable: true })
    }
    const thread = threadOf(Array.from({ length: 50_000 }, (_, index) => watched(index)))
    looks = 0
    const next = applyChanges(thread, [insert(messageOf('next', 60_000))])
    expect(next.messages.length).toBe(50_001)
    expect(next.messages[0]).toBe(thread.messages[0])
    expect(looks).toBeLessThan(100)
  })
})
