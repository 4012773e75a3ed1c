import { useMemo } from 'react'
import type { ActorRefFrom } from 'xstate'
import { mayTry } from '../domain/session/permissions.ts'
import { type clientsMachine, selectClient } from '../machines/client/clients.ts'
import type { conversationsMachine } from '../machines/list/conversations.ts'
import type { displayedListMachine } from '../machines/list/displayed-list.ts'
import type { labelsMachine } from '../machines/list/labels.ts'
import type { recordsMachine } from '../machines/list/records.ts'
import type { statsMachine } from '../machines/list/stats.ts'
import { selectMemberName, selectMembers, type teamMachine } from '../machines/list/team.ts'
import type { pagesMachine } from '../machines/pages/pages.ts'
import type { draftsMachine } from '../machines/send/drafts.ts'
import type { outboxMachine } from '../machines/send/outbox.ts'
import { selectUser } from '../machines/session/session.ts'
import type { signOutMachine } from '../machines/session/sign-out.ts'
import type { alarmsMachine } from '../machines/shell/alarms.ts'
import type { DialogName, dialogMachine } from '../machines/shell/dialog.ts'
import { mayOpen } from '../machines/shell/dialog-access.ts'
import type { laterPartsMachine } from '../machines/shell/later-parts.ts'
import type { problemReportMachine } from '../machines/shell/problem-report.ts'
import { type realtimeMachine, selectConnection } from '../machines/shell/realtime.ts'
import type { autoSyncMachine } from '../machines/sync/auto-sync.ts'
import type { conversationSyncMachine } from '../machines/sync/conversation-sync.ts'
import type { recentSyncMachine } from '../machines/sync/recent-sync.ts'
import type { Client } from '../schemas/client.ts'
import { useSession } from './actors.tsx'
import { useSelector } from './use-selector.ts'

/** The child actors that run for the whole session, by system id. */
type SessionActors = {
  alarms: ActorRefFrom<typeof alarmsMachine>
  clients: ActorRefFrom<typeof clientsMachine>
  autoSync: ActorRefFrom<typeof autoSyncMachine>
  conversationSync: ActorRefFrom<typeof conversationSyncMachine>
  recentSync: ActorRefFrom<typeof recentSyncMachine>
  conversations: ActorRefFrom<typeof conversationsMachine>
  records: ActorRefFrom<typeof recordsMachine>
  dialog: ActorRefFrom<typeof dialogMachine>
  drafts: ActorRefFrom<typeof draftsMachine>
  outbox: ActorRefFrom<typeof outboxMachine>
  pages: ActorRefFrom<typeof pagesMachine>
  problemReport: ActorRefFrom<typeof problemReportMachine>
  realtime: ActorRefFrom<typeof realtimeMachine>
  displayedList: ActorRefFrom<typeof displayedListMachine>
  signOut: ActorRefFrom<typeof signOutMachine>
  stats: ActorRefFrom<typeof statsMachine>
  team: ActorRefFrom<typeof teamMachine>
  labels: ActorRefFrom<typeof labelsMachine>
  laterParts: ActorRefFrom<typeof laterPartsMachine>
}

export function useChild<Id extends keyof SessionActors>(id: Id): SessionActors[Id] {
  return useSession().system.get(id)
}

export const useOutbox = () => useChild('outbox')

export const useAlarmsActor = () => useChild('alarms')

export const useAutoSyncActor = () => useChild('autoSync')

export const useRecentSyncActor = () => useChild('recentSync')

export const useConversationSyncActor = () => useChild('conversationSync')

export const useRecordsActor = () => useChild('records')

export const useDraftsActor = () => useChild('drafts')

export const useProblemReport = () => useChild('problemReport')

/** Signs out, after a question if drafts or unsent messages would be deleted. */
export const useSignOut = () => useChild('signOut')

/** The dialog that is open over the inbox. */
export const useDialog = () => useChild('dialog')

/** The connection state: Live, Connecting or Offline (spec section 2). */
export const useConnection = () => useSelector(useChild('realtime'), selectConnection)

/** The client with the id; null if it is not known. */
export function useClient(id: string | null): Client | null {
  return useSelector(
    useChild('clients'),
    useMemo(() => selectClient(id), [id]),
  )
}

/** The signed-in person. */
export const useUser = () => useSelector(useSession(), selectUser)

export const useUserId = (): string => useUser().id

/** Whether a dialog is offered to this person. */
export const useMayOpen = (dialog: DialogName): boolean => mayOpen(useUser(), dialog)

/** Whether an action is offered to this person. */
export const useMay = (permission: string): boolean => mayTry(useUser(), permission)

export const useLaterPartsActor = () => useChild('laterParts')

export const useTeam = () => useSelector(useChild('team'), selectMembers)

/** The name of a staff member; null if it is not known. */
export const useMemberName = (id: string | null): string | null =>
  useSelector(
    useChild('team'),
    useMemo(() => selectMemberName(id), [id]),
  )
