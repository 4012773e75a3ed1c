import { forgetAuditEntries } from '../audit/audit.ts'
import { announceChanges } from '../database/announcements.ts'
import { type MaintenanceParts, repeat } from '../database/maintenance.ts'
import { inTransaction } from '../database/transaction.ts'

/** Days; null keeps everything. */
export type Retention = { messages: number | null; events: number | null }

const interval = 60 * 60_000
const day = 24 * 60 * 60_000
/** Rows in one transaction. */
const batchSize = 500

/** Postbacks have no id of the network: a sync does not bring them, and their id contains the person's. */
const postbackIds = 'postback:%'

/** Periodically removes what is older than the settings allow, in batches. Returns a stop function. */
export const startRetention = (parts: MaintenanceParts, retention: Retention) =>
  repeat(parts, interval, () => removeOld(parts, retention))

/**
 * Messages: the rows go, and their ids stay, so that a sync does not bring them back. Sends lose their text; keys and
 * message ids stay, so that a late retry sends nothing. Drafts go. Events: entries of the audit log, finished syncs and completed erasures.
 */
export async function removeOld(parts: Pick<MaintenanceParts, 'db' | 'clock'>, retention: Retention): Promise<void> {
  const before = (days: number) => new Date(parts.clock.now() - days * day)
  if (retention.messages !== null) {
    await untilEmpty(() => removeMessages(parts, before(retention.messages ?? 0)))
    await untilEmpty(() => removeTexts(parts, before(retention.messages ?? 0)))
    await parts.db.deleteFrom('drafts').where('updated_at', '<', before(retention.messages)).execute()
  }
  if (retention.events !== null) {
    const until = before(retention.events)
    await parts.db.deleteFrom('history_syncs').where('finished_at', '<', until).execute()
    await parts.db.deleteFrom('auto_sync_runs').where('finished_at', '<', until).execute()
    await forgetAuditEntries(parts.db, { olderThan: until })
    await parts.db.deleteFrom('erasures').where('completed_at', '<', until).execute()
  }
}

async function untilEmpty(removeBatch: () => Promise<number>): Promise<void> {
  while ((await removeBatch()) === batchSize);
}

function removeMessages({ db }: Pick<MaintenanceParts, 'db'>, before: Date): Promise<number> {
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
          .where('message_id', 'not like', postbackIds),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await trx.deleteFrom('messages').where('message_id', 'in', ids).execute()
    return old.length
  })
}

async function removeTexts({ db }: Pick<MaintenanceParts, 'db'>, before: Date): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('sends')
    .set({ message_text: null, error: null })
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
