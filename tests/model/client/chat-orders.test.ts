import { describe, expect, it } from 'vitest'
import type { OrderChange } from '../../../src/domain/client/chat-order-calls.ts'
import { newOrder, newOrderMachine } from '../../../src/machines/client/new-order.ts'
import {
  orderMachine,
  selectAskedAbout,
  selectHasFailed,
  selectIsChanging,
  selectOrder,
} from '../../../src/machines/client/order.ts'
import {
  type RecordPaymentInput,
  recordPayment,
  recordPaymentMachine,
} from '../../../src/machines/client/record-payment.ts'
import { selectAsksToDiscard, selectError, selectFields, selectIsSaving } from '../../../src/machines/item-forms.ts'
import type { OrderDetails } from '../../../src/schemas/chat-order.ts'
import { createCoverage, driverOf, error, success } from '../harness.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'
import {
  afterChange,
  approve,
  approved,
  cancel,
  cancelled,
  confirm,
  confirmed,
  detailsOf,
  mug,
  newOrderModel,
  orderFaults,
  orderModel,
  orderPaymentInput,
  ordersFor,
  paymentInput,
  paymentModel,
  paymentOf,
  reject,
  rejected,
  shirt,
  startNewOrder,
  startOrder,
  startPayment,
  typedItem,
  typedOrder,
} from './chat-orders-fixture.ts'

const orderForm = createCoverage(newOrderMachine)
const paymentForm = createCoverage(recordPaymentMachine)
const orderDialog = createCoverage(orderMachine)

const perhaps = 'No answer came, so this may be saved already. Press again: it is not saved twice.'

describe('The form of a new order', () => {
  const open = async () => {
    const sut = startNewOrder(orderForm.inspect)
    await sut.load.resolve([mug, shirt])
    return sut
  }
  const type = (sut: ReturnType<typeof startNewOrder>, change: object) =>
    sut.actor.send({ type: 'fields.typed', change })

  it('begins with one empty item and the message that it comes from, and cannot be sent', async () => {
    const sut = await open()
    expect(selectFields(sut.snapshot())).toEqual({
      items: [{ key: 0, name: '', quantity: '1', price: '' }],
      discount: '',
      deliveryFee: '',
      messageId: 'm1',
      attachment: null,
    })
    sut.actor.send({ type: 'form.submitted' })
    expect([sut.create.calls.length, newOrder.selectBlockedReason(sut.snapshot())]).toEqual([
      0,
      'Enter what each item is.',
    ])
  })

  it.each([
    [{ items: [{ ...typedItem, quantity: '0' }] }, 'Enter a quantity above 0, at most 10,000, for example 2 or 0.5.'],
    [{ items: [{ ...typedItem, price: 'ten' }] }, 'Enter an amount like 1,250 or 99.50.'],
    [{ ...typedOrder, deliveryFee: '-5' }, 'Enter an amount like 1,250 or 99.50.'],
    [{ ...typedOrder, discount: '251.01' }, 'The discount is higher than the sum of the items.'],
  ])('refuses %j: %s', async (change, reason) => {
    const sut = await open()
    type(sut, change)
    sut.actor.send({ type: 'form.submitted' })
    expect([sut.create.calls.length, newOrder.selectBlockedReason(sut.snapshot())]).toEqual([0, reason])
  })

  it('is sent once, without a total, and a retry after a lost answer has the same id', async () => {
    const sut = await open()
    type(sut, { ...typedOrder, discount: '1', deliveryFee: '1,000.5', messageId: null })
    sut.actor.send({ type: 'form.submitted' })
    sut.actor.send({ type: 'form.submitted' })
    sut.actor.send({ type: 'dialog.dismissed' })
    await sut.create.reject(orderFaults.noAnswer)
    expect([sut.create.calls.length, selectError(sut.snapshot())]).toEqual([1, perhaps])
    sut.actor.send({ type: 'form.submitted' })
    await sut.create.resolve(undefined)
    const [first, second] = sut.create.inputs()
    expect(first).toEqual({
      body: {
        id: expect.stringMatching(/^[\da-f]{8}-/),
        client_id: 'k1',
        message_id: null,
        attachment: null,
        items: [{ name: 'Mug', quantity: 2, unit_price: 12_550 }],
        discount: 100,
        delivery_fee: 100_050,
      },
    })
    expect(second).toEqual(first)
    expect([sut.snapshot().status, sut.toasts.at(-1), sut.reports]).toEqual([
      'done',
      success('Order made'),
      [{ type: 'clientData.changed', clientIds: ['k1'] }],
    ])
  })

  it('of another dialog has another id', async () => {
    const ids = [await open(), await open()].map((sut) => sut.snapshot().context.id)
    expect(new Set(ids).size).toBe(2)
  })
})

describe('The form of a payment', () => {
  const open = async (input?: RecordPaymentInput) => {
    const sut = startPayment(paymentForm.inspect, input)
    await sut.load.resolve(ordersFor(input ?? paymentInput))
    return sut
  }

  it('begins with the newest order that has a balance', async () => {
    const sut = await open()
    expect(selectFields(sut.snapshot())).toEqual({
      orderId: 'o2',
      amount: '',
      method: 'gcash',
      reference: '',
      acceptsDouble: false,
      receipt: 0,
    })
  })

  it('of an order is for this order and needs no picture', async () => {
    const sut = await open({ ...paymentInput, orderId: 'o3' })
    expect(selectFields(sut.snapshot())).toMatchObject({ orderId: 'o3', receipt: null })
    sut.actor.send({ type: 'fields.typed', change: { amount: '40', method: 'cash' } })
    sut.actor.send({ type: 'form.submitted' })
    const id = sut.snapshot().context.id
    const values = { amount: 4_000, method: 'cash', reference: null, message_id: null, attachment: null }
    expect(sut.create.inputs()).toEqual([{ body: { orderId: 'o3', body: { id, ...values, accepts_double: false } } }])
    await sut.create.reject(orderFaults.noAnswer)
    sut.actor.send({ type: 'form.submitted' })
    // The same id, so that a retry after a lost answer records one payment.
    expect(sut.create.inputs()[1]).toEqual(sut.create.inputs()[0])
  })

  it('of an order may have a picture of the conversation', async () => {
    const sut = await open({ ...paymentInput, orderId: 'o3' })
    sut.actor.send({ type: 'fields.typed', change: { amount: '40', receipt: 0 } })
    sut.actor.send({ type: 'form.submitted' })
    const sent = sut.create.inputs().map(({ body: { body } }) => [body.message_id, body.attachment])
    expect(sent).toEqual([['m1', 0]])
  })

  it('asks for a confirmation of a double reference, until the reference changes', async () => {
    const sut = await open()
    const type = (change: object) => sut.actor.send({ type: 'fields.typed', change })
    const submit = () => sut.actor.send({ type: 'form.submitted' })
    type({ amount: '40', reference: ' 123 ' })
    submit()
    await sut.create.reject(orderFaults.double)
    const reason = () => recordPayment.selectBlockedReason(sut.snapshot())
    expect([selectError(sut.snapshot()), reason()]).toEqual([
      'A payment of order C-1 has this reference',
      'Confirm that this is another payment with the same reference.',
    ])
    submit()
    expect(sut.create.calls).toHaveLength(1)
    type({ reference: '124' })
    expect(reason()).toBeNull()
    type({ reference: ' 123 ' })
    type({ acceptsDouble: true })
    submit()
    const sent = { amount: 4_000, method: 'gcash', reference: '123', message_id: 'm1', attachment: 0 }
    const bodies = sut.create.inputs().map(({ body }) => body)
    expect(bodies).toEqual(
      [false, true].map((accepts_double) => ({
        orderId: 'o2',
        body: { ...sent, id: sut.snapshot().context.id, accepts_double },
      })),
    )
  })

  it('needs an order and an amount above zero', async () => {
    const sut = startPayment()
    await sut.load.resolve([])
    expect(recordPayment.selectBlockedReason(sut.snapshot())).toBe('This client has no order. Make the order first.')
    const other = await open()
    for (const amount of ['', '0', 'x']) {
      other.actor.send({ type: 'fields.typed', change: { amount } })
      other.actor.send({ type: 'form.submitted' })
    }
    expect(other.create.calls).toHaveLength(0)
  })
})

type FormState = {
  at: 'loading' | 'waiting' | 'refused' | 'editing' | 'leaving' | 'saving' | 'closed'
  isTyped: boolean
  error: string | null
  /** The server told of a double. */
  isDouble: boolean
  toasts: unknown[]
}

/** What every form of a new item does. `stopsAtDouble`: it waits for a confirmation. */
const referenceOf = (texts: { failed: string; created: string }, stopsAtDouble: boolean): Reference<FormState> => ({
  start: { at: 'loading', isTyped: false, error: null, isDouble: false, toasts: [] },
  accepts: ({ at, isTyped, isDouble }) =>
    ({
      loading: [...ends('loadFacts'), 'dialog.dismissed'],
      waiting: ['refetch.requested', 'dialog.dismissed', 'xstate.after.retryDelay.failed'],
      refused: ['refetch.requested', 'dialog.dismissed'],
      editing: [
        ...when(!isTyped, 'fields.typed'),
        ...when(isTyped && !(isDouble && stopsAtDouble), 'form.submitted'),
        'form.cancelled',
        'dialog.dismissed',
      ],
      leaving: ['discard.confirmed', 'discard.refused', 'dialog.dismissed'],
      saving: ends('create'),
      closed: [],
    })[at],
  rules: {
    'refetch.requested': () => ({ at: 'loading' }),
    'xstate.after.retryDelay.failed': () => ({ at: 'loading' }),
    'xstate.done.actor.loadFacts': () => ({ at: 'editing' }),
    'xstate.error.actor.loadFacts': ({ toasts }, { error: failure }) => ({
      at: failure === orderFaults.unreadable ? 'waiting' : 'refused',
      toasts: [...toasts, error(texts.failed)],
    }),
    'fields.typed': () => ({ isTyped: true }),
    'form.submitted': () => ({ at: 'saving', error: null }),
    'form.cancelled': ({ isTyped }) => ({ at: isTyped ? 'leaving' : 'closed' }),
    'dialog.dismissed': ({ at, isTyped }) => {
      if (at === 'leaving') return { at: 'editing' }
      return { at: at === 'editing' && isTyped ? 'leaving' : 'closed' }
    },
    'discard.confirmed': () => ({ at: 'closed' }),
    'discard.refused': () => ({ at: 'editing' }),
    'xstate.done.actor.create': ({ toasts }) => ({ at: 'closed', toasts: [...toasts, success(texts.created)] }),
    'xstate.error.actor.create': ({ toasts }, { error: failure }) =>
      failure === orderFaults.double
        ? {
            at: 'editing',
            isDouble: true,
            error: 'A payment of order C-1 has this reference',
            toasts: [...toasts, error('A payment of order C-1 has this reference')],
          }
        : {
            at: 'editing',
            isDouble: false,
            error: perhaps,
            toasts: [...toasts, error('Network error. Please check your connection.')],
          },
  },
  shown: ({ at, error: shown, toasts }) => ({
    isLoading: at === 'loading',
    hasFailed: at === 'waiting' || at === 'refused',
    asks: at === 'leaving',
    isSaving: at === 'saving',
    isClosed: at === 'closed',
    error: shown,
    toasts,
  }),
})

describe('The walk through the form of a new order', () => {
  const paths = newOrderModel().everyTransition()
  const reference = referenceOf({ failed: 'Failed to load products', created: 'Order made' }, false)

  it(`shows what the reference shows on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = startNewOrder(orderForm.inspect)
      const drive = driverOf(sut.actor.send, {
        calls: { loadFacts: sut.load, create: sut.create },
        delays: { retryDelay: () => sut.clock.increment(2_000) },
      })
      await followBeside(path, drive, renamed(reference, 'newOrder'), () => ({
        isLoading: newOrder.selectIsLoading(sut.snapshot()),
        hasFailed: newOrder.selectHasFailed(sut.snapshot()),
        asks: selectAsksToDiscard(sut.snapshot()),
        isSaving: selectIsSaving(sut.snapshot()),
        isClosed: sut.snapshot().status === 'done',
        error: selectError(sut.snapshot()),
        toasts: sut.toasts,
      }))
      sut.actor.stop()
    }
  })

  it('enters every state', () => expect(orderForm.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(orderForm.transitionsMissed()).toEqual([]))
})

describe.each([
  ['a receipt', paymentInput],
  ['an order', orderPaymentInput],
])('The walk through the form of a payment from %s', (_, input) => {
  const paths = paymentModel(input).everyTransition()
  const texts = { failed: 'Failed to load orders', created: 'Payment recorded. It waits for approval.' }
  const reference = referenceOf(texts, true)

  it(`shows what the reference shows on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = startPayment(paymentForm.inspect, input)
      const drive = driverOf(sut.actor.send, {
        calls: { loadFacts: sut.load, create: sut.create },
        delays: { retryDelay: () => sut.clock.increment(2_000) },
      })
      await followBeside(path, drive, renamed(reference, 'recordPayment'), () => ({
        isLoading: recordPayment.selectIsLoading(sut.snapshot()),
        hasFailed: recordPayment.selectHasFailed(sut.snapshot()),
        asks: selectAsksToDiscard(sut.snapshot()),
        isSaving: selectIsSaving(sut.snapshot()),
        isClosed: sut.snapshot().status === 'done',
        error: selectError(sut.snapshot()),
        toasts: sut.toasts,
      }))
      sut.actor.stop()
    }
  })

  it('enters every state', () => expect(paymentForm.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(paymentForm.transitionsMissed()).toEqual([]))
})

/** The name of a delay contains the id of the machine. */
function renamed(reference: Reference<FormState>, id: string): Reference<FormState> {
  const [general, own] = ['xstate.after.retryDelay.failed', `xstate.after.retryDelay.${id}.failed.waiting`]
  const rule = reference.rules[general]
  return {
    ...reference,
    accepts: (state) => reference.accepts(state).map((type) => (type === general ? own : type)),
    rules: { ...reference.rules, ...(rule && { [own]: rule }) },
  }
}

describe('The dialog of an order', () => {
  const open = async (order: OrderDetails = detailsOf()) => {
    const sut = startOrder(orderDialog.inspect)
    await sut.load.resolve(order)
    return sut
  }

  it('sends a step with the status that was seen, and shows the answer', async () => {
    const sut = await open()
    sut.actor.send({ type: 'change.requested', change: confirm })
    sut.actor.send({ type: 'change.requested', change: approve })
    sut.actor.send({ type: 'dialog.dismissed' })
    expect(sut.change.inputs()).toEqual([{ orderId: 'o1', change: confirm }])
    await sut.change.resolve(confirmed)
    expect([selectOrder(sut.snapshot()), sut.toasts, sut.reports]).toEqual([
      confirmed,
      [success('Order #101: Confirmed')],
      [{ type: 'clientData.changed', clientIds: ['k1'] }],
    ])
  })

  it('asks before it calls the order off, and loads again if the person keeps it', async () => {
    const sut = await open()
    const request = () => sut.actor.send({ type: 'change.requested', change: cancel })
    request()
    expect([selectAskedAbout(sut.snapshot()), sut.change.calls.length]).toEqual([cancel, 0])
    sut.actor.send({ type: 'change.refused' })
    expect([selectAskedAbout(sut.snapshot()), sut.change.calls.length, sut.load.calls.length]).toEqual([null, 0, 2])
    await sut.load.resolve(detailsOf())
    request()
    sut.actor.send({ type: 'change.confirmed' })
    expect(sut.change.inputs()).toEqual([{ orderId: 'o1', change: cancel }])
    await sut.change.resolve(cancelled)
    expect([selectOrder(sut.snapshot()), sut.toasts]).toEqual([cancelled, [success('Order #101: Cancelled')]])
  })

  it('asks before it rejects a payment, which can be set back to pending and approved afterwards', async () => {
    const sut = await open()
    const request = (change: OrderChange) => sut.actor.send({ type: 'change.requested', change })
    request(reject)
    expect([selectAskedAbout(sut.snapshot()), sut.change.calls.length]).toEqual([reject, 0])
    sut.actor.send({ type: 'change.refused' })
    await sut.load.resolve(detailsOf())
    expect([selectAskedAbout(sut.snapshot()), sut.change.calls.length]).toEqual([null, 0])
    request(reject)
    sut.actor.send({ type: 'change.confirmed' })
    await sut.change.resolve(rejected)
    const takeBack: OrderChange = { kind: 'payment', paymentId: 'y1', from: 'rejected', to: 'pending' }
    request(takeBack)
    await sut.change.resolve(detailsOf())
    request(approve)
    expect(sut.change.inputs().map(({ change }) => change)).toEqual([reject, takeBack, approve])
    expect(selectAskedAbout(sut.snapshot())).toBeNull()
  })

  const tooFar: OrderChange = { kind: 'order', from: 'pending', to: 'shipped' }

  it.each([
    ['a step that is not allowed', detailsOf(), tooFar],
    ['a step from a status that is shown no more', detailsOf({ status: 'cancelled' }), confirm],
    ['a step of an order of another program', detailsOf({ is_imported: true }), confirm],
    [
      'a decision on a payment of another program',
      detailsOf({ payments: [paymentOf('y1', { is_imported: true })] }),
      approve,
    ],
    ['a decision that was made already', approved, approve],
  ] as const)('refuses %s', async (_, order, change) => {
    const sut = await open(order)
    sut.actor.send({ type: 'change.requested', change })
    expect(sut.change.calls).toHaveLength(0)
  })

  it('loads the order again after a refusal, and says why', async () => {
    const sut = await open()
    sut.actor.send({ type: 'change.requested', change: approve })
    await sut.change.reject(orderFaults.conflict)
    expect([sut.load.calls.length, sut.toasts]).toEqual([2, [error('Somebody changed this meanwhile')]])
    await sut.load.resolve(approved)
    expect(selectOrder(sut.snapshot())).toEqual(approved)
  })

  it('fetches the order once for all announcements of a step, and for changes of colleagues', async () => {
    const sut = await open()
    sut.actor.send({ type: 'change.requested', change: confirm })
    await sut.change.resolve(confirmed)
    const changed = { type: 'clientData.changed', clientIds: ['k1'] } as const
    for (const wait of [0, 100, 400]) {
      sut.clock.increment(wait)
      sut.actor.send(changed)
    }
    expect(sut.load.calls).toHaveLength(1)
    sut.clock.increment(1_000)
    expect(sut.load.calls).toHaveLength(2)
    // A change during the fetch may be missing in its answer.
    sut.actor.send(changed)
    expect(sut.load.calls).toHaveLength(3)
    await sut.load.resolve(confirmed)
    sut.clock.increment(5_000)
    expect([sut.load.calls.length, selectOrder(sut.snapshot())]).toEqual([3, confirmed])
  })

  type State = {
    at: 'loading' | 'showing' | 'changed' | 'waiting' | 'refused' | 'asking' | 'changing' | 'closed'
    order: OrderDetails | null
    change: OrderChange | null
    loads: number
    toasts: unknown[]
  }
  const load = ({ loads }: State): Partial<State> => ({ at: 'loading', loads: loads + 1 })
  const doneTexts: Record<string, string> = { cancelled: 'Order #101: Cancelled', confirmed: 'Order #101: Confirmed' }
  const mayConfirm = ({ order }: State) => order?.status === 'pending'
  const mayApprove = ({ order }: State) => order?.payments[0]?.status === 'pending'
  const reference: Reference<State> = {
    start: { at: 'loading', order: null, change: null, loads: 1, toasts: [] },
    accepts: (state) => [
      ...when(state.at === 'loading', ...ends('loadOrder')),
      ...when(state.at === 'changing', ...ends('changeOrder')),
      ...when(state.at === 'waiting', 'xstate.after.retryDelay.order.open.failed.waiting'),
      ...when(state.at === 'waiting' || state.at === 'refused', 'refetch.requested'),
      ...when(state.at === 'changed', 'xstate.after.changeDelay.order.open.showing.changed'),
      ...when(state.at !== 'changing' && state.at !== 'closed', 'dialog.dismissed'),
      ...when(!['asking', 'changing', 'closed', 'changed'].includes(state.at), 'clientData.changed'),
      ...when(state.at === 'asking', 'change.confirmed', 'change.refused'),
      ...when(
        state.at !== 'asking' &&
          state.at !== 'changing' &&
          state.at !== 'closed' &&
          (mayConfirm(state) || mayApprove(state)),
        'change.requested',
      ),
    ],
    rules: {
      'xstate.done.actor.loadOrder': () => ({ at: 'showing', order: detailsOf() }),
      'xstate.error.actor.loadOrder': ({ toasts, at }, { error: failure }) => ({
        at: failure === orderFaults.unreadable ? 'waiting' : at === 'loading' ? 'refused' : at,
        toasts: [...toasts, error('Failed to load the order')],
      }),
      'xstate.after.retryDelay.order.open.failed.waiting': load,
      'refetch.requested': load,
      'clientData.changed': (state, { clientIds }) =>
        clientIds !== null && !clientIds.includes('k1') ? {} : state.at === 'showing' ? { at: 'changed' } : load(state),
      'xstate.after.changeDelay.order.open.showing.changed': load,
      'change.requested': (state, { change }) =>
        (change.kind === 'order' ? mayConfirm(state) : mayApprove(state))
          ? { at: change === cancel || change === reject ? 'asking' : 'changing', change }
          : {},
      'change.confirmed': () => ({ at: 'changing' }),
      'change.refused': load,
      'xstate.done.actor.changeOrder': ({ change, toasts }) => ({
        at: 'showing',
        order: afterChange(change),
        toasts: [
          ...toasts,
          success(change === null || change.kind === 'payment' ? 'Payment updated' : (doneTexts[change.to] ?? '')),
        ],
      }),
      'xstate.error.actor.changeOrder': (state) => ({
        ...load(state),
        toasts: [...state.toasts, error('Somebody changed this meanwhile')],
      }),
      'dialog.dismissed': () => ({ at: 'closed' }),
    },
    shown: ({ at, order, change, loads, toasts }) => ({
      order,
      loads,
      hasFailed: at === 'waiting' || at === 'refused',
      asks: at === 'asking' ? change : null,
      isChanging: at === 'changing',
      isClosed: at === 'closed',
      toasts,
    }),
  }
  const paths = orderModel().everyTransition()

  it(`shows what the reference shows on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = startOrder(orderDialog.inspect)
      const drive = driverOf(sut.actor.send, {
        calls: { loadOrder: sut.load, changeOrder: sut.change },
        delays: {
          retryDelay: () => sut.clock.increment(2_000),
          changeDelay: () => sut.clock.increment(1_000),
        },
      })
      await followBeside(path, drive, reference, () => ({
        order: selectOrder(sut.snapshot()),
        loads: sut.load.calls.length,
        hasFailed: selectHasFailed(sut.snapshot()),
        asks: selectAskedAbout(sut.snapshot()),
        isChanging: selectIsChanging(sut.snapshot()),
        isClosed: sut.snapshot().status === 'done',
        toasts: sut.toasts,
      }))
      sut.actor.stop()
    }
  })

  it('enters every state', () => expect(orderDialog.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(orderDialog.transitionsMissed()).toEqual([]))
})
