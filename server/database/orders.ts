import { limits } from '../../src/domain/limits.ts'
import { type Order, type OrdersQuery, order, type Payment, payment } from '../../src/schemas/order.ts'
import type { Db } from './database.ts'

type OrderQuery = Pick<OrdersQuery, 'client_id' | 'limit' | 'sort_by' | 'sort_order'> & {
  withPayments: boolean
  withItems: boolean
}

/** Orders of one client or of all (spec section 7, GET /orders). */
export async function listOrders(db: Db, query: OrderQuery): Promise<Order[]> {
  const all = db
    .selectFrom('orders')
    .innerJoin('clients', 'clients.id', 'orders.client_id')
    .where('clients.removed_at', 'is', null)
    .selectAll('orders')
  const rows = await (query.client_id === undefined ? all : all.where('orders.client_id', '=', query.client_id))
    .orderBy(`orders.${query.sort_by}`, query.sort_order)
    .orderBy('orders.id', query.sort_order)
    .limit(query.limit)
    .execute()
  const payments = query.withPayments
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
      ...(query.withItems ? { items } : {}),
    }),
  )
}

/** A client's newest orders with payments and items, limited as in spec section 9. */
export const listOrdersOfClient = (db: Db, clientId: string): Promise<Order[]> =>
  listOrders(db, {
    client_id: clientId,
    limit: limits.clientOrders,
    sort_by: 'created_at',
    sort_order: 'desc',
    withPayments: true,
    withItems: true,
  })

/** The payments of an order, oldest first; null if there is no such order. */
export async function listPayments(db: Db, orderId: string): Promise<Payment[] | null> {
  const existing = await db
    .selectFrom('orders')
    .innerJoin('clients', 'clients.id', 'orders.client_id')
    .select('orders.id')
    .where('orders.id', '=', orderId)
    .where('clients.removed_at', 'is', null)
    .executeTakeFirst()
  return existing === undefined ? null : ((await paymentsOf(db, [orderId])).get(orderId) ?? [])
}

async function paymentsOf(db: Db, orderIds: string[]): Promise<Map<string, Payment[]>> {
  if (orderIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('payments')
    .select(['id', 'order_id', 'amount', 'status', 'created_at', 'external_id'])
    .where('order_id', 'in', orderIds)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const byOrder = Map.groupBy(rows, ({ order_id }) => order_id)
  return new Map(
    [...byOrder].map(([orderId, made]) => [
      orderId,
      made.map(({ order_id, created_at, external_id, ...row }) =>
        payment.parse({ ...row, created_at: created_at.toISOString(), is_imported: external_id !== null }),
      ),
    ]),
  )
}
