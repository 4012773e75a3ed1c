import type { SavedReplyBody } from '../../schemas/saved-reply.ts'

/** `id` is null for a new saved reply. */
export type ReplyToSave = { id: string | null; body: SavedReplyBody }

/** A use of a saved reply in a sent message. `key` is the idempotency key of the message. */
export type ReplyUse = { id: string; key: string }
