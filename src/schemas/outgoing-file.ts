import * as z from 'zod/mini'
import { answerOf, id } from './primitives.ts'

/** How the network shows a file. */
const fileKind = z.enum(['image', 'video', 'audio', 'file'])
export type FileKind = z.infer<typeof fileKind>

/** A file that staff uploaded to send it (feature 'files'). */
export const outgoingFile = z.object({
  id,
  kind: fileKind,
  /** The MIME type that the server found. */
  type: z.string(),
  name: z.nullable(z.string()),
  /** In bytes. */
  size: z.number(),
  /** Shows the file without a token, so the address itself is the permission. */
  url: z.string(),
})
export type OutgoingFile = z.infer<typeof outgoingFile>

export const outgoingFileParam = z.object({ id: z.uuid() })
export const outgoingFileQuery = z.object({ name: z.optional(z.string().check(z.maxLength(200))) })
export const outgoingFileAnswer = answerOf(outgoingFile)

/** A file that arrives in parts of `partBytes`. `size` in bytes. */
export const partsBody = z.object({
  name: z.nullable(z.string().check(z.maxLength(200))),
  /** The MIME type that the browser gave. */
  type: z.string().check(z.maxLength(200)),
  size: z.number().check(z.int(), z.minimum(1)),
})
export type PartsBody = z.infer<typeof partsBody>
/** The numbers of the parts that the server has, and the file once it is complete. */
export const partsAnswer = answerOf(z.object({ received: z.array(z.number()), file: z.nullable(outgoingFile) }))
export const partParam = z.object({ id: z.uuid(), number: z.coerce.number().check(z.int(), z.minimum(1)) })
/** SHA-256 of the whole file in hexadecimal, and the MIME type as before. */
export const completionBody = z.object({
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  type: z.string().check(z.maxLength(200)),
})
export type CompletionBody = z.infer<typeof completionBody>
