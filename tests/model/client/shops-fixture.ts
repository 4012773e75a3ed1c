import { createActor, SimulatedClock, type SnapshotFrom } from 'xstate'
import type { ShopDraft } from '../../../src/domain/client/shop-draft.ts'
import { shopsMachine } from '../../../src/machines/client/shops.ts'
import type { ConnectShopBody, Shop } from '../../../src/schemas/shop.ts'
import { createControl, createToastLog, type Inspect, modelOf } from '../harness.ts'
import { staffFaults } from '../session/staff-fixture.ts'

const shopOf = (id: string, rest: Partial<Shop> = {}): Shop => ({
  id,
  kind: 'shopify',
  name: `Name ${id}`,
  address: `${id}.myshopify.com`,
  state: 'connected',
  connected_at: '2026-01-05T12:00:00Z',
  synced_until: '2026-01-06T12:00:00Z',
  run: null,
  error: null,
  clients: 1,
  orders: 2,
  refused: 0,
  refusals: [],
  ...rest,
})
export const balay = shopOf('balay')
export const tinda = shopOf('tinda', {
  kind: 'woocommerce',
  address: 'https://tinda.example',
  run: { phase: 'orders', done: 10, total: 20 },
  refused: 1,
  refusals: [{ kind: 'order', number: '#7', reason: 'The order is in USD.' }],
})
/** What the person types in the form of a new shop. */
export const newShop = {
  address: 'new.myshopify.com',
  token: 'shpat_1',
  secret: 'shpss_1',
} satisfies Partial<ShopDraft>
/** What the person types for a new key. */
export const newKey = { token: 'shpat_2', secret: 'shpss_2' } satisfies Partial<ShopDraft>

export function startShops(alsoInspect: Inspect = () => {}) {
  const load = createControl<readonly Shop[]>()
  const connect = createControl<void, ConnectShopBody>()
  const change = createControl<void, { id: string; change: 'sync' | 'cancel' }>()
  const disconnect = createControl<boolean, { id: string }>()
  const clock = new SimulatedClock()
  const { toasts, inspect } = createToastLog(alsoInspect)
  const machine = shopsMachine.provide({
    actors: {
      loadShops: load.logic,
      connectShop: connect.logic,
      changeRun: change.logic,
      disconnectShop: disconnect.logic,
    },
  })
  const actor = createActor(machine, { clock, inspect }).start()
  return { load, connect, change, disconnect, clock, actor, toasts }
}

export const shopsModel = () => {
  type Snapshot = SnapshotFrom<typeof shopsMachine>
  const isQuiet = (snapshot: Snapshot) =>
    snapshot.matches({ open: { shops: 'showing', work: 'list' } }) && snapshot.context.item === null
  return modelOf(shopsMachine, {
    input: undefined,
    vertex: ({ context }: Snapshot) => context,
    cases: {
      'refetch.requested': (snapshot) =>
        snapshot.matches({ open: { work: 'list' } }) && snapshot.context.item === null ? [{}] : [],
      'shops.invalidated': [],
      'item.added': (snapshot) => (isQuiet(snapshot) ? [{}] : []),
      'item.edited': (snapshot) => (isQuiet(snapshot) ? [{ item: balay }] : []),
      'run.requested': (snapshot) =>
        isQuiet(snapshot)
          ? [
              { item: balay, change: 'sync' },
              { item: tinda, change: 'cancel' },
            ]
          : [],
      'deletion.requested': (snapshot) => (isQuiet(snapshot) ? [{ item: balay }] : []),
      'deletion.confirmed': [{}],
      'deletion.cancelled': [{}],
      'draft.changed': ({ context }) =>
        context.draft.token === '' ? [{ change: context.item === null ? newShop : newKey }] : [],
      'form.submitted': [{}],
      'form.cancelled': [{}],
      'discard.confirmed': [{}],
      'discard.refused': [{}],
      'dialog.dismissed': [{}],
      'xstate.done.actor.loadShops': [{ output: [balay, tinda] }],
      'xstate.error.actor.loadShops': ({ context }) =>
        context.failures === 0 ? [{ error: staffFaults.unnamed }, { error: staffFaults.noAnswer }] : [],
      'xstate.done.actor.connectShop': [{ output: undefined }],
      'xstate.error.actor.connectShop': ({ context }) =>
        context.error === null ? [{ error: staffFaults.refused }] : [],
      'xstate.done.actor.changeRun': [{ output: undefined }],
      'xstate.error.actor.changeRun': [{ error: staffFaults.unnamed }],
      'xstate.done.actor.disconnectShop': [{ output: true }, { output: false }],
      'xstate.error.actor.disconnectShop': [{ error: staffFaults.unnamed }],
    },
  })
}
