import type { OrderStatus, PaymentMethod, RecordedPaymentStatus } from '../../schemas/chat-order.ts'
import { t } from '../../texts/orders-on-demand.ts'
import { safeName } from '../shown-text.ts'

type TextId = Parameters<typeof t>[0]

const statusTexts: Record<OrderStatus | RecordedPaymentStatus, TextId> = {
  pending: 'orders.status.pending',
  confirmed: 'orders.status.confirmed',
  processing: 'orders.status.processing',
  ready: 'orders.status.ready',
  shipped: 'orders.status.shipped',
  completed: 'orders.status.completed',
  cancelled: 'orders.status.cancelled',
  rejected: 'orders.status.rejected',
  approved: 'orders.status.approved',
}

const isKnown = (status: string): status is keyof typeof statusTexts => Object.hasOwn(statusTexts, status)

/** A status in words. One of another program stays as it is; '' if there is none. */
export const statusText = (status: string | null | undefined): string =>
  status != null && isKnown(status) ? t(statusTexts[status]) : safeName(status ?? '')

/** What the button of a step says. */
export const stepTexts: Record<OrderStatus, TextId> = {
  pending: 'orders.step.pending',
  confirmed: 'orders.step.confirmed',
  processing: 'orders.step.processing',
  ready: 'orders.step.ready',
  shipped: 'orders.step.shipped',
  completed: 'orders.step.completed',
  cancelled: 'orders.step.cancelled',
  rejected: 'orders.step.rejected',
}

export const methodTexts: Record<PaymentMethod, TextId> = {
  gcash: 'orders.method.gcash',
  maya: 'orders.method.maya',
  bank: 'orders.method.bank',
  cash: 'orders.method.cash',
}

type Decision = Record<RecordedPaymentStatus, { text: TextId; name: TextId }>

/** What the button of a decision says, and its name for screen readers. */
export const decisionTexts: Decision = {
  approved: { text: 'orders.approve', name: 'orders.approveNamed' },
  rejected: { text: 'orders.reject', name: 'orders.rejectNamed' },
  pending: { text: 'orders.takeBack', name: 'orders.takeBackNamed' },
}

/** The step that usually follows comes first; the others call the order off or open it again. */
export const isUsualStep = (to: OrderStatus): boolean => to !== 'cancelled' && to !== 'rejected' && to !== 'pending'
