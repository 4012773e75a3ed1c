import * as z from 'zod/mini'
import type { OrderChange, OrderToMake, PaymentToRecord, ProductToSave } from '../../domain/client/chat-order-calls.ts'
import { type OrderDetails, orderDetails, recordedPayment } from '../../schemas/chat-order.ts'
import { message } from '../../schemas/message.ts'
import { answerOf, successAnswer } from '../../schemas/primitives.ts'
import { type Product, product } from '../../schemas/product.ts'
import { type Http, rows } from '../http.ts'

const orderPath = (id: string) => `/orders/${encodeURIComponent(id)}`
const productPath = (id: string) => `/products/${encodeURIComponent(id)}`

/** The calls of products, orders and payments (feature 'chat-orders'). All throw `Failure`. Changes are never aborted. */
export function createChatOrders(http: Http, log: { warn: (text: string) => void }) {
  const listAnswer = answerOf(rows(product, log, 'products'))
  const orderAnswer = answerOf(
    z.extend(orderDetails, {
      payments: rows(recordedPayment, log, 'payments'),
      messages: rows(message, log, 'messages'),
    }),
  )

  const sendChange = (orderId: string, change: OrderChange) => {
    const body = { from: change.from, to: change.to }
    const schema = orderAnswer
    if (change.kind === 'order') return http.put(`${orderPath(orderId)}/status`, { schema, body })
    return http.put(`${orderPath(orderId)}/payments/${encodeURIComponent(change.paymentId)}/status`, { schema, body })
  }

  return {
    loadProducts: async (signal: AbortSignal): Promise<readonly Product[]> =>
      (await http.get('/products', { schema: listAnswer, signal })).data,

    /** A null id creates a new product. */
    saveProduct: async ({ id, body }: ProductToSave): Promise<void> => {
      if (id === null) await http.post('/products', { schema: successAnswer, body })
      else await http.put(productPath(id), { schema: successAnswer, body })
    },

    deleteProduct: async ({ id }: { id: string }): Promise<void> => {
      await http.delete(productPath(id), { schema: successAnswer })
    },

    /** The same order again is made once. */
    makeOrder: async (body: OrderToMake): Promise<void> => {
      await http.post('/orders', { schema: successAnswer, body })
    },

    loadOrder: async ({ orderId }: { orderId: string }, signal: AbortSignal): Promise<OrderDetails> =>
      (await http.get(orderPath(orderId), { schema: orderAnswer, signal })).data,

    /** Throws a Failure with status 409 if somebody changed the status meanwhile. */
    changeOrder: async ({ orderId, change }: { orderId: string; change: OrderChange }): Promise<OrderDetails> =>
      (await sendChange(orderId, change)).data,

    /** Throws a Failure with the code `doubleReference` if another payment has the method and the reference. */
    recordPayment: async ({ orderId, body }: PaymentToRecord): Promise<void> => {
      await http.post(`${orderPath(orderId)}/payments`, { schema: successAnswer, body })
    },
  }
}
