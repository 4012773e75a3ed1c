import { sql, type Transaction } from 'kysely'
import { announceChanges } from '../database/announcements.ts'
import { batchSize, inBatches } from '../database/batches.ts'
import { lockPosts } from '../database/comments.ts'
import type { Db } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import { inTransaction } from '../database/transaction.ts'

/** Deletes the comments of a person with a page, the answers to them, and the threads. Can be repeated. */
export const eraseComments = (db: Db, { pageId, psid }: { pageId: string; psid: string }): Promise<void> =>
  inTransaction(db, async (trx) => {
    const threads = await trx
      .selectFrom('comment_threads')
      .select('author_id')
      .where('page_id', '=', pageId)
      .where('psid', '=', psid)
      .execute()
    await deleteComments(trx, [psid, ...threads.map(({ author_id }) => author_id)], pageId)
  })

/** Deletes the comments that these ids of the network wrote under any page's posts. */
export const eraseCommentsOf = (trx: Transaction<Tables>, authorIds: readonly string[]): Promise<void> =>
  deleteComments(trx, authorIds, null)

async function deleteComments(
  trx: Transaction<Tables>,
  authorIds: readonly string[],
  pageId: string | null,
): Promise<void> {
  const ofPage = pageId === null ? sql`true` : sql`page_id = ${pageId}`
  const ids = sql`author_id = any(${[...authorIds]}::text[]) and ${ofPage}`
  await sql`
    delete from comments answers using comments own
    where answers.by_page and answers.parent_id = own.id and own.author_id = any(${[...authorIds]}::text[])
      and ${pageId === null ? sql`true` : sql`own.page_id = ${pageId}`}`.execute(trx)
  await sql`delete from comments where ${ids}`.execute(trx)
  await sql`delete from comment_threads where ${ids}`.execute(trx)
}

/** In batches, each of which announces one thread. */
export async function deleteCommentsOfPage(db: Db, pageId: string, renew: () => Promise<void>): Promise<void> {
  const inSteps = (remove: (trx: Transaction<Tables>) => Promise<number>) =>
    inBatches(
      () => true,
      async () => {
        const removed = await inTransaction(db, remove)
        await renew()
        return removed
      },
    )
  const removeFrom = async (
    trx: Transaction<Tables>,
    table: 'comments' | 'comment_threads' | 'posts',
    limit: number,
  ) => {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where id in (
        select id from ${sql.table(table)} where page_id = ${pageId} limit ${limit}
      )`.execute(trx)
    return Number(numAffectedRows ?? 0)
  }
  await inSteps((trx) => removeFrom(trx, 'comments', batchSize))
  await inSteps(async (trx) => {
    const announced = await removeFrom(trx, 'comment_threads', 1)
    await announceChanges(trx, false)
    return announced + (await removeFrom(trx, 'comment_threads', batchSize - 1))
  })
  await inSteps((trx) => removeFrom(trx, 'posts', batchSize))
}

/** Everything stored of a person's comments, with the answers of staff to them. */
export async function commentsOfPerson(db: Db, identities: readonly { page_id: string; psid: string }[]) {
  const { rows } = await sql<object>`
    with wanted as (
      select * from unnest(${identities.map(({ page_id }) => page_id)}::text[],
        ${identities.map(({ psid }) => psid)}::text[]) as wanted (page_id, psid)
    ),
    authors as (
      select page_id, psid as author_id from wanted
      union select comment_threads.page_id, author_id from comment_threads join wanted using (page_id, psid)
    ),
    own as (select comments.* from comments join authors using (page_id, author_id))
    select comments.id, post_id, parent_id, author_name, by_page, message, comments.created_at, edited_at, hidden_at,
      removed_at, removed_by, liked_at, private_reply_at,
      (select coalesce(json_agg(json_build_object('kind', kind, 'message', comment_sends.message, 'state', state,
         'at', comment_sends.created_at) order by comment_sends.created_at, key), '[]'::json)
       from comment_sends where comment_id = comments.id) as answers
    from comments
    where id in (select id from own) or (by_page and parent_id in (select id from own))
    order by comments.created_at, comments.id`.execute(db)
  return rows
}

/**
 * Deletes comments that were written before a time, with the threads and posts that have none left, without an
 * announcement. Returns the number.
 */
export const removeOldComments = (db: Db, before: Date, limit: number): Promise<number> =>
  inTransaction(db, async (trx) => {
    await announceChanges(trx, false)
    const { rows } = await sql<{ id: string; post_id: string; author_id: string }>`
      select id, post_id, author_id from comments where created_at < ${before} limit ${limit}`.execute(trx)
    const posts = [...new Set(rows.map(({ post_id }) => post_id))]
    if (posts.length === 0) return 0
    // A comment that is being stored keeps its post.
    await lockPosts(trx, posts)
    await sql`delete from comments where id = any(${rows.map(({ id }) => id)}::text[])`.execute(trx)
    await sql`
      delete from comment_threads where post_id = any(${posts}::text[]) and not exists (
        select from comments where comments.post_id = comment_threads.post_id
          and comments.author_id = comment_threads.author_id
      )`.execute(trx)
    // The line may be one of a deleted comment.
    await sql`
      update comment_threads set waiting_text = null, version = version + 1
      where waiting_text is not null and (post_id, author_id) in (
        select * from unnest(${rows.map(({ post_id }) => post_id)}::text[],
          ${rows.map(({ author_id }) => author_id)}::text[])
      )`.execute(trx)
    await sql`
      delete from posts where id = any(${posts}::text[])
        and not exists (select from comments where comments.post_id = posts.id)`.execute(trx)
    return rows.length
  })
