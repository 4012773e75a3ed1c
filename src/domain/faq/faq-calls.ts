import type { FaqDryRunCursor, FaqEntryBody } from '../../schemas/faq.ts'

/** `id` is null for a new entry. */
export type SavedFaq = { id: string | null; body: SavedFaqBody }

/** `page_ids` is absent for an API that does not offer pages. */
export type SavedFaqBody = Required<Omit<FaqEntryBody, 'page_ids'>> & Pick<FaqEntryBody, 'page_ids'>

/** The entry of a form, for a dry run. */
export type UnsavedFaq = SavedFaqBody & { id: string | null }

/** Null: all pages. */
export type TestedMessage = { message: string; pageId: string | null }

/** One part of a dry run. `entry`: not saved yet. `next` null: the first part. */
export type DryRunRequest = { entry: UnsavedFaq | null; next: FaqDryRunCursor | null }

/** A mark on an automatic answer. */
export type AnswerMark = { messageId: string; isWrong: boolean }
