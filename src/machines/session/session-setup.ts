import type { ActorRefFrom, AnyActorRef, EventObject } from 'xstate'
import { assign, emit, fromCallback, fromPromise, raise, setup } from 'xstate'
import { idsOfConversation } from '../../domain/list/conversation-row.ts'
import { knownNameOf } from '../../domain/list/conversation-text.ts'
import { firstView, isSameQuery, type ListQuery } from '../../domain/list/list-query.ts'
import { lineOf, newMessagesIn } from '../../domain/list/new-messages.ts'
import { type Records, rowIdIn, rowIn } from '../../domain/list/records.ts'
import { offers, offersOutstanding } from '../../domain/session/features.ts'
import type { MessageChange, UserChange } from '../../domain/shell/changes.ts'
import { pageShown } from '../../domain/thread/thread-belonging.ts'
import type { AuthUser } from '../../schemas/auth.ts'
import type { Conversation } from '../../schemas/conversation.ts'
import type { Message } from '../../schemas/message.ts'
import type { Page } from '../../schemas/page.ts'
import type { SavedInbox } from '../../schemas/saved-inbox.ts'
import { t } from '../../texts/list.ts'
import type { ClientDetailsEvent } from '../client/client-details.ts'
import { clientPageMachine } from '../client/client-page.ts'
import { type ClientsEvent, clientsMachine } from '../client/clients.ts'
import { conversationsMachine } from '../list/conversations.ts'
import type { ConversationsEvent } from '../list/conversations-setup.ts'
import { displayedListMachine } from '../list/displayed-list.ts'
import { type LabelsEvent, labelsMachine } from '../list/labels.ts'
import { type RecordsEvent, recordsIn, recordsMachine } from '../list/records.ts'
import { type StatsEvent, statsMachine } from '../list/stats.ts'
import { type TeamEvent, teamMachine } from '../list/team.ts'
import { mustBeGiven, mustBeProvided } from '../must-be-provided.ts'
import { notifyAll } from '../notify-failure.ts'
import { type PagesEvent, pagesIn, pagesMachine } from '../pages/pages.ts'
import { type DraftSyncEvent, draftSyncMachine } from '../send/draft-sync.ts'
import { type DraftsEvent, draftsMachine } from '../send/drafts.ts'
import { type OutboxEvent, outboxMachine } from '../send/outbox.ts'
import type { SendRouteEvent } from '../send/send-route.ts'
import type { Resyncing, SessionEvent } from '../session-events.ts'
import { type AlarmsEvent, alarmsMachine } from '../shell/alarms.ts'
import { type DialogEvent, dialogMachine } from '../shell/dialog.ts'
import { type LaterPartsEvent, laterPartsMachine } from '../shell/later-parts.ts'
import { problemReportMachine } from '../shell/problem-report.ts'
import { type RealtimeEvent, realtimeMachine } from '../shell/realtime.ts'
import { type AutoSyncEvent, autoSyncMachine } from '../sync/auto-sync.ts'
import { conversationSyncMachine } from '../sync/conversation-sync.ts'
import { type RecentSyncEvent, recentSyncMachine } from '../sync/recent-sync.ts'
import { createSendAction, type System } from '../system.ts'
import { selectConversationId, selectStart, threadMachine } from '../thread/thread.ts'
import type { ThreadEvent } from '../thread/thread-setup.ts'
import { type DeviceCacheEvent, deviceCacheMachine } from './device-cache.ts'
import { type SignOutEvent, signOutMachine } from './sign-out.ts'

/** A sender: the ids of the conversation, the name (null until it is known), and a line of the message. */
type Sender = { ids: readonly (string | null | undefined)[]; name: string | null; line: string }

type Context = {
  user: AuthUser
  /** The server has confirmed who is signed in. */
  isConfirmed: boolean
  /** The inbox saved by an earlier page load, until it is used; null if there is none. */
  saved: SavedInbox | null
  /** The page filter; null is All Pages. */
  pageId: string | null
  /** The id of the open conversation in the URL. */
  selected: string | null
  /** The client of the open client page. */
  clientId: string | null
  /** The machines that have not reported `resync.done` yet. */
  awaiting: readonly Resyncing[]
  isHidden: boolean
  /** The senders of messages that were not announced yet. */
  senders: readonly Sender[]
  now: () => number
  newKey: () => string
}

/** The event for each child, sent in this order. The records come first, because the other children read them. */
type ChildEvents = {
  records: RecordsEvent
  clients: ClientsEvent
  realtime: RealtimeEvent
  conversations: ConversationsEvent
  stats: StatsEvent
  team: TeamEvent
  labels: LabelsEvent
  laterParts: LaterPartsEvent | { type: 'user.confirmed'; user: AuthUser }
  pages: PagesEvent
  outbox: OutboxEvent
  drafts: DraftsEvent
  draftSync: DraftSyncEvent
  signOut: SignOutEvent
  thread: ThreadEvent
  deviceCache: DeviceCacheEvent
  sendRoute: SendRouteEvent
  dialog: DialogEvent
  autoSync: AutoSyncEvent
  alarms: AlarmsEvent
  recentSync: RecentSyncEvent
  clientProfile: ClientDetailsEvent
  clientOrders: ClientDetailsEvent
  clientPage: ClientDetailsEvent
}

/** Sends events to children. Skips a child that does not run, such as the thread if no conversation is open. */
const tell = createSendAction<Partial<ChildEvents>>((events, { system }) =>
  Object.entries(events).flatMap(([id, event]) => {
    const child: AnyActorRef | undefined = system.get(id)
    return child ? [{ to: child, event }] : []
  }),
)

function isOfOpenConversation(
  { selected }: Context,
  records: Records,
  ids: readonly (string | null | undefined)[],
): boolean {
  if (selected === null) return false
  const open = rowIdIn(records, [selected])
  return ids.includes(selected) || (open !== null && open === rowIdIn(records, ids))
}

/** The thread holds messages of a chat that left the conversation, or lacks those of a chat that joined. */
const movesChatsOfThread = (context: Context, records: Records, changes: readonly UserChange[]): boolean =>
  changes.some(({ row: { id, primary_user_id } }) => {
    if (context.selected === null || primary_user_id == null) return false
    // The records may still know the id of the new conversation as that of a chat of the open one.
    const isOfOpen = primary_user_id === (rowIdIn(records, [context.selected]) ?? context.selected)
    return isOfOpen !== isOfOpenConversation(context, records, [id])
  })

/** Lets the thread fetch again after a sync, because realtime tells that the sync ended and not what it found. */
const refetchSyncedThread = createSendAction<{ changes: readonly UserChange[] }>(({ changes }, { system }) => {
  const thread: ActorRefFrom<typeof threadMachine> | undefined = system.get('thread')
  const unsynced = thread && selectStart(thread.getSnapshot())?.unsynced
  if (thread === undefined || unsynced == null) return []
  const id = selectConversationId(thread.getSnapshot())
  const isSynced = changes.some(
    ({ row }) => row.history_synced && row.primary_user_id === id && row.page_id === unsynced.page_id,
  )
  return isSynced ? [{ to: thread, event: { type: 'refetch.requested' } }] : []
})

/** The query from a URL, without a page filter for a page that is no longer connected. */
function withConnectedPage(system: System, query: ListQuery): ListQuery {
  const pages = pagesIn(system)
  return query.pageId === null || pages === null || pages.byId.has(query.pageId) ? query : { ...query, pageId: null }
}

/** The query from a URL with the view that the list shows, without a view and filters that the API does not offer. */
const withOfferedView = (user: AuthUser, query: ListQuery): ListQuery => ({
  ...query,
  view: offers(user, 'conversation-states') ? (query.view ?? firstView) : undefined,
  labelId: offers(user, 'labels') ? query.labelId : undefined,
  assignedTo: offers(user, 'assignee-filter') ? query.assignedTo : undefined,
  order: offersOutstanding(user) ? query.order : undefined,
})

/** Shows the view and the filters that the confirmed user's API offers, if the saved user's API offered others. */
const showOfferedViews = createSendAction<{ user: AuthUser }>(({ user }, { system }) => {
  const conversations: ActorRefFrom<typeof conversationsMachine> | undefined = system.get('conversations')
  if (!conversations) return []
  const { query: shown } = conversations.getSnapshot().context
  const query = withOfferedView(user, shown)
  if (query.view === shown.view && isSameQuery(query, shown)) return []
  return [{ to: conversations, event: { type: 'query.opened', query } }]
})

/** Whether the open thread shows the message on arrival. */
const isShown = (context: Context, records: Records, { primary_user_id, fb_user_id, page_id }: Message): boolean =>
  !context.isHidden &&
  isOfOpenConversation(context, records, [primary_user_id, fb_user_id]) &&
  [null, page_id].includes(pageShown(rowIn(records, [context.selected]), context.pageId))

const named = (records: Records, { ids, line }: Pick<Sender, 'ids' | 'line'>): Sender => {
  const row = rowIn(records, ids)
  return { ids, name: row && knownNameOf(row), line }
}

/** With more senders than this, one toast stands for all and names nobody. */
const lookUpLimit = 3

const idOfSender = ({ ids }: Pick<Sender, 'ids'>): string => ids.find((id) => id != null) ?? ''

/** The ids of the senders without a name, to be looked up; none if there are many. */
export function idsToLookUp({ senders }: Context): readonly string[] {
  const ids = new Set(senders.filter(({ name }) => name === null).map(idOfSender))
  return ids.size > lookUpLimit ? [] : [...ids]
}

/** `asOf`: the number of the last change in the records when the rows were asked for. */
type FoundSenders = { rows: readonly Conversation[]; asOf: number }

const rowOf = (rows: readonly Conversation[], { ids }: Pick<Sender, 'ids'>): Conversation | undefined =>
  rows.find((row) => idsOfConversation(row).some((id) => ids.includes(id)))

/** Nobody is told about a message of a person whom staff have muted. */
const isMuted = (row: Conversation | null | undefined): boolean => row?.state?.muted_at != null

export const announcedSenders = ({ senders }: Context) =>
  senders.map((sender) => ({
    id: idOfSender(sender),
    name: sender.name ?? t('list.unknownUser'),
    line: sender.line,
  }))

/** The session's children, and the guards and actions for their reports. */
export const sessionSetup = setup({
  types: {
    context: {} as Context,
    events: {} as
      | SessionEvent
      /** The query from a URL, with a connected page or none. Raised separately: guards cannot read the pages. */
      | { type: 'query.resolved'; query: ListQuery }
      /** Whether a chat joined or left the open conversation. Raised separately: guards cannot read the records. */
      | { type: 'chats.checked'; isThreadAffected: boolean },
    input: {} as {
      user: AuthUser
      /** The inbox saved by an earlier page load. */
      saved?: SavedInbox | null
      /** The server has confirmed who is signed in. Until then `user` comes from an earlier page load. */
      isConfirmed?: boolean
      now?: () => number
      newKey?: () => string
    },
    /** For the screen: the person has clicked a notification about this conversation. */
    emitted: {} as { type: 'conversation.requested'; id: string },
    children: {} as {
      records: 'records'
      clients: 'clients'
      realtime: 'realtime'
      conversations: 'conversations'
      displayedList: 'displayedList'
      stats: 'stats'
      team: 'team'
      labels: 'labels'
      laterParts: 'laterParts'
      pages: 'pages'
      outbox: 'outbox'
      drafts: 'drafts'
      draftSync: 'draftSync'
      thread: 'thread'
      deviceCache: 'deviceCache'
      dialog: 'dialog'
      signOut: 'signOut'
      clientPage: 'clientPage'
      autoSync: 'autoSync'
      alarms: 'alarms'
      recentSync: 'recentSync'
      conversationSync: 'conversationSync'
      problemReport: 'problemReport'
    },
  },
  actors: {
    records: recordsMachine,
    clients: clientsMachine,
    realtime: realtimeMachine,
    conversations: conversationsMachine,
    displayedList: displayedListMachine,
    stats: statsMachine,
    team: teamMachine,
    labels: labelsMachine,
    laterParts: laterPartsMachine,
    pages: pagesMachine,
    outbox: outboxMachine,
    drafts: draftsMachine,
    draftSync: draftSyncMachine,
    thread: threadMachine,
    deviceCache: deviceCacheMachine,
    dialog: dialogMachine,
    signOut: signOutMachine,
    clientPage: clientPageMachine,
    autoSync: autoSyncMachine,
    alarms: alarmsMachine,
    recentSync: recentSyncMachine,
    conversationSync: conversationSyncMachine,
    problemReport: problemReportMachine,
    /** The rows of the conversations with these ids, as far as the server knows them. */
    findSenders: fromPromise<FoundSenders, { ids: readonly string[]; asOf: number }>(mustBeProvided('findSenders')),
    /** Sends `BrowserReport`s. */
    browser: fromCallback<EventObject>(mustBeGiven('browser')),
  },
  delays: {
    /** Milliseconds. New messages within this interval are announced together. */
    announceInterval: 3_000,
    /** Milliseconds. The server learns the name of a person who writes for the first time only after the message. */
    nameLookupTimeout: 3_000,
    nameLookupInterval: 1_000,
  },
  guards: {
    'is another conversation': ({ context }, { id }: { id: string }) => context.selected !== id,
    'affects the thread': (_, { isThreadAffected }: { isThreadAffected: boolean }) => isThreadAffected,
    'is the last resync answer': ({ context }, { from }: { from: Resyncing }) =>
      context.awaiting.length === 1 && context.awaiting[0] === from,
    'is another page': ({ context }, { pageId }: { pageId: string | null }) => context.pageId !== pageId,
    'the chosen page is gone': ({ context }, { pages }: { pages: readonly Page[] }) =>
      context.pageId !== null && !pages.some((page) => page.page_id === context.pageId),
    'has senders to announce': ({ context }) => context.senders.length > 0,
    'has only known senders to announce': ({ context }) =>
      context.senders.length > 0 && context.senders.every(({ name }) => name !== null),
    'has few senders to look up': ({ context }) => idsToLookUp(context).length > 0,
    'names every sender': ({ context }, { rows }: { rows: readonly Conversation[] }) =>
      context.senders.every((sender) => {
        const row = rowOf(rows, sender)
        return sender.name !== null || (row !== undefined && knownNameOf(row) !== null)
      }),
  },
  actions: {
    tell,
    'notify all': notifyAll,
    'show the offered views': showOfferedViews,
    'refetch the synced thread': refetchSyncedThread,
    'select the conversation': assign({ selected: (_, { id }: { id: string }) => id }),
    'forget the open conversation': assign({ selected: null }),
    'open the client': assign({ clientId: (_, { id }: { id: string }) => id }),
    'close the client page': assign({ clientId: null }),
    'store the confirmed user': assign({ isConfirmed: true, user: (_, { user }: { user: AuthUser }) => user }),
    'clear the saved inbox': assign({ saved: null }),
    'use page': assign({ pageId: (_, { pageId }: { pageId: string | null }) => pageId }),
    'resolve the page of the query': raise(({ context, system }, { query }: { query: ListQuery }) => ({
      type: 'query.resolved' as const,
      query: withOfferedView(context.user, withConnectedPage(system, query)),
    })),
    'expect resync answers': assign({
      awaiting: ({ context }): readonly Resyncing[] =>
        context.selected === null ? ['conversations', 'outbox'] : ['conversations', 'outbox', 'thread'],
    }),
    'remove from the awaited answers': assign({
      awaiting: ({ context }, { from }: { from: Resyncing }) => context.awaiting.filter((who) => who !== from),
    }),
    'collect new message senders': assign({
      senders: ({ context, system }, { changes }: { changes: readonly MessageChange[] }) => [
        ...context.senders,
        ...newMessagesIn(changes)
          .filter((message) => !isShown(context, recordsIn(system), message))
          .map((message) =>
            named(recordsIn(system), {
              ids: [message.primary_user_id, message.fb_user_id],
              line: lineOf(message),
            }),
          ),
      ],
    }),
    'name the senders': assign({
      senders: ({ context, system }) => {
        const records = recordsIn(system)
        return context.senders
          .map((sender) => (sender.name === null ? named(records, sender) : sender))
          .filter(({ ids }) => !isMuted(rowIn(records, ids)))
      },
    }),
    // The records receive the rows only after this transition.
    'take over the found senders': assign({
      senders: ({ context }, { rows }: { rows: readonly Conversation[] }) =>
        context.senders.flatMap((sender) => {
          const row = rowOf(rows, sender)
          if (isMuted(row)) return []
          return [row === undefined || sender.name !== null ? sender : { ...sender, name: knownNameOf(row) }]
        }),
    }),
    'emit the requested conversation': emit((_, { id }: { id: string }) => ({
      type: 'conversation.requested' as const,
      id,
    })),
    'check whether chats of the thread moved': raise(
      ({ context, system }, { changes }: { changes: readonly UserChange[] }) => ({
        type: 'chats.checked' as const,
        isThreadAffected: movesChatsOfThread(context, recordsIn(system), changes),
      }),
    ),
    'report the moved chats': raise((_, { changes }: { changes: readonly UserChange[] }) => ({
      type: 'users.changed' as const,
      changes,
    })),
    'forget the senders': assign({ senders: [] }),
    'remember that the tab is hidden': assign({ isHidden: true }),
    'remember that the tab is visible': assign({ isHidden: false }),
    'acknowledge the resync for the thread': raise({ type: 'resync.done', from: 'thread' }),
    'show all pages': raise({ type: 'page.chosen', pageId: null }),
  },
})
