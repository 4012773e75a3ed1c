import * as z from 'zod/mini'
import { answerOf, count, id } from './primitives.ts'

/** The body of POST /persons/{id}/erase. */
export const erasePersonBody = z.object({
  /** Also delete the linked client with its orders and payments. */
  withClient: z.optional(z.boolean()),
})

const erasable = z.object({
  messages: count,
  files: count,
  /** The linked client. Another person is linked to a shared one, so it is not erased. */
  client: z.nullable(z.object({ name: z.string(), orders: count, payments: count, is_shared: z.boolean() })),
})
export type Erasable = z.infer<typeof erasable>
/** The answer of GET /persons/{id}/erasable. */
export const erasableAnswer = answerOf(erasable)

const erasure = z.object({ id, state: z.enum(['running', 'completed']) })
export type Erasure = z.infer<typeof erasure>

/** The answer of POST /persons/{id}/erase and GET /erasures/{id}. */
export const erasureAnswer = answerOf(erasure)

/** The file of GET /persons/{id}/export. */
export const personDocument = z.looseObject({ format: z.string(), version: z.number() })
