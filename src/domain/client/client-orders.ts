import type { Order, Payment } from '../../schemas/order.ts'
import { safeName } from '../shown-text.ts'
import { countedPaymentsOf } from './orders.ts'

/** The name of a shop and the number of its order, for example "shop #1003". */
const shopNumber = /^[^#]+ #[^#\s]+$/

/** The order's name as shown to staff. The number of a shop's order has its # after the name of the shop. */
export function orderNameOf({ id, order_number }: Order): string {
  const number = safeName(order_number ?? '') || id
  return shopNumber.test(number) ? number : `#${number}`
}

/** Whether a payment counts towards its order. */
export const isCounted = (payment: Payment): boolean => countedPaymentsOf({ payments: [payment] }).length > 0

export type ClientPayment = { key: string; order: Order; payment: Payment }

/** All payments of a client, newest first. Payments without a date come last. */
export const paymentsOf = (orders: readonly Order[]): ClientPayment[] =>
  orders
    .flatMap((order) =>
      (order.payments ?? []).map((payment, index) => ({ key: `${order.id}:${payment.id ?? index}`, order, payment })),
    )
    .toSorted((one, other) => madeAt(other.payment) - madeAt(one.payment))

const madeAt = ({ created_at }: Payment): number => (created_at == null ? 0 : Date.parse(created_at))
