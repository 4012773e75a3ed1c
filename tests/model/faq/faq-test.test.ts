import { describe, expect, it } from 'vitest'
import { faqTestMachine, selectIsTesting, selectMayTest } from '../../../src/machines/faq/faq-test.ts'
import type { FaqTestResult } from '../../../src/schemas/faq.ts'
import { createCoverage, driverOf, modelOf } from '../harness.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'
import { faqFaults, startFaqTest } from './faq-fixture.ts'

const coverage = createCoverage(faqTestMachine)
const start = () => startFaqTest(coverage.inspect)
const result: FaqTestResult = {
  message: 'open?',
  matches: [{ id: 'e1', title: 'Hours', category: null, priority: 0, matched_keywords: ['open'] }],
}
const testing = (message: string) => {
  const sut = start()
  sut.actor.send({ type: 'message.typed', message })
  sut.actor.send({ type: 'test.requested' })
  return sut
}

describe('the test of a message', () => {
  it.each(['', '  \n', 'x'.repeat(5_001)])('is refused for %j', (message) => {
    const sut = testing(message)
    expect([selectMayTest(sut.actor.getSnapshot()), sut.state(), sut.test.calls.length]).toEqual([false, 'idle', 0])
  })

  it('is sent once, with the trimmed message, and shows the matches', async () => {
    const sut = testing(' open? ')
    sut.actor.send({ type: 'test.requested' })
    expect([sut.state(), sut.test.inputs()]).toEqual(['testing', [{ message: 'open?', pageId: null }]])
    await sut.test.resolve(result)
    expect([sut.state(), sut.context(), sut.toasts]).toEqual(['idle', { message: ' open? ', pageId: null, result }, []])
  })

  it.each([
    ['was rejected', faqFaults.unnamed, 'Failed to test FAQ match'],
    ['cannot be parsed', faqFaults.unreadable, 'Failed to test FAQ match'],
    ['meets a server error', faqFaults.broken, 'Server error. Please try again later.'],
  ])('that %s shows the error and keeps the message, but no earlier result', async (_, failure, text) => {
    const sut = testing('open?')
    await sut.test.resolve(result)
    sut.actor.send({ type: 'message.typed', message: 'closed?' })
    sut.actor.send({ type: 'test.requested' })
    await sut.test.reject(failure)
    expect([sut.state(), sut.context(), sut.toasts]).toEqual([
      'idle',
      { message: 'closed?', pageId: null, result: null },
      [{ kind: 'error', text }],
    ])
  })

  it('is sent again when the entries change during the request', async () => {
    const sut = testing('open?')
    sut.actor.send({ type: 'result.invalidated' })
    expect(sut.test.calls.map(({ signal }) => signal.aborted)).toEqual([true, false])
  })
})

describe('the walk through the test', () => {
  const paths = modelOf(faqTestMachine, {
    input: undefined,
    vertex: ({ context }) => context,
    cases: {
      'message.typed': [{ message: 'open?' }, { message: '' }],
      'page.chosen': [{ pageId: 'p1' }, { pageId: null }],
      'test.requested': [{}],
      'result.invalidated': [{}],
      'xstate.done.actor.testMatch': [{ output: result }],
      'xstate.error.actor.testMatch': [{ error: faqFaults.unnamed }],
    },
  }).everyTransition()

  type State = {
    message: string
    pageId: string | null
    result: FaqTestResult | null
    isTesting: boolean
    tests: unknown[]
  }
  const reference: Reference<State> = {
    start: { message: '', pageId: null, result: null, isTesting: false, tests: [] },
    accepts: ({ message, isTesting }) => [
      ...['message.typed', 'page.chosen', 'result.invalidated'],
      ...when(!isTesting && message !== '', 'test.requested'),
      ...when(isTesting, ...ends('testMatch')),
    ],
    rules: {
      'message.typed': (_, { message }) => ({ message }),
      'test.requested': ({ message, pageId, isTesting, tests }) =>
        message === '' || isTesting ? {} : { result: null, isTesting: true, tests: [...tests, { message, pageId }] },
      // A pending answer may come from the old entries.
      'result.invalidated': ({ message, pageId, isTesting, tests }) => ({
        result: null,
        tests: isTesting ? [...tests, { message, pageId }] : tests,
      }),
      // The pending answer is that of another page.
      'page.chosen': ({ message, isTesting, tests }, { pageId }) => ({
        pageId,
        result: null,
        tests: isTesting ? [...tests, { message, pageId }] : tests,
      }),
      'xstate.done.actor.testMatch': () => ({ result, isTesting: false }),
      'xstate.error.actor.testMatch': () => ({ isTesting: false }),
    },
    shown: ({ message, isTesting, ...state }) => ({
      ...state,
      message,
      isTesting,
      mayTest: message !== '' && !isTesting,
    }),
  }

  it(`shows what the reference shows on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = start()
      const drive = driverOf(sut.actor.send, { calls: { testMatch: sut.test } })
      await followBeside(path, drive, reference, () => ({
        ...sut.context(),
        isTesting: selectIsTesting(sut.actor.getSnapshot()),
        mayTest: selectMayTest(sut.actor.getSnapshot()),
        tests: sut.test.inputs(),
      }))
      sut.actor.stop()
    }
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
