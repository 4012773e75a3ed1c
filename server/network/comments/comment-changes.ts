import type { Transaction } from 'kysely'
import { offersLikes } from '../../../src/domain/comments/comment-rules.ts'
import type { AuditActor } from '../../audit/audit.ts'
import { recordAudit } from '../../audit/audit.ts'
import type { Clock } from '../../clock.ts'
import { lockPosts } from '../../database/comments.ts'
import type { Db } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Graph } from '../graph/graph.ts'
import { isUnknownObject } from '../graph/graph-error.ts'
import type { PageCalls } from '../graph/page-calls.ts'
import { refreshThreadsOf, removeComment } from './store-comments.ts'

export type CommentChange = { kind: 'hide'; hidden: boolean } | { kind: 'like'; liked: boolean } | { kind: 'delete' }

/** 'gone': the network does not know the comment anymore. 'notOffered': the platform has no such call. */
export type ChangeResult = 'changed' | 'gone' | 'missing' | 'notOffered'

export type CommentChanges = ReturnType<typeof createCommentChanges>

/** Hides, deletes and likes comments. Every call can be repeated: the network and the table take the same change again. */
export function createCommentChanges({
  db,
  graph,
  calls,
  clock,
}: {
  db: Db
  graph: Pick<Graph, 'hideComment' | 'deleteComment' | 'likeComment'>
  calls: Pick<PageCalls, 'call'>
  clock: Pick<Clock, 'now'>
}) {
  return {
    /** Throws GraphError and PageUnusable. */
    async change(commentId: string, change: CommentChange, by: AuditActor): Promise<ChangeResult> {
      const comment = await db
        .selectFrom('comments')
        .innerJoin('posts', 'posts.id', 'comments.post_id')
        .select(['comments.post_id', 'comments.page_id', 'posts.platform', 'removed_at', 'hidden_at'])
        .where('comments.id', '=', commentId)
        .executeTakeFirst()
      if (comment === undefined) return 'missing'
      if (comment.removed_at !== null) return change.kind === 'delete' ? 'changed' : 'gone'
      if (change.kind === 'like' && !offersLikes(comment.platform)) return 'notOffered'
      let isGone = false
      try {
        await calls.call(comment.page_id, { paced: false }, (token) => {
          if (change.kind === 'hide') return graph.hideComment(token, commentId, comment.platform, change.hidden)
          return change.kind === 'like'
            ? graph.likeComment(token, commentId, change.liked)
            : graph.deleteComment(token, commentId)
        })
      } catch (error) {
        isGone = isUnknownObject(error)
        if (!isGone) throw error
      }
      const now = new Date(clock.now())
      await inTransaction(db, async (trx) => {
        await lockPosts(trx, [comment.post_id])
        await store(trx, commentId, isGone ? { kind: 'gone' } : change, now)
        await refreshThreadsOf(trx, [commentId])
        const isRepeated = change.kind === 'hide' && change.hidden === (comment.hidden_at !== null)
        if (isGone || change.kind === 'like' || isRepeated) return
        await recordAudit(trx, {
          at: now.getTime(),
          by,
          action: change.kind === 'delete' ? 'comment.deleted' : change.hidden ? 'comment.hidden' : 'comment.shown',
          row: { kind: 'comment', id: commentId },
          details: { page: comment.page_id },
        })
      })
      return isGone ? 'gone' : 'changed'
    },
  }
}

/** The webhook of our own call may have come first. */
async function store(
  trx: Transaction<Tables>,
  commentId: string,
  change: CommentChange | { kind: 'gone' },
  at: Date,
): Promise<void> {
  if (change.kind === 'gone') return removeComment(trx, commentId, { at, by: 'person' })
  if (change.kind === 'delete') return removeComment(trx, commentId, { at, by: 'staff' })
  const comments = trx.updateTable('comments').where('id', '=', commentId)
  if (change.kind === 'like') await comments.set({ liked_at: change.liked ? at : null }).execute()
  else
    await comments
      .set({ hidden_at: change.hidden ? at : null, visibility_at: at })
      .where('hidden_at', change.hidden ? 'is' : 'is not', null)
      .execute()
}
