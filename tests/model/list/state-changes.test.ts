import { describe, expect, it } from 'vitest'
import type { AnyEventObject } from 'xstate'
import type { ChangeStatesResult, StateStep } from '../../../src/domain/list/state-changes.ts'
import { stateChangesMachine } from '../../../src/machines/list/state-changes.ts'
import type { ChangeRefusal, StateDecision } from '../../../src/schemas/conversation-state.ts'
import { createCoverage, driverOf, modelOf, success, warning } from '../harness.ts'
import { at, faults, row, stateOf } from '../inbox-fixture.ts'
import { recordsOf } from '../records-fixture.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'
import { accepted, jose, maria, startStateChanges } from './state-changes-fixture.ts'

const coverage = createCoverage(stateChangesMachine)
const start = (rows = [maria, jose]) => startStateChanges({ rows }, coverage.inspect)

const done: StateStep = { ids: ['c1'], decision: { done: true } }
const waiting = { waiting_since: at(10) }
const isDone = { ...waiting, done_at: at(0), done_by: 's1' }

describe('A change of a state', () => {
  it('is shown at once, sent with what the person saw, and replaced by the answer', async () => {
    const sut = start()
    sut.change(done)
    expect([sut.row('c1')?.state, sut.calls.last().input]).toEqual([
      stateOf(1, isDone),
      { changes: [{ id: 'c1', version: 1, seen_message_at: at(10), decision: { done: true } }] },
    ])
    await sut.calls.resolve([accepted('c1', 2, { done_at: at(1), done_by: 's1' })])
    expect([sut.row('c1')?.state, sut.toasts]).toEqual([
      stateOf(2, { done_at: at(1), done_by: 's1' }),
      [success('Maria is done')],
    ])
  })

  it('of several conversations is one call with one toast', async () => {
    const sut = start()
    sut.change({ ids: ['c1', 'c2'], decision: { assigned_to: 's2' } })
    expect(sut.sent()).toEqual([
      [
        { id: 'c1', version: 1, decision: { assigned_to: 's2' } },
        { id: 'c2', version: 5, decision: { assigned_to: 's2' } },
      ],
    ])
    await sut.calls.resolve([accepted('c1', 2, { assigned_to: 's2' }), accepted('c2', 6, { assigned_to: 's2' })])
    expect([sut.row('c2')?.state?.assigned_to, sut.toasts]).toEqual([
      's2',
      [success('2 conversations are assigned to somebody else')],
    ])
  })

  it.each<[StateDecision, Partial<typeof maria.state>]>([
    [{ done: true }, { ...isDone }],
    [{ snooze: { until: at(90) } }, { ...waiting, snoozed_at: at(0), snoozed_until: at(90) }],
    [{ snooze: { until: 'message' } }, { ...waiting, snoozed_at: at(0) }],
    [{ snooze: { until: 'window' } }, { ...waiting, snoozed_at: at(0) }],
    [{ assigned_to: 's1' }, { ...waiting, assigned_to: 's1' }],
    [{ muted: true }, { ...waiting, muted_at: at(0) }],
    [{ unread: true }, waiting],
  ])('%j shows the state that it will have', (decision, state) => {
    const sut = start()
    sut.change({ ids: ['c1'], decision })
    expect([sut.row('c1')?.state, sut.row('c1')?.unread_messages]).toEqual([
      stateOf(1, state as object),
      'unread' in decision ? 1 : 0,
    ])
  })

  it('waits for the answer to the change before it and is sent with the version of that answer', async () => {
    const sut = start()
    sut.change(done)
    sut.change({ ids: ['c1'], decision: { assigned_to: 's1' } })
    expect([sut.sent().length, sut.row('c1')?.state]).toEqual([1, stateOf(1, { ...isDone, assigned_to: 's1' })])
    await sut.calls.resolve([accepted('c1', 7, isDone)])
    expect(sut.sent()[1]).toEqual([{ id: 'c1', version: 7, decision: { assigned_to: 's1' } }])
    expect(sut.row('c1')?.state).toEqual(stateOf(7, { ...isDone, assigned_to: 's1' }))
  })

  it('keeps the version that the person saw if a colleague changes the state before it is sent', async () => {
    const sut = start()
    sut.change({ ids: ['c2'], decision: { muted: true } })
    sut.change(done)
    sut.tellRecords({ type: 'states.changed', changes: [{ id: 'c1', state: stateOf(3), changedBy: 's2' }] })
    await sut.calls.resolve([accepted('c2', 6)])
    expect(sut.sent()[1]).toEqual([{ id: 'c1', version: 1, decision: { done: true } }])
  })

  it('is undone with the version of its answer if its row has left the list meanwhile', async () => {
    const sut = start()
    sut.change(done)
    await sut.calls.resolve([accepted('c1', 7, isDone)])
    sut.tellRecords({ type: 'conversations.listed', ids: ['c2'] })
    expect(sut.row('c1')).toBeUndefined()
    sut.undo()
    expect(sut.sent()[1]).toEqual([{ id: 'c1', version: 7, decision: { done: false } }])
  })

  it('that was answered and is undone needs its toast no more', async () => {
    const sut = start()
    for (const [id, version] of [
      ['c1', 2],
      ['c2', 6],
    ] as const) {
      sut.change({ ids: [id], decision: { done: true } })
      await sut.calls.resolve([accepted(id, version, isDone)])
    }
    sut.undo('k9')
    sut.undo('k1')
    await sut.calls.resolve([accepted('c1', 3)])
    sut.undo()
    expect(sut.undone).toEqual(['k1', 'k2'])
  })

  it('without an answer has no toast when it is undone', async () => {
    const sut = start()
    sut.change(done)
    await sut.calls.resolve([accepted('c1', 2, isDone)])
    sut.change({ ids: ['c2'], decision: { muted: true } })
    sut.undo()
    expect(sut.undone).toEqual([])
  })

  it('of a conversation whose state is not known is not sent', () => {
    const sut = start([row('c1', 1)])
    sut.change(done)
    sut.change({ ...done, ids: ['c9'] })
    sut.undo('k7')
    sut.undo()
    expect([sut.calls.calls.length, sut.actor.getSnapshot().value]).toEqual([0, 'idle'])
  })
})

describe('A change of labels', () => {
  const labelled = () => start([row('c1', 10, { state: stateOf(1, { label_ids: ['a'] }) }), jose])
  const decision = { labels: { add: ['b'], remove: ['a'] } }

  it('is shown on top of each row, also under a state that realtime tells meanwhile, and undone by row', async () => {
    const sut = labelled()
    sut.change({ ids: ['c1', 'c2'], decision })
    sut.tellRecords({ type: 'states.changed', changes: [{ id: 'c1', state: stateOf(3, { label_ids: ['a', 'x'] }) }] })
    const shown = () => ['c1', 'c2'].map((id) => sut.row(id)?.state?.label_ids)
    expect(shown()).toEqual([['x', 'b'], ['b']])
    await sut.calls.resolve([accepted('c1', 4, { label_ids: ['x', 'b'] }), accepted('c2', 6, { label_ids: ['b'] })])
    expect(sut.toasts).toEqual([success('Labels of 2 conversations are changed')])
    sut.undo()
    expect([shown(), sut.sent().at(-1)]).toEqual([
      [['x', 'a'], []],
      [{ id: 'c1', version: 4, decision: { labels: { add: ['a'], remove: ['b'] } } }],
    ])
    await sut.calls.resolve([accepted('c1', 7, { label_ids: ['x', 'a'] })])
    expect(sut.sent().at(-1)).toEqual([{ id: 'c2', version: 6, decision: { labels: { add: [], remove: ['b'] } } }])
  })

  it('that puts on what was there already has no undo', async () => {
    const sut = labelled()
    sut.change({ ids: ['c1'], decision: { labels: { add: ['a'], remove: [] } } })
    await sut.calls.resolve([accepted('c1', 1, { label_ids: ['a'] })])
    expect(sut.undos).toEqual([])
  })
})

describe('A refused change', () => {
  it.each<[ChangeRefusal, string]>([
    ['changed', 'This conversation has changed meanwhile. Look again.'],
    ['written', 'They have just written. Look before you close.'],
    ['unknown_member', 'This person can no longer take conversations. Choose somebody else.'],
    ['past', 'That time is over. Choose a later one.'],
    ['unknown', 'This conversation no longer exists.'],
    ['unknown_label', 'This label was deleted in the meantime.'],
    ['too_many_labels', 'A conversation has at most 20 labels. Take one off first.'],
  ])('%s is taken back with a plain text', async (refusal, text) => {
    const sut = start()
    sut.change(done)
    const state = refusal === 'unknown' ? null : stateOf(4, { assigned_to: 's2' })
    await sut.calls.resolve([{ id: 'c1', state, refusal }])
    expect([sut.row('c1')?.state, sut.toasts, sut.undos, sut.reports.at(-1)]).toEqual([
      state ?? maria.state,
      [warning(text)],
      [],
      'inbox.invalidated',
    ])
  })

  it('among several leaves the others changed, and only they can be undone', async () => {
    const sut = start()
    sut.change({ ...done, ids: ['c1', 'c2'] })
    await sut.calls.resolve([accepted('c1', 2, isDone), { id: 'c2', state: stateOf(8), refusal: 'written' }])
    expect(sut.toasts).toEqual([success('Maria is done'), warning('They have just written. Look before you close.')])
    sut.undo('k1')
    expect(sut.sent()[1]).toEqual([{ id: 'c1', version: 2, decision: { done: false } }])
  })

  it('that never arrived is taken back, and the list is fetched again', async () => {
    const sut = start()
    sut.change({ ids: ['c1'], decision: { muted: true } })
    await sut.calls.reject(faults.unavailable)
    expect([sut.row('c1')?.state, sut.toasts, sut.reports.slice(-2), sut.actor.getSnapshot().value]).toEqual([
      maria.state,
      [{ kind: 'error', text: 'The change was not saved. Try again.' }],
      ['states.settled', 'inbox.invalidated'],
      'idle',
    ])
  })
})

describe('Undo', () => {
  const of = (more: object) => row('c1', 10, { unified_name: 'Maria', state: stateOf(1, more) })
  it.each<[string, object, StateDecision, StateDecision[]]>([
    ['reopens', waiting, { done: true }, [{ done: false }]],
    [
      'reopens and snoozes again until the same time',
      { snoozed_at: at(-5), snoozed_until: at(60) },
      { done: true },
      [{ done: false }, { snooze: { until: at(60) } }],
    ],
    [
      'reopens without a snooze that is over',
      { snoozed_at: at(-5), snoozed_until: at(-1) },
      { done: true },
      [{ done: false }],
    ],
    ['closes again', isDone, { done: false }, [{ done: true }]],
    ['closes again after a snooze of a closed conversation', isDone, { snooze: { until: at(60) } }, [{ done: true }]],
    ['ends the snooze', waiting, { snooze: { until: at(60) } }, [{ snooze: null }]],
    ['restores the snooze before', { snoozed_at: at(-5) }, { snooze: null }, [{ snooze: { until: 'message' } }]],
    ['restores the assignee', { assigned_to: 's2' }, { assigned_to: 's1' }, [{ assigned_to: 's2' }]],
    ['releases', {}, { assigned_to: 's1' }, [{ assigned_to: null }]],
    ['ends the muting', {}, { muted: true }, [{ muted: false }]],
  ])('%s', async (_, before, decision, undone) => {
    const sut = start([of(before)])
    sut.change({ ids: ['c1'], decision })
    await sut.calls.resolve([accepted('c1', 2, before)])
    expect(sut.undos).toEqual(['k1'])
    sut.undo()
    for (const [index] of undone.entries()) await sut.calls.resolve([accepted('c1', 3 + index, before)])
    expect(sut.sent().slice(1)).toEqual(undone.map((each, index) => [{ id: 'c1', version: 2 + index, decision: each }]))
    // An undo has no undo, and works once.
    sut.undo()
    expect([sut.undos, sut.sent().length]).toEqual([['k1'], 1 + undone.length])
  })

  it('before the answer undoes that change, and no older one', async () => {
    const sut = start()
    sut.change({ ids: ['c2'], decision: { assigned_to: 's1' } })
    await sut.calls.resolve([accepted('c2', 6, { assigned_to: 's1' })])
    sut.change(done)
    sut.undo()
    await sut.calls.resolve([accepted('c1', 2, isDone)])
    await sut.calls.resolve([accepted('c1', 3)])
    expect(sut.sent().slice(1)).toEqual([
      [{ id: 'c1', version: 1, decision: { done: true } }],
      [{ id: 'c1', version: 2, decision: { done: false } }],
    ])
    // Only the first change offers its undo.
    expect([sut.row('c1')?.state?.done_at, sut.undos]).toEqual([null, ['k1']])
  })

  it('of a bulk change restores each conversation as it was', async () => {
    const sut = start([of({ assigned_to: 's2' }), jose])
    sut.change({ ids: ['c1', 'c2'], decision: { assigned_to: 's3' } })
    await sut.calls.resolve([accepted('c1', 2), accepted('c2', 6)])
    sut.undo('k1')
    await sut.calls.resolve([accepted('c1', 3)])
    await sut.calls.resolve([accepted('c2', 7)])
    expect(sut.sent().slice(1)).toEqual([
      [{ id: 'c1', version: 2, decision: { assigned_to: 's2' } }],
      [{ id: 'c2', version: 6, decision: { assigned_to: null } }],
    ])
  })

  it('is not offered for a mark as unread', async () => {
    const sut = start()
    sut.change({ ids: ['c1'], decision: { unread: true } })
    await sut.calls.resolve([accepted('c1', 2)])
    expect([sut.undos, sut.toasts]).toEqual([[], [success('Maria is unread')]])
  })
})

type Call = 'change' | 'undone change' | 'undo'
type State = { calls: number; sent: Call | null; queue: Call[]; undos: number }
/** Without a change that has no answer, the last answered one is undone. */
const undoing = (state: State): State => {
  const calls = state.sent === null ? [] : [state.sent, ...state.queue]
  const last = calls.lastIndexOf('change')
  if (last === -1) {
    return state.undos === 0 ? state : sending({ ...state, undos: state.undos - 1, queue: [...state.queue, 'undo'] })
  }
  const [sent = null, ...queue] = calls.with(last, 'undone change')
  return { ...state, sent, queue }
}
const sending = (state: State): State => {
  const [next, ...queue] = state.queue
  return state.sent !== null || next === undefined ? state : { ...state, sent: next, queue, calls: state.calls + 1 }
}
/** Written by hand: one call at a time, in order; every accepted change can be undone once. */
const reference: Reference<State> = {
  start: { calls: 0, sent: null, queue: [], undos: 0 },
  accepts: ({ sent }) => ['change.requested', 'undo.requested', ...when(sent !== null, ...ends('changeStates'))],
  rules: {
    'change.requested': (state) => sending({ ...state, queue: [...state.queue, 'change'] }),
    'undo.requested': undoing,
    'xstate.done.actor.changeStates': (state, { output }) => {
      const isAccepted = output[0].refusal === null
      const queue: Call[] = isAccepted && state.sent === 'undone change' ? [...state.queue, 'undo'] : state.queue
      return sending({
        ...state,
        sent: null,
        queue,
        undos: state.undos + (isAccepted && state.sent === 'change' ? 1 : 0),
      })
    },
    'xstate.error.actor.changeStates': (state) => sending({ ...state, sent: null }),
  },
  shown: ({ calls, sent, undos }) => ({ calls, isSending: sent !== null, undos }),
}

describe('The changes of states', () => {
  const muted: StateStep = { ids: ['c1'], decision: { muted: true } }
  const answers: ChangeStatesResult[][] = [[accepted('c1', 2)], [{ id: 'c1', state: stateOf(2), refusal: 'changed' }]]
  const paths = modelOf(stateChangesMachine, {
    input: { userId: 's1', now: () => 0, newKey: () => 'k' },
    records: recordsOf(maria),
    vertex: ({ context: { queue, undos } }) => [
      queue.map(({ decision, isUnwanted }) => [decision, isUnwanted]),
      undos.length,
    ],
    stopWhen: ({ context: { queue, undos } }) => queue.length > 2 || undos.length > 1,
    cases: {
      'change.requested': [muted],
      'undo.requested': [{}],
      'xstate.done.actor.changeStates': answers.map((output) => ({ output })),
      'xstate.error.actor.changeStates': [{ error: faults.refused }],
    },
  }).everyTransition()

  it(`are sent as the reference says on ${paths.length} paths, one for each transition`, async () => {
    for (const path of paths) {
      const sut = start([maria])
      const drive = driverOf((event: never) => sut.actor.send(event as AnyEventObject as never), {
        calls: { changeStates: sut.calls },
      })
      await followBeside(path, drive, reference, () => ({
        calls: sut.calls.calls.length,
        isSending: sut.actor.getSnapshot().matches('sending'),
        undos: sut.actor.getSnapshot().context.undos.length,
      }))
      sut.actor.stop()
    }
  })

  it('are tested in every state and transition', () =>
    expect([coverage.statesMissed(), coverage.transitionsMissed()]).toEqual([[], []]))
})
