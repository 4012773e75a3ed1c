import { describe, expect, it } from 'vitest'
import { type AnyEventObject, createActor, setup } from 'xstate'
import type { DecidedReply, ReplyOutcome } from '../../../src/domain/thread/thread-calls.ts'
import {
  type ReplyDecisionEvent,
  replyDecisionMachine,
  selectDecided,
} from '../../../src/machines/thread/reply-decision.ts'
import type { ReplyDecision } from '../../../src/schemas/message.ts'
import { createControl, createCoverage, createToastLog, driverOf, inspectAll } from '../harness.ts'
import { faults } from '../inbox-fixture.ts'
import { ends, followBeside, type Reference } from '../reference.ts'
import { decided, outcomes, questionAfter, reply, replyDecisionModel } from './reply-decision-fixture.ts'

const coverage = createCoverage(replyDecisionMachine)

function start() {
  const service = createControl<ReplyOutcome, DecidedReply>()
  const log = createToastLog()
  const heard: AnyEventObject[] = []
  const machine = replyDecisionMachine.provide({ actors: { decideReply: service.logic } })
  const owner = setup({ actors: { machine } }).createMachine({
    invoke: { src: 'machine', id: 'machine' },
    on: { 'messages.changed': { actions: ({ event }) => heard.push(event) } },
  })
  const actor = createActor(owner, {
    inspect: inspectAll(coverage.inspect, log.inspect),
  }).start()
  const child = () => {
    const found = actor.getSnapshot().children['machine']
    if (found === undefined) throw new Error('the machine does not run')
    return found
  }
  return {
    service,
    toasts: log.toasts,
    heard,
    snapshot: () => child().getSnapshot(),
    send: (event: ReplyDecisionEvent) => child().send(event),
  }
}

const notFound = {
  kind: 'info',
  text: 'Nothing proves yet that the automatic reply arrived. Look for it in the conversation, or check again later. If you send it again, it may arrive twice.',
}
const uncertain = {
  kind: 'warning',
  text: 'The automatic reply may not have arrived. Check again, send it again or discard it.',
}
const sent = { kind: 'success', text: 'Message sent successfully' }
const byOthers = { kind: 'info', text: 'A colleague has already discarded the automatic reply' }

describe('a decision about an unconfirmed automatic reply', () => {
  it.each<[ReplyDecision, keyof typeof outcomes, object[]]>([
    ['look', 'sent', [sent]],
    ['look', 'unconfirmed', [notFound]],
    ['look', 'discarded', [byOthers]],
    ['retry', 'sent', [sent]],
    ['retry', 'unconfirmed', [uncertain]],
    ['retry', 'discarded', [byOthers]],
    ['discard', 'sent', [sent]],
    ['discard', 'unconfirmed', [uncertain]],
    ['discard', 'discarded', []],
  ])('to %s reports its result if the answer is then %s', async (decision, state, toasts) => {
    const sut = start()
    sut.send({ type: 'reply.decided', ...decided(decision) })
    expect([selectDecided(sut.snapshot()), sut.service.inputs()]).toEqual([decided(decision), [decided(decision)]])
    await sut.service.resolve(outcomes[state])
    expect([selectDecided(sut.snapshot()), sut.toasts]).toEqual([null, toasts])
  })

  it('passes the rows of the question and of the answer to the thread, if they exist', async () => {
    const told = []
    for (const outcome of [outcomes.sent, outcomes.unconfirmed, outcomes.withoutQuestion]) {
      const sut = start()
      sut.send({ type: 'reply.decided', ...decided('retry') })
      await sut.service.resolve(outcome)
      told.push(sut.heard)
    }
    const question = { type: 'UPDATE', record: questionAfter(null) }
    const answer = { type: 'INSERT', record: reply }
    expect(told).toEqual([
      [{ type: 'messages.changed', changes: [question, answer] }],
      [{ type: 'messages.changed', changes: [{ type: 'UPDATE', record: questionAfter(2) }] }],
      [{ type: 'messages.changed', changes: [answer] }],
    ])
  })

  it('is sent once if its button is pressed twice', () => {
    const sut = start()
    sut.send({ type: 'reply.decided', ...decided('retry') })
    sut.send({ type: 'reply.decided', ...decided('retry') })
    expect(sut.service.calls.length).toBe(1)
  })

  it('reports its failure and can be repeated', async () => {
    const sut = start()
    sut.send({ type: 'reply.decided', ...decided('retry') })
    await sut.service.reject(faults.refused)
    expect(sut.toasts).toEqual([{ kind: 'error', text: 'No such filter' }])
    sut.send({ type: 'reply.decided', ...decided('discard') })
    expect(sut.service.last().input).toEqual(decided('discard'))
  })
})

describe('the walk through the decisions', () => {
  const paths = replyDecisionModel().everyTransition()

  const reference: Reference<{ decided: DecidedReply | null; calls: number; toasts: unknown[] }> = {
    start: { decided: null, calls: 0, toasts: [] },
    accepts: ({ decided }) => (decided === null ? ['reply.decided'] : ends('decideReply')),
    rules: {
      'reply.decided': ({ calls }, { questionId, decision, tries }) => ({
        decided: { questionId, decision, tries },
        calls: calls + 1,
      }),
      'xstate.done.actor.decideReply': (state) => ({
        decided: null,
        toasts: [...state.toasts, state.decided?.decision === 'look' ? notFound : uncertain],
      }),
      'xstate.error.actor.decideReply': ({ toasts }) => ({
        decided: null,
        toasts: [...toasts, { kind: 'error', text: 'Network error. Please check your connection.' }],
      }),
    },
    shown: (state) => state,
  }

  it.each(paths.map((path) => [path.title, path] as const))('%s', async (_title, path) => {
    const sut = start()
    const drive = driverOf(sut.send, { calls: { decideReply: sut.service } })
    await followBeside(path, drive, reference, () => ({
      decided: selectDecided(sut.snapshot()),
      calls: sut.service.calls.length,
      toasts: sut.toasts,
    }))
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
