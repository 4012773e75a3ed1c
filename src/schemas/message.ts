import * as z from 'zod/mini'
import { direction, platform } from './conversation.ts'
import { id, moment } from './primitives.ts'

const media = z.object({ url: z.string() })

const attachment = z.object({
  id: z.nullish(id),
  name: z.nullish(z.string()),
  /** Bytes. */
  size: z.nullish(z.number()),
  image_data: z.nullish(z.object({ url: z.string(), preview_url: z.nullish(z.string()) })),
  video_data: z.nullish(media),
  audio_data: z.nullish(media),
  file_data: z.nullish(media),
})
export type Attachment = z.infer<typeof attachment>

/**
 * An automatic answer that left, and nobody knows whether it arrived. `tries` is how often it left: a retry names the
 * number that the person saw, so that two retries of the same answer send once.
 */
const unconfirmedReply = z.object({ text: z.string(), tries: z.number() })
export type UnconfirmedReply = z.infer<typeof unconfirmedReply>

/** Spec section 3, and a row of the realtime table `messages`. */
export const message = z.object({
  message_id: id,
  id: z.nullish(id),
  fb_user_id: id,
  /** The conversation it belongs to, where the sender of the row knows it. */
  primary_user_id: z.nullish(id),
  page_id: id,
  /** Absent from a realtime row: the page list knows it. */
  page_name: z.nullish(z.string()),
  message_text: z.nullish(z.string()),
  direction,
  is_read: z._default(z.boolean(), false),
  created_at: moment,
  /** When the network says it was written; the order of a thread. */
  timestamp_fb: z.nullish(moment),
  /** One that cannot be read is one that nobody can open; the message stays. */
  attachments: z.nullish(z.object({ data: z.array(z.catch(attachment, {})) })),
  /** The key under which one of our staff sent it; how a lost answer is settled. */
  idempotency_key: z.nullish(z.string()),
  /** Of an incoming message: its automatic answer while that is unconfirmed. Not in spec section 3. */
  unconfirmed_reply: z.catch(z.nullish(unconfirmedReply), null),
  /** A historical sync brought it. Stands in realtime rows alone. */
  is_historical: z.catch(z.nullish(z.boolean()), null),
})
export type Message = z.infer<typeof message>

export const messagesQuery = z.object({
  page: z._default(z.coerce.number().check(z.int(), z.minimum(1)), 1),
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 50),
  pageId: z.optional(z.string()),
})
export type MessagesQuery = z.infer<typeof messagesQuery>

/** A page of messages, oldest first. */
export const messagesAnswer = z.object({
  success: z.literal(true),
  data: z.object({ messages: z.array(message), hasMore: z.optional(z.boolean()) }),
})

export const sendMessageBody = z.object({
  pageId: z.string().check(z.minLength(1)),
  recipientPsid: z.string().check(z.minLength(1)),
  messageText: z.string().check(z.refine((text) => text.trim() !== '', 'Message text is required')),
  messageType: z._default(z.literal('text'), 'text'),
})
export type SendMessageBody = z.input<typeof sendMessageBody>

/** The spec leaves the answer open; ours names the message, so that the echo is known by id. */
export const sendMessageAnswer = z.object({
  success: z.literal(true),
  data: z.object({ message_id: id, created_at: moment }),
})

/** What a person decides of an unconfirmed automatic answer; `tries` is the number they saw. */
const replyDecision = z.enum(['look', 'retry', 'discard'])
export type ReplyDecision = z.infer<typeof replyDecision>
export const replyDecisionBody = z.object({ decision: replyDecision, tries: z.number().check(z.int(), z.minimum(1)) })

/** How the answer stands now, with the question's row and the answer's, where that is known to have arrived. */
export const replyDecisionAnswer = z.object({
  success: z.literal(true),
  data: z.object({
    state: z.enum(['sent', 'unconfirmed', 'discarded']),
    question: z.nullable(message),
    reply: z.nullable(message),
  }),
})

export const markReadBody = z.object({ pageId: z.nullish(z.string()) })
export const markReadAnswer = z.object({ success: z.literal(true), data: z.object({ updated: z.number() }) })

/**
 * Why a page is the best one to send from: the person is known on no other active page, wrote there last, something was
 * last written there, or nothing was written anywhere and it is simply the first.
 */
const bestPageReason = z.enum(['only_page', 'last_incoming', 'last_message', 'first_page'])
export type BestPageReason = z.infer<typeof bestPageReason>

export const bestPageAnswer = z.object({
  success: z.literal(true),
  data: z.object({ page_id: id, psid: z.nullish(id), reason: z.nullish(z.catch(z.nullable(bestPageReason), null)) }),
})

export const identityAnswer = z.object({
  success: z.literal(true),
  /** The platform decides how long a message may be. */
  data: z.object({ psid: id, platform: z.nullish(z.catch(z.nullable(platform), null)) }),
})
