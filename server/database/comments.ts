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

/** A thread in the list, newest first. */
type Place = { at: Date; id: string }

/** Where the next page begins: after the thread with this time and id. Null if the text is no such place. */
export function readPlace(text: string): Place | null {
  const [time = '', ...rest] = text.split('_')
  const at = new Date(time)
  return Number.isNaN(at.getTime()) || rest.length === 0 ? null : { at, id: rest.join('_') }
}

const writePlace = ({ at, id }: Place): string => `${at.toISOString()}_${id}`

type ListedRow = PostColumns & {
  id: string
  author_name: string | null
  last_at: Date
  waiting_since: Date | null
  last_text: string | null
}

const newestFirst = sql`order by last_at desc, id desc`
const isBefore = ({ at, id }: Place): RawBuilder<boolean> =>
  sql<boolean>`(threads.last_at, threads.id) < (${at}::timestamptz, ${id})`

/** Adds what the list shows to threads. */
const shownOf = (threads: RawBuilder<unknown>) => sql<ListedRow>`
  select threads.id, ${postColumns}, threads.author_name, threads.last_at, threads.waiting_since,
    (select left(message, ${shownTextLength}) from comments
     where post_id = threads.post_id and author_id = threads.author_id and not by_page
     order by created_at desc, id desc limit 1) as last_text
  from (${threads}) threads join posts on posts.id = threads.post_id
  order by threads.last_at desc, threads.id desc`

/** Whether the person of the conversation wrote the thread. Two lookups, because one with "or" would read all threads. */
const isOfPerson = (conversation: string): RawBuilder<boolean> => sql<boolean>`threads.id in (
  select own.id from fb_users join comment_threads own on own.page_id = fb_users.page_id and own.author_id = fb_users.psid
  where primary_user_id = ${conversation}
  union
  select own.id from fb_users join comment_threads own on own.page_id = fb_users.page_id and own.psid = fb_users.psid
  where primary_user_id = ${conversation})`

export type ThreadQuery = {
  view: CommentView
  conversation?: string | undefined
  search?: string | undefined
  page?: string | undefined
  post?: string | undefined
  after: Place | null
  /** The most rows. */
  limit?: number
}

type Filter = Omit<ThreadQuery, 'search' | 'limit'>

const isListed = ({ view, conversation, page, post, after }: Filter): RawBuilder<boolean> =>
  sql<boolean>`${conversation === undefined ? sql`true` : isOfPerson(conversation)}
    and ${page === undefined ? sql`true` : sql`threads.page_id = ${page}`}
    and ${post === undefined ? sql`true` : sql`threads.post_id = ${post}`}
    and ${view === 'waiting' ? sql`threads.waiting_since is not null` : sql`true`}
    and ${after === null ? sql`true` : isBefore(after)}`

/** One page of threads, those with the newest comments first. A page of a search may be short, also if another one follows. */
export async function listThreads(
  db: Db,
  { search, limit = commentLimits.threads, ...filter }: ThreadQuery,
): Promise<CommentList> {
  // One row more tells whether another page follows.
  const most = limit + 1
  const { rows, end } =
    search === undefined
      ? {
          ...(await shownOf(
            sql`select * from comment_threads threads where ${isListed(filter)} ${newestFirst} limit ${most}`,
          ).execute(db)),
          end: null,
        }
      : await findThreads(db, search, filter, most)
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const next = rows.length > shown.length && last !== undefined ? { at: last.last_at, id: last.id } : end
  return {
    threads: shown.map((row) => ({
      id: row.id,
      post: postOf(row),
      author_name: row.author_name,
      last_at: row.last_at.toISOString(),
      waiting_since: iso(row.waiting_since),
      last_text: row.last_text,
    })),
    next: next === null ? null : writePlace(next),
  }
}

/**
 * Common words are found among so many of the newest threads, by their time. A word that is rare there is rare in all, so that
 * the indexes of words return few comments.
 */
const newestThreads = 2_000
/** Comments, and names of writers, that the indexes of words may return. */
const maxMatches = 2_000

/**
 * The threads with all words in the name of the writer, or in one of the comments; none for a search without words. `end`: where
 * the search goes on, because it stopped after the newest threads.
 */
async function findThreads(
  db: Db,
  search: string,
  filter: Filter,
  most: number,
): Promise<{ rows: ListedRow[]; end: Place | null }> {
  const patterns = searchPatterns(search)
  if (patterns.length === 0) return { rows: [], end: null }
  const matches = (text: RawBuilder<unknown>) =>
    sql<boolean>`(${sql.join(
      patterns.map((pattern) => sql`(' ' || search_form(${text})) like ${pattern}`),
      sql` and `,
    )})`
  const newest = sql`select * from comment_threads threads where ${isListed(filter)} ${newestFirst}`
  // A scalar query: the planner would look for "exists" in all comments with the words.
  const { rows } = await shownOf(sql`
    select * from (${newest} limit ${newestThreads}) threads
    where threads.author_name is not null and ${matches(sql`threads.author_name`)} or (
      select true from comments
      where post_id = threads.post_id and author_id = threads.author_id and not by_page and message is not null
        and ${matches(sql`message`)} limit 1)
    ${newestFirst} limit ${most}`).execute(db)
  if (rows.length === most) return { rows, end: null }

  const { rows: ends } = await sql<Place>`
    select last_at as at, id from (${newest} limit 1 offset ${newestThreads - 1}) last`.execute(db)
  const [end] = ends
  if (end === undefined) return { rows, end: null }

  // The filters come after the limits, which bound how many comments are looked at.
  const { rows: older } = await sql<(ListedRow | { id: null }) & { matches: number }>`
    with names as materialized (
      select * from comment_threads where author_name is not null and ${matches(sql`author_name`)} limit ${maxMatches + 1}
    ), texts as materialized (
      select post_id, author_id from comments
      where not by_page and message is not null and ${matches(sql`message`)} limit ${maxMatches + 1}
    ), threads as (
      select * from names
      union
      select found.* from texts cross join lateral (
        select * from comment_threads where post_id = texts.post_id and author_id = texts.author_id limit 1
      ) found
    )
    select counted.matches, shown.* from (
      select greatest((select count(*) from names), (select count(*) from texts))::integer as matches
    ) counted
    left join lateral (${shownOf(sql`
      select * from threads where counted.matches <= ${maxMatches} and ${isListed(filter)} and ${isBefore(end)}
      ${newestFirst} limit ${most - rows.length}`)}) shown on true`.execute(db)
  if ((older[0]?.matches ?? 0) > maxMatches) return { rows, end }
  return { rows: [...rows, ...older.filter((row) => row.id !== null)], end: null }
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

/** A thread with its newest comments, oldest first, each with what answers it; null if there is none. */
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
    select shown.id, shown.parent_id, shown.by_page, shown.author_name, shown.message, shown.picture_url, shown.created_at,
      shown.edited_at, shown.hidden_at, shown.removed_at, shown.removed_by, shown.liked_at, shown.private_reply_at,
      staff.name as staff_name
    from shown
    left join own answered on answered.id = shown.parent_id
    -- An answer to an answer: the network has no deeper ones.
    left join own first on first.id = answered.parent_id
    left join staff on staff.id = shown.staff_id
    order by coalesce(first.created_at, answered.created_at, shown.created_at),
      coalesce(first.id, answered.id, shown.id), answered.id is not null, shown.created_at, shown.by_page, shown.id
    limit ${2 * commentLimits.comments}`.execute(db)
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
