import { describe, expect, it } from 'vitest'
import { productFormMachine } from '../../../src/machines/client/product-form.ts'
import { productManager, productManagerMachine } from '../../../src/machines/client/product-manager.ts'
import { selectError } from '../../../src/machines/item-forms.ts'
import type { Product } from '../../../src/schemas/product.ts'
import { createCoverage, driverOf, inspectAll } from '../harness.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'
import { managerModel, mug, orderFaults, shirt, startForm, startManager } from './chat-orders-fixture.ts'

const coverage = createCoverage(productManagerMachine)
const formCoverage = createCoverage(productFormMachine)
const start = () => startManager(inspectAll(coverage.inspect, formCoverage.inspect))

const success = (text: string) => ({ kind: 'success', text })
const error = (text: string) => ({ kind: 'error', text })
const failed = error('Failed to load products')

describe('The form of a product', () => {
  const open = (product: Product | null = null) => startForm(product, formCoverage.inspect, [mug])
  const complete = { name: ' Cap ', price: '1,250.5', code: ' CAP-1 ', link: ' https://shop.example/cap ' }

  it('refuses to save until it is complete and the code is free, and saves the values once', async () => {
    const sut = open()
    for (const change of [
      { name: ' ', price: '5' },
      { name: 'Cap', price: '' },
      { price: '5.005' },
      { price: '5', code: 'Mug-1' },
      { code: '', picture: 'http://cdn.example/mug.jpg' },
      { picture: 'https://user@cdn.example/mug.jpg' },
      { picture: '', link: 'shop.example' },
    ]) {
      sut.actor.send({ type: 'fields.typed', change })
      sut.actor.send({ type: 'form.submitted' })
    }
    expect(sut.save.calls).toHaveLength(0)
    sut.actor.send({ type: 'fields.typed', change: complete })
    sut.actor.send({ type: 'form.submitted' })
    sut.actor.send({ type: 'form.submitted' })
    const addresses = { picture_url: null, link_url: 'https://shop.example/cap' }
    const body = { name: 'Cap', code: 'CAP-1', price: 125_050, is_active: true, ...addresses }
    expect(sut.save.inputs()).toEqual([{ id: null, body }])
    await sut.save.resolve(undefined)
    expect([sut.snapshot().output, sut.toasts]).toEqual([
      { isDismissed: false, mayHaveSaved: true },
      [success('Product created')],
    ])
  })

  it('keeps what was typed after a refusal, and shows the reason', async () => {
    const sut = open(shirt)
    sut.actor.send({ type: 'fields.typed', change: { name: 'New' } })
    sut.actor.send({ type: 'form.submitted' })
    await sut.save.reject(orderFaults.refused)
    expect([selectError(sut.snapshot()), sut.snapshot().context.fields.name, sut.toasts]).toEqual([
      'Another product has this code',
      'New',
      [error('Another product has this code')],
    ])
    sut.actor.send({ type: 'form.submitted' })
    await sut.save.resolve(undefined)
    expect([sut.save.last().input.id, sut.toasts.at(-1)]).toEqual(['Shirt', success('Product updated')])
  })

  it('warns that a new one may be saved already if no answer came', async () => {
    const sut = open()
    sut.actor.send({ type: 'fields.typed', change: complete })
    sut.actor.send({ type: 'form.submitted' })
    await sut.save.reject(orderFaults.noAnswer)
    expect(selectError(sut.snapshot())).toMatch(/^No answer came, so the product may be saved already/)
  })

  it.each(['form.cancelled', 'dialog.dismissed'] as const)(
    'asks before %s discards what was typed, and not without',
    (type) => {
      const untouched = open(shirt)
      untouched.actor.send({ type })
      expect(untouched.snapshot().output).toEqual({ isDismissed: type === 'dialog.dismissed', mayHaveSaved: false })
      const sut = open(shirt)
      sut.actor.send({ type: 'fields.typed', change: { isActive: false } })
      sut.actor.send({ type })
      sut.actor.send({ type: 'discard.refused' })
      expect(sut.snapshot().value).toBe('editing')
      sut.actor.send({ type })
      sut.actor.send({ type: 'dialog.dismissed' })
      expect(sut.snapshot().value).toBe('editing')
      sut.actor.send({ type })
      sut.actor.send({ type: 'discard.confirmed' })
      expect(sut.snapshot().output).toEqual({ isDismissed: type === 'dialog.dismissed', mayHaveSaved: false })
    },
  )

  it('stays while it saves, whatever staff press', () => {
    const sut = open(shirt)
    sut.actor.send({ type: 'form.submitted' })
    sut.actor.send({ type: 'dialog.dismissed' })
    sut.actor.send({ type: 'form.cancelled' })
    expect(sut.snapshot().value).toBe('saving')
  })

  it('enters every state', () => expect(formCoverage.statesMissed()).toEqual([]))
})

describe('The walk through the dialog', () => {
  const paths = managerModel().everyTransition()

  type State = {
    products: readonly Product[] | null
    list: 'loading' | 'showing' | 'waiting' | 'refused'
    loads: number
    failures: number
    work: 'list' | 'form' | 'asking' | 'deleting' | 'dismissed'
    item: Product | null
    deletions: number
    toasts: unknown[]
  }
  const load = ({ loads }: State): Partial<State> => ({ list: 'loading', loads: loads + 1 })
  const reference: Reference<State> = {
    start: {
      products: null,
      list: 'loading',
      loads: 1,
      failures: 0,
      work: 'list',
      item: null,
      deletions: 0,
      toasts: [],
    },
    accepts: ({ list, work }) => [
      ...when(work !== 'dismissed', 'items.invalidated'),
      ...when(list === 'loading', ...ends('loadItems')),
      ...when(list === 'waiting', 'xstate.after.retryDelay.productManager.open.list.failed.waiting'),
      ...when(list === 'waiting' || list === 'refused', 'refetch.requested'),
      ...{
        list: ['item.added', 'item.edited', 'deletion.requested', 'dialog.dismissed'],
        form: ['xstate.done.actor.itemForm'],
        asking: ['deletion.confirmed', 'deletion.cancelled', 'dialog.dismissed'],
        deleting: ends('deleteItem'),
        dismissed: [],
      }[work],
    ],
    rules: {
      'refetch.requested': (state) => ({ ...load(state), failures: 0 }),
      'item.added': () => ({ work: 'form', item: null }),
      'item.edited': (_, { item }) => ({ work: 'form', item }),
      'deletion.requested': (_, { item }) => ({ work: 'asking', item }),
      'deletion.confirmed': ({ deletions }) => ({ work: 'deleting', deletions: deletions + 1 }),
      'deletion.cancelled': () => ({ work: 'list' }),
      'dialog.dismissed': ({ work }) => ({ work: work === 'asking' ? 'list' : 'dismissed' }),
      'xstate.done.actor.itemForm': (state, { output }) => {
        if (output.isDismissed) return { work: 'dismissed' }
        if (!output.mayHaveSaved) return { work: 'list' }
        return { work: 'list', ...load(state), toasts: [...state.toasts, success('Product updated')] }
      },
      'xstate.done.actor.loadItems': () => ({ list: 'showing', products: [mug, shirt], failures: 0 }),
      'xstate.error.actor.loadItems': ({ toasts, failures }, { error: failure }) =>
        failure === orderFaults.unreadable
          ? { list: 'waiting', failures: failures + 1, toasts: [...toasts, failed] }
          : { list: 'refused', toasts: [...toasts, failed] },
      'xstate.after.retryDelay.productManager.open.list.failed.waiting': load,
      'xstate.done.actor.deleteItem': (state) => ({
        ...load(state),
        work: 'list',
        products: [mug],
        toasts: [...state.toasts, success('Product deleted')],
      }),
      'xstate.error.actor.deleteItem': (state) => ({
        ...load(state),
        work: 'list',
        toasts: [...state.toasts, error('Failed to delete the product')],
      }),
    },
    shown: ({ products, list, loads, work, item, deletions, toasts }) => ({
      products,
      loads,
      deletions,
      toasts,
      isDismissed: work === 'dismissed',
      isForm: work === 'form',
      askedAbout: work === 'asking' || work === 'deleting' ? item : null,
      isDeleting: work === 'deleting',
      hasFailed: work !== 'dismissed' && (list === 'waiting' || list === 'refused'),
    }),
  }

  it(`shows what the reference shows on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = start()
      const form = () => productManager.selectForm(sut.snapshot())
      const itemForm = {
        resolve: ({ isDismissed, mayHaveSaved }: { isDismissed: boolean; mayHaveSaved: boolean }) => {
          if (isDismissed) return sut.actor.send({ type: 'dialog.dismissed' })
          if (!mayHaveSaved) return form()?.send({ type: 'form.cancelled' })
          form()?.send({ type: 'form.submitted' })
          return sut.save.resolve(undefined)
        },
        reject: () => undefined,
      }
      const drive = driverOf(sut.actor.send, {
        calls: { itemForm, loadItems: sut.load, deleteItem: sut.remove },
        delays: { retryDelay: () => sut.clock.increment(2_000) },
      })
      await followBeside(path, drive, reference, () => ({
        products: productManager.selectItems(sut.snapshot()),
        loads: sut.load.calls.length,
        deletions: sut.remove.calls.length,
        toasts: sut.toasts,
        isDismissed: sut.snapshot().value === 'dismissed',
        isForm: form() !== undefined && sut.snapshot().status === 'active',
        askedAbout: productManager.selectAskedAbout(sut.snapshot()),
        isDeleting: productManager.selectIsDeleting(sut.snapshot()),
        hasFailed: productManager.selectHaveFailed(sut.snapshot()),
      }))
      sut.actor.stop()
    }
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
  it('takes every transition of the form', () => expect(formCoverage.transitionsMissed()).toEqual([]))
})
