import { type RawBuilder, sql, type Transaction } from 'kysely'
import type * as z from 'zod/mini'
import type { ImportedRow, importedClient, importedOrder, importedPayment } from '../../src/schemas/import.ts'
import { cleanText } from '../clean-text.ts'
import type { Db } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import { inTransaction } from '../database/transaction.ts'

type Given<Schema extends z.ZodMiniType> = { external_id: string } & z.output<Schema>
type GivenClient = Given<typeof importedClient>
type GivenOrder = Given<typeof importedOrder>
type GivenPayment = Given<typeof importedPayment>

/** Rows with distinct external ids. */
export type Batch = {
  clients: readonly GivenClient[]
  orders: readonly GivenOrder[]
  payments: readonly GivenPayment[]
}

/** What became of the rows, by external id. */
export type Stored = { [Kind in keyof Batch]: Map<string, ImportedRow> }

/**
 * Stores rows of another program, each once by its external id: clients, then orders, then payments. The same rows again
 * change nothing. A row that names an unknown client or order, or the number of another order, is refused; the others are
 * stored. `afterwards` runs in the same transaction.
 */
export const storeImports = (
  db: Db,
  batch: Batch,
  afterwards: (trx: Db, stored: Stored) => Promise<void>,
): Promise<Stored> =>
  inTransaction(db, async (trx) => {
    // Imports run one after the other, so that what is looked up here stays true until the end.
    await sql`select pg_advisory_xact_lock(hashtextextended('staff-inbox imports', 0))`.execute(trx)
    const clients = await upsert(trx, 'clients', clientColumns, batch.clients.map(toClientRow))
    const orders = await storeOrders(trx, batch.orders)
    const payments = await storePayments(trx, batch.payments)
    const stored = { clients, orders, payments }
    await afterwards(trx, stored)
    return stored
  })

const clientColumns = ['first_name', 'last_name', 'company_name', 'email', 'phone', 'classification', 'is_active']

const toClientRow = ({ external_id, is_active, company_name, email, phone, ...texts }: GivenClient) => ({
  external_id,
  is_active,
  first_name: cleanText(texts.first_name),
  last_name: cleanText(texts.last_name),
  classification: cleanText(texts.classification),
  company_name: orNull(company_name),
  email: orNull(email),
  phone: orNull(phone),
})

const orNull = (text: string | null | undefined): string | null => (text ? cleanText(text) : null)

async function storeOrders(trx: Transaction<Tables>, orders: readonly GivenOrder[]): Promise<Stored['orders']> {
  const clients = await idsOf(
    trx,
    'clients',
    orders.map(({ client }) => client),
  )
  const numbers = await holdersOf(
    trx,
    orders.map(({ order_number }) => cleanText(order_number)),
  )
  return storeEach(
    trx,
    'orders',
    ['order_number', 'client_id', 'status', 'total_amount', 'items', 'created_at'],
    orders,
    (order) => {
      const { client, items, ...values } = order
      const number = cleanText(order.order_number)
      const client_id = clients.get(client)
      if (client_id === undefined) return `No client has the external id ${client}.`
      const holder = numbers.get(number)
      if (holder !== undefined && holder !== order.external_id) return `Another order has the number ${number}.`
      numbers.set(number, order.external_id)
      return { ...values, order_number: number, status: cleanText(order.status), client_id, items: items.map(toItem) }
    },
  )
}

const toItem = ({ name, quantity, unit_price }: GivenOrder['items'][number]) => ({
  name: cleanText(name),
  quantity,
  ...(unit_price == null ? {} : { unit_price }),
})

async function storePayments(trx: Transaction<Tables>, payments: readonly GivenPayment[]): Promise<Stored['payments']> {
  const orders = await idsOf(
    trx,
    'orders',
    payments.map(({ order }) => order),
  )
  return storeEach(
    trx,
    'payments',
    ['order_id', 'amount', 'status', 'created_at'],
    payments,
    ({ order, ...values }) => {
      const order_id = orders.get(order)
      if (order_id === undefined) return `No order has the external id ${order}.`
      return { ...values, status: cleanText(values.status), order_id }
    },
  )
}

/** Stores the rows that `toRow` returns. A text that it returns is the reason of a refusal. */
async function storeEach<Row extends { external_id: string }>(
  trx: Transaction<Tables>,
  table: 'orders' | 'payments',
  columns: readonly string[],
  given: readonly Row[],
  toRow: (row: Row) => ({ external_id: string } & object) | string,
): Promise<Map<string, ImportedRow>> {
  const rows: { external_id: string }[] = []
  const refused: [string, ImportedRow][] = []
  for (const one of given) {
    const { external_id } = one
    const row = toRow(one)
    if (typeof row === 'string') refused.push([external_id, { external_id, result: 'refused', reason: row }])
    else rows.push(row)
  }
  return new Map([...refused, ...(await upsert(trx, table, columns, rows))])
}

type ImportTable = keyof Stored

/** Inserts and updates rows by external id with one statement. A row without a difference is not written. */
async function upsert(
  trx: Transaction<Tables>,
  table: ImportTable,
  columns: readonly string[],
  rows: readonly { external_id: string }[],
): Promise<Map<string, ImportedRow>> {
  if (rows.length === 0) return new Map()
  const names = columns.map((column) => sql.ref(column))
  const of = (alias: string): RawBuilder<unknown> => sql.join(columns.map((column) => sql.ref(`${alias}.${column}`)))
  const values = sql.join([sql.ref('external_id'), ...names])
  const { rows: stored } = await sql<{ external_id: string; id: string; result: 'created' | 'changed' | 'unchanged' }>`
    with given as materialized (
      select ${values} from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb)
    ), written as (
      insert into ${sql.table(table)} as stored (${values}) select ${values} from given
      on conflict (external_id) do update
        set ${sql.join(columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`))}
        where (${of('stored')}) is distinct from (${of('excluded')})
      returning external_id, id, xmax = '0' as is_new
    )
    select external_id, id, case when is_new then 'created' else 'changed' end as result from written
    union all
    select stored.external_id, stored.id, 'unchanged' from ${sql.table(table)} stored join given using (external_id)
      where not exists (select from written where written.external_id = stored.external_id)`.execute(trx)
  return new Map(stored.map((row) => [row.external_id, row]))
}

/** The ids of rows by their external ids. */
async function idsOf(
  trx: Transaction<Tables>,
  table: 'clients' | 'orders',
  externalIds: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ external_id: string; id: string }>`
    select external_id, id from ${sql.table(table)} where external_id = any(${[...externalIds]}::text[])`.execute(trx)
  return new Map(rows.map(({ external_id, id }) => [external_id, id]))
}

/** The external ids of the orders with these numbers; null for an order that was made here. */
async function holdersOf(trx: Transaction<Tables>, numbers: readonly string[]): Promise<Map<string, string | null>> {
  const { rows } = await sql<{ order_number: string; external_id: string | null }>`
    select order_number, external_id from orders where order_number = any(${[...numbers]}::text[])`.execute(trx)
  return new Map(rows.map(({ order_number, external_id }) => [order_number, external_id]))
}
