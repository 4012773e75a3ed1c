import { searchLimit } from '../../schemas/conversation.ts'
import { type ConversationView, conversationViews } from '../../schemas/conversation-state.ts'

/**
 * The query of the conversation list (spec section 2, pane 1). A null page id means All Pages. `view` is undefined if
 * the API offers no views, and in an address that names none.
 */
export type ListQuery = {
  search: string
  pageId: string | null
  unreadOnly: boolean
  view?: ConversationView | undefined
  /** Only conversations with this label. */
  labelId?: string | undefined
  /** Only conversations of this staff member, or `nobody`. */
  assignedTo?: string | undefined
  /** How Waiting is ordered; undefined means the longest wait first. Other views keep it for the way back. */
  order?: 'urgent' | undefined
}

/** The view that opens first. */
export const firstView: ConversationView = 'waiting'

/** Whether the API accepts the search: it has at most `searchLimit` characters. */
export const isSearchable = (search: string): boolean => search.trim().length <= searchLimit

/** Reads the query from the search part of a URL. Other parameters are ignored. */
export function queryIn(addressSearch: string): ListQuery {
  const params = new URLSearchParams(addressSearch)
  return {
    search: (params.get('q') ?? '').trim().slice(0, searchLimit),
    pageId: params.get('page') || null,
    unreadOnly: params.get('unread') === '1',
    view: conversationViews.find((view) => view === params.get('view')),
    labelId: params.get('label') || undefined,
    assignedTo: params.get('assigned') || undefined,
    order: params.get('order') === 'urgent' ? 'urgent' : undefined,
  }
}

/** The URL search part for a query, which keeps the query across a reload. Empty for the unfiltered list. The first view stays unnamed. */
export function addressSearchOf({
  search,
  pageId,
  unreadOnly,
  view = firstView,
  labelId,
  assignedTo,
  order,
}: ListQuery): string {
  const params = new URLSearchParams()
  if (view !== firstView) params.set('view', view)
  if (search.trim() !== '') params.set('q', search.trim())
  if (pageId !== null) params.set('page', pageId)
  if (labelId !== undefined) params.set('label', labelId)
  if (assignedTo !== undefined) params.set('assigned', assignedTo)
  if (unreadOnly) params.set('unread', '1')
  if (order !== undefined) params.set('order', order)
  return params.size === 0 ? '' : `?${params}`
}

/** Whether a search or a filter leaves rows of the view out. */
export const isFiltered = ({ search, pageId, unreadOnly, labelId, assignedTo }: ListQuery): boolean =>
  search.trim() !== '' || pageId !== null || unreadOnly || labelId !== undefined || assignedTo !== undefined

/** Whether two queries request the same rows. */
export const isSameQuery = (a: ListQuery, b: ListQuery): boolean => addressSearchOf(a) === addressSearchOf(b)
