import { useCallback, useEffect, useMemo, useState } from 'react'
import type { ActorRefFrom } from 'xstate'
import type { PreviewReader } from '../domain/list/conversation-text.ts'
import { currentAddress, endsInTime } from '../domain/list/picture-address.ts'
import { offers } from '../domain/session/features.ts'
import { can } from '../domain/session/permissions.ts'
import {
  selectHasFailed,
  selectHasMore,
  selectIsLoading,
  selectIsLoadingMore,
  selectIsRefreshAwaited,
  selectIsSaved,
  selectOrder,
  selectQuery,
  selectTotal,
} from '../machines/list/conversations.ts'
import {
  selectIsFoldOpen,
  selectLeaving,
  selectMarked,
  selectShown,
  selectWaitingCount,
} from '../machines/list/displayed-list.ts'
import { selectRow } from '../machines/list/records.ts'
import { selectTotalConversations, selectUnreadMessages, selectViewCounts } from '../machines/list/stats.ts'
import { selectDraftText } from '../machines/send/drafts.ts'
import { type SendProblem, selectNotSentText, selectSendProblem } from '../machines/send/outbox-selectors.ts'
import { selectPageId, selectSelected, selectThread, selectUser } from '../machines/session/session.ts'
import { selectConversationId, type threadMachine } from '../machines/thread/thread.ts'
import type { Author } from '../schemas/author.ts'
import type { Conversation } from '../schemas/conversation.ts'
import type { ConversationView, StateDecision } from '../schemas/conversation-state.ts'
import { useSession } from './actors.tsx'
import { useChild, useDialog, useDraftsActor, useMemberName, useOutbox, useUserId } from './use-inbox.ts'
import { usePart } from './use-part.ts'
import { useSelector } from './use-selector.ts'

/** The counts in the header; null until they are loaded. */
export function useTotals(): { conversations: number | null; unread: number | null } {
  const stats = useChild('stats')
  return {
    conversations: useSelector(stats, selectTotalConversations),
    unread: useSelector(stats, selectUnreadMessages),
  }
}

export function useRefresh(): { refresh: () => void; refreshing: boolean } {
  const session = useSession()
  return {
    refresh: useCallback(() => session.send({ type: 'refetch.requested' }), [session]),
    refreshing: useSelector(useChild('conversations'), selectIsRefreshAwaited),
  }
}

/** The row of a conversation; null if the list does not hold it. */
export function useRow(id: string | null): Conversation | null {
  return useSelector(
    useChild('records'),
    useMemo(() => selectRow(id), [id]),
  )
}

/** The unfinished work of staff in a conversation: the texts of its draft and of a message that was not sent. */
export function useUnfinishedWork(id: string): {
  draft: string | null
  notSent: string | null
  sendProblem: SendProblem | null
} {
  return {
    draft: useSelector(
      useDraftsActor(),
      useMemo(() => selectDraftText(id), [id]),
    ),
    notSent: useSelector(
      useOutbox(),
      useMemo(() => selectNotSentText(id), [id]),
    ),
    sendProblem: useSelector(
      useOutbox(),
      useMemo(() => selectSendProblem(id), [id]),
    ),
  }
}

/** The state of the list without its rows. Each row is read separately. */
export function useList() {
  const session = useSession()
  const conversations = useChild('conversations')
  return {
    ids: useSelector(conversations, selectOrder),
    total: useSelector(conversations, selectTotal),
    query: useSelector(conversations, selectQuery),
    hasMore: useSelector(conversations, selectHasMore),
    loading: useSelector(conversations, selectIsLoading),
    loadingMore: useSelector(conversations, selectIsLoadingMore),
    failed: useSelector(conversations, selectHasFailed),
    saved: useSelector(conversations, selectIsSaved),
    search: useCallback((text: string) => conversations.send({ type: 'search.typed', text }), [conversations]),
    chooseUnreadOnly: useCallback(
      (unreadOnly: boolean) => conversations.send({ type: 'unreadOnly.chosen', unreadOnly }),
      [conversations],
    ),
    chooseView: useCallback((view: ConversationView) => session.send({ type: 'view.chosen', view }), [session]),
    more: useCallback(() => conversations.send({ type: 'more.requested' }), [conversations]),
    refresh: useCallback(() => session.send({ type: 'refetch.requested' }), [session]),
    press: useCallback((id: string) => session.send({ type: 'conversation.pressed', id }), [session]),
  }
}

/** Whether the API offers views and states of conversations, and whether this person may change states. */
export function useStatesOffer(): { offered: boolean; mayChange: boolean } {
  const user = useSelector(useSession(), selectUser)
  const offered = offers(user, 'conversation-states')
  return { offered, mayChange: offered && can(user, 'conversations.manage') }
}

/** Whether the API says who wrote a message. */
export const useAuthorsOffer = (): boolean => offers(useSelector(useSession(), selectUser), 'authors')

/** The reader of the preview of a message of this author. */
export function usePreviewReader(author: Author | null | undefined): PreviewReader {
  const offered = useAuthorsOffer()
  const userId = useUserId()
  const nameOfMember = useMemberName(author?.id ?? null)
  return offered ? { userId, nameOfMember } : null
}

/** The list as it is shown, which holds still while it is used. */
export function useDisplayedList() {
  const actor = useChild('displayedList')
  return {
    actor,
    shown: useSelector(actor, selectShown),
    leaving: useSelector(actor, selectLeaving),
    marked: useSelector(actor, selectMarked),
    isFoldOpen: useSelector(actor, selectIsFoldOpen),
    waiting: useSelector(actor, selectWaitingCount),
  }
}

export const useDisplayedListActor = () => useChild('displayedList')

/** Whether no conversation exists on any page. False if the API offers no views: it gets the inbox of spec section 2. */
export function useIsInboxEmpty(): boolean {
  const { offered } = useStatesOffer()
  const isNoneListed = useSelector(useChild('conversations'), (snapshot) => selectOrder(snapshot).length === 0)
  const isNoneCounted = useSelector(useChild('stats'), (snapshot) => selectTotalConversations(snapshot) === 0)
  const isOfAllPages = useSelector(useSession(), selectPageId) === null
  return offered && isNoneListed && isNoneCounted && isOfAllPages
}

/** The numbers of conversations by view; null until they are known. */
export const useViewCounts = () => useSelector(useChild('stats'), selectViewCounts)

/** Changes the states of conversations. `ids` are row ids. */
export function useStateChange(): (ids: readonly string[], decision: StateDecision) => void {
  const session = useSession()
  return useCallback((ids, decision) => session.send({ type: 'change.requested', ids, decision }), [session])
}

/** Opens the dialog in which a snooze or an assignee is chosen. */
export function useStateDialog(): (name: 'snooze' | 'assign', ids: readonly string[]) => void {
  const dialog = useDialog()
  return useCallback(
    (name, ids) => dialog.send({ type: 'dialog.requested', dialog: { name, input: { ids } } }),
    [dialog],
  )
}

/**
 * Whether the list has had its first answer, successful or not. Code that is needed later, such as when the connection
 * is lost, is loaded from then on, so that it does not delay the first rows.
 */
export function useHasFirstAnswer(): boolean {
  const conversations = useChild('conversations')
  const isLoading = useSelector(conversations, selectIsLoading)
  const isSaved = useSelector(conversations, selectIsSaved)
  const [has, setHas] = useState(false)
  if (!has && !isLoading && !isSaved) setHas(true)
  return has
}

/** The conversation row of a thread; null until it is loaded and after it was removed. */
export function useThreadConversation(thread: ActorRefFrom<typeof threadMachine> | null): Conversation | null {
  const id = useSelector(thread ?? undefined, (snapshot) => snapshot && selectConversationId(snapshot))
  return useRow(id ?? null)
}

/** The open conversation: the id from the URL, its thread, and its row once that is loaded. */
export function useOpenThread() {
  const session = useSession()
  const thread = useSelector(session, selectThread) ?? null
  return {
    selected: useSelector(session, selectSelected),
    thread,
    conversation: useThreadConversation(thread),
  }
}

/** The address of a person's picture. Requests a new address when this one expires (spec sections 5 and 9). */
export function usePicture({ fb_user_id: id, profile_pic }: Conversation): string | null {
  const renewal = usePart('pictureRenewal')
  const address = profile_pic ?? null
  const current = useSelector(
    renewal,
    (snapshot) => address && snapshot && currentAddress(snapshot.context.renewed, address),
  )
  useEffect(() => {
    if (renewal === undefined || address === null || !endsInTime(address)) return
    const picture = { id, address }
    renewal.send({ type: 'picture.shown', picture })
    return () => renewal.send({ type: 'picture.hidden', picture })
  }, [renewal, id, address])
  return current ?? address
}
