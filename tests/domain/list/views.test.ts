import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { appended, mergeTop, placed, replaced } from '../../../src/domain/list/conversation-list.ts'
import type { ListQuery } from '../../../src/domain/list/list-query.ts'
import { emptyRecords, rowById, withFetched, withStates } from '../../../src/domain/list/records.ts'
import { isInView, isLate, ruleOf, viewKey, viewOf } from '../../../src/domain/list/views.ts'
import type { Conversation } from '../../../src/schemas/conversation.ts'
import type { ConversationState, ConversationView } from '../../../src/schemas/conversation-state.ts'
import { at, row, stateOf } from '../../model/inbox-fixture.ts'

const hours = (count: number) => count * 60
/** Noon of the next day. */
const now = Date.parse(at(hours(24)))
const query = (view: ConversationView, order?: 'urgent'): ListQuery => ({
  search: '',
  pageId: null,
  unreadOnly: false,
  view,
  order,
})

const waiting = { waiting_since: at(0) }
const done = { ...waiting, done_at: at(1), done_by: 's1' }
const snoozed = { ...waiting, snoozed_at: at(1) }
const muted = { ...waiting, muted_at: at(1) }

describe('A row belongs to a view', () => {
  it.each<[string, Partial<ConversationState>, ConversationView[]]>([
    ['that waits', waiting, ['waiting', 'unassigned', 'all']],
    ['that waits and is mine', { ...waiting, assigned_to: 's1' }, ['waiting', 'mine', 'all']],
    ['that waits and is of somebody else', { ...waiting, assigned_to: 's2' }, ['waiting', 'all']],
    ['that was answered', {}, ['unassigned', 'all']],
    ['that is done', done, ['all', 'done']],
    ['that is snoozed', snoozed, ['all', 'snoozed']],
    ['that is muted', muted, ['all']],
    ['that is done and mine', { ...done, assigned_to: 's1' }, ['all', 'done']],
    ['that was done while it was snoozed', { ...done, ...snoozed }, ['all', 'done']],
  ])('%s', (_, more, views) => {
    const all: ConversationView[] = ['waiting', 'mine', 'unassigned', 'all', 'snoozed', 'done']
    expect(all.filter((view) => isInView({ state: stateOf(1, more) }, view, 's1'))).toEqual(views)
  })

  it('if the server put it there and told no state', () =>
    expect(isInView({ state: undefined }, 'waiting', 's1')).toBe(true))
})

describe('The order of a view', () => {
  const of = (id: string, minute: number, more: Partial<ConversationState>, other: Partial<Conversation> = {}) =>
    row(id, minute, { state: stateOf(1, more), ...other })
  const sorted = (view: ConversationView, ...rows: Conversation[]) =>
    rows.toSorted((a, b) => viewKey(b, view, now) - viewKey(a, view, now)).map(({ primary_user_id }) => primary_user_id)

  it('Waiting puts the longest wait first, and the closed reply windows last, newest message first', () => {
    const rows = [
      of('c1', hours(-30), { waiting_since: at(hours(-30)) }),
      of('c2', hours(23), { waiting_since: at(hours(23)) }),
      of('c3', hours(-1), { waiting_since: at(hours(-40)) }),
      // The person wrote first two days ago and again an hour ago, so the reply window is open.
      of('c4', hours(23), { waiting_since: at(hours(-24)) }),
    ]
    expect(sorted('waiting', ...rows)).toEqual(['c4', 'c2', 'c3', 'c1'])
  })

  it('Waiting by urgency puts less time left and more money first, and the closed reply windows last', () => {
    const rows = [
      of('c1', hours(-30), { waiting_since: at(hours(-30)) }, { outstanding: 10 ** 12 }),
      of('c2', hours(5), { waiting_since: at(hours(5)) }),
      of('c3', hours(3), { waiting_since: at(hours(-24)) }, { outstanding: 0 }),
      // Two hours for each power of ten.
      of('c4', hours(10), { waiting_since: at(hours(10)) }, { outstanding: 999_00 }),
      of('c5', hours(10), { waiting_since: at(hours(10)) }, { outstanding: 9_999_00 }),
    ]
    const rule = ruleOf(query('waiting', 'urgent'), 's1', now)
    const sortedRows = rows.toSorted((a, b) => rule.keyOf(b) - rule.keyOf(a))
    expect(sortedRows.map(({ primary_user_id }) => primary_user_id)).toEqual(['c5', 'c3', 'c4', 'c2', 'c1'])
  })

  it('by urgency never puts a person back who owes more or has less time', () => {
    const person = fc.record({ minute: fc.integer({ min: 1, max: hours(24) }), outstanding: fc.nat(10 ** 9) })
    const keyOf = ({ minute, outstanding }: { minute: number; outstanding: number }) =>
      viewKey(of('c1', minute, { waiting_since: at(minute) }, { outstanding }), 'waiting', now, 'urgent')
    fc.assert(
      fc.property(person, person, (one, other) => {
        const isFirst = one.minute <= other.minute && one.outstanding >= other.outstanding
        if (isFirst) expect(keyOf(one)).toBeGreaterThanOrEqual(keyOf(other))
      }),
    )
  })

  it('takes the time of the person from the last incoming message if staff or a robot wrote last', () => {
    const answered = { last_message_direction: 'outgoing', last_incoming_at: at(hours(-1)) } as const
    const robot = of('c1', hours(23), { waiting_since: at(hours(-1)) }, answered)
    expect([isLate(robot, now), isLate(robot, now - 3_600_000 - 1)]).toEqual([true, false])
  })

  it('Snoozed puts the next end first, and a snooze without an end last', () => {
    const until = (minute: number | null) => ({ snoozed_at: at(0), snoozed_until: minute === null ? null : at(minute) })
    expect(sorted('snoozed', of('c1', 9, until(null)), of('c2', 1, until(60)), of('c3', 2, until(30)))).toEqual([
      'c3',
      'c2',
      'c1',
    ])
  })

  it('Done puts the last closed first, and the other views the newest message', () => {
    const rows = [of('c1', 5, { done_at: at(10) }), of('c2', 9, { done_at: at(7) })]
    expect((['done', 'mine', 'unassigned', 'all'] as const).map((view) => sorted(view, ...rows))).toEqual([
      ['c1', 'c2'],
      ['c2', 'c1'],
      ['c2', 'c1'],
      ['c2', 'c1'],
    ])
  })

  it('of a search is that of all conversations', () =>
    expect([viewOf({ ...query('done'), search: 'ana' }), viewOf({ ...query('done'), search: ' ' })]).toEqual([
      'all',
      'done',
    ]))
})

const ids = ['c1', 'c2', 'c3', 'c4', 'c5'] as const
const minute = fc.integer({ min: -hours(40), max: hours(23) }).map(at)
const moment = fc.option(minute)
const anyState = fc.record({
  waiting_since: moment,
  done_at: moment,
  snoozed_at: moment,
  assigned_to: fc.option(fc.constantFrom('s1', 's2')),
})

describe('A list of a view', () => {
  it('holds after each state exactly the rows of the view, in its order, whatever the order of the states', () => {
    const step = fc.record({ id: fc.constantFrom(...ids), version: fc.integer({ min: 1, max: 9 }), state: anyState })
    const view = fc.constantFrom<ConversationView>('waiting', 'mine', 'unassigned', 'snoozed', 'done')
    const order = fc.constantFrom(undefined, 'urgent' as const)
    fc.assert(
      fc.property(view, order, fc.array(step, { maxLength: 12 }), (chosen, by, steps) => {
        const rule = ruleOf(query(chosen, by), 's1', now)
        const rows = ids.map((id, index) =>
          row(id, index, { state: stateOf(0, waiting), outstanding: index % 2 === 0 ? index * 10_000 : null }),
        )
        let records = withFetched(emptyRecords, rows, 0)
        let order = placed([], ids, records, rule, true)
        for (const { id, version, state } of steps) {
          records = withStates(records, [{ id, state: stateOf(version, state) }])
          order = placed(order, [id], records, rule, true)
        }
        const keys = order.map((id) => rule.keyOf(rowById(records, id) ?? row(id, 0)))
        expect([order.toSorted(), keys]).toEqual([
          ids.filter((id) => rule.includes(rowById(records, id) ?? row(id, 0))),
          keys.toSorted((a, b) => b - a),
        ])
      }),
      { seed: 17, numRuns: 300 },
    )
  })

  const rule = ruleOf(query('waiting'), 's1', now)
  const first = row('c1', hours(20), { state: stateOf(1, { waiting_since: at(hours(20)) }) })
  const second = row('c2', hours(21), { state: stateOf(1, { waiting_since: at(hours(21)) }) })
  const isDone = [{ id: 'c1', state: stateOf(2, { waiting_since: at(hours(20)), done_at: at(hours(22)) }) }]
  const records = withFetched(withStates(withFetched(emptyRecords, [first, second], 0), isDone), [first, second], 0)

  it.each([
    [
      'a refetch',
      mergeTop(['c2'], { rows: [first, second], hasNext: false, covered: 0, changedSince: [] }, records, rule).order,
    ],
    ['a first fetch', replaced([], [first, second], records, rule)],
    ['a later result page', appended(['c2'], [first], records, rule)],
  ])('shows no row that left the view after %s was requested', (_, order) => expect(order).toEqual(['c2']))

  it('believes the server about a row whose state it knows no better', () => {
    const odd = row('c3', hours(1), { state: stateOf(1) })
    const known = withFetched(emptyRecords, [odd], 0)
    expect(replaced([], [odd], known, rule)).toEqual(['c3'])
  })

  it('adds no unknown row by itself, and no row under a filter', () => {
    const known = withFetched(emptyRecords, [first], 0)
    expect([placed([], ['c9'], known, rule, true), placed([], ['c1'], known, rule, false)]).toEqual([[], []])
  })
})
