import { describe, expect, it } from 'vitest'
import { type AnyActorLogic, createActor, fromTransition, SimulatedClock, setup } from 'xstate'
import { selectLosses, signOutMachine } from '../../../src/machines/session/sign-out.ts'
import { createControl, createCoverage } from '../harness.ts'
import { draftOf } from '../send/drafts-fixture.ts'
import { outgoingOf } from '../send/send-fixture.ts'

const coverage = createCoverage(signOutMachine)

/** The machine beside actors that hold these drafts (the first of them with these texts on the server) and sends and note the events that they receive. */
function start(texts: readonly string[], sends: number, savedTexts: readonly string[] = []) {
  const told: unknown[] = []
  const noting = fromTransition((state: null, event) => {
    told.push(event)
    return state
  }, null)
  const holding = (context: object) => fromTransition((state: object) => state, context) as AnyActorLogic
  const count = createControl<{ drafts: number; notes: number; unsent: number }, { staffId: string }>()
  const drafts = new Map(texts.map((text, index) => [`c${index}`, draftOf(`d${index}`, text)]))
  const saved = new Map(savedTexts.map((text, index) => [`c${index}`, { version: 'v1', text, extras: null, sent: [] }]))
  const asked: unknown[] = []
  const session = fromTransition((state: null, event) => {
    asked.push(event)
    return state
  }, null)
  const outgoing = Array.from({ length: sends }, (_, index) => outgoingOf({ key: `k${index}` }))
  const parent = setup({
    actors: {
      auth: noting,
      dialog: noting,
      session,
      drafts: holding({ drafts, saved }),
      outbox: holding({ outgoing }),
      signOut: signOutMachine.provide({ actors: { countElsewhere: count.logic } }),
    },
  }).createMachine({
    invoke: [
      { src: 'session', systemId: 'session' },
      { src: 'auth', systemId: 'auth' },
      { src: 'dialog', systemId: 'dialog' },
      { src: 'drafts', systemId: 'drafts' },
      { src: 'outbox', systemId: 'outbox' },
      { src: 'signOut', systemId: 'signOut', input: { staffId: 's1' } },
    ],
  })
  const clock = new SimulatedClock()
  const root = createActor(parent, { clock, inspect: coverage.inspect }).start()
  const actor = root.system.get('signOut')
  return {
    press: () => actor.send({ type: 'signOut.requested' }),
    flushed: () => actor.send({ type: 'drafts.flushed' }),
    asked,
    clock,
    count,
    seen: () => ({ state: actor.getSnapshot().value, losses: selectLosses(actor.getSnapshot()), told }),
  }
}

const leaves = { type: 'signOut.requested' }
const asks = { type: 'dialog.requested', dialog: { name: 'signOut' } }

describe('a press on Sign out', () => {
  it.each([
    ['nothing is lost', [], 0, 0, leaves, { drafts: 0, notes: 0, unsent: 0 }],
    ['the drafts are blank', ['', ' \n'], 0, 0, leaves, { drafts: 0, notes: 0, unsent: 0 }],
    ['there are drafts', ['a', '', 'b'], 0, 0, asks, { drafts: 2, notes: 0, unsent: 0 }],
    ['this tab has a message that is not confirmed', [], 1, 0, asks, { drafts: 0, notes: 0, unsent: 1 }],
    ['another tab has one', [], 0, 1, asks, { drafts: 0, notes: 0, unsent: 1 }],
    ['there are all of them', ['a'], 2, 3, asks, { drafts: 1, notes: 0, unsent: 5 }],
  ] as const)('if %s', async (_, texts, sends, elsewhere, event, losses) => {
    const sut = start(texts, sends)
    expect(sut.seen()).toEqual({ state: 'idle', losses: { drafts: 0, notes: 0, unsent: 0 }, told: [] })
    sut.press()
    sut.press()
    expect([sut.seen().state, sut.asked]).toEqual(['saving', [{ type: 'flush.requested' }]])
    sut.flushed()
    expect([sut.seen().state, sut.count.inputs()]).toEqual(['counting', [{ staffId: 's1' }]])
    await sut.count.resolve({ unsent: elsewhere, drafts: 0, notes: 0 })
    expect(sut.seen()).toEqual({ state: 'idle', losses, told: [event] })
  })

  it('counts typed notes apart from the drafts, here and in other tabs', async () => {
    const sut = start(['a'], 0)
    sut.press()
    sut.flushed()
    await sut.count.resolve({ unsent: 0, drafts: 3, notes: 2 })
    expect(sut.seen()).toMatchObject({ losses: { drafts: 4, notes: 2, unsent: 0 }, told: [asks] })
  })

  it('asks if only a typed note is lost', async () => {
    const sut = start([], 0)
    sut.press()
    sut.flushed()
    await sut.count.resolve({ unsent: 0, drafts: 0, notes: 1 })
    expect(sut.seen().told).toEqual([asks])
  })

  it('counts no draft that the server has', async () => {
    const sut = start(['a', 'b', 'c'], 0, ['a', 'an older text'])
    sut.press()
    sut.flushed()
    await sut.count.resolve({ unsent: 0, drafts: 0, notes: 0 })
    expect(sut.seen().losses).toEqual({ drafts: 2, notes: 0, unsent: 0 })
  })

  it('waits three seconds for the drafts to be saved', () => {
    const sut = start(['a'], 0)
    sut.press()
    sut.clock.increment(2_999)
    const before = sut.seen().state
    sut.clock.increment(1)
    expect([before, sut.seen().state]).toEqual(['saving', 'counting'])
  })

  it('counts anew each time', async () => {
    const sut = start(['a'], 0)
    for (const elsewhere of [2, 1]) {
      sut.press()
      sut.flushed()
      await sut.count.resolve({ unsent: elsewhere, drafts: 0, notes: 0 })
    }
    expect(sut.seen()).toEqual({ state: 'idle', losses: { drafts: 1, notes: 0, unsent: 1 }, told: [asks, asks] })
  })

  it.each([
    [[], leaves],
    [['a'], asks],
  ])('is not blocked by a browser that refuses access to its storage, with the drafts %j', async (texts, event) => {
    const sut = start(texts, 0)
    sut.press()
    sut.flushed()
    await sut.count.reject(new DOMException('denied', 'SecurityError'))
    expect(sut.seen().told).toEqual([event])
  })
})

describe('the tests of signing out', () => {
  it('enter every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('take every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
