import type { FaqEntryBody } from '../../schemas/faq.ts'

/** `id` is null for a new entry. */
export type SavedFaq = { id: string | null; body: SavedFaqBody }

/** `page_ids` is absent for an API that does not offer pages. */
export type SavedFaqBody = Required<Omit<FaqEntryBody, 'page_ids'>> & Pick<FaqEntryBody, 'page_ids'>
