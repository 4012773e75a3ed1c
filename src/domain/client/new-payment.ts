import { chatOrderLimits, doubleReference, type NewPayment, type PaymentMethod } from '../../schemas/chat-order.ts'
import type { Order } from '../../schemas/order.ts'
import { t } from '../../texts/orders-on-demand.ts'
import type { PaymentToRecord } from './chat-order-calls.ts'
import { balanceOf, isCancelled, newestFirst } from './orders.ts'
import { typedCents } from './typed-amounts.ts'

/**
 * The values of the form of a payment. `acceptsDouble`: the person confirmed a reference that another payment has.
 * `attachment`: the place of the receipt in its message.
 */
export type PaymentFields = {
  orderId: string | null
  amount: string
  method: PaymentMethod
  reference: string
  acceptsDouble: boolean
  attachment: number | null
}

/** The orders in the order in which the form offers them: those with a balance, the others, then the cancelled ones. */
export function offeredOrders(orders: readonly Order[]): Order[] {
  const rank = (order: Order) => (isCancelled(order) ? 2 : balanceOf(order) > 0 ? 0 : 1)
  return newestFirst(orders).toSorted((one, other) => rank(one) - rank(other))
}

/**
 * The form begins with the newest order that has a balance, and with the first picture. The amount is left to the person who
 * reads the receipt.
 */
export const emptyPayment = (orders: readonly Order[], pictures: readonly { place: number }[]): PaymentFields => ({
  orderId: offeredOrders(orders)[0]?.id ?? null,
  amount: '',
  method: 'gcash',
  reference: '',
  acceptsDouble: false,
  attachment: pictures[0]?.place ?? null,
})

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
export const paymentToRecord = (
  { orderId, amount, method, reference, acceptsDouble, attachment }: PaymentFields,
  { id, messageId }: { id: string; messageId: string | null },
): PaymentToRecord => ({
  orderId: orderId ?? '',
  body: {
    id,
    amount: typedCents(amount) ?? 0,
    method,
    reference: reference.trim() || null,
    message_id: messageId,
    attachment,
    accepts_double: acceptsDouble,
  } satisfies NewPayment,
})
