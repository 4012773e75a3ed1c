import { sql } from 'kysely'
import type { ViewCounts } from '../../src/schemas/conversation-state.ts'
import type { Stats } from '../../src/schemas/stats.ts'
import { viewCounts } from './conversation-states.ts'
import type { Db } from './database.ts'
import type { Row } from './tables.ts'

const hour = 60 * 60 * 1000

/**
 * The counts of the inbox or of one page (spec section 7, GET /facebook/stats). A conversation is active if it has a
 * recent message, a user if they wrote one. A person counts as one user per page.
 */
export async function readStats(db: Db, { pageId, now }: { pageId: string | undefined; now: number }): Promise<Stats> {
  const day = new Date(now - 24 * hour)
  const week = new Date(now - 7 * 24 * hour)
  const ofPage = pageId === undefined ? sql`t.page_id <> ''` : sql`t.page_id = ${pageId}`
  const activeSince = (since: Date) =>
    pageId === undefined
      ? sql`(select count(*) from conversations where last_message_at >= ${since})`
      : sql`(select count(*) from conversation_pages where page_id = ${pageId} and last_message_at >= ${since})`
  const { rows } = await sql<Counts>`
    select
      coalesce(sum(t.total_messages), 0)::integer as total_messages,
      coalesce(sum(t.incoming_messages), 0)::integer as incoming_messages,
      coalesce(sum(t.unread_messages), 0)::integer as unread_messages,
      coalesce(sum(t.users), 0)::integer as users,
      coalesce(sum(t.linked_users), 0)::integer as linked_users,
      coalesce(sum(active.users), 0)::integer as active_users,
      coalesce((select conversations from current_page_totals where page_id = ${pageId ?? ''}), 0) as conversations,
      ${activeSince(day)} as active_24h,
      ${activeSince(week)} as active_7d,
      ${viewCounts({ pageId, now })} as views
    from current_page_totals t
    cross join lateral (
      select count(*) as users from conversation_pages cp
      where cp.page_id = t.page_id and cp.last_message_at >= ${day} and cp.last_incoming_at >= ${day}
    ) active
    where ${ofPage}`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('an aggregate without GROUP BY returned no row')
  return {
    messages: {
      total: row.total_messages,
      incoming: row.incoming_messages,
      outgoing: row.total_messages - row.incoming_messages,
      unread: row.unread_messages,
    },
    conversations: { total: row.conversations, active24h: row.active_24h, active7d: row.active_7d },
    users: { total: row.users, linked: row.linked_users, active24h: row.active_users },
    total_conversations: row.conversations,
    unread_messages: row.unread_messages,
    views: row.views,
  }
}

type Counts = Omit<Row<'current_page_totals'>, 'page_id'> &
  Record<'active_users' | 'active_24h' | 'active_7d', number> & { views: ViewCounts }
