import * as z from 'zod/mini'
import { answerOf, id, moment } from './primitives.ts'
import { ranges } from './ranges.ts'

/**
 * An amount of pesos: a number, or numeric text as databases return it. Sums are calculated in cents by domain/money.
 */
const money = z.union([z.number(), z.pipe(z.string().check(z.regex(/^-?\d+(\.\d+)?$/)), z.transform(Number))])

export const payment = z.object({
  id: z.nullish(id),
  amount: money,
  /** Approved and completed payments count (spec section 4). */
  status: z.nullish(z.string()),
  created_at: z.nullish(moment),
  /** Another program keeps the payment, so its status cannot be changed here. */
  is_imported: z.nullish(z.boolean()),
})
export type Payment = z.infer<typeof payment>

const orderItem = z.object({
  name: z.nullish(z.string()),
  quantity: z.nullish(z.number()),
  unit_price: z.nullish(money),
})

/** Spec section 3. Payments and items are present only if they were requested. */
export const order = z.object({
  id,
  order_number: z.nullish(id),
  client_id: z.nullish(id),
  status: z.nullish(z.string()),
  total_amount: money,
  created_at: moment,
  payments: z.nullish(z.array(payment)),
  items: z.catch(z.nullish(z.array(orderItem)), null),
})
export type Order = z.infer<typeof order>

const related = ['payments', 'items'] as const

export const ordersQuery = z.object({
  client_id: z.optional(z.string()),
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(ranges.orders[0]), z.maximum(ranges.orders[1])), 100),
  sort_by: z._default(z.enum(['created_at', 'order_number', 'status', 'total_amount']), 'created_at'),
  sort_order: z._default(z.enum(['asc', 'desc']), 'desc'),
  /** Comma separated. */
  with: z.optional(z.string().check(z.regex(new RegExp(`^(${related.join('|')})(, ?(${related.join('|')}))*$`)))),
})
export type OrdersQuery = z.infer<typeof ordersQuery>

export const ordersAnswer = answerOf(z.array(order))

export const orderPaymentsAnswer = answerOf(z.array(payment))

/** The orders of the client that a chat user is linked to, each with its payments (spec section 7). */
export const userOrdersAnswer = answerOf(z.object({ orders: z.array(order) }))
