import { searchLimit } from '../../schemas/conversation.ts'

/** What the conversation list is asked for (spec section 2, pane 1). A null page is All Pages. */
export type ListQuery = { search: string; pageId: string | null; unreadOnly: boolean }

/** The query that the search part of an address holds; whatever else is in it is passed over. */
export function queryIn(addressSearch: string): ListQuery {
  const params = new URLSearchParams(addressSearch)
  return {
    search: (params.get('q') ?? '').trim().slice(0, searchLimit),
    pageId: params.get('page') || null,
    unreadOnly: params.get('unread') === '1',
  }
}

/** The search part of the address for a query, so that it survives a reload; empty for the whole list. */
export function addressSearchOf({ search, pageId, unreadOnly }: ListQuery): string {
  const params = new URLSearchParams()
  if (search.trim() !== '') params.set('q', search.trim())
  if (pageId !== null) params.set('page', pageId)
  if (unreadOnly) params.set('unread', '1')
  return params.size === 0 ? '' : `?${params}`
}

/** Whether two queries ask for the same rows. */
export const isSameQuery = (a: ListQuery, b: ListQuery): boolean => addressSearchOf(a) === addressSearchOf(b)
