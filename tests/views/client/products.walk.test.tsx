import { act, fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { productFormMachine } from '../../../src/machines/client/product-form.ts'
import { productManagerMachine } from '../../../src/machines/client/product-manager.ts'
import type { Product } from '../../../src/schemas/product.ts'
import { SessionProvider } from '../../../src/views/actors.tsx'
import ProductsDialog from '../../../src/views/client/ProductsDialog.tsx'
import {
  managerModel,
  mug,
  productFormModel,
  productOf,
  shirt,
  startManager,
} from '../../model/client/chat-orders-fixture.ts'
import { createCoverage, follow } from '../../model/harness.ts'
import { dialogDriver, headings, inQuestion, isShown, leavesForm, press, submit } from '../driving.ts'
import { found } from '../found.ts'
import { expectScreen } from '../screen.ts'
import { sessionOf } from './chat-orders-session.tsx'

const manager = createCoverage(productManagerMachine)
const form = createCoverage(productFormMachine)
const session = sessionOf(['faq.manage'])

/** Renders the dialog on its real machine. The test controls the answers. */
function show() {
  const sut = startManager((event) => {
    manager.inspect(event)
    form.inspect(event)
  })
  const dismiss = () => sut.actor.send({ type: 'dialog.dismissed' })
  const view = render(
    <SessionProvider session={session}>
      <ProductsDialog actor={sut.actor} title="Products" onDismiss={dismiss} />
    </SessionProvider>,
  )
  return { ...sut, dismiss: () => act(async () => dismiss()), unmount: view.unmount }
}

const field = (name: RegExp) => screen.queryByLabelText<HTMLInputElement>(name)
const type = (name: RegExp, value: string) =>
  act(async () => void fireEvent.change(found(field(name), `the field ${name}`), { target: { value } }))

describe('The walk through the form of a product', () => {
  const paths = [null, shirt].flatMap((product) =>
    productFormModel(product)
      .everyTransitionInFewPaths()
      .map((path) => ({ product, path })),
  )

  it(`shows the expected state on ${paths.length} paths`, async () => {
    for (const { product, path } of paths) {
      const sut = show()
      await act(() => sut.load.resolve([mug, shirt]))
      await press(product === null ? 'Add product' : 'Edit Shirt')
      const title = product === null ? 'New product' : 'Edit product'
      const drive = dialogDriver(
        sut,
        {
          ...leavesForm,
          'fields.typed': async (event) => {
            await type(/^Name/, event['change'].name)
            return type(/^Price/, event['change'].price)
          },
          'form.submitted': () => submit(screen.getByRole('form', { name: title })),
        },
        { saveProduct: sut.save },
      )
      await follow(path, drive, ({ expected: { value, context, status, output } }) => {
        // The dialog ends with the form.
        if (output?.isDismissed) return expect(sut.snapshot().value).toBe('dismissed')
        const isOpen = status === 'active'
        return expect({
          headings: headings(),
          name: field(/^Name/)?.value,
          price: field(/^Price/)?.value,
          error: isOpen ? screen.queryByRole('alert', { hidden: true })?.textContent : undefined,
          asks: screen.queryByRole('alertdialog') !== null,
          saving: isShown('Saving...'),
        }).toEqual({
          headings: isOpen ? [title] : ['Mug', 'Shirt'],
          name: isOpen ? context.fields.name : undefined,
          price: isOpen ? context.fields.price : undefined,
          error: isOpen ? (context.error ?? undefined) : undefined,
          asks: value === 'leaving',
          saving: value === 'saving',
        })
      })
      sut.actor.stop()
      sut.unmount()
    }
  })

  it('enters every state', () => expect(form.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(form.transitionsMissed()).toEqual([]))
})

it('The form of a product leaves the spelling of codes and addresses unchecked', async () => {
  const sut = show()
  await act(() => sut.load.resolve([]))
  await press('Add product')
  const fields = [...screen.getByRole('form', { name: 'New product' }).querySelectorAll('input')]
  const shown = fields.map((input) => [input.labels?.[0]?.textContent, input.type, input.getAttribute('spellcheck')])
  expect(shown).toEqual([
    ['Name', 'text', null],
    ['Price (PHP)', 'text', null],
    ['Code (SKU)', 'text', 'false'],
    ['Address of a picture, for its card', 'url', 'false'],
    ['Link to its page, for its card', 'url', 'false'],
    ['Offered for new orders', 'checkbox', null],
  ])
  sut.unmount()
})

describe('The walk through the dialog of products', () => {
  const paths = managerModel().everyTransitionInFewPaths()

  it(`shows the expected state on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = show()
      const drive = dialogDriver(
        sut,
        {
          'xstate.done.actor.itemForm': async ({ output }) => {
            if (output.isDismissed) return sut.dismiss()
            if (!output.mayHaveSaved) return press('Cancel')
            await press('Update product')
            return act(() => sut.save.resolve(undefined))
          },
          'item.added': () => press('Add product'),
          'item.edited': () => press('Edit Shirt'),
          'deletion.requested': () => press('Delete Shirt'),
          'deletion.confirmed': () => inQuestion('Delete product'),
          'deletion.cancelled': () => inQuestion('Cancel'),
        },
        { loadItems: sut.load, deleteItem: sut.remove },
      )
      await follow(path, drive, ({ expected }) => {
        if (expected.status !== 'active') return expect(sut.snapshot().value).toBe('dismissed')
        const { items: products, item } = expected.context
        const isForm = expected.matches({ open: { work: 'form' } })
        const isDeleting = expected.matches({ open: { work: 'deleting' } })
        return expect({
          headings: headings(),
          loading: isShown('Loading products...'),
          failed: isShown('The products are not loaded.'),
          asks: screen.queryByRole('alertdialog') !== null,
          deleting: isShown('Deleting...'),
        }).toEqual({
          headings: isForm
            ? [item === null ? 'New product' : 'Edit product']
            : (products ?? []).map(({ name }) => name),
          loading: !isForm && products === null && expected.matches({ open: { list: 'loading' } }),
          failed: !isForm && products === null && expected.matches({ open: { list: 'failed' } }),
          asks: isDeleting || expected.matches({ open: { work: 'asking' } }),
          deleting: isDeleting,
        })
      })
      sut.actor.stop()
      sut.unmount()
    }
  })

  it('enters every state', () => expect(manager.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(manager.transitionsMissed()).toEqual([]))
})

describe('The list of products', () => {
  const open = async (products: readonly Product[]) => {
    const sut = show()
    await act(() => sut.load.resolve(products))
    return sut
  }

  it('is searched by words of the name and the code, and shows 200 products at once', async () => {
    const many = Array.from({ length: 203 }, (_, index) => productOf(`Print ${index}`, { code: `P-${index}` }))
    const sut = await open([...many, shirt])
    expect([headings().length, isShown('4 more products match. Type more to find the one you need.')]).toEqual([
      200,
      true,
    ])
    await type(/^Search products/, 'SHÍRT')
    expect(headings()).toEqual(['Shirt'])
    await type(/^Search products/, 'print p 202')
    expect(headings()).toEqual(['Print 202'])
    await type(/^Search products/, 'nothing like it')
    expect([headings(), isShown('No product matches. Try another word.')]).toEqual([[], true])
    sut.unmount()
  })

  it('has no accessibility violation, and says what an empty list needs', async () => {
    const sut = await open([mug, productOf('Old', { is_active: false })])
    await expectScreen()
    expect([screen.getAllByText('₱125.50').length, isShown('Not offered')]).toEqual([2, true])
    sut.unmount()
    const empty = await open([])
    expect(isShown('No products yet. Add the first one, or import a list under Import and export.')).toBe(true)
    empty.unmount()
  })
})
