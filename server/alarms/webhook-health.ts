import { sql } from 'kysely'
import type { Db } from '../database/database.ts'

const minute = 60_000
/** A webhook may be this late. */
const maxDelay = 5 * minute
/** A message older than this may come from before the app was subscribed, or from a long stop of the server. */
const maxAge = 24 * 60 * minute

/**
 * Records that a sync brought an incoming message that a webhook should have brought. `messageIds` are the messages of
 * the page that the sync read; call it in the transaction that stored them, which is how the new ones are known.
 */
export async function recordMissedWebhooks(trx: Db, pageId: string, messageIds: string[], now: number): Promise<void> {
  await sql`
    insert into webhook_health (page_id, missed_at)
    select page_id, ${new Date(now)} from pages
    where page_id = ${pageId}
      and exists (
        select from messages
        where message_id = any(${messageIds}) and direction = 'incoming' and created_at = transaction_timestamp()
          and timestamp_fb < ${new Date(now - maxDelay)}
          and timestamp_fb > greatest(pages.created_at, ${new Date(now - maxAge)})
          -- Not one of a parked delivery, which may wait for weeks.
          and not exists (
            select from webhook_inbox
            where processed_at is null and due_at = 'infinity' and position(message_id in body) > 0
          )
      )
      -- Not while deliveries wait here.
      and not exists (select from webhook_inbox where processed_at is null and due_at < 'infinity')
    on conflict (page_id) do update set missed_at = excluded.missed_at`.execute(trx)
}

/** Records that webhooks of the pages arrived, for those where one was missed before. */
export async function recordDeliveredWebhooks(db: Db, pageIds: readonly string[], at: Date): Promise<void> {
  await db
    .updateTable('webhook_health')
    .set({ delivered_at: at })
    .where('page_id', 'in', pageIds)
    .where((is) => is.or([is('delivered_at', 'is', null), is('delivered_at', '<=', is.ref('missed_at'))]))
    .where('missed_at', '<', at)
    .execute()
}
