import { useLayoutEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { addressSearchOf, isSameQuery, queryIn } from '../../domain/list/list-query.ts'
import { selectSettledQuery } from '../../machines/list/conversations.ts'
import { selectLabels } from '../../machines/list/labels.ts'
import { selectPagesById } from '../../machines/pages/pages.ts'
import { selectConversations, selectPages } from '../../machines/session/session.ts'
import { useSession } from '../actors.tsx'
import { useSelector } from '../use-selector.ts'

/**
 * Keeps the search and the filters of the list in the URL, so that a reload keeps them and Back undoes a filter. A
 * change of the URL is sent to the session. A chosen filter is written to the URL at once, a search after typing stops.
 */
export function QueryInUrl() {
  const session = useSession()
  const navigate = useNavigate()
  const { search, state } = useLocation()
  const conversations = useSelector(session, selectConversations)
  const pages = useSelector(session, selectPages)
  const settled = useSelector(conversations, (snapshot) => snapshot && selectSettledQuery(snapshot))

  useLayoutEffect(() => session.send({ type: 'query.opened', query: queryIn(search) }), [session, search])

  // React renders the navigation of a layout effect before the next event. Rendered later, the URL of one choice would be
  // read as the query after a second one, which would be lost.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of the list may write the URL
  useLayoutEffect(() => {
    // The rendered query may be older than the query that the URL has just requested.
    const now = conversations && selectSettledQuery(conversations.getSnapshot())
    const before = queryIn(search)
    if (!now || isSameQuery(now, before)) return
    const isTyped = isSameQuery({ ...now, search: '' }, { ...before, search: '', view: now.view })
    const known = pages && selectPagesById(pages.getSnapshot())
    const isGone = before.pageId !== null && known !== undefined && known.size > 0 && !known.has(before.pageId)
    const labels = session.getSnapshot().children.labels?.getSnapshot()
    const isLabelGone =
      before.labelId !== undefined &&
      labels?.matches('known') === true &&
      !selectLabels(labels).some(({ id }) => id === before.labelId)
    navigate({ search: addressSearchOf(now) }, { replace: isTyped || isGone || isLabelGone, state })
  }, [settled])
  return null
}
