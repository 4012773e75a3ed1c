import { describe, expect, it } from 'vitest'
import {
  appended,
  fresh,
  isMissing,
  mergeTop,
  movedUp,
  replaced,
  staleAll,
  stalenessAfterMessages,
  stalenessAfterUsers,
  staleTop,
  worse,
} from '../../../src/domain/list/conversation-list.ts'
import {
  emptyRecords,
  type Records,
  rowById,
  withFetched,
  withMessageChanges,
} from '../../../src/domain/list/records.ts'
import type { MessageChange } from '../../../src/domain/shell/changes.ts'
import type { Conversation } from '../../../src/schemas/conversation.ts'
import { at, inserted, renamed, row, updated } from '../../model/inbox-fixture.ts'

/** A list with its records. */
type List = { order: readonly string[]; records: Records }

const listOf = (...rows: Conversation[]): List => {
  const records = withFetched(emptyRecords, rows, 0)
  return { records, order: replaced([], rows, records) }
}
const four = listOf(row('c4', 40), row('c3', 30), row('c2', 20), row('c1', 10))

/** Applies the answer of a refetch of the top, requested after the change number `asOf`. */
function answered({ order, records }: List, answer: Parameters<typeof mergeTop>[1], asOf = records.sequence) {
  const next = withFetched(records, answer.rows, asOf)
  const merged = mergeTop(order, answer, next)
  return { ...merged, rows: merged.order.map((id) => rowById(next, id)) }
}

const heard = ({ order, records }: List, ...changes: MessageChange[]): List => {
  const next = withMessageChanges(records, changes)
  return { records: next, order: movedUp(order, changes, next) }
}

describe('A refetch of the top', () => {
  const top = { hasNext: true, covered: 0, changedSince: [] }

  it('moves a row up and keeps the later rows', () => {
    const { rows, dropped } = answered(four, { ...top, rows: [row('c1', 50), row('c4', 40)] })
    expect([rows, dropped]).toEqual([[row('c1', 50), row('c4', 40), row('c3', 30), row('c2', 20)], false])
  })

  it.each([
    ['puts a new row first', { rows: [row('c5', 50), row('c4', 40)] }, ['c5', 'c4', 'c3', 'c2', 'c1'], false],
    [
      'drops a row that is missing in the range of the answer',
      { rows: [row('c4', 40), row('c2', 20)] },
      ['c4', 'c2', 'c1'],
      true,
    ],
    [
      'drops every row missing in the answer if there are no later rows',
      { rows: [row('c4', 40)], hasNext: false },
      ['c4'],
      true,
    ],
    ['empties the list when the answer is empty', { rows: [], hasNext: false }, [], true],
    [
      'keeps a row with the same time as the last row of the answer',
      { rows: [row('c4', 40), row('c5', 30)] },
      ['c4', 'c5', 'c3', 'c2', 'c1'],
      false,
    ],
    [
      'drops stale rows missing in the answer and keeps the rows further down',
      { rows: [row('c5', 50), row('c4', 40)], covered: 2 },
      ['c5', 'c4', 'c2', 'c1'],
      true,
    ],
    [
      'moves a row down if its last message was deleted',
      { rows: [row('c3', 30), row('c4', 5), row('c2', 20)] },
      ['c3', 'c4', 'c2', 'c1'],
      false,
    ],
    [
      'keeps a row with a later realtime change',
      { rows: [row('c4', 40), row('c2', 20)], changedSince: ['c3'] },
      ['c4', 'c3', 'c2', 'c1'],
      false,
    ],
  ])('%s', (_, answer, order, dropped) => {
    expect(answered(four, { ...top, ...answer })).toMatchObject({ order, dropped })
  })

  it('does not undo realtime changes that came after the request, of loaded rows or others', () => {
    const late = heard(four, inserted('c1', 60, { message_text: 'new' }), inserted('c9', 35))
    const { order, rows } = answered(
      late,
      { ...top, rows: [row('c4', 40), row('c3', 30), row('c9', 25)], changedSince: ['c1', 'c9'] },
      four.records.sequence,
    )
    expect([order, rows[0]?.last_message_text]).toEqual([['c1', 'c4', 'c9', 'c3', 'c2'], 'new'])
  })

  it('moves a row down if the request was sent after the last realtime change', () => {
    const { rows } = answered(heard(four, inserted('c1', 60)), { ...top, rows: [row('c4', 40), row('c1', 35)] })
    expect(rows).toEqual([row('c4', 40), row('c1', 35), row('c3', 30), row('c2', 20)])
  })

  it('keeps the same order array if nothing changed', () => {
    expect(answered(four, { ...top, rows: [row('c4', 40), row('c3', 30)] }).order).toBe(four.order)
  })
})

describe('A later page', () => {
  it('is appended without moving the rows that it repeats', () => {
    expect(appended(four.order, [row('c1', 10), row('c0', 5)])).toEqual(['c4', 'c3', 'c2', 'c1', 'c0'])
  })

  it('counts a row once if the answer holds it twice', () => {
    expect(appended([], [row('c1', 10), row('c1', 10)])).toEqual(['c1'])
  })
})

describe('A realtime message', () => {
  it.each([
    ['moves its row to the sorted place', four, [inserted('c2', 35)], ['c4', 'c2', 'c3', 'c1']],
    [
      'moves several rows newest first, in any order of arrival',
      four,
      [inserted('c1', 60), inserted('c3', 70), inserted('c2', 65)],
      ['c3', 'c2', 'c1', 'c4'],
    ],
    ['puts its row before a row of the same time', four, [inserted('c2', 40)], ['c2', 'c4', 'c3', 'c1']],
    ['is sorted by the network’s time', four, [inserted('c2', 90, { timestamp_fb: at(35) })], ['c4', 'c2', 'c3', 'c1']],
    [
      'finds its row by the Facebook user if the conversation id is missing',
      four,
      [inserted('c1', 90, { primary_user_id: null })],
      ['c1', 'c4', 'c3', 'c2'],
    ],
    [
      'keeps a row without messages behind rows with messages',
      listOf(row('c2', 20), row('c0', 0, { last_message_at: null })),
      [inserted('c2', 25), inserted('c0', 5)],
      ['c2', 'c0'],
    ],
  ])('%s', (_, list, changes, order) => expect(heard(list, ...changes).order).toEqual(order))

  it.each([
    ['older than the last message', [inserted('c4', 15)]],
    ['of a conversation that is not loaded', [inserted('c9', 90)]],
    ['that was deleted', [{ type: 'DELETE', messageId: 'm1' } as const]],
    ['that was updated', [updated('c2', 90)]],
  ])('keeps the same order array if it is one %s', (_, changes) => {
    expect(heard(four, ...changes).order).toBe(four.order)
  })

  it('moves no row if it is from another page than the page filter', () => {
    const filtered = { ...four, records: { ...four.records, pageId: 'p2' } }
    expect(heard(filtered, inserted('c2', 90)).order).toBe(four.order)
    expect(heard(filtered, inserted('c2', 90, { page_id: 'p2' })).order[0]).toBe('c2')
  })
})

describe('The stale part of the list', () => {
  const stale = (list: List, changes: readonly MessageChange[]) => {
    const { order, records } = heard(list, ...changes)
    return stalenessAfterMessages(order, changes, records, 2)
  }

  it.each([
    ['no change', [], fresh],
    ['a message newer than the first page', [inserted('c1', 90)], { depth: 'top', rows: ['c1'] }],
    ['a message of a conversation that is not loaded', [inserted('c9', 90)], { depth: 'top', rows: ['c9'] }],
    ['a message of a row of the first page', [updated('c4', 15)], { depth: 'top', rows: ['c4'] }],
    ['an old message of a later row', [inserted('c1', 3)], { depth: 'all', rows: ['c1'] }],
    ['a changed message of a later row', [updated('c1', 10, { is_read: true })], { depth: 'all', rows: ['c1'] }],
    ['a changed message of an unknown conversation', [updated('c9', 10, { primary_user_id: null })], staleAll],
    ['a deleted message', [{ type: 'DELETE', messageId: 'm1' } as const], staleAll],
    ['two changes of one row', [updated('c4', 15), updated('c4', 16)], { depth: 'top', rows: ['c4'] }],
    ['a first-page and a later row', [updated('c1', 10), updated('c4', 16)], { depth: 'all', rows: ['c1', 'c4'] }],
  ] as const)('after %s', (_, changes, expected) => {
    expect(stale(four, changes)).toEqual(expected)
  })

  it.each([
    ['a user of a row of the first page', [renamed('u4', 'Maria')], { depth: 'top', rows: ['c4'] }],
    ['a user of a later row', [renamed('u1', 'Maria')], staleAll],
    ['a user who is not known here', [renamed('u9', 'Maria')], staleAll],
    ['no user', [], fresh],
  ] as const)('after %s', (_, changes, expected) => {
    expect(stalenessAfterUsers(four.order, changes, four.records, 2)).toEqual(expected)
  })

  it('covers a message older than the last row of the first page, and a newer one', () => {
    const rows = listOf(row('c3', 30), row('c2', 20), row('c1', 10))
    expect(stale(rows, [inserted('c1', 19)])).toEqual({ depth: 'all', rows: ['c1'] })
    expect(stale(rows, [inserted('c1', 21)])).toEqual({ depth: 'top', rows: ['c1'] })
    expect(stale(rows, [updated('c1', 90)])).toEqual({ depth: 'all', rows: ['c1'] })
  })

  it('merges two parts to the greater depth, with each row once', () => {
    const [top, all] = [
      { depth: 'top', rows: ['c1', 'c2'] },
      { depth: 'all', rows: ['c2', 'c3'] },
    ] as const
    expect(worse(top, all)).toEqual({ depth: 'all', rows: ['c1', 'c2', 'c3'] })
    expect(worse(all, top)).toEqual({ depth: 'all', rows: ['c2', 'c3', 'c1'] })
    expect(worse(top, fresh)).toEqual(top)
    expect([fresh, staleTop, staleAll]).toEqual([
      { depth: 'none', rows: [] },
      { depth: 'top', rows: [] },
      { depth: 'all', rows: [] },
    ])
  })

  it('goes deeper if the answer does not hold an expected row', () => {
    expect(isMissing(four.order, ['c2'], [row('c4', 40), row('c3', 30)])).toBe(true)
    expect(isMissing(four.order, ['c2', 'c3'], [row('c4', 40), row('c3', 30)])).toBe(true)
    expect(isMissing(four.order, ['c3', 'c9'], [row('c4', 40), row('c3', 30)])).toBe(false)
  })
})
