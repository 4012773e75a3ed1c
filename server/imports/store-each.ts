import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Tables } from '../database/tables.ts'
import type { StoredRow } from './batch.ts'

/** What the earlier rows of a file change, which the check does not store. */
export type EarlierRows = {
  /** Of these targets, those of earlier rows. */
  targets: (targets: readonly string[]) => Promise<ReadonlySet<string>>
  /** The earlier rows of the items of these orders: by order, its items, and how many of them are new. */
  items: (orders: readonly string[]) => Promise<ReadonlyMap<string, { ids: ReadonlySet<string>; created: number }>>
  /** The number of new rows. */
  created: number
}

/** `isDryRun`: finds the results and stores nothing. `earlier`: of the check of a file. */
export type Writing = { trx: Transaction<Tables>; isDryRun: boolean; earlier?: EarlierRows | undefined }
type NotStored = { result: 'refused' | 'waiting'; reason: string }
export const refusal = (reason: string): NotStored => ({ result: 'refused', reason })
export const waits = (reason: string): NotStored => ({ result: 'waiting', reason })
export const noOrder = (order: string): NotStored => waits(`No order has the external id ${order}.`)

type Target = {
  table: 'clients' | 'orders' | 'payments' | 'products'
  columns: readonly string[]
  kept?: readonly string[] | undefined
}

/** Stores the rows that `toRow` returns, unless it returns why a row is not stored. */
export async function storeEach<Row extends { external_id: string }>(
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
