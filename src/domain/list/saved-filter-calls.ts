import type { SavedFilterBody } from '../../schemas/saved-filter.ts'

/** `id` stays for a retry, so that a repeated write creates no second filter. */
export type FilterToSave = { id: string; body: SavedFilterBody }
