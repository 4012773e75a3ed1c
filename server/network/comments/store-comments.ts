import { sql, type Transaction } from 'kysely'
import { lockPosts, shownTextLength } from '../../database/comments.ts'
import type { Tables } from '../../database/tables.ts'
import type { CommentEvent } from './comment-events.ts'

type Trx = Transaction<Tables>

/** A change of a comment under a post of a connected page. */
export type PlacedComment = Omit<CommentEvent, 'accountId'> & {
  pageId: string
  platform: 'messenger' | 'instagram'
  /** The page, or its Instagram account, wrote the comment. */
  byPage: boolean
}

/** The author of a comment whose author the network does not tell: nobody else has this id. */
const unknownAuthor = (commentId: string) => `comment:${commentId}`

/**
 * Stores changes of comments, in any order and any number of times: the texts, the visibility and the removal of a comment
 * depend on the times of the events, not on the order in which they arrive. Returns the comments that are new.
 */
export async function storeComments(trx: Trx, events: readonly PlacedComment[]): Promise<string[]> {
  if (events.length === 0) return []
  const byPost = new Map(events.map((event) => [event.postId, event]))
  const posts = [...byPost.values()].sort((one, other) => (one.postId < other.postId ? -1 : 1))
  await trx
    .insertInto('posts')
    .values(
      posts.map(({ postId, pageId, platform, permalink, isLive }) => ({
        id: postId,
        page_id: pageId,
        platform,
        kind: isLive ? 'live' : 'post',
        is_live: isLive,
        message: null,
        picture_url: null,
        permalink,
        lookup_at: new Date(0),
      })),
    )
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  await lockPosts(trx, [...byPost.keys()])
  const live = events.flatMap(({ postId, isLive }) => (isLive ? postId : []))
  // Instagram tells comments on a live video only while it is broadcast. A late one is corrected by the next lookup.
  if (live.length > 0)
    await trx
      .updateTable('posts')
      .set({ kind: 'live', is_live: true, lookup_at: new Date(0) })
      .where('id', 'in', live)
      .where('is_live', '=', false)
      .execute()
  const added: string[] = []
  for (const event of events) if (await storeComment(trx, event)) added.push(event.commentId)
  await refreshThreadsOf(
    trx,
    events.map(({ commentId }) => commentId),
    added,
  )
  return added
}

/** True if a comment that was not known was added. */
async function storeComment(trx: Trx, event: PlacedComment): Promise<boolean> {
  const isRemoved = event.verb === 'remove'
  const visibility =
    event.verb === 'hide' || event.verb === 'unhide'
      ? { hidden_at: event.verb === 'hide' ? event.at : null, visibility_at: event.at }
      : { hidden_at: null, visibility_at: null }
  const inserted = await trx
    .insertInto('comments')
    .values({
      id: event.commentId,
      post_id: event.postId,
      page_id: event.pageId,
      parent_id: event.parentId,
      author_id: event.authorId ?? unknownAuthor(event.commentId),
      author_name: event.authorName,
      by_page: event.byPage,
      message: isRemoved ? null : event.text,
      picture_url: isRemoved ? null : event.picture,
      created_at: event.createdAt,
      text_at: event.verb === 'edit' ? event.at : event.createdAt,
      edited_at: event.verb === 'edit' ? event.at : null,
      ...visibility,
      removed_at: isRemoved ? event.at : null,
      removed_by: isRemoved ? 'person' : null,
      liked_at: null,
      private_reply_at: null,
      staff_id: null,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (inserted !== undefined) return event.verb === 'add'
  await changeComment(trx, event)
  return false
}

async function changeComment(trx: Trx, event: PlacedComment): Promise<void> {
  const known = trx.updateTable('comments').where('id', '=', event.commentId).where('page_id', '=', event.pageId)
  if (event.verb === 'remove') {
    await known
      .set({ removed_at: event.at, removed_by: 'person', message: null, picture_url: null })
      .where('removed_at', 'is', null)
      .execute()
    return
  }
  if (event.verb === 'hide' || event.verb === 'unhide') {
    await known
      .set({ hidden_at: event.verb === 'hide' ? event.at : null, visibility_at: event.at })
      .where((is) => is.or([is('visibility_at', 'is', null), is('visibility_at', '<=', event.at)]))
      .execute()
    return
  }
  const textAt = event.verb === 'edit' ? event.at : event.createdAt
  await known
    .set({
      message: event.text,
      picture_url: event.picture,
      text_at: textAt,
      ...(event.verb === 'edit' ? { edited_at: event.at } : {}),
    })
    .where('removed_at', 'is', null)
    .where('text_at', event.verb === 'edit' ? '<=' : '<', textAt)
    .execute()
  if (event.verb !== 'add') return
  // An edit, a removal or the answer to our own call came first: it may lack what only this event has.
  await known
    .set({
      created_at: event.createdAt,
      parent_id: sql`coalesce(parent_id, ${event.parentId})`,
      author_name: sql`coalesce(author_name, ${event.authorName})`,
    })
    .where('staff_id', 'is', null)
    .execute()
}

/** Marks a comment as removed, without its text. A removal by staff replaces one by the person. The post must be locked. */
export async function removeComment(
  trx: Trx,
  commentId: string,
  { at, by }: { at: Date; by: 'person' | 'staff' },
): Promise<void> {
  const removal = trx
    .updateTable('comments')
    .set({ removed_at: at, removed_by: by, message: null, picture_url: null })
    .where('id', '=', commentId)
  await (by === 'staff' ? removal : removal.where('removed_at', 'is', null)).execute()
}

/** Stores that a comment has had its private reply. The post must be locked. */
export async function recordPrivateReply(trx: Trx, commentId: string, at: Date): Promise<void> {
  await trx
    .updateTable('comments')
    .set({ private_reply_at: at })
    .where('id', '=', commentId)
    .where('private_reply_at', 'is', null)
    .execute()
}

/**
 * Derives the threads of these comments, and of the comments that they answer, from all their comments. `added`: those of
 * them that are new.
 */
export async function refreshThreadsOf(
  trx: Trx,
  commentIds: readonly string[],
  added: readonly string[] = [],
): Promise<void> {
  const { rows } = await sql<{ post_id: string; author_id: string }>`
    select distinct shown.post_id, shown.author_id from comments given
    join comments shown on shown.id in (given.id, given.parent_id) and not shown.by_page
    where given.id = any(${[...commentIds]}::text[])
    order by shown.post_id, shown.author_id`.execute(trx)
  await refreshThreads(trx, rows, added)
}

/**
 * A thread waits since the person's oldest comment that is shown and has no answer: none of its own, none to a later comment,
 * and no decision that none is needed. The network tells times in seconds, so a comment in the second of an answer to another
 * one waits. A new comment that waits is news, unless staff have muted the chat of the person.
 */
async function refreshThreads(
  trx: Trx,
  threads: readonly { post_id: string; author_id: string }[],
  added: readonly string[],
): Promise<void> {
  if (threads.length === 0) return
  await sql`
    with wanted as (
      select * from unnest(${threads.map(({ post_id }) => post_id)}::text[],
        ${threads.map(({ author_id }) => author_id)}::text[]) as wanted (post_id, author_id)
    ),
    own as (
      select comments.*, greatest(private_reply_at, (
        select max(answers.created_at) from comments answers
        where answers.parent_id = comments.id and answers.by_page and answers.removed_at is null
      )) as answered_at
      from comments join wanted using (post_id, author_id) where not by_page
    ),
    answered as (
      select post_id, author_id, date_trunc('second', max(answered_at)) as at from own group by post_id, author_id
    ),
    judged as (
      select own.*, known.psid,
        own.removed_at is null and own.hidden_at is null and own.answered_at is null
          and (answered.at is null or own.created_at >= answered.at)
          and (known.done_until is null or own.created_at > known.done_until) as waits
      from own join answered using (post_id, author_id)
      left join comment_threads known using (post_id, author_id)
    ),
    derived as (
      select post_id, author_id, min(page_id) as page_id, min(psid) as psid,
        (array_agg(author_name order by created_at desc) filter (where author_name is not null))[1] as author_name,
        max(created_at) as last_at, min(created_at) filter (where waits) as waiting_since,
        (array_agg(left(message, ${shownTextLength}) order by created_at desc, id desc) filter (where waits))[1]
          as waiting_text,
        coalesce(bool_or(waits and id = any(${[...added]}::text[])), false) as has_news
      from judged group by post_id, author_id
    )
    insert into comment_threads
      (post_id, author_id, page_id, author_name, last_at, waiting_since, waiting_text, news_version, news_at)
    select post_id, author_id, page_id, author_name, last_at, waiting_since, waiting_text,
      case when is_news then 0 end, case when is_news then now() end
    from (
      select derived.*, has_news and not exists (
        select from fb_users join conversations using (primary_user_id)
        where fb_users.page_id = derived.page_id and fb_users.psid in (derived.author_id, derived.psid)
          and conversations.muted_at is not null
      ) as is_news from derived
    ) as told
    on conflict (post_id, author_id) do update set author_name = excluded.author_name, last_at = excluded.last_at,
      waiting_since = excluded.waiting_since, waiting_text = excluded.waiting_text, version = comment_threads.version + 1,
      news_version = case when excluded.news_version is null then comment_threads.news_version
        else comment_threads.version + 1 end,
      news_at = coalesce(excluded.news_at, comment_threads.news_at)`.execute(trx)
}

/** Comments of a thread up to a time need no answer. An earlier time changes nothing. Does nothing without the thread. */
export async function finishThread(trx: Trx, threadId: string, upTo: Date): Promise<void> {
  const thread = await trx
    .selectFrom('comment_threads')
    .select(['post_id', 'author_id'])
    .where('id', '=', threadId)
    .executeTakeFirst()
  if (thread === undefined) return
  await lockPosts(trx, [thread.post_id])
  await trx
    .updateTable('comment_threads')
    .set({ done_until: upTo, version: sql`version + 1` })
    .where('id', '=', threadId)
    .where((is) => is.or([is('done_until', 'is', null), is('done_until', '<', upTo)]))
    .execute()
  await refreshThreads(trx, [thread], [])
}
