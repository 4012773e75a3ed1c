import { describe, expect, it } from 'vitest'
import type { AnyEventObject, SnapshotFrom } from 'xstate'
import { fromCallback, SimulatedClock } from 'xstate'
import {
  type DisplayedListEvent,
  displayedListMachine,
  selectChoosableCount,
  selectIsHeld,
  selectLeaving,
  selectMarked,
  selectShown,
  selectWaitingCount,
} from '../../../src/machines/list/displayed-list.ts'
import { createCoverage, modelOf } from '../harness.ts'
import { at, row, stateOf } from '../inbox-fixture.ts'
import { recordsOf, startWithRecords } from '../records-fixture.ts'
import { followBeside, type Reference, when } from '../reference.ts'

const coverage = createCoverage(displayedListMachine)

/** Row `c5` was written 30 h before noon, so it is late; `c4` is late a minute after noon. */
const rows = [
  ...['c1', 'c2', 'c3'].map((id, index) => row(id, -index, { state: stateOf(1, { waiting_since: at(-index) }) })),
  row('c4', -24 * 60 + 1, { state: stateOf(1, { waiting_since: at(-24 * 60 + 1) }) }),
  row('c5', -30 * 60, { state: stateOf(1, { waiting_since: at(-30 * 60) }) }),
]

const list = (...order: string[]) => ({ order, query: '', folds: true, hasNext: false, isLoading: false })

function start() {
  const clock = new SimulatedClock()
  const machine = displayedListMachine.provide({ actors: { watchList: fromCallback(() => {}) } })
  const sut = startWithRecords(machine, {
    clock,
    rows,
    input: { now: () => Date.parse(at(0)) + clock.now() },
    inspect: coverage.inspect,
  })
  const send = (event: DisplayedListEvent) => sut.actor.send(event)
  const now = () => sut.actor.getSnapshot()
  return {
    ...sut,
    clock,
    send,
    change: (more: Partial<ReturnType<typeof list>> & { order: string[] }) =>
      send({ type: 'list.changed', ...list(), ...more }),
    shown: () => selectShown(now()).ids,
    late: () => selectShown(now()).late,
    leaving: () => selectLeaving(now()),
    waiting: () => selectWaitingCount(now()),
    isHeld: () => selectIsHeld(now()),
    marked: () => selectMarked(now()),
    choosable: () => selectChoosableCount(now()),
  }
}
const loaded = (...order: string[]) => {
  const sut = start()
  sut.change({ order })
  return sut
}

describe('The shown order', () => {
  it('follows the list while nobody uses it', () => {
    const sut = loaded('c1', 'c2')
    sut.change({ order: ['c3', 'c1'] })
    expect([sut.shown(), sut.waiting(), sut.isHeld()]).toEqual([['c3', 'c1'], 0, false])
  })

  it.each<[string, DisplayedListEvent, DisplayedListEvent, number]>([
    ['the pointer is', { type: 'pointer.entered' }, { type: 'pointer.left' }, 300],
    ['the focus is', { type: 'focus.entered' }, { type: 'focus.left' }, 300],
    // The click of the press arrives within 100 ms.
    ['a press is', { type: 'press.began' }, { type: 'press.ended' }, 400],
  ])('holds still while %s in it, and moves at once afterwards', (_, enter, leave, delay) => {
    const sut = loaded('c1', 'c2')
    sut.send(enter)
    sut.change({ order: ['c3', 'c2'] })
    expect([sut.shown(), sut.waiting(), sut.leaving()]).toEqual([['c1', 'c2'], 1, ['c1']])
    sut.send(leave)
    sut.clock.increment(100)
    sut.clock.increment(delay - 101)
    expect(sut.shown()).toEqual(['c1', 'c2'])
    sut.clock.increment(1)
    expect([sut.shown(), sut.waiting(), sut.leaving()]).toEqual([['c3', 'c2'], 0, []])
  })

  it('counts each new and each moved row once', () => {
    const sut = loaded('c1', 'c2', 'c3')
    sut.send({ type: 'pointer.entered' })
    const counts = [
      ['c3', 'c1', 'c2'],
      ['c2', 'c3', 'c1'],
      ['c4', 'c3', 'c1', 'c2'],
      ['c2', 'c3'],
      ['c1', 'c2', 'c3'],
    ].map((order) => {
      sut.change({ order })
      return sut.waiting()
    })
    expect(counts).toEqual([1, 1, 2, 0, 0])
  })

  it('takes in what waits when the person asks, and goes on holding', () => {
    const sut = loaded('c1', 'c2')
    sut.send({ type: 'pointer.entered' })
    sut.change({ order: ['c3', 'c1'] })
    sut.send({ type: 'arrivals.taken' })
    expect([sut.shown(), sut.waiting(), sut.leaving(), sut.isHeld()]).toEqual([['c3', 'c1'], 0, [], true])
  })

  it('shows the rows that scrolling loaded, and no new row below a complete list', () => {
    const sut = start()
    sut.change({ order: ['c1', 'c2'], hasNext: true })
    sut.send({ type: 'pointer.entered' })
    sut.change({ order: ['c1', 'c2', 'c3'] })
    expect([sut.shown(), sut.waiting()]).toEqual([['c1', 'c2', 'c3'], 0])
    sut.change({ order: ['c1', 'c2', 'c3', 'c4'] })
    expect([sut.shown(), sut.waiting()]).toEqual([['c1', 'c2', 'c3'], 1])
  })

  it('is replaced by another query, and by its answer, even while it is used', () => {
    const sut = loaded('c1', 'c2')
    sut.send({ type: 'pointer.entered' })
    sut.change({ order: ['c1', 'c2'], query: '?view=done', isLoading: true })
    sut.change({ order: ['c3'], query: '?view=done' })
    expect([sut.shown(), sut.waiting(), sut.leaving()]).toEqual([['c3'], 0, []])
  })

  it('keeps the rows that it shows, until it follows the list again', () => {
    const sut = loaded('c1', 'c2')
    sut.send({ type: 'pointer.entered' })
    sut.change({ order: ['c2'] })
    sut.tellRecords({ type: 'conversations.listed', ids: ['c2'] })
    expect(sut.row('c1')?.primary_user_id).toBe('c1')
    sut.send({ type: 'pointer.left' })
    sut.clock.increment(300)
    sut.tellRecords({ type: 'conversations.listed', ids: ['c2'] })
    expect([sut.row('c1'), sut.shown()]).toEqual([undefined, ['c2']])
  })
})

describe('Late rows', () => {
  it('stand at the end of Waiting, and a row joins them when its window closes', () => {
    const sut = loaded('c4', 'c1', 'c5')
    expect([sut.shown(), sut.late()]).toEqual([['c4', 'c1', 'c5'], 1])
    sut.clock.increment(30_000)
    sut.clock.increment(30_000)
    expect([sut.shown(), sut.late()]).toEqual([['c1', 'c4', 'c5'], 2])
  })

  it('stay where they are in the other views', () => {
    const sut = start()
    sut.change({ order: ['c5', 'c1'], folds: false })
    expect([sut.shown(), sut.late()]).toEqual([['c5', 'c1'], 0])
  })

  it('of a later result page join those that are shown', () => {
    const sut = start()
    sut.change({ order: ['c1'], hasNext: true })
    sut.send({ type: 'pointer.entered' })
    sut.change({ order: ['c1', 'c2', 'c5'], hasNext: true })
    expect([sut.shown(), sut.late()]).toEqual([['c1', 'c2', 'c5'], 1])
  })
})

describe('Marked rows', () => {
  it('are toggled, at most 100, and forgotten when they leave or another list opens', () => {
    const sut = loaded('c1', 'c2')
    const mark = (id: string) => sut.send({ type: 'row.marked', id })
    for (const id of ['c1', 'c2', 'c1']) mark(id)
    expect(sut.marked()).toEqual(['c2'])
    for (let index = 0; index < 120; index += 1) mark(`x${index}`)
    expect(sut.marked().length).toBe(100)
    sut.change({ order: ['c2', 'c1'] })
    expect(sut.marked()).toEqual(['c2'])
    sut.change({ order: ['c2'], query: '?view=mine' })
    expect(sut.marked()).toEqual([])
    mark('c2')
    sut.send({ type: 'marks.cleared' })
    expect(sut.marked()).toEqual([])
  })

  it('are a range of rows or all of them, without folded rows and rows that left the list', () => {
    const sut = loaded('c1', 'c2', 'c3', 'c5')
    const range = (from: string, id: string) => {
      sut.send({ type: 'range.marked', from, id })
      return sut.marked()
    }
    expect([range('c1', 'c5'), range('c1', 'c3'), range('c1', 'c2')]).toEqual([[], ['c1', 'c2', 'c3'], ['c1', 'c2']])
    sut.send({ type: 'all.marked' })
    expect([sut.marked(), sut.choosable()]).toEqual([['c1', 'c2', 'c3'], 3])
    sut.send({ type: 'marks.cleared' })
    sut.send({ type: 'fold.toggled' })
    sut.send({ type: 'pointer.entered' })
    sut.change({ order: ['c1', 'c3', 'c5'] })
    expect([sut.shown(), range('c5', 'c1')]).toEqual([
      ['c1', 'c2', 'c3', 'c5'],
      ['c5', 'c3', 'c1'],
    ])
    sut.send({ type: 'marks.cleared' })
    sut.send({ type: 'all.marked' })
    expect(sut.marked()).toEqual(['c1', 'c3', 'c5'])
  })

  it('begin no range at a row that left the list', () => {
    const sut = loaded('c1', 'c2', 'c3')
    sut.send({ type: 'row.marked', id: 'c1' })
    sut.change({ order: ['c2', 'c3'] })
    sut.send({ type: 'range.marked', from: 'c3', id: 'c2' })
    expect(sut.marked()).toEqual(['c3', 'c2'])
  })
})

type State = {
  used: string[]
  isClicking: boolean
  isSettling: boolean
  order: string[]
  query: string
  shown: string[]
  marked: string[]
  /** The row that was chosen last. */
  anchor: string | null
}
const isUsed = ({ used, isClicking }: State) => used.length > 0 || isClicking
const moved = (state: State): State => (isUsed(state) || state.isSettling ? state : { ...state, shown: state.order })
const enter = (how: string) => (state: State) => ({ ...state, used: [...state.used, how], isSettling: false })
const leave = (how: string) => (state: State) => {
  const left = { ...state, used: state.used.filter((each) => each !== how) }
  return { ...left, isSettling: !isUsed(left) || state.isSettling }
}

const stillListed = ({ marked, anchor, order }: State) => ({
  marked: marked.filter((id) => order.includes(id)),
  anchor: anchor !== null && order.includes(anchor) ? anchor : null,
})
const noMarks = { marked: [], anchor: null }
/** The walk has at most two rows, so a range that turns around loses none of them. */
const marking = (state: State, ids: string[]) => ({
  marked: [...new Set([...state.marked, ...ids.filter((id) => state.order.includes(id))])],
})

/** Written by hand: the shown order changes only while nothing uses the list, for another list, or on request. */
const reference: Reference<State> = {
  start: { used: [], isClicking: false, isSettling: false, order: [], query: '', shown: [], ...noMarks },
  accepts: (state) => {
    const { used, isClicking, isSettling } = state
    const isPressed = used.includes('press')
    return [
      ...['list.changed', 'row.marked', 'range.marked', 'all.marked', 'marks.cleared'],
      used.includes('pointer') ? 'pointer.left' : 'pointer.entered',
      used.includes('focus') ? 'focus.left' : 'focus.entered',
      isPressed ? 'press.ended' : 'press.began',
      ...when(isClicking, 'xstate.after.clickDelay.displayedList.press.clicking'),
      ...when(isSettling, 'xstate.after.settleDelay.displayedList.order.settling'),
      ...when(isUsed(state), 'arrivals.taken'),
      ...when(!isUsed(state) && !isSettling, 'xstate.after.windowTick.displayedList.order.following'),
    ]
  },
  rules: {
    'list.changed': (state, { order, query }) => {
      const next = { ...state, order, query }
      const isOther = query !== state.query || state.order.length === 0
      if (isOther) return { ...next, shown: order, ...noMarks }
      const { shown } = moved(next)
      return { ...next, shown, ...(shown === order && stillListed(next)) }
    },
    'pointer.entered': enter('pointer'),
    'pointer.left': leave('pointer'),
    'focus.entered': enter('focus'),
    'focus.left': leave('focus'),
    'press.began': (state) => ({ ...enter('press')(state), isClicking: false }),
    'press.ended': (state) => ({ used: state.used.filter((each) => each !== 'press'), isClicking: true }),
    'xstate.after.clickDelay.displayedList.press.clicking': (state) => leave('press')({ ...state, isClicking: false }),
    'xstate.after.settleDelay.displayedList.order.settling': (state) => ({
      isSettling: false,
      shown: state.order,
      ...stillListed(state),
    }),
    'arrivals.taken': (state) => ({ shown: state.order, ...stillListed(state) }),
    'row.marked': ({ marked }, { id }) =>
      marked.includes(id)
        ? { marked: marked.filter((each) => each !== id), anchor: null }
        : { marked: [...marked, id], anchor: id },
    'range.marked': (state, { from, id }) => {
      const isListed = state.anchor !== null && state.order.includes(state.anchor) && state.shown.includes(state.anchor)
      const start = isListed ? state.anchor : from
      const rows = state.shown.filter((each) => state.order.includes(each))
      if (!rows.includes(start) || !rows.includes(id)) return {}
      return { ...marking(state, start === id ? [id] : [start, id]), anchor: start }
    },
    'all.marked': (state) => marking(state, state.shown),
    'marks.cleared': () => noMarks,
  },
  shown: (state) => ({ shown: state.shown, isHeld: isUsed(state) || state.isSettling, marked: state.marked }),
}

describe('The displayed list', () => {
  const changed = (snapshot: SnapshotFrom<typeof displayedListMachine>) =>
    snapshot.context.list.order.length === 0 ? [list('c1', 'c2')] : [list('c3', 'c1'), { ...list('c2'), query: '?q=a' }]
  const paths = modelOf(displayedListMachine.provide({ actors: { watchList: fromCallback(() => {}) } }), {
    input: { now: () => Date.parse(at(0)) },
    records: recordsOf(...rows),
    vertex: ({
      context: {
        list: { order, query },
        shown,
        choice,
        isFoldOpen,
      },
    }) => [order, query, shown, choice, isFoldOpen],
    stopWhen: ({ context }) => context.list.query !== '',
    limit: 20_000,
    cases: {
      'list.changed': changed,
      'pointer.entered': [{}],
      'pointer.left': [{}],
      'focus.entered': [{}],
      'focus.left': [{}],
      'press.began': [{}],
      'press.ended': [{}],
      'arrivals.taken': [{}],
      'fold.toggled': [],
      'row.marked': (snapshot) => (selectMarked(snapshot).length === 0 ? [{ id: 'c2' }] : []),
      'range.marked': (snapshot) => (selectMarked(snapshot).length < 2 ? [{ from: 'c2', id: 'c1' }] : []),
      'all.marked': (snapshot) => (selectMarked(snapshot).length === 0 ? [{}] : []),
      'marks.cleared': (snapshot) => (selectMarked(snapshot).length > 0 ? [{}] : []),
      'xstate.error.actor.watchList': [],
    },
  }).everyTransitionInFewPaths()

  it(`shows what the reference shows on ${paths.length} paths, which take every transition`, async () => {
    for (const path of paths) {
      const sut = start()
      const drive = (event: AnyEventObject) => sut.send(event as DisplayedListEvent)
      await followBeside(path, drive, reference, () => ({
        shown: sut.shown(),
        isHeld: sut.isHeld(),
        marked: sut.marked(),
      }))
      sut.actor.stop()
    }
  }, 60_000)

  it('opens and closes the fold', () => {
    const sut = start()
    sut.send({ type: 'fold.toggled' })
    const isOpen = sut.actor.getSnapshot().context.isFoldOpen
    sut.send({ type: 'fold.toggled' })
    expect([isOpen, sut.actor.getSnapshot().context.isFoldOpen]).toEqual([true, false])
  })

  it('is tested in every state and transition', () =>
    expect([coverage.statesMissed(), coverage.transitionsMissed()]).toEqual([[], []]))
})
