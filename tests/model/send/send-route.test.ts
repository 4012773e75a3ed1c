import { describe, expect, it } from 'vitest'
import { createActor, SimulatedClock } from 'xstate'
import type { BestPage, PageIdentity } from '../../../src/domain/send/send-calls.ts'
import { type SendRouteEvent, selectRoute, sendRouteMachine } from '../../../src/machines/send/send-route.ts'
import { createControl, createCoverage, driverOf } from '../harness.ts'
import { faults, inserted, updated } from '../inbox-fixture.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'
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

describe('the send route', () => {
  it('is the best page and the identity on that page', async () => {
    const sut = start()
    sut.send(autoEvent)
    expect([sut.page.inputs(), sut.route()]).toEqual([[{ userId: 'c1' }], null])
    await sut.page.resolve(best)
    expect(sut.person.inputs()).toEqual([{ userId: 'c1', pageId: 'p2' }])
    await sut.person.resolve(identity)
    expect(sut.route()).toEqual(foundOnBest)
  })

  it('is the chosen page, without a request for the best page', async () => {
    const sut = start()
    sut.send(chosenEvent)
    await sut.person.resolve(identity)
    expect([sut.page.calls.length, sut.route()]).toEqual([0, { ...foundOnBest, reason: 'chosen' }])
  })

  it('is the first page and the known identity if the look-ups fail', async () => {
    const sut = start()
    sut.send(autoEvent)
    await sut.page.reject(new Error('offline'))
    await sut.person.reject(new Error('offline'))
    expect(sut.route()).toEqual({ pageId: 'p1', reason: 'fallback', identity: 'own', platform: null })
  })

  it('has no identity if the page is not the page of the known identity', async () => {
    const sut = start()
    sut.send(chosenEvent)
    await sut.person.reject(faults.refused)
    expect(sut.route()).toEqual({ pageId: 'p2', reason: 'chosen', identity: 'none', platform: null })
  })

  it('is unchecked if the look-up had no answer', async () => {
    const sut = start()
    sut.send(chosenEvent)
    await sut.person.reject(faults.noAnswer)
    expect(sut.route()).toEqual({ pageId: 'p2', reason: 'chosen', identity: 'unchecked', platform: null })
  })

  it('is the known identity as soon as the person writes to that page, without another look-up', async () => {
    const sut = start()
    sut.send(chosenEvent)
    await sut.person.reject(faults.refused)
    sut.send({ type: 'recipient.changed', recipient: elsewhere })
    expect(sut.route()).toEqual({ pageId: 'p2', reason: 'chosen', identity: 'own', platform: null })
    sut.send({ type: 'recipient.changed', recipient })
    expect(sut.route()).toEqual({ pageId: 'p2', reason: 'chosen', identity: 'none', platform: null })
    expect(sut.person.calls.length).toBe(1)
  })

  it('is the known identity of the page that the person wrote to during the look-up', async () => {
    const sut = start()
    sut.send(chosenEvent)
    sut.send({ type: 'recipient.changed', recipient: elsewhere })
    await sut.person.reject(faults.refused)
    expect(sut.route()).toEqual({ pageId: 'p2', reason: 'chosen', identity: 'own', platform: null })
  })

  it('stays the same when the person is then known on another page', async () => {
    const sut = start()
    sut.send(chosenEvent)
    await sut.person.resolve(identity)
    sut.send({ type: 'recipient.changed', recipient: elsewhere })
    expect(sut.route()).toEqual({ ...foundOnBest, reason: 'chosen' })
  })

  it('is unknown if the conversation has no page and the look-up fails', async () => {
    const sut = start()
    sut.send({ type: 'route.requested', ...nowhere })
    await sut.page.reject(new Error('offline'))
    expect([sut.route(), sut.person.calls.length, sut.page.calls.length]).toEqual([null, 0, 1])
  })

  it.each([
    ['page (messages of staff change nothing)', async () => {}, 'debouncing'],
    [
      'identity (a message of staff from that page changes nothing)',
      async (sut: ReturnType<typeof start>) => sut.page.resolve(best),
      'findingIdentity',
    ],
  ])('is looked up again if the person writes during the look-up of the %s', async (_, begin, expected) => {
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

  it('with a chosen page is looked up again on that page', async () => {
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

  it('is looked up again once, 1 s after the person wrote, and stays valid until then', async () => {
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

  it('stays after a message of staff from its page, after an update, and after a repeated request', async () => {
    const sut = start()
    sut.send(chosenEvent)
    await sut.person.resolve(identity)
    const byStaff = inserted('c1', 5, { direction: 'outgoing', page_id: 'p2' })
    sut.send({ type: 'messages.changed', changes: [byStaff, updated('c1', 4)] })
    sut.send(chosenEvent)
    expect(sut.snapshot().value).toBe('known')
  })

  it('is dropped when another route is requested, and its look-up is aborted', async () => {
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

  type Recipient = typeof recipient
  type State = {
    step: 'idle' | 'findingPage' | 'findingIdentity' | 'known' | 'debouncing'
    recipient: Recipient | null
    chosenPageId: string | null
    page: { pageId: string; reason: string } | null
    route: object | null
    psid: string | null
    hadAnswer: boolean
    pageLookUps: number
    identityLookUps: string[]
  }
  type Change = Partial<State>
  /** Asks for the identity on the chosen page, or for the best page first. */
  const lookUp = (state: State): Change =>
    state.chosenPageId === null
      ? { step: 'findingPage', pageLookUps: state.pageLookUps + 1 }
      : findIdentity(state, { pageId: state.chosenPageId, reason: 'chosen' })
  const findIdentity = (state: State, page: { pageId: string; reason: string }): Change => ({
    step: 'findingIdentity',
    page,
    identityLookUps: [...state.identityLookUps, page.pageId],
  })
  const startOver = (state: State, change: Change): Change => {
    const next = { ...state, ...change, route: null, psid: null }
    return { ...change, route: null, psid: null, ...lookUp(next) }
  }
  const pagesOf = (one: Recipient | null) => one?.pages.map(({ id }) => id).join()
  /** Without the identity's answer, only the person's own psid on that very page is known. */
  const withoutIdentity = ({ page, hadAnswer }: State, one: Recipient | null): Change => ({
    route: page && {
      ...page,
      identity: page.pageId === one?.psidPageId ? 'own' : hadAnswer ? 'none' : 'unchecked',
      platform: null,
    },
    psid: null,
  })
  const outdate = ({ step }: State): Change => (step === 'idle' || step === 'debouncing' ? {} : { step: 'debouncing' })
  const reference: Reference<State> = {
    start: {
      step: 'idle',
      recipient: null,
      chosenPageId: null,
      page: null,
      route: null,
      psid: null,
      hadAnswer: false,
      pageLookUps: 0,
      identityLookUps: [],
    },
    accepts: ({ step }) => [
      ...['route.requested', 'recipient.changed'],
      ...when(step !== 'idle' && step !== 'debouncing', 'messages.changed', 'route.invalidated'),
      ...when(step === 'debouncing', 'xstate.after.messagesDebounce.sendRoute.debouncing'),
      ...when(step === 'findingPage', ...ends('findBestPage')),
      ...when(step === 'findingIdentity', ...ends('findIdentity')),
    ],
    rules: {
      'route.requested': (state, { recipient: asked, chosenPageId }) => {
        const isSame = chosenPageId === state.chosenPageId && pagesOf(asked) === pagesOf(state.recipient)
        const isAnswered = state.step !== 'idle' && !(state.step === 'known' && state.psid === null)
        return isSame && isAnswered ? {} : startOver(state, { recipient: asked, chosenPageId })
      },
      'recipient.changed': (state, { recipient: changed }) => {
        if (state.step === 'idle') return state.recipient === null ? {} : { recipient: changed }
        if (pagesOf(changed) !== pagesOf(state.recipient)) return startOver(state, { recipient: changed })
        const isFound = state.route !== null && 'identity' in state.route && state.route.identity === 'found'
        const isUnfound = state.step === 'known' && state.route !== null && !isFound
        return { recipient: changed, ...(isUnfound ? withoutIdentity(state, changed) : {}) }
      },
      'messages.changed': outdate,
      'route.invalidated': outdate,
      'xstate.after.messagesDebounce.sendRoute.debouncing': lookUp,
      'xstate.done.actor.findBestPage': (state) => findIdentity(state, { pageId: 'p2', reason: 'last_incoming' }),
      'xstate.error.actor.findBestPage': (state) => {
        const [first] = state.recipient?.pages ?? []
        return first ? findIdentity(state, { pageId: first.id, reason: 'fallback' }) : { step: 'idle' }
      },
      'xstate.done.actor.findIdentity': ({ page }) => ({
        step: 'known',
        route: page && { ...page, identity: 'found', platform: 'instagram' },
        psid: page?.reason === 'fallback' ? null : 'psid-2',
      }),
      'xstate.error.actor.findIdentity': (state, { error }) => {
        const hadAnswer = error === faults.refused
        return { step: 'known', hadAnswer, ...withoutIdentity({ ...state, hadAnswer }, state.recipient) }
      },
    },
    shown: ({ step, route, psid, pageLookUps, identityLookUps }) => ({
      step,
      route,
      psid,
      pageLookUps,
      identityLookUps,
    }),
  }

  it(`shows what the reference shows on ${paths.length} paths, one for each transition`, async () => {
    for (const path of paths) {
      const sut = start()
      const drive = driverOf(sut.send, {
        calls: { findBestPage: sut.page, findIdentity: sut.person },
        delays: { messagesDebounce: () => sut.clock.increment(1_000) },
      })
      await followBeside(path, drive, reference, () => ({
        step: sut.snapshot().value,
        route: sut.route(),
        psid: sut.snapshot().context.psid,
        pageLookUps: sut.page.calls.length,
        identityLookUps: sut.person.inputs().map(({ pageId }) => pageId),
      }))
    }
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
