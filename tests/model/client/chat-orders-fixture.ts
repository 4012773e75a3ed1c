import { createActor, type InspectionEvent, SimulatedClock, type SnapshotFrom } from 'xstate'
import type {
  OrderChange,
  OrderToMake,
  PaymentToRecord,
  ProductToSave,
} from '../../../src/domain/client/chat-order-calls.ts'
import { Failure, type FailureFacts } from '../../../src/domain/failure.ts'
import { type NewOrderInput, newOrderMachine } from '../../../src/machines/client/new-order.ts'
import { orderMachine } from '../../../src/machines/client/order.ts'
import { productFormMachine } from '../../../src/machines/client/product-form.ts'
import { productManager, productManagerMachine } from '../../../src/machines/client/product-manager.ts'
import { type RecordPaymentInput, recordPaymentMachine } from '../../../src/machines/client/record-payment.ts'
import { doubleReference, type OrderDetails, type RecordedPayment } from '../../../src/schemas/chat-order.ts'
import type { Order } from '../../../src/schemas/order.ts'
import type { Product } from '../../../src/schemas/product.ts'
import { createControl, createToastLog, type Inspect, inspectAll, modelOf } from '../harness.ts'
import { itemManagerCases } from '../item-manager-fixture.ts'
import { orderOf } from './clients-fixture.ts'

/** A product whose id is its name. */
export const productOf = (name: string, rest: Partial<Product> = {}): Product => ({
  id: name,
  name,
  code: `${name}-1`,
  price: 12_550,
  is_active: true,
  ...rest,
})
export const mug = productOf('Mug')
export const shirt = productOf('Shirt', { code: null, price: 40_000 })

export const paymentOf = (id: string, rest: Partial<RecordedPayment> = {}): RecordedPayment => ({
  id,
  amount: 40,
  status: 'pending',
  created_at: '2026-03-02T04:00:00.000Z',
  method: 'gcash',
  reference: '123',
  message_id: null,
  attachment: null,
  recorded_by_name: 'Paolo Cruz',
  decided_by_name: null,
  is_imported: false,
  ...rest,
})

export const detailsOf = (rest: Partial<OrderDetails> = {}): OrderDetails => ({
  ...orderOf('o1', { status: 'pending' }),
  client_id: 'k1',
  items: [{ name: 'Mug', quantity: 2, unit_price: 50 }],
  discount: 10,
  delivery_fee: 10,
  message_id: null,
  attachment: null,
  created_by_name: 'Paolo Cruz',
  is_imported: false,
  payments: [paymentOf('y1')],
  messages: [],
  ...rest,
})

const failure = (facts: Partial<FailureFacts>) =>
  new Failure({ method: 'POST', path: '/orders', kind: 'status', ...facts })

/** The possible failures of a call. */
export const orderFaults = {
  noAnswer: failure({ kind: 'noAnswer' }),
  unreadable: failure({ kind: 'badAnswer', status: 200 }),
  refused: failure({ status: 422, error: 'Another product has this code' }),
  double: failure({ status: 409, error: 'A payment of order C-1 has this reference', code: doubleReference }),
  conflict: failure({ status: 409, error: 'Somebody changed this meanwhile' }),
  unnamed: failure({ status: 422 }),
}

/** The dialog of products with controlled calls. */
export function startManager(alsoInspect: Inspect = () => {}) {
  const load = createControl<readonly Product[]>()
  const save = createControl<void, ProductToSave>()
  const remove = createControl<void, { id: string }>()
  const clock = new SimulatedClock()
  const { toasts, inspect } = createToastLog(alsoInspect)
  const itemForm = productFormMachine.provide({ actors: { saveProduct: save.logic } })
  const logic = productManager.provide({ loadItems: load.logic, deleteItem: remove.logic, itemForm })
  const actor = createActor(logic, { clock, inspect }).start()
  return { load, save, remove, clock, actor, toasts, snapshot: () => actor.getSnapshot() }
}

/** The form of a product with a controlled call. */
export function startForm(item: Product | null, alsoInspect: Inspect = () => {}, others: readonly Product[] = []) {
  const save = createControl<void, ProductToSave>()
  const { toasts, inspect } = createToastLog(alsoInspect)
  const logic = productFormMachine.provide({ actors: { saveProduct: save.logic } })
  const actor = createActor(logic, { input: { item, others }, inspect }).start()
  return { save, actor, toasts, snapshot: () => actor.getSnapshot() }
}

const readFaults = ({ failures }: { failures: number }) => [
  ...(failures > 0 ? [] : [{ error: orderFaults.unreadable }]),
  { error: orderFaults.unnamed },
]

/** The dialog. */
export const managerModel = () =>
  modelOf(productManagerMachine, {
    input: undefined,
    vertex: ({ context }) => context,
    cases: itemManagerCases([mug, shirt], orderFaults),
  })

/** The form of this product; null for a new one. */
export const productFormModel = (item: Product | null) =>
  modelOf(productFormMachine, {
    input: { item, others: [mug] },
    vertex: ({ context }: SnapshotFrom<typeof productFormMachine>) => context,
    cases: {
      'fields.typed': ({ context }) =>
        context.fields.name === (item?.name ?? '') ? [{ change: { name: 'Cap', price: '99.50' } }] : [],
      'form.submitted': [{}],
      'form.cancelled': [{}],
      'discard.confirmed': [{}],
      'discard.refused': [{}],
      'dialog.dismissed': [{}],
      'xstate.done.actor.saveProduct': [{ output: undefined }],
      'xstate.error.actor.saveProduct': [{ error: orderFaults.refused }, { error: orderFaults.noAnswer }],
    },
  })

const sources = [{ id: 'm1', text: 'Two mugs please', sentAt: '2026-03-01T04:00:00.000Z', pictures: [] }]
export const newOrderInput = { conversationId: 'ana', clientId: 'k1', messageId: 'm1', sources }
const receipt = { messageId: 'm1', url: 'https://cdn.example/receipt.jpg', name: 'receipt.jpg', place: 0 }
export const paymentInput = { conversationId: 'ana', clientId: 'k1', orderId: null, pictures: [receipt] }
/** The payment of an order, without a conversation that offers pictures. */
export const orderPaymentInput = { clientId: 'k1', orderId: 'o2', pictures: [] }

/** `o2` has a balance; `o3` is newer and was paid. */
export const orders: readonly Order[] = [
  orderOf('o2'),
  orderOf('o3', { payments: [{ amount: 100, status: 'approved' }] }),
]

/** The orders that the form of a payment loads. */
export const ordersFor = ({ orderId }: RecordPaymentInput): readonly Order[] =>
  orderId === null ? orders : orders.filter(({ id }) => id === orderId)

/** Collects what the machine reports to the session: without one, it tells itself. */
const reportsIn = (reports: unknown[]) => (event: InspectionEvent) => {
  if (event.type === '@xstate.event' && event.event.type === 'clientData.changed') reports.push(event.event)
}

/** The form of a new order with controlled calls. */
export function startNewOrder(alsoInspect: Inspect = () => {}, input: NewOrderInput = newOrderInput) {
  const load = createControl<readonly Product[], { of: typeof newOrderInput }>()
  const create = createControl<void, { body: OrderToMake }>()
  const reports: unknown[] = []
  const tellReport = reportsIn(reports)
  const clock = new SimulatedClock()
  const { toasts, inspect } = createToastLog(inspectAll(alsoInspect, tellReport))
  const logic = newOrderMachine.provide({ actors: { loadFacts: load.logic as never, create: create.logic } })
  const actor = createActor(logic, { clock, inspect, input }).start()
  return { load, create, clock, actor, toasts, reports, snapshot: () => actor.getSnapshot() }
}

/** The form of a payment with controlled calls. */
export function startPayment(alsoInspect: Inspect = () => {}, input: RecordPaymentInput = paymentInput) {
  const load = createControl<readonly Order[], { of: RecordPaymentInput }>()
  const create = createControl<void, { body: PaymentToRecord }>()
  const clock = new SimulatedClock()
  const { toasts, inspect } = createToastLog(alsoInspect)
  const logic = recordPaymentMachine.provide({ actors: { loadFacts: load.logic as never, create: create.logic } })
  const actor = createActor(logic, { clock, inspect, input }).start()
  return { load, create, clock, actor, toasts, snapshot: () => actor.getSnapshot() }
}

export const typedItem = { key: 0, name: 'Mug', quantity: '2', price: '125.50' }

/** The cases of every form of a new item. `typed`: the change that completes it. */
const creationCases = (facts: unknown, typed: object, isTyped: (fields: object) => boolean) => ({
  'refetch.requested': [{}],
  'fields.typed': ({ context }: { context: { fields: object } }) =>
    isTyped(context.fields) ? [] : [{ change: typed }],
  'form.submitted': [{}],
  'form.cancelled': [{}],
  'discard.confirmed': [{}],
  'discard.refused': [{}],
  'dialog.dismissed': [{}],
  'xstate.done.actor.loadFacts': [{ output: facts }],
  'xstate.error.actor.loadFacts': ({ context }: { context: { failures: number } }) => readFaults(context),
  'xstate.done.actor.create': [{ output: undefined }],
  'xstate.error.actor.create': [{ error: orderFaults.double }, { error: orderFaults.noAnswer }],
})

/** Every context field except the random key. */
const vertexOf = ({ context }: { context: { id: string } }) => ({ ...context, id: null })

export const typedOrder = { items: [typedItem] }
export const newOrderModel = () =>
  modelOf(newOrderMachine, {
    input: newOrderInput,
    vertex: vertexOf,
    cases: creationCases([mug, shirt], typedOrder, (fields) => JSON.stringify(fields).includes('125.50')),
  })

const typedPayment = { amount: '40', reference: '123' }
export const paymentModel = (input: RecordPaymentInput) =>
  modelOf(recordPaymentMachine, {
    input,
    vertex: vertexOf,
    cases: creationCases(ordersFor(input), typedPayment, (fields) => JSON.stringify(fields).includes('"123"')),
  })

const orderInput = { conversationId: 'ana', clientId: 'k1', orderId: 'o1' }
export const confirm: OrderChange = { kind: 'order', from: 'pending', to: 'confirmed' }
export const approve: OrderChange = { kind: 'payment', paymentId: 'y1', from: 'pending', to: 'approved' }
/** These steps are asked about first. */
export const cancel: OrderChange = { kind: 'order', from: 'pending', to: 'cancelled' }
export const reject: OrderChange = { kind: 'payment', paymentId: 'y1', from: 'pending', to: 'rejected' }
/** The order after each change. */
export const cancelled = detailsOf({ status: 'cancelled' })
export const confirmed = detailsOf({ status: 'confirmed' })
export const approved = detailsOf({ payments: [paymentOf('y1', { status: 'approved' })] })
export const rejected = detailsOf({ payments: [paymentOf('y1', { status: 'rejected' })] })

const outcomes = new Map<OrderChange, OrderDetails>([
  [cancel, cancelled],
  [approve, approved],
  [reject, rejected],
])

/** The order after one of the changes. */
export const afterChange = (change: OrderChange | null): OrderDetails => (change && outcomes.get(change)) ?? confirmed

/** The dialog of an order with controlled calls. */
export function startOrder(alsoInspect: Inspect = () => {}) {
  const load = createControl<OrderDetails, { orderId: string }>()
  const change = createControl<OrderDetails, { orderId: string; change: OrderChange }>()
  const clock = new SimulatedClock()
  const { toasts, inspect } = createToastLog(alsoInspect)
  const reports: unknown[] = []
  const logic = orderMachine.provide({
    actors: { loadOrder: load.logic, changeOrder: change.logic },
    // Without a session the machine would tell itself, and load again.
    actions: { tellSession: (_, report) => void reports.push(report) },
  })
  const actor = createActor(logic, { clock, inspect, input: orderInput }).start()
  return { load, change, clock, actor, toasts, reports, snapshot: () => actor.getSnapshot() }
}

export const orderModel = () =>
  modelOf(orderMachine, {
    input: orderInput,
    vertex: ({ context }: SnapshotFrom<typeof orderMachine>) => context,
    stopWhen: ({ context }) => context.failures > 1,
    cases: {
      'change.requested': [confirm, cancel, approve, reject].map((change) => ({ change })),
      'change.confirmed': [{}],
      'change.refused': [{}],
      'refetch.requested': [{}],
      'clientData.changed': [{ clientIds: null }, { clientIds: ['k1'] }, { clientIds: ['k2'] }],
      'dialog.dismissed': [{}],
      'xstate.done.actor.loadOrder': [{ output: detailsOf() }],
      'xstate.error.actor.loadOrder': ({ context }) => readFaults(context),
      'xstate.done.actor.changeOrder': ({ context }) => [{ output: afterChange(context.change) }],
      'xstate.error.actor.changeOrder': [{ error: orderFaults.conflict }],
    },
  })
