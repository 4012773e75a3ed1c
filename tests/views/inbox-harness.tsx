import { act, render } from '@testing-library/react'
import { useSelector } from '@xstate/react'
import { createActor, fromCallback, fromPromise, type InspectionEvent, SimulatedClock, waitFor } from 'xstate'
import { dialogs } from '../../src/dialog-registry.ts'
import type { ClientFile } from '../../src/domain/client/client-file.ts'
import type { NewClient } from '../../src/domain/client/client-linking.ts'
import type { ListQuery } from '../../src/domain/list/list-query.ts'
import type { TokenOwner } from '../../src/domain/pages/page-token.ts'
import type { Draft } from '../../src/domain/send/draft.ts'
import type { Outgoing } from '../../src/domain/send/outgoing.ts'
import type { EndOfSession } from '../../src/domain/session/session-end.ts'
import type { ChannelReport, MessageChange, UserChange } from '../../src/domain/shell/changes.ts'
import { defaultWidths } from '../../src/domain/shell/pane-widths.ts'
import type { FetchedPage } from '../../src/domain/thread/thread-messages.ts'
import { appMachine, selectSession } from '../../src/machines/app.ts'
import { clientDetailsMachine } from '../../src/machines/client/client-details.ts'
import { clientPageMachine } from '../../src/machines/client/client-page.ts'
import { linkClientMachine } from '../../src/machines/client/link-client.ts'
import { summariesMachine } from '../../src/machines/client/summaries.ts'
import { faqMachine } from '../../src/machines/faq/faq.ts'
import { conversationsMachine } from '../../src/machines/list/conversations.ts'
import type { ListAnswer } from '../../src/machines/list/conversations-setup.ts'
import { pictureRenewalMachine } from '../../src/machines/list/picture-renewal.ts'
import { statsMachine } from '../../src/machines/list/stats.ts'
import { pageFormMachine } from '../../src/machines/pages/page-form.ts'
import { type PictureScope, pageManagerMachine } from '../../src/machines/pages/page-manager.ts'
import { pagesMachine } from '../../src/machines/pages/pages.ts'
import { type DraftsEvent, draftsMachine } from '../../src/machines/send/drafts.ts'
import { outboxMachine } from '../../src/machines/send/outbox.ts'
import { type SendAnswer, sendFlowMachine } from '../../src/machines/send/send-flow.ts'
import { type BestPage, type Identity, sendRouteMachine } from '../../src/machines/send/send-route.ts'
import { authMachine } from '../../src/machines/session/auth.ts'
import type { Refreshed } from '../../src/machines/session/auth-setup.ts'
import { sessionMachine } from '../../src/machines/session/session.ts'
import type { SessionEvent } from '../../src/machines/session-events.ts'
import { appearanceLogic } from '../../src/machines/shell/appearance.ts'
import {
  type DialogLogics,
  type DialogName,
  dialogMachine,
  type LoadedDialog,
} from '../../src/machines/shell/dialog.ts'
import { infoDialogMachine } from '../../src/machines/shell/info-dialog.ts'
import { paneWidthsLogic } from '../../src/machines/shell/pane-widths.ts'
import { problemReportMachine } from '../../src/machines/shell/problem-report.ts'
import { realtimeMachine } from '../../src/machines/shell/realtime.ts'
import { autoSyncMachine } from '../../src/machines/sync/auto-sync.ts'
import { autoSyncControlMachine } from '../../src/machines/sync/auto-sync-control.ts'
import { conversationSyncMachine, type SyncedConversation } from '../../src/machines/sync/conversation-sync.ts'
import { historySyncMachine } from '../../src/machines/sync/history-sync.ts'
import { recentSyncMachine } from '../../src/machines/sync/recent-sync.ts'
import { imageGalleryMachine } from '../../src/machines/thread/image-gallery.ts'
import { type DecidedReply, type ReplyOutcome, replyDecisionMachine } from '../../src/machines/thread/reply-decision.ts'
import { threadMachine } from '../../src/machines/thread/thread.ts'
import type { AuthUser } from '../../src/schemas/auth.ts'
import type { AutoSyncConfig, AutoSyncRun, AutoSyncStatus } from '../../src/schemas/auto-sync.ts'
import type { Client } from '../../src/schemas/client.ts'
import type { Conversation, Platform } from '../../src/schemas/conversation.ts'
import type { FaqCategory, FaqEntry } from '../../src/schemas/faq.ts'
import type { Message } from '../../src/schemas/message.ts'
import type { Page, PageDeletion, PageFailure } from '../../src/schemas/page.ts'
import type { Stats } from '../../src/schemas/stats.ts'
import type { HistorySync, SyncStatus } from '../../src/schemas/sync.ts'
import { ActorsProvider, SessionProvider, useApp } from '../../src/views/actors.tsx'
import { InboxScreen } from '../../src/views/shell/InboxScreen.tsx'
import { Toasts } from '../../src/views/shell/Toasts.tsx'

type SyncedPages = { messages: number; pages: number; failures: readonly PageFailure[] }

/** What each service is asked and answers. */
type Services = {
  loadTop: [{ query: ListQuery; count: number }, ListAnswer]
  loadPage: [{ query: ListQuery; page: number }, ListAnswer]
  loadStats: [{ pageId: string | null }, Stats]
  loadPages: [undefined, readonly Page[]]
  findConversation: [{ id: string }, Conversation | null]
  loadMessages: [{ conversationId: string; pageId: string | null; page: number }, FetchedPage]
  // biome-ignore lint/suspicious/noConfusingVoidType: the machine asks for a promise of nothing
  markRead: [{ conversationId: string; pageId: string | null }, void]
  /** What the composer asks before anything is sent. */
  findRoutePage: [{ userId: string }, BestPage]
  findRouteIdentity: [{ userId: string; pageId: string }, Identity]
  findBestPage: [{ userId: string }, { pageId: string }]
  findIdentity: [{ userId: string; pageId: string }, { psid: string }]
  sendMessage: [{ key: string; pageId: string; psid: string; text: string }, SendAnswer]
  findNewest: [{ conversationId: string; pageId: string | null }, readonly Message[]]
  loadProfile: [{ clientId: string }, ClientFile]
  loadOrders: [{ clientId: string }, ClientFile]
  loadChats: [{ clientId: string }, ClientFile]
  searchClients: [{ term: string }, readonly Client[]]
  createClient: [{ fields: NewClient }, Client]
  // biome-ignore lint/suspicious/noConfusingVoidType: the machine asks for a promise of nothing
  linkClient: [{ fbUserId: string; clientId: string }, void]
  verifyToken: [{ token: string }, TokenOwner]
  // biome-ignore lint/suspicious/noConfusingVoidType: the machine asks for a promise of nothing
  savePage: [{ pageId: string | null; name: string; token: string; isActive: boolean }, void]
  loadDeletion: [{ pageId: string }, PageDeletion]
  deletePage: [{ pageId: string }, string | null]
  refreshPictures: [{ scope: PictureScope }, { message: string | null; failures: readonly PageFailure[] }]
  loadSyncStatus: [{ pageId: string }, SyncStatus]
  startHistorySync: [{ pageId: string; platform: Platform; limit: number }, HistorySync | null]
  loadHistorySync: [{ id: string }, HistorySync]
  cancelHistorySync: [{ id: string }, HistorySync]
  loadAutoSync: [undefined, AutoSyncStatus]
  forceSync: [undefined, AutoSyncRun | null]
  saveConfig: [{ config: AutoSyncConfig }, AutoSyncStatus | null]
  toggle: [{ on: boolean }, AutoSyncStatus | null]
  syncRecent: [{ pageId: string }, number]
  syncAllRecent: [undefined, SyncedPages]
  syncConversation: [SyncedConversation, number]
  fetchOrders: [{ userId: string; clientId: string | null; platform: Platform | null }, string]
  renewPicture: [{ id: string }, string | null]
  decideReply: [DecidedReply, ReplyOutcome]
  // biome-ignore lint/suspicious/noConfusingVoidType: the machine asks for a promise of nothing
  saveReport: [undefined, void]
  fetchPayments: [{ userId: string; clientId: string | null; platform: Platform | null }, string]
  loadDialog: [{ name: DialogName }, LoadedDialog]
  loadOutgoing: [{ staffId: string }, readonly Outgoing[]]
  loadCategories: [undefined, readonly FaqCategory[]]
  loadEntries: [undefined, readonly FaqEntry[]]
}
type ServiceName = keyof Services

type Call = { service: ServiceName; input: unknown; resolve: (answer: never) => void; reject: (error: unknown) => void }

const user: AuthUser = {
  id: 's1',
  email: 'maria@example.com',
  name: 'Maria Santos',
  role: 'agent',
  permissions: [],
}

export const statsOf = (conversations: number, unread: number): Stats => ({
  messages: { total: 0, incoming: 0, outgoing: 0, unread },
  conversations: { total: conversations, active24h: 0, active7d: 0 },
  users: { total: 0, linked: 0, active24h: 0 },
  total_conversations: conversations,
  unread_messages: unread,
})

export const listOf = (rows: readonly Conversation[], more: Partial<ListAnswer> = {}): ListAnswer => ({
  rows,
  hasNext: false,
  total: rows.length,
  ...more,
})

/**
 * The inbox on real machines. Nothing comes from outside but what the test answers, and no time passes but by `pass`.
 */
export async function showInbox({
  left = [] as readonly Outgoing[],
  drafts = new Map<string, Draft>() as ReadonlyMap<string, Draft>,
  inspect = (_event: InspectionEvent) => {},
  /** The code of a dialog comes when the test says so. */
  holdsDialogs = false,
  /** What an earlier tab left behind is read when the test says so. */
  holdsOutbox = false,
  withToasts = false,
  isOnline = (): boolean => true,
} = {}) {
  // What is loaded on demand is loaded: the tests are about what is shown, not about how long it takes.
  await import('../../src/views/client/ClientDetails.tsx')
  if (withToasts) await import('../../src/views/shell/Toaster.tsx')
  const clock = new SimulatedClock()
  const began = Date.now()
  const calls: Call[] = []
  const keptDrafts = new Map(drafts)
  const channels = new Set<(report: ChannelReport) => void>()
  const draftListeners = new Set<(event: DraftsEvent) => void>()

  /** What is asked waits for the test's answer, and is taken back when its reason is gone. */
  const ask = <Answer,>(service: ServiceName, input: unknown, signal: AbortSignal) =>
    new Promise<Answer>((resolve, reject) => {
      const call: Call = { service, input, resolve, reject }
      calls.push(call)
      signal.addEventListener('abort', () => {
        const index = calls.indexOf(call)
        if (index >= 0) calls.splice(index, 1)
      })
    })
  const service = <Name extends ServiceName>(name: Name) =>
    fromPromise<Services[Name][1], Services[Name][0]>(({ input, signal }) => ask(name, input, signal))
  /** A service that is asked for nothing in particular. */
  const plainService = <Answer,>(name: ServiceName) => fromPromise<Answer>(({ signal }) => ask(name, undefined, signal))
  const dialogLogics: DialogLogics = {
    linkClient: linkClientMachine.provide({
      actors: {
        searchClients: service('searchClients'),
        createClient: service('createClient'),
        linkClient: service('linkClient'),
      },
    }),
    image: imageGalleryMachine,
    shortcuts: infoDialogMachine,
    pageManager: pageManagerMachine.provide({
      actors: {
        pageForm: pageFormMachine.provide({
          actors: { verifyToken: service('verifyToken'), savePage: service('savePage') },
        }),
        loadDeletion: service('loadDeletion'),
        deletePage: service('deletePage'),
        refreshPictures: service('refreshPictures'),
      },
    }),
    historySync: historySyncMachine.provide({
      actors: {
        loadSyncStatus: service('loadSyncStatus'),
        startHistorySync: service('startHistorySync'),
        loadHistorySync: service('loadHistorySync'),
        cancelHistorySync: service('cancelHistorySync'),
      },
    }),
    autoSyncControl: autoSyncControlMachine.provide({
      actors: { saveConfig: service('saveConfig'), toggle: service('toggle') },
    }),
    faq: faqMachine.provide({
      actors: {
        loadCategories: plainService<readonly FaqCategory[]>('loadCategories'),
        loadEntries: plainService<readonly FaqEntry[]>('loadEntries'),
      },
    }),
  }
  /** The dialog as the product loads it, but for its services. */
  const loadDialog = async (name: DialogName) => {
    const { loadTitle, loadView } = dialogs[name]
    const [title, { default: View }] = await Promise.all([loadTitle(), loadView()])
    return { name, title, View, logic: dialogLogics[name] } as LoadedDialog
  }
  const pending = () => new Promise<never>(() => {})

  const partOfClient = (name: 'loadProfile' | 'loadOrders' | 'loadChats') =>
    clientDetailsMachine.provide({ actors: { loadClient: service(name) } })
  const session = sessionMachine.provide({
    actors: {
      conversations: conversationsMachine.provide({
        actors: { loadTop: service('loadTop'), loadPage: service('loadPage') },
      }),
      stats: statsMachine.provide({ actors: { loadStats: service('loadStats') } }),
      pages: pagesMachine.provide({
        actors: {
          loadPages: plainService<readonly Page[]>('loadPages'),
        },
      }),
      realtime: realtimeMachine.provide({
        actors: {
          channel: fromCallback(({ sendBack, input }) => {
            const report = (event: ChannelReport) => {
              if (!('channel' in event) || event.channel === input.channel) sendBack(event)
            }
            channels.add(report)
            return () => channels.delete(report)
          }),
        },
      }),
      thread: threadMachine.provide({
        actors: {
          findConversation: service('findConversation'),
          loadMessages: service('loadMessages'),
          markRead: service('markRead'),
          clientProfile: partOfClient('loadProfile'),
          clientOrders: partOfClient('loadOrders'),
          sendRoute: sendRouteMachine.provide({
            actors: { findBestPage: service('findRoutePage'), findIdentity: service('findRouteIdentity') },
          }),
          replyDecision: replyDecisionMachine.provide({ actors: { decideReply: service('decideReply') } }),
          summaries: summariesMachine.provide({
            actors: { fetchOrders: service('fetchOrders'), fetchPayments: service('fetchPayments') },
          }),
        },
      }),
      clientPage: clientPageMachine.provide({
        actors: {
          profile: partOfClient('loadProfile'),
          orders: partOfClient('loadOrders'),
          chats: partOfClient('loadChats'),
        },
      }),
      pictureRenewal: pictureRenewalMachine.provide({ actors: { renewPicture: service('renewPicture') } }),
      problemReport: problemReportMachine.provide({ actors: { saveReport: plainService<void>('saveReport') } }),
      autoSync: autoSyncMachine.provide({
        actors: {
          loadStatus: plainService<AutoSyncStatus>('loadAutoSync'),
          forceSync: plainService<AutoSyncRun | null>('forceSync'),
        },
      }),
      recentSync: recentSyncMachine.provide({
        actors: { syncRecent: service('syncRecent'), syncAllRecent: plainService<SyncedPages>('syncAllRecent') },
      }),
      conversationSync: conversationSyncMachine.provide({ actors: { syncConversation: service('syncConversation') } }),
      dialog: dialogMachine.provide({
        actors: {
          loadDialog: holdsDialogs ? service('loadDialog') : fromPromise(({ input }) => loadDialog(input.name)),
        },
        actions: { 'load ahead': () => {} },
      }),
      outbox: outboxMachine.provide({
        actors: {
          loadOutgoing: holdsOutbox ? service('loadOutgoing') : fromPromise(async () => left),
          forgetOnSignOut: fromCallback(() => {}),
          sendFlow: sendFlowMachine.provide({
            guards: { isOnline },
            actors: {
              findBestPage: service('findBestPage'),
              findIdentity: service('findIdentity'),
              sendMessage: service('sendMessage'),
              findNewest: service('findNewest'),
            },
          }),
        },
        actions: { store: () => {}, forget: () => {} },
      }),
      drafts: draftsMachine.provide({
        actors: {
          watchDrafts: fromCallback(({ sendBack }) => {
            for (const [conversationId, draft] of drafts) sendBack({ type: 'draft.heard', conversationId, draft })
            draftListeners.add(sendBack)
            return () => draftListeners.delete(sendBack)
          }),
        },
        actions: { store: (_, { conversationId, draft }) => void keptDrafts.set(conversationId, draft) },
      }),
      browser: fromCallback(() => {}),
    },
  })
  const app = createActor(
    appMachine.provide({
      actors: {
        loadSession: fromPromise(async () => session),
        auth: authMachine.provide({
          actors: {
            watchOutside: fromCallback(() => {}),
            findProviderSession: fromPromise(async () => true),
            exchangeProviderSession: fromPromise(async () => ({ user, session: 1 })),
            refreshTokens: fromPromise<Refreshed>(pending),
            endSession: fromPromise<void, { why: EndOfSession }>(pending),
          },
        }),
      },
    }),
    { input: { now: () => began + clock.now() }, clock, systemId: 'app', inspect },
  ).start()
  const appearance = createActor(appearanceLogic, { input: 'system' }).start()
  const paneWidths = createActor(paneWidthsLogic, { input: defaultWidths }).start()
  await waitFor(app, (snapshot) => snapshot.matches('signedIn'))

  const opened: (string | null)[] = []
  const actors = { app, auth: app.system.get('auth'), notifier: app.system.get('notifier'), appearance, paneWidths }
  const view = render(
    <ActorsProvider actors={actors}>
      <Screen onNavigate={(id) => opened.push(id)} />
      {withToasts && <Toasts />}
    </ActorsProvider>,
  )
  await act(async () => {})

  const settle = async (name: ServiceName, how: (call: Call) => void) => {
    const index = calls.findIndex((call) => call.service === name)
    const [call] = index < 0 ? [] : calls.splice(index, 1)
    if (call === undefined) throw new Error(`${name} was not asked; waiting are: ${calls.map((each) => each.service)}`)
    await act(async () => how(call))
  }

  const inbox = {
    app,
    appearance,
    paneWidths,
    unmount: view.unmount,
    /** What the browser or a child tells the session. */
    tell: (event: SessionEvent) => act(async () => selectSession(app.getSnapshot())?.send(event)),
    /** What is kept for the next load of the page. */
    keptDrafts,
    loadDialog,
    /** The ids that the URL was led to; null is the bare inbox. */
    opened,
    /** What was asked and is not answered yet. */
    waiting: (name?: ServiceName) =>
      calls.filter((call) => name === undefined || call.service === name).map((call) => call.input),
    answer: <Name extends ServiceName>(name: Name, answer: Services[Name][1]) =>
      settle(name, (call) => call.resolve(answer as never)),
    fail: (name: ServiceName, error: unknown) => settle(name, (call) => call.reject(error)),
    hear: (...reports: ChannelReport[]) =>
      act(async () => {
        for (const report of reports) for (const channel of [...channels]) channel(report)
      }),
    /** Both channels hear, and everything has caught up but for what the test answers. */
    connect: () =>
      inbox.hear(
        { type: 'channel.subscribed', channel: 'messages' },
        { type: 'channel.subscribed', channel: 'users' },
        { type: 'channel.ready', channel: 'messages' },
        { type: 'channel.ready', channel: 'users' },
      ),
    /** Changes come by one channel, as they do. */
    change: (changes: readonly MessageChange[]) =>
      act(async () => {
        const [first] = channels
        first?.({ type: 'messages.heard', changes })
      }),
    changeUsers: (changes: readonly UserChange[]) =>
      act(async () => {
        const [first] = channels
        first?.({ type: 'users.heard', changes })
      }),
    /** What another tab of the same person keeps; null where it sent it. */
    hearDraft: (conversationId: string, draft: Draft | null) =>
      act(async () => {
        if (draft === null) keptDrafts.delete(conversationId)
        else keptDrafts.set(conversationId, draft)
        for (const tell of draftListeners) tell({ type: 'draft.heard', conversationId, draft })
      }),
    /** What a link to a conversation does. */
    open: (id: string) =>
      act(async () => selectSession(app.getSnapshot())?.send({ type: 'conversation.selected', id })),
    /** What going back to the bare inbox does. */
    leave: () => act(async () => selectSession(app.getSnapshot())?.send({ type: 'conversation.deselected' })),
    /** Answers the look-ups of a send as far as they are asked. */
    settleLookups: async ({ pageId, psid }: { pageId: string; psid: string }) => {
      if (inbox.waiting('findBestPage').length > 0) await inbox.answer('findBestPage', { pageId })
      if (inbox.waiting('findIdentity').length > 0) await inbox.answer('findIdentity', { psid })
    },
    pass: (milliseconds: number) => act(async () => clock.increment(milliseconds)),
  }
  return inbox
}

/** Does what the routes do, without a router. */
function Screen({ onNavigate }: { onNavigate: (id: string | null) => void }) {
  const session = useSelector(useApp(), selectSession)
  if (!session) return null
  return (
    <SessionProvider session={session}>
      <InboxScreen
        onOpen={(id) => {
          onNavigate(id)
          session.send({ type: 'conversation.selected', id })
        }}
        onLeave={() => {
          onNavigate(null)
          session.send({ type: 'conversation.deselected' })
        }}
      />
    </SessionProvider>
  )
}
