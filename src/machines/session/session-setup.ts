import type { ActorRefFrom, AnyActorRef, EventObject } from 'xstate'
import { assign, fromCallback, raise, setup } from 'xstate'
import { emptyList, rowOfUser } from '../../domain/list/conversation-list.ts'
import { nameOf } from '../../domain/list/conversation-text.ts'
import type { ListQuery } from '../../domain/list/list-query.ts'
import type { MessageChange } from '../../domain/shell/changes.ts'
import { newsIn } from '../../domain/shell/news.ts'
import { pageShown } from '../../domain/thread/thread-belonging.ts'
import type { AuthUser } from '../../schemas/auth.ts'
import type { Conversation } from '../../schemas/conversation.ts'
import type { Message } from '../../schemas/message.ts'
import type { Page } from '../../schemas/page.ts'
import type { ClientDetailsEvent } from '../client/client-details.ts'
import { clientPageMachine } from '../client/client-page.ts'
import { conversationsMachine } from '../list/conversations.ts'
import type { ConversationsEvent } from '../list/conversations-setup.ts'
import { pictureRenewalMachine } from '../list/picture-renewal.ts'
import { type StatsEvent, statsMachine } from '../list/stats.ts'
import { mustBeGiven } from '../must-be-provided.ts'
import { notifyAll } from '../notify-failure.ts'
import { type PagesEvent, pagesMachine } from '../pages/pages.ts'
import { draftsMachine } from '../send/drafts.ts'
import { type OutboxEvent, outboxMachine } from '../send/outbox.ts'
import type { Resyncing, SessionEvent } from '../session-events.ts'
import { type DialogEvent, dialogMachine } from '../shell/dialog.ts'
import { problemReportMachine } from '../shell/problem-report.ts'
import { type RealtimeEvent, realtimeMachine } from '../shell/realtime.ts'
import { type AutoSyncEvent, autoSyncMachine } from '../sync/auto-sync.ts'
import { conversationSyncMachine } from '../sync/conversation-sync.ts'
import { type RecentSyncEvent, recentSyncMachine } from '../sync/recent-sync.ts'
import { type System, telling } from '../system.ts'
import { threadMachine } from '../thread/thread.ts'
import type { ThreadEvent } from '../thread/thread-setup.ts'

/** The ids that a conversation may be known by; the name is null while the list does not hold it. */
type Sender = { ids: readonly (string | null | undefined)[]; name: string | null }

type Context = {
  user: AuthUser
  /** The page filter; null is All Pages. */
  pageId: string | null
  /** The connected pages; null until they are known. */
  pageIds: ReadonlySet<string> | null
  /** The id of the open conversation, as the URL has it, and its row where the list holds it. */
  selected: string | null
  openRow: Conversation | null
  /** The client whose page is open. */
  clientId: string | null
  /** Who has not answered yet that it caught up. */
  awaiting: readonly Resyncing[]
  isHidden: boolean
  /** Who wrote what was not told yet. */
  senders: readonly Sender[]
  now: () => number
  newKey: () => string
}

/** What to tell which child. */
type Errands = {
  realtime: RealtimeEvent
  conversations: ConversationsEvent
  stats: StatsEvent
  pages: PagesEvent
  outbox: OutboxEvent
  thread: ThreadEvent
  dialog: DialogEvent
  autoSync: AutoSyncEvent
  recentSync: RecentSyncEvent
  clientProfile: ClientDetailsEvent
  clientOrders: ClientDetailsEvent
  clientPage: ClientDetailsEvent
}

/** Sends events to children; one that does not run is passed over, as the thread is while nothing is open. */
const tell = telling<Partial<Errands>>((errands, { system }) =>
  Object.entries(errands).flatMap(([id, event]) => {
    const child: AnyActorRef | undefined = system.get(id)
    return child ? [{ to: child, event }] : []
  }),
)

const rowIn = (system: System, ids: readonly (string | null | undefined)[]): Conversation | null => {
  const conversations: ActorRefFrom<typeof conversationsMachine> | undefined = system.get('conversations')
  const list = conversations?.getSnapshot().context.list ?? emptyList
  const id = rowOfUser(list, ids)
  return id === null ? null : (list.byId.get(id) ?? null)
}

/** Reports when the open conversation's row in the list is another than before. */
const followRow = fromCallback<EventObject, { id: string; row: Conversation | null }>(({ input, system, sendBack }) => {
  const conversations: AnyActorRef | undefined = system.get('conversations')
  let last = input.row
  const subscription = conversations?.subscribe(() => {
    const row = rowIn(system, [input.id])
    if (row === null || row === last) return
    last = row
    sendBack({ type: 'row.changed', conversation: row })
  })
  return () => subscription?.unsubscribe()
})

const isOfOpen = ({ selected, openRow }: Context, ids: readonly (string | null | undefined)[]): boolean =>
  selected !== null &&
  [selected, openRow?.primary_user_id, openRow?.fb_user_id].some((id) => id != null && ids.includes(id))

/** What an address asks for, without a page that is gone. */
export const withKnownPage = ({ pageIds }: Context, query: ListQuery): ListQuery =>
  query.pageId === null || pageIds === null || pageIds.has(query.pageId) ? query : { ...query, pageId: null }

/** The message stands on the screen as it comes in. */
const isShown = (context: Context, { primary_user_id, fb_user_id, page_id }: Message): boolean =>
  !context.isHidden &&
  isOfOpen(context, [primary_user_id, fb_user_id]) &&
  [null, page_id].includes(pageShown(context.openRow, context.pageId))

const named = (system: System, { ids }: Pick<Sender, 'ids'>): Sender => {
  const row = rowIn(system, ids)
  return { ids, name: row && nameOf(row) }
}

/** What the session is made of: its children, and what it does with what they report. */
export const sessionSetup = setup({
  types: {
    context: {} as Context,
    events: {} as SessionEvent | { type: 'row.changed'; conversation: Conversation },
    input: {} as { user: AuthUser; now?: () => number; newKey?: () => string },
    children: {} as {
      realtime: 'realtime'
      conversations: 'conversations'
      stats: 'stats'
      pages: 'pages'
      outbox: 'outbox'
      drafts: 'drafts'
      thread: 'thread'
      dialog: 'dialog'
      clientPage: 'clientPage'
      autoSync: 'autoSync'
      recentSync: 'recentSync'
      conversationSync: 'conversationSync'
      pictureRenewal: 'pictureRenewal'
      problemReport: 'problemReport'
    },
  },
  actors: {
    realtime: realtimeMachine,
    conversations: conversationsMachine,
    stats: statsMachine,
    pages: pagesMachine,
    outbox: outboxMachine,
    drafts: draftsMachine,
    thread: threadMachine,
    dialog: dialogMachine,
    clientPage: clientPageMachine,
    autoSync: autoSyncMachine,
    recentSync: recentSyncMachine,
    conversationSync: conversationSyncMachine,
    pictureRenewal: pictureRenewalMachine,
    problemReport: problemReportMachine,
    followRow,
    /** Sends `BrowserEvent`s. */
    browser: fromCallback<EventObject>(mustBeGiven('browser')),
  },
  delays: {
    /** News within this is told together. */
    newsInterval: 3_000,
    /** The list is fetched again when somebody writes, and then holds them. */
    namesTime: 1_500,
  },
  guards: {
    'is another conversation': ({ context }, { id }: { id: string }) => context.selected !== id,
    'is the last answer': ({ context }, { from }: { from: Resyncing }) =>
      context.awaiting.length === 1 && context.awaiting[0] === from,
    'is another page': ({ context }, { pageId }: { pageId: string | null }) => context.pageId !== pageId,
    'the chosen page is gone': ({ context }, { pages }: { pages: readonly Page[] }) =>
      context.pageId !== null && !pages.some((page) => page.page_id === context.pageId),
    'has news': ({ context }) => context.senders.length > 0,
    'has news of known people': ({ context }) =>
      context.senders.length > 0 && context.senders.every(({ name }) => name !== null),
  },
  actions: {
    tell,
    'notify all': notifyAll,
    'open it': assign({
      selected: (_, { id }: { id: string }) => id,
      openRow: ({ system }, { id }) => rowIn(system, [id]),
    }),
    'close it': assign({ selected: null, openRow: null }),
    'open the client': assign({ clientId: (_, { id }: { id: string }) => id }),
    'leave the client': assign({ clientId: null }),
    'keep its row': assign({ openRow: (_, { row }: { row: Conversation }) => row }),
    'use page': assign({ pageId: (_, { pageId }: { pageId: string | null }) => pageId }),
    'keep the pages': assign({
      pageIds: (_, { pages }: { pages: readonly Page[] }) => new Set(pages.map((page) => page.page_id)),
    }),
    'await answers': assign({
      awaiting: ({ context }): readonly Resyncing[] =>
        context.selected === null ? ['conversations', 'outbox'] : ['conversations', 'outbox', 'thread'],
    }),
    'note the answer': assign({
      awaiting: ({ context }, { from }: { from: Resyncing }) => context.awaiting.filter((who) => who !== from),
    }),
    'collect news': assign({
      senders: ({ context, system }, { changes }: { changes: readonly MessageChange[] }) => [
        ...context.senders,
        ...newsIn(changes)
          .filter((message) => !isShown(context, message))
          .map((message) => named(system, { ids: [message.primary_user_id, message.fb_user_id] })),
      ],
    }),
    'name the senders': assign({
      senders: ({ context, system }) =>
        context.senders.map((sender) => (sender.name === null ? named(system, sender) : sender)),
    }),
    'forget news': assign({ senders: [] }),
    'note that the tab is hidden': assign({ isHidden: true }),
    'note that the tab is shown': assign({ isHidden: false }),
    'answer for the thread': raise({ type: 'resync.done', from: 'thread' }),
    'show all pages': raise({ type: 'page.chosen', pageId: null }),
  },
})
