import type { NewOrderBody, NewPayment, OrderStatus, RecordedPaymentStatus } from '../../schemas/chat-order.ts'
import type { ProductBody } from '../../schemas/product.ts'

/** `id` is null for a new product. */
export type ProductToSave = { id: string | null; body: ProductBody }

export type OrderToMake = NewOrderBody

export type PaymentToRecord = { orderId: string; body: NewPayment }

/** A step of an order or of one of its payments. `from` is the status that the person saw. */
export type OrderChange =
  | { kind: 'order'; from: string; to: OrderStatus }
  | { kind: 'payment'; paymentId: string; from: RecordedPaymentStatus; to: RecordedPaymentStatus }
