import { describe, expect, it } from 'vitest'
import type { SnapshotFrom } from 'xstate'
import type { AnswerMark } from '../../../src/domain/faq/faq-calls.ts'
import { answerMarkMachine, selectMark } from '../../../src/machines/faq/answer-mark.ts'
import { createCoverage, driverOf, modelOf } from '../harness.ts'
import { messageIn } from '../inbox-fixture.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'
import { faqFaults, startAnswerMark } from './faq-fixture.ts'

const coverage = createCoverage(answerMarkMachine)
const start = () => startAnswerMark(coverage.inspect)
const wrong = messageIn('ana', 1, { wrong_answer: { by: 'paolo', at: '2026-01-15T12:00:00Z' } })
const told = { type: 'messages.changed', changes: [{ type: 'UPDATE', record: wrong }] }

describe('the walk through the marks of automatic answers', () => {
  const marks: readonly AnswerMark[] = [
    { messageId: 'm1', isWrong: true },
    { messageId: 'm1', isWrong: false },
  ]
  const paths = modelOf(answerMarkMachine, {
    input: undefined,
    vertex: ({ context }: SnapshotFrom<typeof answerMarkMachine>) => context,
    cases: {
      'answer.marked': [...marks],
      'xstate.done.actor.markAnswer': [{ output: wrong }],
      'xstate.error.actor.markAnswer': [{ error: faqFaults.unnamed }],
    },
  }).everyTransition()

  type State = { mark: AnswerMark | null; sent: AnswerMark[]; told: unknown[]; toasts: unknown[] }
  const reference: Reference<State> = {
    start: { mark: null, sent: [], told: [], toasts: [] },
    accepts: ({ mark }) => [...when(mark === null, 'answer.marked'), ...when(mark !== null, ...ends('markAnswer'))],
    rules: {
      'answer.marked': ({ sent }, { messageId, isWrong }) => ({
        mark: { messageId, isWrong },
        sent: [...sent, { messageId, isWrong }],
      }),
      // The thread shows the mark also while realtime is down.
      'xstate.done.actor.markAnswer': (state) => ({ mark: null, told: [...state.told, told] }),
      'xstate.error.actor.markAnswer': ({ mark, toasts }) => ({
        mark: null,
        toasts: [
          ...toasts,
          { kind: 'error', text: mark?.isWrong ? 'Failed to mark the answer' : 'Failed to take the mark back' },
        ],
      }),
    },
    shown: (state) => state,
  }

  it(`shows what the reference shows on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = start()
      const drive = driverOf(sut.actor.send, { calls: { markAnswer: sut.mark } })
      await followBeside(path, drive, reference, () => ({
        mark: selectMark(sut.actor.getSnapshot()),
        sent: sut.mark.inputs(),
        told: sut.told,
        toasts: sut.toasts,
      }))
      sut.actor.stop()
    }
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
