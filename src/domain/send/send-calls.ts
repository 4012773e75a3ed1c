import type { Platform } from '../../schemas/conversation.ts'
import type { BestPageReason } from '../../schemas/message.ts'
import type { StructuredContent } from '../../schemas/structured-message.ts'

/** `reason` is null if the API does not say why this page is the best. */
export type BestPage = { pageId: string; reason: BestPageReason | null }

/** A person's id on one page. `platform` is null if the API does not provide it. */
export type PageIdentity = { psid: string; platform: Platform | null }

/**
 * `key` is the idempotency key. `fileId`: an uploaded file is sent instead of a text. `replyTo`: the message that this one
 * replies to.
 */
export type SendOrder = {
  key: string
  pageId: string
  psid: string
  text: string
  fileId?: string
  replyTo?: string
  structured?: StructuredContent
}

/** The API's id and time of an accepted message; null if the API does not provide them. */
export type SendAnswer = { messageId: string | null; createdAt: string | null }
