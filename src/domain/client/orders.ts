import type { Order } from '../../schemas/order.ts'
import { limits } from '../limits.ts'
import { type Cents, centsOf, sumOf } from './money.ts'

export type PaymentStatus = 'unpaid' | 'partial' | 'paid'

/** The totals of a client's orders (spec section 2, client details sidebar). */
export type OrderTotals = { orders: number; pending: number; spent: Cents; outstanding: Cents }

const countedPayments = new Set(['approved', 'completed'])
const cancelledStatuses = new Set(['cancelled', 'rejected'])

const normalized = (status: string | null | undefined): string => status?.trim().toLowerCase() ?? ''

/** The payments that count towards an order: approved or completed ones (spec section 4, order derivation). */
export const countedPaymentsOf = (order: Pick<Order, 'payments'>) =>
  (order.payments ?? []).filter(({ status }) => countedPayments.has(normalized(status)))

/** Whether a payment waits for approval. One of another program is decided there. */
export const hasPendingPayment = (order: Pick<Order, 'payments'>): boolean =>
  (order.payments ?? []).some(({ status, is_imported }) => normalized(status) === 'pending' && is_imported !== true)

/** The amount paid for an order. */
export const paidOf = (order: Pick<Order, 'payments'>): Cents =>
  sumOf(countedPaymentsOf(order).map(({ amount }) => centsOf(amount)))

/** 'unpaid' if nothing was paid, 'paid' if the total was reached, otherwise 'partial' (spec section 4). */
export function paymentStatusOf(order: Pick<Order, 'payments' | 'total_amount'>): PaymentStatus {
  const paid = paidOf(order)
  if (paid === 0) return 'unpaid'
  return paid >= centsOf(order.total_amount) ? 'paid' : 'partial'
}

/** Whether an order is neither completed nor cancelled or rejected (spec section 4). */
export const isPending = ({ status }: Pick<Order, 'status'>): boolean =>
  normalized(status) !== 'completed' && !cancelledStatuses.has(normalized(status))

/** Whether an order was cancelled or rejected; no balance is due for such an order. */
export const isCancelled = ({ status }: Pick<Order, 'status'>): boolean => cancelledStatuses.has(normalized(status))

/** The unpaid amount of an order. An overpaid order does not reduce the balance of another order. */
export const balanceOf = (order: Pick<Order, 'payments' | 'status' | 'total_amount'>): Cents =>
  isCancelled(order) ? 0 : Math.max(0, centsOf(order.total_amount) - paidOf(order))

/** What was paid for an order beyond its total. */
export const overpaidOf = (order: Pick<Order, 'payments' | 'status' | 'total_amount'>): Cents =>
  isCancelled(order) ? 0 : Math.max(0, paidOf(order) - centsOf(order.total_amount))

/**
 * The amounts of a client's orders. Each is that of the orders that are not called off; `calledOff` tells of the others, which
 * were cancelled or rejected. total − paid + overpaid = balance.
 */
export type Account = {
  orders: number
  pending: number
  total: Cents
  paid: Cents
  overpaid: Cents
  balance: Cents
  calledOff: { orders: number; paid: Cents }
}

export function accountOf(all: readonly Order[]): Account {
  const orders = all.filter((order) => !isCancelled(order))
  const calledOff = all.filter(isCancelled)
  return {
    orders: orders.length,
    pending: orders.filter(isPending).length,
    total: sumOf(orders.map(({ total_amount }) => centsOf(total_amount))),
    paid: sumOf(orders.map(paidOf)),
    overpaid: sumOf(orders.map(overpaidOf)),
    balance: sumOf(orders.map(balanceOf)),
    calledOff: { orders: calledOff.length, paid: sumOf(calledOff.map(paidOf)) },
  }
}

/** Total Orders, Pending, Total Spent and Outstanding (spec sections 2 and 4). Total Spent is what was paid for all orders. */
export const totalsOf = (orders: readonly Order[]): OrderTotals => ({
  orders: orders.length,
  pending: orders.filter(isPending).length,
  spent: sumOf(orders.map(paidOf)),
  outstanding: sumOf(orders.map(balanceOf)),
})

/** Newest first. Orders created at the same time are sorted by id, highest first. */
export const newestFirst = <One extends Pick<Order, 'id' | 'created_at'>>(orders: readonly One[]): One[] =>
  orders.toSorted(
    (one, other) => Date.parse(other.created_at) - Date.parse(one.created_at) || (one.id < other.id ? 1 : -1),
  )

/** The orders that the sidebar shows (spec section 9). */
export const recentOrders = (orders: readonly Order[]): Order[] => newestFirst(orders).slice(0, limits.recentOrders)
