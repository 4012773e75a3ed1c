import type { Db } from '../../database/database.ts'
import { linkClient, mergeConversations } from '../../database/groups.ts'
import { seedFaq } from './faq.ts'
import { createRandom, type Random } from './random.ts'
import type { SandboxTables } from './tables.ts'
import { invent } from './texts.ts'

const seed = 7_301_922
const day = 24 * 60 * 60 * 1000

/** Prices in hundredths. */
const products = [
  { external_id: 'TARP-2X3', name: 'Tarpaulin 2 × 3 ft', price: 18_000 },
  { external_id: 'TARP-3X6', name: 'Tarpaulin 3 × 6 ft', price: 54_000 },
  { external_id: 'MUG-11', name: 'Printed mug 11 oz', price: 12_000 },
  { external_id: 'SHIRT-M', name: 'Printed shirt, medium', price: 28_050 },
  { external_id: 'STICKER-A4', name: 'Sticker sheet A4', price: 4_500 },
  { external_id: 'PANSIT-L', name: 'Pansit bilao, large', price: 85_000 },
  { external_id: 'LUMPIA-50', name: 'Lumpia, 50 pieces', price: 45_000 },
]

type Human = { key: string; first: string; last: string; fbUserIds: string[] }

/**
 * Creates the business's own data, which the network does not have: FAQ entries, products, and clients with orders and payments for
 * about half of the people and for some who never wrote. Merges most people who write to several pages, as staff would
 * have done. Does nothing if there are clients already.
 */
export async function seedBusiness(db: Db, now: number): Promise<void> {
  const any = await db.selectFrom('clients').select('id').limit(1).executeTakeFirst()
  if (any) return
  const random = createRandom(seed)
  const humans = await readHumans(db)

  const known = new Set(humans.filter(() => random.chance(0.5)).map(({ key }) => key))
  for (const { key, fbUserIds } of humans) {
    const [first, ...others] = fbUserIds
    if (first === undefined || others.length === 0 || !(known.has(key) || random.chance(0.5))) continue
    for (const other of others) await mergeConversations(db, first, other)
  }

  const clientsWithoutConversation: Human[] = Array.from({ length: 25 }, (_, index) => {
    return { key: `stranger-${index}`, ...invent.name(random), fbUserIds: [] }
  })
  const clients = [...humans.filter(({ key }) => known.has(key)), ...clientsWithoutConversation].map((human) => ({
    human,
    row: inventClient(random, human, now),
  }))
  await db
    .insertInto('clients')
    .values(clients.map(({ row }) => row))
    .execute()
  const orders = clients.flatMap(({ row }) => inventOrders(random, row.id, now))
  await db
    .insertInto('orders')
    .values(orders.map(({ order }, index) => ({ ...order, order_number: `SO-${String(index + 1).padStart(5, '0')}` })))
    .execute()
  const payments = orders.flatMap((one) => one.payments)
  if (payments.length > 0) await db.insertInto('payments').values(payments).execute()
  for (const { human, row } of clients) {
    if (human.fbUserIds[0] !== undefined) await linkClient(db, human.fbUserIds[0], row.id)
  }
  await db
    .insertInto('products')
    .values(products)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await seedFaq(db, now)
}

/** The people of the sandbox with their identities in the inbox. */
async function readHumans(db: Db): Promise<Human[]> {
  const rows = await db
    .withTables<Pick<SandboxTables, 'sandbox.people'>>()
    .selectFrom('sandbox.people')
    .innerJoin('fb_users', (join) =>
      join.onRef('fb_users.page_id', '=', 'sandbox.people.page_id').onRef('fb_users.psid', '=', 'sandbox.people.psid'),
    )
    .select(['sandbox.people.person_key', 'sandbox.people.first_name', 'sandbox.people.last_name', 'fb_users.id'])
    .where('sandbox.people.person_key', 'like', 'person-%')
    .orderBy('sandbox.people.person_key')
    .orderBy('sandbox.people.psid')
    .execute()
  return [...Map.groupBy(rows, ({ person_key }) => person_key)].flatMap(([key, identities]) => {
    const [one] = identities
    return one ? [{ key, first: one.first_name, last: one.last_name, fbUserIds: identities.map(({ id }) => id) }] : []
  })
}

function inventClient(random: Random, { first, last }: Human, now: number) {
  const handle = `${first}.${last}`.toLowerCase().replaceAll(' ', '')
  return {
    id: random.uuid(),
    first_name: first,
    last_name: last,
    company_name: random.chance(0.3) ? invent.company(random) : null,
    email: random.chance(0.8) ? `${handle}${random.between(1, 99)}@example.com` : null,
    phone: `+63 9${random.digits(2)} ${random.digits(3)} ${random.digits(4)}`,
    classification: random.pick(['new', 'regular', 'regular', 'vip']),
    is_active: random.chance(0.95),
    created_at: new Date(now - random.between(20, 500) * day),
  }
}

const statuses = [
  'pending',
  'processing',
  'ready',
  'completed',
  'completed',
  'completed',
  'cancelled',
  'rejected',
] as const

function inventOrders(random: Random, clientId: string, now: number) {
  return Array.from({ length: random.between(0, 8) }, () => {
    const trade = random.chance(0.5) ? 'prints' : 'catering'
    const items = Array.from({ length: random.between(1, 3) }, () => ({
      name: invent.item(random, trade),
      quantity: random.between(1, 30),
      unit_price: random.between(4, 120) * 10 + (random.chance(0.2) ? 0.5 : 0),
    }))
    const total = items.reduce((sum, { quantity, unit_price }) => sum + quantity * unit_price, 0)
    const at = new Date(now - Math.round(180 * day * random.next() ** 2))
    const order = {
      id: random.uuid(),
      client_id: clientId,
      status: random.pick(statuses),
      total_amount: total.toFixed(2),
      items: JSON.stringify(items),
      created_at: at,
    }
    return { order, payments: inventPayments(random, order.id, total, at) }
  })
}

/** Unpaid, half paid, or paid in one or two parts; sometimes with a rejected payment. */
function inventPayments(random: Random, orderId: string, total: number, at: Date) {
  const half = Math.round(total * 50) / 100
  const parts = random.pick<number[]>([[], [half], [total], [half, total - half], [total]])
  const rows = parts.map((amount, index) => ({
    order_id: orderId,
    amount: amount.toFixed(2),
    status: random.pick(['approved', 'completed']),
    created_at: new Date(at.getTime() + (index + 1) * 60 * 60 * 1000),
  }))
  if (random.chance(0.1)) rows.push({ order_id: orderId, amount: half.toFixed(2), status: 'rejected', created_at: at })
  return rows
}
