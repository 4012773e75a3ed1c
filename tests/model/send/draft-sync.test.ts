import { describe, expect, it } from 'vitest'
import type { AnyEventObject } from 'xstate'
import { createActor, SimulatedClock } from 'xstate'
import type { DraftSave, DraftSaveResult, ServerDraft } from '../../../src/domain/send/saved-drafts.ts'
import { draftSyncMachine } from '../../../src/machines/send/draft-sync.ts'
import type { AuthUser } from '../../../src/schemas/auth.ts'
import { createControl, createCoverage, driverOf } from '../harness.ts'
import { faults } from '../inbox-fixture.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'
import { draftSyncModel, draftUser, saveOf, userWithoutDrafts } from './draft-sync-fixture.ts'

const coverage = createCoverage(draftSyncMachine)
const reports = ['drafts.fetched', 'draft.saving', 'draft.answered', 'draft.refused', 'drafts.flushed']

function start(user: AuthUser = draftUser) {
  const load = createControl<readonly ServerDraft[]>()
  const save = createControl<DraftSaveResult, DraftSave>()
  const clock = new SimulatedClock()
  const told: AnyEventObject[] = []
  const actor = createActor(draftSyncMachine.provide({ actors: { loadDrafts: load.logic, saveDraft: save.logic } }), {
    clock,
    input: { user },
    inspect: (event) => {
      coverage.inspect(event)
      // Without a session the machine sends its reports to itself.
      if (event.type === '@xstate.event' && reports.includes(event.event.type)) told.push(event.event)
    },
  }).start()
  const send = (event: AnyEventObject) => actor.send(event as never)
  return {
    send,
    type: (text: string) => send({ type: 'drafts.changed', next: saveOf(text) }),
    merge: (next: DraftSave | null = null) => send({ type: 'drafts.merged', next }),
    clock,
    load,
    save,
    state: () => actor.getSnapshot().value,
    takeTold: () => told.splice(0),
    stop: () => actor.stop(),
  }
}

/** The drafts of the server are here, and nothing is to save. */
async function startIdle() {
  const sut = start()
  await sut.load.resolve([])
  sut.merge()
  sut.clock.increment(1_000)
  sut.takeTold()
  return sut
}

describe('Drafts and the server', () => {
  it('are fetched at the start, and again when they may have changed elsewhere', async () => {
    const sut = start()
    const drafts = [{ conversationId: 'c1', text: 'a', extras: null, version: 'v1' }]
    await sut.load.resolve(drafts)
    expect(sut.takeTold()).toEqual([{ type: 'drafts.fetched', drafts }])
    sut.merge()
    sut.send({ type: 'drafts.invalidated' })
    sut.clock.increment(1_000)
    expect(sut.load.calls).toHaveLength(2)
  })

  it('save the text one second after the last keystroke', async () => {
    const sut = await startIdle()
    sut.type('a')
    sut.clock.increment(999)
    sut.type('ab')
    sut.clock.increment(999)
    expect(sut.save.inputs()).toEqual([])
    sut.clock.increment(1)
    expect(sut.save.inputs()).toEqual([saveOf('ab')])
    const result = { isSaved: true, draft: { conversationId: 'c1', text: 'ab', extras: null, version: 'v1' } }
    await sut.save.resolve(result)
    expect(sut.takeTold()).toEqual([
      { type: 'draft.saving', conversationId: 'c1', version: 'v1' },
      { type: 'draft.answered', save: saveOf('ab'), result },
    ])
  })

  it('never have two writes under way, and save what was typed meanwhile afterwards', async () => {
    const sut = await startIdle()
    sut.type('a')
    sut.clock.increment(1_000)
    sut.type('ab')
    sut.clock.increment(60_000)
    expect(sut.save.inputs()).toEqual([saveOf('a')])
    await sut.save.resolve({ isSaved: true, draft: null })
    sut.merge(saveOf('ab'))
    sut.clock.increment(1_000)
    expect(sut.save.inputs()).toEqual([saveOf('a'), saveOf('ab')])
  })

  it('retry a write with growing delays, and at once when the connection is back', async () => {
    const sut = await startIdle()
    sut.type('a')
    sut.clock.increment(1_000)
    for (const [delay, count] of [
      [2_000, 2],
      [4_000, 3],
    ] as const) {
      await sut.save.reject(faults.noAnswer)
      sut.clock.increment(delay - 1)
      expect(sut.save.calls).toHaveLength(count - 1)
      sut.clock.increment(1)
      expect(sut.save.calls).toHaveLength(count)
    }
    await sut.save.reject(faults.noAnswer)
    sut.send({ type: 'drafts.invalidated' })
    await sut.load.resolve([])
    sut.merge(saveOf('a'))
    sut.clock.increment(1_000)
    expect(sut.save.calls).toHaveLength(4)
  })

  it('report a refused write, which is not retried', async () => {
    const sut = await startIdle()
    sut.type('a')
    sut.clock.increment(1_000)
    await sut.save.reject(faults.refused)
    expect(sut.takeTold().at(-1)).toEqual({ type: 'draft.refused', save: saveOf('a') })
    sut.merge(null)
    sut.clock.increment(60_000)
    expect(sut.save.calls).toHaveLength(1)
  })

  it('save at once before a sign-out, one after the other, and report the end', async () => {
    const sut = await startIdle()
    sut.type('a')
    sut.send({ type: 'flush.requested' })
    sut.clock.increment(0)
    sut.send({ type: 'tab.hidden' })
    expect(sut.save.inputs()).toEqual([saveOf('a')])
    await sut.save.resolve({ isSaved: true, draft: null })
    sut.merge(saveOf('b', 'c2'))
    expect(sut.save.inputs()).toEqual([saveOf('a'), saveOf('b', 'c2')])
    sut.takeTold()
    await sut.save.reject(faults.noAnswer)
    expect(sut.takeTold()).toEqual([{ type: 'drafts.flushed' }])
    sut.send({ type: 'flush.requested' })
    expect(sut.save.calls).toHaveLength(3)
  })

  it('make no call with an API that keeps none, or for a person who may not send', async () => {
    for (const user of [userWithoutDrafts, { ...draftUser, permissions: ['conversations.read'] }]) {
      const sut = start(user)
      sut.type('a')
      sut.send({ type: 'drafts.invalidated' })
      sut.send({ type: 'flush.requested' })
      sut.clock.increment(60_000)
      expect([sut.load.calls, sut.save.calls, sut.takeTold()]).toEqual([[], [], [{ type: 'drafts.flushed' }]])
      sut.send({ type: 'user.confirmed', user: draftUser })
      expect(sut.load.calls).toHaveLength(1)
    }
  })

  it('stay in the browser if the API refuses to list them', async () => {
    const sut = start()
    await sut.load.reject(faults.refused)
    sut.type('a')
    sut.clock.increment(60_000)
    sut.takeTold()
    sut.send({ type: 'flush.requested' })
    expect([sut.save.calls, sut.takeTold()]).toEqual([[], [{ type: 'drafts.flushed' }]])
  })
})

describe('The walk through the drafts and the server', () => {
  const paths = draftSyncModel().everyTransition()

  type Phase = 'loading' | 'saving' | 'merging' | 'pausing' | 'waiting' | 'idle' | 'refused'
  type State = { phase: Phase; next: boolean; stale: boolean; flushing: boolean; loads: number; saves: number }
  /** Written by hand: what is stale is fetched first, then one draft is saved, else nothing happens. */
  const choose = (state: State): State => {
    if (state.stale) return { ...state, phase: 'loading', stale: false, loads: state.loads + 1 }
    if (state.next) return { ...state, phase: 'saving', saves: state.saves + 1 }
    return { ...state, phase: 'idle', flushing: false }
  }
  const pause = (state: State): State => (state.flushing ? choose(state) : { ...state, phase: 'pausing' })
  const failed = (state: State, { error }: AnyEventObject, more: Partial<State>): State =>
    error === faults.noAnswer
      ? { ...state, ...more, phase: 'waiting', flushing: false }
      : { ...state, phase: 'refused', flushing: false }
  const isIdle = ({ phase }: State) => phase === 'idle' || phase === 'waiting'
  const reference: Reference<State> = {
    start: { phase: 'loading', next: false, stale: false, flushing: false, loads: 1, saves: 0 },
    accepts: ({ phase }) => [
      'user.confirmed',
      'drafts.changed',
      'drafts.merged',
      'drafts.invalidated',
      'flush.requested',
      ...when(phase === 'pausing', 'tab.hidden', 'xstate.after.saveDelay.draftSync.pausing'),
      ...when(phase === 'waiting', 'xstate.after.retryDelay.draftSync.waiting'),
      ...when(phase === 'loading', ...ends('loadDrafts')),
      ...when(phase === 'saving', ...ends('saveDraft')),
    ],
    rules: {
      'drafts.changed': (state, { next }) => {
        const known = { ...state, next: next !== null }
        return state.phase === 'idle' || state.phase === 'pausing' ? pause(known) : known
      },
      'drafts.merged': (state, { next }) => {
        const known = { ...state, next: next !== null }
        return state.phase === 'merging' ? pause(known) : known
      },
      'drafts.invalidated': (state) => (isIdle(state) ? choose({ ...state, stale: true }) : { stale: true }),
      'tab.hidden': choose,
      'flush.requested': (state) => {
        if (state.phase === 'refused') return {}
        return isIdle(state) || state.phase === 'pausing' ? choose({ ...state, flushing: true }) : { flushing: true }
      },
      'xstate.after.saveDelay.draftSync.pausing': choose,
      'xstate.after.retryDelay.draftSync.waiting': choose,
      'xstate.done.actor.loadDrafts': () => ({ phase: 'merging' }),
      'xstate.done.actor.saveDraft': () => ({ phase: 'merging' }),
      'xstate.error.actor.loadDrafts': (state, event) => failed(state, event, { stale: true }),
      'xstate.error.actor.saveDraft': (state, event) =>
        event['error'] === faults.noAnswer ? failed(state, event, {}) : { phase: 'merging' },
    },
    shown: ({ phase, loads, saves }) => ({ phase, loads, saves }),
  }

  it(`follows the reference on ${paths.length} paths, one for each transition`, async () => {
    for (const path of paths) {
      const sut = start()
      const drive = driverOf((event: never) => sut.send(event), {
        calls: { loadDrafts: sut.load, saveDraft: sut.save },
        delays: { saveDelay: () => sut.clock.increment(1_000), retryDelay: () => sut.clock.increment(60_000) },
      })
      await followBeside(path, drive, reference, () => ({
        phase: sut.state(),
        loads: sut.load.calls.length,
        saves: sut.save.calls.length,
      }))
      sut.stop()
    }
  })

  it('enters every state and takes every transition', () =>
    expect([coverage.statesMissed(), coverage.transitionsMissed()]).toEqual([[], []]))
})
