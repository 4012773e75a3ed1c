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

describe('The changes of a thread', () => {
  const cases: Record<string, { before: Message[]; changes: MessageChange[]; after: Message[] }> = {
    'put an insert at its place in time': { before: [one, three], changes: [insert(two)], after: [one, two, three] },
    'sort messages of the same time by id': {
      before: [messageOf('b', 5)],
      changes: [insert(messageOf('c', 5)), insert(messageOf('a', 5))],
      after: [messageOf('a', 5), messageOf('b', 5), messageOf('c', 5)],
    },
    'prefer the time of the network to the time when a message was stored': {
      before: [two],
      changes: [insert(messageOf('late', 1, { created_at: at(900) }))],
      after: [messageOf('late', 1, { created_at: at(900) }), two],
    },
    'use the stored time without a time of the network': {
      before: [two],
      changes: [insert(messageOf('old', 1, { timestamp_fb: null }))],
      after: [messageOf('old', 1, { timestamp_fb: null }), two],
    },
    'skip a second insert of a known message': {
      before: [one],
      changes: [insert(one), insert(one)],
      after: [one],
    },
    'fill in only missing fields from a second insert of a known message': {
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
    'fill in a missing primary user id from a second insert': {
      before: [{ ...one, primary_user_id: null }],
      changes: [insert(one)],
      after: [one],
    },
    'replace a message on an update': {
      before: [one],
      changes: [update({ ...one, message_text: 'edited' })],
      after: [{ ...one, message_text: 'edited' }],
    },
    'keep an update that arrives before its insert': {
      before: [],
      changes: [update({ ...one, message_text: 'edited' }, at(9)), insert(one, at(8))],
      after: [{ ...one, message_text: 'edited' }],
    },
    'ignore an update that is older than an applied one': {
      before: [one],
      changes: [update({ ...one, message_text: 'second' }, at(9)), update({ ...one, message_text: 'first' }, at(8))],
      after: [{ ...one, message_text: 'second' }],
    },
    'keep a read message read': {
      before: [{ ...one, is_read: true }],
      changes: [update({ ...one, message_text: 'edited' })],
      after: [{ ...one, is_read: true, message_text: 'edited' }],
    },
    'mark a message as read even from an older row': {
      before: [],
      changes: [insert(one, at(9)), update({ ...one, is_read: true, message_text: 'older' }, at(8))],
      after: [{ ...one, is_read: true }],
    },
    'keep the fields that a realtime row omits': {
      before: [{ ...one, page_name: 'Bakery' }],
      changes: [update({ ...one, is_read: true })],
      after: [{ ...one, page_name: 'Bakery', is_read: true }],
    },
    'move a message if an update changes its time': {
      before: [one, two],
      changes: [update({ ...one, timestamp_fb: at(7) })],
      after: [two, { ...one, timestamp_fb: at(7) }],
    },
    'remove a known message on a delete': { before: [one, two], changes: [remove('m1')], after: [two] },
    'ignore a delete of an unknown message': { before: [one], changes: [remove('m9')], after: [one] },
    'do not restore a deleted message on a late insert': {
      before: [one],
      changes: [remove('m2'), insert(two)],
      after: [one],
    },
  }
  it.each(Object.entries(cases))('%s', (_, { before, changes, after }) => {
    expect(applyChanges(threadOf(before), changes).messages).toEqual(after)
  })

  it('are ignored before a page was fetched', () => {
    expect([isLoaded(emptyThread), applyChanges(emptyThread, [insert(one)]).messages]).toEqual([false, []])
  })

  it('ignore messages older than the oldest held message while older pages exist', () => {
    const old = insert(messageOf('m0', 0))
    expect([idsOf(applyChanges(threadOf([one], true), [old])), idsOf(applyChanges(threadOf([one]), [old]))]).toEqual([
      ['m1'],
      ['m0', 'm1'],
    ])
  })

  it('keep every untouched message the same object', () => {
    const before = threadOf([one, two])
    const after = applyChanges(before, [insert(three), update({ ...two, is_read: true })])
    expect(after.messages[0]).toBe(before.messages[0])
    expect(after.messages[1]).not.toBe(before.messages[1])
  })

  it('keep the thread the same object if nothing changes', () => {
    const before = threadOf([one, two])
    expect(applyChanges(before, [insert({ ...one }), update({ ...two })])).toBe(before)
  })

  it('count the unread messages', () => {
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

describe('A fetched page', () => {
  it('is merged by id', () => {
    const page = { messages: [{ ...two, message_text: 'edited' }, three], hasMore: true }
    const thread = mergePage(threadOf([one, two]), page, { isNewest: true, adjoins: false })
    expect(thread.messages).toEqual([one, { ...two, message_text: 'edited' }, three])
  })

  it('removes held messages that it lacks, only within its time range', () => {
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

  it('does not mark a message that was read here as unread', () => {
    const thread = mergePage(
      markAllRead(threadOf([one])),
      { messages: [one], hasMore: false },
      { isNewest: true, adjoins: false },
    )
    expect(thread.messages).toEqual([{ ...one, is_read: true }])
  })

  it('does not restore a message that was deleted during the request', () => {
    const held = applyChanges(threadOf([one, two]), [remove('m2')])
    expect(
      idsOf(mergePage(held, { messages: [one, two], hasMore: false }, { isNewest: true, adjoins: false })),
    ).toEqual(['m1'])
  })

  it('can arrive in any order', () => {
    const thread = mergePage(
      emptyThread,
      { messages: [three, one, two], hasMore: true },
      { isNewest: true, adjoins: true },
    )
    expect(thread).toEqual(threadOf([one, two, three], true))
    expect(idsOf(applyChanges(thread, [insert(messageOf('late', 1.5))]))).toEqual(['m1', 'late', 'm2', 'm3'])
  })

  it('without news keeps the thread the same object', () => {
    const held = threadOf([one, two], true)
    const again = { messages: [{ ...one }, { ...two }], hasMore: true }
    expect(mergePage(held, again, { isNewest: true, adjoins: true })).toBe(held)
  })

  it('moves the oldest held position only backwards', () => {
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

  it('says whether there are older messages', () => {
    const recent = threadOf([three], true)
    const older = mergePage(recent, { messages: [two], hasMore: true }, { isNewest: false, adjoins: true })
    const all = mergePage(older, { messages: [one], hasMore: false }, { isNewest: false, adjoins: true })
    expect([recent, older, all].map((thread) => [idsOf(thread), hasOlder(thread)])).toEqual([
      [['m3'], true],
      [['m2', 'm3'], true],
      [['m1', 'm2', 'm3'], false],
    ])
  })

  it('cuts the thread off at a gap', () => {
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

describe('A sent message', () => {
  it('stays in the thread until a row with its id arrives', () => {
    const sent = addSent(threadOf([one]), temporary('k', 5), 'real')
    const settled = applyChanges(sent, [insert(mine('real', 5))])
    expect([idsOf(sent), idsOf(settled)]).toEqual([
      ['m1', 'temp_k'],
      ['m1', 'real'],
    ])
  })

  it('matches a row by its key without an id, at any time', () => {
    const sent = addSent(threadOf([]), temporary('k', 5), null)
    expect(idsOf(applyChanges(sent, [insert(mine('real', 500, { idempotency_key: 'k' }))]))).toEqual(['real'])
  })

  it('matches a row by text, direction and 10 s without id and key', () => {
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

  it('does not match the same text of a colleague with another id or key', () => {
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

  it('with the same text as another within 10 s stays a separate message', () => {
    const sent = addSent(addSent(threadOf([]), temporary('a', 5), null), temporary('b', 6), null)
    const first = applyChanges(sent, [insert(mine('r1', 5))])
    const second = applyChanges(first, [insert(mine('r2', 6))])
    expect([idsOf(sent), idsOf(first), idsOf(second)]).toEqual([
      ['temp_a', 'temp_b'],
      ['r1', 'temp_b'],
      ['r1', 'r2'],
    ])
  })

  it('is not added if its row arrived first', () => {
    const echoed = (row: Message) => applyChanges(threadOf([]), [insert(row)])
    expect([
      idsOf(addSent(echoed(mine('real', 5)), temporary('k', 5), 'real')),
      idsOf(addSent(echoed(mine('real', 5, { idempotency_key: 'k' })), temporary('k', 5), null)),
      idsOf(addSent(echoed(mine('real', 5)), temporary('k', 5), null)),
    ]).toEqual([['real'], ['real'], ['real']])
  })

  it('is added if the row that arrived first already matched another send', () => {
    const first = addSent(applyChanges(threadOf([]), [insert(mine('r1', 5))]), temporary('a', 5), null)
    const second = addSent(first, temporary('b', 6), null)
    expect([idsOf(first), idsOf(second), idsOf(applyChanges(second, [insert(mine('r2', 6))]))]).toEqual([
      ['r1'],
      ['r1', 'temp_b'],
      ['r1', 'r2'],
    ])
  })

  it('is added if the shown row already replaced another send', () => {
    const first = applyChanges(addSent(threadOf([]), temporary('a', 5), null), [insert(mine('r1', 5))])
    const second = addSent(first, temporary('b', 6), null)
    expect([idsOf(first), idsOf(second)]).toEqual([['r1'], ['r1', 'temp_b']])
  })

  it('is replaced by a known row that gets its key later', () => {
    const both = addSent(applyChanges(threadOf([]), [insert(mine('real', 50))]), temporary('k', 5), null)
    const settled = applyChanges(both, [update(mine('real', 50, { idempotency_key: 'k' }))])
    expect([idsOf(both), idsOf(settled)]).toEqual([['temp_k', 'real'], ['real']])
  })

  it('does not match an incoming message with the same text', () => {
    const theirs = messageOf('m9', 5, { message_text: 'ok' })
    expect(idsOf(addSent(threadOf([theirs]), temporary('k', 5), null))).toEqual(['m9', 'temp_k'])
  })

  it('stays if the thread is cut off after it', () => {
    const sent = addSent(threadOf([one, two, three]), temporary('k', 0.5), null)
    expect(idsOf(cutBefore(sent, { at: Date.parse(at(2)), id: 'm2' }))).toEqual(['temp_k', 'm2', 'm3'])
  })

  it('added twice appears once', () => {
    const once = addSent(threadOf([]), temporary('k', 5), null)
    expect(addSent(once, temporary('k', 5), null)).toBe(once)
  })

  it('stays until a refetch holds its row, which then replaces it', () => {
    const sent = addSent(threadOf([one]), temporary('k', 5), 'real')
    const fetched = (messages: Message[]) =>
      idsOf(mergePage(sent, { messages, hasMore: false }, { isNewest: true, adjoins: false }))
    expect([fetched([one]), fetched([one, mine('real', 5)])]).toEqual([
      ['m1', 'temp_k'],
      ['m1', 'real'],
    ])
  })
})

describe('A thread', () => {
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

  it('is the same after the same changes in any order, repeated and in any batches', () => {
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

  it('of 50,000 messages adds one message without reading more than a few', () => {
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
