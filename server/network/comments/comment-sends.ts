import type { SendDecision } from '../../../src/schemas/comment.ts'
import { cleanText } from '../../clean-text.ts'
import type { Clock } from '../../clock.ts'
import { lockPosts } from '../../database/comments.ts'
import type { Db } from '../../database/database.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Logger } from '../../logger.ts'
import type { ErasedPeople } from '../../people/erased-people.ts'
import type { Graph } from '../graph/graph.ts'
import { GraphError, isUnknownObject } from '../graph/graph-error.ts'
import type { PageCalls } from '../graph/page-calls.ts'
import { alreadyDecided, failureOf, notListed, stillSending, uncertainResult } from '../send/send-refusals.ts'
import { createSharedRuns } from '../send/shared-runs.ts'
import { hasTimedOut } from '../send/stored-sends.ts'
import { ensureIdentity, type ProfileQueue, storeMessages } from '../store/store.ts'
import { createFindSent, type Place } from './find-sent.ts'
import { settleCommentSend } from './settle-sends.ts'
import { recordPrivateReply, removeComment, storeComments } from './store-comments.ts'
import {
  type CommentReply,
  type CommentSend,
  createStoredCommentSends,
  privateReplyUsed,
  unknownComment,
} from './stored-comment-sends.ts'

/** The network's code if the comment has had its private reply. */
const alreadyRepliedPrivately = 10_900

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
  const sends = createStoredCommentSends({ db, erasedPeople, clock })
  const once = createSharedRuns<void>()
  const findSent = createFindSent({ db, graph, calls })

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
  async function deliver(send: CommentSend, { mayHaveArrived = false } = {}): Promise<void> {
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
        await recordFailure(send, 'failed', error)
        throw privateReplyUsed()
      }
      const { state, refusal } = failureOf(error, { mayBeDelivered: mayHaveArrived })
      await recordFailure(send, state, error)
      const settled = await sends.find(send.key)
      if (settled?.state === 'sent') return
      throw refusal
    }
  }

  async function settle(
    send: CommentSend,
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

  /** Stores that the network did not confirm the answer, with what its error says about the comment. */
  async function recordFailure(send: CommentSend, state: 'failed' | 'unknown', error: unknown): Promise<void> {
    const code = error instanceof GraphError ? error.code : null
    logger.warn({ state, code }, 'an answer to a comment was not confirmed by the network')
    const at = new Date(clock.now())
    await sends.change(send, { state }, 'sending', async (trx) => {
      if (state !== 'failed') return
      // Its writer deleted it, and no webhook told so.
      if (isUnknownObject(error)) await removeComment(trx, send.comment_id, { at, by: 'person' })
      if (send.kind === 'private' && code === alreadyRepliedPrivately)
        await recordPrivateReply(trx, send.comment_id, at)
    })
  }

  /** Settles an unconfirmed answer that the network has. False if it does not tell that the answer arrived. */
  async function look(send: CommentSend): Promise<boolean> {
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
    const send = await sends.find(key)
    if (send === undefined) throw unknownComment()
    if (send.state === 'sent') return
    if (send.state === 'sending' && hasTimedOut(send, clock)) {
      await sends.change(send, { state: 'unknown' }, 'sending')
      return decide(key, decision, tries)
    }
    if (send.state === 'sending') throw stillSending()
    if (send.state !== 'unknown' || send.tries !== tries) throw alreadyDecided()
    if (decision === 'discard') {
      if (!(await sends.change(send, { state: 'discarded' }, 'unknown'))) throw alreadyDecided()
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
    if (!(await sends.change(send, { state: 'sending', tries: again.tries }, 'unknown'))) throw alreadyDecided()
    await deliver(again, { mayHaveArrived: true })
  }

  return {
    /** Sends an answer. Throws SendRefused; with status 503 or 504 it may have arrived. */
    reply: (requested: CommentReply): Promise<void> => {
      const reply = { ...requested, message: cleanText(requested.message) }
      return once(JSON.stringify(reply), async () => {
        const send = await sends.claim(reply)
        if (send !== null) await deliver(send)
      })
    },

    /** Carries out the decision of a person about an unconfirmed answer. Throws SendRefused. */
    decide: (key: string, decision: SendDecision, tries: number): Promise<void> =>
      once(JSON.stringify([key, decision, tries]), () => decide(key, decision, tries)),
  }
}
