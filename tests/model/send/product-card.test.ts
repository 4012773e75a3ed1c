import { describe, expect, it } from 'vitest'
import { createActor, SimulatedClock } from 'xstate'
import {
  type ProductCardEvent,
  productCardMachine,
  selectChosen,
  selectHasFailed,
  selectProducts,
} from '../../../src/machines/send/product-card.ts'
import type { Product } from '../../../src/schemas/product.ts'
import { mug, orderFaults, productOf, shirt } from '../client/chat-orders-fixture.ts'
import { createControl, createCoverage, createToastLog, driverOf, inspectAll, modelOf } from '../harness.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'

const coverage = createCoverage(productCardMachine)
const input = { conversationId: 'ana', pageId: null, platform: 'instagram', newKey: () => 'draft-1' } as const
const all = [mug, shirt, productOf('Old', { is_active: false })]
const card = { kind: 'card', title: 'Mug', subtitle: '₱125.50' } as const
const sent = {
  type: 'send.requested',
  draftId: 'draft-1',
  conversationId: 'ana',
  pageId: null,
  platform: 'instagram',
  text: 'Mug\n₱125.50',
  structured: card,
}

function start() {
  const load = createControl<readonly Product[]>()
  const clock = new SimulatedClock()
  const log = createToastLog()
  const told: unknown[] = []
  const actor = createActor(
    productCardMachine.provide({
      actors: { loadProducts: load.logic },
      actions: { tellOutbox: (_, event) => void told.push(event) },
    }),
    {
      input,
      clock,
      inspect: inspectAll(coverage.inspect, log.inspect),
    },
  ).start()
  return { actor, load, clock, told, toasts: log.toasts }
}

describe('the dialog that sends a product', () => {
  it('offers the active products, and hands one message to the outbox', async () => {
    const sut = start()
    await sut.load.resolve(all)
    expect(selectProducts(sut.actor.getSnapshot())).toEqual([mug, shirt])
    sut.actor.send({ type: 'product.chosen', product: mug })
    sut.actor.send({ type: 'card.sent', card })
    sut.actor.send({ type: 'card.sent', card })
    expect([sut.told, sut.actor.getSnapshot().status]).toEqual([[sent], 'done'])
  })

  type State = {
    work: 'loading' | 'waiting' | 'refused' | 'choosing' | 'previewing' | 'closed'
    isLoaded: boolean
    chosen: Product | null
    failures: number
    toasts: number
    told: unknown[]
  }
  const isTemporary = (error: unknown) => error === orderFaults.noAnswer
  const reference: Reference<State> = {
    start: { work: 'loading', isLoaded: false, chosen: null, failures: 0, toasts: 0, told: [] },
    accepts: ({ work }) => [
      ...when(work !== 'closed', 'dialog.dismissed'),
      ...when(work === 'loading', ...ends('loadProducts')),
      ...when(work === 'waiting', 'xstate.after.retryDelay.productCard.failed.waiting'),
      ...when(work === 'waiting' || work === 'refused', 'refetch.requested'),
      ...when(work === 'choosing', 'product.chosen'),
      ...when(work === 'previewing', 'product.left', 'card.sent'),
    ],
    rules: {
      'xstate.done.actor.loadProducts': () => ({ work: 'choosing', isLoaded: true, failures: 0 }),
      'xstate.error.actor.loadProducts': ({ failures, toasts }, { error }) => ({
        work: isTemporary(error) ? 'waiting' : 'refused',
        failures: failures + 1,
        toasts: failures === 0 || !isTemporary(error) ? toasts + 1 : toasts,
      }),
      'xstate.after.retryDelay.productCard.failed.waiting': () => ({ work: 'loading' }),
      'refetch.requested': () => ({ work: 'loading', failures: 0 }),
      'product.chosen': (_, { product }) => ({ work: 'previewing', chosen: product }),
      'product.left': () => ({ work: 'choosing' }),
      'card.sent': ({ told }) => ({ work: 'closed', told: [...told, sent] }),
      'dialog.dismissed': () => ({ work: 'closed' }),
    },
    shown: ({ work, isLoaded, chosen, toasts, told }) => ({
      isOpen: work !== 'closed',
      failed: work === 'waiting' || work === 'refused',
      products: isLoaded ? [mug, shirt] : null,
      chosen: work === 'previewing' ? chosen : null,
      toasts,
      told,
    }),
  }
  const paths = modelOf(productCardMachine, {
    input,
    vertex: ({ context: { chosen, failures } }) => [chosen?.id, Math.min(failures, 2)],
    stopWhen: ({ context: { failures } }) => failures > 2,
    cases: {
      'xstate.done.actor.loadProducts': [{ output: all }],
      'xstate.error.actor.loadProducts': [{ error: orderFaults.noAnswer }, { error: orderFaults.unnamed }],
      'xstate.after.retryDelay.productCard.failed.waiting': [{}],
      'refetch.requested': [{}],
      'product.chosen': [mug, shirt].map((product) => ({ product })),
      'product.left': [{}],
      'card.sent': [{ card }],
      'dialog.dismissed': [{}],
    },
  }).everyTransition()

  it.each(paths.map((path) => [path.title, path] as const))('%s', async (_title, path) => {
    const sut = start()
    const drive = driverOf((event: ProductCardEvent) => sut.actor.send(event), {
      calls: { loadProducts: sut.load },
      delays: { retryDelay: () => sut.clock.increment(60 * 60_000) },
    })
    await followBeside(path, drive, reference, () => {
      const snapshot = sut.actor.getSnapshot()
      return {
        isOpen: snapshot.status === 'active',
        failed: selectHasFailed(snapshot),
        products: selectProducts(snapshot),
        chosen: selectChosen(snapshot),
        toasts: sut.toasts.length,
        told: sut.told,
      }
    })
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
