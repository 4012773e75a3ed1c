import { expect, it } from 'vitest'
import { createActor, SimulatedClock } from 'xstate'
import { currentAddress } from '../../../src/domain/list/picture-address.ts'
import { pictureRenewalMachine, type ShownPicture } from '../../../src/machines/list/picture-renewal.ts'
import { createControl, createCoverage, driverOf } from '../harness.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'
import { ended, pictureRenewalModel } from './picture-renewal-fixture.ts'

const coverage = createCoverage(pictureRenewalMachine)
const began = Date.parse('2026-03-01T00:00:00Z')

/** An address of the network that expires this many seconds after the start of the test. */
const addressUntil = (seconds: number, name = 'a') =>
  `https://scontent.fbcdn.net/${name}.jpg?oh=00&oe=${(began / 1_000 + seconds).toString(16)}`

function start() {
  const renew = createControl<string | null, { id: string }>()
  const clock = new SimulatedClock()
  const machine = pictureRenewalMachine.provide({ actors: { renewPicture: renew.logic } })
  const actor = createActor(machine, {
    input: { now: () => began + clock.now() },
    clock,
    inspect: coverage.inspect,
  }).start()
  const show = (picture: ShownPicture) => actor.send({ type: 'picture.shown', picture })
  const hide = (picture: ShownPicture) => actor.send({ type: 'picture.hidden', picture })
  return {
    renew,
    actor,
    show,
    hide,
    shows: (id: string, address: string) => show({ id, address }),
    pass: (seconds: number) => {
      for (let passed = 0; passed < seconds; passed += 1) clock.increment(1_000)
    },
    /** The address that replaced the given one; null if there is none. */
    renewed: (address: string) => {
      const current = currentAddress(actor.getSnapshot().context.renewed, address)
      return current === address ? null : current
    },
    state: () => actor.getSnapshot().value,
    asked: () => renew.inputs().map(({ id }) => id),
  }
}

it('expired pictures are renewed one after the other, each address once', async () => {
  const sut = start()
  const [ana, ben] = [addressUntil(0, 'ana'), addressUntil(-1, 'ben')]
  sut.shows('ana', ana)
  sut.shows('ana', ana)
  sut.shows('ben', ben)
  expect([sut.state(), sut.asked()]).toEqual([{ watching: 'waiting', renewal: 'renewing' }, ['ana']])
  await sut.renew.resolve('/a?new')
  expect([sut.renewed(ana), sut.renewed(ben)]).toEqual(['/a?new', null])
  expect(sut.asked()).toEqual(['ana', 'ben'])
  await sut.renew.resolve('/b?new')
  sut.shows('ben', ben)
  expect([sut.state(), sut.renewed(ben), sut.asked().length]).toEqual([
    { watching: 'waiting', renewal: 'idle' },
    '/b?new',
    2,
  ])
})

it('a picture without a new address, or whose request failed, does not delay the others', async () => {
  const sut = start()
  const [ana, ben, cai] = [addressUntil(0, 'ana'), addressUntil(0, 'ben'), addressUntil(0, 'cai')]
  sut.shows('ana', ana)
  sut.shows('ben', ben)
  sut.shows('cai', cai)
  await sut.renew.resolve(null)
  await sut.renew.reject(new Error('refused'))
  await sut.renew.resolve('/c?new')
  sut.pass(300)
  expect([sut.asked(), sut.renewed(ana), sut.renewed(ben), sut.renewed(cai)]).toEqual([
    ['ana', 'ben', 'cai'],
    null,
    null,
    '/c?new',
  ])
})

it('a picture that expires while it is shown is renewed at the first tick within 120 s of its expiry', async () => {
  const sut = start()
  const address = addressUntil(200)
  sut.shows('ana', address)
  sut.pass(89)
  expect(sut.asked()).toEqual([])
  sut.pass(1)
  expect(sut.asked()).toEqual(['ana'])
  // The new address expires too, and the visible picture is renewed again.
  const next = addressUntil(400)
  await sut.renew.resolve(next)
  expect(sut.renewed(address)).toBe(next)
  sut.pass(189)
  expect(sut.asked()).toEqual(['ana'])
  sut.pass(30)
  expect(sut.asked()).toEqual(['ana', 'ana'])
  await sut.renew.resolve('/a?last')
  expect([sut.renewed(address), sut.renewed(next)]).toEqual(['/a?last', '/a?last'])
})

it('a picture that is no longer shown is not renewed', () => {
  const sut = start()
  const picture = { id: 'ana', address: addressUntil(200) }
  sut.show(picture)
  sut.show({ ...picture })
  sut.hide(picture)
  expect(sut.state()).toEqual({ watching: 'waiting', renewal: 'idle' })
  sut.hide(picture)
  sut.pass(300)
  expect([sut.state(), sut.asked()]).toEqual([{ watching: 'idle', renewal: 'idle' }, []])
})

it.each([null, 'the same'])(
  'a picture that got no new address is requested again until it has expired; the answer was %j',
  async (answer) => {
    const sut = start()
    const address = addressUntil(45)
    sut.shows('ana', address)
    for (const expected of [1, 2, 3, 3, 3]) {
      expect(sut.asked().length).toBe(expected)
      await sut.renew.resolve(answer === null ? null : address)
      sut.pass(30)
    }
  },
)

type State = { shown: string[]; asks: string[]; queue: string[]; isRenewing: boolean; renewed: Record<string, string> }

/** Requests the next picture if no request is pending. */
const asking = (state: State): State => {
  const [next, ...queue] = state.queue
  return state.isRenewing || next === undefined
    ? state
    : { ...state, queue, asks: [...state.asks, next], isRenewing: true }
}
const answered = (state: State): State => asking({ ...state, isRenewing: false })

/** All addresses have expired, so each picture is requested once, whatever the answer. */
const reference: Reference<State> = {
  start: { shown: [], asks: [], queue: [], isRenewing: false, renewed: {} },
  accepts: ({ shown, isRenewing }) => [
    ...['picture.hidden', 'picture.shown'],
    ...when(shown.length > 0, 'xstate.after.tick.pictureRenewal.watching.waiting'),
    ...when(isRenewing, ...ends('renewPicture')),
  ],
  rules: {
    'picture.shown': (state, { picture: { id } }) => {
      const isKnown = state.asks.includes(id) || state.queue.includes(id)
      return asking({ ...state, shown: [...state.shown, id], queue: isKnown ? state.queue : [...state.queue, id] })
    },
    'picture.hidden': ({ shown }, { picture: { id } }) => ({ shown: shown.filter((other) => other !== id) }),
    'xstate.done.actor.renewPicture': (state, { output }) => {
      const renewed = output === null ? state.renewed : { ...state.renewed, [`${state.asks.at(-1)}`]: output }
      return answered({ ...state, renewed })
    },
    'xstate.error.actor.renewPicture': answered,
  },
  shown: ({ shown, asks, isRenewing, renewed }) => ({ isWatching: shown.length > 0, asks, isRenewing, renewed }),
}

it('the renewal of pictures shows what the reference shows on every transition', async () => {
  for (const path of pictureRenewalModel().everyTransition()) {
    const sut = start()
    const { show: shown, hide: hidden } = sut
    const drive = driverOf(
      ({ type, picture }: { type: string; picture: ShownPicture }) =>
        type === 'picture.shown' ? shown(picture) : hidden(picture),
      { calls: { renewPicture: sut.renew }, delays: { tick: () => sut.pass(30) } },
    )
    await followBeside(path, drive, reference, () => {
      const found = ended.flatMap(({ id, address }) => {
        const renewed = sut.renewed(address)
        return renewed === null ? [] : [[id, renewed]]
      })
      const snapshot = sut.actor.getSnapshot()
      return {
        isWatching: snapshot.matches({ watching: 'waiting' }),
        asks: sut.asked(),
        isRenewing: snapshot.matches({ renewal: 'renewing' }),
        renewed: Object.fromEntries(found),
      }
    })
    sut.actor.stop()
  }
})

it('the tests of the renewal of pictures enter every state and take every transition', () => {
  expect([coverage.statesMissed(), coverage.transitionsMissed()]).toEqual([[], []])
})
