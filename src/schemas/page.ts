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
  /**
   * Since when the network refuses the page's token; the page must then be connected again. Null while the token is
   * valid.
   */
  token_invalid_since: z.nullish(moment),
  /**
   * True if the API keeps the stored token when an edit contains none. Otherwise every edit needs a token (spec
   * sections 5 and 7).
   */
  keeps_token: z.optional(z.catch(z.boolean(), false)),
  /** Whether customers see that staff write, and that staff have read. Absent if the API does not offer it. */
  shows_typing: z.optional(z.catch(z.boolean(), false)),
  shows_seen: z.optional(z.catch(z.boolean(), false)),
  created_at: z.nullish(moment),
  updated_at: z.nullish(moment),
})
export type Page = z.infer<typeof page>

/** `data.data` is the list (spec section 7). */
export const pagesAnswer = z.object({ success: z.literal(true), data: z.object({ data: z.array(page) }) })

/** In characters. */
export const pageLimits = { name: 200, token: 4_000 } as const

const pageName = z.string().check(z.trim(), z.minLength(1), z.maxLength(pageLimits.name))
const accessToken = z.string().check(z.trim(), z.minLength(1), z.maxLength(pageLimits.token))

export const verifyTokenBody = z.object({ page_access_token: accessToken })
export type VerifyTokenBody = z.input<typeof verifyTokenBody>

/** The page that a token belongs to, according to the network. The API answers a refused token with a refusal. */
export const verifiedToken = z.object({
  id,
  name: z.string(),
  username: z.nullish(z.string()),
  category: z.nullish(z.string()),
  picture: z.nullish(z.string()),
  instagram_account_id: z.nullish(id),
  /** Whether this page is already connected. */
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

/** Omitted fields stay unchanged. An empty token counts as omitted. */
export const updatePageBody = z.object({
  page_name: pageName,
  page_access_token: z.optional(z.union([z.literal(''), accessToken])),
  is_active: z.optional(z.boolean()),
  shows_typing: z.optional(z.boolean()),
  shows_seen: z.optional(z.boolean()),
})
export type UpdatePageBody = z.input<typeof updatePageBody>

/** The answer of both POST and PUT: the page after the change. */
export const savedPageAnswer = answerOf(page)

/** The data that is deleted together with a page (GET /facebook/pages/{page_id}/deletion). */
const pageDeletion = z.object({
  /** The number of conversations that are deleted. */
  conversations: count,
  /** The number of conversations that lose only this page's part, because the person is known on other pages too. */
  shared_conversations: count,
  messages: count,
  /** Messages whose send is in progress or was never confirmed. */
  unsent_messages: count,
})
export type PageDeletion = z.infer<typeof pageDeletion>
export const pageDeletionAnswer = answerOf(pageDeletion)

export const deletePageAnswer = z.object({ success: z.literal(true), message: z.optional(z.string()) })

/** A page for which an operation failed; `error` is a sentence for staff. */
export const pageFailure = z.object({
  page_id: id,
  page_name: z.string(),
  error: z.string(),
  code: z.nullish(z.string()),
})
export type PageFailure = z.infer<typeof pageFailure>

/** The answer of both calls that refresh the pictures of pages. */
export const refreshPicturesAnswer = answerOf(z.object({ refreshed: count, failures: z.array(pageFailure) }))
