import * as z from 'zod/mini'
import { structuredContent } from './structured-message.ts'

const recipient = {
  pageId: z.string().check(z.minLength(1)),
  recipientPsid: z.string().check(z.minLength(1)),
  /** The message that this one replies to, of the same chat. Feature 'replies'. */
  replyTo: z.optional(z.string().check(z.minLength(1), z.maxLength(500))),
}

const messageText = z.string().check(z.refine((text) => text.trim() !== '', 'Message text is required'))

/**
 * A text (spec section 7), a file that was uploaded before (feature 'files'), or a text with a structure (feature
 * 'message-templates').
 */
export const sendMessageBody = z.discriminatedUnion('messageType', [
  z.object({ ...recipient, messageText, messageType: z.optional(z.literal('text')) }),
  z.object({ ...recipient, messageText, messageType: z.literal('structured'), structured: structuredContent }),
  z.object({ ...recipient, messageType: z.literal('file'), fileId: z.uuid() }),
])
export type SendMessageBody = z.input<typeof sendMessageBody>
