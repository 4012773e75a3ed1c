import { sql } from 'kysely'
import { batchSize } from './batches.ts'
import type { Db } from './database.ts'
import { type MaintenanceParts, repeat } from './maintenance.ts'
import { inTransaction } from './transaction.ts'

/** Milliseconds. */
const interval = 10_000

/**
 * Adds the messages that were stored before the index of words existed, newest first. Processes take turns. Returns a stop
 * function, which waits for the current batch.
 */
export const startIndexingMessages = (parts: MaintenanceParts) =>
  repeat(parts, interval, async (isRunning) => {
    while (isRunning() && (await indexBatch(parts.db)));
  })

/** Indexes a batch of messages. False if none is left, or if another process is at work. */
export async function indexBatch(db: Db): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const { rows } = await sql<{ before: number }>`
      select before from message_search_progress where before > 0 for update skip locked`.execute(trx)
    const [progress] = rows
    if (progress === undefined) return false
    // A message that is deleted meanwhile must not break the reference.
    const messages = await sql<{ id: number }>`
      with batch as materialized (
        select id, timestamp_fb, message_text from messages where id < ${progress.before} order by id desc
        limit ${batchSize} for key share
      ),
      added as (
        insert into message_search (id, at, words)
          select id, timestamp_fb, words
          from (select id, timestamp_fb, message_words(message_text) as words from batch) b
          where words <> '' order by id
          on conflict (id) do nothing
      )
      select id from batch order by id`.execute(trx)
    const before = messages.rows.length < batchSize ? 0 : (messages.rows[0]?.id ?? 0)
    await sql`update message_search_progress set before = ${before}`.execute(trx)
    return before > 0
  })
}
