import { type Actor, type AnyActorLogic, createActor, type InspectionEvent, SimulatedClock } from 'xstate'
import { composeApp } from '../../../src/compose-app.ts'
// Loaded here because the app loads these modules on demand, which takes real time.
import '../../../src/compose-session.ts'
import '../../../src/sign-in-steps.ts'
import { Failure } from '../../../src/domain/failure.ts'
import { selectPhase, selectSession } from '../../../src/machines/app.ts'
import { type AuthActor, requestRefresh } from '../../../src/machines/session/auth.ts'
import { selectToasts } from '../../../src/machines/shell/notifier.ts'
import { createHttp, type Http } from '../../../src/services/http.ts'
import { createAccount } from '../../../src/services/session/account.ts'
import { bearerTokens, createAuth, type Locks } from '../../../src/services/session/auth.ts'
import { createPasswordReset } from '../../../src/services/session/password-reset.ts'
import { createSignIn } from '../../../src/services/session/sign-in.ts'
import { type Provider, providerKey } from '../../../src/services/session/supabase.ts'
import { watchOutside } from '../../../src/services/session/tabs.ts'
import { createTokenStore } from '../../../src/services/session/tokens.ts'
import { createStorage } from '../../../src/services/storage.ts'
import type { SessionServices } from '../../../src/services-port.ts'
import { fakeServices, fakeSessionServices } from '../../fake-services.ts'
import { settled } from '../../model/harness.ts'
import { createArea } from '../memory-storage.ts'

export const start = Date.UTC(2026, 2, 1, 8)
const lifetime = 900

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

type Person = {
  id: string
  email: string
  password: string
  isLegacy: boolean
  isRegistered: boolean
  isUnconfirmed?: boolean
}

/** The server and the provider, with their own clock. A refresh token works once, without a grace period. */
export function createWorld() {
  const clock = new SimulatedClock()
  const now = () => start + clock.now()
  const people: Person[] = [
    { id: 'u1', email: 'ana@example.com', password: 'ana', isLegacy: false, isRegistered: true },
    { id: 'u2', email: 'ben@example.com', password: 'ben', isLegacy: false, isRegistered: true },
    { id: 'u3', email: 'old@example.com', password: 'old', isLegacy: true, isRegistered: false },
    { id: 'u4', email: 'new@example.com', password: 'new', isLegacy: false, isRegistered: true, isUnconfirmed: true },
  ]
  const calls: string[] = []
  const refreshTokens = new Map<string, Person>()
  const goodTokens = new Map<string, Person>()
  let issued = 0
  const world = {
    clock,
    now,
    calls,
    people,
    /** The fault that every call meets: a status, or no answer. */
    fault: null as null | number | 'offline',
    /** The paths with the fault; all paths if none is given. */
    faultAt: null as null | string,
    /** Whether tokens contain their issue time. */
    tellsIssue: true,
    /** Expires all access tokens but no refresh token. */
    endAccessTokens: () => goodTokens.clear(),
    endRefreshTokens: () => refreshTokens.clear(),
    issue,
    fetch: answer,
    count: (call: string) => calls.filter((one) => one === call).length,
  }

  function issue(person: Person) {
    issued += 1
    const iat = Math.floor(now() / 1_000)
    const claims = { sub: person.id, exp: iat + lifetime, issued, ...(world.tellsIssue ? { iat } : {}) }
    const token = `${encode({ alg: 'HS256' })}.${encode(claims)}.s`
    goodTokens.set(token, person)
    refreshTokens.set(`r${issued}`, person)
    return { token, refreshToken: `r${issued}` }
  }

  const userOf = ({ id, email }: Person) => ({ id, email, name: email, role: 'agent', permissions: ['messages.send'] })

  function reply(call: string, bearer: string, body: Record<string, string>): [status: number, data: unknown] {
    const known = goodTokens.get(bearer)
    switch (call) {
      case 'POST /auth/supabase-login': {
        const person = people.find(({ id }) => body['supabaseToken'] === `provider ${id}`)
        return person && !person.isLegacy ? [200, { ...issue(person), user: userOf(person) }] : [403, null]
      }
      case 'POST /auth/check-migration':
        return [200, { needsMigration: people.some(({ email, isLegacy }) => isLegacy && email === body['email']) }]
      case 'POST /auth/login': {
        const person = people.find(({ email, password }) => email === body['email'] && password === body['password'])
        return person?.isLegacy ? [200, { ...issue(person), user: userOf(person) }] : [401, null]
      }
      case 'POST /auth/complete-migration': {
        const person = people.find(({ id }) => bearer === `provider ${id}`)
        if (!person || person.email !== body['email']) return [403, null]
        person.isLegacy = false
        return [200, {}]
      }
      case 'POST /auth/refresh': {
        const person = refreshTokens.get(body['refreshToken'] ?? '')
        refreshTokens.delete(body['refreshToken'] ?? '')
        if (!person) return [401, null]
        const { token, refreshToken } = issue(person)
        return [200, { accessToken: token, refreshToken, user: userOf(person) }]
      }
      case 'GET /auth/me':
        return known ? [200, { user: userOf(known) }] : [401, null]
      case 'GET /work':
        return known ? [200, { of: known.id }] : [401, null]
      case 'GET /auth/password-reset':
        return [200, { isOffered: true }]
      case 'POST /auth/password-reset/request':
      case 'POST /auth/password-reset/complete':
      case 'POST /auth/second-factor/verify':
      case 'POST /auth/logout':
        return [200, {}]
      default:
        return [404, null]
    }
  }

  async function answer(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const path = String(input)
    const call = `${init?.method} ${path}`
    calls.push(call)
    init?.signal?.throwIfAborted()
    if (world.fault !== null && (world.faultAt === null || path === world.faultAt)) {
      if (world.fault === 'offline') throw new TypeError('Failed to fetch')
      return Response.json({ success: false, error: 'Trouble' }, { status: world.fault })
    }
    const bearer = new Headers(init?.headers).get('authorization')?.slice('Bearer '.length) ?? ''
    const [status, data] = reply(call, bearer, typeof init?.body === 'string' ? JSON.parse(init.body) : {})
    return Response.json({ success: status === 200, data, ...(data === null ? { error: 'Refused' } : {}) }, { status })
  }
  return world
}

export type World = ReturnType<typeof createWorld>

/** The state that the tabs of one browser share. */
export function createBrowser(area: Storage = createArea()) {
  const tabs = new Set<EventTarget>()
  const tell = (from: EventTarget, key: string | null) => {
    for (const tab of tabs) if (tab !== from) tab.dispatchEvent(Object.assign(new Event('storage'), { key }))
  }
  const queues = new Map<string, Promise<unknown>>()
  const request = async (name: string, _: LockOptions, work: LockGrantedCallback<unknown>) => {
    const before = queues.get(name) ?? Promise.resolve()
    const turn = before.then(() => work({ name, mode: 'exclusive' }))
    queues.set(
      name,
      turn.catch(() => {}),
    )
    return turn
  }
  const locks = { request: request as Locks['request'] }

  /** The storage of this tab. The other tabs receive events for its writes. */
  const areaOf = (tab: EventTarget): Storage => ({
    get length() {
      return area.length
    },
    key: (index) => area.key(index),
    getItem: (key) => area.getItem(key),
    setItem: (key, text) => {
      area.setItem(key, text)
      tell(tab, key)
    },
    removeItem: (key) => {
      const before = area.getItem(key)
      area.removeItem(key)
      if (before !== null) tell(tab, key)
    },
    clear: () => {
      area.clear()
      tell(tab, null)
    },
  })
  return { area, tabs, areaOf, locks }
}

type Browser = ReturnType<typeof createBrowser>

type TabSettings = {
  /** The address of the page. */
  location?: { hash: string; pathname: string; search: string }
  world: World
  browser?: Browser
  /** The offset of this machine's clock from the server's, in milliseconds. */
  clockError?: number
  /** The clock of the machines; the default is the clock of this fake server. */
  clock?: Actor<AnyActorLogic>['clock']
  /** The number of retries of a read of the session. */
  retries?: number
  /** The identity provider; the default is a fake. */
  createProvider?: (storage: ReturnType<typeof createStorage>) => Provider
  /** The services of the session; by default they never answer. */
  createSessionServices?: (parts: { http: Http; provider: Provider }) => SessionServices
  inspect?: (event: InspectionEvent) => void
}

/** The services and machines of the client in one tab, without views. */
export function openTab(settings: TabSettings) {
  const { world, browser = createBrowser(), clockError = 0, retries = 0, inspect = () => {} } = settings
  const window = new EventTarget()
  browser.tabs.add(window)
  const now = () => world.now() + clockError
  const storage = createStorage(() => browser.areaOf(window))
  const tokens = createTokenStore(storage, now)
  const provider = settings.createProvider?.(storage) ?? createFakeProvider(world, storage)
  const log = { warn: () => {} }
  const anonymous = createHttp({ baseUrl: '', log, retries: 0, fetch: world.fetch })
  const phases: string[] = []

  const app = createActor(
    composeApp({
      auth: createAuth({ http: anonymous, tokens, provider, locks: browser.locks, wait: async () => {} }),
      signIn: createSignIn({ http: anonymous, tokens, provider }),
      leaveProvider: provider.leave,
      watchOutside: (report) => watchOutside({ window: window as unknown as Window, storage, tokens }, report),
      deviceCache: fakeServices().deviceCache,
      loadPasswordReset: async () =>
        createPasswordReset({
          http: anonymous,
          location: settings.location ?? { hash: '', pathname: '/login', search: '' },
          history: { state: null, replaceState: () => {} },
        }),
      loadAccount: async () => createAccount({ http: anonymous, provider }),
      loadSessionServices: async () => settings.createSessionServices?.({ http, provider }) ?? fakeSessionServices(),
    }),
    { input: { now }, clock: settings.clock ?? world.clock, systemId: 'app', inspect },
  )
  app.subscribe((snapshot) => {
    const phase = selectPhase(snapshot)
    if (phases.at(-1) !== phase) phases.push(phase)
  })
  app.start()
  const actor: AuthActor = app.system.get('auth')
  const http = createHttp({
    baseUrl: '',
    log,
    retries,
    fetch: world.fetch,
    tokens: bearerTokens(tokens, () => requestRefresh(actor)),
    onUnauthorised: (session) => actor.send({ type: 'session.refused', session }),
  })

  return {
    app,
    actor,
    http,
    area: browser.area,
    window,
    provider,
    /** All phases of the session so far. */
    phases,
    phase: () => selectPhase(app.getSnapshot()),
    user: () => actor.getSnapshot().context.user?.id ?? null,
    session: () => selectSession(app.getSnapshot()),
    form: () => actor.getSnapshot().context.failure?.text ?? null,
    toasts: () => selectToasts(app.system.get('notifier').getSnapshot()).map(({ text }) => text),
    stored: () => ({ token: browser.area.getItem('token'), provider: browser.area.getItem(providerKey) }),
    close: () => {
      browser.tabs.delete(window)
      app.stop()
    },
  }
}

/** A fake of the provider's client: its session is in storage and identifies the person by the token. */
function createFakeProvider(world: World, storage: ReturnType<typeof createStorage>): Provider {
  /** The person of the session that this tab used last. */
  let used: string | null = null
  const person = () => {
    const known = world.people.find(({ id }) => storage.get(providerKey) === id)
    used = known?.id ?? used
    return known
  }
  const refuse = (error: string, code: string) =>
    new Failure({ kind: 'status', method: 'POST', path: '/auth/v1', status: 400, error, code })
  const reach = (call: string) => {
    world.calls.push(call)
    if (world.fault === 'offline' && world.faultAt === null) {
      throw new Failure({ kind: 'noAnswer', method: 'POST', path: '/auth/v1' })
    }
  }
  return {
    client: () => Promise.reject(new Error('there is no realtime here')),
    hasStoredSession: () => storage.get(providerKey) !== null,
    accessToken: async () => {
      const known = person()
      return known ? `provider ${known.id}` : null
    },
    currentUser: async () => {
      const known = person()
      return known ? { id: known.id, accessToken: `provider ${known.id}` } : null
    },
    signIn: async ({ email, password }) => {
      reach('provider: sign in')
      const known = world.people.find((one) => one.email === email && one.isRegistered && one.password === password)
      if (!known) throw refuse('Invalid login credentials', 'invalid_credentials')
      if (known.isUnconfirmed) throw refuse('Email not confirmed', 'email_not_confirmed')
      storage.set(providerKey, known.id)
    },
    signUp: async ({ email, password }) => {
      reach('provider: sign up')
      const known = world.people.find((one) => one.email === email)
      if (!known || known.isRegistered) throw refuse('User already registered', 'user_already_exists')
      known.isRegistered = true
      known.password = password
      storage.set(providerKey, known.id)
    },
    signOut: async () => {
      if (used !== null && storage.get(providerKey) !== used) return
      storage.remove(providerKey)
      reach('provider: sign out')
    },
    leave: () => {},
  }
}

/** Waits until all requests are answered. */
export async function quiet(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await settled()
}
