import { type RawBuilder, sql, type Transaction } from 'kysely'
import { type CommentList, type CommentThread, type CommentView, commentLimits } from '../../src/schemas/comment.ts'
import { liveSaleLimits, type SaleClaim, type SalePost } from '../../src/schemas/live-sale.ts'
import type { Db } from './database.ts'
import { searchPatterns } from './search.ts'
import type { Tables } from './tables.ts'

/** Characters of a comment that lists and notifications get. */
export const shownTextLength = 200

/**
 * Locks posts until the transaction ends, in a fixed order. Whatever changes a comment locks its post first, so the threads
 * of a post are derived by one transaction at a time.
 */
export async function lockPosts(trx: Transaction<Tables>, ids: readonly string[]): Promise<void> {
  await trx
    .selectFrom('posts')
    .select('id')
    .where('id', 'in', [...new Set(ids)])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** The number of threads that wait for an answer, counted up to the limit. */
export async function countWaitingThreads(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (
      select from comment_threads where waiting_since is not null limit ${commentLimits.count}
    ) as waiting`.execute(db)
  return rows[0]?.count ?? 0
}

const iso = (at: Date | null) => at?.toISOString() ?? null

type PostColumns = {
  post_id: string
  page_id: string
  platform: 'messenger' | 'instagram'
  kind: 'post' | 'live'
  is_live: boolean
  post_message: string | null
  picture_url: string | null
  permalink: string | null
}
const postOf = ({ post_id, page_id, platform, kind, is_live, post_message, picture_url, permalink }: PostColumns) => ({
  id: post_id,
  page_id,
  platform,
  kind,
  is_live,
  message: post_message,
  picture_url,
  permalink,
})
const postColumns = sql`posts.id as post_id, posts.page_id, posts.platform, posts.kind, posts.is_live,
  posts.message as post_message, posts.picture_url, posts.permalink`

/** Where the next page begins: after the thread with this time and id. Null if the text is no such place. */
export function readPlace(text: string): { at: Date; id: string } | null {
  const [time = '', ...rest] = text.split('_')
  const at = new Date(time)
  return Number.isNaN(at.getTime()) || rest.length === 0 ? null : { at, id: rest.join('_') }
}

/**
 * The threads with all words in the name of the writer, or in one of the comments; none for a search without words. Whole
 * rows, because the ids alone would be looked up by reading all threads.
 */
function foundThreads(search: string): RawBuilder<unknown> {
  const patterns = searchPatterns(search)
  if (patterns.length === 0) return sql`(select * from comment_threads where false)`
  const matches = (text: RawBuilder<unknown>) =>
    sql.join(
      patterns.map((pattern) => sql`(' ' || search_form(${text})) like ${pattern}`),
      sql` and `,
    )
  return sql`(
    select * from comment_threads where author_name is not null and ${matches(sql`author_name`)}
    union
    select found.* from comment_threads found
    join comments on comments.post_id = found.post_id and comments.author_id = found.author_id
    where not comments.by_page and comments.message is not null and ${matches(sql`comments.message`)})`
}

/** Whether the person of the conversation wrote the thread. Two lookups, because one with "or" would read all threads. */
const isOfPerson = (conversation: string): RawBuilder<boolean> => sql<boolean>`threads.id in (
  select own.id from fb_users join comment_threads own on own.page_id = fb_users.page_id and own.author_id = fb_users.psid
  where primary_user_id = ${conversation}
  union
  select own.id from fb_users join comment_threads own on own.page_id = fb_users.page_id and own.psid = fb_users.psid
  where primary_user_id = ${conversation})`

/** One page of threads, those with the newest comments first. */
export async function listThreads(
  db: Db,
  {
    view,
    conversation,
    search,
    page,
    post,
    after,
  }: {
    view: CommentView
    conversation?: string | undefined
    search?: string | undefined
    page?: string | undefined
    post?: string | undefined
    after: { at: Date; id: string } | null
  },
): Promise<CommentList> {
  const { rows } = await sql<
    PostColumns & {
      id: string
      author_name: string | null
      last_at: Date
      waiting_since: Date | null
      last_text: string | null
    }
  >`
    select threads.id, ${postColumns}, threads.author_name, threads.last_at, threads.waiting_since,
      (select left(message, ${shownTextLength}) from comments
       where post_id = threads.post_id and author_id = threads.author_id and not by_page
       order by created_at desc, id desc limit 1) as last_text
    from ${search === undefined ? sql`comment_threads` : foundThreads(search)} threads
    join posts on posts.id = threads.post_id
    where ${conversation === undefined ? sql`true` : isOfPerson(conversation)}
      and ${page === undefined ? sql`true` : sql`threads.page_id = ${page}`}
      and ${post === undefined ? sql`true` : sql`threads.post_id = ${post}`}
      and ${view === 'waiting' ? sql`waiting_since is not null` : sql`true`}
      and ${after === null ? sql`true` : sql`(last_at, threads.id) < (${after.at}::timestamptz, ${after.id})`}
    order by last_at desc, threads.id desc limit ${commentLimits.threads + 1}`.execute(db)
  const shown = rows.slice(0, commentLimits.threads)
  const last = shown.at(-1)
  return {
    threads: shown.map((row) => ({
      id: row.id,
      post: postOf(row),
      author_name: row.author_name,
      last_at: row.last_at.toISOString(),
      waiting_since: iso(row.waiting_since),
      last_text: row.last_text,
    })),
    next: rows.length > shown.length && last !== undefined ? `${last.last_at.toISOString()}_${last.id}` : null,
  }
}

type ThreadRow = PostColumns & {
  id: string
  author_id: string
  author_name: string | null
  waiting_since: Date | null
  last_at: Date
  conversation_id: string | null
  client_id: string | null
}

/** A thread with its newest comments, oldest first; null if there is none. */
export async function findThread(db: Db, threadId: string): Promise<CommentThread | null> {
  const { rows } = await sql<ThreadRow>`
    select threads.id, threads.author_id, ${postColumns}, threads.author_name, threads.waiting_since, threads.last_at,
      fb_users.primary_user_id as conversation_id, fb_users.client_id
    from comment_threads threads
    join posts on posts.id = threads.post_id
    left join fb_users on fb_users.page_id = threads.page_id and fb_users.psid = coalesce(threads.psid, threads.author_id)
    where threads.id = ${threadId}`.execute(db)
  const [thread] = rows
  if (thread === undefined) return null
  const comments = await commentsOf(db, thread)
  return {
    id: thread.id,
    post: postOf(thread),
    author_name: thread.author_name,
    waiting_since: iso(thread.waiting_since),
    last_at: thread.last_at.toISOString(),
    conversation_id: thread.conversation_id,
    client_id: thread.client_id,
    comments,
  }
}

async function commentsOf(db: Db, { post_id, author_id }: ThreadRow): Promise<CommentThread['comments']> {
  const { rows } = await sql<{
    id: string
    parent_id: string | null
    by_page: boolean
    author_name: string | null
    message: string | null
    picture_url: string | null
    created_at: Date
    edited_at: Date | null
    hidden_at: Date | null
    removed_at: Date | null
    removed_by: 'person' | 'staff' | null
    liked_at: Date | null
    private_reply_at: Date | null
    staff_name: string | null
  }>`
    with own as (
      select * from comments where post_id = ${post_id} and author_id = ${author_id} and not by_page
      order by created_at desc, id desc limit ${commentLimits.comments}
    ),
    shown as (
      select * from own
      union all
      select answers.* from comments answers where answers.by_page and answers.parent_id in (select id from own)
    )
    select shown.id, parent_id, by_page, author_name, message, picture_url, shown.created_at, edited_at, hidden_at,
      removed_at, removed_by, liked_at, private_reply_at, staff.name as staff_name
    from shown left join staff on staff.id = shown.staff_id
    order by shown.created_at, by_page, shown.id limit ${2 * commentLimits.comments}`.execute(db)
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return []
  const sends = await db
    .selectFrom('comment_sends')
    .leftJoin('messages', 'messages.message_id', 'comment_sends.result_id')
    .select(['key', 'comment_id', 'kind', 'message', 'state', 'tries', 'messages.primary_user_id as conversation_id'])
    .where('comment_id', 'in', ids)
    .where('state', 'in', ['sending', 'unknown', 'sent'])
    .orderBy('comment_sends.created_at')
    .execute()
  const claims = await db
    .selectFrom('live_sale_claims')
    .leftJoin('orders', 'orders.id', 'live_sale_claims.order_id')
    .select(['comment_id', 'name', 'quantity', 'price', 'state', 'order_id', 'order_number'])
    .where('comment_id', 'in', ids)
    .execute()
  const claimOf = new Map(claims.map(({ comment_id, ...claim }): [string, SaleClaim] => [comment_id, claim]))
  const byComment = Map.groupBy(sends, ({ comment_id }) => comment_id)
  return rows.map((row) => {
    const own = byComment.get(row.id) ?? []
    const replied = own.find(({ kind, state }) => kind === 'private' && state === 'sent')
    return {
      id: row.id,
      parent_id: row.parent_id,
      by_page: row.by_page,
      author_name: row.author_name,
      message: row.message,
      picture_url: row.picture_url,
      created_at: row.created_at.toISOString(),
      edited_at: iso(row.edited_at),
      is_hidden: row.hidden_at !== null,
      removed_by: row.removed_at === null ? null : (row.removed_by ?? 'person'),
      is_liked: row.liked_at !== null,
      staff_name: row.staff_name,
      claim: claimOf.get(row.id) ?? null,
      private_reply:
        row.private_reply_at === null
          ? null
          : {
              at: row.private_reply_at.toISOString(),
              message: replied?.message ?? null,
              conversation_id: replied?.conversation_id ?? null,
            },
      sent_keys: own.flatMap(({ key, state }) => (state === 'sent' ? key : [])),
      sends: own.flatMap(({ key, kind, message, state, tries }) =>
        state === 'sent' ? [] : [{ key, kind, message, state: state === 'sending' ? 'sending' : 'unknown', tries }],
      ),
    }
  })
}

/** The newest posts with comments, live videos that are broadcast first. */
export async function listSalePosts(db: Db): Promise<SalePost[]> {
  const { rows } = await sql<SalePost>`
    select id, message, is_live from posts
    order by is_live desc, created_at desc nulls last, id desc limit ${liveSaleLimits.posts}`.execute(db)
  return rows
}

/** The thread of a comment; null if there is none. */
export async function threadOfComment(db: Db, commentId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select threads.id from comments
    left join comments parents on parents.id = comments.parent_id
    join comment_threads threads on threads.post_id = comments.post_id
      and threads.author_id = case when comments.by_page then parents.author_id else comments.author_id end
    where comments.id = ${commentId}`.execute(db)
  return rows[0]?.id ?? null
}
