import { sql } from 'kysely'
import { limits } from '../../src/domain/limits.ts'
import type { CustomerLanguage } from '../../src/schemas/customer-language.ts'
import type { ClientLabels } from '../../src/schemas/labels-of-row.ts'
import { type ReadPhone, readablePhone, readPhone } from '../phones.ts'
import type { Db } from './database.ts'
import { matchesSearch } from './search.ts'
import type { Row } from './tables.ts'
import { retryRowsThatWait } from './waiting-rows.ts'

const maxResults = 50

const labelsOfClient = sql<ClientLabels | null>`case when client_labels.client_id is not null
  then jsonb_build_object('version', client_labels.version, 'label_ids', client_labels.label_ids) end`

const shown = (db: Db) =>
  db
    .selectFrom('clients')
    .where('clients.removed_at', 'is', null)
    .leftJoin('conversations', 'conversations.client_id', 'clients.id')
    .leftJoin('client_labels', 'client_labels.client_id', 'clients.id')
    .select(labelsOfClient.as('labels'))
    .select([
      'clients.id',
      'clients.first_name',
      'clients.last_name',
      'clients.company_name',
      'clients.email',
      'clients.phone',
      'clients.classification',
      'clients.is_active',
      'clients.created_at',
      'clients.language',
      'clients.version',
      'conversations.primary_user_id as fb_user_id',
    ])

/** A client with its linked chat user (spec section 3). */
export const findClient = (db: Db, id: string) => shown(db).where('clients.id', '=', id).executeTakeFirst()

/** The clients with these ids, by id. */
export async function findClients(db: Db, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, never>()
  return new Map((await shown(db).where('clients.id', 'in', ids).execute()).map((row) => [row.id, row]))
}

/**
 * Clients whose name, email, phone or company contain every word of the search, sorted by name, at most 50. Searches
 * under 2 characters find no client (spec section 5). Phone numbers match in every notation; `country`: of numbers
 * without a country code.
 */
export async function searchClients(db: Db, search: string, country: string) {
  const term = search.trim()
  if (term.length < limits.clientSearchMinimum) return []
  // Materialized, because with the limit the planner would scan all clients by name.
  const matches = sql<{ id: string }>`
    with matches as materialized (
      select id, last_name, first_name from clients
      where removed_at is null and ${matchesSearch(term, country)}
    )
    select id from matches order by lower(last_name), lower(first_name), id limit ${maxResults}`
  const ids = (await matches.execute(db)).rows.map(({ id }) => id)
  const rows = await findClients(db, ids)
  return ids.flatMap((id) => rows.get(id) ?? [])
}

/** Null if there is no such client. `isNew`: the client had another language. To be called in a transaction. */
export async function chooseLanguage(
  db: Db,
  id: string,
  language: CustomerLanguage,
): Promise<{ isNew: boolean } | null> {
  const before = await db
    .selectFrom('clients')
    .select('language')
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (before === undefined) return null
  const isNew = before.language !== language
  if (isNew) await db.updateTable('clients').set({ language }).where('id', '=', id).execute()
  return { isNew }
}

type NewClient = Pick<Row<'clients'>, 'first_name' | 'last_name' | 'company_name' | 'email' | 'is_active'> & ReadPhone

/** Returns the new client's id. To be called in a transaction. */
export async function createClient(trx: Db, values: NewClient): Promise<string> {
  const { id } = await trx.insertInto('clients').values(values).returning('id').executeTakeFirstOrThrow()
  await retryRowsThatWait(trx, ['orders'])
  return id
}

type ClientFields = Pick<Row<'clients'>, 'first_name' | 'last_name' | 'company_name' | 'email' | 'classification'>

/** What an edit did. `changed`: the names of the fields that have another value now. */
export type ClientEdit = { result: 'saved'; changed: string[] } | { result: 'outdated' | 'unknown' }

/**
 * Writes the fields of a client that still has the version. A phone number that was not edited, and so is as people read it,
 * keeps its text. To be called in a transaction.
 */
export async function editClient(
  trx: Db,
  id: string,
  { version, phone, ...fields }: ClientFields & { version: number; phone: string | null },
  country: string,
): Promise<ClientEdit> {
  const before = await trx
    .selectFrom('clients')
    .selectAll()
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (before === undefined) return { result: 'unknown' }
  if (Number(before.version) !== version) return { result: 'outdated' }
  const isSamePhone = phone === before.phone || phone === readablePhone(before.phone, country)
  const changed = [
    ...(Object.keys(fields) as (keyof ClientFields)[]).filter((field) => fields[field] !== before[field]),
    ...(isSamePhone ? [] : ['phone']),
  ]
  if (changed.length > 0)
    await trx
      .updateTable('clients')
      .set({ ...fields, ...(isSamePhone ? {} : readPhone(phone, country)) })
      .where('id', '=', id)
      .execute()
  // An order of a file names its client by email address or phone number.
  if (changed.includes('email') || changed.includes('phone')) await retryRowsThatWait(trx, ['orders'])
  return { result: 'saved', changed }
}
