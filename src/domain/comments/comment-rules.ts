import { commentLimits, type Post, type PostComment, type ReplyKind } from '../../schemas/comment.ts'
import type { Platform } from '../../schemas/conversation.ts'
import { fitsInMessage } from '../send/text-limit.ts'

/** A private reply is allowed this long after the comment. Milliseconds. Source: the network's page "Private Replies". */
const privateReplyWindow = 7 * 24 * 3_600_000

/**
 * Whether a private reply to a comment is possible.
 *   'possible': until 7 days after the comment; under a live video on Instagram only while it is broadcast.
 *   'used': the one private reply was sent. 'unconfirmed': nobody can tell whether it arrived.
 */
export type PrivateReply = 'possible' | 'used' | 'unconfirmed' | 'expired' | 'liveEnded' | 'removed' | 'notOffered'

type Facts = Pick<PostComment, 'by_page' | 'removed_by' | 'is_hidden' | 'created_at'> & {
  isPrivateReplyUsed: boolean
  isPrivateReplyOpen: boolean
}
type PostFacts = Pick<Post, 'platform' | 'kind' | 'is_live'>

export const factsOf = (comment: PostComment): Facts => ({
  ...comment,
  isPrivateReplyUsed: comment.private_reply !== null,
  isPrivateReplyOpen: comment.sends.some(({ kind }) => kind === 'private'),
})

/** `now` in milliseconds. */
export function privateReplyOf(comment: Facts, post: PostFacts, now: number): PrivateReply {
  if (comment.by_page) return 'notOffered'
  if (comment.isPrivateReplyUsed) return 'used'
  if (comment.isPrivateReplyOpen) return 'unconfirmed'
  if (comment.removed_by !== null) return 'removed'
  if (now >= privateReplyEnd(comment)) return 'expired'
  if (post.platform === 'instagram' && post.kind === 'live' && !post.is_live) return 'liveEnded'
  return 'possible'
}

/** The time after which no private reply is possible. Milliseconds. */
export const privateReplyEnd = ({ created_at }: Pick<PostComment, 'created_at'>): number =>
  Date.parse(created_at) + privateReplyWindow

/** Whether a public answer is possible. Instagram takes none under a live video or a hidden comment. */
export type PublicReply = 'possible' | 'removed' | 'liveVideo' | 'hidden' | 'notOffered'

export function publicReplyOf(
  comment: Pick<Facts, 'by_page' | 'removed_by' | 'is_hidden'>,
  post: PostFacts,
): PublicReply {
  if (comment.by_page) return 'notOffered'
  if (comment.removed_by !== null) return 'removed'
  if (post.platform === 'messenger') return 'possible'
  if (post.kind === 'live') return 'liveVideo'
  return comment.is_hidden ? 'hidden' : 'possible'
}

/** How a comment is shown to people under the post. */
export type Visibility = 'shown' | 'hidden' | 'removedByPerson' | 'removedByStaff'

export function visibilityOf({ removed_by, is_hidden }: Pick<Facts, 'removed_by' | 'is_hidden'>): Visibility {
  if (removed_by !== null) return removed_by === 'staff' ? 'removedByStaff' : 'removedByPerson'
  return is_hidden ? 'hidden' : 'shown'
}

/** Instagram has no call to like a comment. */
export const offersLikes = (platform: Platform): boolean => platform === 'messenger'

/** Whether an answer is short enough for the network. */
export const replyFits = (text: string, kind: ReplyKind, platform: Platform): boolean =>
  kind === 'private' ? fitsInMessage(text, platform) : [...text].length <= commentLimits.text[platform]

export const isReply = (text: string, kind: ReplyKind, platform: Platform): boolean =>
  text.trim() !== '' && replyFits(text.trim(), kind, platform)
