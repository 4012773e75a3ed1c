import type { CsvKind } from '../../src/schemas/csv-import.ts'
import type { Db } from './database.ts'

/**
 * Lets the imports of these kinds try their waiting rows again: an order waits for its client, the others for their
 * order.
 */
export async function retryRowsThatWait(trx: Db, kinds: readonly CsvKind[]): Promise<void> {
  if (kinds.length === 0) return
  await trx
    .updateTable('csv_imports')
    .set({ retries_waiting: true })
    .where('kind', 'in', kinds)
    .where('state', 'in', ['running', 'completed'])
    .where('waiting', '>', 0)
    .where('retries_waiting', '=', false)
    .execute()
}
