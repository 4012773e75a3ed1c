import { globSync } from 'node:fs'
import { type Actor, createActor } from 'xstate'
import { composeApp } from '../../src/compose-app.ts'
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
import { createSignIn } from '../../src/services/session/sign-in.ts'
import { createProvider } from '../../src/services/session/supabase.ts'
import { watchOutside } from '../../src/services/session/tabs.ts'
import { createTokenStore } from '../../src/services/session/tokens.ts'
import { createStorage } from '../../src/services/storage.ts'
import { createSessionServices, namesOnDemand } from '../../src/session-services.ts'
import { fakeSessionServices } from '../fake-services.ts'
import type { SimulatedBrowser } from './browser.ts'
import type { Kernel, Process } from './kernel.ts'
import { inboxOrigin } from './server.ts'

export type SimulatedClient = ReturnType<typeof createSimulatedClient>

// What the product loads on demand is loaded here, because a simulation cannot wait for files.
const loadedOnDemand = globSync([
  'src/services/**/*.ts',
  'src/domain/**/*.ts',
  'src/compose-*.ts',
  'src/{part-registry,services-on-demand,sign-in-steps}.ts',
])
for (const file of loadedOnDemand.sort()) await import(`../../${file}`)
await import('@supabase/supabase-js')
const services = fakeSessionServices(Object.fromEntries(namesOnDemand.map((name) => [name, async () => ({}) as never])))
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
    const unstored = new Map<string, string>()
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
            unstored,
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
