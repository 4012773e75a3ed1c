import { describe, expect, it } from 'vitest'
import type { SnapshotFrom } from 'xstate'
import type { UnsavedFaq } from '../../../src/domain/faq/faq-calls.ts'
import {
  faqDryRunMachine,
  selectDryRun,
  selectHasStopped,
  selectIncludesForm,
  selectIsRunning,
  selectWasCancelled,
} from '../../../src/machines/faq/faq-dry-run.ts'
import type { FaqDryRunCursor, FaqDryRunPart } from '../../../src/schemas/faq.ts'
import { createCoverage, driverOf, modelOf } from '../harness.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'
import { faqFaults, hoursBody, startFaqDryRun } from './faq-fixture.ts'

const coverage = createCoverage(faqDryRunMachine)
const start = () => startFaqDryRun(coverage.inspect)

const cursor: FaqDryRunCursor = {
  after: 10,
  last: 20,
  since: '2026-01-01T00:00:00Z',
  total: 2_000,
  done: 1_000,
  version: 'v',
  recent: [],
}
const partOf = (next: FaqDryRunCursor | null): FaqDryRunPart => ({
  total: 2_000,
  done: next === null ? 2_000 : 1_000,
  outcomes: { answered: 2, staff: 0, recent: 0, doubtful: 0, none: 998 },
  contested: 0,
  entries: [{ id: 'e1', title: 'Hours', count: 2 }],
  answered: [],
  several: [],
  unanswered: [],
  next,
})
const entry: UnsavedFaq = { id: null, ...hoursBody }

describe('a dry run', () => {
  it('asks for one part after the other, each from where the last one ended, and adds them up', async () => {
    const sut = start()
    expect([selectDryRun(sut.actor.getSnapshot()), sut.dryRun.calls.length]).toEqual([null, 0])
    sut.actor.send({ type: 'run.requested', entry })
    await sut.dryRun.resolve(partOf(cursor))
    await sut.dryRun.resolve(partOf(null))
    const snapshot = sut.actor.getSnapshot()
    expect(sut.dryRun.inputs()).toEqual([
      { entry, next: null },
      { entry, next: cursor },
    ])
    expect(selectDryRun(snapshot)).toMatchObject({
      total: 2_000,
      done: 2_000,
      outcomes: { answered: 4, none: 1_996 },
      entries: [{ id: 'e1', count: 4 }],
    })
    expect([selectIsRunning(snapshot), selectIncludesForm(snapshot), sut.toasts]).toEqual([false, true, []])
  })

  it('stops when it is cancelled, keeps what it read, and starts from the beginning the next time', async () => {
    const sut = start()
    sut.actor.send({ type: 'run.requested', entry: null })
    await sut.dryRun.resolve(partOf(cursor))
    sut.actor.send({ type: 'run.cancelled' })
    const cancelled = sut.actor.getSnapshot()
    expect([
      selectWasCancelled(cancelled),
      selectDryRun(cancelled)?.done,
      sut.dryRun.calls.at(-1)?.signal.aborted,
    ]).toEqual([true, 1_000, true])
    sut.actor.send({ type: 'run.requested', entry: null })
    expect([selectDryRun(sut.actor.getSnapshot())?.done, sut.dryRun.inputs().at(-1)]).toEqual([
      0,
      { entry: null, next: null },
    ])
  })

  it('requests a lost part again, and shows the failure once', async () => {
    const sut = start()
    sut.actor.send({ type: 'run.requested', entry: null })
    await sut.dryRun.resolve(partOf(cursor))
    await sut.dryRun.reject(faqFaults.noAnswer)
    sut.clock.increment(2_000)
    await sut.dryRun.reject(faqFaults.noAnswer)
    expect([selectHasStopped(sut.actor.getSnapshot()), sut.toasts.length]).toEqual([true, 1])
    sut.clock.increment(4_000)
    await sut.dryRun.resolve(partOf(null))
    expect(sut.dryRun.inputs().map(({ next }) => next)).toEqual([null, cursor, cursor, cursor])
    expect(selectDryRun(sut.actor.getSnapshot())?.outcomes.answered).toBe(4)
  })
})

describe('the walk through a dry run', () => {
  const paths = modelOf(faqDryRunMachine, {
    input: undefined,
    vertex: ({ context }: SnapshotFrom<typeof faqDryRunMachine>) => context,
    cases: {
      'run.requested': [{ entry: null }],
      'run.cancelled': [{}],
      'refetch.requested': [{}],
      'xstate.done.actor.dryRun': ({ context }) => [
        { output: partOf(null) },
        ...(context.next === null ? [{ output: partOf(cursor) }] : []),
      ],
      'xstate.error.actor.dryRun': ({ context }) => [
        ...(context.failures > 0 ? [] : [{ error: faqFaults.unreadable }]),
        { error: faqFaults.unnamed },
      ],
    },
  }).everyTransition()

  type State = {
    step: 'idle' | 'loading' | 'waiting' | 'refused' | 'cancelled' | 'finished'
    answered: number | null
    next: FaqDryRunCursor | null
    failures: number
    asked: unknown[]
    toasts: unknown[]
  }
  const ask = (state: State, next: FaqDryRunCursor | null): Partial<State> => ({
    step: 'loading',
    next,
    asked: [...state.asked, { entry: null, next }],
  })
  const reference: Reference<State> = {
    start: { step: 'idle', answered: null, next: null, failures: 0, asked: [], toasts: [] },
    accepts: ({ step }) => [
      ...when(step !== 'loading', 'run.requested'),
      ...when(['loading', 'waiting', 'refused'].includes(step), 'run.cancelled'),
      ...when(step === 'waiting' || step === 'refused', 'refetch.requested'),
      ...when(step === 'waiting', 'xstate.after.retryDelay.faqDryRun.running.failed.waiting'),
      ...when(step === 'loading', ...ends('dryRun')),
    ],
    rules: {
      'run.requested': (state) => ({ ...ask(state, null), answered: 0, failures: 0 }),
      'run.cancelled': () => ({ step: 'cancelled' }),
      'refetch.requested': (state) => ({ ...ask(state, state.next), failures: 0 }),
      'xstate.after.retryDelay.faqDryRun.running.failed.waiting': (state) => ask(state, state.next),
      'xstate.done.actor.dryRun': (state, { output }) => ({
        ...(output.next === null ? { step: 'finished', next: null } : ask(state, output.next)),
        answered: (state.answered ?? 0) + 2,
        failures: 0,
      }),
      'xstate.error.actor.dryRun': ({ toasts, failures }, { error }) => {
        const isTemporary = error === faqFaults.unreadable
        const isTold = !isTemporary || failures === 0
        return {
          step: isTemporary ? 'waiting' : 'refused',
          failures: isTemporary ? failures + 1 : failures,
          toasts: isTold ? [...toasts, { kind: 'error', text: 'Failed to run the dry run' }] : toasts,
        }
      },
    },
    shown: ({ step, answered, asked, toasts }) => ({
      isRunning: ['loading', 'waiting', 'refused'].includes(step),
      hasStopped: step === 'waiting' || step === 'refused',
      wasCancelled: step === 'cancelled',
      answered,
      asked,
      toasts,
    }),
  }

  it(`shows what the reference shows on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = start()
      const drive = driverOf(sut.actor.send, {
        calls: { dryRun: sut.dryRun },
        delays: { retryDelay: () => sut.clock.increment(60_000) },
      })
      await followBeside(path, drive, reference, () => {
        const snapshot = sut.actor.getSnapshot()
        return {
          isRunning: selectIsRunning(snapshot),
          hasStopped: selectHasStopped(snapshot),
          wasCancelled: selectWasCancelled(snapshot),
          answered: selectDryRun(snapshot)?.outcomes.answered ?? null,
          asked: sut.dryRun.inputs(),
          toasts: sut.toasts,
        }
      })
      sut.actor.stop()
    }
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
