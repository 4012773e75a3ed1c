import * as z from 'zod/mini'
import { message } from './message.ts'
import { order, payment } from './order.ts'
import { answerOf, count, id } from './primitives.ts'
import { productLimits } from './product.ts'

/**
 * `items` of one order, `quantity` of one item with at most 3 decimals, amounts in cents, texts in characters, attachments of
 * one message.
 */
export const chatOrderLimits = {
  items: 100,
  quantity: 10_000,
  name: productLimits.name,
  amount: productLimits.price,
  total: 100 * productLimits.price,
  reference: 100,
  attachments: 100,
} as const

/** The statuses of orders that are made here. An order of another program may have any other. */
export const orderStatuses = [
  'pending',
  'confirmed',
  'processing',
  'ready',
  'shipped',
  'completed',
  'cancelled',
  'rejected',
] as const
export type OrderStatus = (typeof orderStatuses)[number]

export const paymentStatuses = ['pending', 'approved', 'rejected'] as const
export type RecordedPaymentStatus = (typeof paymentStatuses)[number]

export const paymentMethods = ['gcash', 'maya', 'bank', 'cash'] as const
export type PaymentMethod = (typeof paymentMethods)[number]

const cents = count.check(z.maximum(chatOrderLimits.amount))
const reference = z.string().check(z.trim(), z.minLength(1), z.maxLength(chatOrderLimits.reference))
const name = z.string().check(z.trim(), z.minLength(1), z.maxLength(chatOrderLimits.name))

/** Has at most 3 decimals. */
const quantity = z.number().check(
  z.positive(),
  z.maximum(chatOrderLimits.quantity),
  z.refine((value) => Math.abs(value * 1_000 - Math.round(value * 1_000)) < 1e-6, 'has more than 3 decimals'),
)

/** The place of an attachment in its message, from 0; null for the whole message. */
const attachmentIndex = z._default(z.nullable(count.check(z.maximum(chatOrderLimits.attachments - 1))), null)

const newItem = z.object({ name, quantity, unit_price: cents })
export type NewItem = z.infer<typeof newItem>

/**
 * A new order. The total is not in the body: the server calculates it (`orderAmounts`). `id` is chosen by the browser, so
 * that a retry makes one order. `message_id` is the message that the order came from, and `attachment` the one of its files.
 */
export const newOrderBody = z.object({
  id: z.uuid(),
  client_id: id,
  message_id: z.nullable(id),
  attachment: attachmentIndex,
  items: z.array(newItem).check(z.minLength(1), z.maxLength(chatOrderLimits.items)),
  discount: cents,
  delivery_fee: cents,
})
export type NewOrderBody = z.output<typeof newOrderBody>

/** `from` is the status that the person saw. */
export const orderStatusBody = z.object({ from: z.string().check(z.maxLength(50)), to: z.enum(orderStatuses) })

/** A payment in cents. `accepts_double`: the person knows that another payment has the same method and reference. */
export const newPaymentBody = z.object({
  id: z.uuid(),
  amount: cents.check(z.minimum(1)),
  method: z.enum(paymentMethods),
  reference: z.nullable(reference),
  message_id: z.nullable(id),
  attachment: attachmentIndex,
  accepts_double: z._default(z.boolean(), false),
})
export type NewPayment = z.output<typeof newPaymentBody>

export const paymentStatusBody = z.object({ from: z.enum(paymentStatuses), to: z.enum(paymentStatuses) })

export const recordedPayment = z.extend(payment, {
  id,
  /** Null for a payment of another program. */
  method: z.nullable(z.enum(paymentMethods)),
  reference: z.nullable(z.string()),
  message_id: z.nullable(id),
  attachment: attachmentIndex,
  recorded_by_name: z.nullable(z.string()),
  decided_by_name: z.nullable(z.string()),
  is_imported: z.boolean(),
})
export type RecordedPayment = z.infer<typeof recordedPayment>

/** An order with all that staff see of it (feature 'chat-orders'). */
export const orderDetails = z.extend(order, {
  client_id: id,
  discount: z.nullable(order.shape.total_amount),
  delivery_fee: z.nullable(order.shape.total_amount),
  message_id: z.nullable(id),
  attachment: attachmentIndex,
  created_by_name: z.nullable(z.string()),
  is_imported: z.boolean(),
  payments: z.array(recordedPayment),
  /** The messages that the order and its payments came from. */
  messages: z.array(message),
})
export type OrderDetails = z.infer<typeof orderDetails>
export const orderDetailsAnswer = answerOf(orderDetails)

/** The code of the refusal of a payment whose method and reference another payment has. */
export const doubleReference = 'DOUBLE_REFERENCE'
