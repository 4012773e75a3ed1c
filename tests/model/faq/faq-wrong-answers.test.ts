import { describe, expect, it } from 'vitest'
import type { SnapshotFrom } from 'xstate'
import {
  faqWrongAnswersMachine,
  selectHasFailed,
  selectIsLoading,
  selectResolving,
  selectWrongAnswers,
} from '../../../src/machines/faq/faq-wrong-answers.ts'
import type { FaqWrongAnswers } from '../../../src/schemas/faq.ts'
import { createCoverage, driverOf, error, modelOf } from '../harness.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'
import { faqFaults, startFaqWrongAnswers } from './faq-fixture.ts'

const coverage = createCoverage(faqWrongAnswersMachine)
const start = () => startFaqWrongAnswers(coverage.inspect)

const answerOf = (message_id: string) => ({
  message_id,
  conversation_id: 'ana',
  page_id: 'p1',
  question: 'magkano?',
  answer: 'From 100.',
  faq_id: 'e1',
  faq_title: 'Prices',
  marked_by_name: 'Paolo Cruz',
  marked_at: '2026-01-15T12:00:00Z',
})
const found: FaqWrongAnswers = { answers: [answerOf('m1'), answerOf('m2')], total: 2 }
const idsIn = (answers: FaqWrongAnswers | null) => answers?.answers.map(({ message_id }) => message_id) ?? null

it('the wrong answers lose one when it is resolved, once', async () => {
  const sut = start()
  await sut.wrongAnswers.resolve(found)
  sut.actor.send({ type: 'answer.resolved', messageId: 'm1' })
  sut.actor.send({ type: 'answer.resolved', messageId: 'm2' })
  expect([sut.resolveAnswer.inputs(), selectResolving(sut.actor.getSnapshot())]).toEqual([[{ messageId: 'm1' }], 'm1'])
  await sut.resolveAnswer.resolve()
  expect([selectWrongAnswers(sut.actor.getSnapshot()), sut.toasts]).toEqual([
    { answers: [answerOf('m2')], total: 1 },
    [{ kind: 'success', text: 'Resolved' }],
  ])
})

it('the wrong answers follow what colleagues mark, and a press during a later read is not lost', async () => {
  const sut = start()
  await sut.wrongAnswers.resolve({ answers: [answerOf('m1')], total: 1 })
  sut.clock.increment(9_999)
  expect(sut.wrongAnswers.calls.length).toBe(1)
  sut.clock.increment(1)
  expect(idsIn(selectWrongAnswers(sut.actor.getSnapshot()))).toEqual(['m1'])
  await sut.wrongAnswers.resolve(found)
  expect(idsIn(selectWrongAnswers(sut.actor.getSnapshot()))).toEqual(['m1', 'm2'])
  sut.clock.increment(10_000)
  sut.actor.send({ type: 'answer.resolved', messageId: 'm2' })
  await sut.resolveAnswer.resolve()
  expect(idsIn(selectWrongAnswers(sut.actor.getSnapshot()))).toEqual(['m1'])
})

describe('the walk through the wrong answers', () => {
  const paths = modelOf(faqWrongAnswersMachine, {
    input: undefined,
    vertex: ({ context }: SnapshotFrom<typeof faqWrongAnswersMachine>) => context,
    cases: {
      'refetch.requested': [{}],
      'answer.resolved': ({ context }) => (context.found?.total === 2 ? [{ messageId: 'm1' }] : []),
      'xstate.done.actor.loadWrongAnswers': [{ output: found }],
      'xstate.error.actor.loadWrongAnswers': ({ context }) => [
        ...(context.failures > 0 ? [] : [{ error: faqFaults.unreadable }]),
        { error: faqFaults.unnamed },
      ],
      'xstate.done.actor.resolveWrongAnswer': [{ output: undefined }],
      'xstate.error.actor.resolveWrongAnswer': [{ error: faqFaults.unnamed }],
    },
  }).everyTransition()

  type State = {
    step: 'loading' | 'waiting' | 'refused' | 'showing' | 'resolving'
    ids: string[] | null
    loads: number
    failures: number
    toasts: unknown[]
  }
  const load = ({ loads }: State): Partial<State> => ({ step: 'loading', loads: loads + 1 })
  const reference: Reference<State> = {
    start: { step: 'loading', ids: null, loads: 1, failures: 0, toasts: [] },
    accepts: ({ step }) => [
      ...when(['waiting', 'refused', 'showing'].includes(step), 'refetch.requested'),
      ...when(step === 'showing', 'xstate.after.pollDelay.faqWrongAnswers.showing'),
      ...when(step === 'showing' || step === 'loading', 'answer.resolved'),
      ...when(step === 'loading', ...ends('loadWrongAnswers')),
      ...when(step === 'waiting', 'xstate.after.retryDelay.faqWrongAnswers.failed.waiting'),
      ...when(step === 'resolving', ...ends('resolveWrongAnswer')),
    ],
    rules: {
      'refetch.requested': (state) => ({ ...load(state), failures: 0 }),
      'xstate.after.retryDelay.faqWrongAnswers.failed.waiting': load,
      'xstate.after.pollDelay.faqWrongAnswers.showing': load,
      'answer.resolved': () => ({ step: 'resolving' }),
      'xstate.done.actor.loadWrongAnswers': () => ({ step: 'showing', ids: ['m1', 'm2'], failures: 0 }),
      'xstate.error.actor.loadWrongAnswers': ({ toasts, failures }, { error: failure }) => {
        const isTemporary = failure === faqFaults.unreadable
        return {
          step: isTemporary ? 'waiting' : 'refused',
          failures: isTemporary ? failures + 1 : failures,
          toasts: !isTemporary || failures === 0 ? [...toasts, error('Failed to load wrong answers')] : toasts,
        }
      },
      'xstate.done.actor.resolveWrongAnswer': ({ ids, toasts }) => ({
        step: 'showing',
        ids: ids?.filter((id) => id !== 'm1') ?? null,
        toasts: [...toasts, { kind: 'success', text: 'Resolved' }],
      }),
      'xstate.error.actor.resolveWrongAnswer': ({ toasts }) => ({
        step: 'showing',
        toasts: [...toasts, error('Failed to resolve the answer')],
      }),
    },
    shown: ({ step, ids, loads, toasts }) => ({
      isLoading: step === 'loading',
      hasFailed: step === 'waiting' || step === 'refused',
      resolving: step === 'resolving' ? 'm1' : null,
      ids,
      loads,
      toasts,
    }),
  }

  it(`shows what the reference shows on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = start()
      const drive = driverOf(sut.actor.send, {
        calls: { loadWrongAnswers: sut.wrongAnswers, resolveWrongAnswer: sut.resolveAnswer },
        delays: {
          retryDelay: () => sut.clock.increment(60_000),
          pollDelay: () => sut.clock.increment(10_000),
        },
      })
      await followBeside(path, drive, reference, () => {
        const snapshot = sut.actor.getSnapshot()
        return {
          isLoading: selectIsLoading(snapshot),
          hasFailed: selectHasFailed(snapshot),
          resolving: selectResolving(snapshot),
          ids: idsIn(selectWrongAnswers(snapshot)),
          loads: sut.wrongAnswers.calls.length,
          toasts: sut.toasts,
        }
      })
      sut.actor.stop()
    }
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
