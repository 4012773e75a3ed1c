import { sql } from 'kysely'
import { removalLimits } from '../../src/schemas/client-removal.ts'
import { forgetAuditEntries } from '../audit/audit.ts'
import { announceChanges } from '../database/announcements.ts'
import { batchSize, deleteOlder, inBatches } from '../database/batches.ts'
import { purgeRemovals } from '../database/client-removals.ts'
import type { Db } from '../database/database.ts'
import { type MaintenanceParts, repeat } from '../database/maintenance.ts'
import { inTransaction } from '../database/transaction.ts'
import { removeOldNotes } from '../notes/notes.ts'
import { removeOldComments } from './erased-comments.ts'

/** Days; null keeps everything. */
export type Retention = { messages: number | null; events: number | null }

const interval = 60 * 60_000
/** A server that is restarted more often than `interval` removes old rows too. */
const firstDelay = 60_000
const day = 24 * 60 * 60_000

/** Of presses of buttons, referrals and opt-ins without an id of the network: a sync does not bring them, and their id contains the person's. */
const ownIds = '^(postback|referral|optin):'

/** The network repeats what it could not deliver for a day and a half. Days. */
const earlyEditDays = 7

/**
 * Periodically removes what is older than the settings allow, in batches. A run that was cut off is finished by the next
 * one, of any process. Returns a stop function, which waits for the current batch.
 */
export const startRetention = (parts: MaintenanceParts, retention: Retention) =>
  repeat(parts, interval, (isRunning) => removeOld(parts, retention, isRunning), firstDelay)

/**
 * Messages: the rows go, and their ids stay, so that a sync does not bring them back. Sends lose their text; keys and
 * message ids stay, so that a late retry sends nothing. Comments, notes and drafts of the same age go too. Events: entries of the
 * audit log, finished syncs and completed erasures. Deleted and merged clients go after 30 days, whatever the settings.
 * Nothing is announced: browsers show what they hold until they fetch again.
 */
export async function removeOld(
  { db, clock }: Pick<MaintenanceParts, 'db' | 'clock'>,
  retention: Retention,
  isRunning: () => boolean = () => true,
): Promise<void> {
  const before = (days: number) => new Date(clock.now() - days * day)
  if (retention.messages !== null) {
    const until = before(retention.messages)
    await inBatches(isRunning, () => removeMessages(db, until))
    await inBatches(isRunning, () => removeOldNotes(db, until, batchSize))
    await inBatches(isRunning, () => removeOldComments(db, until, batchSize))
    await inBatches(isRunning, () => removeTexts(db, until))
    await db.deleteFrom('drafts').where('updated_at', '<', until).execute()
  }
  if (retention.events !== null) {
    const until = before(retention.events)
    await deleteOlder(db, isRunning, { table: 'history_syncs', column: 'finished_at', before: until })
    await deleteOlder(db, isRunning, { table: 'auto_sync_runs', column: 'finished_at', before: until })
    await inBatches(isRunning, () => forgetAuditEntries(db, { olderThan: until }))
    await deleteOlder(db, isRunning, { table: 'erasures', column: 'completed_at', before: until })
  }
  await deleteOlder(db, isRunning, { table: 'early_edits', column: 'created_at', before: before(earlyEditDays) })
  await inBatches(isRunning, () => purgeRemovals(db, before(removalLimits.days)))
}

function removeMessages(db: Db, before: Date): Promise<number> {
  return inTransaction(db, async (trx) => {
    const old = await trx
      .selectFrom('messages')
      .select(['message_id', 'fb_user_id'])
      .where('timestamp_fb', '<', before)
      .limit(batchSize)
      .execute()
    if (old.length === 0) return 0
    await trx
      .insertInto('history_starts')
      .values(
        [...new Set(old.map(({ fb_user_id }) => fb_user_id))].map((id) => ({ fb_user_id: id, is_reached: false })),
      )
      .onConflict((conflict) => conflict.column('fb_user_id').doUpdateSet({ is_reached: false }))
      .execute()
    const ids = old.map(({ message_id }) => message_id)
    await announceChanges(trx, false)
    await trx
      .insertInto('deleted_messages')
      .columns(['message_id'])
      .expression((from) =>
        from
          .selectFrom('messages')
          .select('message_id')
          .where('message_id', 'in', ids)
          .where(sql<boolean>`message_id !~ ${ownIds}`),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await trx.deleteFrom('messages').where('message_id', 'in', ids).execute()
    return old.length
  })
}

/** The file of a send that was not confirmed expires by itself. */
async function removeTexts(db: Db, before: Date): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('sends')
    .set({ message_text: null, file_id: null, structured: null, error: null })
    .where('idempotency_key', 'in', (some) =>
      some
        .selectFrom('sends')
        .select('idempotency_key')
        .where('updated_at', '<', before)
        .where('message_text', 'is not', null)
        .limit(batchSize),
    )
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
