import { sql, type Transaction } from 'kysely'
import type { Tables } from './tables.ts'

/**
 * Switches the realtime notices of deleted rows off or on until the end of the transaction. A task that deletes many rows
 * announces only what browsers need.
 */
export const announceChanges = (trx: Transaction<Tables>, isOn: boolean) =>
  sql`select set_config('inbox.silent', ${isOn ? 'off' : 'on'}, true)`.execute(trx)
