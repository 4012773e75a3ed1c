import { useCallback, useMemo } from 'react'
import { type ConversationPage, pagesOf } from '../domain/list/conversation-text.ts'
import { safeName } from '../domain/shown-text.ts'
import {
  selectAreLoading,
  selectHaveFailed,
  selectIsDisconnected,
  selectPageName,
  selectPages,
  selectPagesById,
  selectPlace,
  selectTrouble,
} from '../machines/pages/pages.ts'
import type { Conversation } from '../schemas/conversation.ts'
import { useSession } from './actors.tsx'
import { useChild } from './use-inbox.ts'
import { useSelector } from './use-selector.ts'

/** The social pages, and a function that sets the page filter. */
export function usePages() {
  const session = useSession()
  return {
    pages: useSelector(useChild('pages'), selectPages),
    choosePage: useCallback((pageId: string | null) => session.send({ type: 'page.chosen', pageId }), [session]),
  }
}

/** The connected social pages as an array. */
export function usePageList() {
  const pages = useChild('pages')
  return {
    pages: useSelector(pages, selectPages),
    loading: useSelector(pages, selectAreLoading),
    failed: useSelector(pages, selectHaveFailed),
    reload: useCallback(() => pages.send({ type: 'refetch.requested' }), [pages]),
  }
}

/** The reason why a social page cannot send messages. */
export const usePageTrouble = (pageId: string | null) => useSelector(useChild('pages'), selectTrouble(pageId))

/** Whether the network rejects the token of a social page. */
export const useIsDisconnected = (pageId: string | null | undefined): boolean =>
  useSelector(useChild('pages'), selectIsDisconnected(pageId))

/** The place of a social page among several; null if there is only one, or if the page is not known. */
export const usePagePlace = (pageId: string | null | undefined): number | null =>
  useSelector(useChild('pages'), selectPlace(pageId))

/** The name of a social page; `own` if the page is not known. */
export const usePageName = (pageId: string | null | undefined, own: string | null | undefined): string | null => {
  const name = useSelector(useChild('pages'), selectPageName(pageId)) ?? own
  return name == null ? null : safeName(name)
}

/** The names of the social pages of a conversation. */
export function useConversationPages(conversation: Conversation): ConversationPage[] {
  const known = useSelector(useChild('pages'), selectPagesById)
  return useMemo(() => pagesOf(conversation, known), [conversation, known])
}
