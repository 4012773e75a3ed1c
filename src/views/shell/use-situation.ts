import type { ActorRefFrom } from 'xstate'
import { rowIdOf } from '../../domain/list/conversation-row.ts'
import type { ListQuery } from '../../domain/list/list-query.ts'
import { rowById } from '../../domain/list/records.ts'
import { selectMarked, selectWaitingCount } from '../../machines/list/displayed-list.ts'
import { recordsIn } from '../../machines/list/records.ts'
import { selectCanUndo } from '../../machines/list/state-changes.ts'
import { selectUnsent } from '../../machines/send/unsent.ts'
import type { deviceCacheMachine } from '../../machines/session/device-cache.ts'
import { selectPageId } from '../../machines/session/session.ts'
import { selectIsShared } from '../../machines/session/shared-computer.ts'
import { selectAreAlarmsKnown } from '../../machines/shell/alarms.ts'
import { type Appearance, selectAppearance } from '../../machines/shell/appearance.ts'
import { selectIsReduced } from '../../machines/shell/reduced-motion.ts'
import { selectSubject } from '../../machines/sync/conversation-sync.ts'
import { selectIsSyncing } from '../../machines/sync/recent-sync.ts'
import { selectUnread } from '../../machines/thread/thread.ts'
import type { AuthUser } from '../../schemas/auth.ts'
import type { Conversation } from '../../schemas/conversation.ts'
import type { Label } from '../../schemas/label.ts'
import type { SavedFilter } from '../../schemas/saved-filter.ts'
import { useAppearance, useReducedMotion, useSession, useSharedComputer } from '../actors.tsx'
import { useFilterChoice } from '../list/use-filter-choice.ts'
import { useSavedFilters } from '../list/use-saved-filters.ts'
import { useWriting } from '../use-colleagues.ts'
import {
  useAlarmsActor,
  useConversationSyncActor,
  useDialog,
  useOutbox,
  useProblemReport,
  useRecentSyncActor,
  useSignOut,
  useUser,
} from '../use-inbox.ts'
import { useLabels } from '../use-labels.ts'
import { useDisplayedListActor, useList, useOpenThread, useStatesOffer } from '../use-list.ts'
import { usePart } from '../use-part.ts'
import { useSelector } from '../use-selector.ts'
import { useRunKeyCommand } from './key-commands.ts'

/** What decides which commands are allowed. */
export type Rights = {
  user: AuthUser
  /** The API offers views and states of conversations. */
  offersStates: boolean
  /** The person may change states. */
  mayChange: boolean
  /** The person may write into a conversation. */
  mayWrite: boolean
  /** The person may write notes. */
  mayNote: boolean
  /** The API tells this person about incidents. */
  areAlarmsKnown: boolean
}

/** What the commands act on. */
export type Situation = Rights & {
  /** The open conversation; null if none is open or it is not loaded. */
  conversation: Conversation | null
  /** The open conversation has unread messages. */
  isUnread: boolean
  /** The row ids of the chosen conversations, or of the open one. */
  ids: readonly string[]
  /** There are some, and all of them are done or muted. */
  areDone: boolean
  areMuted: boolean
  isOneSnoozed: boolean
  /** A change of states can be taken back. */
  canUndo: boolean
  unsentCount: number
  isSyncingRecent: boolean
  isSyncingConversation: boolean
  appearance: Appearance
  isMotionReduced: boolean
  isSharedComputer: boolean
  /** The query of the list, and the filters that the person saved. */
  query: ListQuery
  savedFilters: readonly SavedFilter[]
  labels: readonly Label[]
  /** The number of rows that wait while the order of the list is held. */
  newRows: number
}

/** What the signed-in person may do. */
function useRights(): Rights {
  const { offered, mayChange } = useStatesOffer()
  const { mayReply, mayNote } = useWriting()
  return {
    user: useUser(),
    offersStates: offered,
    mayChange,
    mayWrite: mayReply || mayNote,
    mayNote,
    areAlarmsKnown: useSelector(useAlarmsActor(), selectAreAlarmsKnown),
  }
}

/** What the commands act on. */
export function useSituation(): Situation {
  const session = useSession()
  const { selected, thread, conversation } = useOpenThread()
  const marked = useSelector(useDisplayedListActor(), selectMarked)
  const open = conversation === null ? selected : rowIdOf(conversation)
  const ids = marked.length > 0 ? marked : open === null ? [] : [open]
  const unread = useSelector(thread ?? undefined, (snapshot) => (snapshot ? selectUnread(snapshot) : 0))
  const states = ids.map((id) => rowById(recordsIn(session.system), id)?.state)
  return {
    ...useRights(),
    conversation,
    isUnread: conversation !== null && (unread > 0 || conversation.unread_messages > 0),
    ids,
    areDone: states.length > 0 && states.every((state) => state?.done_at != null),
    areMuted: states.length > 0 && states.every((state) => state?.muted_at != null),
    canUndo: useSelector(usePart('stateChanges'), (changes) => changes !== undefined && selectCanUndo(changes)),
    isOneSnoozed: states.some((state) => state?.snoozed_at != null),
    unsentCount: useSelector(useOutbox(), selectUnsent).length,
    isSyncingRecent: useSelector(useRecentSyncActor(), selectIsSyncing),
    isSyncingConversation: useSelector(useConversationSyncActor(), selectSubject) !== null,
    appearance: useSelector(useAppearance(), selectAppearance),
    isMotionReduced: useSelector(useReducedMotion(), selectIsReduced),
    isSharedComputer: useSelector(useSharedComputer(), selectIsShared),
    query: useList().query,
    savedFilters: useSavedFilters().filters,
    labels: useLabels(),
    newRows: useSelector(useDisplayedListActor(), selectWaitingCount),
  }
}

/** Who receives the events of the commands. */
export function useReceivers() {
  const session = useSession()
  const { thread } = useOpenThread()
  return {
    session,
    thread,
    runKeyCommand: useRunKeyCommand(),
    dialog: useDialog(),
    displayedList: useDisplayedListActor(),
    chooseLabel: useFilterChoice().chooseLabel,
    conversationSync: useConversationSyncActor(),
    problemReport: useProblemReport(),
    signOut: useSignOut(),
    appearance: useAppearance(),
    reducedMotion: useReducedMotion(),
    sharedComputer: useSharedComputer(),
    deviceCache: session.system.get('deviceCache') as ActorRefFrom<typeof deviceCacheMachine>,
    /** The page filter; null is All Pages. */
    pageId: () => selectPageId(session.getSnapshot()),
  }
}

export type Receivers = ReturnType<typeof useReceivers>
