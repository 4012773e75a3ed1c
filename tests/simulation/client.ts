import { type Actor, createActor } from 'xstate'
import { composeApp } from '../../src/compose-app.ts'
// Loaded here because the product loads it on demand, which takes real time.
import '../../src/compose-session.ts'
import '@supabase/supabase-js'
import { newKey } from '../../src/domain/new-key.ts'
import type { appMachine } from '../../src/machines/app.ts'
import { type AuthActor, requestRefresh } from '../../src/machines/session/auth.ts'
import { createHttp } from '../../src/services/http.ts'
import { bearerTokens, createAuth } from '../../src/services/session/auth.ts'
import { createSignIn } from '../../src/services/session/sign-in.ts'
import { createProvider } from '../../src/services/session/supabase.ts'
import { watchOutside } from '../../src/services/session/tabs.ts'
import { createTokenStore } from '../../src/services/session/tokens.ts'
import { createStorage } from '../../src/services/storage.ts'
import { createSessionServices } from '../../src/session-services.ts'
import { fakeServices } from '../fake-services.ts'
import type { Kernel, Machine, Process } from './kernel.ts'
import { inboxOrigin } from './server.ts'

export type SimulatedClient = ReturnType<typeof createSimulatedClient>

/** The locks that the tabs of one browser share. A tab that ends releases its own. */
function createLocks(kernel: Kernel, owner: () => Process | undefined) {
  type Held = { name: string; process: Process | undefined }
  let held: Held[] = []
  const waiting: { name: string; process: Process | undefined; grant: () => void }[] = []
  const next = () => {
    for (const one of [...waiting]) {
      if (held.some(({ name }) => name === one.name)) continue
      waiting.splice(waiting.indexOf(one), 1)
      if (one.process?.isAlive) one.grant()
    }
  }
  return {
    async request(name: string, ...rest: unknown[]): Promise<unknown> {
      const work = rest.at(-1) as (lock: object | null) => unknown
      const { signal, ifAvailable } = (rest.length > 1 ? rest[0] : {}) as {
        signal?: AbortSignal
        ifAvailable?: boolean
      }
      const process = owner()
      signal?.throwIfAborted()
      if (ifAvailable && held.some((lock) => lock.name === name)) return work(null)
      await new Promise<void>((resolve, reject) => {
        const entry = {
          name,
          process,
          grant: () => {
            held.push({ name, process })
            if (process !== undefined) kernel.schedule(process, 0, `lock ${name.slice(0, 24)}`, resolve)
          },
        }
        waiting.push(entry)
        signal?.addEventListener('abort', () => {
          if (!waiting.includes(entry)) return
          waiting.splice(waiting.indexOf(entry), 1)
          reject(signal.reason)
        })
        next()
      })
      try {
        return await work({ name, mode: 'exclusive' })
      } finally {
        held = held.filter((lock) => lock.name !== name || lock.process !== process)
        next()
      }
    },
    query: async () => ({ held: held.map(({ name }) => ({ name, mode: 'exclusive' })), pending: [] }),
    release(process: Process) {
      held = held.filter((lock) => lock.process !== process)
      next()
    },
  }
}

/** One browser with one tab: the product's client without its views. The tab can be closed and opened again. */
export function createSimulatedClient({ kernel, machine }: { kernel: Kernel; machine: Machine }) {
  const stored = new Map<string, string>()
  let isFull = false
  let hasBeenFull = false
  let isOnline = true
  let isHidden = false
  let lives = 0
  let process: Process | undefined
  let app: Actor<typeof appMachine> | undefined
  const faults: string[] = []
  const locks = createLocks(kernel, () => process)

  const storage: Storage = {
    get length() {
      return stored.size
    },
    key: (index) => [...stored.keys()][index] ?? null,
    getItem: (key) => stored.get(key) ?? null,
    setItem: (key, text) => {
      if (isFull) throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
      stored.set(key, String(text))
    },
    removeItem: (key) => void stored.delete(key),
    clear: () => stored.clear(),
  }

  function createBrowser() {
    const document = Object.assign(new EventTarget(), {
      get hidden() {
        return isHidden
      },
      get visibilityState() {
        return isHidden ? 'hidden' : 'visible'
      },
    })
    const navigator = {
      locks,
      userAgent: 'simulated',
      get onLine() {
        return isOnline
      },
    }
    const window = Object.assign(new EventTarget(), {
      document,
      navigator,
      localStorage: storage,
      location: { origin: inboxOrigin, href: `${inboxOrigin}/`, search: '', hash: '' },
      performance: { now: () => performance.now() },
      setTimeout: (run: () => void, delay: number) => Number(setTimeout(run, delay)),
      clearTimeout: (id: number) => clearTimeout(id),
      setInterval: (run: () => void, delay: number) => Number(setInterval(run, delay)),
      clearInterval: (id: number) => clearInterval(id),
      requestAnimationFrame: (run: () => void) => Number(setTimeout(run, 16)),
      cancelAnimationFrame: (id: number) => clearTimeout(id),
    })
    return { window, document, navigator }
  }

  /** As `src/main.tsx` composes the client, without recorder and views. */
  function compose(): Actor<typeof appMachine> {
    const log = { warn: () => undefined }
    const tab = newKey()
    const baseUrl = `${inboxOrigin}/api`
    const area = createStorage(() => window.localStorage)
    const tokens = createTokenStore(area, Date.now)
    const provider = createProvider({ url: inboxOrigin, anonKey: 'embedded', storage: area })
    const anonymous = createHttp({ baseUrl, log, retries: 0 })
    const authActor = (): AuthActor => actor.system.get('auth')
    const http = createHttp({
      baseUrl,
      log,
      tokens: bearerTokens(tokens, () => requestRefresh(authActor())),
      onUnauthorised: (session) => authActor().send({ type: 'session.refused', session }),
    })
    const actor = createActor(
      composeApp({
        auth: createAuth({ http: anonymous, tokens, provider, locks: navigator.locks }),
        signIn: createSignIn({ http: anonymous, tokens, provider }),
        leaveProvider: provider.leave,
        watchOutside: (report) => watchOutside({ window, storage: area, tokens }, report),
        // There is no IndexedDB here: nothing is saved on the device.
        deviceCache: fakeServices().deviceCache,
        loadAccount: fakeServices().loadAccount,
        loadSessionServices: async () =>
          createSessionServices({
            http,
            log,
            sendsKeys: true,
            pictureProxy: null,
            provider,
            tab,
            isOnline: () => navigator.onLine,
            saveReport: async () => undefined,
          }),
      }),
      { input: { now: Date.now, newKey }, systemId: 'app' },
    )
    actor.subscribe({ error: (error) => faults.push(`the app broke: ${String(error)}`) })
    return actor.start()
  }

  const dispatch = (target: 'window' | 'document', name: string) =>
    run(name, () => void (target === 'window' ? window : document).dispatchEvent(new Event(name)))

  /** Runs something in the tab, as its next event. */
  function run(label: string, work: () => void): void {
    if (process?.isAlive) kernel.schedule(process, 0, label, work)
  }

  return {
    machine,
    faults,
    /** What the browser keeps over closed tabs. */
    stored,
    process: () => process,
    isOpen: () => process?.isAlive === true,
    app: () => (process?.isAlive ? app : undefined),
    run,

    /** Opens the page. */
    open(): void {
      lives += 1
      const opened = kernel.start(machine, machine.name, lives)
      process = opened
      opened.browser = createBrowser()
      opened.onEnd.add(() => locks.release(opened))
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
      dispatch('document', 'visibilitychange')
    },
    goOnline(online: boolean): void {
      isOnline = online
      dispatch('window', online ? 'online' : 'offline')
    },
    isOnline: () => isOnline,
    fillStorage(full: boolean): void {
      isFull = full
      hasBeenFull ||= full
    },
    /** Whether the storage was ever full, so that something may not have been kept. */
    hasBeenFull: () => hasBeenFull,
  }
}
