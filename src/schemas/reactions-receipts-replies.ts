import * as z from 'zod/mini'
import { author } from './author.ts'
import { id } from './primitives.ts'

/** What is shown at a message besides its content: reactions, the message it replies to, and receipts. */

/** The last reaction of one side; a null `emoji` was taken back. Of two, the later one counts (src/domain/thread/merged-reactions.ts). */
const reaction = z.object({ by: z.enum(['person', 'page']), emoji: z.nullable(z.string()), at: z.string() })
export type Reaction = z.infer<typeof reaction>
export const reactions = z.array(reaction)

/**
 * The message that another one replies to. `state`: 'known', 'deleted', or anything else if the server never had it. Only a
 * known one has the other fields; `text` is its text or its kind.
 */
export const quotedMessage = z.object({
  message_id: id,
  state: z.string(),
  /** 'incoming' or 'outgoing'. */
  direction: z.nullish(z.string()),
  author: z.nullish(author),
  text: z.nullish(z.string()),
})
export type QuotedMessage = z.infer<typeof quotedMessage>

const watermark = z.nullish(z.string())

/** What an identity received and read of the messages of its page: all up to a time. Feature 'receipts'. */
export const receiptFields = {
  page_id: z.nullish(id),
  delivered_up_to: watermark,
  read_up_to: watermark,
  /** When the person read up to there. */
  read_at: watermark,
}
export const receipt = z.object({ fb_user_id: id, ...receiptFields })
export type Receipt = z.infer<typeof receipt>
