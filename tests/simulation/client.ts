import { type Actor, createActor } from 'xstate'
import { composeApp } from '../../src/compose-app.ts'
// Loaded here because the product loads it on demand, which takes real time.
import '../../src/compose-session.ts'
import '@supabase/supabase-js'
import { dialogs, shownInReports } from '../../src/dialog-registry.ts'
import { newKey } from '../../src/domain/new-key.ts'
import { type appMachine, onSignOut } from '../../src/machines/app.ts'
import { type AuthActor, requestRefresh, whenSignedIn } from '../../src/machines/session/auth.ts'
import { createRecorder } from '../../src/recorder/recorder.ts'
import { writeReport } from '../../src/recorder/report.ts'
import { createHttp } from '../../src/services/http.ts'
import { createAccount } from '../../src/services/session/account.ts'
import { bearerTokens, createAuth } from '../../src/services/session/auth.ts'
import { createDeviceCache } from '../../src/services/session/device-cache.ts'
import '../../src/services/session/inbox-database.ts'
import { createSignIn } from '../../src/services/session/sign-in.ts'
import { createProvider } from '../../src/services/session/supabase.ts'
import { watchOutside } from '../../src/services/session/tabs.ts'
import { createTokenStore } from '../../src/services/session/tokens.ts'
import { createStorage } from '../../src/services/storage.ts'
import '../../src/services/pages/page-administration.ts'
import '../../src/services/sync/history-sync.ts'
import '../../src/services/faq/faq.ts'
import '../../src/services/client/chat-orders.ts'
import '../../src/services/comments/comments.ts'
import '../../src/services/client/client-work.ts'
import '../../src/services/client/data-transfer.ts'
import '../../src/services/client/chats.ts'
import '../../src/services/pages/facebook-login.ts'
import '../../src/services/client/persons.ts'
import '../../src/services/client/shops.ts'
import '../../src/services/list/labels.ts'
import '../../src/services/list/states.ts'
import '../../src/services/thread/colleagues.ts'
import '../../src/compose-answers.ts'
import '../../src/compose-attached-files.ts'
import '../../src/compose-colleagues.ts'
import '../../src/compose-notifications.ts'
import '../../src/compose-reply-help.ts'
import '../../src/compose-summary-check.ts'
import '../../src/services/send/files.ts'
import '../../src/services/thread/reactions.ts'
import '../../src/services/send/saved-replies.ts'
import '../../src/services/send/server-drafts.ts'
import '../../src/services/pages/business-settings.ts'
import '../../src/services/reports/reports.ts'
import '../../src/services/session/api-keys.ts'
import '../../src/services/session/audit.ts'
import '../../src/services/session/staff.ts'
import '../../src/services/shell/alarms.ts'
import '../../src/services/shell/notifications.ts'
import '../../src/services/shell/save-file.ts'
import '../../src/sign-in-steps.ts'
import '../../src/domain/client/summaries.ts'
import { createSessionServices } from '../../src/session-services.ts'
import { fakeSessionServices } from '../fake-services.ts'
import type { SimulatedBrowser } from './browser.ts'
import type { Kernel, Process } from './kernel.ts'
import { inboxOrigin } from './server.ts'

export type SimulatedClient = ReturnType<typeof createSimulatedClient>

// Loads the code of all dialogs, because a simulation cannot wait for files.
const nothing = async () => ({}) as never
const services = fakeSessionServices({
  loadPageAdministration: nothing,
  loadFacebookLogin: nothing,
  loadHistorySync: nothing,
  loadFaq: nothing,
  loadSavedReplies: nothing,
  loadTemplateService: nothing,
  loadFileService: nothing,
  loadDataTransfer: nothing,
  loadChatService: nothing,
  loadClientWork: nothing,
  loadCommentService: nothing,
  loadSearch: nothing,
  loadReactions: nothing,
  loadPersons: nothing,
  loadStaffManagement: nothing,
  loadApiKeyService: nothing,
  loadWebhookService: nothing,
  loadShopService: nothing,
  loadAuditLog: nothing,
  loadBusinessSettings: nothing,
  loadReports: nothing,
  loadAlarmService: nothing,
  loadAccount: nothing,
  loadStates: nothing,
  loadLabelService: nothing,
  loadSavedFilterService: nothing,
  loadColleagues: nothing,
  loadServerDrafts: nothing,
  loadNotifications: nothing,
})
await Promise.all(
  Object.values(dialogs).map(({ loadTitle, loadView, loadMachine }) =>
    Promise.all([loadTitle(), loadView(), loadMachine(services)]),
  ),
)

/** One tab: the product's client without its views. It can be closed and opened again. */
export function createSimulatedClient({
  kernel,
  browser,
  name,
}: {
  kernel: Kernel
  browser: SimulatedBrowser
  name: string
}) {
  let isHidden = false
  let lives = 0
  let process: Process | undefined
  let app: Actor<typeof appMachine> | undefined
  let recorder = createRecorder(Date.now)
  const faults: string[] = []

  function createGlobals() {
    const document = Object.assign(new EventTarget(), {
      get hidden() {
        return isHidden
      },
      hasFocus: () => false,
      get visibilityState() {
        return isHidden ? 'hidden' : 'visible'
      },
    })
    const window = Object.assign(new EventTarget(), {
      document,
      navigator: browser.navigator,
      localStorage: browser.storage,
      location: { origin: inboxOrigin, href: `${inboxOrigin}/`, search: '', hash: '' },
      performance: { now: () => performance.now() },
      setTimeout: (run: () => void, delay: number) => Number(setTimeout(run, delay)),
      clearTimeout: (id: number) => clearTimeout(id),
      setInterval: (run: () => void, delay: number) => Number(setInterval(run, delay)),
      clearInterval: (id: number) => clearInterval(id),
      requestAnimationFrame: (run: () => void) => Number(setTimeout(run, 16)),
      cancelAnimationFrame: (id: number) => clearTimeout(id),
    })
    return { ...browser.globals, window, document }
  }

  /** As `src/main.tsx` composes the client, without views. */
  function compose(): Actor<typeof appMachine> {
    const log = { warn: () => undefined }
    const tab = newKey()
    const baseUrl = `${inboxOrigin}/api`
    const storage = createStorage(() => window.localStorage)
    const tokens = createTokenStore(storage, Date.now)
    const provider = createProvider({ url: inboxOrigin, anonKey: 'embedded', storage })
    const anonymous = createHttp({ baseUrl, log, retries: 0 })
    const authActor = (): AuthActor => actor.system.get('auth')
    const http = createHttp({
      baseUrl,
      log,
      tokens: bearerTokens(
        tokens,
        () => requestRefresh(authActor()),
        () => whenSignedIn(authActor()),
      ),
      onUnauthorised: (session) => authActor().send({ type: 'session.refused', session }),
    })
    const own = createRecorder(Date.now)
    recorder = own
    const actor = createActor(
      composeApp({
        auth: createAuth({ http: anonymous, tokens, provider, locks: browser.navigator.locks }),
        signIn: createSignIn({ http: anonymous, tokens, provider }),
        leaveProvider: provider.leave,
        watchOutside: (report) => watchOutside({ window, storage, tokens }, report),
        deviceCache: createDeviceCache({ api: baseUrl, tokens, storage, expectInbox: () => undefined }),
        loadPasswordReset: () => new Promise<never>(() => {}),
        loadAccount: async () => createAccount({ http: anonymous, provider }),
        loadSessionServices: async () =>
          createSessionServices({
            http,
            baseUrl: '/api',
            log,
            sendsKeys: true,
            pictureProxy: null,
            provider,
            tab,
            isOnline: own.noting('isOnline', () => navigator.onLine),
            saveReport: async () => undefined,
            loadLater: async () => undefined,
          }),
      }),
      {
        input: { now: own.noting('now', Date.now), newKey: own.noting('newKey', newKey) },
        systemId: 'app',
        inspect: own.inspect,
      },
    )
    onSignOut(actor, own.forget)
    actor.subscribe({ error: (error) => faults.push(`the app broke: ${String(error)}`) })
    return actor.start()
  }

  /** Runs something in the tab, as its next event. */
  function run(label: string, work: () => void): void {
    if (process?.isAlive) kernel.schedule(process, 0, label, work)
  }

  return {
    name,
    browser,
    machine: browser.machine,
    faults,
    process: () => process,
    isOpen: () => process?.isAlive === true,
    app: () => (process?.isAlive ? app : undefined),
    run,

    /** The problem report that a person would save now. */
    report: (): string =>
      writeReport(recorder.recordings(), { takenAt: kernel.now(), commit: null, shown: shownInReports }),

    /** Opens the page. */
    open(): void {
      lives += 1
      const opened = kernel.start(browser.machine, name, lives)
      process = opened
      opened.browser = createGlobals()
      browser.addTab(opened, opened.browser)
      kernel.schedule(opened, 0, 'opens the page', () => {
        app = compose()
      })
    },

    /** The tab is gone in the middle of what it did. */
    close(): void {
      if (process !== undefined) kernel.end(process)
    },

    hide(hidden: boolean): void {
      isHidden = hidden
      run('visibilitychange', () => void document.dispatchEvent(new Event('visibilitychange')))
    },
  }
}
