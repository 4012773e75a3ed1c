import { sql, type Transaction } from 'kysely'
import type { Tables } from '../database/tables.ts'
import type { OfOrder } from './batch.ts'

/** The external ids of the clients that aliases name. */
export async function namesOfAliases(
  trx: Transaction<Tables>,
  aliases: readonly string[],
): Promise<Map<string, string>> {
  if (aliases.length === 0) return new Map()
  const rows = await trx
    .selectFrom('client_aliases as alias')
    .innerJoin('clients', 'clients.id', 'alias.client_id')
    .select(['alias.external_id as alias', 'clients.external_id as name'])
    .where('alias.external_id', 'in', aliases)
    .execute()
  return new Map(rows.flatMap(({ alias, name }) => (name === null ? [] : [[alias, name] as const])))
}

/** The ids of clients by their external ids and aliases, also of deleted clients if asked for. */
export async function clientIdsOf(
  trx: Transaction<Tables>,
  externalIds: readonly string[],
  { withDeleted = false } = {},
): Promise<Map<string, string>> {
  if (externalIds.length === 0) return new Map()
  const { rows } = await sql<{ external_id: string; id: string }>`
    select external_id, id from clients
    where (${withDeleted} or removed_at is null) and external_id = any(${[...externalIds]}::text[])
    union all
    select alias.external_id, clients.id from client_aliases alias join clients on clients.id = alias.client_id
    where (${withDeleted} or clients.removed_at is null) and alias.external_id = any(${[...externalIds]}::text[])`.execute(
    trx,
  )
  return new Map(rows.map(({ external_id, id }) => [external_id, id]))
}

/** The ids of rows by their external ids. */
export async function idsOf(
  trx: Transaction<Tables>,
  table: 'orders' | 'products',
  externalIds: readonly string[],
): Promise<Map<string, string>> {
  if (externalIds.length === 0) return new Map()
  const { rows } = await sql<{ external_id: string; id: string }>`
    select external_id, id from ${sql.table(table)} where external_id = any(${[...externalIds]}::text[])`.execute(trx)
  return new Map(rows.map(({ external_id, id }) => [external_id, id]))
}

/** The ids of clients by their email address in lower case. An address that several clients have names none of them. */
export async function clientsByEmail(
  trx: Transaction<Tables>,
  emails: readonly string[],
): Promise<Map<string, string>> {
  if (emails.length === 0) return new Map()
  const { rows } = await sql<{ email: string; id: string }>`
    select lower(email) as email, min(id) as id from clients
    where removed_at is null and lower(email) = any(${emails.map((email) => email.toLowerCase())}::text[])
    group by lower(email) having count(*) = 1`.execute(trx)
  return new Map(rows.map(({ email, id }) => [email, id]))
}

/** The clients by phone number. A number of several clients names none, nor does one that was changed and not read yet. */
export async function clientsByPhone(
  trx: Transaction<Tables>,
  phones: readonly string[],
): Promise<Map<string, string>> {
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
export async function holdersOf(
  trx: Transaction<Tables>,
  numbers: readonly string[],
): Promise<Map<string, string | null>> {
  if (numbers.length === 0) return new Map()
  const { rows } = await sql<{ order_number: string; external_id: string | null }>`
    select order_number, external_id from orders where order_number = any(${[...numbers]}::text[])`.execute(trx)
  return new Map(rows.map(({ order_number, external_id }) => [order_number, external_id]))
}

/** The id of the order that a row names; undefined if there is none. */
export async function findOrders(trx: Transaction<Tables>, rows: readonly ({ order: string } & OfOrder)[]) {
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

/** The ids of payments that were recorded here: an export names them by these, and an import must not store them again. */
export async function ownPaymentsAmong(trx: Transaction<Tables>, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select id from payments where id = any(${[...ids]}::text[]) and external_id is null`.execute(trx)
  return new Set(rows.map(({ id }) => id))
}

/**
 * The external ids of payments that are not stored, and that have the order, the amount and the day of a payment that was
 * recorded here and not rejected.
 */
export async function recordedHere(
  trx: Transaction<Tables>,
  payments: readonly { external_id: string; order_id: string | undefined; amount: number; created_at: string }[],
  timeZone: string,
): Promise<Set<string>> {
  const named = payments.filter(({ order_id }) => order_id !== undefined)
  if (named.length === 0) return new Set()
  const { rows } = await sql<{ external_id: string }>`
    select distinct given.external_id
    from jsonb_to_recordset(${JSON.stringify(named)}::jsonb)
      as given (external_id text, order_id text, amount numeric, created_at timestamptz)
    join payments own on own.order_id = given.order_id and own.external_id is null and own.status <> 'rejected'
      and own.amount = given.amount
      and (own.created_at at time zone ${timeZone})::date = (given.created_at at time zone ${timeZone})::date
    where not exists (select from payments known where known.external_id = given.external_id)`.execute(trx)
  return new Set(rows.map(({ external_id }) => external_id))
}
