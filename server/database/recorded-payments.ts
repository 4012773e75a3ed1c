import { sql, type Transaction } from 'kysely'
import { nextPaymentStatuses } from '../../src/domain/client/order-steps.ts'
import type { NewPayment, RecordedPaymentStatus } from '../../src/schemas/chat-order.ts'
import { cleanText } from '../clean-text.ts'
import { type By, lockMessageOf, type Step, unitsOf } from './chat-orders.ts'
import type { Tables } from './tables.ts'

type Trx = Transaction<Tables>

/** The form in which references are compared: without case, spaces and punctuation. Null if nothing is left. */
export const referenceKey = (reference: string | null): string | null =>
  (reference ?? '')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '') || null

/** 'double': another payment that was not rejected has the method and the reference. */
export type RecordedPayment =
  | { result: 'recorded' | 'repeated'; clientId: string; orderNumber: string }
  | { result: 'double'; orderNumber: string }
  | { result: 'different' | 'noOrder' | 'noMessage' }

/** Records a pending payment of an order once by its id. */
export async function recordPayment(
  trx: Trx,
  orderId: string,
  body: NewPayment,
  { staffId, now }: By,
): Promise<RecordedPayment> {
  const order = await trx
    .selectFrom('orders')
    .select(['client_id as clientId', 'order_number as orderNumber'])
    .where('id', '=', orderId)
    .executeTakeFirst()
  if (order === undefined) return { result: 'noOrder' }
  if (!(await lockMessageOf(trx, body.message_id, order.clientId))) return { result: 'noMessage' }
  const key = referenceKey(body.reference)
  // Two requests with one id take turns, and so do two payments with one reference.
  const locks = [`payment ${body.id}`, ...(key === null ? [] : [`payment reference ${body.method} ${key}`])]
  for (const lock of locks) await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(trx)
  const { rows } = await sql<{ is_same: boolean }>`
    select order_id = ${orderId} and amount = ${unitsOf(body.amount)}::numeric and method = ${body.method}
        and reference_key is not distinct from ${key}::text as is_same
    from payments where id = ${body.id}`.execute(trx)
  const [earlier] = rows
  if (earlier !== undefined) return earlier.is_same ? { result: 'repeated', ...order } : { result: 'different' }
  if (key !== null && !body.accepts_double) {
    const double = await trx
      .selectFrom('payments')
      .innerJoin('orders', 'orders.id', 'payments.order_id')
      .select('order_number as orderNumber')
      .where('method', '=', body.method)
      .where('reference_key', '=', key)
      .where('payments.status', '<>', 'rejected')
      .limit(1)
      .executeTakeFirst()
    if (double !== undefined) return { result: 'double', ...double }
  }
  await trx
    .insertInto('payments')
    .values({
      id: body.id,
      order_id: orderId,
      amount: unitsOf(body.amount),
      status: 'pending',
      method: body.method,
      reference: body.reference === null ? null : cleanText(body.reference),
      reference_key: key,
      source_message_id: body.message_id,
      recorded_by: staffId,
      created_at: now,
    })
    .execute()
  return { result: 'recorded', ...order }
}

/** Approves or rejects a payment, or takes the decision back. */
export async function changePaymentStatus(
  trx: Trx,
  {
    orderId,
    paymentId,
    from,
    to,
  }: {
    orderId: string
    paymentId: string
    from: RecordedPaymentStatus
    to: RecordedPaymentStatus
  },
  { staffId, now }: By,
): Promise<Step<{ client_id: string; order_number: string; amount: string }>> {
  const stored = await trx
    .selectFrom('payments')
    .innerJoin('orders', 'orders.id', 'payments.order_id')
    .select(['client_id', 'order_number', 'amount', 'payments.status', 'payments.external_id'])
    .where('payments.id', '=', paymentId)
    .where('order_id', '=', orderId)
    .forUpdate('payments')
    .executeTakeFirst()
  if (stored === undefined) return { result: 'missing' }
  const { status, external_id, ...row } = stored
  if (status === to) return { result: 'same', row }
  const is_imported = external_id !== null
  if (status !== from || !nextPaymentStatuses({ status, is_imported }).includes(to)) return { result: 'refused' }
  const decision = to === 'pending' ? { decided_by: null, decided_at: null } : { decided_by: staffId, decided_at: now }
  await trx
    .updateTable('payments')
    .set({ status: to, ...decision })
    .where('id', '=', paymentId)
    .execute()
  return { result: 'changed', row }
}
