import { act, fireEvent, render, screen, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { describe, expect, it } from 'vitest'
import type { OrderChange } from '../../../src/domain/client/chat-order-calls.ts'
import { type NewOrderInput, newOrderMachine } from '../../../src/machines/client/new-order.ts'
import { orderMachine } from '../../../src/machines/client/order.ts'
import { type RecordPaymentInput, recordPaymentMachine } from '../../../src/machines/client/record-payment.ts'
import type { OrderDetails } from '../../../src/schemas/chat-order.ts'
import { SessionProvider } from '../../../src/views/actors.tsx'
import NewOrderDialog from '../../../src/views/client/NewOrderDialog.tsx'
import OrderDialog from '../../../src/views/client/OrderDialog.tsx'
import RecordPaymentDialog from '../../../src/views/client/RecordPaymentDialog.tsx'
import { messageOf } from '../../domain/message-fixture.ts'
import {
  detailsOf,
  mug,
  newOrderModel,
  orderFaults,
  orderModel,
  orderPaymentInput,
  orders,
  ordersFor,
  paymentInput,
  paymentModel,
  paymentOf,
  shirt,
  startNewOrder,
  startOrder,
  startPayment,
  typedItem,
} from '../../model/client/chat-orders-fixture.ts'
import { createCoverage, follow } from '../../model/harness.ts'
import { dialogDriver, inQuestion, isShown, leavesForm, press, submit } from '../driving.ts'
import { found } from '../found.ts'
import { expectScreen } from '../screen.ts'
import userEvent from '../user-event.ts'
import { sessionOf } from './chat-orders-session.tsx'

const orderForm = createCoverage(newOrderMachine)
const paymentForm = createCoverage(recordPaymentMachine)
const orderDialog = createCoverage(orderMachine)

const showIn = (permissions: readonly string[], dialog: ReactNode) =>
  render(<SessionProvider session={sessionOf(permissions)}>{dialog}</SessionProvider>)

const pressFocused = (name: string) => {
  act(() => screen.getByRole('button', { name }).focus())
  return press(name)
}
const field = (name: string | RegExp) => found(screen.queryAllByLabelText<HTMLInputElement>(name)[0], String(name))
const type = (name: string | RegExp, value: string) =>
  act(async () => void fireEvent.change(field(name), { target: { value } }))

function showNewOrder(input?: NewOrderInput) {
  const sut = startNewOrder(orderForm.inspect, input)
  const dismiss = () => sut.actor.send({ type: 'dialog.dismissed' })
  const view = showIn(['orders.manage'], <NewOrderDialog actor={sut.actor} title="New order" onDismiss={dismiss} />)
  return { ...sut, unmount: view.unmount }
}

function showPayment(input?: RecordPaymentInput) {
  const sut = startPayment(paymentForm.inspect, input)
  const dismiss = () => sut.actor.send({ type: 'dialog.dismissed' })
  const dialog = <RecordPaymentDialog actor={sut.actor} title="Record payment" onDismiss={dismiss} />
  const view = showIn(['orders.manage'], dialog)
  return { ...sut, unmount: view.unmount }
}

/** The events of every form of a new item. `title`: the name of the form. */
const formDriver = (
  sut: ReturnType<typeof showNewOrder> | ReturnType<typeof showPayment>,
  title: string,
  typeAll: () => Promise<unknown>,
) =>
  dialogDriver(
    sut,
    {
      ...leavesForm,
      'fields.typed': typeAll,
      'form.submitted': () => submit(screen.getByRole('form', { name: title })),
      'refetch.requested': () => press('Try again'),
    },
    { loadFacts: sut.load, create: sut.create },
  )

type Expected = {
  status: string
  context: { error: string | null }
  matches: (state: 'loading' | 'failed' | 'editing' | 'leaving' | 'saving') => boolean
}
const shownIn = (texts: { loading: string; notLoaded: string }) => ({
  loading: isShown(texts.loading),
  failed: isShown(texts.notLoaded),
  error: screen.queryByRole('alert', { hidden: true })?.textContent ?? null,
  asks: screen.queryByRole('alertdialog') !== null,
  saving: isShown('Saving...'),
})
const expectedOf = (snapshot: Expected) => ({
  loading: snapshot.matches('loading'),
  failed: snapshot.matches('failed'),
  error: snapshot.context.error,
  asks: snapshot.matches('leaving'),
  saving: snapshot.matches('saving'),
})

describe('The walk through the form of a new order', () => {
  const paths = newOrderModel().everyTransitionInFewPaths()
  const texts = { loading: 'Loading products...', notLoaded: 'The products are not loaded.' }

  it(`shows the expected state on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = showNewOrder()
      const typeAll = async () => {
        await type(/^Product/, typedItem.name)
        await type(/^Quantity/, typedItem.quantity)
        await type(/^Unit price/, typedItem.price)
      }
      await follow(path, formDriver(sut, 'New order', typeAll), ({ expected }) => {
        if (expected.status !== 'active') return expect(sut.snapshot().status).toBe('done')
        return expect(shownIn(texts)).toEqual(expectedOf(expected as Expected))
      })
      sut.actor.stop()
      sut.unmount()
    }
  })

  it('enters every state', () => expect(orderForm.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(orderForm.transitionsMissed()).toEqual([]))
})

describe('The form of a new order', () => {
  it('adds up what is typed, has as many items as needed, and no accessibility violation', async () => {
    const sut = showNewOrder()
    await act(() => sut.load.resolve([mug, shirt]))
    const total = () => screen.getAllByRole('definition').map(({ textContent }) => textContent)
    expect(total()).toEqual(['—', '—'])
    await press('Remove item 1')
    await type(/^Product/, 'Cap')
    await type(/^Quantity/, '0.5')
    await type(/^Unit price/, '1,000.25')
    await press('Add item')
    expect(total()).toEqual(['—', '—'])
    const second = screen.getByRole('group', { name: 'Item 2' })
    for (const [name, value] of [
      [/^Product/, 'Box'],
      [/^Unit price/, '10'],
    ] as const)
      await act(async () => void fireEvent.change(within(second).getByLabelText(name), { target: { value } }))
    await type('Discount', '0.13')
    await type('Delivery fee', '50')
    // 0.5 × 1,000.25 = 500.125 is rounded to 500.13.
    expect(total()).toEqual(['₱510.13', '₱560.00'])
    await expectScreen()
    await press('Remove item 1')
    expect([total(), screen.queryByRole('group', { name: 'Item 2' })]).toEqual([['₱10.00', '₱59.87'], null])
    await type('Discount', '10.01')
    expect(field('Discount').getAttribute('aria-invalid')).toBe('true')
    sut.unmount()
  })

  it('shows why a quantity or a price is wrong', async () => {
    const sut = showNewOrder()
    await act(() => sut.load.resolve([]))
    await type(/^Quantity/, '0')
    await type(/^Unit price/, '12,50')
    screen.getByText(
      'Enter a quantity above 0, at most 10,000, for example 2 or 0.5. Enter an amount like 1,250 or 99.50.',
    )
    await type(/^Quantity/, '2')
    const description = document.getElementById(field(/^Unit price/).getAttribute('aria-describedby') ?? '')
    expect([description?.textContent, field(/^Quantity/).getAttribute('aria-describedby')]).toEqual([
      'Enter an amount like 1,250 or 99.50.',
      null,
    ])
    sut.unmount()
  })

  it('moves the focus to an added item, and to the items when one is removed', async () => {
    const sut = showNewOrder()
    await act(() => sut.load.resolve([mug, shirt]))
    await pressFocused('Add item')
    const second = screen.getByRole('group', { name: 'Item 2' })
    expect(document.activeElement).toBe(within(second).getByLabelText(/^Product/))
    await pressFocused('Remove item 2')
    expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Items' }))
    sut.unmount()
  })

  describe('says what the order was made from', () => {
    const at = (minute: number) => `2026-03-01T04:0${minute}:00.000Z`
    const sources = [
      { id: 'm3', text: null, sentAt: at(3), pictures: [0, 2] },
      { id: 'm2', text: 'Like \u202ethis', sentAt: at(2), pictures: [1] },
      { id: 'm1', text: 'Two mugs please', sentAt: at(1), pictures: [] },
    ]
    const options = [
      /^No message$/,
      /: Picture$/,
      /: Picture \(Picture 1 of 2\)$/,
      /: Picture \(Picture 2 of 2\)$/,
      /: Like this$/,
      /: Two mugs please$/,
    ]

    it.each<[RegExp, { message_id: string | null; attachment: number | null }]>([
      [/^No message$/, { message_id: null, attachment: null }],
      [/: Picture$/, { message_id: 'm3', attachment: null }],
      [/: Picture \(Picture 1 of 2\)$/, { message_id: 'm3', attachment: 0 }],
      [/: Picture \(Picture 2 of 2\)$/, { message_id: 'm3', attachment: 2 }],
      [/: Like this$/, { message_id: 'm2', attachment: null }],
      [/: Two mugs please$/, { message_id: 'm1', attachment: null }],
    ])('%s', async (name, source) => {
      const sut = showNewOrder({ conversationId: 'ana', clientId: 'k1', messageId: 'm2', sources })
      await act(() => sut.load.resolve([]))
      const select = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Made from the message' })
      const texts = () => [...select.options].map(({ text }) => text)
      expect([texts(), select.selectedOptions[0]?.text]).toEqual([
        options.map((text) => expect.stringMatching(text)),
        expect.stringMatching(/: Like this$/),
      ])
      await userEvent.selectOptions(select, screen.getByRole<HTMLOptionElement>('option', { name }).value)
      expect(select.selectedOptions[0]?.text).toMatch(name)
      await type(/^Product/, 'Mug')
      await type(/^Unit price/, '10')
      await act(async () => void fireEvent.submit(screen.getByRole('form', { name: 'New order' })))
      const sent = sut.create.inputs().map(({ body: { message_id, attachment } }) => ({ message_id, attachment }))
      expect(sent).toEqual([source])
      sut.unmount()
    })
  })

  it('fills the name and the price of the product that was chosen', async () => {
    const sut = showNewOrder()
    await act(() => sut.load.resolve([mug, shirt]))
    await userEvent.type(field(/^Product/), 'shi')
    const options = within(await screen.findByRole('listbox')).getAllByRole('option')
    expect(options.map(({ textContent }) => textContent)).toEqual(['Shirt₱400.00'])
    await act(async () => void fireEvent.click(found(options[0], 'the product')))
    expect([field(/^Product/).value, field(/^Unit price/).value]).toEqual(['Shirt', '400'])
    sut.unmount()
  })
})

describe.each([
  ['a receipt', paymentInput],
  ['an order', orderPaymentInput],
])('The walk through the form of a payment from %s', (_, input) => {
  const paths = paymentModel(input).everyTransitionInFewPaths()
  const texts = { loading: 'Loading orders...', notLoaded: 'The orders are not loaded.' }

  it(`shows the expected state on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = showPayment(input)
      const typeAll = async () => {
        await type(/^Amount/, '40')
        await type('Reference number', '123')
      }
      await follow(path, formDriver(sut, 'Record payment', typeAll), ({ expected }) => {
        if (expected.status !== 'active') return expect(sut.snapshot().status).toBe('done')
        expect(shownIn(texts)).toEqual(expectedOf(expected as Expected))
        const { refused } = expected.context
        const isEditing = expected.matches('editing') || expected.matches('saving') || expected.matches('leaving')
        return expect(screen.queryByLabelText('This is another payment. Record it too.') !== null).toBe(
          isEditing && refused !== null,
        )
      })
      sut.actor.stop()
      sut.unmount()
    }
  })

  it('enters every state', () => expect(paymentForm.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(paymentForm.transitionsMissed()).toEqual([]))
})

describe('The form of a payment', () => {
  it('shows the receipt, offers the orders with a balance first, and has no accessibility violation', async () => {
    const sut = showPayment()
    await act(() => sut.load.resolve(orders))
    expect(screen.getByRole('img', { name: 'Receipt: receipt.jpg' }).getAttribute('src')).toBe(
      'https://cdn.example/receipt.jpg',
    )
    expect([...field('Order').querySelectorAll('option')].map(({ textContent }) => textContent)).toEqual([
      '#102, Mar 2, 2026 · ₱100.00 · ₱100.00 to pay',
      '#103, Mar 3, 2026 · ₱100.00 · Processing',
    ])
    const chosen = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Order' }).selectedOptions[0]?.text
    expect(chosen()).toMatch(/^#102,/)
    await userEvent.selectOptions(
      field('Order'),
      screen.getByRole<HTMLOptionElement>('option', { name: /^#103,/ }).value,
    )
    expect(chosen()).toMatch(/^#103,/)
    await expectScreen()
    sut.unmount()
  })
})

describe('The confirmation of a double reference', () => {
  it.each([
    [
      'method',
      () => userEvent.selectOptions(field('Method'), 'cash'),
      () => userEvent.selectOptions(field('Method'), 'gcash'),
    ],
    ['reference', () => type('Reference number', '12'), () => type('Reference number', '123')],
  ])('is asked for again after another %s', async (_, change, changeBack) => {
    const sut = showPayment()
    await act(() => sut.load.resolve(orders))
    await type(/^Amount/, '40')
    await type('Reference number', '123')
    await act(async () => void fireEvent.submit(screen.getByRole('form', { name: 'Record payment' })))
    await act(() => sut.create.reject(orderFaults.double))
    const confirmation = () => screen.queryByLabelText<HTMLInputElement>('This is another payment. Record it too.')
    await userEvent.click(found(confirmation(), 'the confirmation'))
    const shown = [confirmation()?.checked]
    await change()
    shown.push(confirmation()?.checked)
    await changeBack()
    expect([...shown, confirmation()?.checked]).toEqual([true, undefined, false])
    sut.unmount()
  })
})

describe('The receipt of a payment', () => {
  it('is chosen among the pictures of a message, and begins with the first one', async () => {
    const pictures = [0, 2].map((place) => ({
      messageId: 'm1',
      url: `https://cdn.example/${place}.jpg`,
      name: `${place}.jpg`,
      place,
    }))
    const sut = showPayment({ ...paymentInput, pictures })
    await act(() => sut.load.resolve(orders))
    const receipts = screen.getByRole('group', { name: 'Which picture is the receipt?' })
    const choices = within(receipts).getAllByRole<HTMLInputElement>('radio')
    expect(choices.map(({ checked }) => checked)).toEqual([true, false])
    await userEvent.click(within(receipts).getByRole('radio', { name: /^Picture 2 of 2/ }))
    expect(choices.map(({ checked }) => checked)).toEqual([false, true])
    await expectScreen()
    await type(/^Amount/, '40')
    await act(async () => void fireEvent.submit(screen.getByRole('form', { name: 'Record payment' })))
    expect(sut.create.inputs().map(({ body }) => body.body.attachment)).toEqual([2])
    sut.unmount()
  })

  it.each([
    ['No picture', [null, null]],
    ['Picture 1 of 2', ['m3', 0]],
    ['Picture 2 of 2', ['m1', 1]],
  ])('of an order is optional: %s', async (name, named) => {
    const pictures = [
      { messageId: 'm3', url: 'https://cdn.example/new.jpg', name: 'new.jpg', place: 0 },
      { messageId: 'm1', url: 'https://cdn.example/old.jpg', name: 'old.jpg', place: 1 },
    ]
    const input = { ...paymentInput, orderId: 'o3', pictures }
    const sut = showPayment(input)
    await act(() => sut.load.resolve(ordersFor(input)))
    const receipts = screen.getByRole('group', { name: 'Which picture is the receipt?' })
    const choices = within(receipts).getAllByRole<HTMLInputElement>('radio')
    expect(choices.map(({ checked }) => checked)).toEqual([true, false, false])
    await expectScreen()
    await userEvent.click(within(receipts).getByRole('radio', { name: new RegExp(`^${name}`) }))
    await type(/^Amount/, '40')
    await act(async () => void fireEvent.submit(screen.getByRole('form', { name: 'Record payment' })))
    expect(
      sut.create.inputs().map(({ body: { orderId, body } }) => [orderId, body.message_id, body.attachment]),
    ).toEqual([['o3', ...named]])
    sut.unmount()
  })

  it('of an order is not asked for without pictures', async () => {
    const sut = showPayment(orderPaymentInput)
    await act(() => sut.load.resolve(ordersFor(orderPaymentInput)))
    expect([screen.queryByRole('group'), screen.queryByRole('radio'), screen.queryByRole('img')]).toEqual([
      null,
      null,
      null,
    ])
    await expectScreen()
    sut.unmount()
  })
})

describe('The walk through the dialog of an order', () => {
  const paths = orderModel().everyTransitionInFewPaths()

  function show(permissions = ['orders.manage', 'payments.approve']) {
    const sut = startOrder(orderDialog.inspect)
    const dismiss = () => sut.actor.send({ type: 'dialog.dismissed' })
    const view = showIn(permissions, <OrderDialog actor={sut.actor} title="Order" onDismiss={dismiss} />)
    return { ...sut, unmount: view.unmount }
  }
  const buttons = () =>
    within(screen.getByRole('dialog', { hidden: true }))
      .queryAllByRole<HTMLButtonElement>('button', { hidden: true })
      .filter(({ ariaLabel }) => ariaLabel !== 'Close')
      .map((button) => [button.ariaLabel ?? button.textContent, button.disabled])

  const buttonOf = ({ kind, to }: OrderChange) => {
    if (kind === 'payment') return `${to === 'rejected' ? 'Reject' : 'Approve'} the payment of ₱40.00`
    return to === 'cancelled' ? 'Cancel order' : 'Confirm'
  }
  const questionShown = () => {
    const question = screen.queryByRole('alertdialog')
    return question && document.getElementById(question.getAttribute('aria-describedby') ?? '')?.textContent
  }
  const isAboutPayment = () => screen.queryByRole('alertdialog', { name: 'Reject payment' }) !== null
  const questionAbout = (change: OrderChange | null) =>
    change?.kind === 'payment'
      ? expect.stringMatching(/^Reject the payment of ₱40\.00\?/)
      : 'Cancel the order #101? You can reopen it later.'

  it(`shows the expected state on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = show()
      const drive = dialogDriver(
        sut,
        {
          'change.requested': ({ change }) => press(buttonOf(change)),
          'change.confirmed': () => inQuestion(isAboutPayment() ? 'Reject payment' : 'Cancel order'),
          'change.refused': () => inQuestion(isAboutPayment() ? 'Cancel' : 'Keep order'),
        },
        { loadOrder: sut.load, changeOrder: sut.change },
        { changeDelay: 1_000 },
      )
      await follow(path, drive, ({ expected }) => {
        if (expected.status !== 'active') return expect(sut.snapshot().status).toBe('done')
        const { order } = expected.context
        const isChanging = expected.matches('changing')
        const isLoading = order === null && expected.matches({ open: 'loading' })
        const hasFailed = order === null && expected.matches({ open: 'failed' })
        const steps = {
          pending: ['Confirm', 'Reject', 'Cancel order'],
          confirmed: ['Start processing', 'Cancel order'],
          cancelled: ['Reopen'],
        }[order?.status ?? '']
        const decisions =
          order?.payments[0]?.status === 'pending'
            ? ['Approve the payment of ₱40.00', 'Reject the payment of ₱40.00']
            : ['Set the payment of ₱40.00 back to pending']
        const names = order === null ? [] : [...(steps ?? []), ...decisions]
        return expect([
          screen.getByRole('dialog', { hidden: true }).getAttribute('aria-labelledby') !== null,
          screen.getAllByRole('heading', { level: 2, hidden: true })[0]?.textContent,
          questionShown(),
          isShown('Loading the order...'),
          isShown('The order is not loaded.'),
          buttons(),
        ]).toEqual([
          true,
          order === null ? 'Order' : 'Order #101',
          expected.matches('asking') ? questionAbout(expected.context.change) : null,
          isLoading,
          hasFailed,
          hasFailed ? [['Try again', false]] : names.map((name) => [name, isChanging]),
        ])
      })
      sut.actor.stop()
      sut.unmount()
    }
  })

  it('enters every state', () => expect(orderDialog.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(orderDialog.transitionsMissed()).toEqual([]))

  const open = async (order: OrderDetails, permissions?: string[]) => {
    const sut = show(permissions)
    await act(() => sut.load.resolve(order))
    return sut
  }

  it('shows no discount and no delivery fee of an order without them', async () => {
    const sut = await open(detailsOf({ discount: 0, delivery_fee: 0, payments: [] }))
    const lines = (role: string) => screen.getAllByRole(role).map(({ textContent }) => textContent)
    expect([lines('term'), lines('definition')]).toEqual([
      ['Total', 'To pay'],
      ['₱100.00', '₱100.00'],
    ])
    sut.unmount()
  })

  it('asks with the amount before a payment is rejected, says when that is final, and gives the focus back', async () => {
    const sut = await open(detailsOf({ payments: [paymentOf('y1'), paymentOf('y2', { amount: 60, reference: null })] }))
    await pressFocused('Reject the payment of ₱40.00')
    expect(questionShown()).toBe(
      'Reject the payment of ₱40.00? You can set it back to pending later, unless another payment has its reference number by then.',
    )
    await expectScreen()
    await inQuestion('Cancel')
    await act(() => sut.load.resolve(sut.snapshot().context.order as never))
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Reject the payment of ₱40.00' }))
    await pressFocused('Reject the payment of ₱60.00')
    expect(questionShown()).toBe('Reject the payment of ₱60.00? You can set it back to pending later.')
    await inQuestion('Reject payment')
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Order' }))
    sut.unmount()
  })

  it('marks a payment by what its status means for the balance', async () => {
    const statuses = ['approved', 'completed', 'Approved', 'pending', 'rejected', 'held']
    const sut = await open(detailsOf({ payments: statuses.map((status) => paymentOf(status, { status })) }))
    const section = screen.getByRole('heading', { level: 3, name: 'Payments' }).closest('section')
    const tones = within(section as HTMLElement)
      .getAllByRole('listitem')
      .map(
        (line) => /text-(ok|warn|ink-2)(?= |$)/.exec(line.querySelector('[class*="text-2xs"]')?.className ?? '')?.[1],
      )
    expect(tones).toEqual(['ok', 'ok', 'ok', 'warn', 'ink-2', 'ink-2'])
    sut.unmount()
  })

  it.each([
    [{}, 'Recorded by Paolo Cruz, Mar 2, 2026'],
    [{ decided_by_name: 'Ana' }, 'Recorded by Paolo Cruz, Mar 2, 2026, decided by Ana'],
    [{ recorded_by_name: null }, 'Mar 2, 2026'],
    [{ is_imported: true }, 'From another program, Mar 2, 2026'],
  ])('says who recorded and decided a payment with %j', async (rest, text) => {
    const sut = await open(detailsOf({ payments: [paymentOf('y1', rest)] }))
    expect(screen.getByText(/Mar 2, 2026/, { selector: 'li p' }).textContent).toBe(text)
    sut.unmount()
  })

  it('offers no step to people without the permissions, or for what another program keeps', async () => {
    const viewer = await open(detailsOf(), ['orders.read'])
    // Another API may have other names for permissions; this person holds a name of this server.
    viewer.unmount()
    const person = await open(detailsOf(), ['conversations.read', 'orders.read'])
    expect(buttons()).toEqual([])
    person.unmount()
    const payments = [paymentOf('y1', { is_imported: true, method: null, reference: null })]
    const imported = await open(detailsOf({ is_imported: true, payments }))
    expect([
      buttons(),
      isShown('Another program keeps this order, so its status is changed there.'),
      screen.queryByText(/^From another program, /) !== null,
    ]).toEqual([[], true, true])
    imported.unmount()
  })

  it.each(['Confirm', 'Approve the payment of ₱40.00'])('keeps the focus in the dialog on "%s"', async (name) => {
    const sut = await open(detailsOf())
    await pressFocused(name)
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Order' }))
    sut.unmount()
  })

  it.each([
    ['Cancel order', 'Cancel order', 'Cancel the order #101? You can reopen it later.'],
    ['Reject', 'Reject order', 'Reject the order #101? You can reopen it later.'],
  ])('asks with the name of the order before %s, and gives the focus back', async (button, title, text) => {
    const sut = await open(detailsOf())
    await pressFocused(button)
    const question = screen.getByRole('alertdialog', { name: title })
    within(question).getByText(text)
    await expectScreen()
    await inQuestion('Keep order')
    expect(document.activeElement).toBe(screen.getByRole('button', { name: button }))
    sut.unmount()
  })

  it('shows the amounts, the message that the order came from and the receipts, without accessibility violations', async () => {
    const picture = { name: 'cake.jpg', image_data: { url: 'https://cdn.example/cake.jpg', preview_url: null } }
    const other = { name: 'other.jpg', image_data: { url: 'https://cdn.example/other.jpg', preview_url: null } }
    const attachments = { data: [picture, other] }
    const sut = await open(
      detailsOf({
        message_id: 'm1',
        attachment: 0,
        messages: [
          messageOf('m1', 1, { message_text: 'Like this', attachments }),
          messageOf('m2', 2, { message_text: 'Paid', attachments }),
        ],
        payments: [paymentOf('y1', { status: 'approved', amount: 120, message_id: 'm2', attachment: 1 })],
      }),
    )
    const terms = screen.getAllByRole('term').map(({ textContent }) => textContent)
    const amounts = screen.getAllByRole('definition').map(({ textContent }) => textContent)
    expect(terms.map((term, index) => [term, amounts[index]])).toEqual([
      ['Discount', '−₱10.00'],
      ['Delivery fee', '₱10.00'],
      ['Total', '₱100.00'],
      ['Paid', '₱120.00'],
      ['Overpaid', '₱20.00'],
      ['To pay', '₱0.00'],
    ])
    const shown = screen.getAllByRole('figure').map((figure) => [
      figure.querySelector('p')?.textContent,
      ...within(figure)
        .getAllByRole('link')
        .map((link) => link.getAttribute('href')),
    ])
    expect(shown).toEqual([
      ['Like this', 'https://cdn.example/cake.jpg'],
      ['Paid', 'https://cdn.example/other.jpg'],
    ])
    await expectScreen()
    sut.unmount()
  })
})
