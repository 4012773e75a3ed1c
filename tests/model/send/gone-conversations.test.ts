import { describe, expect, it } from 'vitest'
import { createActor, createMachine, fromTransition, sendTo } from 'xstate'
import { goneConversationsMachine } from '../../../src/machines/send/gone-conversations.ts'
import { createControl, createCoverage } from '../harness.ts'
import { draftOf } from './drafts-fixture.ts'
import { outgoingOf } from './send-fixture.ts'

const coverage = createCoverage(goneConversationsMachine)

type Stored = { listed?: string[]; unsent?: string[]; drafts?: Record<string, string>; isLive?: boolean }

const live = createMachine({
  initial: 'status',
  states: { status: { initial: 'live', states: { live: { initial: 'valid', states: { valid: {} } } } } },
})

/** The machine beside a list, an outbox and drafts with fixed content, in a session that keeps what it is told. */
function start({ listed = [], unsent = [], drafts = {}, isLive = false }: Stored) {
  const asked = createControl<boolean, { id: string }>()
  const told: unknown[] = []
  const holding = (context: object) => fromTransition((state: object) => state, context)
  const session = createMachine({
    invoke: [
      ...(isLive ? [{ src: live, systemId: 'realtime' }] : []),
      { src: holding({ order: listed }), systemId: 'conversations' },
      {
        src: holding({
          outgoing: unsent.map((id) => outgoingOf({ recipient: { ...outgoingOf({}).recipient, conversationId: id } })),
        }),
        systemId: 'outbox',
      },
      {
        src: holding({ drafts: new Map(Object.entries(drafts).map(([id, text]) => [id, draftOf(`d-${id}`, text)])) }),
        systemId: 'drafts',
      },
      { src: goneConversationsMachine.provide({ actors: { isGone: asked.logic } }), id: 'sut', systemId: 'sut' },
    ],
    on: {
      check: { actions: sendTo('sut', { type: 'resync.done' }) },
      'conversation.gone': { actions: ({ event }) => void told.push(event) },
    },
  })
  const actor = createActor(session, { systemId: 'session', inspect: coverage.inspect }).start()
  return { asked, told, check: () => actor.send({ type: 'check' }), ids: () => asked.inputs().map(({ id }) => id) }
}

describe('a check for conversations that the server no longer knows', () => {
  it('asks for each conversation with an unsent message or a draft that is not listed, one after the other', async () => {
    const sut = start({
      listed: ['c1', 'c2'],
      unsent: ['c1', 'c3', 'c3'],
      drafts: { c2: 'a', c3: 'b', c4: 'c', c5: '' },
    })
    expect(sut.ids()).toEqual([])
    sut.check()
    sut.check()
    expect(sut.ids()).toEqual(['c3'])
    await sut.asked.resolve(false)
    expect([sut.ids(), sut.told]).toEqual([['c3', 'c4'], []])
    await sut.asked.resolve(true)
    expect([sut.ids(), sut.told]).toEqual([['c3', 'c4'], [{ type: 'conversation.gone', id: 'c4' }]])
  })

  it('removes nothing after a failure, and asks again at the next check', async () => {
    const sut = start({ unsent: ['c1'], drafts: { c2: 'a' } })
    sut.check()
    await sut.asked.reject(new Error('no answer'))
    expect([sut.ids(), sut.told]).toEqual([['c1'], []])
    sut.check()
    await sut.asked.resolve(true)
    expect([sut.ids(), sut.told]).toEqual([['c1', 'c1', 'c2'], [{ type: 'conversation.gone', id: 'c1' }]])
  })

  it('checks at its start if the resync of the start is over', () => {
    expect(start({ unsent: ['c1'], isLive: true }).ids()).toEqual(['c1'])
  })

  it('asks for nothing if nothing is stored', () => {
    const sut = start({})
    sut.check()
    expect(sut.ids()).toEqual([])
  })
})

describe('the tests of the check', () => {
  it('enter every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('take every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
