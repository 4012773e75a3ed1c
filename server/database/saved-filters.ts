import { sql, type Transaction } from 'kysely'
import {
  filterNameKey,
  type SavedFilterBody,
  type SavedFilters,
  savedFilterLimits,
} from '../../src/schemas/saved-filter.ts'
import type { Db } from './database.ts'
import type { Tables } from './tables.ts'

/** All filters of a staff member, by name. The version is 0 before the first write. */
export async function listSavedFilters(db: Db, staffId: string): Promise<SavedFilters> {
  // One statement, so that the version belongs to the filters.
  const { rows } = await sql<SavedFilters>`
    select
      coalesce((select version from saved_filter_versions where staff_id = ${staffId}), 0) as version,
      coalesce((
        select jsonb_agg(jsonb_build_object('id', id, 'name', name, 'view', view, 'page_id', page_id,
          'label_id', label_id, 'assigned_to', assigned_to, 'unread_only', unread_only) order by name_key, id)
        from saved_filters where staff_id = ${staffId}
      ), '[]') as filters`.execute(db)
  return rows[0] ?? { version: 0, filters: [] }
}

/** Announces the change. The row of the version orders the writes of one person. */
const increaseVersion = (trx: Transaction<Tables>, staffId: string) =>
  sql`
    insert into saved_filter_versions as stored (staff_id, version) values (${staffId}, 1)
    on conflict (staff_id) do update set version = stored.version + 1`.execute(trx)

/** One write of a person at a time: two could pass the limit together, or take the same name. */
const lockFilters = (trx: Transaction<Tables>, staffId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`saved filters ${staffId}`}, 0))`.execute(trx)

/** 'taken': another filter of the person has the name. 'full': the person has too many. */
export type SavedFilterProblem = 'taken' | 'full'

/** Creates the filter with this id, or changes it. Returns why it was not saved; null if it was. */
export async function saveFilter(
  trx: Transaction<Tables>,
  { staffId, id, values, now }: { staffId: string; id: string; values: SavedFilterBody; now: Date },
): Promise<SavedFilterProblem | null> {
  await lockFilters(trx, staffId)
  const nameKey = filterNameKey(values.name)
  const others = await trx
    .selectFrom('saved_filters')
    .select('name_key')
    .where('staff_id', '=', staffId)
    .where('id', '<>', id)
    .execute()
  if (others.some(({ name_key }) => name_key === nameKey)) return 'taken'
  if (others.length >= savedFilterLimits.filters) return 'full'
  const columns = { ...values, name_key: nameKey }
  await trx
    .insertInto('saved_filters')
    .values({ ...columns, staff_id: staffId, id, created_at: now })
    .onConflict((conflict) => conflict.columns(['staff_id', 'id']).doUpdateSet(columns))
    .execute()
  await increaseVersion(trx, staffId)
  return null
}

/** Idempotent. */
export async function deleteFilter(trx: Transaction<Tables>, staffId: string, id: string): Promise<void> {
  await lockFilters(trx, staffId)
  const deleted = await trx
    .deleteFrom('saved_filters')
    .where('staff_id', '=', staffId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (deleted.numDeletedRows > 0n) await increaseVersion(trx, staffId)
}
