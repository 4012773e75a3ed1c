import * as z from 'zod/mini'
import { conversationView } from './conversation-state.ts'
import { answerOf, count, id } from './primitives.ts'

/** `name` in characters, `filters` for one person. */
export const savedFilterLimits = { name: 40, filters: 20 } as const

/** A view with filters that a person saved under a name (feature 'saved-filters'). */
export const savedFilter = z.object({
  id,
  /** Unique for the person, without regard to case. */
  name: z.string(),
  view: conversationView,
  /** Null for all. The page, the label or the staff member may have been deleted since. */
  page_id: z.nullable(id),
  label_id: z.nullable(id),
  /** A staff member, or `nobody`. */
  assigned_to: z.nullable(id),
  unread_only: z.boolean(),
})
export type SavedFilter = z.infer<typeof savedFilter>

/** The form in which names are compared. */
export const filterNameKey = (name: string): string => name.trim().normalize('NFKC').toLowerCase()

const reference = z.nullable(z.string().check(z.minLength(1), z.maxLength(100)))

/** The body of PUT: the filter with the id of the path. */
export const savedFilterBody = z.object({
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(savedFilterLimits.name)),
  view: conversationView,
  page_id: reference,
  label_id: reference,
  assigned_to: reference,
  unread_only: z.boolean(),
})
export type SavedFilterBody = z.infer<typeof savedFilterBody>

/** All filters of the person, by name. Every write increases the version. */
const savedFilters = z.object({ version: count, filters: z.array(savedFilter) })
export type SavedFilters = { version: number; filters: readonly SavedFilter[] }
export const savedFiltersAnswer = answerOf(savedFilters)

/** A row of the realtime table `saved_filter_versions`. */
export const savedFilterVersionRow = z.object({ staff_id: id, version: count })
