import * as z from 'zod/mini'
import { answerOf, id, moment } from './primitives.ts'

/** The maximum length of a draft in characters: longer than a message, because a long text is shortened before it is sent. */
export const maxDraftLength = 10_000

/** The maximum number of drafts of one staff member. */
export const maxDrafts = 200

const version = z.uuid()

/** A draft of the signed-in staff member (feature 'drafts'). */
export const serverDraft = z.object({
  /** The primary user id of the conversation. */
  conversation_id: id,
  text: z.string().check(z.minLength(1)),
  /** Differs after every write. */
  version,
  updated_at: moment,
})

/** All drafts of the signed-in staff member. A draft that cannot be parsed makes the answer invalid: a missing one counts as removed. */
export const draftsAnswer = answerOf(z.array(serverDraft))

export const saveDraftBody = z.object({
  /** Empty removes the draft. */
  text: z.string().check(z.maxLength(maxDraftLength)),
  /** The version of this write. A repeated call carries the same. */
  version,
  /** The version that the client saw last; null if it saw no draft. Another version on the server refuses the write. */
  replaces: z.nullable(version),
})
export type SaveDraftBody = z.infer<typeof saveDraftBody>

/** The draft on the server after the call; null if there is none. */
export const saveDraftAnswer = answerOf(z.object({ is_saved: z.boolean(), draft: z.nullable(serverDraft) }))
