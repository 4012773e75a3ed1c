import * as z from 'zod/mini'
import { answerOf, id, moment } from './primitives.ts'
import { ranges } from './ranges.ts'
import { replyStructure } from './structured-message.ts'

/** The maximum length of a draft in characters: longer than a message, because a long text is shortened before it is sent. */
export const maxDraftLength = 10_000

/** The maximum number of drafts of one staff member. */
export const maxDrafts = 200

const version = z.uuid()

/** The maximum length of a name and of a status in `summaryOrder`, in characters. */
export const summaryWordLength = 100

const summaryId = id.check(z.maxLength(200))
const summaryWord = z.string().check(z.maxLength(summaryWordLength))
/** In cents. */
const amount = z.number().check(z.int())

/** What a summary tells of an order. */
const summaryOrder = z.object({
  id: summaryId,
  name: summaryWord,
  /** In words, lower case. */
  status: summaryWord,
  total: amount,
  paid: amount,
  created_at: moment,
})
export type SummaryOrder = z.infer<typeof summaryOrder>

/** What a summary in a draft was made from. */
const summaryBasis = z.object({
  kind: z.enum(['orders', 'payments']),
  /** The chat user and the client that the summary is about. */
  user_id: summaryId,
  client_id: z.nullable(summaryId),
  /** The text as it was inserted. */
  text: z.string().check(z.maxLength(maxDraftLength)),
  orders: z.array(summaryOrder).check(z.maxLength(ranges.orders[1])),
})
export type SummaryBasis = z.infer<typeof summaryBasis>

/** What a draft has beside its text. */
const draftExtras = z.object({
  /** Quick replies or buttons of an inserted saved reply. */
  structure: z.optional(replyStructure),
  /** Of the summary that was inserted last. */
  summary: z.optional(summaryBasis),
})
export type DraftExtras = z.infer<typeof draftExtras>

/** A draft of the signed-in staff member (feature 'drafts'). */
export const serverDraft = z.object({
  /** The primary user id of the conversation. */
  conversation_id: id,
  text: z.string().check(z.minLength(1)),
  /** What this version cannot read counts as none. */
  extras: z.catch(z.nullish(draftExtras), null),
  /** Differs after every write. */
  version,
  updated_at: moment,
})

/** All drafts of the signed-in staff member. A draft that cannot be parsed makes the answer invalid: a missing one counts as removed. */
export const draftsAnswer = answerOf(z.array(serverDraft))

export const saveDraftBody = z.object({
  /** Empty removes the draft. */
  text: z.string().check(z.maxLength(maxDraftLength)),
  /** Absent: they stay as they are. */
  extras: z.optional(z.nullable(draftExtras)),
  /** The version of this write. A repeated call carries the same. */
  version,
  /** The version that the client saw last; null if it saw no draft. Another version on the server refuses the write. */
  replaces: z.nullable(version),
})
export type SaveDraftBody = z.infer<typeof saveDraftBody>

/** The draft on the server after the call; null if there is none. */
export const saveDraftAnswer = answerOf(z.object({ is_saved: z.boolean(), draft: z.nullable(serverDraft) }))
