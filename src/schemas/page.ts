import * as z from 'zod/mini'
import { id, moment } from './primitives.ts'

/** A connected page. Its access token is write-only and never part of an answer. */
export const page = z.object({
  page_id: id,
  page_name: z.string(),
  is_active: z.boolean(),
  page_username: z.nullish(z.string()),
  page_category: z.nullish(z.string()),
  page_profile_pic_url: z.nullish(z.string()),
  created_at: z.nullish(moment),
  updated_at: z.nullish(moment),
})
export type Page = z.infer<typeof page>

/** `data.data` is the list (spec section 7). */
export const pagesAnswer = z.object({ success: z.literal(true), data: z.object({ data: z.array(page) }) })
