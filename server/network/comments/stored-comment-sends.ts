import type { Transaction } from 'kysely'
import {
  type PrivateReply,
  type PublicReply,
  privateReplyOf,
  publicReplyOf,
  replyFits,
} from '../../../src/domain/comments/comment-rules.ts'
import type { ReplyKind } from '../../../src/schemas/comment.ts'
import type { Clock } from '../../clock.ts'
import { lockPosts } from '../../database/comments.ts'
import type { Db } from '../../database/database.ts'
import type { Row, Tables } from '../../database/tables.ts'
import { inTransaction } from '../../database/transaction.ts'
import { type ErasedPeople, findErased } from '../../people/erased-people.ts'
import {
  alreadyDecided,
  keyReused,
  pageInactive,
  SendRefused,
  stillSending,
  unconfirmed,
} from '../send/send-refusals.ts'
import { hasTimedOut } from '../send/stored-sends.ts'
import { refreshThreadsOf } from './store-comments.ts'

type Trx = Transaction<Tables>
export type CommentSend = Row<'comment_sends'>

export type CommentReply = { key: string; staffId: string; commentId: string; kind: ReplyKind; message: string }

const publicRefusals: Record<Exclude<PublicReply, 'possible'>, string> = {
  removed: 'This comment was deleted.',
  liveVideo: 'Instagram takes no public answer under a live video. Answer in private.',
  hidden: 'Instagram takes no answer to a hidden comment. Show the comment first.',
  notOffered: 'The page wrote this comment itself.',
}
const privateRefusals: Record<Exclude<PrivateReply, 'possible'>, string> = {
  used: 'This comment has had its one private reply.',
  unconfirmed: 'It is not certain whether an earlier private reply arrived. Look again or discard it first.',
  expired: 'A private reply is possible for 7 days after the comment.',
  liveEnded: 'The live video has ended. Instagram takes private replies only during it.',
  removed: 'This comment was deleted.',
  notOffered: 'The page wrote this comment itself.',
}
const notAllowed = (text: string) => new SendRefused(422, 'COMMENT_RULE', text)
export const privateReplyUsed = () => notAllowed(privateRefusals.used)
export const unknownComment = () => new SendRefused(422, 'COMMENT_UNKNOWN', 'This comment is not in the inbox anymore.')
const tooLong = () => new SendRefused(422, 'TEXT_TOO_LONG', 'This answer is too long for the network.')

/** The table `comment_sends`: one row for each idempotency key. Every change locks the post of the comment first. */
export function createStoredCommentSends({
  db,
  erasedPeople,
  clock,
}: {
  db: Db
  erasedPeople: ErasedPeople
  clock: Pick<Clock, 'now'>
}) {
  const find = (on: Db | Trx, key: string) =>
    on.selectFrom('comment_sends').selectAll().where('key', '=', key).executeTakeFirst()

  /** The comment with its post and page; the post is locked. */
  async function lockComment(trx: Trx, commentId: string) {
    const place = await trx.selectFrom('comments').select('post_id').where('id', '=', commentId).executeTakeFirst()
    if (place === undefined) throw unknownComment()
    await lockPosts(trx, [place.post_id])
    const found = await trx
      .selectFrom('comments')
      .innerJoin('posts', 'posts.id', 'comments.post_id')
      .innerJoin('pages', 'pages.page_id', 'comments.page_id')
      .selectAll('comments')
      .select(['posts.platform', 'posts.kind', 'posts.is_live', 'pages.is_active', 'pages.deletion_started_at'])
      .where('comments.id', '=', commentId)
      .executeTakeFirst()
    if (found === undefined) throw unknownComment()
    if (!found.is_active || found.deletion_started_at !== null) throw pageInactive()
    const erased = await findErased(trx, erasedPeople, { pageId: found.page_id, psid: found.author_id })
    if (erased !== null && !erased.isCompleted) throw unknownComment()
    return found
  }

  function checkRules(comment: Awaited<ReturnType<typeof lockComment>>, reply: CommentReply, isOpen: boolean): void {
    const { platform, kind, is_live, created_at, by_page, removed_by, hidden_at, private_reply_at } = comment
    const facts = {
      by_page,
      removed_by,
      is_hidden: hidden_at !== null,
      created_at: created_at.toISOString(),
      isPrivateReplyUsed: private_reply_at !== null,
      isPrivateReplyOpen: isOpen,
    }
    if (reply.kind === 'private') {
      const state = privateReplyOf(facts, { platform, kind, is_live }, clock.now())
      if (state !== 'possible') throw notAllowed(privateRefusals[state])
    } else {
      const state = publicReplyOf(facts, { platform, kind, is_live })
      if (state !== 'possible') throw notAllowed(publicRefusals[state])
    }
    if (!replyFits(reply.message, reply.kind, platform)) throw tooLong()
  }

  return {
    find: (key: string): Promise<CommentSend | undefined> => find(db, key),

    /** Stores the key before the call. Null if the answer was sent with it already. Throws SendRefused. */
    async claim(reply: CommentReply): Promise<CommentSend | null> {
      const now = new Date(clock.now())
      return inTransaction(db, async (trx) => {
        const comment = await lockComment(trx, reply.commentId)
        const earlier = await find(trx, reply.key)
        if (earlier !== undefined) {
          const isSame =
            earlier.comment_id === reply.commentId && earlier.kind === reply.kind && earlier.message === reply.message
          if (!isSame) throw keyReused()
          if (earlier.state === 'sent') return null
          if (earlier.state === 'discarded') throw alreadyDecided()
          if (earlier.state === 'unknown') throw unconfirmed()
          if (earlier.state === 'sending') throw hasTimedOut(earlier, clock) ? unconfirmed() : stillSending()
        }
        const open = await trx
          .selectFrom('comment_sends')
          .select('key')
          .where('comment_id', '=', reply.commentId)
          .where('kind', '=', 'private')
          .where('state', 'in', ['sending', 'unknown'])
          .executeTakeFirst()
        checkRules(comment, reply, open !== undefined)
        return trx
          .insertInto('comment_sends')
          .values({
            key: reply.key,
            comment_id: reply.commentId,
            kind: reply.kind,
            staff_id: reply.staffId,
            message: reply.message,
            state: 'sending',
            result_id: null,
            created_at: now,
            updated_at: now,
          })
          .onConflict((conflict) => conflict.column('key').doUpdateSet({ state: 'sending', updated_at: now }))
          .returningAll()
          .executeTakeFirstOrThrow()
      })
    },

    /**
     * Changes the send if its state is one of `from`, and announces the thread. False if another process was faster.
     * `changeComment` runs in either case, in the same transaction.
     */
    async change(
      send: CommentSend,
      set: Partial<CommentSend>,
      from: CommentSend['state'],
      changeComment?: (trx: Trx) => Promise<unknown>,
    ): Promise<boolean> {
      return inTransaction(db, async (trx) => {
        const { post_id } = await trx
          .selectFrom('comments')
          .select('post_id')
          .where('id', '=', send.comment_id)
          .executeTakeFirstOrThrow()
        await lockPosts(trx, [post_id])
        await changeComment?.(trx)
        const changed = await trx
          .updateTable('comment_sends')
          .set({ ...set, updated_at: new Date(clock.now()) })
          .where('key', '=', send.key)
          .where('state', '=', from)
          .where('tries', '=', send.tries)
          .returning('key')
          .executeTakeFirst()
        await refreshThreadsOf(trx, [send.comment_id])
        return changed !== undefined
      })
    },
  }
}
