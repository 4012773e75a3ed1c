import { sql } from 'kysely'
import { limits } from '../../src/domain/limits.ts'
import type { ClientLabels } from '../../src/schemas/labels-of-row.ts'
import type { Db } from './database.ts'
import { searchPatterns } from './search.ts'
import type { Row } from './tables.ts'

const maxResults = 50

const labelsOfClient = sql<ClientLabels | null>`case when client_labels.client_id is not null
  then jsonb_build_object('version', client_labels.version, 'label_ids', client_labels.label_ids) end`

const shown = (db: Db) =>
  db
    .selectFrom('clients')
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
      'conversations.primary_user_id as fb_user_id',
    ])

/** A client with its linked chat user (spec section 3). */
export const findClient = (db: Db, id: string) => shown(db).where('clients.id', '=', id).executeTakeFirst()

/**
 * Clients whose name, e-mail, phone or company contain every word of the search, sorted by name, at most 50. Searches
 * under 2 characters find no client (spec section 5). Phone numbers match in every notation.
 */
export async function searchClients(db: Db, search: string) {
  const term = search.trim()
  if (term.length < limits.clientSearchMinimum) return []
  const patterns = phonePattern(term) ?? searchPatterns(term)
  if (patterns.length === 0) return []
  // Materialized, because with the limit the planner would scan all clients by name.
  const matches = sql<{ id: string }>`
    with matches as materialized (
      select id, last_name, first_name from clients
      where ${sql.join(
        patterns.map((pattern) => sql`search_text like ${pattern}`),
        sql` and `,
      )}
    )
    select id from matches order by lower(last_name), lower(first_name), id limit ${maxResults}`
  const ids = (await matches.execute(db)).rows.map(({ id }) => id)
  if (ids.length === 0) return []
  const rows = new Map((await shown(db).where('clients.id', 'in', ids).execute()).map((row) => [row.id, row]))
  return ids.flatMap((id) => rows.get(id) ?? [])
}

/** A Philippine number may begin with +63 or 0. */
function phonePattern(term: string): string[] | null {
  if (!/^\+?[\d\s().-]+$/.test(term)) return null
  const digits = term.replaceAll(/\D/g, '')
  if (digits.length < 4) return null
  const national = term.startsWith('+63') || /^63\d{9,}$/.test(digits) ? digits.slice(2) : digits.replace(/^0/, '')
  return [`%${national}%`]
}

type NewClient = Pick<Row<'clients'>, 'first_name' | 'last_name' | 'company_name' | 'email' | 'phone' | 'is_active'>

/** Returns the new client's id. */
export async function createClient(db: Db, values: NewClient): Promise<string> {
  const { id } = await db.insertInto('clients').values(values).returning('id').executeTakeFirstOrThrow()
  return id
}
