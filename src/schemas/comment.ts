import * as z from 'zod/mini'
import { platform, searchLimit } from './conversation.ts'
import { saleClaim } from './live-sale.ts'
import { answerOf, count, id, moment } from './primitives.ts'

/** `threads` and `comments` of one answer; texts in characters; `count` is the highest number of waiting threads counted. */
export const commentLimits = {
  threads: 30,
  /** The most rows of one answer of the list. */
  mostThreads: 300,
  comments: 200,
  count: 100,
  text: { messenger: 8_000, instagram: 300 },
} as const

/** The views of the list of threads. */
export const commentViews = ['waiting', 'all'] as const
export type CommentView = (typeof commentViews)[number]

const nullableText = z.nullable(z.string())

/** A post or a live video. The details are null until the server has read them from the network. */
const post = z.object({
  id,
  page_id: id,
  platform,
  kind: z.enum(['post', 'live']),
  /** A live video that is being broadcast. */
  is_live: z.boolean(),
  message: nullableText,
  picture_url: nullableText,
  permalink: nullableText,
})
export type Post = z.infer<typeof post>

/** What one person wrote under one post, as the list shows it. */
export const threadRow = z.object({
  id,
  post,
  author_name: nullableText,
  last_at: moment,
  /** Null if every comment has an answer. */
  waiting_since: z.nullable(moment),
  /** The person's newest comment; null if it has no text or was removed. */
  last_text: nullableText,
})
export type ThreadRow = z.infer<typeof threadRow>

const openSend = z.object({
  key: z.string(),
  kind: z.enum(['public', 'private']),
  message: z.string(),
  state: z.enum(['sending', 'unknown']),
  tries: count,
})
/** An answer that the network has not confirmed. */
export type OpenSend = z.infer<typeof openSend>

export const comment = z.object({
  id,
  parent_id: z.nullable(id),
  by_page: z.boolean(),
  author_name: nullableText,
  message: nullableText,
  picture_url: nullableText,
  created_at: moment,
  edited_at: z.nullable(moment),
  is_hidden: z.boolean(),
  removed_by: z.nullable(z.enum(['person', 'staff'])),
  is_liked: z.boolean(),
  /** The member of staff who wrote it here. */
  staff_name: nullableText,
  /** The one private reply. Text and chat are null if it was sent elsewhere, or until its message is stored. */
  private_reply: z.nullable(z.object({ at: moment, message: nullableText, conversation_id: z.nullable(id) })),
  sends: z.array(openSend),
  /** The keys of the answers that have arrived. */
  sent_keys: z.optional(z.array(z.string())),
  /** What the comment claimed in a live sale. */
  claim: z.nullish(saleClaim),
})
export type PostComment = z.infer<typeof comment>

/** A thread with its post. `comments`: the newest of the person, oldest first, each followed by what answers it. */
export const commentThread = z.object({
  id,
  post,
  author_name: nullableText,
  waiting_since: z.nullable(moment),
  last_at: moment,
  /** The chat with the person, if it is known. */
  conversation_id: z.nullable(id),
  client_id: z.nullable(id),
  comments: z.array(comment),
})
export type CommentThread = z.infer<typeof commentThread>
export const commentThreadAnswer = answerOf(commentThread)

export const commentListQuery = z.object({
  view: z._default(z.enum(commentViews), 'waiting'),
  /** Words in the name of the writer, or all in one comment. */
  search: z.optional(z.string().check(z.maxLength(searchLimit))),
  page: z.optional(z.string().check(z.maxLength(200))),
  post: z.optional(z.string().check(z.maxLength(200))),
  /** Only the threads of the person of this conversation. */
  conversation: z.optional(z.string().check(z.maxLength(200))),
  /** The `next` of the page before. */
  after: z.optional(z.string().check(z.maxLength(200))),
  limit: z._default(
    z.coerce.number().check(z.int(), z.minimum(1), z.maximum(commentLimits.mostThreads)),
    commentLimits.threads,
  ),
})
/** Newest first. `next` is null on the last page. */
export const commentListAnswer = answerOf(z.object({ threads: z.array(threadRow), next: nullableText }))
export type CommentList = z.infer<typeof commentListAnswer>['data']

/** The number of threads without an answer, counted up to `commentLimits.count`. */
export const commentCountAnswer = answerOf(z.object({ waiting: count }))

export const replyBody = z.object({
  kind: z.enum(['public', 'private']),
  message: z.string().check(z.trim(), z.minLength(1), z.maxLength(commentLimits.text.messenger)),
})
export type ReplyKind = z.infer<typeof replyBody>['kind']

/** `tries` is the number of requests that the person saw. */
export const sendDecisionBody = z.object({ decision: z.enum(['look', 'retry', 'discard']), tries: count })
export type SendDecision = z.infer<typeof sendDecisionBody>['decision']

export const hiddenBody = z.object({ hidden: z.boolean() })
export const likeBody = z.object({ liked: z.boolean() })
/** Comments up to this time need no answer. */
export const doneBody = z.object({ up_to: moment })

/**
 * A row of the realtime table `comment_threads`; for a deleted row only its key is known. The change is a new comment if
 * `news_version` is its version.
 */
export const commentThreadRow = z.object({
  id,
  post_id: z.optional(id),
  author_name: z.nullish(z.string()),
  waiting_since: z.nullish(z.string()),
  /** The newest comment that needs an answer. */
  waiting_text: z.nullish(z.string()),
  version: z.optional(z.number()),
  news_version: z.nullish(z.number()),
})
export type CommentThreadRow = z.infer<typeof commentThreadRow>
