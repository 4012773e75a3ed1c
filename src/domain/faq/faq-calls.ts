import type { FaqEntryBody } from '../../schemas/faq.ts'

/** `id` is null for a new entry. */
export type SavedFaq = { id: string | null; body: Required<FaqEntryBody> }
