import * as z from 'zod/mini'
import { id } from '../../../src/schemas/primitives.ts'
import { cleanText } from '../../clean-text.ts'
import type { NormalizeUrl } from '../graph/normalize-url.ts'

const text = z.nullish(z.string())
const time = z.catch(z.nullish(z.number()), null)

const changeShape = z.object({ field: z.string(), value: z.unknown() })

/** `feed` of a page. Old versions name the writer in `sender_id` and `sender_name`. */
const feedComment = z.object({
  item: z.literal('comment'),
  verb: z.enum(['add', 'edit', 'edited', 'remove', 'hide', 'unhide']),
  comment_id: id,
  post_id: id,
  parent_id: z.nullish(id),
  from: z.nullish(z.object({ id: z.nullish(id), name: text })),
  sender_id: z.nullish(id),
  sender_name: text,
  message: text,
  photo: text,
  created_time: time,
  post: z.nullish(z.object({ permalink_url: text })),
})

/** `comments` and `live_comments` of an Instagram account: new comments only. */
const instagramComment = z.object({
  id,
  text,
  from: z.nullish(z.object({ id: z.nullish(id), username: text })),
  media: z.object({ id, media_product_type: text }),
  parent_id: z.nullish(id),
})

/** A change of a comment under a post. `accountId` is a page, or the Instagram account connected to one. */
export type CommentEvent = {
  kind: 'comment'
  accountId: string
  verb: 'add' | 'edit' | 'remove' | 'hide' | 'unhide'
  commentId: string
  postId: string
  /** The comment that this one answers. */
  parentId: string | null
  /** Null if the network does not tell who wrote. */
  authorId: string | null
  authorName: string | null
  text: string | null
  picture: string | null
  permalink: string | null
  isLive: boolean
  /** When the comment was written. */
  createdAt: Date
  /** When the network reported the change. */
  at: Date
}

type Options = {
  accountId: string
  platform: 'messenger' | 'instagram'
  /** In milliseconds or, as the documentation has it for changes, in seconds. */
  entryTime: number | null | undefined
  receivedAt: Date
  normalizeUrl: NormalizeUrl
}

const clean = (value: string | null | undefined) => (value ? cleanText(value) : null)

/** The first plausible time, else that of receipt. */
function timeOf(times: readonly (number | null | undefined)[], receivedAt: Date): Date {
  for (const one of times) {
    if (one == null) continue
    // Later than 1973 in milliseconds, and than 5138 in seconds.
    const milliseconds = one < 100_000_000_000 ? one * 1_000 : one
    if (milliseconds > Date.UTC(2004, 1, 4) && milliseconds <= receivedAt.getTime() + 86_400_000)
      return new Date(milliseconds)
  }
  return receivedAt
}

/** The comment of a change; null for any other change, and 'unknown' if it is one of unknown form. */
export function commentEventOf(change: unknown, options: Options): CommentEvent | 'unknown' | null {
  const { accountId, platform, entryTime, receivedAt, normalizeUrl } = options
  const read = changeShape.safeParse(change)
  if (!read.success) return 'unknown'
  const { field, value } = read.data
  const at = timeOf([entryTime], receivedAt)
  if (platform === 'messenger') {
    if (field !== 'feed' || !isComment(value)) return null
    const found = feedComment.safeParse(value)
    if (!found.success) return 'unknown'
    const { data } = found
    const verb = data.verb === 'edited' ? 'edit' : data.verb
    return {
      kind: 'comment',
      accountId,
      verb,
      commentId: data.comment_id,
      postId: data.post_id,
      parentId: data.parent_id == null || data.parent_id === data.post_id ? null : data.parent_id,
      authorId: data.from?.id ?? data.sender_id ?? null,
      authorName: clean(data.from?.name ?? data.sender_name),
      text: clean(data.message),
      picture: normalizeUrl.picture(data.photo),
      permalink: normalizeUrl(data.post?.permalink_url),
      isLive: false,
      createdAt: timeOf([data.created_time, entryTime], receivedAt),
      at,
    }
  }
  if (field !== 'comments' && field !== 'live_comments') return null
  const found = instagramComment.safeParse(value)
  if (!found.success) return 'unknown'
  const { data } = found
  return {
    kind: 'comment',
    accountId,
    verb: 'add',
    commentId: data.id,
    postId: data.media.id,
    parentId: data.parent_id ?? null,
    authorId: data.from?.id ?? null,
    authorName: clean(data.from?.username),
    text: clean(data.text),
    picture: null,
    permalink: null,
    isLive: field === 'live_comments' || data.media.media_product_type === 'LIVE',
    createdAt: at,
    at,
  }
}

const isComment = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'item' in value && value.item === 'comment'
