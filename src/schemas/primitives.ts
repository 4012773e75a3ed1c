import * as z from 'zod/mini'

/** Identifiers are text; a foreign API may send them as numbers. */
export const id = z.pipe(z.union([z.string().check(z.minLength(1)), z.number()]), z.transform(String))

/** A time as ISO 8601 text, in the formats of the database and of the social network. */
export const moment = z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)), 'not a date'))

/** An address that begins with http or https. `z.url` would add 1.5 kB to the first load. */
export const webAddress = z.string().check(z.refine((text) => /^https?:/.test(text) && URL.canParse(text)))

export const count = z.number().check(z.int(), z.nonnegative())

/** `success, data, message` and, for a refusal, `error` (spec section 7). */
export const answerOf = <Data extends z.ZodMiniType>(data: Data) =>
  z.object({ success: z.literal(true), data, message: z.optional(z.string()) })

/** The answer of a successful call without data. */
export const successAnswer = z.object({ success: z.literal(true) })

/** The format of every refusal. */
export const refusal = z.object({
  success: z.literal(false),
  error: z.string(),
  code: z.optional(z.string()),
  details: z.optional(z.record(z.string(), z.unknown())),
})
export type Refusal = z.infer<typeof refusal>
