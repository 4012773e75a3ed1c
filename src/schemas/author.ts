import * as z from 'zod/mini'
import { id } from './primitives.ts'

/**
 * Who wrote an outgoing message (feature 'authors'): a staff member, an automatic reply with the title of its FAQ entry,
 * or somebody outside of this product, for example in Business Suite.
 */
export const author = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('staff'), id }),
  z.object({ kind: z.literal('automatic'), title: z.nullish(z.string()) }),
  z.object({ kind: z.literal('outside') }),
])
export type Author = z.infer<typeof author>
