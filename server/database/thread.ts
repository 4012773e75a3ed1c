import { sql } from 'kysely'
import type { ConversationStart, MessagesAroundQuery, MessagesQuery } from '../../src/schemas/message.ts'
import type { Db } from './database.ts'
import type { Row } from './tables.ts'
import { inTransaction } from './transaction.ts'

export type ThreadMessage = Row<'messages'> & { page_name: string | null }

/**
 * A result page of a conversation's messages: page 1 has the newest ones, and each page is sorted oldest first (spec
 * section 7, GET /facebook/conversations/{id}/messages). `hasMore`: older messages exist.
 */
export async function listMessages(
  db: Db,
  primaryUserId: string,
  { page, limit, pageId }: MessagesQuery,
): Promise<{ messages: ThreadMessage[]; hasMore: boolean }> {
  const offset = (page - 1) * limit
  const part = sql`order by timestamp_fb desc, message_id desc limit ${limit + 1} offset ${offset}`
  const keys =
    pageId === undefined
      ? sql`select message_id, timestamp_fb from messages where primary_user_id = ${primaryUserId} ${part}`
      : // Uses the index of each identity; a person rarely has more than one identity on a page.
        sql`
          select newest.message_id, newest.timestamp_fb
          from fb_users f
          cross join lateral (
            select message_id, timestamp_fb from messages where fb_user_id = f.id
            order by timestamp_fb desc, message_id desc limit ${offset + limit + 1}
          ) newest
          where f.primary_user_id = ${primaryUserId} and f.page_id = ${pageId}
          ${part}`
  const { rows } = await sql<ThreadMessage>`
    with keys as materialized (${keys})
    select m.*, pages.page_name
    from keys
    join messages m on m.message_id = keys.message_id
    left join pages on pages.page_id = m.page_id
    order by m.timestamp_fb desc, m.message_id desc`.execute(db)
  return { messages: rows.slice(0, limit).reverse(), hasMore: rows.length > limit }
}

/**
 * The messages of a conversation before or after one message, or around it, oldest first and without a gap. Null if the
 * message does not exist and no time is given, or if it belongs to another conversation.
 */
export async function listMessagesAround(
  db: Db,
  primaryUserId: string,
  { messageId, at, side, limit, pageId }: MessagesAroundQuery,
): Promise<{ messages: ThreadMessage[]; hasOlder: boolean; hasNewer: boolean } | null> {
  const known = await db
    .selectFrom('messages')
    .select(['primary_user_id', 'timestamp_fb'])
    .where('message_id', '=', messageId)
    .executeTakeFirst()
  if (known === undefined ? at === undefined : known.primary_user_id !== primaryUserId) return null

  const place = sql`(coalesce((select timestamp_fb from messages where message_id = ${messageId}), ${at ?? null}::timestamptz),
    ${messageId})`
  const ofPage = pageId === undefined ? sql`true` : sql`m.page_id = ${pageId}`
  const read = async (direction: 'older' | 'newer', isIncluded: boolean, count: number) => {
    const [comparison, order] =
      direction === 'older'
        ? [sql.raw(isIncluded ? '<=' : '<'), sql`desc`]
        : [sql.raw(isIncluded ? '>=' : '>'), sql`asc`]
    const { rows } = await sql<ThreadMessage>`
      select m.*, pages.page_name from messages m left join pages on pages.page_id = m.page_id
      where m.primary_user_id = ${primaryUserId} and ${ofPage}
        and (m.timestamp_fb, m.message_id) ${comparison} ${place}
      order by m.timestamp_fb ${order}, m.message_id ${order} limit ${count + 1}`.execute(db)
    return { rows: rows.slice(0, count), hasMore: rows.length > count }
  }
  const none = { rows: [], hasMore: false }
  const half = Math.floor(limit / 2)
  const older =
    side === 'both' ? await read('older', true, half) : side === 'older' ? await read('older', false, limit) : none
  const newer =
    side === 'both'
      ? await read('newer', false, limit - half)
      : side === 'older'
        ? none
        : await read('newer', side === 'from', limit)
  return { messages: [...older.rows.toReversed(), ...newer.rows], hasOlder: older.hasMore, hasNewer: newer.hasMore }
}

/** Whether the stored messages of a conversation, or of its part on one page, reach back to the start. */
export async function findStart(db: Db, primaryUserId: string, pageId: string | undefined): Promise<ConversationStart> {
  const identities = await db
    .selectFrom('fb_users')
    .leftJoin('history_starts', 'history_starts.fb_user_id', 'fb_users.id')
    .select(['page_id', 'psid', 'platform', 'is_reached'])
    .where('primary_user_id', '=', primaryUserId)
    .$if(pageId !== undefined, (query) => query.where('page_id', '=', pageId ?? ''))
    .orderBy('fb_users.created_at')
    .orderBy('fb_users.id')
    .execute()
  const unsynced = identities.find(({ is_reached }) => is_reached === null)
  return {
    is_reached: identities.length > 0 && identities.every(({ is_reached }) => is_reached === true),
    unsynced: unsynced ? { page_id: unsynced.page_id, psid: unsynced.psid, platform: unsynced.platform } : null,
  }
}

/** Returns the existing messages in no particular order. */
export const findMessages = (db: Db, messageIds: readonly string[]): Promise<ThreadMessage[]> =>
  db
    .selectFrom('messages')
    .leftJoin('pages', 'pages.page_id', 'messages.page_id')
    .selectAll('messages')
    .select('pages.page_name')
    .where('message_id', 'in', messageIds)
    .execute()

/**
 * Marks a person's messages as read, on one page or on all, and returns the number of changed messages (spec section 7,
 * POST /facebook/conversations/{id}/mark-read).
 */
export async function markRead(db: Db, primaryUserId: string, pageId: string | null): Promise<number> {
  const result = await inTransaction(db, (trx) =>
    trx
      // Locked in the common order, so that a concurrent merge cannot deadlock with this update.
      .with('identities', (query) => {
        const known = query
          .selectFrom('fb_users')
          .select('id')
          .where('primary_user_id', '=', primaryUserId)
          .forKeyShare()
        return pageId === null ? known : known.where('page_id', '=', pageId)
      })
      .updateTable('messages')
      .set({ is_read: true })
      .where('fb_user_id', 'in', sql<string>`(select id from identities)`)
      .where('direction', '=', 'incoming')
      .where('is_read', '=', false)
      .executeTakeFirstOrThrow(),
  )
  return Number(result.numUpdatedRows)
}
