import { fromCallback, fromPromise } from 'xstate'
import { loadDialog } from './compose-dialogs.ts'
import { newKey } from './domain/new-key.ts'
import type { SessionLogic } from './machines/app.ts'
import { autoSyncMachine } from './machines/auto-sync.ts'
import { clientDetailsMachine } from './machines/client-details.ts'
import { clientPageMachine } from './machines/client-page.ts'
import { conversationSyncMachine } from './machines/conversation-sync.ts'
import { conversationsMachine } from './machines/conversations.ts'
import { dialogMachine } from './machines/dialog.ts'
import { draftsMachine } from './machines/drafts.ts'
import { linkClientMachine } from './machines/link-client.ts'
import { outboxMachine } from './machines/outbox.ts'
import { pagesMachine } from './machines/pages.ts'
import { pictureRenewalMachine } from './machines/picture-renewal.ts'
import { problemReportMachine } from './machines/problem-report.ts'
import { realtimeMachine } from './machines/realtime.ts'
import { recentSyncMachine } from './machines/recent-sync.ts'
import { sendFlowMachine } from './machines/send-flow.ts'
import { sendRouteMachine } from './machines/send-route.ts'
import { sessionMachine } from './machines/session.ts'
import { statsMachine } from './machines/stats.ts'
import { summariesMachine } from './machines/summaries.ts'
import { threadMachine } from './machines/thread.ts'
import { createAutoSync } from './services/auto-sync.ts'
import { frameTiming } from './services/batches.ts'
import { watchBrowser } from './services/browser.ts'
import { createClients } from './services/clients.ts'
import { createConversations } from './services/conversations.ts'
import { createDraftStorage } from './services/drafts.ts'
import type { Http } from './services/http.ts'
import { createMessages } from './services/messages.ts'
import { createOutboxStorage } from './services/outbox-storage.ts'
import { createPages } from './services/pages.ts'
import { createChannels } from './services/realtime.ts'
import { createStats } from './services/stats.ts'
import type { Provider } from './services/supabase.ts'
import { createSync } from './services/sync.ts'

type Log = Parameters<typeof createClients>[1]
type Parts = {
  http: Http
  log: Log
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
export function composeSession({ http, log, client, wasLeft, isOnline, saveReport }: Parts): SessionLogic {
  const conversations = createConversations(http, log)
  const clients = createClients(http, log)
  const pages = createPages(http, log)
  const sync = createSync(http, log)
  const autoSync = createAutoSync(http, log)
  const stats = createStats(http)
  const messages = createMessages(http, log)
  const outboxStorage = createOutboxStorage({ area: () => window.localStorage, locks: navigator.locks, tab })
  const draftStorage = createDraftStorage({ area: () => window.localStorage, window })
  const openChannel = createChannels({ client, timing: frameTiming(window) })

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
        actors: {
          loadDialog: fromPromise(({ input }) => loadDialog(input.name, { http, log, autoSync })),
          linkClient: linkClientMachine.provide({
            actors: {
              searchClients: fromPromise(({ input, signal }) => clients.searchClients(input, signal)),
              createClient: fromPromise(({ input }) => clients.createClient(input)),
              linkClient: fromPromise(({ input }) => clients.linkClient(input)),
            },
          }),
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
