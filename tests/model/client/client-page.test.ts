import { describe, expect, it } from 'vitest'
import type { HeldClientData } from '../../../src/domain/client/client-data.ts'
import { selectClientData, selectHasFailed, selectIsMissing } from '../../../src/machines/client/client-details.ts'
import {
  clientPageMachine,
  selectChats,
  selectOrders,
  selectProfile,
} from '../../../src/machines/client/client-page.ts'
import { everyMove, everyPath, type HandPath } from '../hand-model.ts'
import { createCoverage, followByHand } from '../harness.ts'
import {
  answers,
  askedOn,
  atFirst,
  type ClientPagePlace,
  chatsOf,
  ordersFile,
  profileOf,
  toldWhen,
  withAskingAnew,
  withoutAskingAnew,
} from './client-page-fixture.ts'
import { faults, startClientPage } from './clients-fixture.ts'

const coverage = createCoverage(clientPageMachine)
const start = () => startClientPage(coverage.inspect)

const chatsFile = chatsOf('c1')

/** The content of each part: loaded data, a failure, or null while it is fetched or not needed yet. */
const partsOf = ({ actor, client, row }: ReturnType<typeof start>) =>
  [selectProfile, selectOrders, selectChats].map((select) => {
    const part = select(actor.getSnapshot())?.getSnapshot()
    if (part === undefined) return null
    const file = selectClientData(part)
    if (file === null) return selectHasFailed(part) ? 'failed' : null
    if (select === selectProfile) return { client: client('k1') }
    return file.chatIds === undefined ? file : { chats: file.chatIds.map(row) }
  })

describe("a client's page", () => {
  it('fetches profile and orders at once, and the chats after the profile has named their conversation', async () => {
    const sut = start()
    expect([sut.profile.inputs(), sut.orders.inputs(), sut.chats.inputs()]).toEqual([
      [{ clientId: 'k1' }],
      [{ clientId: 'k1' }],
      [],
    ])
    await sut.profile.resolve(profileOf('c1'))
    expect(sut.chats.inputs()).toEqual([{ clientId: 'k1', fbUserId: 'c1' }])
    await sut.chats.resolve(chatsFile)
    await sut.orders.resolve(ordersFile)
    expect([partsOf(sut), sut.toasts]).toEqual([[profileOf('c1'), ordersFile, chatsFile], []])
  })

  it.each([
    ['profile', ['failed', ordersFile, null], []],
    ['orders', [profileOf('c1'), 'failed', chatsFile], ['Failed to fetch orders information']],
    ['chats', [profileOf('c1'), ordersFile, 'failed'], ['Failed to load conversations']],
  ] as const)('shows all parts except the failed one, each with its own text: %s', async (broken, parts, texts) => {
    const sut = start()
    const answers = { profile: profileOf('c1'), orders: ordersFile, chats: chatsFile }
    for (const part of ['profile', 'orders', 'chats'] as const) {
      if (part === broken) await sut[part].reject(faults.invalid)
      else if (sut[part].calls.length > 0) await sut[part].resolve(answers[part])
    }
    expect([partsOf(sut), sut.toasts]).toEqual([parts, texts.map((text) => ({ kind: 'error', text }))])
  })

  it('fetches every part again on request, and other chats if the profile names another conversation', async () => {
    const sut = start()
    await sut.profile.resolve(profileOf('c1'))
    await sut.orders.resolve(ordersFile)
    await sut.chats.resolve(chatsFile)
    sut.actor.send({ type: 'refetch.requested' })
    expect([sut.profile, sut.orders, sut.chats].map(({ calls }) => calls.length)).toEqual([2, 2, 2])
    await sut.profile.resolve(profileOf('c2'))
    expect(sut.chats.inputs().at(-1)).toEqual({ clientId: 'k1', fbUserId: 'c2' })
  })

  it('keeps its chats if the profile names the same conversation', async () => {
    const sut = start()
    await sut.profile.resolve(profileOf(null))
    await sut.chats.resolve({ chats: [] })
    selectProfile(sut.actor.getSnapshot())?.send({ type: 'refetch.requested' })
    await sut.profile.resolve(profileOf(null))
    expect(sut.chats.calls.length).toBe(1)
  })

  it('fetches the chats of the chat user that staff link meanwhile', async () => {
    const sut = start()
    await sut.profile.resolve(profileOf(null))
    await sut.chats.resolve({ chats: [] })
    sut.link('k1', 'c1')
    expect(sut.chats.inputs()).toEqual([
      { clientId: 'k1', fbUserId: null },
      { clientId: 'k1', fbUserId: 'c1' },
    ])
  })

  it('fetches profile and orders again a second after a change on the server', async () => {
    const sut = start()
    await sut.profile.resolve(profileOf('c1'))
    await sut.orders.resolve({ orders: [] })
    for (const clientIds of [['k2'], ['k1'], null]) sut.actor.send({ type: 'clientData.changed', clientIds })
    expect([sut.profile, sut.orders].map((part) => part.calls.length)).toEqual([1, 1])
    sut.clock.increment(1_000)
    expect([sut.profile, sut.orders, sut.chats].map((part) => part.calls.length)).toEqual([2, 2, 1])
  })

  it('fetches nothing after staff leave it', async () => {
    const sut = start()
    await sut.profile.resolve(profileOf('c1'))
    sut.actor.stop()
    expect([sut.orders, sut.chats].map((part) => part.last().signal.aborted)).toEqual([true, true])
  })
})

type Sut = ReturnType<typeof start>
type Part = ReturnType<typeof selectChats>

function partIn(part: Part, there: (file: HeldClientData) => string | undefined) {
  if (part === undefined) throw new Error('the part is not there')
  const snapshot = part.getSnapshot()
  const file = selectClientData(snapshot)
  const failure = selectIsMissing(snapshot) ? 'missing' : selectHasFailed(snapshot) ? 'failed' : null
  return {
    shows: file === null ? failure : there(file),
    asks: snapshot.matches('loading') || snapshot.matches({ showing: 'refreshing' }),
  }
}

/** The state of the page, in the words of the model. */
function placeOf({ actor, client, row }: Sut) {
  const snapshot = actor.getSnapshot()
  const chats = selectChats(snapshot)
  const { fbUserId } = snapshot.context
  return {
    profile: partIn(selectProfile(snapshot), () => client('k1')?.fb_user_id ?? undefined),
    orders: partIn(selectOrders(snapshot), ({ orders }) => (orders === ordersFile.orders ? 'there' : undefined)),
    chats: chats && {
      ...partIn(chats, ({ chatIds }) =>
        chatIds?.length === 1 && chatIds[0] === fbUserId && row(fbUserId ?? '') ? 'there' : undefined,
      ),
      of: fbUserId,
    },
  }
}

const askers: Readonly<Record<string, (sut: Sut) => void>> = {
  'a person requests a refetch': ({ actor }) => actor.send({ type: 'refetch.requested' }),
  'the profile is requested again': ({ actor }) =>
    selectProfile(actor.getSnapshot())?.send({ type: 'refetch.requested' }),
  'the orders are requested again': ({ actor }) =>
    selectOrders(actor.getSnapshot())?.send({ type: 'refetch.requested' }),
  'the chats are requested again': ({ actor }) => selectChats(actor.getSnapshot())?.send({ type: 'refetch.requested' }),
}

async function walk(path: HandPath<ClientPagePlace>) {
  const sut = start()
  expect(placeOf(sut)).toEqual({ ...atFirst, chats: undefined })
  const places = [atFirst]
  const told: string[] = []
  await followByHand(
    clientPageMachine,
    path.map(({ name, from, place }) => ({
      name,
      run: () => {
        const deed = answers[name] ?? askers[name]
        if (!deed) throw new Error(`the walk does not know how to do "${name}"`)
        return deed(sut, place)
      },
      check: () => {
        places.push(place)
        if (toldWhen[name]) told.push(toldWhen[name])
        expect({
          place: placeOf(sut),
          asked: { profile: sut.profile.inputs(), orders: sut.orders.inputs(), chats: sut.chats.inputs() },
          toasts: sut.toasts,
        }).toEqual({
          place: { ...place, chats: place.chats ?? undefined },
          asked: askedOn(places),
          toasts: told.map((text) => ({ kind: 'error', text })),
        })
        // The chats of another conversation are no longer needed.
        if (from.chats?.asks && from.chats.of !== place.chats?.of)
          expect(sut.chats.calls.at(-2)?.signal.aborted).toBe(true)
      },
    })),
  )
  sut.actor.stop()
}

describe("the walk through a client's page", () => {
  const simple = everyPath(atFirst, withoutAskingAnew)
  const moves = everyMove(atFirst, withAskingAnew)

  it(`on ${simple.length} paths: every order in which the parts arrive and fail`, async () => {
    for (const path of simple) await walk(path)
  })

  it(`on ${moves.length} paths: every action at each place, with refetches`, async () => {
    for (const path of moves) await walk(path)
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
