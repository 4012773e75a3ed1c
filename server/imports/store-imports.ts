import type { Transaction } from 'kysely'
import { centsOf } from '../../src/domain/client/money.ts'
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
import type { Batch, GivenClient, GivenOrder, GivenPayment, GivenProduct, Stored, StoredRow } from './batch.ts'
import {
  clientIdsOf,
  clientsByEmail,
  clientsByPhone,
  findOrders,
  holdersOf,
  idsOf,
  namesOfAliases,
  ownPaymentsAmong,
} from './look-ups.ts'
import { noOrder, refusal, storeEach, type Writing, waits } from './store-each.ts'
import { storeItems, toItem } from './store-items.ts'

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
    if (order_id === undefined) return noOrder(order)
    return { ...values, status: cleanText(values.status), order_id }
  })
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
