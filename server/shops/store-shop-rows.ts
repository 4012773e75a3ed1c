import { sql, type Transaction } from 'kysely'
import type { Business } from '../../src/schemas/business.ts'
import { importedClient, importedOrder, importedPayment, importLimits } from '../../src/schemas/import.ts'
import type { ShopKind, ShopPhase } from '../../src/schemas/shop.ts'
import { lockImports } from '../database/import-lock.ts'
import type { Row, Tables } from '../database/tables.ts'
import { type Batch, emptyBatch } from '../imports/batch.ts'
import { storeImportsIn } from '../imports/store-imports.ts'
import type { ErasedPeople } from '../people/erased-people.ts'
import { phoneNumberOf } from '../phones.ts'
import { shopDialects } from './dialects.ts'
import type { ShopCustomer, ShopOrder } from './shop.ts'

type Parts = { erasedPeople: Pick<ErasedPeople, 'hashesOfClient'>; business: Business }
type StoringShop = { id: string; kind: ShopKind; address: string; name: string }
type Client = Batch['clients'][number]
type Order = Batch['orders'][number]
type Payment = Batch['payments'][number]

/** A version of a client or an order that the shop sent. `given` is null if its form is not known. */
type Version<Given> = {
  external_id: string
  number: string
  isOwnRecord: boolean
  version: Date
  given: Given | null
}

const unknownForm = 'The shop sent this row in an unknown form.'

/**
 * Stores rows of a shop, as its API and its webhooks send them, through the import of other programs. Of each row the
 * newest version counts, whatever the order in which versions arrive. A row that cannot be stored keeps its reason in
 * `shop_rows`, and the others are stored. The clients of orders are stored with them, until the shop sends the customers.
 */
export async function storeShopRows(
  trx: Transaction<Tables>,
  parts: Parts,
  shop: StoringShop,
  phase: ShopPhase,
  rows: readonly unknown[],
): Promise<void> {
  await lockImports(trx)
  const { customers, orders } = read(shop, phase, rows)
  const known = await knownVersions(trx, shop.id, [...customers.keys(), ...orders.keys()])
  const isNew = ({ kind, row }: { kind: 'client' | 'order'; row: Version<unknown> }) => {
    const before = known.get(`${kind} ${row.external_id}`)
    return before === undefined || compare(row, { isOwnRecord: before.is_own_record, version: before.version }) >= 0
  }
  const newOrders = [...orders.values()].filter((row) => isNew({ kind: 'order', row }))
  const toOrder = orderReader(parts, shop)
  const readOrders = newOrders.map((row) => ({ row, ...toOrder(row) }))

  const candidates = [...customers.values()]
  const held = await clientsHeld(trx, parts, shop, candidates)
  // A client who is deleted here, or was recognized before, is stored again for a new order.
  const newClients = candidates.filter((row) => isNew({ kind: 'client', row }) || !held.stored.has(row.external_id))
  const readClients = newClients.map((row) => ({ row, ...toClient(parts, row) }))

  const batch: Batch = {
    ...emptyBatch,
    clients: readClients.flatMap(({ row, given }) =>
      given === null || held.recognized.has(row.external_id) ? [] : [given],
    ),
    orders: readOrders.flatMap(({ given }) => (given === null ? [] : [given.order])),
    payments: readOrders.flatMap(({ given }) => (given === null ? [] : [given.payment])),
  }
  const { clients, orders: stored } = await storeImportsIn(trx, batch, {
    erasedPeople: parts.erasedPeople,
    // The shop does not know these.
    kept: { clients: ['classification', 'is_active'] },
  })
  const reasonOf = (results: typeof clients, id: string) => {
    const result = results.get(id)
    return result !== undefined && 'reason' in result ? result.reason : null
  }
  await keepVersions(trx, shop.id, [
    ...readClients
      .filter(({ row }) => isNew({ kind: 'client', row }))
      .map(({ row, reason }) => ({
        kind: 'client' as const,
        row,
        reason: reason ?? reasonOf(clients, row.external_id),
      })),
    ...readOrders.map(({ row, reason }) => ({
      kind: 'order' as const,
      row,
      reason: reason ?? reasonOf(stored, row.external_id),
    })),
  ])
}

/** The newest version of each customer and order among the rows. */
function read(shop: StoringShop, phase: ShopPhase, rows: readonly unknown[]) {
  const dialect = shopDialects[shop.kind]
  const idOf = (id: string) => `${shop.kind}:${shop.address.replace(/^https:\/\//, '')}:${id}`
  const customers = new Map<string, Version<ShopCustomer>>()
  const orders = new Map<string, Version<ShopOrder>>()
  const keep = <Given>(versions: Map<string, Version<Given>>, row: Version<Given>) => {
    const before = versions.get(row.external_id)
    if (before === undefined || compare(row, before) >= 0) versions.set(row.external_id, row)
  }
  const addCustomer = (given: ShopCustomer, isOwnRecord: boolean) =>
    keep(customers, {
      external_id: idOf(given.id),
      number: given.id.startsWith('guest') ? '' : given.id,
      isOwnRecord,
      version: new Date(given.updatedAt),
      given,
    })
  for (const raw of rows) {
    if (phase === 'customers') {
      const found = dialect.readCustomer(raw)
      if (found === null) continue
      if ('row' in found) addCustomer(found.row, true)
      else keep(customers, unknownRow(idOf(found.unreadable.id), found.unreadable))
      continue
    }
    const found = dialect.readOrder(raw)
    if (found === null) continue
    if ('unreadable' in found) {
      keep(orders, unknownRow(idOf(`order:${found.unreadable.id}`), found.unreadable))
      continue
    }
    const { row } = found
    const customer = row.customer ?? noContact(shop, row)
    addCustomer(customer, false)
    keep(orders, {
      external_id: idOf(`order:${row.id}`),
      number: row.number,
      isOwnRecord: true,
      version: new Date(row.updatedAt),
      given: { ...row, customer: { ...customer, id: idOf(customer.id) } },
    })
  }
  return { customers, orders }
}

const unknownRow = (external_id: string, { id, updatedAt }: { id: string; updatedAt: string }) => ({
  external_id,
  number: id,
  isOwnRecord: true,
  version: new Date(updatedAt),
  given: null,
})

/** Orders without any contact, as a till makes them, have one client of the shop. */
const noContact = (shop: StoringShop, { createdAt }: ShopOrder): ShopCustomer => ({
  id: 'guest',
  first_name: 'Guest',
  last_name: shop.name,
  company_name: null,
  email: null,
  phone: null,
  updatedAt: createdAt,
})

type Compared = { isOwnRecord: boolean; version: Date }
const compare = (one: Compared, other: Compared): number =>
  Number(one.isOwnRecord) - Number(other.isOwnRecord) || one.version.getTime() - other.version.getTime()

async function knownVersions(trx: Transaction<Tables>, shopId: string, externalIds: readonly string[]) {
  if (externalIds.length === 0) return new Map<string, Row<'shop_rows'>>()
  const rows = await trx
    .selectFrom('shop_rows')
    .selectAll()
    .where('shop_id', '=', shopId)
    .where(sql<boolean>`external_id = any(${[...externalIds]}::text[])`)
    .execute()
  return new Map(rows.map((row) => [`${row.kind} ${row.external_id}`, row]))
}

/**
 * `stored`: the clients that are stored under these ids or their aliases, or recognized. `recognized`: those that were
 * known before the shop, by an email address or a phone number that one client alone has. They stay as they are.
 */
async function clientsHeld(
  trx: Transaction<Tables>,
  { business }: Parts,
  shop: StoringShop,
  candidates: readonly Version<ShopCustomer>[],
): Promise<{ stored: Set<string>; recognized: Set<string> }> {
  const names = candidates.flatMap(({ external_id, given }) =>
    given === null
      ? []
      : [
          {
            external_id,
            email: given.email?.toLowerCase() ?? null,
            phone: phoneNumberOf(given.phone, business.country),
          },
        ],
  )
  if (names.length === 0) return { stored: new Set(), recognized: new Set() }
  const own = `${shop.kind}:${shop.address.replace(/^https:\/\//, '')}:`
  const { rows } = await sql<{ external_id: string; is_stored: boolean; is_recognized: boolean }>`
    select given.external_id,
      exists (select from clients where clients.external_id = given.external_id)
        or exists (select from client_aliases alias where alias.external_id = given.external_id) as is_stored,
      (given.email is not null and (
        select count(*) = 1 and bool_and(not starts_with(coalesce(clients.external_id, ''), ${own}))
        from clients where removed_at is null and lower(clients.email) = given.email))
      or (given.phone is not null and (
        select count(*) = 1 and bool_and(not starts_with(coalesce(clients.external_id, ''), ${own}))
        from clients where removed_at is null and phone_e164 = given.phone and phone is not distinct from phone_read)) as is_recognized
    from jsonb_to_recordset(${JSON.stringify(names)}::jsonb) as given (external_id text, email text, phone text)`.execute(
    trx,
  )
  const recognized = rows.filter((row) => !row.is_stored && row.is_recognized).map(({ external_id }) => external_id)
  const stored = rows.filter((row) => row.is_stored).map(({ external_id }) => external_id)
  return { stored: new Set([...stored, ...recognized]), recognized: new Set(recognized) }
}

type Given<Value> = { given: Value | null; reason: string | null }

function toClient({ business }: Parts, { external_id, given }: Version<ShopCustomer>): Given<Client> {
  if (given === null) return { given: null, reason: unknownForm }
  const { id: _, updatedAt: _at, ...fields } = given
  // The schema needs both names; a shop needs none.
  const names = { first_name: given.first_name || nameWithout(given), last_name: given.last_name || '–' }
  const phone = phoneNumberOf(given.phone, business.country) ?? given.phone
  const read = importedClient.safeParse({ ...fields, ...names, phone })
  if (!read.success) return { given: null, reason: invalid(read.error.issues[0]?.path) }
  return { given: { external_id, ...read.data, last_name: given.last_name }, reason: null }
}

const nameWithout = ({ company_name, email }: ShopCustomer): string => company_name ?? email?.split('@')[0] ?? 'Guest'

const invalid = (path: readonly PropertyKey[] | undefined): string => `The field ${path?.join('.')} is not valid.`

const orderReader =
  ({ business }: Parts, shop: StoringShop) =>
  ({ external_id, given }: Version<ShopOrder>): Given<{ order: Order; payment: Payment }> => {
    if (given === null) return { given: null, reason: unknownForm }
    const { customer, currency, number, total, paid, payment, createdAt } = given
    if (currency !== business.currency)
      return { given: null, reason: `The order is in ${currency}. This inbox counts in ${business.currency}.` }
    const order = importedOrder.safeParse({
      client: customer?.id,
      order_number: `${shopDialects[shop.kind].prefixOf(shop.address)} ${number}`,
      status: given.status,
      total_amount: total,
      created_at: createdAt,
      items: given.items
        .slice(0, importLimits.items)
        .map((item) => ({ ...item, name: item.name.trim().slice(0, importLimits.text) || '–' })),
    })
    const money = importedPayment.safeParse({
      order: external_id,
      amount: paid,
      status: payment,
      created_at: createdAt,
    })
    if (!order.success) return { given: null, reason: invalid(order.error.issues[0]?.path) }
    if (!money.success) return { given: null, reason: invalid(money.error.issues[0]?.path) }
    return {
      given: {
        order: {
          external_id,
          ...order.data,
          clientEmail: customer?.email ?? undefined,
          clientPhone: phoneNumberOf(customer?.phone, business.country) ?? undefined,
        },
        payment: { external_id, ...money.data },
      },
      reason: null,
    }
  }

type Kept = { kind: 'client' | 'order'; row: Version<unknown>; reason: string | null }

async function keepVersions(trx: Transaction<Tables>, shopId: string, rows: readonly Kept[]): Promise<void> {
  if (rows.length === 0) return
  const values = rows.map(({ kind, row, reason }) => ({
    kind,
    external_id: row.external_id,
    is_own_record: row.isOwnRecord,
    version: row.version,
    number: row.number.slice(0, importLimits.text),
    reason,
  }))
  await sql`
    insert into shop_rows (shop_id, kind, external_id, is_own_record, version, number, reason)
    select ${shopId}, kind, external_id, is_own_record, version, number, reason
    from jsonb_to_recordset(${JSON.stringify(values)}::jsonb)
      as given (kind text, external_id text, is_own_record boolean, version timestamptz, number text, reason text)
    on conflict (shop_id, kind, external_id) do update set is_own_record = excluded.is_own_record,
      version = excluded.version, number = excluded.number, reason = excluded.reason`.execute(trx)
}
