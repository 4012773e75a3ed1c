import { limits } from '../../src/domain/limits.ts'
import { type Order, type OrdersQuery, order, type Payment, payment } from '../../src/schemas/order.ts'
import type { Db } from './database.ts'

type Asked = Pick<OrdersQuery, 'client_id' | 'limit' | 'sort_by' | 'sort_order'> & {
  withPayments: boolean
  withItems: boolean
}

/** Orders, of one client or of all, in the order that is asked for (spec section 7, GET /orders). */
export async function listOrders(db: Db, asked: Asked): Promise<Order[]> {
  const all = db.selectFrom('orders').selectAll()
  const rows = await (asked.client_id === undefined ? all : all.where('client_id', '=', asked.client_id))
    .orderBy(asked.sort_by, asked.sort_order)
    .orderBy('id', asked.sort_order)
    .limit(asked.limit)
    .execute()
  const payments = asked.withPayments
    ? await paymentsOf(
        db,
        rows.map(({ id }) => id),
      )
    : undefined
  return rows.map(({ items, created_at, ...row }) =>
    order.parse({
      ...row,
      created_at: created_at.toISOString(),
      ...(payments === undefined ? {} : { payments: payments.get(row.id) ?? [] }),
      ...(asked.withItems ? { items } : {}),
    }),
  )
}

/** A client's orders, newest first, each with its payments and items; as many as are added up (spec section 9). */
export const listOrdersOfClient = (db: Db, clientId: string): Promise<Order[]> =>
  listOrders(db, {
    client_id: clientId,
    limit: limits.clientOrders,
    sort_by: 'created_at',
    sort_order: 'desc',
    withPayments: true,
    withItems: true,
  })

/** The payments of an order, the first made first; null when there is no such order. */
export async function listPayments(db: Db, orderId: string): Promise<Payment[] | null> {
  const known = await db.selectFrom('orders').select('id').where('id', '=', orderId).executeTakeFirst()
  return known === undefined ? null : ((await paymentsOf(db, [orderId])).get(orderId) ?? [])
}

async function paymentsOf(db: Db, orderIds: string[]): Promise<Map<string, Payment[]>> {
  if (orderIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('payments')
    .select(['id', 'order_id', 'amount', 'status', 'created_at'])
    .where('order_id', 'in', orderIds)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const byOrder = Map.groupBy(rows, ({ order_id }) => order_id)
  return new Map(
    [...byOrder].map(([orderId, made]) => [
      orderId,
      made.map(({ order_id, created_at, ...row }) => payment.parse({ ...row, created_at: created_at.toISOString() })),
    ]),
  )
}
