import { sql, type Transaction } from 'kysely'
import type { Tables } from '../../database/tables.ts'
import { clockTolerance, echoWindow } from '../store/clock-tolerance.ts'
import { type PlacedComment, recordPrivateReply, refreshThreadsOf } from './store-comments.ts'

type Trx = Transaction<Tables>

type Settled = { key: string; resultId: string | null; at: Date; psid?: string | null }

/**
 * Stores that an answer to a comment arrived. A public answer becomes a comment of the page, unless its webhook came first.
 * Idempotent. The post must be locked.
 */
export async function settleCommentSend(trx: Trx, { key, resultId, at, psid = null }: Settled): Promise<void> {
  const settled = await trx
    .updateTable('comment_sends')
    .set({ state: 'sent', result_id: resultId, updated_at: at })
    .where('key', '=', key)
    .where('state', '!=', 'sent')
    .returning(['comment_id', 'kind', 'message', 'staff_id', 'created_at'])
    .executeTakeFirst()
  if (settled === undefined) return
  const { comment_id, kind, message, staff_id } = settled
  if (kind === 'private') {
    await recordPrivateReply(trx, comment_id, at)
    if (psid !== null)
      await sql`
        update comment_threads set psid = ${psid}, version = version + 1 from comments
        where comments.id = ${comment_id} and comment_threads.post_id = comments.post_id
          and comment_threads.author_id = comments.author_id`.execute(trx)
  } else if (resultId !== null) {
    await sql`
      insert into comments (id, post_id, page_id, parent_id, author_id, by_page, message, created_at, text_at, staff_id)
      select ${resultId}, post_id, page_id, id, page_id, true, ${message}, ${at}, ${at}, ${staff_id}
      from comments where id = ${comment_id}
      on conflict (id) do update set parent_id = excluded.parent_id, staff_id = excluded.staff_id`.execute(trx)
  }
  await refreshThreadsOf(trx, [comment_id])
}

/**
 * Settles open public answers by the webhooks of the page's own comments: if exactly one open answer to the same comment has
 * the text, and no send has the comment as its result.
 */
export async function settleByEcho(trx: Trx, events: readonly PlacedComment[]): Promise<void> {
  for (const { byPage, verb, parentId, text, commentId, createdAt } of events) {
    if (!byPage || verb !== 'add' || parentId === null || text === null) continue
    const claimed = await trx
      .selectFrom('comment_sends')
      .select('key')
      .where('result_id', '=', commentId)
      .executeTakeFirst()
    if (claimed !== undefined) continue
    const alike = await trx
      .selectFrom('comment_sends')
      .innerJoin('comments', 'comments.id', 'comment_sends.comment_id')
      .select('key')
      .where('kind', '=', 'public')
      .where('state', 'in', ['sending', 'unknown', 'discarded'])
      // A reply to a reply stands under the first comment.
      .where((is) => is.or([is('comments.id', '=', parentId), is('comments.parent_id', '=', parentId)]))
      .where('comment_sends.message', '=', text)
      .where('comment_sends.created_at', '>=', new Date(createdAt.getTime() - echoWindow))
      .where('comment_sends.created_at', '<=', new Date(createdAt.getTime() + clockTolerance))
      .limit(2)
      .execute()
    const [only] = alike
    if (alike.length === 1 && only !== undefined)
      await settleCommentSend(trx, { key: only.key, resultId: commentId, at: createdAt })
  }
}

type Echo = {
  direction: 'incoming' | 'outgoing'
  messageId: string
  personId: string
  metadata: string | null
  at: Date
  pageId: string
}

/** Settles private replies by their echoes, which Messenger returns with our key. */
export async function settlePrivateReplies(trx: Trx, echoes: readonly Echo[]): Promise<void> {
  const byKey = new Map(
    echoes.flatMap((echo) =>
      echo.direction === 'outgoing' && echo.metadata !== null ? [[echo.metadata, echo] as const] : [],
    ),
  )
  if (byKey.size === 0) return
  const open = await trx
    .selectFrom('comment_sends')
    .innerJoin('comments', 'comments.id', 'comment_sends.comment_id')
    .select(['key', 'comments.post_id', 'comments.page_id'])
    .where('key', 'in', [...byKey.keys()])
    .where('kind', '=', 'private')
    .where('state', '!=', 'sent')
    .orderBy('comments.post_id')
    .execute()
  for (const { key, post_id, page_id } of open) {
    const echo = byKey.get(key)
    if (echo === undefined || echo.pageId !== page_id) continue
    await trx.selectFrom('posts').select('id').where('id', '=', post_id).forNoKeyUpdate().execute()
    await settleCommentSend(trx, { key, resultId: echo.messageId, at: echo.at, psid: echo.personId })
  }
}
