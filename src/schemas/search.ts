import * as z from 'zod/mini'
import { direction, searchLimit } from './conversation.ts'
import { id, moment } from './primitives.ts'

/** The groups of hits. People are not among them: the list finds them. */
export const hitKinds = ['clients', 'orders', 'messages'] as const
const hitKind = z.enum(hitKinds)
export type HitKind = z.infer<typeof hitKind>

export const searchQuery = z.object({
  q: z.string().check(
    z.maxLength(searchLimit),
    z.refine((text) => text.trim() !== '', 'Nothing is searched for'),
  ),
  /** The wanted groups, comma separated; absent means all. One group alone has longer result pages. */
  kinds: z.optional(
    z.pipe(
      z.pipe(
        z.string().check(z.maxLength(100)),
        z.transform((text) => text.split(',')),
      ),
      z.array(hitKind).check(z.minLength(1)),
    ),
  ),
  /** The `next` of the result page before. Needs that group alone. */
  after: z.optional(z.string().check(z.maxLength(100))),
})
export type SearchQuery = z.infer<typeof searchQuery>

export const clientHit = z.object({
  id,
  name: z.string(),
  company_name: z.nullish(z.string()),
  email: z.nullish(z.string()),
  phone: z.nullish(z.string()),
  /** The conversation of the client. */
  primary_user_id: z.nullish(id),
})
export type ClientHit = z.infer<typeof clientHit>

export const orderHit = z.object({
  id,
  order_number: z.string(),
  status: z.string(),
  created_at: moment,
  client_id: id,
  client_name: z.string(),
})
export type OrderHit = z.infer<typeof orderHit>

export const messageHit = z.object({
  message_id: id,
  primary_user_id: id,
  page_id: id,
  /** The person of the conversation. */
  name: z.nullish(z.string()),
  direction,
  /** One line around the first found word. */
  excerpt: z.string(),
  at: moment,
})
export type MessageHit = z.infer<typeof messageHit>

/** `next`: where the next result page begins; null if there is none. */
const group = <Hit extends z.ZodMiniType>(hit: Hit) =>
  z.nullish(z.object({ hits: z.array(hit), next: z.nullable(z.string()) }))

/** A group is absent if it was not asked for, or if the person may not see it. */
const searchResult = z.object({
  clients: group(clientHit),
  orders: group(orderHit),
  messages: group(messageHit),
  /** Hits may be missing: there were too many, the search took too long, or the index of messages is not complete yet. */
  is_partial: z._default(z.boolean(), false),
})
export type SearchResult = z.infer<typeof searchResult>

export const searchAnswer = z.object({ success: z.literal(true), data: searchResult })
