import * as z from 'zod/mini'
import { author } from './author.ts'
import { direction, platform } from './conversation.ts'
import { messageContent } from './message-content.ts'
import { id, moment } from './primitives.ts'
import { quotedMessage, reactions } from './reactions-receipts-replies.ts'

const media = z.object({ url: z.string() })

const attachment = z.object({
  id: z.nullish(id),
  name: z.nullish(z.string()),
  /** In bytes. */
  size: z.nullish(z.number()),
  image_data: z.nullish(z.object({ url: z.string(), preview_url: z.nullish(z.string()) })),
  video_data: z.nullish(media),
  audio_data: z.nullish(media),
  file_data: z.nullish(media),
})
export type Attachment = z.infer<typeof attachment>

/**
 * An automatic reply that was sent without a known result. `tries` is the number of attempts. A retry sends the number
 * that staff saw, so that two simultaneous retries of the same answer send only one message.
 */
const unconfirmedReply = z.object({ text: z.string(), tries: z.number() })
export type UnconfirmedReply = z.infer<typeof unconfirmedReply>

/** Staff marked an automatic answer wrong: who, by id, and when. `by` is null if that account was removed. */
const wrongAnswer = z.object({ by: z.nullable(id), at: moment })
export type WrongAnswer = z.infer<typeof wrongAnswer>

/** Spec section 3; also a row of the realtime table `messages`. */
export const message = z.object({
  message_id: id,
  id: z.nullish(id),
  fb_user_id: id,
  /** The conversation of the message, if the sender of the row provides it. */
  primary_user_id: z.nullish(id),
  page_id: id,
  /** Missing in realtime rows; the page list has the name. */
  page_name: z.nullish(z.string()),
  message_text: z.nullish(z.string()),
  direction,
  is_read: z._default(z.boolean(), false),
  created_at: moment,
  /** When the network says that the message was written; determines the order of a thread. */
  timestamp_fb: z.nullish(moment),
  /** An attachment that does not match the schema becomes empty, so that the message itself stays valid. */
  attachments: z.nullish(z.object({ data: z.array(z.catch(attachment, {})) })),
  /** What the message is besides text and files. Not in spec section 3. */
  content: z.catch(z.nullish(messageContent), null),
  /** The key under which staff sent the message. It identifies a send whose answer was lost. */
  idempotency_key: z.nullish(z.string()),
  /** The unconfirmed automatic reply to this incoming message. Not in spec section 3. */
  unconfirmed_reply: z.catch(z.nullish(unconfirmedReply), null),
  /** Null or absent: not known. Feature 'authors'. */
  author: z.catch(z.nullish(author), null),
  /** On an automatic answer that staff marked wrong. Feature 'faq-matching'. */
  wrong_answer: z.catch(z.nullish(wrongAnswer), null),
  /** Feature 'reactions'. */
  reactions: z.catch(z.nullish(reactions), null),
  /** The message that this one replies to. Feature 'replies'. */
  reply_to: z.catch(z.nullish(quotedMessage), null),
  /** Whether a historical sync stored the message. Present in realtime rows only. */
  is_historical: z.catch(z.nullish(z.boolean()), null),
})
export type Message = z.infer<typeof message>

export const messagesQuery = z.object({
  page: z._default(z.coerce.number().check(z.int(), z.minimum(1)), 1),
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 50),
  pageId: z.optional(z.string()),
})
export type MessagesQuery = z.infer<typeof messagesQuery>

/** Whether the stored messages reach back to the start of the conversation. Not in spec section 7. */
export const conversationStart = z.object({
  is_reached: z.boolean(),
  /** An identity whose messages no sync has read yet; null if there is none. */
  unsynced: z.nullable(z.object({ page_id: id, psid: id, platform })),
})
export type ConversationStart = z.infer<typeof conversationStart>

/** A result page of messages, oldest first. */
export const messagesAnswer = z.object({
  success: z.literal(true),
  data: z.object({
    messages: z.array(message),
    hasMore: z.optional(z.boolean()),
    start: z.catch(z.optional(conversationStart), undefined),
  }),
})

/** Messages before or after one, or around it. Feature 'search'. */
export const messagesAroundQuery = z.object({
  messageId: z.string().check(z.minLength(1), z.maxLength(500)),
  /** The time of the message, in case that it was deleted. Without it such a message is not found. */
  at: z.optional(moment),
  /** `both`: half before and half after, with the message itself. `from`: the message itself and those after it. */
  side: z._default(z.enum(['both', 'older', 'newer', 'from']), 'both'),
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(2), z.maximum(100)), 50),
  pageId: z.optional(z.string()),
})
export type MessagesAroundQuery = z.infer<typeof messagesAroundQuery>

/** Oldest first, without a gap. On the side that was not asked for, `has_…` is false. */
export const messagesAroundAnswer = z.object({
  success: z.literal(true),
  data: z.object({ messages: z.array(message), has_older: z.boolean(), has_newer: z.boolean() }),
})

/** The spec does not define this answer. Our API returns the message id, so that the echo can be matched by id. */
export const sendMessageAnswer = z.object({
  success: z.literal(true),
  data: z.object({ message_id: id, created_at: moment }),
})

/** The decision of staff on an unconfirmed automatic reply. `tries` is the number of attempts that they saw. */
const replyDecision = z.enum(['look', 'retry', 'discard'])
export type ReplyDecision = z.infer<typeof replyDecision>
export const replyDecisionBody = z.object({ decision: replyDecision, tries: z.number().check(z.int(), z.minimum(1)) })

/** The state of the answer after the decision, with the rows of the question and, if it was delivered, the answer. */
export const replyDecisionAnswer = z.object({
  success: z.literal(true),
  data: z.object({
    state: z.enum(['sent', 'unconfirmed', 'discarded']),
    question: z.nullable(message),
    reply: z.nullable(message),
  }),
})

/** The automatic answer after it was marked wrong, or after the mark was taken back. */
export const wrongAnswerAnswer = z.object({ success: z.literal(true), data: z.object({ message }) })

export const markReadBody = z.object({ pageId: z.nullish(z.string()) })
export const markReadAnswer = z.object({ success: z.literal(true), data: z.object({ updated: z.number() }) })

/**
 * Why a page is the best one to send from: it is the only active page on which the person is known, the person wrote
 * there last, the last message is there, or there are no messages and it is the first page.
 */
const bestPageReason = z.enum(['only_page', 'last_incoming', 'last_message', 'first_page'])
export type BestPageReason = z.infer<typeof bestPageReason>

export const bestPageAnswer = z.object({
  success: z.literal(true),
  data: z.object({ page_id: id, psid: z.nullish(id), reason: z.nullish(z.catch(z.nullable(bestPageReason), null)) }),
})

export const identityAnswer = z.object({
  success: z.literal(true),
  /** The platform determines the maximum length of a message. */
  data: z.object({ psid: id, platform: z.nullish(z.catch(z.nullable(platform), null)) }),
})
