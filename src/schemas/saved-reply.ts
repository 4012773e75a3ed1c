import * as z from 'zod/mini'
import { outgoingFile } from './outgoing-file.ts'
import { answerOf, count, id, moment } from './primitives.ts'
import { replyStructure } from './structured-message.ts'

/** `name` and `text` in characters, `pages` and `pictures` for one saved reply, `replies` for the whole team. */
export const savedReplyLimits = { name: 40, text: 1_999, pages: 200, pictures: 5, replies: 500 } as const

/** A text that staff insert into a reply (feature 'saved-replies'). */
export const savedReply = z.object({
  id,
  /** What staff type after `/`. Has no space. Unique without regard to case. */
  name: z.string(),
  /** May contain the variables `{first_name}`, `{balance}`, `{order_number}` and `{page}`. Empty: pictures alone. */
  text: z.string(),
  /** The social pages that it is for; null for all. */
  page_ids: z.nullable(z.array(id)),
  /** In their order (feature 'reply-pictures'). */
  pictures: z.nullish(z.array(outgoingFile)),
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

const savedReplyFields = z.object({
  name: z.string().check(z.trim(), z.maxLength(savedReplyLimits.name), z.refine(isTypeableName, 'not a name')),
  text: z.string().check(z.trim(), z.maxLength(savedReplyLimits.text)),
  page_ids: z.nullable(
    z.array(id).check(
      z.minLength(1),
      z.maxLength(savedReplyLimits.pages),
      z.refine((ids) => new Set(ids).size === ids.length, 'not unique'),
    ),
  ),
  /**
   * The ids of its pictures in their order: those that it has, and uploads of this person (feature 'files'). Absent: a
   * changed saved reply keeps its pictures.
   */
  pictures: z.optional(
    z.array(z.uuid()).check(
      z.maxLength(savedReplyLimits.pictures),
      z.refine((ids) => new Set(ids).size === ids.length, 'not unique'),
    ),
  ),
  /** An older client names none. */
  structure: z._default(z.nullable(replyStructure), null),
})

/** The body of both POST and PUT. A text may be empty beside pictures. */
export const savedReplyBody = savedReplyFields.check(
  z.refine(({ text, pictures = [] }) => text !== '' || pictures.length > 0, { path: ['text'], error: 'empty' }),
)
export type SavedReplyBody = z.infer<typeof savedReplyBody>

/** A copy of a picture for one message. `copy` is chosen by the browser, so that a repeated call copies once. */
export const pictureCopyParam = z.object({
  id: z.string().check(z.maxLength(200)),
  picture: z.uuid(),
  copy: z.uuid(),
})

/** Names the sent message, by its idempotency key. */
export const usedReplyBody = z.object({ key: z.string().check(z.minLength(1), z.maxLength(200)) })
