import * as z from 'zod/mini'
import type { FilterToSave } from '../../domain/list/saved-filter-calls.ts'
import { answerOf, count } from '../../schemas/primitives.ts'
import { type SavedFilters, savedFilter } from '../../schemas/saved-filter.ts'
import { type Http, rows } from '../http.ts'

const pathOf = (id: string) => `/facebook/saved-filters/${encodeURIComponent(id)}`

/** The calls of saved filters (feature 'saved-filters'). All throw `Failure`. Calls that change data are never aborted. */
export function createSavedFilters(http: Http, log: { warn: (text: string) => void }) {
  const schema = answerOf(z.object({ version: count, filters: rows(savedFilter, log, 'saved filters') }))
  return {
    loadFilters: async (signal: AbortSignal): Promise<SavedFilters> =>
      (await http.get('/facebook/saved-filters', { schema, signal })).data,

    /** Creates or changes the filter. Returns all filters. */
    saveFilter: async ({ id, body }: FilterToSave): Promise<SavedFilters> =>
      (await http.put(pathOf(id), { schema, body })).data,

    /** Returns the filters that are left. */
    deleteFilter: async ({ id }: { id: string }): Promise<SavedFilters> =>
      (await http.delete(pathOf(id), { schema })).data,
  }
}
