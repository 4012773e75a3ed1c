import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Db } from '../../server/database/database.ts'
import type { Tables } from '../../server/database/tables.ts'

export type Fill = {
  conversations: number
  messages: number
  pages?: number
  /** The text of message `m` of conversation `n`, in SQL. */
  text?: RawBuilder<string>
}

const chunk = 10_000

/** The default text of message `m`. */
export const sameText = sql<string>`'Good day, is the item number ' || m || ' still available? Thank you.'`

/**
 * Fills an empty database with synthetic conversations and messages by bulk statements; the triggers compute the summaries.
 * Conversation `n` has the identity `user-n`. Every tenth conversation has unread messages, every fiftieth a second page.
 * Realtime notifications are disabled.
 */
export async function fill(db: Db, { conversations, messages, pages = 4, text = sameText }: Fill): Promise<void> {
  await sql`
    insert into pages (page_id, page_name, page_access_token_encrypted)
    select 'page-' || n, 'Page ' || n, '' from generate_series(0, ${pages - 1}::integer) n`.execute(db)

  for (let from = 0; from < conversations; from += chunk) {
    const to = Math.min(from + chunk, conversations) - 1
    await withoutNotifications(db, 'fb_users', async (trx) => {
      await insertIdentities(trx, { from, to, pages })
    })
  }
  const each = Math.max(1, Math.round(messages / conversations))
  const conversationsAtOnce = Math.max(1, Math.floor((5 * chunk) / each))
  for (let from = 0; from < conversations; from += conversationsAtOnce) {
    const to = Math.min(from + conversationsAtOnce, conversations) - 1
    await withoutNotifications(db, 'messages', async (trx) => {
      await insertMessages(trx, { from, to, each, conversations, text })
    })
  }
  await assign(db)
  await sql`select fold_page_totals()`.execute(db)
  await db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    await sql`vacuum analyze`.execute(connection)
  })
}

async function insertIdentities(trx: Transaction<Tables>, range: { from: number; to: number; pages: number }) {
  const { from, to, pages } = range
  const identities = (suffix: string, group: string, shift: number, step: number) => sql`
    insert into fb_users (id, page_id, psid, primary_user_id, name, first_name, last_name)
    select
      'user-' || n || ${suffix}::text,
      'page-' || (n + ${shift}::integer) % ${pages}::integer,
      ${group}::text || n,
      'user-' || n,
      first || ' ' || last,
      first,
      last
    from generate_series(${from}::integer, ${to}::integer) n
    cross join lateral (
      select
        (array['Maria','José','Juan','Ana','Liza','Paolo','Carmen','Ramón','Isabel','Miguel','Rosa','Andrés','Teresa',
          'Luis','Clara','Diego','Elena','Marco','Sofía','Iñigo'])[1 + n % 20]
          || ' ' || chr(65 + n / 20 % 26) || chr(97 + n / 520 % 26) || chr(97 + n / 13520 % 26) as first,
        (array['Santos','Reyes','Cruz','Bautista','Ocampo','García','Mendoza','Torres','Flores','Ramos','Núñez',
          'Villanueva','Castillo','Aquino','Peña','Domingo','Salazar'])[1 + n % 17] || n as last
    ) named
    where n % ${step}::integer = 0`
  await identities('', 'psid-', 0, 1).execute(trx)
  if (pages > 1) await identities('-b', 'other-', 1, 50).execute(trx)
}

async function insertMessages(
  trx: Transaction<Tables>,
  {
    from,
    to,
    each,
    conversations,
    text,
  }: { from: number; to: number; each: number; conversations: number; text: RawBuilder<string> },
) {
  await sql`
    insert into messages (message_id, fb_user_id, message_text, direction, is_read, timestamp_fb)
    select
      'm-' || n || '-' || m,
      'user-' || n || case when n % 50 = 0 and m % 3 = 0 then '-b' else '' end,
      ${text},
      case when m % 2 = 0 then 'incoming' else 'outgoing' end,
      not (n % 10 = 0 and m > ${each}::integer - 4),
      -- The newest messages of the conversations are spread over a year, independent of their ids.
      timestamptz '2026-01-01' - make_interval(secs =>
        (n::bigint * 7919 % ${conversations}::integer)::float8 * 31536000 / ${conversations}::integer
        + (${each}::integer - m) * 3600)
    from generate_series(${from}::integer, ${to}::integer) n
    cross join generate_series(1, ${each}::integer) m`.execute(trx)
}

/**
 * Gives half of the conversations to six members of staff, and closes most of all, as a team does: what is open is a small
 * part of what there is. Two of three persons owe something.
 */
async function assign(db: Db) {
  await db.transaction().execute(async (trx) => {
    await sql`set local statement_timeout = 0`.execute(trx)
    await sql`alter table conversations disable trigger user`.execute(trx)
    await sql`
      insert into staff (id, email, role)
      select 'staff-' || n, 'staff-' || n || '@example.com', 'agent' from generate_series(0, 5) n
      on conflict do nothing`.execute(trx)
    await sql`
      with numbered as (select primary_user_id, row_number() over (order by primary_user_id) as n from conversations)
      update conversations c set
        assigned_to = case when n % 2 = 0 then 'staff-' || n / 2 % 6 end,
        done_at = case when n % 20 <> 0 then c.last_message_at end,
        done_by = case when n % 20 <> 0 then 'staff-0' end,
        outstanding = n % 3 * 123456
      from numbered where c.primary_user_id = numbered.primary_user_id`.execute(trx)
    await sql`alter table conversations enable trigger user`.execute(trx)
  })
}

/** Disables the notifications, which would fill the notification queue of the server. */
async function withoutNotifications(
  db: Db,
  table: 'fb_users' | 'messages' | 'comment_threads',
  write: (trx: Transaction<Tables>) => Promise<void>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`set local statement_timeout = 0`.execute(trx)
    const trigger = sql.raw(`${table}_announce`)
    await sql`alter table ${sql.table(table)} disable trigger ${trigger}`.execute(trx)
    await write(trx)
    await sql`set constraints all immediate`.execute(trx)
    await sql`alter table ${sql.table(table)} enable trigger ${trigger}`.execute(trx)
  })
}

export type CommentFill = { posts: number; comments: number }

/**
 * Adds comments to a filled database: each post has comments of different people who write to its page. One thread of fifty
 * waits for an answer.
 */
export async function fillComments(db: Db, { conversations, pages = 4 }: Fill, { posts, comments }: CommentFill) {
  await sql`
    insert into posts (id, page_id, platform, message, created_at)
    select 'post-' || n, 'page-' || n % ${pages}::integer, 'messenger', 'Promo ' || n, timestamptz '2025-06-01'
    from generate_series(0, ${posts - 1}::integer) n`.execute(db)
  for (let from = 0; from < comments; from += chunk) {
    const to = Math.min(from + chunk, comments) - 1
    await sql`
      insert into comments (id, post_id, page_id, author_id, author_name, by_page, message, created_at, text_at)
      select 'comment-' || n, 'post-' || n % ${posts}::integer, fb_users.page_id, psid, fb_users.name, false,
        (array['Magkano po', 'Available pa po ba', 'Mine', 'May COD po ba', 'Pwede pa-reserve'])[1 + n % 5]
          || ' item ' || n % 997 || ' ' || substr(md5(n::text), 1, 6),
        timestamptz '2025-06-01' + n * interval '1 minute', timestamptz '2025-06-01'
      from generate_series(${from}::integer, ${to}::integer) n
      join fb_users on fb_users.id = 'user-'
        || ((n * 7::bigint + n / ${posts}::integer * 13) % (${conversations}::integer / ${pages}::integer)) * ${pages}::integer
          + n % ${posts}::integer % ${pages}::integer`.execute(db)
  }
  await withoutNotifications(db, 'comment_threads', async (trx) => {
    await sql`
      insert into comment_threads (post_id, author_id, page_id, author_name, last_at, waiting_since)
      select post_id, author_id, min(page_id), min(author_name), max(created_at),
        case when max(substr(id, 9)::integer) % 50 = 0 then min(created_at) end
      from comments group by post_id, author_id`.execute(trx)
  })
  await sql`analyze posts, comments, comment_threads`.execute(db)
}
