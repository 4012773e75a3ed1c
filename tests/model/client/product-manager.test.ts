import { describe, expect, it } from 'vitest'
import { productFormMachine } from '../../../src/machines/client/product-form.ts'
import { productManager, productManagerMachine } from '../../../src/machines/client/product-manager.ts'
import { selectError } from '../../../src/machines/item-forms.ts'
import type { Product } from '../../../src/schemas/product.ts'
import { createCoverage, error, inspectAll, success } from '../harness.ts'
import { testItemForm, testItemManager } from '../item-manager-fixture.ts'
import { managerModel, mug, orderFaults, shirt, startForm, startManager } from './chat-orders-fixture.ts'

const coverage = createCoverage(productManagerMachine)
const formCoverage = createCoverage(productFormMachine)
const start = () => startManager(inspectAll(coverage.inspect, formCoverage.inspect))

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

  testItemForm({
    openNew: open,
    openEdited: () => open(shirt),
    complete,
    change: { isActive: false },
    faults: orderFaults,
    lost: /^No answer came, so the product may be saved already/,
  })

  it('enters every state', () => expect(formCoverage.statesMissed()).toEqual([]))
})

describe('The walk through the dialog', () => {
  testItemManager({
    id: 'productManager',
    manager: productManager,
    start,
    paths: managerModel().everyTransition(),
    items: [mug, shirt],
    faults: orderFaults,
    texts: {
      failed: 'Failed to load products',
      updated: 'Product updated',
      deleted: 'Product deleted',
      deleteFailed: 'Failed to delete the product',
    },
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
  it('takes every transition of the form', () => expect(formCoverage.transitionsMissed()).toEqual([]))
})
