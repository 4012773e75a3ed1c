import * as z from 'zod/mini'
import { answerOf, id } from './primitives.ts'

/** The body of POST /persons/{id}/erase. */
export const erasePersonBody = z.object({
  /** Also delete the linked client with its orders and payments. */
  withClient: z.optional(z.boolean()),
})

const erasure = z.object({ id, state: z.enum(['running', 'completed']) })
export type Erasure = z.infer<typeof erasure>

/** The answer of POST /persons/{id}/erase and GET /erasures/{id}. */
export const erasureAnswer = answerOf(erasure)

/** The file of GET /persons/{id}/export. */
export const personDocument = z.looseObject({ format: z.string(), version: z.number() })
