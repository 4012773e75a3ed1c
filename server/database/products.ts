import { sql, type Transaction } from 'kysely'
import { type ProductBody, productLimits } from '../../src/schemas/product.ts'
import type { Db } from './database.ts'
import type { Tables } from './tables.ts'

const shown = (db: Db) =>
  db
    .selectFrom('products')
    .select(['id', 'external_id as code', 'name', 'price', 'is_active', 'picture_url', 'link_url'])

/** All products, by name. */
export const listProducts = (db: Db) => shown(db).orderBy(sql`lower(name)`).orderBy('id').execute()

export const findProduct = (db: Db, id: string) => shown(db).where('id', '=', id).executeTakeFirst()

/** 'taken': another product has the code. 'full': there are too many. */
export type ProductProblem = 'taken' | 'full'

/** One write at a time: two could pass the limit together. */
export const lockProducts = (trx: Db) => sql`select pg_advisory_xact_lock(hashtext('products'))`.execute(trx)

export async function countProducts(trx: Db): Promise<number> {
  const { count } = await trx
    .selectFrom('products')
    .select((select) => select.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

async function isTaken(trx: Db, code: string | null, id = ''): Promise<boolean> {
  if (code === null) return false
  const other = await trx
    .selectFrom('products')
    .select('id')
    .where('external_id', '=', code)
    .where('id', '<>', id)
    .executeTakeFirst()
  return other !== undefined
}

const columnsOf = ({ code, ...values }: ProductBody) => ({ ...values, external_id: code })

/** Returns the id of the new product, or why it was not created. */
export async function createProduct(
  trx: Transaction<Tables>,
  values: ProductBody,
): Promise<{ id: string } | ProductProblem> {
  await lockProducts(trx)
  if ((await countProducts(trx)) >= productLimits.products) return 'full'
  if (await isTaken(trx, values.code)) return 'taken'
  return trx.insertInto('products').values(columnsOf(values)).returning('id').executeTakeFirstOrThrow()
}

/** Returns why the product was not changed; null if it was changed, undefined if there is none. */
export async function updateProduct(
  trx: Transaction<Tables>,
  id: string,
  values: ProductBody,
): Promise<'taken' | null | undefined> {
  await lockProducts(trx)
  if (await isTaken(trx, values.code, id)) return 'taken'
  const changed = await trx
    .updateTable('products')
    .set(columnsOf(values))
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return changed && null
}

/** Idempotent. Returns the name of the deleted product; undefined if there was none. */
export const deleteProduct = (db: Db, id: string) =>
  db.deleteFrom('products').where('id', '=', id).returning('name').executeTakeFirst()
