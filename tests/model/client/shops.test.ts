import { describe, expect, it } from 'vitest'
import { emptyShopDraft, type ShopDraft, shopBlockedReason } from '../../../src/domain/client/shop-draft.ts'
import { selectAskedToDisconnect, selectIsConnectForm, shopsMachine } from '../../../src/machines/client/shops.ts'
import type { Shop } from '../../../src/schemas/shop.ts'
import { createCoverage, driverOf, error, success, warning } from '../harness.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'
import { staffFaults } from '../session/staff-fixture.ts'
import { balay, newKey, newShop, shopsModel, startShops, tinda } from './shops-fixture.ts'

const coverage = createCoverage(shopsMachine)
const network = 'Network error. Please check your connection.'

it.each([
  ['an address', { address: ' ' }, 'Enter the address of the shop.'],
  ['the domain of Shopify', { address: 'https://shop.example' }, 'Enter the domain that ends with .myshopify.com.'],
  ['a key', { token: ' ' }, 'Enter the key and the secret.'],
  ['a secret', { secret: '' }, 'Enter the key and the secret.'],
  ['texts of at most 300 characters', { secret: 'x'.repeat(301) }, 'Use at most 300 characters.'],
])('a shop cannot be connected without %s', (_, change, reason) => {
  const sut = startShops(coverage.inspect)
  sut.actor.send({ type: 'item.added' })
  sut.actor.send({ type: 'draft.changed', change: { ...newShop, ...change } })
  sut.actor.send({ type: 'form.submitted' })
  expect([shopBlockedReason(sut.actor.getSnapshot().context.draft), sut.connect.calls]).toEqual([reason, []])
})

it('the key is sent once and not kept after the shop is connected', async () => {
  const sut = startShops(coverage.inspect)
  sut.actor.send({ type: 'item.added' })
  sut.actor.send({ type: 'draft.changed', change: newShop })
  sut.actor.send({ type: 'form.submitted' })
  expect(sut.connect.inputs()).toEqual([
    { kind: 'shopify', address: 'new.myshopify.com', key: 'shpat_1', secret: 'shpss_1' },
  ])
  await sut.connect.resolve(undefined)
  expect(JSON.stringify(sut.actor.getPersistedSnapshot())).not.toMatch(/shpat_1|shpss_1/)
})

it('asks again after 2 s while a shop is read, and after 30 s otherwise', async () => {
  const sut = startShops(coverage.inspect)
  await sut.load.resolve([balay, tinda])
  sut.clock.increment(2_000)
  expect(sut.load.calls).toHaveLength(2)
  await sut.load.resolve([balay])
  sut.clock.increment(29_000)
  expect(sut.load.calls).toHaveLength(2)
  sut.clock.increment(1_000)
  expect(sut.load.calls).toHaveLength(3)
})

describe('the walk through the dialog', () => {
  const paths = shopsModel().everyTransition()

  type State = {
    shops: readonly Shop[] | null
    list: 'loading' | 'showing' | 'waiting' | 'refused'
    loads: number
    work: 'list' | 'editing' | 'leaving' | 'connecting' | 'changing' | 'asking' | 'disconnecting' | 'dismissed'
    isTyped: boolean
    endsDialog: boolean
    item: Shop | null
    error: string | null
    connected: string[]
    changed: string[]
    disconnected: string[]
    toasts: unknown[]
  }
  const loadAgain = ({ loads }: State): Partial<State> => ({ list: 'loading', loads: loads + 1 })
  const leave = ({ isTyped, item }: State, endsDialog: boolean): Partial<State> => ({
    endsDialog,
    work: isTyped ? 'leaving' : endsDialog ? 'dismissed' : 'list',
    item: isTyped ? item : null,
  })
  const reference: Reference<State> = {
    start: {
      shops: null,
      list: 'loading',
      loads: 1,
      work: 'list',
      isTyped: false,
      endsDialog: false,
      item: null,
      error: null,
      connected: [],
      changed: [],
      disconnected: [],
      toasts: [],
    },
    accepts: ({ list, work, isTyped }) => [
      'shops.invalidated',
      ...when(list !== 'loading', 'refetch.requested'),
      ...when(list === 'loading', ...ends('loadShops')),
      ...when(list === 'showing', 'xstate.after.pollDelay.shops.open.shops.showing'),
      ...when(list === 'waiting', 'xstate.after.retryDelay.shops.open.shops.failed.waiting'),
      ...{
        list: ['item.added', 'item.edited', 'run.requested', 'deletion.requested', 'dialog.dismissed'],
        editing: ['draft.changed', 'form.cancelled', 'dialog.dismissed', ...when(isTyped, 'form.submitted')],
        leaving: ['discard.confirmed', 'discard.refused', 'dialog.dismissed'],
        connecting: ends('connectShop'),
        changing: ends('changeRun'),
        asking: ['deletion.confirmed', 'deletion.cancelled', 'dialog.dismissed'],
        disconnecting: ends('disconnectShop'),
        dismissed: [],
      }[work],
    ],
    rules: {
      'refetch.requested': (state) => (state.list === 'loading' ? {} : loadAgain(state)),
      'item.added': () => ({ work: 'editing', isTyped: false, error: null, item: null }),
      'item.edited': (_, { item }) => ({ work: 'editing', isTyped: false, error: null, item }),
      'draft.changed': () => ({ isTyped: true }),
      'form.submitted': ({ isTyped, connected, item }) =>
        isTyped ? { work: 'connecting', error: null, connected: [...connected, item?.address ?? newShop.address] } : {},
      'form.cancelled': (state) => leave(state, false),
      'discard.confirmed': ({ endsDialog }) => ({
        work: endsDialog ? 'dismissed' : 'list',
        item: null,
        isTyped: false,
      }),
      'discard.refused': () => ({ work: 'editing' }),
      'dialog.dismissed': (state) => {
        if (state.work === 'editing') return leave(state, true)
        return { work: state.work === 'leaving' ? 'editing' : state.work === 'asking' ? 'list' : 'dismissed' }
      },
      'run.requested': ({ changed }, { item, change }) => ({
        work: 'changing',
        item,
        changed: [...changed, `${change} ${item.id}`],
      }),
      'deletion.requested': (_, { item }) => ({ work: 'asking', item }),
      'deletion.confirmed': ({ disconnected, item }) => ({
        work: 'disconnecting',
        disconnected: [...disconnected, item?.id ?? ''],
      }),
      'deletion.cancelled': () => ({ work: 'list' }),
      'xstate.done.actor.loadShops': (_, { output }) => ({ shops: output, list: 'showing' }),
      'xstate.error.actor.loadShops': ({ toasts }, { error: failure }) =>
        failure === staffFaults.noAnswer
          ? { list: 'waiting', toasts: [...toasts, error(network)] }
          : { list: 'refused', toasts: [...toasts, error('Failed to load shops')] },
      'xstate.after.pollDelay.shops.open.shops.showing': loadAgain,
      'xstate.after.retryDelay.shops.open.shops.failed.waiting': loadAgain,
      'xstate.done.actor.connectShop': (state) => ({
        ...loadAgain(state),
        work: 'list',
        item: null,
        isTyped: false,
        toasts: [...state.toasts, success('Shop connected. Its orders are being read.')],
      }),
      'xstate.error.actor.connectShop': (state) => ({
        ...loadAgain(state),
        work: 'editing',
        error: 'This is the last active administrator.',
        toasts: [...state.toasts, error('This is the last active administrator.')],
      }),
      'xstate.done.actor.changeRun': (state) => ({ ...loadAgain(state), work: 'list' }),
      'xstate.error.actor.changeRun': (state) => ({
        ...loadAgain(state),
        work: 'list',
        toasts: [...state.toasts, error('Failed to change the sync of the shop')],
      }),
      'xstate.done.actor.disconnectShop': (state, { output }) => ({
        ...loadAgain(state),
        work: 'list',
        toasts: [
          ...state.toasts,
          output
            ? success('Shop disconnected')
            : warning('Shop disconnected. It could not be reached, so remove the webhooks of Staff Inbox in the shop.'),
        ],
      }),
      'xstate.error.actor.disconnectShop': (state) => ({
        ...loadAgain(state),
        work: 'list',
        toasts: [...state.toasts, error('Failed to disconnect the shop')],
      }),
    },
    shown: ({ list, work, isTyped, endsDialog: _, item, ...kept }) => ({
      ...kept,
      at: work === 'dismissed' ? work : `${list} ${work}`,
      draft: !['editing', 'leaving', 'connecting'].includes(work)
        ? emptyShopDraft
        : ({
            ...emptyShopDraft,
            ...(item === null ? {} : { kind: item.kind, address: item.address }),
            ...(isTyped ? (item === null ? newShop : newKey) : {}),
          } satisfies ShopDraft),
      isForm: ['editing', 'leaving', 'connecting'].includes(work),
      asked: work === 'asking' || work === 'disconnecting' ? item : null,
    }),
  }

  it(`shows what the reference shows on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = startShops(coverage.inspect)
      const drive = driverOf(sut.actor.send, {
        calls: {
          loadShops: sut.load,
          connectShop: sut.connect,
          changeRun: sut.change,
          disconnectShop: sut.disconnect,
        },
        delays: { retryDelay: () => sut.clock.increment(2_000), pollDelay: () => sut.clock.increment(2_000) },
      })
      await followBeside(path, drive, reference, () => {
        const snapshot = sut.actor.getSnapshot()
        const { value, context } = snapshot
        const listOf = (shops: string | object) => (typeof shops === 'string' ? shops : Object.values(shops).join())
        return {
          shops: context.shops,
          loads: sut.load.calls.length,
          error: context.error,
          connected: sut.connect.inputs().map(({ address }) => address),
          changed: sut.change.inputs().map(({ id, change }) => `${change} ${id}`),
          disconnected: sut.disconnect.inputs().map(({ id }) => id),
          toasts: sut.toasts,
          at: typeof value === 'string' ? value : `${listOf(value.open.shops)} ${value.open.work}`,
          draft: context.draft,
          isForm: selectIsConnectForm(snapshot),
          asked: selectAskedToDisconnect(snapshot),
        }
      })
      sut.actor.stop()
    }
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
