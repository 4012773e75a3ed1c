import { fromCallback, fromPromise } from 'xstate'
import { loadDialog } from './dialog-registry.ts'
import { newKey } from './domain/new-key.ts'
import type { SessionLogic } from './machines/app.ts'
import { clientDetailsMachine } from './machines/client/client-details.ts'
import { clientPageMachine } from './machines/client/client-page.ts'
import { summariesMachine } from './machines/client/summaries.ts'
import { conversationsMachine } from './machines/list/conversations.ts'
import { pictureRenewalMachine } from './machines/list/picture-renewal.ts'
import { statsMachine } from './machines/list/stats.ts'
import { pagesMachine } from './machines/pages/pages.ts'
import { draftsMachine } from './machines/send/drafts.ts'
import { outboxMachine } from './machines/send/outbox.ts'
import { sendFlowMachine } from './machines/send/send-flow.ts'
import { sendRouteMachine } from './machines/send/send-route.ts'
import { sessionMachine } from './machines/session/session.ts'
import { dialogMachine } from './machines/shell/dialog.ts'
import { problemReportMachine } from './machines/shell/problem-report.ts'
import { realtimeMachine } from './machines/shell/realtime.ts'
import { autoSyncMachine } from './machines/sync/auto-sync.ts'
import { conversationSyncMachine } from './machines/sync/conversation-sync.ts'
import { recentSyncMachine } from './machines/sync/recent-sync.ts'
import { replyDecisionMachine } from './machines/thread/reply-decision.ts'
import { threadMachine } from './machines/thread/thread.ts'
import { createClients } from './services/client/clients.ts'
import type { Http } from './services/http.ts'
import { createConversations } from './services/list/conversations.ts'
import { createStats } from './services/list/stats.ts'
import { createPages } from './services/pages/pages.ts'
import { createDraftStorage } from './services/send/drafts.ts'
import { createOutboxStorage } from './services/send/outbox-storage.ts'
import type { Provider } from './services/session/supabase.ts'
import { frameTiming } from './services/shell/batches.ts'
import { watchBrowser } from './services/shell/browser.ts'
import { createChannels } from './services/shell/realtime.ts'
import { createAutoSync } from './services/sync/auto-sync.ts'
import { createSync } from './services/sync/sync.ts'
import { createMessages } from './services/thread/messages.ts'

type Log = Parameters<typeof createClients>[1]
type Parts = {
  http: Http
  log: Log
  /** Whether the API takes the header `Idempotency-Key`. */
  sendsKeys: boolean
  /** The proxy for pictures of pages; null is none. */
  pictureProxy: string | null
  client: Provider['client']
  /** Whether the person signed out, or somebody else came: then what they wrote is forgotten. */
  wasLeft: () => boolean
  isOnline: () => boolean
  /** Has the browser save a report of a problem. */
  saveReport: () => Promise<void>
}

/** Names this load of the page, whoever signs in in it. */
const tab = newKey()

/** The session with its services: all that only somebody who is signed in needs, in code that is loaded then. */
export function composeSession({
  http,
  log,
  sendsKeys,
  pictureProxy,
  client,
  wasLeft,
  isOnline,
  saveReport,
}: Parts): SessionLogic {
  const conversations = createConversations(http, log)
  const clients = createClients(http, log)
  const pages = createPages(http, log, { pictureProxy })
  const sync = createSync(http, log)
  const autoSync = createAutoSync(http, log)
  const stats = createStats(http)
  const messages = createMessages(http, log, { sendsKeys })
  const outboxStorage = createOutboxStorage({ area: () => window.localStorage, locks: navigator.locks, tab })
  const draftStorage = createDraftStorage({ area: () => window.localStorage, window })
  const openChannel = createChannels({ client, timing: frameTiming(window) })

  const dialogParts = { http, log, autoSync, clients }

  const clientProfile = clientDetailsMachine.provide({
    actors: { loadClient: fromPromise(({ input, signal }) => clients.loadProfile(input, signal)) },
  })
  const clientOrders = clientDetailsMachine.provide({
    actors: { loadClient: fromPromise(({ input, signal }) => clients.loadOrders(input, signal)) },
  })

  return sessionMachine.provide({
    actors: {
      conversations: conversationsMachine.provide({
        actors: {
          loadTop: fromPromise(({ input, signal }) => conversations.loadTop(input, signal)),
          loadPage: fromPromise(({ input, signal }) => conversations.loadPage(input, signal)),
        },
      }),
      stats: statsMachine.provide({
        actors: { loadStats: fromPromise(({ input, signal }) => stats.loadStats(input, signal)) },
      }),
      pages: pagesMachine.provide({ actors: { loadPages: fromPromise(({ signal }) => pages.loadPages(signal)) } }),
      realtime: realtimeMachine.provide({
        actors: { channel: fromCallback(({ input, sendBack }) => openChannel(input, sendBack)) },
      }),
      thread: threadMachine.provide({
        actors: {
          findConversation: fromPromise(({ input, signal }) => messages.findConversation(input, signal)),
          loadMessages: fromPromise(({ input, signal }) => messages.loadMessages(input, signal)),
          markRead: fromPromise(({ input }) => messages.markRead(input)),
          clientProfile,
          clientOrders,
          sendRoute: sendRouteMachine.provide({
            actors: {
              findBestPage: fromPromise(({ input, signal }) => messages.findBestPage(input, signal)),
              findIdentity: fromPromise(({ input, signal }) => messages.findIdentity(input, signal)),
            },
          }),
          replyDecision: replyDecisionMachine.provide({
            actors: { decideReply: fromPromise(({ input }) => messages.decideReply(input)) },
          }),
          summaries: summariesMachine.provide({
            actors: {
              fetchOrders: fromPromise(({ input, signal }) => clients.fetchOrders(input, signal)),
              fetchPayments: fromPromise(({ input, signal }) => clients.fetchPayments(input, signal)),
            },
          }),
        },
      }),
      clientPage: clientPageMachine.provide({
        actors: {
          profile: clientProfile,
          orders: clientOrders,
          chats: clientDetailsMachine.provide({
            actors: { loadClient: fromPromise(({ input, signal }) => clients.loadChats(input, signal)) },
          }),
        },
      }),
      autoSync: autoSyncMachine.provide({
        actors: {
          loadStatus: fromPromise(({ signal }) => autoSync.loadStatus(signal)),
          forceSync: fromPromise(autoSync.forceSync),
        },
      }),
      recentSync: recentSyncMachine.provide({
        actors: {
          syncRecent: fromPromise(({ input }) => sync.syncRecent(input)),
          syncAllRecent: fromPromise(sync.syncAllRecent),
        },
      }),
      conversationSync: conversationSyncMachine.provide({
        actors: { syncConversation: fromPromise(({ input }) => sync.syncConversation(input)) },
      }),
      pictureRenewal: pictureRenewalMachine.provide({
        actors: { renewPicture: fromPromise(({ input, signal }) => clients.renewPicture(input, signal)) },
      }),
      problemReport: problemReportMachine.provide({ actors: { saveReport: fromPromise(saveReport) } }),
      dialog: dialogMachine.provide({
        actors: { loadDialog: fromPromise(({ input }) => loadDialog(input.name, dialogParts)) },
        actions: {
          // A failure is told when the dialog is asked for.
          'load ahead': (_, { name }) => void loadDialog(name, dialogParts).catch(() => {}),
        },
      }),
      outbox: outboxMachine.provide({
        actors: {
          sendFlow: sendFlowMachine.provide({
            actors: {
              findBestPage: fromPromise(({ input, signal }) => messages.findBestPage(input, signal)),
              findIdentity: fromPromise(({ input, signal }) => messages.findIdentity(input, signal)),
              sendMessage: fromPromise(({ input }) => messages.sendMessage(input)),
              findNewest: fromPromise(({ input, signal }) => messages.findNewest(input, signal)),
            },
            guards: { isOnline },
          }),
          loadOutgoing: fromPromise(({ input }) => outboxStorage.load(input)),
          // An expired session throws nobody's words away: they wait for the same person's next sign-in.
          forgetOnSignOut: fromCallback(() => () => {
            if (wasLeft()) outboxStorage.forgetAll()
          }),
        },
        actions: {
          store: (_, { staffId, sends }) => {
            for (const send of sends) outboxStorage.store(staffId, send)
          },
          forget: (_, { key }) => outboxStorage.forget(key),
        },
      }),
      drafts: draftsMachine.provide({
        actors: {
          watchDrafts: fromCallback(({ input, sendBack }) => {
            const stop = draftStorage.watch(input.staffId, sendBack)
            return () => {
              stop()
              if (wasLeft()) draftStorage.forgetAll()
            }
          }),
        },
        actions: { store: (_, kept) => draftStorage.store(kept) },
      }),
      browser: fromCallback(({ sendBack }) => watchBrowser(window, Date.now, sendBack)),
    },
  })
}
