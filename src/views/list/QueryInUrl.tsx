import { useSelector } from '@xstate/react'
import { useEffect, useLayoutEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { addressSearchOf, isSameQuery, queryIn } from '../../domain/list/list-query.ts'
import { selectSettledQuery } from '../../machines/list/conversations.ts'
import { selectPagesById } from '../../machines/pages/pages.ts'
import { selectConversations, selectPages } from '../../machines/session/session.ts'
import { useSession } from '../actors.tsx'

/**
 * The search and the filters of the list stand in the URL, so that a reload keeps them and Back undoes a filter. What
 * the URL says is told to the session; what is chosen or typed is written into the URL, typing once it has stopped.
 */
export function QueryInUrl() {
  const session = useSession()
  const navigate = useNavigate()
  const { search, state } = useLocation()
  const conversations = useSelector(session, selectConversations)
  const pages = useSelector(session, selectPages)
  const settled = useSelector(conversations, (snapshot) => snapshot && selectSettledQuery(snapshot))

  useLayoutEffect(() => session.send({ type: 'query.opened', query: queryIn(search) }), [session, search])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the URL follows the list, and never itself
  useEffect(() => {
    // What was drawn may be older than what the URL has just asked for.
    const now = conversations && selectSettledQuery(conversations.getSnapshot())
    const before = queryIn(search)
    if (!now || isSameQuery(now, before)) return
    const isTyped = now.pageId === before.pageId && now.unreadOnly === before.unreadOnly
    const known = pages && selectPagesById(pages.getSnapshot())
    const isGone = before.pageId !== null && known !== undefined && known.size > 0 && !known.has(before.pageId)
    navigate({ search: addressSearchOf(now) }, { replace: isTyped || isGone, state })
  }, [settled])
  return null
}
