import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { createActor, fromCallback, fromPromise } from 'xstate'
import * as z from 'zod/mini'
import { newKey } from './domain/new-key.ts'
import { appMachine } from './machines/app.ts'
import { appearanceLogic } from './machines/appearance.ts'
import { type AuthActor, type AuthEvent, authMachine, requestRefresh, selectWasLeft } from './machines/auth.ts'
import { autoSyncMachine } from './machines/auto-sync.ts'
import { clientDetailsMachine } from './machines/client-details.ts'
import { conversationSyncMachine } from './machines/conversation-sync.ts'
import { conversationsMachine } from './machines/conversations.ts'
import { type DialogName, dialogMachine, type LoadedDialog } from './machines/dialog.ts'
import { draftsMachine } from './machines/drafts.ts'
import { linkClientMachine } from './machines/link-client.ts'
import { migrationMachine } from './machines/migration.ts'
import { outboxMachine } from './machines/outbox.ts'
import { pagesMachine } from './machines/pages.ts'
import { paneWidthsLogic } from './machines/pane-widths.ts'
import { pictureRenewalMachine } from './machines/picture-renewal.ts'
import { realtimeMachine } from './machines/realtime.ts'
import { recentSyncMachine } from './machines/recent-sync.ts'
import { sendFlowMachine } from './machines/send-flow.ts'
import { sendRouteMachine } from './machines/send-route.ts'
import { sessionMachine } from './machines/session.ts'
import { statsMachine } from './machines/stats.ts'
import { summariesMachine } from './machines/summaries.ts'
import { threadMachine } from './machines/thread.ts'
import { rememberedAppearance, showAppearance } from './services/appearance.ts'
import { bearerTokens, createAuth } from './services/auth.ts'
import { createAutoSync } from './services/auto-sync.ts'
import { frameTiming } from './services/batches.ts'
import { watchBrowser } from './services/browser.ts'
import { createClients } from './services/clients.ts'
import { createConversations } from './services/conversations.ts'
import { createDraftStorage } from './services/drafts.ts'
import { createHttp } from './services/http.ts'
import { createMessages } from './services/messages.ts'
import { createOutboxStorage } from './services/outbox-storage.ts'
import { createPages } from './services/pages.ts'
import { rememberedWidths, rememberWidths } from './services/pane-widths.ts'
import { createChannels } from './services/realtime.ts'
import { createSignIn } from './services/sign-in.ts'
import { createStats } from './services/stats.ts'
import { createStorage } from './services/storage.ts'
import { createProvider } from './services/supabase.ts'
import { createSync } from './services/sync.ts'
import { watchOutside } from './services/tabs.ts'
import { createTokenStore } from './services/tokens.ts'
import { App } from './views/App.tsx'
import './views/theme.css'

// The page's security policy allows no code made of text.
z.config({ jitless: true })

const settings = {
  apiUrl: import.meta.env['VITE_API_URL'] || '/api',
  supabaseUrl: import.meta.env['VITE_SUPABASE_URL'] || window.location.origin,
  supabaseAnonKey: import.meta.env['VITE_SUPABASE_ANON_KEY'] || 'embedded',
}
const baseUrl = settings.apiUrl.replace(/\/+$/, '')
// biome-ignore lint/suspicious/noConsole: the one way out for warnings; no token and no text of a message comes here
const log = { warn: (text: string) => console.warn(text) }

const storage = createStorage(() => window.localStorage)
const tokens = createTokenStore(storage, Date.now)
const provider = createProvider({ url: settings.supabaseUrl, anonKey: settings.supabaseAnonKey, storage })
// The auth machine tries again by itself.
const anonymous = createHttp({ baseUrl, log, retries: 0 })
const auth = createAuth({ http: anonymous, tokens, provider, locks: navigator.locks })
const signIn = createSignIn({ http: anonymous, tokens, provider })
const http = createHttp({
  baseUrl,
  log,
  tokens: bearerTokens(tokens, () => requestRefresh(authActor())),
  onUnauthorised: (session) => authActor().send({ type: 'session.refused', session }),
})

const conversations = createConversations(http, log)
const clients = createClients(http, log)
const pages = createPages(http, log)
const sync = createSync(http)
const autoSync = createAutoSync(http)
const stats = createStats(http)
const messages = createMessages(http, log)
const outboxStorage = createOutboxStorage({ area: () => window.localStorage, locks: navigator.locks, tab: newKey() })
const draftStorage = createDraftStorage({ area: () => window.localStorage, window })
const openChannel = createChannels({ client: provider.client, timing: frameTiming(window) })

/** The machine of a dialog with its services: code that is fetched when the dialog is first opened. */
async function loadDialog(name: DialogName): Promise<LoadedDialog> {
  switch (name) {
    case 'pageManager': {
      const [{ pageManagerMachine }, { pageFormMachine }, { createPageAdministration }] = await Promise.all([
        import('./machines/page-manager.ts'),
        import('./machines/page-form.ts'),
        import('./services/page-administration.ts'),
      ])
      const administration = createPageAdministration(http)
      const pageForm = pageFormMachine.provide({
        actors: {
          verifyToken: fromPromise(({ input, signal }) => administration.verifyToken(input, signal)),
          savePage: fromPromise(({ input }) => administration.savePage(input)),
        },
      })
      const logic = pageManagerMachine.provide({
        actors: {
          pageForm,
          loadDeletion: fromPromise(({ input, signal }) => administration.loadDeletion(input, signal)),
          deletePage: fromPromise(({ input }) => administration.deletePage(input)),
          refreshPictures: fromPromise(({ input }) => administration.refreshPictures(input)),
        },
      })
      return { name, logic }
    }
    case 'historySync': {
      const [{ historySyncMachine }, { createHistorySync }] = await Promise.all([
        import('./machines/history-sync.ts'),
        import('./services/history-sync.ts'),
      ])
      const history = createHistorySync(http)
      const logic = historySyncMachine.provide({
        actors: {
          loadSyncStatus: fromPromise(({ input, signal }) => history.loadSyncStatus(input, signal)),
          startHistorySync: fromPromise(({ input }) => history.startHistorySync(input)),
          loadHistorySync: fromPromise(({ input, signal }) => history.loadHistorySync(input, signal)),
          cancelHistorySync: fromPromise(({ input }) => history.cancelHistorySync(input)),
        },
      })
      return { name, logic }
    }
    case 'autoSyncControl': {
      const { autoSyncControlMachine } = await import('./machines/auto-sync-control.ts')
      const logic = autoSyncControlMachine.provide({
        actors: {
          saveConfig: fromPromise(({ input }) => autoSync.saveConfig(input)),
          toggle: fromPromise(({ input }) => autoSync.toggle(input)),
        },
      })
      return { name, logic }
    }
    case 'faq': {
      const [{ faqMachine }, { faqFormMachine }, { faqTestMachine }, { createFaq }] = await Promise.all([
        import('./machines/faq.ts'),
        import('./machines/faq-form.ts'),
        import('./machines/faq-test.ts'),
        import('./services/faq.ts'),
      ])
      const faq = createFaq(http, log)
      const logic = faqMachine.provide({
        actors: {
          loadCategories: fromPromise(({ signal }) => faq.loadCategories(signal)),
          loadEntries: fromPromise(({ signal }) => faq.loadEntries(signal)),
          deleteFaq: fromPromise(({ input }) => faq.deleteFaq(input)),
          faqForm: faqFormMachine.provide({ actors: { saveFaq: fromPromise(({ input }) => faq.saveFaq(input)) } }),
          faqTest: faqTestMachine.provide({
            actors: { testMatch: fromPromise(({ input, signal }) => faq.testMatch(input, signal)) },
          }),
        },
      })
      return { name, logic }
    }
  }
}

const inspecting =
  import.meta.env.DEV && import.meta.env['VITE_INSPECT']
    ? { inspect: (await import('./dev/inspector.ts')).openInspector() }
    : {}

const app = createActor(
  appMachine.provide({
    actors: {
      session: sessionMachine.provide({
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
              clientDetails: clientDetailsMachine.provide({
                actors: { loadClient: fromPromise(({ input, signal }) => clients.loadClient(input, signal)) },
              }),
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
          clientPage: clientDetailsMachine.provide({
            actors: { loadClient: fromPromise(({ input, signal }) => clients.loadClientWithChats(input, signal)) },
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
          dialog: dialogMachine.provide({
            actors: {
              loadDialog: fromPromise(({ input }) => loadDialog(input.name)),
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
                guards: { isOnline: () => navigator.onLine },
              }),
              loadOutgoing: fromPromise(({ input }) => outboxStorage.load(input)),
              // An expired session throws nobody's words away: they wait for the same person's next sign-in.
              forgetOnSignOut: fromCallback(() => () => {
                if (selectWasLeft(authActor().getSnapshot())) outboxStorage.forgetAll()
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
                  if (selectWasLeft(authActor().getSnapshot())) draftStorage.forgetAll()
                }
              }),
            },
            actions: { store: (_, kept) => draftStorage.store(kept) },
          }),
          browser: fromCallback(({ sendBack }) => watchBrowser(window, Date.now, sendBack)),
        },
      }),
      auth: authMachine.provide({
        actors: {
          watchOutside: fromCallback<AuthEvent>(({ sendBack }) => watchOutside({ window, storage, tokens }, sendBack)),
          findProviderSession: fromPromise(auth.findProviderSession),
          exchangeProviderSession: fromPromise(auth.exchangeProviderSession),
          loadUser: fromPromise(auth.loadUser),
          refreshTokens: fromPromise(auth.refreshTokens),
          askProvider: fromPromise(({ input }) => signIn.askProvider(input)),
          checkMigration: fromPromise(signIn.checkMigration),
          signInTheOldWay: fromPromise(signIn.signInTheOldWay),
          migration: migrationMachine.provide({
            actors: {
              signUp: fromPromise(({ input }) => signIn.signUp(input)),
              signInAsRegistered: fromPromise(signIn.signInAsRegistered),
              completeMigration: fromPromise(signIn.completeMigration),
            },
          }),
          endSession: fromPromise(({ input, signal }) => auth.endSession({ ...input, signal })),
        },
        actions: { forgetPasswords: signIn.forget },
      }),
    },
  }),
  { input: { now: Date.now }, systemId: 'app', ...inspecting },
)

function authActor(): AuthActor {
  return app.system.get('auth')
}

const appearance = createActor(appearanceLogic, { input: rememberedAppearance() })
appearance.subscribe(({ context }) => showAppearance(context))
appearance.start()
const paneWidths = createActor(paneWidthsLogic, { input: rememberedWidths(storage) }).start()
paneWidths.subscribe(({ context }) => rememberWidths(storage, context))
app.start()

const root = document.getElementById('root')
if (!root) throw new Error('the page has no #root')
createRoot(root).render(
  <StrictMode>
    {/* A click opens a conversation in the same task: a transition would wait for a frame of its own. */}
    <BrowserRouter useTransitions={false}>
      <App actors={{ app, auth: authActor(), notifier: app.system.get('notifier'), appearance, paneWidths }} />
    </BrowserRouter>
  </StrictMode>,
)
