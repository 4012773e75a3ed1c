import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import { removeClient } from '../../../server/database/client-removals.ts'
import type { Db } from '../../../server/database/database.ts'
import { readPhone } from '../../../server/phones.ts'
import { type CsvKind, csvOutcomes } from '../../../src/schemas/csv-import.ts'
import { importLimits } from '../../../src/schemas/import.ts'
import { productLimits } from '../../../src/schemas/product.ts'
import { describeOnDatabase } from '../databases.ts'
import { clearBusiness, openCsvImports } from './csv-harness.ts'

const emails = ['', 'a@example.com', 'a@example.com', 'b@example.com']
const phones = ['', '', '0917 123 4567']
const names = ['Ana Cruz', 'Ben Reyes']

const storedClient = fc.record({
  externalId: fc.constantFrom(null, 'c0', 'c1'),
  alias: fc.constantFrom(null, null, 'a0', 'a1'),
  name: fc.constantFrom(...names),
  email: fc.constantFrom(...emails),
  phone: fc.constantFrom(...phones),
  isDeleted: fc.boolean(),
})
const world = fc.record({
  clients: fc.uniqueArray(storedClient, { minLength: 2, maxLength: 4, selector: (one) => one.externalId ?? one }),
  orders: fc.uniqueArray(
    fc.record({ externalId: fc.constantFrom(null, 'o0', 'o1', 'o2'), number: fc.constantFrom('n0', 'n0', 'n1', 'o3') }),
    { minLength: 1, maxLength: 3, selector: (one) => one.number },
  ),
  items: fc.integer({ min: importLimits.items - 2, max: importLimits.items }),
  products: fc.integer({ min: productLimits.products - 3, max: productLimits.products }),
})
type World = typeof world extends fc.Arbitrary<infer Each> ? Each : never

const fields = {
  clients: {
    header: 'id,name,email,phone',
    row: fc.tuple(
      fc.constantFrom('', '', 'c0', 'c1', 'c2', 'c3', 'a0', 'a1'),
      fc.constantFrom(...names),
      fc.constantFrom(...emails),
      fc.constantFrom(...phones),
    ),
  },
  orders: {
    header: 'id,order number,client id,status,total,date',
    row: fc.tuple(
      fc.constantFrom('', 'o0', 'o1', 'o3', 'o4'),
      fc.constantFrom('n0', 'n3', 'n4', 'o3'),
      fc.constantFrom('holder', 'holder', 'holder', 'nobody'),
      fc.constantFrom('ready', 'paid'),
      fc.constantFrom('5', '6'),
      fc.constant('2026-01-02'),
    ),
  },
  items: {
    header: 'id,order number,product,qty,price',
    row: fc.tuple(
      fc.constantFrom('', 'i1', 'i500', 'i501', 'i502', 'i503'),
      fc.constantFrom('n0', 'n1', 'o0', 'n9'),
      fc.constantFrom('Mug', 'Pen'),
      fc.constantFrom('1', '2'),
      fc.constant('5'),
    ),
  },
  payments: {
    header: 'id,order number,amount,status,date',
    row: fc.tuple(
      fc.constantFrom('', 'p0', 'p1', 'p2'),
      fc.constantFrom('n0', 'n1', 'o0', 'n9'),
      fc.constantFrom('5', '6'),
      fc.constantFrom('approved', 'pending'),
      fc.constantFrom('2026-01-02', '2026-01-03'),
    ),
  },
  products: {
    header: 'id,name,price',
    row: fc.tuple(fc.constantFrom('s0', 's1', 's2', 's3', 's4', 's5'), fc.constantFrom('Mug', 'Pen'), fc.constant('5')),
  },
} satisfies Record<CsvKind, { header: string; row: fc.Arbitrary<string[]> }>
const file = (kind: CsvKind) => {
  const { header, row } = fields[kind]
  return fc
    .array(row as fc.Arbitrary<string[]>, { minLength: 4, maxLength: 8 })
    .map((rows) => `${header}\n${rows.map((row) => row.join(',')).join('\n')}\n`)
}

describeOnDatabase('The check of a CSV file', (open) => {
  let db: Db

  beforeEach(async () => {
    db = (await open()).db
  })

  async function store(kind: CsvKind, { clients, orders, items, products }: World) {
    await clearBusiness(db)
    await db.deleteFrom('products').execute()
    if (kind === 'clients') await storeClients(clients)
    else if (kind === 'products') await storeProducts(products)
    else await storeOrders(orders, kind === 'items' ? items : 0)
  }

  async function storeClients(clients: World['clients']) {
    const aliases = new Set<string>()
    for (const { externalId, alias, name, email, phone, isDeleted } of clients) {
      const [first_name = '', last_name = ''] = name.split(' ')
      const row = { external_id: externalId, first_name, last_name, email: email || null }
      const values = { ...row, ...readPhone(phone || null, 'PH') }
      const { id } = await db.insertInto('clients').values(values).returning('id').executeTakeFirstOrThrow()
      if (alias !== null && externalId !== null && !aliases.has(alias)) {
        aliases.add(alias)
        await db.insertInto('client_aliases').values({ external_id: alias, client_id: id }).execute()
      }
      const removal = { now: new Date(), by: null, country: 'PH' }
      if (isDeleted) await removeClient(db, { id, version: 1 }, removal, async () => undefined)
    }
  }

  async function storeOrders(orders: World['orders'], items: number) {
    const holder = { external_id: 'holder', first_name: 'Holder', last_name: 'H' }
    const { id: client_id } = await db.insertInto('clients').values(holder).returning('id').executeTakeFirstOrThrow()
    const used = new Set<string>()
    for (const { externalId, number } of orders) {
      const external_id = externalId === null || used.has(externalId) ? null : externalId
      used.add(external_id ?? '')
      const order = { external_id, order_number: number, client_id, status: 'ready', total_amount: 5 }
      const held = Array.from({ length: items }, (_, at) => ({
        external_id: `i${at}`,
        name: 'Mug',
        quantity: 1,
        unit_price: 5,
      }))
      const { id } = await db
        .insertInto('orders')
        .values({ ...order, items: JSON.stringify(held), created_at: new Date('2026-01-01T16:00Z') })
        .returning('id')
        .executeTakeFirstOrThrow()
      const payment = { order_id: id, amount: 5, status: 'pending', created_at: new Date('2026-01-02T08:00Z') }
      await db
        .insertInto('payments')
        .values({ ...payment, external_id: null })
        .execute()
      await db
        .insertInto('payments')
        .values({ ...payment, external_id: `${number} p` })
        .execute()
    }
  }

  async function storeProducts(products: number) {
    await sql`insert into products (external_id, name, price)
      select 's' || n, 'Mug', 500 from generate_series(0, ${products - 1}::integer) n`.execute(db)
    await sql`update products set external_id = null where external_id in ('s3', 's4', 's5')`.execute(db)
  }

  /** What an import can change in the stored rows of a kind, by their ids. */
  async function valuesById(kind: Exclude<CsvKind, 'items'>): Promise<Map<string, string>> {
    const { rows } = await sql<{ id: string; values: string }>`
      select id, (to_jsonb(t) - 'version')::text as values from ${sql.table(kind)} t`.execute(db)
    return new Map(rows.map(({ id, values }) => [id, values]))
  }

  async function idsByExternalId(kind: Exclude<CsvKind, 'items'>): Promise<Map<string, string>> {
    const { rows } = await sql<{ external_id: string; id: string }>`
      select external_id, id from ${sql.table(kind)} where external_id is not null
      union all select external_id, client_id from client_aliases`.execute(db)
    return new Map(rows.map(({ external_id, id }) => [external_id, id]))
  }

  it.each(['clients', 'orders', 'items', 'payments', 'products'] as const)(
    'says of each row of a file of %s what the run does with it, and why',
    async (kind) => {
      await fc.assert(
        fc.asyncProperty(world, file(kind), fc.integer({ min: 1, max: 3 }), async (before, text, batchRows) => {
          await store(kind, before)
          const earlier = await (kind === 'items' ? new Map<string, string>() : valuesById(kind))
          const csv = openCsvImports(db, { batchRows })
          const id = await csv.upload(kind, text)
          const checked = await csv.check(id)
          expect(checked.state).toBe('checked')
          const said = await db
            .selectFrom('csv_import_rows')
            .select(['line', 'external_id', 'occurrence', 'outcome', 'reason'])
            .where('import_id', '=', id)
            .orderBy('line')
            .execute()
          const notStored = (rows: readonly { line: number; outcome: string | null; reason: string | null }[]) =>
            rows.flatMap(({ line, outcome, reason }) =>
              outcome === 'refused' || outcome === 'waiting' ? [[line, outcome, reason]] : [],
            )
          const ran = await csv.run(id)
          const counts = (row: typeof ran) => csvOutcomes.map((outcome) => [outcome, row[outcome]])
          expect([ran.state, counts(ran)]).toEqual(['completed', counts(checked)])
          expect(notStored(await csv.rows(id))).toEqual(notStored(said))
          if (kind === 'items') return
          const [ids, now] = [await idsByExternalId(kind), await valuesById(kind)]
          const outcomes = said.flatMap((row) => {
            if (row.outcome === 'refused' || row.outcome === 'waiting') return []
            const stored = ids.get(
              row.occurrence === 1 ? (row.external_id ?? '') : `${row.external_id}#${row.occurrence}`,
            )
            const values = earlier.get(stored ?? '')
            const isSame = values === now.get(stored ?? '')
            const outcome = values === undefined ? 'created' : isSame ? 'unchanged' : 'changed'
            return [[row.line, row.outcome, outcome]]
          })
          expect(outcomes).toEqual(outcomes.map(([line, outcome]) => [line, outcome, outcome]))
        }),
        { seed: 20_261_127, numRuns: 50 },
      )
    },
  )
})
