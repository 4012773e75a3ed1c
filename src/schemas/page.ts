import * as z from 'zod/mini'
import { answerOf, count, id, moment } from './primitives.ts'

/** A connected page. Its access token is write-only and never part of an answer. */
export const page = z.object({
  page_id: id,
  page_name: z.string(),
  is_active: z.boolean(),
  page_username: z.nullish(z.string()),
  page_category: z.nullish(z.string()),
  page_profile_pic_url: z.nullish(z.string()),
  /** Since when the network refuses the page's token; the page must be connected anew. Null while the token is good. */
  token_invalid_since: z.nullish(moment),
  /** The API keeps the page's token where an edit brings none. Without this an edit needs one (spec sections 5 and 7). */
  keeps_token: z.optional(z.catch(z.boolean(), false)),
  created_at: z.nullish(moment),
  updated_at: z.nullish(moment),
})
export type Page = z.infer<typeof page>

/** `data.data` is the list (spec section 7). */
export const pagesAnswer = z.object({ success: z.literal(true), data: z.object({ data: z.array(page) }) })

/** Characters. */
export const pageLimits = { name: 200, token: 4_000 } as const

const pageName = z.string().check(z.trim(), z.minLength(1), z.maxLength(pageLimits.name))
const accessToken = z.string().check(z.trim(), z.minLength(1), z.maxLength(pageLimits.token))

export const verifyTokenBody = z.object({ page_access_token: accessToken })
export type VerifyTokenBody = z.input<typeof verifyTokenBody>

/** To which page a token belongs, as the network says. A token that it refuses is answered as a refusal. */
export const verifiedToken = z.object({
  id,
  name: z.string(),
  username: z.nullish(z.string()),
  category: z.nullish(z.string()),
  picture: z.nullish(z.string()),
  instagram_account_id: z.nullish(id),
  /** Whether this page is in the list already. */
  is_connected: z.optional(z.boolean()),
})
export type VerifiedToken = z.infer<typeof verifiedToken>
export const verifyTokenAnswer = answerOf(verifiedToken)

export const createPageBody = z.object({
  page_name: pageName,
  page_access_token: accessToken,
  is_active: z._default(z.boolean(), true),
})
export type CreatePageBody = z.input<typeof createPageBody>

/** What is left out stays as it is; an empty token counts as left out. */
export const updatePageBody = z.object({
  page_name: pageName,
  page_access_token: z.optional(z.union([z.literal(''), accessToken])),
  is_active: z.optional(z.boolean()),
})
export type UpdatePageBody = z.input<typeof updatePageBody>

/** The page as it is now; of both POST and PUT. */
export const savedPageAnswer = answerOf(page)

/** What goes with a page that is deleted (GET /facebook/pages/{page_id}/deletion). */
const pageDeletion = z.object({
  /** Conversations that vanish. */
  conversations: count,
  /** Conversations that stay without this page's part, for the person is known on other pages too. */
  shared_conversations: count,
  messages: count,
  /** Messages whose sending is under way or was never confirmed. */
  unsent_messages: count,
})
export type PageDeletion = z.infer<typeof pageDeletion>
export const pageDeletionAnswer = answerOf(pageDeletion)

export const deletePageAnswer = z.object({ success: z.literal(true), message: z.optional(z.string()) })

/** One page that something failed for; `error` is a sentence for staff. */
export const pageFailure = z.object({
  page_id: id,
  page_name: z.string(),
  error: z.string(),
  code: z.nullish(z.string()),
})
export type PageFailure = z.infer<typeof pageFailure>

/** Of both calls that refresh the pictures of pages. */
export const refreshPicturesAnswer = answerOf(z.object({ refreshed: count, failures: z.array(pageFailure) }))
