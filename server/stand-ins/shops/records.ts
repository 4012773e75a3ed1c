import { sql } from 'kysely'
import type { ShopKind, ShopPhase } from '../../../src/schemas/shop.ts'
import type { Clock } from '../../clock.ts'
import type { StandInCustomer, StandInDb, StandInOrder, StandInRow } from './tables.ts'

const firstNames = ['Tala', 'Ben', 'Luz', 'Carlo', 'Maya', 'Jun', 'Rosa', 'Nilo', 'Ines', 'Paolo']
const lastNames = ['Bituin', 'Cruz', 'Santos', 'Dela Rosa', 'Aquino', 'Ramos', 'Garcia', 'Mendoza']
const products = [
  { name: 'Tarpaulin 3 × 6 ft', price: 45_000 },
  { name: 'Mug, printed', price: 18_500 },
  { name: 'Sticker sheet', price: 9_900 },
  { name: 'Calling cards, 100', price: 35_000 },
]
const hour = 60 * 60_000

export type StandInRecords = ReturnType<typeof createStandInRecords>

/** The customers and orders of the stand-ins. `onChanged` is called after a row was made or changed. */
export function createStandInRecords({
  db,
  clock,
  currency,
  onChanged,
}: {
  db: StandInDb
  clock: Pick<Clock, 'now'>
  currency: string
  onChanged: (shop: ShopKind, phase: ShopPhase, id: number, isNew: boolean) => Promise<void>
}) {
  const insert = (
    shop: ShopKind,
    kind: ShopPhase,
    rows: readonly { id: number; data: StandInCustomer | StandInOrder; at: Date }[],
  ) =>
    db
      .insertInto('sandbox.shop_rows')
      .values(rows.map(({ id, data, at }) => ({ shop, kind, id, data: JSON.stringify(data), updated_at: at })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()

  async function nextId(shop: ShopKind, kind: ShopPhase): Promise<number> {
    const row = await db
      .selectFrom('sandbox.shop_rows')
      .select(sql<number>`coalesce(max(id), 1000)::integer + 1`.as('id'))
      .where('shop', '=', shop)
      .where('kind', '=', kind)
      .executeTakeFirstOrThrow()
    return row.id
  }

  async function find<Data>(shop: ShopKind, kind: ShopPhase, id: number): Promise<StandInRow<Data> | null> {
    const row = await db
      .selectFrom('sandbox.shop_rows')
      .select(['id', 'data', 'updated_at'])
      .where('shop', '=', shop)
      .where('kind', '=', kind)
      .where('id', '=', id)
      .executeTakeFirst()
    return row === undefined ? null : { ...row, id: Number(row.id), data: row.data as Data }
  }

  return {
    find,

    /** Fills an empty stand-in: customers, and three orders for each, of which one in ten is of a guest. */
    async seed(shop: ShopKind, customers: number): Promise<void> {
      const known = await db.selectFrom('sandbox.shop_rows').select('id').where('shop', '=', shop).limit(1).execute()
      if (known.length > 0) return
      const now = clock.now()
      const people = Array.from({ length: customers }, (_, index) => customerAt(shop, index))
      await insert(
        shop,
        'customers',
        people.map((data, index) => ({ id: 1001 + index, data, at: new Date(now - (customers - index) * 24 * hour) })),
      )
      await insert(
        shop,
        'orders',
        Array.from({ length: customers * 3 }, (_, number) => {
          const index = Math.floor(number / 3)
          const at = new Date(now - (customers * 3 - number) * 6 * hour)
          const data =
            number % 10 === 9
              ? orderAt(number, null, guestAt(shop, number), currency, at)
              : orderAt(number, 1001 + index, people[index] ?? null, currency, at)
          return { id: 1001 + number, data, at }
        }),
      )
    },

    async addCustomer(shop: ShopKind, customer: StandInCustomer): Promise<number> {
      const id = await nextId(shop, 'customers')
      await insert(shop, 'customers', [{ id, data: customer, at: new Date(clock.now()) }])
      await onChanged(shop, 'customers', id, true)
      return id
    },

    /** Makes an order of the customer, or of a guest. */
    async addOrder(shop: ShopKind, order: Partial<StandInOrder>): Promise<number> {
      const id = await nextId(shop, 'orders')
      const at = new Date(clock.now())
      const customer = order.customer == null ? null : await find<StandInCustomer>(shop, 'customers', order.customer)
      const made = orderAt(id, order.customer ?? null, order.buyer ?? customer?.data ?? null, currency, at)
      await insert(shop, 'orders', [
        { id, data: { ...made, state: 'open', refunded: 0, ...order, buyer: made.buyer }, at },
      ])
      await onChanged(shop, 'orders', id, true)
      return id
    },

    /** False if there is no such row. */
    async change(shop: ShopKind, kind: ShopPhase, id: number, values: object): Promise<boolean> {
      const changed = await db
        .updateTable('sandbox.shop_rows')
        .set({ data: sql`data || ${JSON.stringify(values)}::jsonb`, updated_at: new Date(clock.now()) })
        .where('shop', '=', shop)
        .where('kind', '=', kind)
        .where('id', '=', id)
        .returning('id')
        .executeTakeFirst()
      if (changed !== undefined) await onChanged(shop, kind, id, false)
      return changed !== undefined
    },

    async remove(shop: ShopKind, kind: ShopPhase, id: number): Promise<void> {
      await db
        .deleteFrom('sandbox.shop_rows')
        .where('shop', '=', shop)
        .where('kind', '=', kind)
        .where('id', '=', id)
        .execute()
    },

    /** Rows by id, after an id or after a number of rows; only those that changed since `since`. */
    async list<Data>(
      shop: ShopKind,
      kind: ShopPhase,
      { limit, offset = 0, after = 0, since }: { limit: number; offset?: number; after?: number; since: Date | null },
    ): Promise<StandInRow<Data>[]> {
      let found = db
        .selectFrom('sandbox.shop_rows')
        .select(['id', 'data', 'updated_at'])
        .where('shop', '=', shop)
        .where('kind', '=', kind)
        .where('id', '>', after)
      if (since !== null) found = found.where('updated_at', '>=', since)
      const rows = await found.orderBy('id').offset(offset).limit(limit).execute()
      return rows.map((row) => ({ ...row, id: Number(row.id), data: row.data as Data }))
    },

    async count(shop: ShopKind, kind: ShopPhase, since: Date | null): Promise<number> {
      let found = db
        .selectFrom('sandbox.shop_rows')
        .select(sql<number>`count(*)::integer`.as('count'))
        .where('shop', '=', shop)
        .where('kind', '=', kind)
      if (since !== null) found = found.where('updated_at', '>=', since)
      return (await found.executeTakeFirstOrThrow()).count
    },
  }
}

const customerAt = (shop: ShopKind, index: number): StandInCustomer => {
  const firstName = firstNames[index % firstNames.length] ?? ''
  const lastName = lastNames[Math.floor(index / firstNames.length) % lastNames.length] ?? ''
  return {
    firstName,
    lastName,
    email: `${firstName}.${lastName}.${index}@${shop}.example`.toLowerCase().replaceAll(' ', '-'),
    phone: `+63917${String(shop === 'shopify' ? 1_000_000 + index : 2_000_000 + index)}`,
    company: index % 4 === 0 ? `${lastName} Trading` : '',
  }
}

const guestAt = (shop: ShopKind, index: number): StandInCustomer => ({
  ...customerAt(shop, index),
  email: `guest.${index}@${shop}.example`,
  phone: '',
  company: '',
})

const states: readonly StandInOrder['state'][] = ['paid', 'fulfilled', 'open', 'fulfilled', 'cancelled', 'paid']

function orderAt(
  index: number,
  customer: number | null,
  buyer: StandInCustomer | null,
  currency: string,
  at: Date,
): StandInOrder {
  const [first = { name: '', price: 0 }, second = first] = [
    products[index % products.length],
    products[(index + 1) % products.length],
  ]
  const state = states[index % states.length] ?? 'open'
  return {
    customer,
    buyer,
    currency,
    items: [
      { ...first, quantity: 1 + (index % 3) },
      { ...second, quantity: 1 },
    ],
    state,
    // Some orders were given back in part.
    refunded: state === 'fulfilled' && index % 12 === 1 ? second.price : 0,
    createdAt: at.toISOString(),
  }
}

/** In cents. */
export const totalOf = ({ items }: StandInOrder): number =>
  items.reduce((sum, { quantity, price }) => sum + quantity * price, 0)
