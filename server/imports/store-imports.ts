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
  recordedHere,
} from './look-ups.ts'
import { joinClients, joinLost, type Recognition, recognizeClients } from './recognize-clients.ts'
import { type EarlierRows, noOrder, refusal, storeEach, type Writing, waits } from './store-each.ts'
import { storeItems, toItem } from './store-items.ts'

/** The columns in which a stored row keeps its value. New rows get the given value. */
type Kept = { clients?: readonly string[]; orders?: readonly string[] }

type StoreOptions = {
  erasedPeople: Pick<ErasedPeople, 'hashesOfClient'>
  kept?: Kept
  /** The rows of a file, whose dates are in this time zone. Staff have seen what the check found. */
  file?: { timeZone: string }
  /**
   * Returns the results that the import would have, and stores nothing. New rows have an empty id. Rows of the file that were
   * checked before count as stored.
   */
  check?: EarlierRows | undefined
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
  { erasedPeople, kept = {}, file, check }: StoreOptions,
): Promise<Stored> {
  const isDryRun = check !== undefined
  if (!isDryRun) await lockImports(trx)
  const writing: Writing = { trx, isDryRun, earlier: check }
  const isErased = await erasedAmong(trx, erasedPeople, [...batch.clients, ...batch.orders.map(namesOf)])
  const clients = await storeClients(writing, batch.clients, isErased, kept.clients)
  const orders = await storeOrders(writing, batch.orders, isErased, kept.orders)
  const items = await storeItems(writing, batch.items)
  const payments = await storePayments(writing, batch.payments, file)
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
 * client that was kept. One row of a file changes a client; the others are refused. A client that was made here is joined
 * only with the row for which staff have seen it in the check.
 */
async function storeClients(
  writing: Writing,
  clients: readonly GivenClient[],
  isErased: IsErased,
  kept?: readonly string[],
): Promise<Stored['clients']> {
  const { trx, earlier } = writing
  const target = { table: 'clients' as const, columns: clientColumns, kept }
  const known = clients.filter((client) => !isErased(client))
  const ids = known.map(({ external_id }) => external_id)
  const names = await namesOfAliases(trx, ids)
  const restored = await restoreImported(trx, [...ids, ...names.values()], writing)
  const { repeated, recognized } = await checkClients(trx, known, earlier)
  const lost = earlier === undefined ? await joinClients(trx, known) : new Set<string>()
  const toRow = (client: GivenClient) => {
    if (isErased(client)) return refusal(erasedReason)
    if (repeated.has(client.external_id)) return refusal('An earlier row of the file is the same client.')
    return lost.has(client.external_id) ? refusal(joinLost) : toClientRow(client)
  }
  const stored = await storeEach(
    writing,
    target,
    clients.filter(({ external_id }) => !names.has(external_id)),
    toRow,
  )
  // One after the other, because several of them may name one client.
  for (const client of clients) {
    const name = names.get(client.external_id)
    if (name === undefined) continue
    const named = { ...client, external_id: name }
    const row = (await storeEach(writing, target, [named], () => asNamed(toRow(client), name))).get(name)
    if (row !== undefined) stored.set(client.external_id, { ...row, external_id: client.external_id })
  }
  for (const { external_id, joins } of known) {
    const row = stored.get(external_id)
    if (row === undefined || 'reason' in row) continue
    const found = recognized.get(external_id)
    const isChanged = joins != null || found?.joins !== undefined || restored.includes(row.id)
    const result = isChanged ? 'changed' : row.result
    stored.set(external_id, { ...row, ...found, id: found?.joins ?? row.id, result })
  }
  return stored
}

const asNamed = <Row extends object>(row: Row, external_id: string) => ('result' in row ? row : { ...row, external_id })

/**
 * Of the check of a file: `repeated` has the external ids of rows whose client an earlier row changes, `recognized` the
 * clients that new rows may be.
 */
async function checkClients(
  trx: Transaction<Tables>,
  clients: readonly GivenClient[],
  earlier: EarlierRows | undefined,
): Promise<{ repeated: Set<string>; recognized: Map<string, Recognition> }> {
  const repeated = new Set<string>()
  if (earlier === undefined) return { repeated, recognized: new Map() }
  const externalIds = clients.map(({ external_id }) => external_id)
  const ids = await clientIdsOf(trx, externalIds, { withDeleted: true })
  const taken = new Set(await earlier.targets([...ids.values()]))
  for (const { external_id } of clients) {
    const id = ids.get(external_id)
    if (id === undefined) continue
    if (taken.has(id)) repeated.add(external_id)
    taken.add(id)
  }
  const unknown = clients.filter(({ external_id }) => !ids.has(external_id))
  return { repeated, recognized: await recognizeClients(trx, unknown, earlier.targets) }
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
  const { trx, earlier } = writing
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
  const given = orders.map(({ order_number }) => cleanText(order_number))
  const numbers = await holdersOf(trx, given)
  const taken = new Set(await earlier?.targets(given))
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
    if (taken.has(number)) return refusal(`An earlier row has the order number ${number}.`)
    const holder = numbers.get(number)
    if (holder === null)
      return refusal(`Order ${number} was made in the inbox. Change it there, or give the row another order number.`)
    if (holder !== undefined && holder !== order.external_id) return refusal(`Another order has the number ${number}.`)
    taken.add(number)
    return { ...values, order_number: number, status: cleanText(order.status), client_id, items: items.map(toItem) }
  })
}

/** The names by which an order names its client. */
const namesOf = ({ client, clientEmail, clientPhone }: GivenOrder) => ({
  external_id: client,
  email: clientEmail,
  phone: clientPhone,
})

/** A payment of a file that was recorded here too would count twice. */
async function storePayments(
  writing: Writing,
  payments: readonly GivenPayment[],
  file: StoreOptions['file'],
): Promise<Stored['payments']> {
  const { trx } = writing
  const orderIdOf = await findOrders(trx, payments)
  const columns = ['order_id', 'amount', 'status', 'created_at']
  const ownIds = await ownPaymentsAmong(
    trx,
    payments.map(({ external_id }) => external_id),
  )
  const recorded =
    file === undefined
      ? new Set<string>()
      : await recordedHere(
          trx,
          payments.map((payment) => ({ ...payment, order_id: orderIdOf(payment) })),
          file.timeZone,
        )
  return storeEach(writing, { table: 'payments', columns }, payments, ({ orderNumber, order, ...values }) => {
    if (ownIds.has(values.external_id)) return refusal('This payment was recorded in the inbox.')
    const order_id = orderIdOf({ order, orderNumber })
    if (order_id === undefined) return noOrder(order)
    if (recorded.has(values.external_id)) return refusal(recordedReason)
    return { ...values, status: cleanText(values.status), order_id }
  })
}

const recordedReason =
  'A payment of this amount was recorded in the inbox for this order and day. If this is another one, record it there too.'

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
  let free = productLimits.products - (await countProducts(trx)) - (writing.earlier?.created ?? 0)
  const columns = ['name', 'price', 'is_active']
  return storeEach(writing, { table: 'products', columns, kept: ['is_active'] }, products, (product) => {
    const { external_id, name, unit_price } = product
    if (!known.has(external_id) && free-- <= 0) return refusal(`There are ${productLimits.products} products already.`)
    return { external_id, name: cleanText(name), price: centsOf(unit_price), is_active: true }
  })
}
