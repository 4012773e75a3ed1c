import type { Order } from '../../schemas/order.ts'
import { limits } from '../limits.ts'
import { type Cents, centsOf, sumOf } from './money.ts'

export type PaymentStatus = 'unpaid' | 'partial' | 'paid'

/** What is known of a client's orders at a glance (spec section 2, client details sidebar). */
export type OrderTotals = { orders: number; pending: number; spent: Cents; outstanding: Cents }

const countedPayments = new Set(['approved', 'completed'])
const calledOff = new Set(['cancelled', 'rejected'])

const plain = (status: string | null | undefined): string => status?.trim().toLowerCase() ?? ''

/** The payments of an order that count: approved or completed ones (spec section 4, order derivation). */
export const countedPaymentsOf = (order: Pick<Order, 'payments'>) =>
  (order.payments ?? []).filter(({ status }) => countedPayments.has(plain(status)))

/** What was paid of an order. */
export const paidOf = (order: Pick<Order, 'payments'>): Cents =>
  sumOf(countedPaymentsOf(order).map(({ amount }) => centsOf(amount)))

/** Unpaid while nothing was paid, paid from the total on, else partial (spec section 4). */
export function paymentStatusOf(order: Pick<Order, 'payments' | 'total_amount'>): PaymentStatus {
  const paid = paidOf(order)
  if (paid === 0) return 'unpaid'
  return paid >= centsOf(order.total_amount) ? 'paid' : 'partial'
}

/** Neither completed nor called off (spec section 4). */
export const isPending = ({ status }: Pick<Order, 'status'>): boolean =>
  plain(status) !== 'completed' && !calledOff.has(plain(status))

/** Cancelled or rejected: nothing of it is owed. */
export const isCalledOff = ({ status }: Pick<Order, 'status'>): boolean => calledOff.has(plain(status))

/** What is left to pay of an order; too much paid for one does not pay for another. */
export const balanceOf = (order: Pick<Order, 'payments' | 'status' | 'total_amount'>): Cents =>
  isCalledOff(order) ? 0 : Math.max(0, centsOf(order.total_amount) - paidOf(order))

/** Total Orders, Pending, Total Spent and Outstanding (spec sections 2 and 4). */
export const totalsOf = (orders: readonly Order[]): OrderTotals => ({
  orders: orders.length,
  pending: orders.filter(isPending).length,
  spent: sumOf(orders.map(paidOf)),
  outstanding: sumOf(orders.map(balanceOf)),
})

/** Newest first; of two made at one moment, the later id first. */
export const newestFirst = (orders: readonly Order[]): Order[] =>
  orders.toSorted(
    (one, other) => Date.parse(other.created_at) - Date.parse(one.created_at) || (one.id < other.id ? 1 : -1),
  )

/** The orders that the sidebar shows (spec section 9). */
export const recentOrders = (orders: readonly Order[]): Order[] => newestFirst(orders).slice(0, limits.recentOrders)
