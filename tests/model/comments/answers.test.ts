import { describe, expect, it } from 'vitest'
import { type AnyEventObject, createActor, SimulatedClock, setup } from 'xstate'
import type { AnswerState, CommentAnswer } from '../../../src/domain/comments/answers.ts'
import type { ReplyRequest } from '../../../src/domain/comments/comment-calls.ts'
import { answerFlowMachine } from '../../../src/machines/comments/answer-flow.ts'
import {
  type AnswersEvent,
  answersMachine,
  selectHasTyped,
  selectUnsentAnswers,
} from '../../../src/machines/comments/answers.ts'
import type { CommentThread } from '../../../src/schemas/comment.ts'
import { createControl, createCoverage, createToastLog, inspectAll } from '../harness.ts'
import { faults } from '../inbox-fixture.ts'
import { answerOf, now, threadOf } from './comments-fixture.ts'

const answersCoverage = createCoverage(answersMachine)
const flowCoverage = createCoverage(answerFlowMachine)

/** Runs `answers` beside a browser that keeps `stored`, in a session that hears its reports. */
function start(stored: readonly CommentAnswer[] = []) {
  const clock = new SimulatedClock()
  const send = createControl<CommentThread, ReplyRequest>()
  const find = createControl<AnswerState, { threadId: string; commentId: string; key: string }>()
  const load = createControl<readonly CommentAnswer[], { staffId: string }>()
  const log = createToastLog()
  const kept = new Map(stored.map((answer) => [answer.key, answer]))
  const heard: AnyEventObject[] = []
  let isOnline = true
  let keys = 0
  const machine = answersMachine.provide({
    actors: {
      answerFlow: answerFlowMachine.provide({
        actors: { sendReply: send.logic, findAnswer: find.logic },
        guards: { isOnline: () => isOnline },
      }),
      loadAnswers: load.logic,
    },
    actions: {
      store: (_, { staffId, answers }) => {
        expect(staffId).toBe('ana')
        for (const answer of answers) kept.set(answer.key, answer)
      },
      forget: (_, params) => {
        for (const key of params.keys) kept.delete(key)
      },
    },
  })
  const session = setup({ actors: { machine } }).createMachine({
    invoke: {
      src: 'machine',
      id: 'answers',
      systemId: 'answers',
      input: { userId: 'ana', newKey: () => `key-${++keys}`, now: () => now },
    },
    on: { '*': { actions: ({ event }) => heard.push(event) } },
  })
  const actor = createActor(session, {
    clock,
    systemId: 'session',
    inspect: inspectAll(answersCoverage.inspect, flowCoverage.inspect, log.inspect),
  }).start()
  const child = () => {
    const found = actor.getSnapshot().children['answers']
    if (found === undefined) throw new Error('the machine does not run')
    return found
  }
  return {
    clock,
    calls: { send, find, load },
    toasts: log.toasts,
    heard: () => heard.filter(({ type }) => type === 'comments.changed'),
    kept: () => [...kept.values()].map(({ key, text, status }) => [key, text, status]),
    shown: () =>
      child()
        .getSnapshot()
        .context.answers.map(({ key, status }) => `${key} ${status}`),
    unsent: () => selectUnsentAnswers(child().getSnapshot()).map(({ key }) => key),
    hasTyped: (threadId: string) => selectHasTyped(threadId)(child().getSnapshot()),
    send: (event: AnswersEvent) => child().send(event),
    goOffline: () => {
      isOnline = false
    },
    goOnline: () => {
      isOnline = true
      child().send({ type: 'browser.online' })
    },
  }
}

const { comment } = answerOf()
const answered = (text: string, id = 'c1') => ({ comment: { ...comment, id }, kind: 'public' as const, text })

async function started(stored: readonly CommentAnswer[] = []) {
  const sut = start(stored)
  await sut.calls.load.resolve(stored)
  return sut
}

describe('a typed answer', () => {
  it('is kept under one key from the first letter until it is sent', async () => {
    const sut = await started()
    sut.send({ type: 'answer.typed', ...answered('P') })
    sut.send({ type: 'answer.typed', ...answered('P250 ') })
    expect([sut.kept(), sut.unsent(), sut.hasTyped('t1')]).toEqual([[['key-1', 'P250 ', 'typed']], [], true])
    sut.send({ type: 'answer.submitted', ...answered(' ') })
    sut.send({ type: 'answer.submitted', ...answered('P250 ') })
    expect(sut.calls.send.inputs()).toEqual([{ commentId: 'c1', kind: 'public', message: 'P250', key: 'key-1' }])
    await sut.calls.send.resolve(threadOf())
    expect([sut.kept(), sut.shown(), sut.heard(), sut.toasts]).toEqual([
      [],
      [],
      [{ type: 'comments.changed', thread: { id: 't1', postId: 'post-1' }, told: threadOf() }],
      [{ kind: 'success', text: 'The answer was sent' }],
    ])
  })

  it('is forgotten when the field is emptied, when it is cancelled and when its thread is deleted', async () => {
    const sut = await started()
    sut.send({ type: 'answer.typed', ...answered('P') })
    sut.send({ type: 'answer.typed', ...answered('') })
    expect(sut.kept()).toEqual([])
    sut.send({ type: 'answer.typed', ...answered('P') })
    sut.send({ type: 'answer.cancelled', commentId: 'c1', kind: 'private' })
    expect(sut.kept()).toEqual([['key-2', 'P', 'typed']])
    sut.send({ type: 'answer.cancelled', commentId: 'c1', kind: 'public' })
    expect(sut.kept()).toEqual([])
    sut.send({ type: 'answer.typed', ...answered('P') })
    sut.send({ type: 'comments.changed', thread: { id: 't1', postId: 'post-1' } })
    sut.send({ type: 'comments.changed', thread: { id: 't2', postId: null } })
    expect(sut.kept()).toEqual([['key-3', 'P', 'typed']])
    sut.send({ type: 'comments.changed', thread: { id: 't1', postId: null } })
    expect([sut.kept(), sut.shown()]).toEqual([[], []])
  })

  it('is there after a reload, and is not sent by itself', async () => {
    const sut = await started([answerOf({ status: 'typed' })])
    expect([sut.shown(), sut.calls.send.calls.length]).toEqual([['k1 typed'], 0])
  })
})

describe('after a reload', () => {
  it.each([
    ['queued', 'waiting'],
    ['offline', 'waiting'],
    ['waiting', 'waiting'],
    ['failed', 'failed'],
    ['pending', 'unconfirmed'],
    ['notFound', 'unconfirmed'],
  ] as const)('an answer that was %s is %s and sends nothing', async (status, then) => {
    const sut = await started([answerOf({ status })])
    expect([sut.shown(), sut.unsent(), sut.calls.send.calls.length]).toEqual([[`k1 ${then}`], ['k1'], 0])
  })

  it('an answer that may have left is looked for, and is sent again under its key only if a person asks', async () => {
    const sut = await started([answerOf({ status: 'pending' })])
    for (const wait of [2_000, 4_000, 8_000, 16_000]) {
      sut.clock.increment(wait)
      await sut.calls.find.resolve('unknown')
    }
    expect(sut.shown()).toEqual(['k1 notFound'])
    sut.send({ type: 'check.requested', key: 'k1' })
    await sut.calls.find.reject(faults.noAnswer)
    sut.send({ type: 'send.retried', key: 'k1' })
    expect(sut.calls.send.inputs()).toEqual([{ commentId: 'c1', kind: 'public', message: 'P250 po', key: 'k1' }])
    await sut.calls.send.reject(faults.refused)
    expect(sut.shown()).toEqual(['k1 unconfirmed'])
    sut.clock.increment(2_000)
    await sut.calls.find.resolve('held')
    expect([sut.shown(), sut.kept(), sut.heard()]).toEqual([
      [],
      [],
      [{ type: 'comments.changed', thread: { id: 't1', postId: 'post-1' } }],
    ])
  })

  it('what cannot be read loses nothing that is written now', async () => {
    const sut = start()
    sut.send({ type: 'answer.submitted', ...answered('P250') })
    expect(sut.calls.send.calls.length).toBe(0)
    await sut.calls.load.reject(faults.refused)
    expect(sut.calls.send.inputs().map(({ key }) => key)).toEqual(['key-1'])
  })
})

describe('without a connection', () => {
  it('an answer waits, and is sent when a person asks once the connection is back', async () => {
    const sut = await started()
    sut.goOffline()
    for (const id of ['c1', 'c2', 'c3', 'c4']) sut.send({ type: 'answer.submitted', ...answered('P250', id) })
    expect(sut.shown()).toEqual(['key-1 offline', 'key-2 offline', 'key-3 offline', 'key-4 offline'])
    sut.send({ type: 'send.retried', key: 'key-1' })
    expect([sut.shown()[0], sut.calls.send.calls.length]).toEqual(['key-1 offline', 0])
    sut.goOnline()
    expect([sut.shown()[0], sut.calls.send.calls.length]).toEqual(['key-1 waiting', 0])
    sut.send({ type: 'waiting.retried' })
    expect(sut.shown()).toEqual(['key-1 pending', 'key-2 pending', 'key-3 pending', 'key-4 queued'])
    await sut.calls.send.resolve(threadOf())
    expect(sut.calls.send.inputs().map(({ key }) => key)).toEqual(['key-1', 'key-2', 'key-3', 'key-4'])
  })

  it('a retry by a person sends one waiting answer', async () => {
    const sut = await started([answerOf({ status: 'waiting' })])
    sut.send({ type: 'send.retried', key: 'k1' })
    expect(sut.shown()).toEqual(['k1 pending'])
  })

  it('a retry of an answer that may have left only says so', async () => {
    const sut = await started([answerOf({ status: 'pending' })])
    sut.goOffline()
    sut.send({ type: 'send.retried', key: 'k1' })
    for (const wait of [2_000, 4_000, 8_000, 16_000]) {
      sut.clock.increment(wait)
      // No answer in time.
      sut.clock.increment(30_000)
    }
    sut.send({ type: 'send.retried', key: 'k1' })
    expect([sut.shown(), sut.toasts.map(({ kind }) => kind), sut.calls.send.calls.length]).toEqual([
      ['k1 notFound'],
      ['error', 'error'],
      0,
    ])
    sut.goOnline()
    sut.send({ type: 'send.retried', key: 'k1' })
    expect(sut.shown()).toEqual(['k1 pending'])
  })
})

describe('an answer without a result', () => {
  it('that the server refused stays with its reason until it is sent or discarded', async () => {
    const sut = await started()
    sut.send({ type: 'answer.submitted', ...answered('P250') })
    sut.send({ type: 'send.discarded', key: 'key-1' })
    expect(sut.shown()).toEqual(['key-1 pending'])
    await sut.calls.send.reject(faults.refused)
    expect([sut.kept(), sut.unsent()]).toEqual([[['key-1', 'P250', 'failed']], ['key-1']])
    sut.send({ type: 'send.retried', key: 'key-1' })
    await sut.calls.send.reject(faults.refused)
    sut.send({ type: 'send.discarded', key: 'key-1' })
    expect([sut.kept(), sut.shown()]).toEqual([[], []])
  })

  it('is unconfirmed after a lost connection and after the time-out, and is found in its thread', async () => {
    const sut = await started()
    sut.send({ type: 'answer.submitted', ...answered('P250') })
    sut.send({ type: 'answer.submitted', ...answered('P260', 'c2') })
    await sut.calls.send.reject(faults.noAnswer)
    sut.clock.increment(35_000)
    expect(sut.shown()).toEqual(['key-1 unconfirmed', 'key-2 unconfirmed'])
    sut.send({ type: 'check.requested', key: 'key-2' })
    expect(sut.calls.find.inputs().at(-1)).toEqual({ threadId: 't1', commentId: 'c2', key: 'key-2' })
  })
})

// A flow leaves `resuming` in the same step, so no snapshot shows it.
it('enters every state but the one that no snapshot shows', () =>
  expect([answersCoverage.statesMissed(), flowCoverage.statesMissed()]).toEqual([[], ['answerFlow.resuming']]))
it('takes every transition', () =>
  expect([answersCoverage.transitionsMissed(), flowCoverage.transitionsMissed()]).toEqual([[], []]))
