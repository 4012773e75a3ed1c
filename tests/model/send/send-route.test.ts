import { describe, expect, it } from 'vitest'
import { type AnyEventObject, createActor, SimulatedClock } from 'xstate'
import type { BestPage, PageIdentity } from '../../../src/domain/send/send-calls.ts'
import { type SendRouteEvent, selectRoute, sendRouteMachine } from '../../../src/machines/send/send-route.ts'
import { createControl, createCoverage, follow } from '../harness.ts'
import { inserted, updated } from '../inbox-fixture.ts'
import { auto, best, chosen, elsewhere, identity, nowhere, recipient, sendRouteModel } from './send-route-fixture.ts'

const coverage = createCoverage(sendRouteMachine)

const autoEvent: SendRouteEvent = { type: 'route.requested', ...auto }
const chosenEvent: SendRouteEvent = { type: 'route.requested', ...chosen }
const wrote: SendRouteEvent = { type: 'messages.changed', changes: [inserted('c1', 5)] }

function start() {
  const page = createControl<BestPage, { userId: string }>()
  const person = createControl<PageIdentity, { userId: string; pageId: string }>()
  const clock = new SimulatedClock()
  const actor = createActor(
    sendRouteMachine.provide({ actors: { findBestPage: page.logic, findIdentity: person.logic } }),
    { clock, inspect: coverage.inspect },
  ).start()
  return {
    page,
    person,
    clock,
    snapshot: () => actor.getSnapshot(),
    route: () => selectRoute(actor.getSnapshot()),
    send: (event: SendRouteEvent) => actor.send(event),
  }
}

const foundOnBest = { pageId: 'p2', reason: 'last_incoming', identity: 'found', platform: 'instagram' }

describe('what a message will go out by', () => {
  it('is the best page and the identity there', async () => {
    const sut = start()
    sut.send(autoEvent)
    expect([sut.page.inputs(), sut.route()]).toEqual([[{ userId: 'c1' }], null])
    await sut.page.resolve(best)
    expect(sut.person.inputs()).toEqual([{ userId: 'c1', pageId: 'p2' }])
    await sut.person.resolve(identity)
    expect(sut.route()).toEqual(foundOnBest)
  })

  it('is the chosen page, and no other is looked for', async () => {
    const sut = start()
    sut.send(chosenEvent)
    await sut.person.resolve(identity)
    expect([sut.page.calls.length, sut.route()]).toEqual([0, { ...foundOnBest, reason: 'chosen' }])
  })

  it('is the first page and the own identity where the look-ups fail', async () => {
    const sut = start()
    sut.send(autoEvent)
    await sut.page.reject(new Error('offline'))
    await sut.person.reject(new Error('offline'))
    expect(sut.route()).toEqual({ pageId: 'p1', reason: 'unasked', identity: 'own', platform: null })
  })

  it('is nobody where the page is not that of the own identity', async () => {
    const sut = start()
    sut.send(chosenEvent)
    await sut.person.reject(new Error('not known'))
    expect(sut.route()).toEqual({ pageId: 'p2', reason: 'chosen', identity: 'none', platform: null })
  })

  it('is the own identity as soon as the person wrote to that page, and nobody is looked for again', async () => {
    const sut = start()
    sut.send(chosenEvent)
    await sut.person.reject(new Error('not known'))
    sut.send({ type: 'recipient.changed', recipient: elsewhere })
    expect(sut.route()).toEqual({ pageId: 'p2', reason: 'chosen', identity: 'own', platform: null })
    sut.send({ type: 'recipient.changed', recipient })
    expect(sut.route()).toEqual({ pageId: 'p2', reason: 'chosen', identity: 'none', platform: null })
    expect(sut.person.calls.length).toBe(1)
  })

  it('is the own identity of the page that the person wrote to while it was looked up', async () => {
    const sut = start()
    sut.send(chosenEvent)
    sut.send({ type: 'recipient.changed', recipient: elsewhere })
    await sut.person.reject(new Error('not known'))
    expect(sut.route()).toEqual({ pageId: 'p2', reason: 'chosen', identity: 'own', platform: null })
  })

  it('stays what was found when the person is then known by another page', async () => {
    const sut = start()
    sut.send(chosenEvent)
    await sut.person.resolve(identity)
    sut.send({ type: 'recipient.changed', recipient: elsewhere })
    expect(sut.route()).toEqual({ ...foundOnBest, reason: 'chosen' })
  })

  it('is not known where the conversation has no page and none can be looked up', async () => {
    const sut = start()
    sut.send({ type: 'route.requested', ...nowhere })
    await sut.page.reject(new Error('offline'))
    expect([sut.route(), sut.person.calls.length, sut.page.calls.length]).toEqual([null, 0, 1])
  })

  it.each([
    ['the page is, also where staff do', async () => {}, 'debouncing'],
    [
      'the identity is, and goes on where staff do from that page',
      async (sut: ReturnType<typeof start>) => sut.page.resolve(best),
      'findingIdentity',
    ],
  ])('is looked up anew where the person writes while %s', async (_, begin, expected) => {
    const [written, answered] = [start(), start()]
    for (const sut of [written, answered]) {
      sut.send(autoEvent)
      await begin(sut)
    }
    const byStaff = inserted('c1', 5, { direction: 'outgoing', page_id: 'p2' })
    answered.send({ type: 'messages.changed', changes: [byStaff] })
    written.send(wrote)
    written.clock.increment(999)
    expect([answered.snapshot().value, written.page.calls.length]).toEqual([expected, 1])
    written.clock.increment(1)
    await written.page.resolve(best)
    await written.person.resolve(identity)
    expect([written.page.calls.length, written.route()]).toEqual([2, foundOnBest])
  })

  it('on a page that was chosen is looked up anew there', async () => {
    const sut = start()
    sut.send(chosenEvent)
    await sut.person.resolve(identity)
    sut.send(wrote)
    sut.clock.increment(1_000)
    await sut.person.resolve({ ...identity, platform: 'messenger' })
    expect([sut.page.calls.length, sut.route()]).toEqual([
      0,
      { ...foundOnBest, reason: 'chosen', platform: 'messenger' },
    ])
  })

  it('is looked up again once, 1 s after the person wrote, and stands until then', async () => {
    const sut = start()
    sut.send(autoEvent)
    await sut.page.resolve(best)
    await sut.person.resolve(identity)
    for (let count = 0; count < 100; count += 1) sut.send(wrote)
    sut.clock.increment(999)
    expect([sut.page.calls.length, sut.route()]).toEqual([1, foundOnBest])
    sut.clock.increment(1)
    await sut.page.resolve({ pageId: 'p1', reason: 'last_incoming' })
    expect([sut.page.calls.length, sut.route()]).toEqual([2, foundOnBest])
    await sut.person.resolve({ psid: 'psid-1', platform: 'messenger' })
    expect(sut.route()).toEqual({ ...foundOnBest, pageId: 'p1', platform: 'messenger' })
  })

  it('stays for what staff wrote from its page, for what only changed, and where the same is asked for', async () => {
    const sut = start()
    sut.send(chosenEvent)
    await sut.person.resolve(identity)
    const byStaff = inserted('c1', 5, { direction: 'outgoing', page_id: 'p2' })
    sut.send({ type: 'messages.changed', changes: [byStaff, updated('c1', 4)] })
    sut.send(chosenEvent)
    expect(sut.snapshot().value).toBe('known')
  })

  it('is forgotten when another one is asked for, and its look-up aborted', async () => {
    const sut = start()
    sut.send(chosenEvent)
    await sut.person.resolve(identity)
    sut.send(autoEvent)
    sut.send(chosenEvent)
    expect([sut.page.last().signal.aborted, sut.route()]).toEqual([true, null])
  })
})

describe('the walk through the look-ups', () => {
  const paths = sendRouteModel([auto, chosen, nowhere]).everyTransition()

  it(`goes over ${paths.length} paths, one to each transition`, async () => {
    for (const path of paths) {
      const sut = start()
      const send = (event: AnyEventObject) => sut.send(event as SendRouteEvent)
      await follow(
        path,
        {
          'route.requested': send,
          'recipient.changed': send,
          'messages.changed': send,
          'route.invalidated': send,
          'xstate.done.actor.findBestPage': () => sut.page.resolve(best),
          'xstate.error.actor.findBestPage': () => sut.page.reject(new Error('offline')),
          'xstate.done.actor.findIdentity': () => sut.person.resolve(identity),
          'xstate.error.actor.findIdentity': () => sut.person.reject(new Error('offline')),
          'xstate.after.messagesDebounce.sendRoute.debouncing': () => sut.clock.increment(1_000),
        },
        ({ expected }) =>
          expect([sut.snapshot().value, sut.snapshot().context], path.title).toEqual([
            expected.value,
            expected.context,
          ]),
      )
    }
  })

  it('entered every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('took every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
