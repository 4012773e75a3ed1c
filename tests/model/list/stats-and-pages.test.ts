import { describe, expect, it } from 'vitest'
import { createActor, SimulatedClock } from 'xstate'
import { Failure } from '../../../src/domain/failure.ts'
import {
  type StatsEvent,
  selectTotalConversations,
  selectUnreadMessages,
  statsMachine,
} from '../../../src/machines/list/stats.ts'
import {
  type PagesEvent,
  pagesMachine,
  selectAreLoading,
  selectHaveFailed,
  selectIsDisconnected,
  selectPages,
  selectPagesById,
  selectTrouble,
} from '../../../src/machines/pages/pages.ts'
import type { Page } from '../../../src/schemas/page.ts'
import type { Stats } from '../../../src/schemas/stats.ts'
import { createControl, createCoverage, createToastLog, driverOf, inspectAll } from '../harness.ts'
import { faults } from '../inbox-fixture.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'
import { brokenShop, cafe, pagesModel, shop, statsModel, statsOf } from './stats-and-pages-fixture.ts'

const statsCoverage = createCoverage(statsMachine)
const pagesCoverage = createCoverage(pagesMachine)

function startStats() {
  const load = createControl<Stats, { pageId: string | null }>()
  const clock = new SimulatedClock()
  const toastLog = createToastLog()
  const actor = createActor(statsMachine.provide({ actors: { loadStats: load.logic } }), {
    clock,
    input: undefined,
    inspect: inspectAll(toastLog.inspect, statsCoverage.inspect),
  }).start()
  const shown = () => [selectTotalConversations(actor.getSnapshot()), selectUnreadMessages(actor.getSnapshot())]
  const send = (event: StatsEvent) => actor.send(event)
  return { actor, load, clock, send, shown, toasts: toastLog.toasts, state: () => actor.getSnapshot().value }
}

async function restingStats() {
  const sut = startStats()
  await sut.load.resolve(statsOf(12, 3))
  return sut
}

describe('the counts of the header', () => {
  it('are unknown until the first answer', async () => {
    const sut = startStats()
    expect([sut.state(), sut.shown()]).toEqual(['loading', [null, null]])
    await sut.load.resolve(statsOf(12, 3))
    expect([sut.state(), sut.shown(), sut.load.inputs()]).toEqual(['idle', [12, 3], [{ pageId: null }]])
  })

  it('are fetched again 1 s after the first of several changes', async () => {
    const sut = await restingStats()
    for (let tenth = 0; tenth < 10; tenth += 1) {
      sut.send({ type: 'stats.invalidated' })
      expect(sut.load.calls.length).toBe(1)
      sut.clock.increment(100)
    }
    expect([sut.state(), sut.load.calls.length]).toEqual(['loading', 2])
    await sut.load.resolve(statsOf(13, 4))
    expect([sut.state(), sut.shown()]).toEqual(['idle', [13, 4]])
  })

  it('are fetched once more after a change during a fetch', async () => {
    const sut = startStats()
    sut.send({ type: 'stats.invalidated' })
    await sut.load.resolve(statsOf(12, 3))
    expect([sut.state(), sut.shown()]).toEqual(['debouncing', [12, 3]])
    sut.clock.increment(1_000)
    await sut.load.resolve(statsOf(13, 4))
    expect([sut.state(), sut.shown(), sut.load.calls.length]).toEqual(['idle', [13, 4], 2])
  })

  it('match the page filter, and the last chosen filter wins', async () => {
    const sut = startStats()
    sut.send({ type: 'page.chosen', pageId: 'p1' })
    sut.send({ type: 'page.chosen', pageId: 'p1' })
    expect(sut.load.calls.map(({ input, signal }) => [input.pageId, signal.aborted])).toEqual([
      [null, true],
      ['p1', false],
    ])
  })

  it('stay after a failed fetch, which is retried after 2 and 4 s and reported once', async () => {
    const sut = await restingStats()
    sut.send({ type: 'refetch.requested' })
    await sut.load.reject(faults.noAnswer)
    sut.clock.increment(2_000)
    await sut.load.reject(faults.noAnswer)
    expect([sut.state(), sut.shown()]).toEqual(['backingOff', [12, 3]])
    sut.clock.increment(4_000)
    await sut.load.resolve(statsOf(13, 4))
    expect([sut.state(), sut.shown()]).toEqual(['idle', [13, 4]])
    expect(sut.toasts).toEqual([{ kind: 'error', text: 'Network error. Please check your connection.' }])
  })

  it('are not fetched again after a refusal', async () => {
    const sut = startStats()
    await sut.load.reject(faults.refused)
    sut.clock.increment(600_000)
    expect([sut.state(), sut.load.calls.length]).toEqual(['idle', 1])
    expect(sut.toasts).toEqual([{ kind: 'error', text: 'No such filter' }])
  })

  it('are fetched again after a change despite a refusal, which is reported once until staff ask', async () => {
    const sut = startStats()
    sut.send({ type: 'stats.invalidated' })
    await sut.load.reject(faults.refused)
    expect(sut.state()).toBe('debouncing')
    sut.clock.increment(1_000)
    await sut.load.reject(faults.refused)
    expect([sut.state(), sut.toasts.length]).toEqual(['idle', 1])
    sut.send({ type: 'refetch.requested' })
    await sut.load.reject(faults.refused)
    expect(sut.toasts.length).toBe(2)
  })
})

function startPages() {
  const load = createControl<readonly Page[]>()
  const clock = new SimulatedClock()
  const toastLog = createToastLog()
  const told: unknown[] = []
  const actor = createActor(pagesMachine.provide({ actors: { loadPages: load.logic } }), {
    clock,
    inspect: (event) => {
      toastLog.inspect(event)
      pagesCoverage.inspect(event)
      if (event.type === '@xstate.event' && event.event.type === 'pages.loaded') told.push(event.event)
    },
  }).start()
  const send = (event: PagesEvent) => actor.send(event)
  return { actor, load, clock, send, told, toasts: toastLog.toasts, state: () => actor.getSnapshot().value }
}

describe('the connected pages', () => {
  it('are found by their ids, and the session receives them', async () => {
    const sut = startPages()
    expect(selectAreLoading(sut.actor.getSnapshot())).toBe(true)
    await sut.load.resolve([shop, cafe])
    const shown = sut.actor.getSnapshot()
    expect([selectPages(shown), [...selectPagesById(shown)], sut.told]).toEqual([
      [shop, cafe],
      [
        ['p1', shop],
        ['p2', cafe],
      ],
      [{ type: 'pages.loaded', pages: [shop, cafe] }],
    ])
  })

  it('stay during a fetch and after its failure, which is reported once', async () => {
    const sut = startPages()
    await sut.load.resolve([shop])
    sut.send({ type: 'refetch.requested' })
    await sut.load.reject(faults.badAnswer)
    sut.clock.increment(2_000)
    await sut.load.reject(faults.unavailable)
    expect([selectHaveFailed(sut.actor.getSnapshot()), selectPages(sut.actor.getSnapshot())]).toEqual([true, [shop]])
    expect(sut.toasts).toEqual([{ kind: 'error', text: 'Failed to load Facebook pages' }])
    const asked = sut.load.calls.length
    sut.send({ type: 'refetch.requested' })
    expect([selectHaveFailed(sut.actor.getSnapshot()), sut.load.calls.length]).toEqual([false, asked + 1])
    await sut.load.resolve([shop, cafe])
    expect(selectPages(sut.actor.getSnapshot())).toEqual([shop, cafe])
  })

  it('are fetched again when they are invalidated, and a fetch under way is aborted', async () => {
    const sut = startPages()
    sut.send({ type: 'pages.invalidated' })
    const [first] = sut.load.calls
    expect([sut.load.calls.length, first?.signal.aborted]).toEqual([2, true])
    await sut.load.resolve([cafe])
    sut.send({ type: 'pages.invalidated' })
    await sut.load.resolve([shop])
    expect(selectPages(sut.actor.getSnapshot())).toEqual([shop])
  })

  it('are fetched again after a disconnected page has accepted a message', async () => {
    const sut = startPages()
    await sut.load.resolve([brokenShop, cafe])
    sut.send({ type: 'page.accepted', pageId: 'p2' })
    sut.send({ type: 'page.accepted', pageId: 'p3' })
    sut.send({ type: 'page.accepted', pageId: undefined })
    expect(sut.load.calls.length).toBe(1)
    sut.send({ type: 'page.accepted', pageId: 'p1' })
    await sut.load.resolve([shop, cafe])
    expect(selectPages(sut.actor.getSnapshot())).toEqual([shop, cafe])
    sut.send({ type: 'page.accepted', pageId: 'p1' })
    expect(sut.load.calls.length).toBe(2)
  })

  it('keep their objects if a later answer contains the same data', async () => {
    const sut = startPages()
    await sut.load.resolve([shop, cafe])
    const before = selectPages(sut.actor.getSnapshot())
    sut.send({ type: 'refetch.requested' })
    await sut.load.resolve([{ ...shop }, { ...cafe }])
    expect(selectPages(sut.actor.getSnapshot())).toBe(before)
    sut.send({ type: 'refetch.requested' })
    await sut.load.resolve([{ ...cafe, page_name: 'Bistro' }, { ...shop }])
    const after = selectPages(sut.actor.getSnapshot())
    expect([after, after[1] === shop]).toEqual([[{ ...cafe, page_name: 'Bistro' }, shop], true])
  })

  it('are listed if they have lost their token', async () => {
    const sut = startPages()
    await sut.load.resolve([brokenShop, cafe])
    expect(['p2', 'p1', 'p3', null].map((id) => selectIsDisconnected(id)(sut.actor.getSnapshot()))).toEqual([
      false,
      true,
      false,
      false,
    ])
  })

  it('give the reason if they cannot send; an unknown page gives none', async () => {
    const sut = startPages()
    const trouble = () => ['p1', 'p2', 'p3', null].map((id) => selectTrouble(id)(sut.actor.getSnapshot()))
    expect([selectPages(sut.actor.getSnapshot()), trouble()]).toEqual([[], [null, null, null, null]])
    await sut.load.resolve([
      { ...shop, is_active: false },
      { ...cafe, token_invalid_since: '2026-01-05T12:00:00Z' },
    ])
    expect(trouble()).toEqual(['inactive', 'disconnected', null, null])
  })

  it('have an own error text for a refusal without a text', async () => {
    const sut = startPages()
    await sut.load.reject(new Failure({ kind: 'status', status: 422, method: 'GET', path: '/facebook/pages' }))
    expect(sut.toasts).toEqual([{ kind: 'error', text: 'Failed to load Facebook pages' }])
  })

  it('show a toast for each failure of a fetch that staff request', async () => {
    const sut = startPages()
    await sut.load.reject(faults.noAnswer)
    sut.send({ type: 'refetch.requested' })
    await sut.load.reject(faults.noAnswer)
    expect(sut.toasts).toEqual([network, network])
  })

  it('are fetched again after a refusal only when staff ask', async () => {
    const sut = startPages()
    await sut.load.reject(faults.refused)
    sut.clock.increment(600_000)
    expect([sut.state(), sut.load.calls.length]).toEqual([{ failed: 'refused' }, 1])
    sut.send({ type: 'refetch.requested' })
    await sut.load.resolve([shop])
    expect(sut.state()).toBe('showing')
  })
})

const network = { kind: 'error', text: 'Network error. Please check your connection.' }

describe('the walk of the counts', () => {
  const paths = statsModel().everyTransition()
  type State = {
    step: 'idle' | 'debouncing' | 'loading' | 'backingOff'
    pageId: string | null
    total: number | null
    unread: number | null
    /** The unread number includes every change that was heard. */
    isExact: boolean
    isOvertaken: boolean
    failures: number
    loads: (string | null)[]
    toasts: unknown[]
  }
  type Change = Partial<State>
  const load = (state: State, change: Change = {}): Change => {
    const { pageId } = { ...state, ...change }
    return { ...change, step: 'loading', isOvertaken: false, loads: [...state.loads, pageId] }
  }
  const hear = ({ step }: State): Change => {
    if (step === 'idle') return { step: 'debouncing' }
    return step === 'loading' ? { isOvertaken: true } : {}
  }
  const reference: Reference<State> = {
    start: {
      step: 'loading',
      pageId: null,
      total: null,
      unread: null,
      isExact: false,
      isOvertaken: false,
      failures: 0,
      loads: [null],
      toasts: [],
    },
    accepts: ({ step, pageId }) => [
      ...['refetch.requested', 'stats.invalidated', 'unread.changed'],
      ...when(pageId === null, 'page.chosen'),
      ...when(step === 'debouncing', 'xstate.after.changesDebounce.stats.debouncing'),
      ...when(step === 'backingOff', 'xstate.after.retryDelay.stats.backingOff'),
      ...when(step === 'loading', ...ends('loadStats')),
    ],
    rules: {
      'page.chosen': (state, { pageId }) => (pageId === state.pageId ? {} : load(state, { pageId, isExact: false })),
      'refetch.requested': (state) => load(state, { failures: 0 }),
      'stats.invalidated': (state) => ({ ...hear(state), isExact: false }),
      'unread.changed': hear,
      'xstate.after.changesDebounce.stats.debouncing': (state) => load(state),
      'xstate.after.retryDelay.stats.backingOff': (state) => load(state),
      'xstate.done.actor.loadStats': ({ isOvertaken, isExact, unread }, { output }) => ({
        step: isOvertaken ? 'debouncing' : 'idle',
        total: output.total_conversations,
        unread: isOvertaken && isExact ? unread : output.unread_messages,
        isExact: isExact || !isOvertaken,
        failures: 0,
      }),
      'xstate.error.actor.loadStats': ({ isOvertaken, failures, toasts }, { error }) => {
        const toast = error === faults.noAnswer ? network : { kind: 'error', text: 'No such filter' }
        const afterRefusal = isOvertaken ? 'debouncing' : 'idle'
        return {
          step: error === faults.noAnswer ? 'backingOff' : afterRefusal,
          failures: failures + 1,
          toasts: failures > 0 ? toasts : [...toasts, toast],
        }
      },
    },
    shown: ({ step, total, unread, loads, toasts }) => ({ step, shown: [total, unread], loads, toasts }),
  }

  it(`shows what the reference shows on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = startStats()
      const drive = driverOf(sut.send, {
        calls: { loadStats: sut.load },
        delays: {
          changesDebounce: () => sut.clock.increment(1_000),
          retryDelay: () => sut.clock.increment(30_000),
        },
      })
      await followBeside(path, drive, reference, () => ({
        step: sut.state(),
        shown: sut.shown(),
        loads: sut.load.inputs().map(({ pageId }) => pageId),
        toasts: sut.toasts,
      }))
      sut.actor.stop()
    }
  })
})

describe('the walk of the pages', () => {
  const paths = pagesModel().everyTransition()
  type State = {
    step: 'loading' | 'showing' | 'waiting' | 'refused'
    pages: readonly Page[]
    failures: number
    loads: number
    toasts: unknown[]
  }
  const load = ({ loads }: State): Partial<State> => ({ step: 'loading', loads: loads + 1 })
  const reference: Reference<State> = {
    start: { step: 'loading', pages: [], failures: 0, loads: 1, toasts: [] },
    accepts: ({ step, pages }) => [
      'pages.invalidated',
      ...when(pages.includes(brokenShop), 'page.accepted'),
      ...when(step !== 'loading', 'refetch.requested'),
      ...when(step === 'waiting', 'xstate.after.retryDelay.pages.failed.waiting'),
      ...when(step === 'loading', ...ends('loadPages')),
    ],
    rules: {
      'refetch.requested': (state) => ({ ...load(state), failures: 0 }),
      'pages.invalidated': load,
      'page.accepted': load,
      'xstate.after.retryDelay.pages.failed.waiting': load,
      'xstate.done.actor.loadPages': (_, { output }) => ({ step: 'showing', pages: output, failures: 0 }),
      'xstate.error.actor.loadPages': ({ failures, toasts }, { error }) =>
        error === faults.noAnswer
          ? { step: 'waiting', failures: failures + 1, toasts: failures > 0 ? toasts : [...toasts, network] }
          : { step: 'refused', toasts: [...toasts, { kind: 'error', text: 'No such filter' }] },
    },
    shown: ({ step, pages, loads, toasts }) => ({
      pages,
      areLoading: step === 'loading',
      haveFailed: step === 'waiting' || step === 'refused',
      loads,
      toasts,
    }),
  }

  it(`shows what the reference shows on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = startPages()
      const retryDelay = () => sut.clock.increment(30_000)
      const drive = driverOf(sut.send, { calls: { loadPages: sut.load }, delays: { retryDelay } })
      await followBeside(path, drive, reference, () => {
        const snapshot = sut.actor.getSnapshot()
        return {
          pages: selectPages(snapshot),
          areLoading: selectAreLoading(snapshot),
          haveFailed: selectHaveFailed(snapshot),
          loads: sut.load.calls.length,
          toasts: sut.toasts,
        }
      })
      sut.actor.stop()
    }
  })
})

describe('the tests of the counts and of the pages', () => {
  it('enter every state', () => expect([...statsCoverage.statesMissed(), ...pagesCoverage.statesMissed()]).toEqual([]))
  it('take every transition', () =>
    expect([...statsCoverage.transitionsMissed(), ...pagesCoverage.transitionsMissed()]).toEqual([]))
})

it.each([
  ['the counts', startStats],
  ['the pages', startPages],
] as const)('a failed fetch of %s is retried no earlier than the server allows', async (_, start) => {
  const sut = start()
  await sut.load.reject(faults.tooMany)
  sut.clock.increment(6_999)
  expect(sut.load.calls.length).toBe(1)
  sut.clock.increment(1)
  expect(sut.load.calls.length).toBe(2)
})
