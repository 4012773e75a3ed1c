import { describe, expect, it } from 'vitest'
import { type AnyActorLogic, createActor, fromTransition, setup } from 'xstate'
import { selectLosses, signOutMachine } from '../../../src/machines/session/sign-out.ts'
import { createControl, createCoverage } from '../harness.ts'
import { draftOf } from '../send/drafts-fixture.ts'
import { outgoingOf } from '../send/send-fixture.ts'

const coverage = createCoverage(signOutMachine)

/** The machine beside actors that hold these drafts and sends and note the events that they receive. */
function start(texts: readonly string[], sends: number) {
  const told: unknown[] = []
  const noting = fromTransition((state: null, event) => {
    told.push(event)
    return state
  }, null)
  const holding = (context: object) => fromTransition((state: object) => state, context) as AnyActorLogic
  const count = createControl<number, { staffId: string }>()
  const drafts = new Map(texts.map((text, index) => [`c${index}`, draftOf(`d${index}`, text)]))
  const outgoing = Array.from({ length: sends }, (_, index) => outgoingOf({ key: `k${index}` }))
  const parent = setup({
    actors: {
      auth: noting,
      dialog: noting,
      drafts: holding({ drafts }),
      outbox: holding({ outgoing }),
      signOut: signOutMachine.provide({ actors: { countElsewhere: count.logic } }),
    },
  }).createMachine({
    invoke: [
      { src: 'auth', systemId: 'auth' },
      { src: 'dialog', systemId: 'dialog' },
      { src: 'drafts', systemId: 'drafts' },
      { src: 'outbox', systemId: 'outbox' },
      { src: 'signOut', systemId: 'signOut', input: { staffId: 's1' } },
    ],
  })
  const root = createActor(parent, { inspect: coverage.inspect }).start()
  const actor = root.system.get('signOut')
  return {
    press: () => actor.send({ type: 'signOut.requested' }),
    count,
    seen: () => ({ state: actor.getSnapshot().value, losses: selectLosses(actor.getSnapshot()), told }),
  }
}

const leaves = { type: 'signOut.requested' }
const asks = { type: 'dialog.requested', dialog: { name: 'signOut' } }

describe('a press on Sign out', () => {
  it.each([
    ['nothing is lost', [], 0, 0, leaves, { drafts: 0, unsent: 0 }],
    ['the drafts are blank', ['', ' \n'], 0, 0, leaves, { drafts: 0, unsent: 0 }],
    ['there are drafts', ['a', '', 'b'], 0, 0, asks, { drafts: 2, unsent: 0 }],
    ['this tab has a message that is not confirmed', [], 1, 0, asks, { drafts: 0, unsent: 1 }],
    ['another tab has one', [], 0, 1, asks, { drafts: 0, unsent: 1 }],
    ['there are all of them', ['a'], 2, 3, asks, { drafts: 1, unsent: 5 }],
  ] as const)('if %s', async (_, texts, sends, elsewhere, event, losses) => {
    const sut = start(texts, sends)
    expect(sut.seen()).toEqual({ state: 'idle', losses: { drafts: 0, unsent: 0 }, told: [] })
    sut.press()
    sut.press()
    expect([sut.seen().state, sut.count.inputs()]).toEqual(['counting', [{ staffId: 's1' }]])
    await sut.count.resolve(elsewhere)
    expect(sut.seen()).toEqual({ state: 'idle', losses, told: [event] })
  })

  it('counts anew each time', async () => {
    const sut = start(['a'], 0)
    for (const elsewhere of [2, 1]) {
      sut.press()
      await sut.count.resolve(elsewhere)
    }
    expect(sut.seen()).toEqual({ state: 'idle', losses: { drafts: 1, unsent: 1 }, told: [asks, asks] })
  })

  it.each([
    [[], leaves],
    [['a'], asks],
  ])('is not blocked by a browser that refuses access to its storage, with the drafts %j', async (texts, event) => {
    const sut = start(texts, 0)
    sut.press()
    await sut.count.reject(new DOMException('denied', 'SecurityError'))
    expect(sut.seen().told).toEqual([event])
  })
})

describe('the tests of signing out', () => {
  it('enter every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('take every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
