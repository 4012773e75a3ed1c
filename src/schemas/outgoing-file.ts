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
