import {
  type OrderDetails,
  type OrderStatus,
  orderStatuses,
  paymentStatuses,
  type RecordedPaymentStatus,
} from '../../schemas/chat-order.ts'
import type { OrderChange } from './chat-order-calls.ts'

/** The statuses that may follow each status of an order. The server refuses every other step with 409. */
export const orderSteps: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  pending: ['confirmed', 'rejected', 'cancelled'],
  confirmed: ['processing', 'cancelled'],
  processing: ['ready', 'cancelled'],
  ready: ['shipped', 'completed', 'cancelled'],
  shipped: ['completed', 'cancelled'],
  completed: [],
  cancelled: ['pending'],
  rejected: ['pending'],
}

/** The same for a payment. A wrong decision is taken back to pending first. */
export const paymentSteps: Readonly<Record<RecordedPaymentStatus, readonly RecordedPaymentStatus[]>> = {
  pending: ['approved', 'rejected'],
  approved: ['pending'],
  rejected: ['pending'],
}

type Stored = { status?: string | null | undefined; is_imported: boolean }

const nextIn = <Status extends string>(
  steps: Readonly<Record<Status, readonly Status[]>>,
  known: readonly Status[],
  { status, is_imported }: Stored,
): readonly Status[] => {
  const from = known.find((one) => one === status?.trim().toLowerCase())
  return from === undefined || is_imported ? [] : steps[from]
}

/** The steps that an order may take now: none if another program keeps the order, or if the status is not one of ours. */
export const nextOrderStatuses = (order: Stored): readonly OrderStatus[] => nextIn(orderSteps, orderStatuses, order)

/** The steps that a payment may take now. */
export const nextPaymentStatuses = (payment: Stored): readonly RecordedPaymentStatus[] =>
  nextIn(paymentSteps, paymentStatuses, payment)

/**
 * Whether the person is asked before the step: it cancels or rejects the order, or it rejects a payment, which stays rejected
 * while another payment has its reference.
 */
export const needsQuestion = ({ to }: OrderChange): boolean => to === 'cancelled' || to === 'rejected'

/** Whether a step of the order or of one of its payments begins at the status that the order shows, and is allowed. */
export function isAllowedChange(order: OrderDetails, change: OrderChange): boolean {
  if (change.kind === 'order') return order.status === change.from && nextOrderStatuses(order).includes(change.to)
  const payment = order.payments.find(({ id }) => id === change.paymentId)
  return payment?.status === change.from && nextPaymentStatuses(payment).includes(change.to)
}
