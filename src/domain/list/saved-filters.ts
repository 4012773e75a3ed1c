import {
  filterNameKey,
  type SavedFilter,
  type SavedFilterBody,
  type SavedFilters,
  savedFilterLimits,
} from '../../schemas/saved-filter.ts'
import { t } from '../../texts/list-on-demand.ts'
import { isFiltered, isSameQuery, type ListQuery } from './list-query.ts'

/** What a saved filter keeps of a query: all but its search and its order. */
export type FilterValues = Omit<SavedFilterBody, 'name'>

export const valuesOf = ({ view, pageId, labelId, assignedTo, unreadOnly }: ListQuery): FilterValues => ({
  view: view ?? 'all',
  page_id: pageId,
  label_id: labelId ?? null,
  assigned_to: assignedTo ?? null,
  unread_only: unreadOnly,
})

/** The query of a saved filter, in the order of the query that is shown before. */
export const queryOf = (
  { view, page_id, label_id, assigned_to, unread_only }: FilterValues,
  { order }: Pick<ListQuery, 'order'>,
): ListQuery => ({
  search: '',
  view,
  pageId: page_id,
  labelId: label_id ?? undefined,
  assignedTo: assigned_to ?? undefined,
  unreadOnly: unread_only,
  order,
})

/** The filter that the list shows, in any order; undefined if it shows another combination, or a search. */
export const filterShown = (filters: readonly SavedFilter[], query: ListQuery): SavedFilter | undefined =>
  filters.find((filter) => isSameQuery(queryOf(filter, query), query))

/** Whether the query is worth a name: it is filtered, not searched, and not saved yet. */
export const isSaveable = (filters: readonly SavedFilter[], query: ListQuery): boolean =>
  isFiltered(query) && query.search.trim() === '' && filterShown(filters, query) === undefined

/** The ids that exist; null while they are not known. */
export type Existing = Readonly<Record<'pages' | 'labels' | 'members', ReadonlySet<string> | null>>

/** What was deleted since the filter was saved; null if nothing is known to be. */
export function deletedPart(
  { page_id, label_id, assigned_to }: FilterValues,
  { pages, labels, members }: Existing,
): 'page' | 'label' | 'member' | null {
  const isGone = (id: string | null, existing: ReadonlySet<string> | null) =>
    id !== null && existing !== null && !existing.has(id)
  if (isGone(page_id, pages)) return 'page'
  if (isGone(label_id, labels)) return 'label'
  return isGone(assigned_to, members) ? 'member' : null
}

/** The newer of the known filters and those of an answer, which may arrive in any order. */
export const newerFilters = (known: SavedFilters, told: SavedFilters): SavedFilters =>
  told.version >= known.version ? told : known

/** Why the filter cannot be saved under this name; null if it can. `others`: the other filters of the person. */
export function filterBlockedReason(name: string, others: readonly SavedFilter[]): string | null {
  const typed = name.trim()
  if (typed === '') return t('list.filterNameMissing')
  if (typed.length > savedFilterLimits.name)
    return t('shared.fieldTooLong', { field: t('list.filterName'), most: savedFilterLimits.name })
  if (others.some((other) => filterNameKey(other.name) === filterNameKey(typed))) return t('list.filterNameTaken')
  return others.length >= savedFilterLimits.filters ? t('list.filtersFull', { most: savedFilterLimits.filters }) : null
}
