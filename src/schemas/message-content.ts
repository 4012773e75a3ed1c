import * as z from 'zod/mini'
import { moment } from './primitives.ts'

/**
 * What a message consists of besides its text and its files. The parts are parsed where they are shown
 * (`message-part.ts`), which keeps their schema out of the first load.
 */
export const messageContent = z.object({
  parts: z.array(z.unknown()),
  /** The end of `message_text` that stands for parts and that the writer did not write. */
  fallback: z.nullish(z.string()),
  /** When the writer edited the text last. */
  edited_at: z.nullish(moment),
})
export type MessageContent = z.infer<typeof messageContent>
