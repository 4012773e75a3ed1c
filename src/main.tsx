import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createActor } from 'xstate'
import * as z from 'zod/mini'
import { composeApp } from './compose-app.ts'
import { newKey } from './domain/new-key.ts'
import { onSignOut } from './machines/app.ts'
import { type AuthActor, requestRefresh, whenSignedIn } from './machines/session/auth.ts'
import { sharedComputerLogic } from './machines/session/shared-computer.ts'
import { appearanceLogic } from './machines/shell/appearance.ts'
import { paneWidthsLogic } from './machines/shell/pane-widths.ts'
import { reducedMotionLogic } from './machines/shell/reduced-motion.ts'
import { createRecorder } from './recorder/recorder.ts'
import { createHttp } from './services/http.ts'
import { bearerTokens, createAuth } from './services/session/auth.ts'
import { createDeviceCache } from './services/session/device-cache.ts'
import { isSharedComputer, rememberSharedComputer } from './services/session/shared-computer.ts'
import { showSavedScreen } from './services/session/show-saved-screen.ts'
import { createSignIn } from './services/session/sign-in.ts'
import { createProvider } from './services/session/supabase.ts'
import { watchOutside } from './services/session/tabs.ts'
import { createTokenStore } from './services/session/tokens.ts'
import { rememberedAppearance, showAppearance } from './services/shell/appearance.ts'
import { rememberedWidths, rememberWidths } from './services/shell/pane-widths.ts'
import { isMotionReduced, showMotion } from './services/shell/reduced-motion.ts'
import { createStorage } from './services/storage.ts'
import type { Services } from './services-port.ts'
import { App } from './views/App.tsx'
import { renderByFrame } from './views/components/frames.ts'
import { BrowserRouter } from './views/shell/BrowserRouter.tsx'
import './views/theme.css'

// The page's Content Security Policy forbids `eval`.
z.config({ jitless: true })

const settings = {
  apiUrl: import.meta.env['VITE_API_URL'] || '/api',
  supabaseUrl: import.meta.env['VITE_SUPABASE_URL'] || window.location.origin,
  supabaseAnonKey: import.meta.env['VITE_SUPABASE_ANON_KEY'] || 'embedded',
  sendsKeys: import.meta.env['VITE_IDEMPOTENCY_KEY'] !== 'no',
  pictureProxy: import.meta.env['VITE_PICTURE_PROXY'] || null,
}
const baseUrl = settings.apiUrl.replace(/\/+$/, '')
// biome-ignore lint/suspicious/noConsole: the only output for warnings; never receives a token or a message text
const log = { warn: (text: string) => console.warn(text) }

const storage = createStorage(() => window.localStorage)
const tokens = createTokenStore(storage, Date.now)
const provider = createProvider({ url: settings.supabaseUrl, anonKey: settings.supabaseAnonKey, storage })
// No retries here: the auth machine retries itself.
const anonymous = createHttp({ baseUrl, log, retries: 0 })
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

const recorder = createRecorder(Date.now)
const tab = newKey()
const unstored = new Map<string, string>()
// Messages that the browser could not store would be lost with the page, so the browser asks before the page is left.
addEventListener('beforeunload', (event) => {
  if (unstored.size > 0) event.preventDefault()
})

/** Preloads the session code. The later import handles a failure. */
function expectInbox(): void {
  void import('./compose-session.ts').catch(() => {})
  void import('./views/shell/Inbox.tsx').catch(() => {})
  void import('./views/shell/SessionInUrl.tsx').catch(() => {})
  // Only the bare inbox starts without a conversation.
  if (location.pathname !== '/') void import('./views/thread/OpenThread.tsx').catch(() => {})
}

const services: Services = {
  auth: createAuth({ http: anonymous, tokens, provider, locks: navigator.locks }),
  signIn: createSignIn({ http: anonymous, tokens, provider }),
  leaveProvider: provider.leave,
  watchOutside: (report) => watchOutside({ window, storage, tokens }, report),
  deviceCache: createDeviceCache({ api: baseUrl, tokens, storage, expectInbox }),
  loadPasswordReset: async () =>
    (await import('./services/session/password-reset.ts')).createPasswordReset({ http: anonymous, location, history }),
  loadAccount: async () => (await import('./services/session/account.ts')).createAccount({ http: anonymous, provider }),
  loadSessionServices: async () => {
    const { createSessionServices } = await import('./compose-session.ts')
    return createSessionServices({
      http,
      baseUrl,
      log,
      sendsKeys: settings.sendsKeys,
      pictureProxy: settings.pictureProxy,
      provider,
      tab,
      unstored,
      isOnline: recorder.noting('isOnline', () => navigator.onLine),
      saveReport: async () => (await import('./save-report.ts')).saveReport(recorder),
      loadLater: () => import('./dialog-registry.ts'),
    })
  },
}

const app = createActor(composeApp(services), {
  input: { now: recorder.noting('now', Date.now), newKey: recorder.noting('newKey', newKey) },
  systemId: 'app',
  inspect: recorder.inspect,
})
onSignOut(app, recorder.forget)
if (import.meta.env.DEV) {
  const { watchForInspectorKey } = await import('./dev/panel.ts')
  watchForInspectorKey(app, recorder, Boolean(import.meta.env['VITE_INSPECT']))
}

function authActor(): AuthActor {
  return app.system.get('auth')
}

const appearance = createActor(appearanceLogic, { input: rememberedAppearance() })
appearance.subscribe(({ context }) => showAppearance(context))
appearance.start()
const reducedMotion = createActor(reducedMotionLogic, { input: isMotionReduced(storage) })
reducedMotion.subscribe(({ context }) => showMotion(storage, context))
reducedMotion.start()
const paneWidths = createActor(paneWidthsLogic, { input: rememberedWidths(storage) }).start()
const sharedComputer = createActor(sharedComputerLogic, { input: isSharedComputer(storage) }).start()
sharedComputer.subscribe(({ context }) => rememberSharedComputer(storage, context))
paneWidths.subscribe(({ context }) => rememberWidths(storage, context))
renderByFrame(window)
void start()

/** The module itself cannot wait: the code of the saved screen imports from this chunk, and would wait for its end. */
async function start(): Promise<void> {
  await showSavedScreen(window, { tokens, storage })
  app.start()
  const root = document.getElementById('root')
  if (!root) throw new Error('the page has no #root')
  createRoot(root).render(
    <StrictMode>
      {/* Without transitions a click opens a conversation in the same task. A transition would add a frame. */}
      <BrowserRouter>
        <App
          actors={{
            app,
            auth: authActor(),
            notifier: app.system.get('notifier'),
            appearance,
            reducedMotion,
            paneWidths,
            sharedComputer,
          }}
        />
      </BrowserRouter>
    </StrictMode>,
  )
}
