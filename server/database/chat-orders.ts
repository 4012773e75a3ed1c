import { sql, type Transaction } from 'kysely'
import { amountsProblem, orderAmounts } from '../../src/domain/client/order-amounts.ts'
import { nextOrderStatuses } from '../../src/domain/client/order-steps.ts'
import type { NewOrderBody, OrderStatus } from '../../src/schemas/chat-order.ts'
import { cleanText } from '../clean-text.ts'
import type { Db } from './database.ts'
import type { Tables } from './tables.ts'

type Trx = Transaction<Tables>

/** Hundredths as decimal text. */
export const unitsOf = (cents: number): string => (cents / 100).toFixed(2)

/**
 * Locks the message, so that it is not deleted meanwhile. False unless it belongs to a conversation of the client and has the
 * attachment.
 */
export async function lockMessageOf(
  trx: Trx,
  { message_id: messageId, attachment }: Pick<NewOrderBody, 'message_id' | 'attachment'>,
  clientId: string,
): Promise<boolean> {
  if (messageId === null) return attachment === null
  const found = await trx
    .selectFrom('messages')
    .innerJoin('conversations', 'conversations.primary_user_id', 'messages.primary_user_id')
    .select('message_id')
    .where('message_id', '=', messageId)
    .where('conversations.client_id', '=', clientId)
    .$if(attachment !== null, (found) =>
      found.where(sql<boolean>`jsonb_array_length(coalesce(attachments -> 'data', '[]')) > ${attachment}::integer`),
    )
    .forKeyShare('messages')
    .executeTakeFirst()
  return found !== undefined
}

export type StaffAndTime = { staffId: string; now: Date }

/** `staffId` is null for an order that no member of staff made. */
type MakerAndTime = { staffId: string | null; now: Date }

/**
 * 'made': the order is stored. 'repeated': an earlier request with this id stored the same order. 'different': it stored
 * another one.
 */
export type MadeOrder =
  | { result: 'made' | 'repeated'; orderNumber: string; total: number }
  | { result: 'different' | 'noClient' | 'noMessage' | 'discountAboveItems' | 'totalTooLarge' }

/** Makes an order once by its id. Its total is calculated here. */
export async function makeOrder(trx: Trx, body: NewOrderBody, { staffId, now }: MakerAndTime): Promise<MadeOrder> {
  const problem = amountsProblem(body)
  if (problem !== null) return { result: problem }
  const { total } = orderAmounts(body)
  // Two requests with one id take turns.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`order ${body.id}`}, 0))`.execute(trx)
  const values = {
    client_id: body.client_id,
    items: body.items.map((item) => ({
      name: cleanText(item.name),
      quantity: item.quantity,
      unit_price: item.unit_price / 100,
    })),
    total_amount: unitsOf(total),
    discount: unitsOf(body.discount),
    delivery_fee: unitsOf(body.delivery_fee),
    source_message_id: body.message_id,
    source_attachment: body.attachment,
  }
  const columns = { ...values, items: JSON.stringify(values.items) }
  const { rows } = await sql<{ order_number: string; is_same: boolean }>`
    select order_number, client_id = ${columns.client_id} and items = ${columns.items}::jsonb
        and total_amount = ${columns.total_amount}::numeric and discount = ${columns.discount}::numeric
        and delivery_fee = ${columns.delivery_fee}::numeric as is_same
    from orders where id = ${body.id}`.execute(trx)
  const [earlier] = rows
  if (earlier !== undefined)
    return earlier.is_same ? { result: 'repeated', orderNumber: earlier.order_number, total } : { result: 'different' }
  if (!(await lockMessageOf(trx, body, body.client_id))) return { result: 'noMessage' }
  const client = await trx
    .selectFrom('clients')
    .select('id')
    .where('id', '=', body.client_id)
    .where('removed_at', 'is', null)
    .forKeyShare()
    .executeTakeFirst()
  if (client === undefined) return { result: 'noClient' }
  for (;;) {
    const order_number = await nextNumber(trx)
    const made = await trx
      .insertInto('orders')
      .values({ id: body.id, order_number, status: 'pending', ...columns, created_by: staffId, created_at: now })
      // Another program may have used the number.
      .onConflict((conflict) => conflict.column('order_number').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (made !== undefined) return { result: 'made', orderNumber: order_number, total }
  }
}

async function nextNumber(trx: Trx): Promise<string> {
  const { rows } = await sql<{ number: string }>`select nextval('order_numbers')::text as number`.execute(trx)
  return `C-${(rows[0]?.number ?? '').padStart(5, '0')}`
}

/** 'same': the row has the status already. 'refused': the row has another status than `from`, or the step is not allowed. */
export type StepResult<Row> = { result: 'changed' | 'same'; row: Row } | { result: 'refused' | 'missing' }

type SteppedOrder = { client_id: string; order_number: string }

export async function changeOrderStatus(
  trx: Trx,
  id: string,
  { from, to }: { from: string; to: OrderStatus },
): Promise<StepResult<SteppedOrder>> {
  const stored = await trx
    .selectFrom('orders')
    .innerJoin('clients', 'clients.id', 'orders.client_id')
    .select(['client_id', 'order_number', 'status', 'orders.external_id'])
    .where('orders.id', '=', id)
    .where('clients.removed_at', 'is', null)
    .forUpdate('orders')
    .executeTakeFirst()
  if (stored === undefined) return { result: 'missing' }
  const { status, external_id, ...row } = stored
  if (status === to) return { result: 'same', row }
  const is_imported = external_id !== null
  if (status !== from || !nextOrderStatuses({ status, is_imported }).includes(to)) return { result: 'refused' }
  await trx.updateTable('orders').set({ status: to }).where('id', '=', id).execute()
  return { result: 'changed', row }
}

/** An order with its payments and the messages that they came from; undefined if there is none. */
export async function findOrderDetails(db: Db, id: string) {
  const order = await db
    .selectFrom('orders')
    .innerJoin('clients', 'clients.id', 'orders.client_id')
    .where('clients.removed_at', 'is', null)
    .leftJoin('staff', 'staff.id', 'orders.created_by')
    .selectAll('orders')
    .select('staff.name as created_by_name')
    .where('orders.id', '=', id)
    .executeTakeFirst()
  if (order === undefined) return undefined
  const payments = await db
    .selectFrom('payments')
    .leftJoin('staff as recorder', 'recorder.id', 'payments.recorded_by')
    .leftJoin('staff as decider', 'decider.id', 'payments.decided_by')
    .select([
      'payments.id',
      'payments.amount',
      'payments.status',
      'payments.created_at',
      'payments.method',
      'payments.reference',
      'payments.source_message_id',
      'payments.source_attachment',
      'payments.external_id',
      'recorder.name as recorded_by_name',
      'decider.name as decided_by_name',
    ])
    .where('payments.order_id', '=', id)
    .orderBy('payments.created_at')
    .orderBy('payments.id')
    .execute()
  return { order, payments }
}
