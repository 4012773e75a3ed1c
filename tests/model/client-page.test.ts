import { describe, expect, it } from 'vitest'
import type { AnyEventObject } from 'xstate'
import { selectFile, selectHasFailed } from '../../src/machines/client-details.ts'
import { clientPageMachine, selectChats, selectOrders, selectProfile } from '../../src/machines/client-page.ts'
import { clientOf, faults, orderOf, startClientPage } from './clients-fixture.ts'
import { createCoverage, follow, modelOf } from './harness.ts'
import { row } from './inbox-fixture.ts'

const coverage = createCoverage(clientPageMachine)
const start = () => startClientPage(coverage.inspect)

const maria = clientOf('k1', { fb_user_id: 'c1' })
const profileOf = (fb_user_id: string | null) => ({ client: { ...maria, fb_user_id } })
const ordersFile = { orders: [orderOf('o1')] }
const chatsFile = { chats: [row('c1', 1, { client_id: 'k1' })] }

/** What each part has: what was loaded, that it failed, or null while it is asked or not wanted yet. */
const partsOf = ({ actor }: ReturnType<typeof start>) =>
  [selectProfile, selectOrders, selectChats].map((select) => {
    const part = select(actor.getSnapshot())?.getSnapshot()
    return part === undefined ? null : selectHasFailed(part) ? 'failed' : selectFile(part)
  })

describe("a client's page", () => {
  it('asks for profile and orders at once, and for the chats that the profile names', async () => {
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
  ] as const)('shows all but what failed, each in its own words: %s', async (broken, parts, texts) => {
    const sut = start()
    const answers = { profile: profileOf('c1'), orders: ordersFile, chats: chatsFile }
    for (const part of ['profile', 'orders', 'chats'] as const) {
      if (part === broken) await sut[part].reject(faults.invalid)
      else if (sut[part].calls.length > 0) await sut[part].resolve(answers[part])
    }
    expect([partsOf(sut), sut.toasts]).toEqual([parts, texts.map((text) => ({ kind: 'error', text }))])
  })

  it('asks for every part anew on request, and for other chats where the profile names others', async () => {
    const sut = start()
    await sut.profile.resolve(profileOf('c1'))
    await sut.orders.resolve(ordersFile)
    await sut.chats.resolve(chatsFile)
    sut.actor.send({ type: 'refresh.requested' })
    expect([sut.profile, sut.orders, sut.chats].map(({ calls }) => calls.length)).toEqual([2, 2, 2])
    await sut.profile.resolve(profileOf('c2'))
    expect(sut.chats.inputs().at(-1)).toEqual({ clientId: 'k1', fbUserId: 'c2' })
  })

  it('keeps its chats where the profile names the same', async () => {
    const sut = start()
    await sut.profile.resolve(profileOf(null))
    await sut.chats.resolve({ chats: [] })
    selectProfile(sut.actor.getSnapshot())?.send({ type: 'refresh.requested' })
    await sut.profile.resolve(profileOf(null))
    expect(sut.chats.calls.length).toBe(1)
  })

  it('asks for nothing any more once it is left', async () => {
    const sut = start()
    await sut.profile.resolve(profileOf('c1'))
    sut.actor.stop()
    expect([sut.orders, sut.chats].map((part) => part.last().signal.aborted)).toEqual([true, true])
  })
})

describe("the walk through a client's page", () => {
  const paths = modelOf(clientPageMachine, {
    input: { clientId: 'k1' },
    vertex: ({ context }) => context.fbUserId,
    cases: {
      'xstate.snapshot.profile': [],
      'client.loaded': [{ client: maria }, { client: { ...maria, fb_user_id: 'c2' } }],
      'refresh.requested': [{}],
    },
  }).everyTransition()

  it.each(paths.map((path) => [path.title, path] as const))('%s', async (_title, path) => {
    const sut = start()
    await follow(
      path,
      {
        'client.loaded': async ({ client }: AnyEventObject) => {
          const profile = selectProfile(sut.actor.getSnapshot())
          if (profile?.getSnapshot().matches('showing')) profile.send({ type: 'refresh.requested' })
          await sut.profile.resolve({ client })
        },
        'refresh.requested': () => sut.actor.send({ type: 'refresh.requested' }),
      },
      ({ expected }) =>
        expect([sut.state(), sut.actor.getSnapshot().context]).toEqual([expected.value, expected.context]),
    )
  })

  it('entered every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('took every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
