import type { Transaction } from 'kysely'
import {
  type PrivateReply,
  type PublicReply,
  privateReplyOf,
  publicReplyOf,
  replyFits,
} from '../../../src/domain/comments/comment-rules.ts'
import type { ReplyKind, SendDecision } from '../../../src/schemas/comment.ts'
import { cleanText } from '../../clean-text.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/database.ts'
import type { Row, Tables } from '../../database/tables.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Logger } from '../../logger.ts'
import { type ErasedPeople, findErased } from '../../people/erased-people.ts'
import type { Graph } from '../graph/graph.ts'
import { GraphError } from '../graph/graph-error.ts'
import { type PageCalls, PageUnusable } from '../graph/page-calls.ts'
import {
  alreadyDecided,
  keyReused,
  notListed,
  pageInactive,
  refusalOf,
  SendRefused,
  stillSending,
  tokenUnreadable,
  uncertainResult,
  unconfirmed,
} from '../send/send-refusals.ts'
import { sendTimeout } from '../send/stored-sends.ts'
import { ensureIdentity, type ProfileQueue, storeMessages } from '../store/store.ts'
import { createFindSent, type Place } from './find-sent.ts'
import { settleCommentSend } from './settle-sends.ts'
import { lockPosts, refreshThreadsOf, storeComments } from './store-comments.ts'

type Trx = Transaction<Tables>
type Send = Row<'comment_sends'>

export type CommentReply = { key: string; staffId: string; commentId: string; kind: ReplyKind; message: string }

/** The network's code if the comment has had its private reply. */
const alreadyRepliedPrivately = 10_900
/** The network's codes for a comment or a post that does not exist (anymore). */
const isGone = (error: unknown) => error instanceof GraphError && error.code === 100 && error.subcode === 33

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
const unknownComment = () => new SendRefused(422, 'COMMENT_UNKNOWN', 'This comment is not in the inbox anymore.')
const tooLong = () => new SendRefused(422, 'TEXT_TOO_LONG', 'This answer is too long for the network.')

export type CommentSends = ReturnType<typeof createCommentSends>

/**
 * Answers comments under idempotency keys, as `createSending` sends messages: the key is stored before the call, the same key
 * with the same answer gets the same result, and an answer with an unknown result is sent again only if a person decides so.
 */
export function createCommentSends({
  db,
  graph,
  calls,
  erasedPeople,
  lookups,
  clock,
  logger,
}: {
  db: Db
  graph: Pick<Graph, 'replyToComment' | 'replyPrivately' | 'replies' | 'mayReplyPrivately' | 'conversations'>
  calls: Pick<PageCalls, 'call'>
  erasedPeople: ErasedPeople
  lookups: ProfileQueue
  clock: Clock
  logger: Pick<Logger, 'warn'>
}) {
  const inFlight = new Map<string, Promise<void>>()
  const findSent = createFindSent({ db, graph, calls })

  const find = (on: Db | Trx, key: string) =>
    on.selectFrom('comment_sends').selectAll().where('key', '=', key).executeTakeFirst()

  const hasTimedOut = (send: Send) => clock.now() - send.updated_at.getTime() >= sendTimeout

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

  /** Stores the key before the call. Null if the answer was sent with it already. */
  async function claim(reply: CommentReply): Promise<Send | null> {
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
        if (earlier.state === 'sending') throw hasTimedOut(earlier) ? unconfirmed() : stillSending()
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
  }

  async function placeOf(commentId: string): Promise<Place> {
    const row = await db
      .selectFrom('comments')
      .innerJoin('posts', 'posts.id', 'comments.post_id')
      .select(['comments.page_id as pageId', 'comments.post_id as postId', 'posts.platform', 'author_id as authorId'])
      .where('comments.id', '=', commentId)
      .executeTakeFirst()
    if (row === undefined) throw unknownComment()
    return row
  }

  /** Makes the call and stores its result. `mayHaveArrived`: an earlier call had an unknown result. */
  async function deliver(send: Send, { mayHaveArrived = false } = {}): Promise<void> {
    const place = await placeOf(send.comment_id)
    try {
      const { resultId, psid } = await calls.call(place.pageId, { paced: false }, async (token) => {
        if (send.kind === 'public') {
          const { comment_id: commentId, message } = send
          return {
            resultId: await graph.replyToComment(token, { commentId, platform: place.platform, message }),
            psid: null,
          }
        }
        const sent = await graph.replyPrivately(token, {
          pageId: place.pageId,
          commentId: send.comment_id,
          text: send.message,
          ...(place.platform === 'messenger' ? { metadata: send.key } : {}),
        })
        return { resultId: sent.message_id, psid: sent.recipient_id ?? null }
      })
      await settle(send, place, { resultId, psid })
    } catch (error) {
      if (send.kind === 'private' && error instanceof GraphError && error.code === alreadyRepliedPrivately) {
        // Our own earlier call, or somebody elsewhere: either way the comment has had its private reply.
        if (mayHaveArrived) return settle(send, place, { resultId: null, psid: null })
        await recordElsewhere(send)
        await fail(send, 'failed', error)
        throw notAllowed(privateRefusals.used)
      }
      if (isGone(error) && !mayHaveArrived) await removeGone(send.comment_id)
      const isRefused = error instanceof PageUnusable || (error instanceof GraphError && !error.uncertain)
      await fail(send, isRefused && !mayHaveArrived ? 'failed' : 'unknown', error)
      const settled = await find(db, send.key)
      if (settled?.state === 'sent') return
      if (error instanceof PageUnusable) throw tokenUnreadable()
      throw isRefused ? refusalOf(error) : uncertainResult(error)
    }
  }

  async function settle(
    send: Send,
    { pageId, postId, platform }: Place,
    { resultId, psid }: { resultId: string | null; psid: string | null },
  ): Promise<void> {
    const at = new Date(clock.now())
    await inTransaction(db, async (trx) => {
      await lockPosts(trx, [postId])
      await settleCommentSend(trx, { key: send.key, resultId, at, psid })
    })
    if (send.kind === 'public' || psid === null || resultId === null) return
    // As the echo will do, so that the chat is there at once. The reply was sent, whatever happens here.
    try {
      const identity = await ensureIdentity({ db, lookups, erasedPeople }, { pageId, psid, platform }, at)
      if (typeof identity === 'string') return
      const { fbUserId } = identity
      const text = send.message
      const message = { messageId: resultId, fbUserId, direction: 'outgoing', text, attachments: null, at } as const
      await inTransaction(db, (trx) => storeMessages(trx, [{ ...message, isRead: true, key: null }]))
    } catch {
      logger.warn({ pageId }, 'the message of a private reply waits for its echo')
    }
  }

  async function fail(send: Send, state: 'failed' | 'unknown', error: unknown): Promise<void> {
    const code = error instanceof GraphError ? error.code : null
    logger.warn({ state, code }, 'an answer to a comment was not confirmed by the network')
    await change(send, { state }, ['sending'])
  }

  /** Changes the send if its state is one of `from`, and announces the thread. False if another process was faster. */
  async function change(send: Send, set: Partial<Send>, from: Send['state'][]): Promise<boolean> {
    return inTransaction(db, async (trx) => {
      const { post_id } = await trx
        .selectFrom('comments')
        .select('post_id')
        .where('id', '=', send.comment_id)
        .executeTakeFirstOrThrow()
      await lockPosts(trx, [post_id])
      const changed = await trx
        .updateTable('comment_sends')
        .set({ ...set, updated_at: new Date(clock.now()) })
        .where('key', '=', send.key)
        .where('state', 'in', from)
        .where('tries', '=', send.tries)
        .returning('key')
        .executeTakeFirst()
      await refreshThreadsOf(trx, [send.comment_id])
      return changed !== undefined
    })
  }

  async function recordElsewhere({ comment_id }: Send): Promise<void> {
    await db
      .updateTable('comments')
      .set({ private_reply_at: new Date(clock.now()) })
      .where('id', '=', comment_id)
      .where('private_reply_at', 'is', null)
      .execute()
  }

  /** The network does not know the comment: its writer deleted it, and no webhook told so. */
  async function removeGone(commentId: string): Promise<void> {
    const now = new Date(clock.now())
    await db
      .updateTable('comments')
      .set({ removed_at: now, removed_by: 'person', message: null, picture_url: null })
      .where('id', '=', commentId)
      .where('removed_at', 'is', null)
      .execute()
  }

  /** Settles an unconfirmed answer that the network has. False if it does not tell that the answer arrived. */
  async function look(send: Send): Promise<boolean> {
    const place = await placeOf(send.comment_id)
    const found = await findSent(send, place)
    if (found === null) return false
    const { reply } = found
    if (reply === null) {
      await settle(send, place, found)
      return true
    }
    const { pageId, postId, platform } = place
    await inTransaction(db, async (trx) => {
      const event = {
        kind: 'comment' as const,
        verb: 'add' as const,
        pageId,
        platform,
        byPage: true,
        commentId: reply.id,
        postId,
        parentId: send.comment_id,
        authorId: pageId,
        authorName: null,
        text: reply.message,
        picture: null,
        permalink: null,
        isLive: false,
        createdAt: reply.at,
        at: reply.at,
      }
      await storeComments(trx, [event])
      await settleCommentSend(trx, { key: send.key, resultId: reply.id, at: reply.at })
    })
    return true
  }

  async function decide(key: string, decision: SendDecision, tries: number): Promise<void> {
    const send = await find(db, key)
    if (send === undefined) throw unknownComment()
    if (send.state === 'sent') return
    if (send.state === 'sending' && hasTimedOut(send)) {
      await change(send, { state: 'unknown' }, ['sending'])
      return decide(key, decision, tries)
    }
    if (send.state === 'sending') throw stillSending()
    if (send.state !== 'unknown' || send.tries !== tries) throw alreadyDecided()
    if (decision === 'discard') {
      if (!(await change(send, { state: 'discarded' }, ['unknown']))) throw alreadyDecided()
      return
    }
    let isFound: boolean
    try {
      isFound = await look(send)
    } catch (error) {
      throw uncertainResult(error)
    }
    if (isFound) return
    if (decision === 'look') throw notListed()
    const again = { ...send, tries: send.tries + 1 }
    if (!(await change(send, { state: 'sending', tries: again.tries }, ['unknown']))) throw alreadyDecided()
    await deliver(again, { mayHaveArrived: true })
  }

  /** Two requests of this process with one key make one call. Between processes the claim does this. */
  function once(id: string, work: () => Promise<void>): Promise<void> {
    const running = inFlight.get(id)
    if (running !== undefined) return running
    const result = work().finally(() => inFlight.delete(id))
    inFlight.set(id, result)
    return result
  }

  return {
    /** Sends an answer. Throws SendRefused; with status 503 or 504 it may have arrived. */
    reply: (requested: CommentReply): Promise<void> => {
      const reply = { ...requested, message: cleanText(requested.message) }
      return once(JSON.stringify(reply), async () => {
        const send = await claim(reply)
        if (send !== null) await deliver(send)
      })
    },

    /** Carries out the decision of a person about an unconfirmed answer. Throws SendRefused. */
    decide: (key: string, decision: SendDecision, tries: number): Promise<void> =>
      once(JSON.stringify([key, decision, tries]), () => decide(key, decision, tries)),
  }
}
