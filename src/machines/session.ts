import type { ActorRefFrom, AnyActorRef, EventObject, SnapshotFrom } from 'xstate'
import { assign, fromCallback, raise, setup } from 'xstate'
import type { MessageChange } from '../domain/changes.ts'
import { emptyList, rowOfUser } from '../domain/conversation-list.ts'
import { nameOf } from '../domain/conversation-text.ts'
import type { ListQuery } from '../domain/list-query.ts'
import { newKey } from '../domain/new-key.ts'
import { newsIn, newsToasts } from '../domain/news.ts'
import { pageShown } from '../domain/thread-belonging.ts'
import type { AuthUser } from '../schemas/auth.ts'
import type { Conversation } from '../schemas/conversation.ts'
import type { Message } from '../schemas/message.ts'
import type { Page } from '../schemas/page.ts'
import { type AutoSyncEvent, autoSyncMachine } from './auto-sync.ts'
import { type ClientDetailsEvent, clientDetailsMachine } from './client-details.ts'
import { conversationSyncMachine } from './conversation-sync.ts'
import { type ConversationsEvent, conversationsMachine } from './conversations.ts'
import { type DialogEvent, dialogMachine } from './dialog.ts'
import { draftsMachine } from './drafts.ts'
import { mustBeGiven } from './must-be-provided.ts'
import { notifyAll } from './notify-failure.ts'
import { type OutboxEvent, outboxMachine } from './outbox.ts'
import { type PagesEvent, pagesMachine } from './pages.ts'
import { pictureRenewalMachine } from './picture-renewal.ts'
import { problemReportMachine } from './problem-report.ts'
import { type RealtimeEvent, realtimeMachine } from './realtime.ts'
import { type RecentSyncEvent, recentSyncMachine } from './recent-sync.ts'
import type { Resyncing, SessionEvent } from './session-events.ts'
import { type StatsEvent, statsMachine } from './stats.ts'
import { type System, telling } from './system.ts'
import { threadMachine } from './thread.ts'
import type { ThreadEvent } from './thread-setup.ts'

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

type Errand =
  | { to: 'realtime'; event: RealtimeEvent }
  | { to: 'conversations'; event: ConversationsEvent }
  | { to: 'stats'; event: StatsEvent }
  | { to: 'pages'; event: PagesEvent }
  | { to: 'outbox'; event: OutboxEvent }
  | { to: 'thread'; event: ThreadEvent }
  | { to: 'dialog'; event: DialogEvent }
  | { to: 'autoSync'; event: AutoSyncEvent }
  | { to: 'recentSync'; event: RecentSyncEvent }
  | { to: 'clientDetails' | 'clientPage'; event: ClientDetailsEvent }

/** Sends events to children; one that does not run is passed over, as the thread is while nothing is open. */
const tell = telling<{ errands: readonly Errand[] }>(({ errands }, { system }) =>
  errands.flatMap(({ to, event }) => {
    const child: AnyActorRef | undefined = system.get(to)
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
const withKnownPage = ({ pageIds }: Context, query: ListQuery): ListQuery =>
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

/**
 * Everything that lives while somebody is signed in. It alone knows its children: they report to it, and it passes on
 * what the others need. Signing out stops it, and with it all of them.
 */
export const sessionMachine = setup({
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
    clientPage: clientDetailsMachine,
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
        ...newsIn(changes, context.now())
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
}).createMachine({
  id: 'session',
  context: ({ input }) => ({
    user: input.user,
    pageId: null,
    pageIds: null,
    selected: null,
    openRow: null,
    clientId: null,
    awaiting: [],
    isHidden: false,
    senders: [],
    now: input.now ?? Date.now,
    newKey: input.newKey ?? newKey,
  }),
  invoke: [
    { src: 'conversations', id: 'conversations', systemId: 'conversations' },
    { src: 'stats', id: 'stats', systemId: 'stats' },
    { src: 'pages', id: 'pages', systemId: 'pages' },
    {
      src: 'outbox',
      id: 'outbox',
      systemId: 'outbox',
      input: ({ context }) => ({ staffId: context.user.id, newKey: context.newKey, now: context.now }),
    },
    {
      src: 'drafts',
      id: 'drafts',
      systemId: 'drafts',
      input: ({ context }) => ({ staffId: context.user.id, newKey: context.newKey }),
    },
    { src: 'realtime', id: 'realtime', systemId: 'realtime' },
    { src: 'dialog', id: 'dialog', systemId: 'dialog' },
    {
      src: 'autoSync',
      id: 'autoSync',
      systemId: 'autoSync',
      input: ({ context }) => ({ now: context.now }),
    },
    { src: 'recentSync', id: 'recentSync', systemId: 'recentSync' },
    { src: 'conversationSync', id: 'conversationSync', systemId: 'conversationSync' },
    { src: 'pictureRenewal', id: 'pictureRenewal', systemId: 'pictureRenewal' },
    { src: 'problemReport', id: 'problemReport', systemId: 'problemReport' },
    { src: 'browser', id: 'browser' },
  ],
  type: 'parallel',
  states: {
    /** The last selection wins: leaving the open conversation stops its thread and what that had asked for. */
    selection: {
      initial: 'none',
      states: {
        none: {
          on: {
            'conversation.selected': {
              target: 'open',
              actions: { type: 'open it', params: ({ event }) => ({ id: event.id }) },
            },
          },
        },
        open: {
          exit: [
            'answer for the thread',
            { type: 'tell', params: { errands: [{ to: 'dialog', event: { type: 'conversation.left' } }] } },
          ],
          invoke: [
            {
              src: 'thread',
              id: 'thread',
              systemId: 'thread',
              input: ({ context }) => ({
                id: context.selected ?? '',
                conversation: context.openRow,
                pageId: context.pageId,
                visible: !context.isHidden,
              }),
            },
            {
              src: 'followRow',
              id: 'followRow',
              input: ({ context }) => ({ id: context.selected ?? '', row: context.openRow }),
            },
          ],
          on: {
            'conversation.selected': {
              guard: { type: 'is another conversation', params: ({ event }) => ({ id: event.id }) },
              target: 'open',
              reenter: true,
              actions: { type: 'open it', params: ({ event }) => ({ id: event.id }) },
            },
            'conversation.deselected': { target: 'none', actions: 'close it' },
            // The messages are those of the page that is filtered by.
            'page.chosen': {
              guard: { type: 'is another page', params: ({ event }) => ({ pageId: event.pageId }) },
              target: 'open',
              reenter: true,
            },
            'query.opened': {
              guard: {
                type: 'is another page',
                params: ({ context, event }) => ({ pageId: withKnownPage(context, event.query).pageId }),
              },
              target: 'open',
              reenter: true,
            },
            'conversation.found': {
              actions: { type: 'keep its row', params: ({ event }) => ({ row: event.conversation }) },
            },
            'row.changed': {
              actions: [
                { type: 'keep its row', params: ({ event }) => ({ row: event.conversation }) },
                {
                  type: 'tell',
                  params: ({ event }) => ({
                    errands: [
                      { to: 'thread', event: { type: 'conversation.updated', conversation: event.conversation } },
                    ],
                  }),
                },
              ],
            },
          },
        },
      },
    },
    /** The page of a client, which stands in a tab of its own. */
    clientPage: {
      initial: 'none',
      on: {
        'client.opened': {
          target: '.open',
          reenter: true,
          actions: { type: 'open the client', params: ({ event }) => ({ id: event.id }) },
        },
        'client.left': { target: '.none', actions: 'leave the client' },
      },
      states: {
        none: {},
        open: {
          invoke: {
            src: 'clientPage',
            id: 'clientPage',
            systemId: 'clientPage',
            input: ({ context }) => ({ clientId: context.clientId ?? '' }),
          },
        },
      },
    },
    /** The first news is told at once, what comes soon after it together. */
    announcing: {
      initial: 'quiet',
      states: {
        quiet: {
          always: [
            { guard: 'has news of known people', target: 'telling' },
            { guard: 'has news', target: 'learningNames' },
          ],
        },
        learningNames: { after: { namesTime: 'telling' } },
        telling: {
          entry: [
            'name the senders',
            {
              type: 'notify all',
              params: ({ context }) => ({
                toasts: newsToasts(
                  context.senders.map(({ ids, name }) => ({
                    id: ids.find((id) => id != null) ?? '',
                    name: name ?? 'Unknown User',
                  })),
                ),
              }),
            },
            'forget news',
          ],
          after: { newsInterval: 'quiet' },
        },
      },
    },
    relaying: {
      on: {
        'page.chosen': {
          actions: [
            { type: 'use page', params: ({ event }) => ({ pageId: event.pageId }) },
            {
              type: 'tell',
              params: ({ event }) => ({
                errands: [
                  { to: 'conversations', event },
                  { to: 'stats', event },
                ],
              }),
            },
          ],
        },
        'query.opened': {
          actions: [
            {
              type: 'use page',
              params: ({ context, event }) => ({ pageId: withKnownPage(context, event.query).pageId }),
            },
            {
              type: 'tell',
              params: ({ context, event }) => {
                const query = withKnownPage(context, event.query)
                return {
                  errands: [
                    { to: 'conversations', event: { type: 'query.opened', query } },
                    { to: 'stats', event: { type: 'page.chosen', pageId: query.pageId } },
                  ],
                }
              },
            },
          ],
        },
        'pages.loaded': [
          {
            guard: { type: 'the chosen page is gone', params: ({ event }) => ({ pages: event.pages }) },
            actions: [{ type: 'keep the pages', params: ({ event }) => ({ pages: event.pages }) }, 'show all pages'],
          },
          { actions: { type: 'keep the pages', params: ({ event }) => ({ pages: event.pages }) } },
        ],
        'refresh.requested': {
          actions: {
            type: 'tell',
            params: ({ event }) => ({
              errands: [
                { to: 'conversations', event },
                { to: 'stats', event },
                { to: 'pages', event },
                { to: 'autoSync', event: { type: 'status.asked' } },
                { to: 'thread', event: { type: 'resync.requested' } },
                { to: 'clientDetails', event },
                { to: 'clientPage', event },
              ],
            }),
          },
        },
        'pages.outdated': { actions: { type: 'tell', params: ({ event }) => ({ errands: [{ to: 'pages', event }] }) } },
        'pages.changed': {
          actions: {
            type: 'tell',
            params: {
              errands: [
                { to: 'pages', event: { type: 'pages.outdated' } },
                { to: 'conversations', event: { type: 'list.outdated' } },
                { to: 'thread', event: { type: 'resync.requested' } },
                { to: 'stats', event: { type: 'stats.outdated' } },
              ],
            },
          },
        },
        'recentSync.requested': {
          actions: {
            type: 'tell',
            params: ({ context }) => ({
              errands: [{ to: 'recentSync', event: { type: 'recentSync.requested', pageId: context.pageId } }],
            }),
          },
        },
        'autoSync.heard': {
          actions: {
            type: 'tell',
            params: ({ event }) => ({
              errands: [{ to: 'autoSync', event: { type: 'status.heard', status: event.status } }],
            }),
          },
        },
        'autoSync.asked': {
          actions: { type: 'tell', params: { errands: [{ to: 'autoSync', event: { type: 'status.asked' } }] } },
        },
        // What a link changes is shown at once, without waiting to hear of it.
        'client.linked': {
          actions: {
            type: 'tell',
            params: ({ event }) => {
              const changes = [{ type: 'UPDATE', row: { id: event.userId, client_id: event.clientId } }] as const
              return {
                errands: [
                  { to: 'thread', event: { type: 'users.changed', changes } },
                  { to: 'conversations', event: { type: 'users.changed', changes } },
                  { to: 'conversations', event: { type: 'list.outdated' } },
                  { to: 'stats', event: { type: 'stats.outdated' } },
                ],
              }
            },
          },
        },
        'messages.changed': {
          actions: [
            { type: 'collect news', params: ({ event }) => ({ changes: event.changes }) },
            {
              type: 'tell',
              params: ({ event }) => ({
                errands: [
                  { to: 'thread', event },
                  { to: 'outbox', event },
                  { to: 'conversations', event },
                  { to: 'stats', event: { type: 'stats.outdated' } },
                ],
              }),
            },
          ],
        },
        'users.changed': {
          actions: {
            type: 'tell',
            params: ({ event }) => ({
              errands: [
                { to: 'thread', event },
                { to: 'conversations', event },
              ],
            }),
          },
        },
        'conversation.read': {
          actions: {
            type: 'tell',
            params: ({ event }) => ({
              errands: [
                { to: 'conversations', event },
                { to: 'stats', event: { type: 'stats.outdated' } },
              ],
            }),
          },
        },
        'messages.fetched': {
          actions: { type: 'tell', params: ({ event }) => ({ errands: [{ to: 'outbox', event }] }) },
        },
        'message.sent': {
          actions: {
            type: 'tell',
            params: ({ event }) => ({
              errands: [
                { to: 'thread', event },
                { to: 'conversations', event: { type: 'list.outdated' } },
                { to: 'stats', event: { type: 'stats.outdated' } },
              ],
            }),
          },
        },
        'catchUp.requested': {
          actions: [
            'await answers',
            {
              type: 'tell',
              params: {
                errands: [
                  { to: 'conversations', event: { type: 'resync.requested' } },
                  { to: 'outbox', event: { type: 'resync.requested' } },
                  { to: 'thread', event: { type: 'resync.requested' } },
                  { to: 'stats', event: { type: 'stats.outdated' } },
                ],
              },
            },
          ],
        },
        'resync.done': [
          {
            guard: { type: 'is the last answer', params: ({ event }) => ({ from: event.from }) },
            actions: [
              { type: 'note the answer', params: ({ event }) => ({ from: event.from }) },
              { type: 'tell', params: { errands: [{ to: 'realtime', event: { type: 'catchUp.done' } }] } },
            ],
          },
          { actions: { type: 'note the answer', params: ({ event }) => ({ from: event.from }) } },
        ],
        'poll.due': {
          actions: {
            type: 'tell',
            params: {
              errands: [
                { to: 'conversations', event: { type: 'list.outdated' } },
                { to: 'thread', event: { type: 'resync.requested' } },
                { to: 'outbox', event: { type: 'resync.requested' } },
                { to: 'stats', event: { type: 'stats.outdated' } },
              ],
            },
          },
        },
        'tab.shown': {
          actions: [
            'note that the tab is shown',
            {
              type: 'tell',
              params: ({ event }) => ({
                errands: [
                  { to: 'thread', event },
                  { to: 'realtime', event },
                  { to: 'autoSync', event },
                ],
              }),
            },
          ],
        },
        'tab.hidden': {
          actions: [
            'note that the tab is hidden',
            {
              type: 'tell',
              params: ({ event }) => ({
                errands: [
                  { to: 'thread', event },
                  { to: 'realtime', event },
                  { to: 'autoSync', event },
                ],
              }),
            },
          ],
        },
        'browser.online': {
          actions: {
            type: 'tell',
            params: ({ event }) => ({
              errands: [
                { to: 'realtime', event },
                { to: 'outbox', event },
              ],
            }),
          },
        },
        'browser.offline': {
          actions: { type: 'tell', params: ({ event }) => ({ errands: [{ to: 'realtime', event }] }) },
        },
        'clock.jumped': {
          actions: {
            type: 'tell',
            params: ({ event }) => ({
              errands: [
                { to: 'realtime', event },
                { to: 'autoSync', event },
              ],
            }),
          },
        },
      },
    },
  },
})

type Snapshot = SnapshotFrom<typeof sessionMachine>

export const selectUser = (snapshot: Snapshot): AuthUser => snapshot.context.user

/** The id of the open conversation as the URL has it; null where none is open. */
export const selectSelected = (snapshot: Snapshot): string | null => snapshot.context.selected

/** The page filter; null is All Pages. */
export const selectPageId = (snapshot: Snapshot): string | null => snapshot.context.pageId

export const selectRealtime = (snapshot: Snapshot) => snapshot.children.realtime
export const selectConversations = (snapshot: Snapshot) => snapshot.children.conversations
export const selectStats = (snapshot: Snapshot) => snapshot.children.stats
export const selectPages = (snapshot: Snapshot) => snapshot.children.pages
export const selectOutbox = (snapshot: Snapshot) => snapshot.children.outbox

export const selectDialog = (snapshot: Snapshot) => snapshot.children.dialog

/** The client of the page that is open; undefined while none is. */
export const selectClientPage = (snapshot: Snapshot) => snapshot.children.clientPage

/** The open conversation's thread; undefined while none is open. */
export const selectThread = (snapshot: Snapshot) => snapshot.children.thread
