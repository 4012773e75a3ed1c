import { chatOrderLimits, doubleReference, type NewPayment, type PaymentMethod } from '../../schemas/chat-order.ts'
import type { Order } from '../../schemas/order.ts'
import { t } from '../../texts/orders-on-demand.ts'
import type { PaymentToRecord } from './chat-order-calls.ts'
import type { Cents } from './money.ts'
import { balanceOf, isCancelled, newestFirst } from './orders.ts'
import { typedCents } from './typed-amounts.ts'

/** A picture in a message, which may be the receipt of a payment. `place`: that of the picture among the attachments. */
export type ReceiptPicture = { messageId: string; url: string; name: string; place: number }

/**
 * What the payment is recorded from. `orderId`: null for a message with pictures, of which one is the receipt. For an order,
 * a receipt is optional: the customer paid in cash, or staff saw the money elsewhere.
 */
export type PaymentSource = { orderId: string | null; pictures: readonly ReceiptPicture[] }

/**
 * The values of the form of a payment. `acceptsDouble`: the person confirmed a reference that another payment has.
 * `receipt`: the place of the receipt among the offered pictures; null for a payment without one.
 */
export type PaymentFields = {
  orderId: string | null
  amount: string
  method: PaymentMethod
  reference: string
  acceptsDouble: boolean
  receipt: number | null
}

/** The orders in the order in which the form offers them: those with a balance, the others, then the cancelled ones. */
export function offeredOrders(orders: readonly Order[]): Order[] {
  const rank = (order: Order) => (isCancelled(order) ? 2 : balanceOf(order) > 0 ? 0 : 1)
  return newestFirst(orders).toSorted((one, other) => rank(one) - rank(other))
}

/**
 * The form begins with the newest order that has a balance. From a message it begins with the first picture. The amount is
 * left to the person who reads the receipt.
 */
export const emptyPayment = (orders: readonly Order[], { orderId, pictures }: PaymentSource): PaymentFields => ({
  orderId: offeredOrders(orders)[0]?.id ?? null,
  amount: '',
  method: 'gcash',
  reference: '',
  acceptsDouble: false,
  receipt: orderId === null && pictures.length > 0 ? 0 : null,
})

/** What is left to pay of the chosen order; null if no order is chosen. */
function chosenBalance({ orderId }: PaymentFields, orders: readonly Order[]): Cents | null {
  const order = orders.find(({ id }) => id === orderId)
  return order === undefined ? null : balanceOf(order)
}

/** The balance of the chosen order, to be entered as the amount; null if there is none, or if it is entered already. */
export function offeredAmount(fields: PaymentFields, orders: readonly Order[]): Cents | null {
  const balance = chosenBalance(fields, orders)
  return balance === 0 || typedCents(fields.amount) === balance ? null : balance
}

/** By how much the typed amount is more than the chosen order's balance; null if it is not. */
export function excessOf(fields: PaymentFields, orders: readonly Order[]): Cents | null {
  const balance = chosenBalance(fields, orders)
  const excess = balance === null ? 0 : (typedCents(fields.amount) ?? 0) - balance
  return excess > 0 ? excess : null
}

export const amountProblem = ({ amount }: PaymentFields): string | null =>
  amount.trim() !== '' && !typedCents(amount) ? t('orders.amountWrong') : null

type Refused = { code: string; fields: PaymentFields } | null

/** Whether the server told that another payment has this method and this reference. */
export const isDouble = ({ method, reference }: PaymentFields, refused: Refused): boolean =>
  refused?.code === doubleReference && refused.fields.method === method && refused.fields.reference === reference

/** The first problem that prevents saving; null if there is none. */
export function paymentBlockedReason(fields: PaymentFields, refused: Refused): string | null {
  if (fields.orderId === null) return t('orders.paymentNeedsOrder')
  if (fields.amount.trim() === '') return t('orders.amountMissing')
  const problem = amountProblem(fields)
  if (problem !== null) return problem
  if (fields.reference.trim().length > chatOrderLimits.reference)
    return t('shared.tooLong', { most: chatOrderLimits.reference })
  return isDouble(fields, refused) && !fields.acceptsDouble ? t('orders.confirmDouble') : null
}

/** The request for the payment. Only valid fields have one. */
export function paymentToRecord(
  { orderId, amount, method, reference, acceptsDouble, receipt }: PaymentFields,
  { id, pictures }: { id: string; pictures: readonly ReceiptPicture[] },
): PaymentToRecord {
  const picture = receipt === null ? undefined : pictures[receipt]
  return {
    orderId: orderId ?? '',
    body: {
      id,
      amount: typedCents(amount) ?? 0,
      method,
      reference: reference.trim() || null,
      message_id: picture?.messageId ?? null,
      attachment: picture?.place ?? null,
      accepts_double: acceptsDouble,
    } satisfies NewPayment,
  }
}
