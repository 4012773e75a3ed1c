import { sql } from 'kysely'
import type { Db } from './database.ts'

/**
 * Waits for imports that run, and holds others back until the transaction ends. So no import changes the rows that another
 * looks up, and none stores a client again who is being erased.
 */
export const lockImports = async (trx: Db): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('staff-inbox imports', 0))`.execute(trx)
}
