import { type RawBuilder, sql, type Transaction } from 'kysely'
import type * as z from 'zod/mini'
import { centsOf } from '../../src/domain/client/money.ts'
import type {
  ImportedRow,
  importedClient,
  importedItem,
  importedOrder,
  importedPayment,
  importedProduct,
} from '../../src/schemas/import.ts'
import { importLimits } from '../../src/schemas/import.ts'
import { productLimits } from '../../src/schemas/product.ts'
import { cleanText } from '../clean-text.ts'
import { restoreImported } from '../database/client-removals.ts'
import type { Db } from '../database/database.ts'
import { lockImports } from '../database/import-lock.ts'
import { countProducts, lockProducts } from '../database/products.ts'
import type { Tables } from '../database/tables.ts'
import { inTransaction } from '../database/transaction.ts'
import { retryRowsThatWait } from '../database/waiting-rows.ts'
import { type ErasedPeople, erasedAmong } from '../people/erased-people.ts'

type Given<Schema extends z.ZodMiniType> = { external_id: string } & z.output<Schema>
type GivenClient = Given<typeof importedClient>
/**
 * `clientEmail` or `clientPhone` (E.164) names the client if there is none with the external id. `clientBy`: the kind of
 * name from which the external id is derived.
 */
type GivenOrder = Given<typeof importedOrder> & {
  clientEmail?: string | undefined
  clientPhone?: string | undefined
  clientBy?: 'e-mail address' | 'phone number' | undefined
}
/** `orderNumber` names the order if there is none with the external id. */
type OfOrder = { orderNumber?: string | undefined }
/** `itemId` tells the item from the other items of its order. */
type GivenItem = Given<typeof importedItem> & OfOrder & { itemId: string }
type GivenPayment = Given<typeof importedPayment> & OfOrder
type GivenProduct = Given<typeof importedProduct>

/** Rows with distinct external ids. */
export type Batch = {
  clients: readonly GivenClient[]
  orders: readonly GivenOrder[]
  items: readonly GivenItem[]
  payments: readonly GivenPayment[]
  products: readonly GivenProduct[]
}
export const emptyBatch: Batch = { clients: [], orders: [], items: [], payments: [], products: [] }

/** The result of a row. `waiting`: the row names a client or an order that is not stored. */
export type StoredRow =
  | Exclude<ImportedRow, { result: 'refused' }>
  | { external_id: string; result: 'refused' | 'waiting'; reason: string }

/** The results of the rows, by external id. */
export type Stored = { [Kind in keyof Batch]: Map<string, StoredRow> }

/** The columns in which a stored row keeps its value. New rows get the given value. */
type Kept = { clients?: readonly string[]; orders?: readonly string[] }

type StoreOptions = {
  erasedPeople: Pick<ErasedPeople, 'hashesOfClient'>
  kept?: Kept
  /** Returns the results that the import would have, and stores nothing. New rows have an empty id. */
  isDryRun?: boolean
}

/**
 * Stores rows of another program, each once by its external id: clients, orders, items, then payments. The same rows again
 * change nothing. A row that names an unknown or an erased client, an unknown order, or the number of another order is not
 * stored; the others are. `afterwards` runs in the same transaction.
 */
export const storeImports = (
  db: Db,
  batch: Batch,
  options: StoreOptions,
  afterwards: (trx: Transaction<Tables>, stored: Stored) => Promise<void>,
): Promise<Stored> =>
  inTransaction(db, async (trx) => {
    const stored = await storeImportsIn(trx, batch, options)
    await afterwards(trx, stored)
    return stored
  })

/** `storeImports` within a transaction. */
export async function storeImportsIn(
  trx: Transaction<Tables>,
  batch: Batch,
  { erasedPeople, kept = {}, isDryRun = false }: StoreOptions,
): Promise<Stored> {
  if (!isDryRun) await lockImports(trx)
  const writing = { trx, isDryRun }
  const isErased = await erasedAmong(trx, erasedPeople, [...batch.clients, ...batch.orders.map(namesOf)])
  const clients = await storeClients(writing, batch.clients, isErased, kept.clients)
  const orders = await storeOrders(writing, batch.orders, isErased, kept.orders)
  const items = await storeItems(writing, batch.items)
  const payments = await storePayments(writing, batch.payments)
  const products = await storeProducts(writing, batch.products)
  if (!isDryRun)
    await retryRowsThatWait(trx, [
      ...(isChanged(clients) ? ['orders' as const] : []),
      ...(isChanged(orders) ? ['items' as const, 'payments' as const] : []),
    ])
  return { clients, orders, items, payments, products }
}

const isChanged = (stored: ReadonlyMap<string, StoredRow>): boolean =>
  [...stored.values()].some(({ result }) => result === 'created' || result === 'changed')

type Writing = { trx: Transaction<Tables>; isDryRun: boolean }
type IsErased = Awaited<ReturnType<typeof erasedAmong>>

const erasedReason = 'This client was erased on request and is not stored again.'

const clientColumns = ['first_name', 'last_name', 'company_name', 'email', 'phone', 'classification', 'is_active']

/**
 * A deleted client is restored: the other program still knows it. The external id of a client that was merged names the
 * client that was kept.
 */
async function storeClients(
  writing: Writing,
  clients: readonly GivenClient[],
  isErased: IsErased,
  kept?: readonly string[],
): Promise<Stored['clients']> {
  const { trx, isDryRun } = writing
  const target = { table: 'clients' as const, columns: clientColumns, kept }
  const toRow = (client: GivenClient) => (isErased(client) ? refusal(erasedReason) : toClientRow(client))
  const ids = clients.filter((client) => !isErased(client)).map(({ external_id }) => external_id)
  const names = await namesOfAliases(trx, ids)
  const restored = isDryRun ? [] : await restoreImported(trx, [...ids, ...names.values()])
  const stored = await storeEach(
    writing,
    target,
    clients.filter(({ external_id }) => !names.has(external_id)),
    toRow,
  )
  for (const [external_id, row] of stored)
    if (row.result === 'unchanged' && restored.includes(row.id)) stored.set(external_id, { ...row, result: 'changed' })
  // One after the other, because several of them may name one client.
  for (const client of clients) {
    const name = names.get(client.external_id)
    if (name === undefined) continue
    const row = (await storeEach(writing, target, [{ ...client, external_id: name }], toRow)).get(name)
    if (row !== undefined) stored.set(client.external_id, { ...row, external_id: client.external_id })
  }
  return stored
}

/** The external ids of the clients that aliases name. */
async function namesOfAliases(trx: Transaction<Tables>, aliases: readonly string[]): Promise<Map<string, string>> {
  if (aliases.length === 0) return new Map()
  const rows = await trx
    .selectFrom('client_aliases as alias')
    .innerJoin('clients', 'clients.id', 'alias.client_id')
    .select(['alias.external_id as alias', 'clients.external_id as name'])
    .where('alias.external_id', 'in', aliases)
    .execute()
  return new Map(rows.flatMap(({ alias, name }) => (name === null ? [] : [[alias, name] as const])))
}

/** The ids of clients by their external ids and aliases. A deleted client has none. */
async function clientIdsOf(trx: Transaction<Tables>, externalIds: readonly string[]): Promise<Map<string, string>> {
  if (externalIds.length === 0) return new Map()
  const { rows } = await sql<{ external_id: string; id: string }>`
    select external_id, id from clients where removed_at is null and external_id = any(${[...externalIds]}::text[])
    union all
    select alias.external_id, clients.id from client_aliases alias join clients on clients.id = alias.client_id
    where clients.removed_at is null and alias.external_id = any(${[...externalIds]}::text[])`.execute(trx)
  return new Map(rows.map(({ external_id, id }) => [external_id, id]))
}

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

const orderColumns = ['order_number', 'client_id', 'status', 'total_amount', 'items', 'created_at']

async function storeOrders(
  writing: Writing,
  orders: readonly GivenOrder[],
  isErased: IsErased,
  kept?: readonly string[],
): Promise<Stored['orders']> {
  const { trx } = writing
  const clients = await clientIdsOf(
    trx,
    orders.map(({ client }) => client),
  )
  const byEmail = await clientsByEmail(
    trx,
    orders.flatMap(({ clientEmail }) => clientEmail ?? []),
  )
  const byPhone = await clientsByPhone(
    trx,
    orders.flatMap(({ clientPhone }) => clientPhone ?? []),
  )
  const numbers = await holdersOf(
    trx,
    orders.map(({ order_number }) => cleanText(order_number)),
  )
  return storeEach(writing, { table: 'orders', columns: orderColumns, kept }, orders, (order) => {
    const { client, clientEmail, clientPhone, clientBy, items, ...values } = order
    const number = cleanText(order.order_number)
    const client_id =
      clients.get(client) ?? byEmail.get(clientEmail?.toLowerCase() ?? '') ?? byPhone.get(clientPhone ?? '')
    if (client_id === undefined) {
      if (isErased(namesOf(order))) return refusal(erasedReason)
      return waits(
        clientBy === undefined ? `No client has the external id ${client}.` : `No client has this ${clientBy}.`,
      )
    }
    const holder = numbers.get(number)
    if (holder !== undefined && holder !== order.external_id) return refusal(`Another order has the number ${number}.`)
    numbers.set(number, order.external_id)
    return { ...values, order_number: number, status: cleanText(order.status), client_id, items: items.map(toItem) }
  })
}

/** The names by which an order names its client. */
const namesOf = ({ client, clientEmail, clientPhone }: GivenOrder) => ({
  external_id: client,
  email: clientEmail,
  phone: clientPhone,
})

const toItem = ({ name, quantity, unit_price }: GivenOrder['items'][number]) => ({
  name: cleanText(name),
  quantity,
  ...(unit_price == null ? {} : { unit_price }),
})

type StoredItem = ReturnType<typeof toItem> & { external_id?: string }

/** Merges the items into their orders, each once by its external id, sorted by it. Items without one come first. */
async function storeItems({ trx, isDryRun }: Writing, items: readonly GivenItem[]): Promise<Stored['items']> {
  const orderIdOf = await findOrders(trx, items)
  const ids = [...new Set(items.flatMap((item) => orderIdOf(item) ?? []))]
  const held = new Map(
    ids.length === 0
      ? []
      : (await trx.selectFrom('orders').select(['id', 'items', 'external_id']).where('id', 'in', ids).execute()).map(
          (order) =>
            [order.id, { items: order.items as readonly StoredItem[], isOwn: order.external_id === null }] as const,
        ),
  )
  const touched = new Set<string>()
  const stored = new Map<string, StoredRow>()
  for (const given of items) {
    const { external_id, order, itemId } = given
    const id = orderIdOf(given)
    const found = held.get(id ?? '')
    if (id === undefined || found === undefined) {
      stored.set(external_id, { external_id, ...waits(noOrder(order)) })
      continue
    }
    // The total of an order that was made here is that of its items.
    if (found.isOwn) {
      stored.set(external_id, { external_id, ...refusal('This order was made in the inbox and keeps its items.') })
      continue
    }
    const known = found.items
    const item = { ...toItem(given), external_id: itemId }
    const before = known.find((one) => one.external_id === itemId)
    const others = known.filter((one) => one !== before)
    if (before === undefined && others.length >= importLimits.items) {
      stored.set(external_id, { external_id, ...refusal(`The order has ${importLimits.items} items already.`) })
      continue
    }
    const isSame = before !== undefined && itemColumns.every((column) => before[column] === item[column])
    stored.set(external_id, {
      external_id,
      id,
      result: before === undefined ? 'created' : isSame ? 'unchanged' : 'changed',
    })
    if (isSame) continue
    held.set(id, { ...found, items: [...others, item].sort(byExternalId) })
    touched.add(id)
  }
  if (isDryRun || touched.size === 0) return stored
  const rows = [...touched].sort().map((id) => ({ id, items: held.get(id)?.items }))
  await sql`update orders set items = given.items
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (id text, items jsonb)
    where orders.id = given.id`.execute(trx)
  return stored
}

const itemColumns = ['name', 'quantity', 'unit_price'] as const
const collator = new Intl.Collator('en', { numeric: true })
const byExternalId = (a: StoredItem, b: StoredItem): number => {
  const [one = '', other = ''] = [a.external_id, b.external_id]
  return collator.compare(one, other) || (one < other ? -1 : Number(one > other))
}

async function storePayments(writing: Writing, payments: readonly GivenPayment[]): Promise<Stored['payments']> {
  const orderIdOf = await findOrders(writing.trx, payments)
  const columns = ['order_id', 'amount', 'status', 'created_at']
  const ownIds = await ownPaymentsAmong(
    writing.trx,
    payments.map(({ external_id }) => external_id),
  )
  return storeEach(writing, { table: 'payments', columns }, payments, ({ orderNumber, order, ...values }) => {
    if (ownIds.has(values.external_id)) return refusal('This payment was recorded in the inbox.')
    const order_id = orderIdOf({ order, orderNumber })
    if (order_id === undefined) return waits(noOrder(order))
    return { ...values, status: cleanText(values.status), order_id }
  })
}

/** The ids of payments that were recorded here: an export names them by these, and an import must not store them again. */
async function ownPaymentsAmong(trx: Transaction<Tables>, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select id from payments where id = any(${[...ids]}::text[]) and external_id is null`.execute(trx)
  return new Set(rows.map(({ id }) => id))
}

/** A product that is stored keeps whether it is active. */
async function storeProducts(writing: Writing, products: readonly GivenProduct[]): Promise<Stored['products']> {
  if (products.length === 0) return new Map()
  const { trx } = writing
  if (!writing.isDryRun) await lockProducts(trx)
  const known = await idsOf(
    trx,
    'products',
    products.map(({ external_id }) => external_id),
  )
  let free = productLimits.products - (await countProducts(trx))
  const columns = ['name', 'price', 'is_active']
  return storeEach(writing, { table: 'products', columns, kept: ['is_active'] }, products, (product) => {
    const { external_id, name, unit_price } = product
    if (!known.has(external_id) && free-- <= 0) return refusal(`There are ${productLimits.products} products already.`)
    return { external_id, name: cleanText(name), price: centsOf(unit_price), is_active: true }
  })
}

const noOrder = (order: string) => `No order has the external id ${order}.`

/** The id of the order that a row names; undefined if there is none. */
async function findOrders(trx: Transaction<Tables>, rows: readonly ({ order: string } & OfOrder)[]) {
  const ids = await idsOf(
    trx,
    'orders',
    rows.map(({ order }) => order),
  )
  const byNumber = await orderIdsByNumber(
    trx,
    rows.flatMap(({ orderNumber }) => orderNumber ?? []),
  )
  return ({ order, orderNumber }: { order: string } & OfOrder): string | undefined =>
    ids.get(order) ?? byNumber.get(orderNumber ?? '')
}

type NotStored = { result: 'refused' | 'waiting'; reason: string }
const refusal = (reason: string): NotStored => ({ result: 'refused', reason })
const waits = (reason: string): NotStored => ({ result: 'waiting', reason })

type Target = {
  table: 'clients' | 'orders' | 'payments' | 'products'
  columns: readonly string[]
  kept?: readonly string[] | undefined
}

/** Stores the rows that `toRow` returns, unless it returns why a row is not stored. */
async function storeEach<Row extends { external_id: string }>(
  writing: Writing,
  target: Target,
  given: readonly Row[],
  toRow: (row: Row) => ({ external_id: string } & object) | NotStored,
): Promise<Map<string, StoredRow>> {
  const rows: { external_id: string }[] = []
  const notStored: [string, StoredRow][] = []
  for (const one of given) {
    const { external_id } = one
    const row = toRow(one)
    if ('result' in row) notStored.push([external_id, { external_id, ...row }])
    else rows.push(row)
  }
  return new Map([...notStored, ...(await upsert(writing, target, rows))])
}

/** Inserts and updates rows by external id. A row without a difference is not written. */
async function upsert(
  { trx, isDryRun }: Writing,
  { table, columns, kept = [] }: Target,
  rows: readonly { external_id: string }[],
): Promise<Map<string, StoredRow>> {
  if (rows.length === 0) return new Map()
  const updated = columns.filter((column) => !kept.includes(column))
  const of = (alias: string): RawBuilder<unknown> => sql.join(updated.map((column) => sql.ref(`${alias}.${column}`)))
  const given = (all: readonly { external_id: string }[]) => sql`
    select ${sql.join([sql.ref('external_id'), ...columns.map((column) => sql.ref(column))])}
    from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(all)}::jsonb)`
  const { rows: found } = await sql<{
    external_id: string
    id: string | null
    result: 'created' | 'changed' | 'unchanged'
  }>`
    select given.external_id, stored.id, case
      when stored.id is null then 'created'
      when (${of('stored')}) is distinct from (${of('given')}) then 'changed' else 'unchanged' end as result
    from (${given(rows)}) given left join ${sql.table(table)} stored using (external_id)`.execute(trx)
  const results = new Map(found.map((row) => [row.external_id, { ...row, id: row.id ?? '' }]))
  const different = rows.filter(({ external_id }) => results.get(external_id)?.result !== 'unchanged')
  if (isDryRun || different.length === 0) return results
  const { rows: written } = await sql<{ external_id: string; id: string }>`
    insert into ${sql.table(table)} (${sql.join([sql.ref('external_id'), ...columns.map((column) => sql.ref(column))])})
    ${given(different)}
    on conflict (external_id) do update
      set ${sql.join(updated.map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`))}
    returning external_id, id`.execute(trx)
  for (const { external_id, id } of written) {
    const row = results.get(external_id)
    if (row !== undefined) results.set(external_id, { ...row, id })
  }
  return results
}

/** The ids of rows by their external ids. */
async function idsOf(
  trx: Transaction<Tables>,
  table: 'orders' | 'products',
  externalIds: readonly string[],
): Promise<Map<string, string>> {
  if (externalIds.length === 0) return new Map()
  const { rows } = await sql<{ external_id: string; id: string }>`
    select external_id, id from ${sql.table(table)} where external_id = any(${[...externalIds]}::text[])`.execute(trx)
  return new Map(rows.map(({ external_id, id }) => [external_id, id]))
}

/** The ids of clients by their e-mail address in lower case. An address that several clients have names none of them. */
async function clientsByEmail(trx: Transaction<Tables>, emails: readonly string[]): Promise<Map<string, string>> {
  if (emails.length === 0) return new Map()
  const { rows } = await sql<{ email: string; id: string }>`
    select lower(email) as email, min(id) as id from clients
    where removed_at is null and lower(email) = any(${emails.map((email) => email.toLowerCase())}::text[])
    group by lower(email) having count(*) = 1`.execute(trx)
  return new Map(rows.map(({ email, id }) => [email, id]))
}

/** The clients by phone number. A number of several clients names none, nor does one that was changed and not read yet. */
async function clientsByPhone(trx: Transaction<Tables>, phones: readonly string[]): Promise<Map<string, string>> {
  if (phones.length === 0) return new Map()
  const { rows } = await sql<{ phone: string; id: string }>`
    select phone_e164 as phone, min(id) as id from clients
    where removed_at is null and phone_e164 = any(${[...phones]}::text[]) and phone is not distinct from phone_read
    group by phone_e164 having count(*) = 1`.execute(trx)
  return new Map(rows.map(({ phone, id }) => [phone, id]))
}

async function orderIdsByNumber(trx: Transaction<Tables>, numbers: readonly string[]): Promise<Map<string, string>> {
  if (numbers.length === 0) return new Map()
  const { rows } = await sql<{ order_number: string; id: string }>`
    select order_number, id from orders where order_number = any(${[...numbers]}::text[])`.execute(trx)
  return new Map(rows.map(({ order_number, id }) => [order_number, id]))
}

/** The external ids of the orders with these numbers; null for an order that was made here. */
async function holdersOf(trx: Transaction<Tables>, numbers: readonly string[]): Promise<Map<string, string | null>> {
  if (numbers.length === 0) return new Map()
  const { rows } = await sql<{ order_number: string; external_id: string | null }>`
    select order_number, external_id from orders where order_number = any(${[...numbers]}::text[])`.execute(trx)
  return new Map(rows.map(({ order_number, external_id }) => [order_number, external_id]))
}
