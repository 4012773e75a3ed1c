import * as z from 'zod/mini'
import { answerOf, count, id, moment } from './primitives.ts'
import { replyStructure } from './structured-message.ts'

/** `name` and `text` in characters, `pages` for one saved reply, `replies` for the whole team. */
export const savedReplyLimits = { name: 40, text: 1_999, pages: 200, replies: 500 } as const

/** A text that staff insert into a reply (feature 'saved-replies'). */
export const savedReply = z.object({
  id,
  /** What staff type after `/`. Has no space. Unique without regard to case. */
  name: z.string(),
  /** May contain the variables `{first_name}`, `{balance}`, `{order_number}` and `{page}`. */
  text: z.string(),
  /** The social pages that it is for; null for all. */
  page_ids: z.nullable(z.array(id)),
  /** Quick replies or buttons below the text. Feature 'reply-buttons'. */
  structure: z.catch(z.nullish(replyStructure), null),
  /** The number of sent messages that were written with it. */
  uses: count,
  created_by_name: z.nullish(z.string()),
  created_at: moment,
  updated_by_name: z.nullish(z.string()),
  updated_at: moment,
})
export type SavedReply = z.infer<typeof savedReply>

/** All saved replies, by name. */
export const savedRepliesAnswer = answerOf(z.array(savedReply))
export const savedReplyAnswer = answerOf(savedReply)

/** Whether a name can be typed after `/`: it has no space, no slash and no control character. */
export const isTypeableName = (name: string): boolean => /^[^\s/\p{Cc}\p{Cs}]+$/u.test(name)

/** The form in which names are compared. */
export const comparableName = (name: string): string => name.normalize('NFKC').toLowerCase()

/** The body of both POST and PUT. */
export const savedReplyBody = z.object({
  name: z.string().check(z.trim(), z.maxLength(savedReplyLimits.name), z.refine(isTypeableName, 'not a name')),
  text: z.string().check(z.trim(), z.minLength(1), z.maxLength(savedReplyLimits.text)),
  page_ids: z.nullable(
    z.array(id).check(
      z.minLength(1),
      z.maxLength(savedReplyLimits.pages),
      z.refine((ids) => new Set(ids).size === ids.length, 'not unique'),
    ),
  ),
  /** An older client names none. */
  structure: z._default(z.nullable(replyStructure), null),
})
export type SavedReplyBody = z.infer<typeof savedReplyBody>

/** Names the sent message, by its idempotency key. */
export const usedReplyBody = z.object({ key: z.string().check(z.minLength(1), z.maxLength(200)) })
