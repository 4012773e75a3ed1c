import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import type { AuditAction, AuditDetails } from '../../src/schemas/audit.ts'
import {
  doubleReference,
  newOrderBody,
  newPaymentBody,
  orderDetails,
  orderDetailsAnswer,
  orderStatusBody,
  paymentStatusBody,
} from '../../src/schemas/chat-order.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Clock } from '../clock.ts'
import { changeOrderStatus, findOrderDetails, makeOrder } from '../database/chat-orders.ts'
import type { Db } from '../database/database.ts'
import { changePaymentStatus, recordPayment } from '../database/recorded-payments.ts'
import { findMessages } from '../database/thread.ts'
import { inTransaction } from '../database/transaction.ts'
import { retryRowsThatWait } from '../database/waiting-rows.ts'
import { described, refuse, valid } from './answers.ts'
import { toApiMessage } from './api-message.ts'
import { type Authenticated, requirePermission } from './authentication.ts'

const tag = 'Clients and orders'
const shortId = z.string().check(z.maxLength(200))
const byId = z.object({ id: shortId })
const byPayment = z.object({ id: shortId, paymentId: shortId })

const unknownOrder = 'Order not found'
const changedMeanwhile = 'Somebody changed this meanwhile, or another program keeps it. Look at it once more.'

const doubleText = (orderNumber: string) => `A payment of order ${orderNumber} has the same method and reference`

const orderProblems = {
  different: [409, 'This order was made already, with other values. Close the form and look at the order.'],
  noClient: [422, 'There is no such client'],
  noMessage: [422, 'The message does not belong to this client'],
  discountAboveItems: [422, 'The discount is higher than the sum of the items'],
  totalTooLarge: [422, 'The total is too large'],
} as const

/** Orders and payments that staff make from a conversation (feature 'chat-orders'), to be mounted at /api/orders. */
export const createChatOrderRoutes = ({ db, clock }: { db: Db; clock: Pick<Clock, 'now'> }) => {
  const byOf = (c: Context<Authenticated>) => ({ staffId: c.get('staff').id, now: new Date(clock.now()) })

  /** Names the client, so that an erasure of the client finds the entry. */
  const record = (trx: Db, c: Context<Authenticated>, action: AuditAction, clientId: string, details: AuditDetails) =>
    recordAudit(trx, { at: clock.now(), by: c.get('actor'), action, row: { kind: 'client', id: clientId }, details })

  /** Answers with the order as it is now. Messages are shown to those who may read conversations. */
  async function answerWith(c: Context<Authenticated>, id: string) {
    const found = await findOrderDetails(db, id)
    if (found === undefined) return refuse(c, 404, unknownOrder)
    const { order, payments } = found
    const linked = [order, ...payments].flatMap(({ source_message_id }) => source_message_id ?? [])
    const mayRead = c.get('staff').permissions.includes('conversations.read')
    const messages = mayRead && linked.length > 0 ? await findMessages(db, linked) : []
    const data = orderDetails.parse({
      ...order,
      created_at: order.created_at.toISOString(),
      message_id: order.source_message_id,
      attachment: order.source_attachment,
      is_imported: order.external_id !== null,
      payments: payments.map(({ external_id, source_message_id, source_attachment, created_at, ...payment }) => ({
        ...payment,
        created_at: created_at.toISOString(),
        message_id: source_message_id,
        attachment: source_attachment,
        is_imported: external_id !== null,
      })),
      messages: messages.map(toApiMessage),
    })
    return c.json({ success: true, data } satisfies z.infer<typeof orderDetailsAnswer>)
  }

  return new Hono<Authenticated>()
    .post(
      '/',
      described({
        tag,
        takesBody: true,
        summary: 'Make an order from a conversation; idempotent by its id, and the total is calculated by the server',
        answer: orderDetailsAnswer,
        refusals: {
          409: 'The id is that of another order',
          422: 'There is no such client, the message is not of the client, or the amounts are not possible',
        },
      }),
      requirePermission('orders.manage'),
      valid('json', newOrderBody),
      async (c) => {
        const body = c.req.valid('json')
        const made = await inTransaction(db, async (trx) => {
          const result = await makeOrder(trx, body, byOf(c))
          if (result.result === 'made') {
            const details = { order: result.orderNumber, total: result.total / 100 }
            await record(trx, c, 'order.created', body.client_id, details)
            // A file may name the order by its number.
            await retryRowsThatWait(trx, ['payments'])
          }
          return result.result
        })
        if (made === 'made' || made === 'repeated') return answerWith(c, body.id)
        const [status, text] = orderProblems[made]
        return refuse(c, status, text)
      },
    )
    .get(
      '/:id',
      described({
        tag,
        summary: 'An order with its items, its payments and the messages that they came from',
        answer: orderDetailsAnswer,
        refusals: { 404: 'There is no such order' },
      }),
      requirePermission('orders.read'),
      valid('param', byId),
      (c) => answerWith(c, c.req.valid('param').id),
    )
    .put(
      '/:id/status',
      described({
        tag,
        takesBody: true,
        summary: 'Change the status of an order by an allowed step; idempotent',
        answer: orderDetailsAnswer,
        refusals: { 404: 'There is no such order', 409: 'The order has another status, or the step is not allowed' },
      }),
      requirePermission('orders.manage'),
      valid('param', byId),
      valid('json', orderStatusBody),
      async (c) => {
        const { id } = c.req.valid('param')
        const { from, to } = c.req.valid('json')
        const step = await inTransaction(db, async (trx) => {
          const changed = await changeOrderStatus(trx, id, { from, to })
          if (changed.result === 'changed') {
            const { client_id, order_number } = changed.row
            await record(trx, c, 'order.status-changed', client_id, { order: order_number, before: from, after: to })
          }
          return changed.result
        })
        return step === 'refused' ? refuse(c, 409, changedMeanwhile) : answerWith(c, id)
      },
    )
    .post(
      '/:id/payments',
      described({
        tag,
        takesBody: true,
        summary: 'Record a payment that waits for approval; idempotent by its id',
        answer: orderDetailsAnswer,
        refusals: {
          404: 'There is no such order',
          409: `The id is that of another payment, or (code ${doubleReference}) another payment has the reference`,
          422: 'The message is not of the client',
        },
      }),
      requirePermission('orders.manage'),
      valid('param', byId),
      valid('json', newPaymentBody),
      async (c) => {
        const { id } = c.req.valid('param')
        const body = c.req.valid('json')
        const recorded = await inTransaction(db, async (trx) => {
          const result = await recordPayment(trx, id, body, byOf(c))
          if (result.result === 'recorded') {
            const { method, amount } = body
            const details = { order: result.orderNumber, amount: amount / 100, method }
            await record(trx, c, 'payment.recorded', result.clientId, details)
          }
          return result
        })
        switch (recorded.result) {
          case 'double':
            return refuse(c, 409, doubleText(recorded.orderNumber), doubleReference)
          case 'different':
            return refuse(c, 409, 'This payment was recorded already, with other values. Look at the order.')
          case 'noMessage':
            return refuse(c, 422, orderProblems.noMessage[1])
          default:
            return answerWith(c, id)
        }
      },
    )
    .put(
      '/:id/payments/:paymentId/status',
      described({
        tag,
        takesBody: true,
        summary: 'Approve or reject a payment, or take the decision back; idempotent',
        answer: orderDetailsAnswer,
        refusals: {
          404: 'There is no such payment',
          409: 'The payment has another status, the step is not allowed, or another payment has the reference of a rejected one',
        },
      }),
      requirePermission('payments.approve'),
      valid('param', byPayment),
      valid('json', paymentStatusBody),
      async (c) => {
        const { id: orderId, paymentId } = c.req.valid('param')
        const { from, to } = c.req.valid('json')
        const step = await inTransaction(db, async (trx) => {
          const changed = await changePaymentStatus(trx, { orderId, paymentId, from, to }, byOf(c))
          if (changed.result === 'changed') {
            const { client_id, order_number, amount } = changed.row
            const details = { order: order_number, amount: Number(amount), before: from, after: to }
            await record(trx, c, 'payment.status-changed', client_id, details)
          }
          return changed
        })
        switch (step.result) {
          case 'missing':
            return refuse(c, 404, 'Payment not found')
          case 'refused':
            return refuse(c, 409, changedMeanwhile)
          case 'double':
            return refuse(c, 409, `${doubleText(step.orderNumber)}. To count both, record this payment once more.`)
          default:
            return answerWith(c, orderId)
        }
      },
    )
}
