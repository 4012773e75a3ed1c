import type { Db } from '../../database/database.ts'
import type { Row } from '../../database/tables.ts'
import type { Graph } from '../graph/graph.ts'
import { graphMessage } from '../graph/graph-shapes.ts'
import type { PageCalls } from '../graph/page-calls.ts'
import { clockTolerance } from '../store/clock-tolerance.ts'

/** Where a comment is. `authorId`: who wrote it. */
export type Place = { pageId: string; postId: string; platform: 'messenger' | 'instagram'; authorId: string }

type Send = Row<'comment_sends'>

/** An answer that the network has. `reply`: the comment of a public answer; null for a private one. */
type Found = {
  resultId: string | null
  psid: string | null
  reply: { id: string; message: string; at: Date } | null
}

/**
 * Reads from the network whether an unconfirmed answer arrived. Null unless exactly one comment or message can be it, or, for
 * a private reply on Facebook, unless the network takes no other one. Throws GraphError and PageUnusable.
 */
export const createFindSent = ({
  db,
  graph,
  calls,
}: {
  db: Db
  graph: Pick<Graph, 'replies' | 'mayReplyPrivately' | 'conversations'>
  calls: Pick<PageCalls, 'call'>
}) => {
  async function inChat(send: Send, place: Place, token: string, ownIds: readonly string[]): Promise<Found | null> {
    const { pageId, platform, authorId } = place
    const { conversations } = await graph.conversations(token, { pageId, platform, psid: authorId, limit: 1 })
    const sent = conversations
      .flatMap(({ messages }) => messages?.data ?? [])
      .flatMap((row) => graphMessage.safeParse(row).data ?? [])
      .filter(
        ({ from, message, created_time }) =>
          ownIds.includes(from?.id ?? '') && message === send.message && isSince(send, created_time),
      )
    const [only] = sent
    return sent.length === 1 && only !== undefined ? { resultId: only.id, psid: authorId, reply: null } : null
  }

  async function underComment(
    send: Send,
    place: Place,
    token: string,
    ownIds: readonly string[],
  ): Promise<Found | null> {
    const replies = await graph.replies(token, send.comment_id, place.platform)
    const alike = replies.flatMap(({ id, authorId, message, createdAt }) => {
      const isOwn = authorId === null || ownIds.includes(authorId)
      const isSame = message === send.message && createdAt !== null && isSince(send, createdAt)
      return isOwn && isSame ? { id, message, at: new Date(createdAt) } : []
    })
    if (alike.length === 0) return null
    const ids = alike.map(({ id }) => id)
    const settled = await db.selectFrom('comment_sends').select('result_id').where('result_id', 'in', ids).execute()
    const open = alike.filter(({ id }) => !settled.some(({ result_id }) => result_id === id))
    const [reply] = open
    return open.length === 1 && reply !== undefined ? { resultId: reply.id, psid: null, reply } : null
  }

  return (send: Send, place: Place): Promise<Found | null> =>
    calls.call(place.pageId, { paced: false }, async (token, { instagramId }) => {
      const ownIds = [place.pageId, instagramId ?? place.pageId]
      if (send.kind === 'public') return underComment(send, place, token, ownIds)
      if (place.platform === 'instagram') return inChat(send, place, token, ownIds)
      const isUsed = (await graph.mayReplyPrivately(token, send.comment_id)) === false
      return isUsed ? { resultId: null, psid: null, reply: null } : null
    })
}

/** The network's times are in whole seconds, and its clock may differ from ours. */
const isSince = (send: Send, createdAt: string): boolean =>
  Date.parse(createdAt) >= send.created_at.getTime() - clockTolerance
