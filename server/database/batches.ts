import { sql } from 'kysely'
import type { Db } from './database.ts'
import type { Tables } from './tables.ts'

/**
 * Rows that one transaction changes, so that none holds its locks for long, and rows that one query of an export reads.
 * Migration 0029 has the same number.
 */
export const batchSize = 500

/** Repeats `removeBatch`, which returns the number of its rows, while it fills a batch and `isRunning`. */
export async function inBatches(isRunning: () => boolean, removeBatch: () => Promise<number>): Promise<void> {
  while (isRunning() && (await removeBatch()) >= batchSize);
}

/** Deletes the rows whose time in `column` is before `before`, in batches. Null times stay. */
export const deleteOlder = <Table extends keyof Tables & string>(
  db: Db,
  isRunning: () => boolean,
  { table, column, before }: { table: Table; column: keyof Tables[Table] & string; before: Date },
): Promise<void> =>
  inBatches(isRunning, async () => {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where ${sql.ref(column)} < ${before} limit ${batchSize}
      ))`.execute(db)
    return Number(numAffectedRows ?? 0)
  })
