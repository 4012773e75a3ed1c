import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Db } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'

type Database = Db | Transaction<Tables>

/** An edit of a message on a page. `psid`: who edited, null if the network named nobody. */
export type Edit = { messageId: string; pageId: string; psid: string | null; text: string; at: Date }

/** Whether an edit of this time is newer than the last edit of the message. */
const isNewer = (at: RawBuilder<unknown>) =>
  sql`(messages.content ->> 'edited_at' is null or (messages.content ->> 'edited_at')::timestamptz < ${at})`

/**
 * Applies an edit, unless the message has a newer one. An edit of a message that is not stored yet is kept until the
 * message comes. Edits of deleted messages are dropped.
 */
export async function storeEdit(db: Database, { messageId, pageId, psid, text, at }: Edit): Promise<void> {
  const edited = await sql`
    update messages set message_text = edited_text(${text}, content), content = edited_content(content, ${at}::timestamptz)
    where message_id = ${messageId} and page_id = ${pageId} and ${isNewer(sql`${at}::timestamptz`)}
    returning message_id`.execute(db)
  if (edited.rows.length > 0) return
  await sql`
    insert into early_edits as known (message_id, page_id, psid, message_text, edited_at)
    select ${messageId}, ${pageId}, ${psid}, ${text}, ${at}::timestamptz
    where not exists (select from messages where message_id = ${messageId})
      and not exists (select from deleted_messages where message_id = ${messageId})
    on conflict (message_id) do update set message_text = excluded.message_text, edited_at = excluded.edited_at
      where known.edited_at < excluded.edited_at and known.page_id = excluded.page_id`.execute(db)
}

/** Applies the edits that came before these messages. */
export async function applyEarlyEdits(db: Database, messageIds: readonly string[]): Promise<void> {
  await sql`
    with early as (
      delete from early_edits where message_id in (select jsonb_array_elements_text(${JSON.stringify(messageIds)}::jsonb))
      returning message_id, page_id, message_text, edited_at
    )
    update messages set message_text = edited_text(early.message_text, messages.content),
      content = edited_content(messages.content, early.edited_at)
    from early
    where messages.message_id = early.message_id and messages.page_id = early.page_id
      and ${isNewer(sql`early.edited_at`)}`.execute(db)
}
