import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  emptyRecords,
  type Records,
  rowById,
  stateChangedBy,
  toldState,
  withExpectedState,
  withFetched,
  withoutExpectedState,
  withStates,
  withUnreadMark,
} from '../../../src/domain/list/records.ts'
import { row, stateOf } from '../../model/inbox-fixture.ts'

const stateIn = (records: Records) => rowById(records, 'c1')?.state
const withRow = (version: number) => withFetched(emptyRecords, [row('c1', 0, { state: stateOf(version) })], 0)
const mine = { key: 'k', part: { assigned_to: 's1' } }

describe('The state of a row', () => {
  it('is the one with the highest version, in whatever order answers and events arrive', () => {
    const version = fc.integer({ min: 0, max: 6 })
    const step = fc.tuple(fc.constantFrom('answer', 'event'), version)
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 10 }), (steps) => {
        const state = (n: number) => stateOf(n, { assigned_to: `s${n}` })
        const records = steps.reduce(
          (before, [kind, n]) =>
            kind === 'event'
              ? withStates(before, [{ id: 'c1', state: state(n) }])
              : withFetched(before, [row('c1', 0, { state: state(n) })], before.sequence),
          emptyRecords,
        )
        const isShown = steps.some(([kind]) => kind === 'answer')
        const highest = Math.max(...steps.map(([, n]) => n))
        expect(stateIn(records)).toEqual(isShown ? state(highest) : undefined)
      }),
      { seed: 17, numRuns: 300 },
    )
  })

  it('reaches the row by any of its ids, also if the row arrives later', () => {
    const early = withStates(emptyRecords, [{ id: 'c1', state: stateOf(4) }])
    expect(stateIn(withFetched(early, [row('c1', 0, { state: stateOf(3) })], 0))?.version).toBe(4)
    expect(stateIn(withStates(withRow(1), [{ id: 'u1', state: stateOf(5) }]))?.version).toBe(5)
  })

  it('stays the same object, with its row, if an answer repeats it', () => {
    const before = withStates(withRow(1), [{ id: 'c1', state: stateOf(2) }])
    const after = withFetched(before, [row('c1', 0, { state: stateOf(2) })], 0)
    expect(rowById(after, 'c1')).toBe(rowById(before, 'c1'))
  })

  it('stays unknown for an API that does not tell it', () =>
    expect(stateIn(withExpectedState(withFetched(emptyRecords, [row('c1', 0)], 0), 'c1', mine))).toBe(undefined))

  it('names who changed it, as only the realtime event does', () => {
    const answered = withStates(withRow(1), [{ id: 'c1', state: stateOf(2) }])
    const heard = withStates(answered, [{ id: 'c1', state: stateOf(2), changedBy: 's2' }])
    const later = withFetched(heard, [row('c1', 0, { state: stateOf(3) })], 0)
    expect([answered, heard, later].map((records) => stateChangedBy(records, 'c1'))).toEqual([null, 's2', null])
  })
})

describe('A change that is shown before its answer', () => {
  const shown = withExpectedState(withRow(1), 'c1', mine)

  it('is shown on top of what the server tells meanwhile, which knows nothing of it', () => {
    const told = withFetched(
      withStates(shown, [{ id: 'c1', state: stateOf(2, { muted_at: 'now' }) }]),
      [row('c1', 0, { state: stateOf(1) })],
      0,
    )
    expect([stateIn(shown), stateIn(told), toldState(told, 'c1')]).toEqual([
      stateOf(1, { assigned_to: 's1' }),
      stateOf(2, { assigned_to: 's1', muted_at: 'now' }),
      stateOf(2, { muted_at: 'now' }),
    ])
  })

  it("is taken back alone: the server's state and other changes stay", () => {
    const two = withExpectedState(shown, 'c1', { key: 'other', part: { muted_at: 'now' } })
    expect([stateIn(withoutExpectedState(two, 'k')), stateIn(withoutExpectedState(shown, 'k'))]).toEqual([
      stateOf(1, { muted_at: 'now' }),
      stateOf(1),
    ])
  })
})

it('A conversation marked as unread has an unread message and changes the count once', () => {
  const once = withUnreadMark(withRow(1), 'c1')
  const twice = withUnreadMark(once, 'u1')
  expect([rowById(twice, 'c1')?.unread_messages, twice.unreadChange, withUnreadMark(twice, 'c9')]).toEqual([
    1,
    1,
    twice,
  ])
})
