import { sql } from 'kysely'
import { type MaintenanceParts, repeat } from '../database/maintenance.ts'
import { inTransaction } from '../database/transaction.ts'
import { collectQuestions } from './questions.ts'

/** Milliseconds. */
const interval = 20_000
/** Conversations and messages of one transaction. */
const batches = { conversations: 100, messages: 2_000, questions: 500 }

/**
 * Folds the volumes of messages, finds questions, and counts what was stored before the reports existed. One process works
 * at a time. Returns a stop function, which waits for the current batch.
 */
export const startCollectingReports = (parts: MaintenanceParts) =>
  repeat(parts, interval, (isRunning) => collectReports(parts, isRunning))

export async function collectReports(
  { db, clock }: Pick<MaintenanceParts, 'db' | 'clock'>,
  isRunning: () => boolean = () => true,
): Promise<void> {
  const call = (name: 'derive_next_waits' | 'count_next_messages', batch: number) =>
    inTransaction(db, async (trx) => {
      const { rows } = await sql<{ more: boolean }>`select ${sql.raw(name)}(${batch}) as more`.execute(trx)
      return rows[0]?.more === true
    })
  while (isRunning() && (await call('derive_next_waits', batches.conversations)));
  while (isRunning() && (await call('count_next_messages', batches.messages)));
  while (isRunning() && (await collectQuestions(db, { now: clock.now(), batch: batches.questions })));
  await sql`select fold_message_volumes()`.execute(db)
}
