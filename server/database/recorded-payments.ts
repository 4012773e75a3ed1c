import { sql, type Transaction } from 'kysely'
import { nextPaymentStatuses } from '../../src/domain/client/order-steps.ts'
import type { NewPayment, RecordedPaymentStatus } from '../../src/schemas/chat-order.ts'
import { cleanText } from '../clean-text.ts'
import { lockMessageOf, type StaffAndTime, type StepResult, unitsOf } from './chat-orders.ts'
import type { Tables } from './tables.ts'

type Trx = Transaction<Tables>

/** The form in which references are compared: without case, spaces and punctuation. Null if nothing is left. */
export const referenceKey = (reference: string | null): string | null =>
  (reference ?? '')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '') || null

type Reference = Pick<NewPayment, 'method'> & { key: string }

const lock = (trx: Trx, name: string) => sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx)

const referenceLock = ({ method, key }: Reference) => `payment reference ${method} ${key}`

/** The order of a payment that was not rejected and has the method and the reference; undefined if there is none. */
const findDouble = (trx: Trx, { method, key }: Reference) =>
  trx
    .selectFrom('payments')
    .innerJoin('orders', 'orders.id', 'payments.order_id')
    .select('order_number as orderNumber')
    .where('method', '=', method)
    .where('reference_key', '=', key)
    .where('payments.status', '<>', 'rejected')
    .limit(1)
    .executeTakeFirst()

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
  { staffId, now }: StaffAndTime,
): Promise<RecordedPayment> {
  const order = await trx
    .selectFrom('orders')
    .innerJoin('clients', 'clients.id', 'orders.client_id')
    .select(['client_id as clientId', 'order_number as orderNumber'])
    .where('orders.id', '=', orderId)
    .where('clients.removed_at', 'is', null)
    .executeTakeFirst()
  if (order === undefined) return { result: 'noOrder' }
  const { method } = body
  const key = referenceKey(body.reference)
  // Two requests with one id take turns, and so do two payments with one reference.
  await lock(trx, `payment ${body.id}`)
  if (key !== null) await lock(trx, referenceLock({ method, key }))
  const { rows } = await sql<{ is_same: boolean }>`
    select order_id = ${orderId} and amount = ${unitsOf(body.amount)}::numeric and method = ${body.method}
        and reference_key is not distinct from ${key}::text as is_same
    from payments where id = ${body.id}`.execute(trx)
  const [earlier] = rows
  if (earlier !== undefined) return earlier.is_same ? { result: 'repeated', ...order } : { result: 'different' }
  if (!(await lockMessageOf(trx, body, order.clientId))) return { result: 'noMessage' }
  if (key !== null && !body.accepts_double) {
    const double = await findDouble(trx, { method, key })
    if (double !== undefined) return { result: 'double', ...double }
  }
  await trx
    .insertInto('payments')
    .values({
      id: body.id,
      order_id: orderId,
      amount: unitsOf(body.amount),
      status: 'pending',
      method,
      reference: body.reference === null ? null : cleanText(body.reference),
      reference_key: key,
      source_message_id: body.message_id,
      source_attachment: body.attachment,
      recorded_by: staffId,
      created_at: now,
    })
    .execute()
  return { result: 'recorded', ...order }
}

/** The reference of a rejected payment, locked; undefined if the payment is not rejected or has no reference. */
async function lockRejectedReference(trx: Trx, paymentId: string): Promise<Reference | undefined> {
  const stored = await trx
    .selectFrom('payments')
    .select(['method', 'reference_key as key', 'status'])
    .where('id', '=', paymentId)
    .executeTakeFirst()
  if (stored?.status !== 'rejected' || stored.method === null || stored.key === null) return undefined
  const reference = { method: stored.method, key: stored.key }
  await lock(trx, referenceLock(reference))
  return reference
}

type SteppedPayment = StepResult<{ client_id: string; order_number: string; amount: string }>

/**
 * Approves or rejects a payment, or takes the decision back. 'double': a rejected payment stays rejected, because another
 * payment has its method and reference.
 */
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
  { staffId, now }: StaffAndTime,
): Promise<SteppedPayment | { result: 'double'; orderNumber: string }> {
  // As in `recordPayment`, the lock of the reference comes before those of rows.
  const reference = to === 'pending' ? await lockRejectedReference(trx, paymentId) : undefined
  const stored = await trx
    .selectFrom('payments')
    .innerJoin('orders', 'orders.id', 'payments.order_id')
    .innerJoin('clients', 'clients.id', 'orders.client_id')
    .where('clients.removed_at', 'is', null)
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
  const double = reference === undefined ? undefined : await findDouble(trx, reference)
  if (double !== undefined) return { result: 'double', ...double }
  const decision = to === 'pending' ? { decided_by: null, decided_at: null } : { decided_by: staffId, decided_at: now }
  await trx
    .updateTable('payments')
    .set({ status: to, ...decision })
    .where('id', '=', paymentId)
    .execute()
  return { result: 'changed', row }
}
