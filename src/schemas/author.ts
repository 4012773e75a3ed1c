import * as z from 'zod/mini'
import { id } from './primitives.ts'

/**
 * Who wrote an outgoing message (feature 'authors'): the staff member `id`, an automatic reply with the `title` of its FAQ
 * entry, or somebody outside of this product, for example in Business Suite.
 */
export const author = z.object({
  kind: z.enum(['staff', 'automatic', 'outside']),
  id: z.nullish(id),
  title: z.nullish(z.string()),
  /** The FAQ entry of an automatic reply, which may have been deleted since. */
  faq_id: z.nullish(id),
})
export type Author = z.infer<typeof author>
