import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { Failure, SessionLost } from '../../../src/domain/failure.ts'
import { createHttp, type Http } from '../../../src/services/http.ts'
import { bearerTokens, createAuth, type Locks } from '../../../src/services/session/auth.ts'
import type { Provider } from '../../../src/services/session/supabase.ts'
import { watchOutside } from '../../../src/services/session/tabs.ts'
import { createTokenStore } from '../../../src/services/session/tokens.ts'
import { createStorage } from '../../../src/services/storage.ts'
import { contentOf, createArea } from '../memory-storage.ts'
import { createProvider } from './fake-provider.ts'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()))
})

const ana = { id: 'u1', email: 'ana@example.com', name: 'Ana', role: 'agent', permissions: ['messages.send'] }

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const tokenOf = (sub: string, n = 0) => `${encode({ alg: 'HS256' })}.${encode({ sub, iat: 1, exp: 901, n })}.s`
const anas = tokenOf('u1')

type Answer = { status?: number; body: unknown }
type Seen = { call: string; bearer: string | undefined; body: unknown }

/** An API that answers by method and path and records each call. */
async function serve(answers: Record<string, Answer | ((seen: Seen) => Answer | Promise<Answer>)>) {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const call = `${request.method} ${request.url}`
    const one = { call, bearer: request.headers.authorization, body: text === '' ? null : JSON.parse(text) }
    seen.push(one)
    const known = answers[call] ?? { status: 404, body: { success: false, error: 'Not found' } }
    const { status = 200, body } = typeof known === 'function' ? await known(one) : known
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stops.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}

/** Locks shared by the tabs of one browser: one holder at a time, and the signal ends a wait. */
function createLocks(): Locks {
  const queues = new Map<string, Promise<unknown>>()
  const request = async (name: string, { signal }: LockOptions, work: LockGrantedCallback<unknown>) => {
    const before = queues.get(name) ?? Promise.resolve()
    const turn = Promise.withResolvers<void>()
    queues.set(
      name,
      before.then(() => turn.promise),
    )
    const gone = new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(new DOMException('gone', 'AbortError')))
    })
    try {
      await Promise.race([before, gone])
      return await work({ name, mode: 'exclusive' })
    } finally {
      turn.resolve()
    }
  }
  return { request: request as Locks['request'] }
}

type Tab = {
  baseUrl: string
  area?: Storage
  provider?: Provider
  locks?: Locks | undefined
  now?: () => number
  lockLimit?: number
  wait?: () => Promise<void>
}

function openTab({
  baseUrl,
  area = createArea(),
  provider = createProvider().provider,
  now = () => 5_000,
  ...rest
}: Tab) {
  const storage = createStorage(() => area)
  const tokens = createTokenStore(storage, now)
  const http = createHttp({ baseUrl, log: { warn: () => {} }, retries: 0 })
  return {
    area,
    storage,
    tokens,
    auth: createAuth({ http, tokens, provider, locks: undefined, wait: async () => {}, ...rest }),
  }
}

const signal = () => new AbortController().signal
const storedBy = (token: string, refreshToken?: string) =>
  createArea({ token, tokenTimestamp: '1000', ...(refreshToken === undefined ? {} : { refreshToken }) })

describe("The exchange of the provider's token", () => {
  const provider = () => createProvider({ accessToken: async () => 'provider-token' }).provider

  it.each([
    ['in the field data', { success: true, data: { token: anas, refreshToken: 'r1', user: ana } }],
    ['at the top level', { success: true, token: anas, refreshToken: 'r1', user: ana }],
  ])('stores the token pair and its time as specified, with the fields %s', async (_, body) => {
    const { baseUrl, seen } = await serve({ 'POST /auth/supabase-login': { body } })
    const { auth, area } = openTab({ baseUrl, provider: provider() })
    expect(await auth.exchangeProviderSession(signal())).toEqual({ user: ana, session: 1 })
    expect(contentOf(area)).toEqual({ token: anas, refreshToken: 'r1', tokenTimestamp: '5000' })
    expect(seen).toEqual([
      { call: 'POST /auth/supabase-login', bearer: undefined, body: { supabaseToken: 'provider-token' } },
    ])
  })

  it.each([
    ['a user without permissions', { token: anas, refreshToken: 'r1', user: { ...ana, permissions: undefined } }],
    ['no tokens', { user: ana }],
  ])('rejects an answer with %s and stores nothing', async (_, data) => {
    const { baseUrl } = await serve({ 'POST /auth/supabase-login': { body: { success: true, data } } })
    const { auth, area } = openTab({ baseUrl, provider: provider() })
    await expect(auth.exchangeProviderSession(signal())).rejects.toMatchObject({ kind: 'badAnswer' })
    expect(contentOf(area)).toEqual({})
  })

  it('fails as a lost session if the provider has no token', async () => {
    const { baseUrl, seen } = await serve({})
    await expect(openTab({ baseUrl }).auth.exchangeProviderSession(signal())).rejects.toBeInstanceOf(SessionLost)
    expect(seen).toEqual([])
  })
})

describe('The search for a provider session', () => {
  it('calls the provider only if storage holds a session', async () => {
    const accessToken = () => expect.unreachable()
    const { provider } = createProvider({ accessToken })
    expect(await openTab({ baseUrl: '', provider }).auth.findProviderSession()).toBe(false)
  })

  it.each([
    ['found if the provider confirms it', async () => 'token', true],
    ['not found if the provider does not', async () => null, false],
  ])('reports a session as %s', async (_, accessToken, found) => {
    const { provider } = createProvider({ hasStoredSession: () => true, accessToken })
    expect(await openTab({ baseUrl: '', provider }).auth.findProviderSession()).toBe(found)
  })
})

describe('Loading the user', () => {
  it('sends the stored token', async () => {
    const { baseUrl, seen } = await serve({ 'GET /auth/me': { body: { success: true, data: { user: ana } } } })
    const { auth } = openTab({ baseUrl, area: storedBy(anas) })
    expect(await auth.loadUser(signal())).toEqual({ user: ana, session: 1 })
    expect(seen).toEqual([{ call: 'GET /auth/me', bearer: `Bearer ${anas}`, body: null }])
  })

  it('sends no request without a token', async () => {
    const { baseUrl, seen } = await serve({})
    expect(await openTab({ baseUrl }).auth.loadUser(signal())).toBe(null)
    expect(seen).toEqual([])
  })

  it.each(['', 'two words', 'line\nbreak', 'ünïcode'])('clears an invalid stored token: %j', async (token) => {
    const { auth, area } = openTab({ baseUrl: '', area: createArea({ token }) })
    expect(await auth.loadUser(signal())).toBe(null)
    expect(contentOf(area)).toEqual({})
  })

  it('succeeds with a corrupt token time, which is cleared', async () => {
    const { baseUrl } = await serve({ 'GET /auth/me': { body: { success: true, data: { user: ana } } } })
    const area = createArea({ token: anas, refreshToken: 'r1', tokenTimestamp: 'yesterday' })
    const { auth, tokens } = openTab({ baseUrl, area })
    await auth.loadUser(signal())
    expect(tokens.current()).toEqual({ token: anas, refreshToken: 'r1', obtainedAt: null, session: 1 })
    expect(contentOf(area)).toEqual({ token: anas, refreshToken: 'r1' })
  })
})

describe('A token refresh', () => {
  const fresh = tokenOf('u1', 2)
  const refreshedWith = (token: string, refreshToken: string) => ({
    body: { success: true, data: { accessToken: token, refreshToken, user: ana } },
  })

  it('replaces the token pair within the session', async () => {
    const { baseUrl, seen } = await serve({ 'POST /auth/refresh': refreshedWith(fresh, 'r2') })
    const { auth, tokens, area } = openTab({ baseUrl, area: storedBy(anas, 'r1') })
    const before = tokens.adopt()
    expect(await auth.refreshTokens(signal())).toEqual({ user: ana, session: before?.session })
    expect(contentOf(area)).toEqual({ token: fresh, refreshToken: 'r2', tokenTimestamp: '5000' })
    expect(seen).toEqual([{ call: 'POST /auth/refresh', bearer: undefined, body: { refreshToken: 'r1' } }])
  })

  it('succeeds without a user in the answer', async () => {
    const body = { success: true, accessToken: fresh, refreshToken: 'r2' }
    const { baseUrl } = await serve({ 'POST /auth/refresh': { body } })
    const { auth, tokens } = openTab({ baseUrl, area: storedBy(anas, 'r1') })
    tokens.adopt()
    expect(await auth.refreshTokens(signal())).toEqual({ user: null, session: 1 })
  })

  it('fails as a lost session without a refresh token and without a request', async () => {
    const { baseUrl, seen } = await serve({})
    const { auth, tokens } = openTab({ baseUrl, area: storedBy(anas) })
    tokens.adopt()
    await expect(auth.refreshTokens(signal())).rejects.toEqual(new SessionLost('No refresh token available'))
    expect(seen).toEqual([])
  })

  it('fails with the error of the server and keeps the token pair for the machine to decide', async () => {
    const { baseUrl } = await serve({ 'POST /auth/refresh': { status: 401, body: { success: false, error: 'Used' } } })
    const { auth, tokens, area } = openTab({ baseUrl, area: storedBy(anas, 'r1') })
    tokens.adopt()
    await expect(auth.refreshTokens(signal())).rejects.toMatchObject({ status: 401, error: 'Used' })
    expect(contentOf(area)).toEqual({ token: anas, refreshToken: 'r1', tokenTimestamp: '1000' })
  })

  it('does not restore a session that ended during the refresh', async () => {
    const reason = new AbortController()
    const { baseUrl } = await serve({
      'POST /auth/refresh': () => {
        reason.abort()
        return refreshedWith(fresh, 'r2')
      },
    })
    const { auth, tokens, area } = openTab({ baseUrl, area: storedBy(anas, 'r1') })
    tokens.adopt()
    await expect(auth.refreshTokens(reason.signal)).rejects.toMatchObject({ kind: 'aborted' })
    expect(contentOf(area)['token']).toBe(anas)
  })

  it('does not restore a session that ended after the answer arrived', async () => {
    const reason = new AbortController()
    const { tokens, area, storage } = openTab({ baseUrl: '', area: storedBy(anas, 'r1') })
    const answer = { accessToken: fresh, refreshToken: 'r2', user: ana }
    const http = createHttp({ baseUrl: '', log: { warn: () => {} } })
    const late: Http = {
      ...http,
      post: async (_, { schema }) => {
        reason.abort()
        return z.parse(schema, answer)
      },
    }
    tokens.adopt()
    const auth = createAuth({ http: late, tokens, provider: createProvider().provider, locks: undefined })
    await expect(auth.refreshTokens(reason.signal)).rejects.toMatchObject({ kind: 'aborted' })
    expect([contentOf(area)['token'], storage.get('token')]).toEqual([anas, anas])
  })

  it('runs in one tab while the other waits for its tokens: a refresh token works once', async () => {
    const { baseUrl, seen } = await serve({
      'POST /auth/refresh': ({ body }) =>
        JSON.stringify(body) === '{"refreshToken":"r1"}' && seen.length === 1
          ? refreshedWith(fresh, 'r2')
          : { status: 401, body: { success: false, error: 'Used' } },
    })
    const area = storedBy(anas, 'r1')
    const locks = createLocks()
    const [one, two] = [openTab({ baseUrl, area, locks }), openTab({ baseUrl, area, locks })]
    one.tokens.adopt()
    two.tokens.adopt()
    expect(await Promise.all([one.auth.refreshTokens(signal()), two.auth.refreshTokens(signal())])).toEqual([
      { user: ana, session: 1 },
      { user: null, session: 1 },
    ])
    expect([seen.length, two.tokens.current()?.token]).toEqual([1, fresh])
  })

  it('stops waiting for a tab that hangs', async () => {
    const { baseUrl, seen } = await serve({ 'POST /auth/refresh': refreshedWith(fresh, 'r2') })
    const locks = createLocks()
    void locks.request('staff-inbox.refresh', {}, () => new Promise(() => {}))
    const { auth, tokens } = openTab({ baseUrl, area: storedBy(anas, 'r1'), locks, lockLimit: 20 })
    tokens.adopt()
    expect(await auth.refreshTokens(signal())).toEqual({ user: ana, session: 1 })
    expect(seen.length).toBe(1)
  })

  it('does not run twice if it fails inside the lock', async () => {
    const { baseUrl, seen } = await serve({ 'POST /auth/refresh': { status: 503, body: {} } })
    const { auth, tokens } = openTab({ baseUrl, area: storedBy(anas, 'r1'), locks: createLocks() })
    tokens.adopt()
    await expect(auth.refreshTokens(signal())).rejects.toMatchObject({ status: 503 })
    expect(seen.length).toBe(1)
  })

  it('detects that another tab has signed in as another person', async () => {
    const { baseUrl, seen } = await serve({})
    const area = storedBy(anas, 'r1')
    const { auth, tokens } = openTab({ baseUrl, area })
    tokens.adopt()
    area.setItem('token', tokenOf('u2'))
    expect(await auth.refreshTokens(signal())).toEqual({ user: null, session: 2 })
    expect(seen).toEqual([])
  })
})

describe('A refresh that another tab did not wait for', () => {
  const theirs = tokenOf('u1', 3)
  const answers = {
    granted: { body: { success: true, data: { accessToken: tokenOf('u1', 2), refreshToken: 'r2', user: ana } } },
    refused: { status: 401, body: { success: false, error: 'Used' } },
  }
  /** The other tab writes during the refresh, before its event arrives, or its write becomes visible only later. */
  async function refreshing(answer: Answer, write: (area: Storage) => void, shows: 'meanwhile' | 'late' = 'meanwhile') {
    const area = storedBy(anas, 'r1')
    const { baseUrl } = await serve({
      'POST /auth/refresh': () => {
        if (shows === 'meanwhile') write(area)
        return answer
      },
    })
    let looks = 0
    const wait = async () => {
      looks += 1
      if (shows === 'late' && looks === 20) write(area)
    }
    const { auth, tokens } = openTab({ baseUrl, area, wait })
    tokens.adopt()
    const outcome = await auth.refreshTokens(signal()).catch((failure: unknown) => failure)
    return { outcome, held: tokens.current()?.token, stored: contentOf(area)['token'] }
  }
  const signsInAs = (token: string) => (area: Storage) => area.setItem('token', token)
  const signsOut = (area: Storage) => area.removeItem('token')

  it.each([
    ['granted', 'continued this session', theirs, 1],
    ['refused', 'continued this session', theirs, 1],
    ['granted', 'signed in as another person', tokenOf('u2'), 2],
    ['refused', 'signed in as another person', tokenOf('u2'), 2],
  ] as const)('and is %s uses the tokens of a tab that %s', async (answer, _, token, session) => {
    expect(await refreshing(answers[answer], signsInAs(token))).toEqual({
      outcome: { user: null, session },
      held: token,
      stored: token,
    })
  })

  it('and is refused uses tokens that become visible up to 1 s later', async () => {
    expect(await refreshing(answers.refused, signsInAs(theirs), 'late')).toEqual({
      outcome: { user: null, session: 1 },
      held: theirs,
      stored: theirs,
    })
  })

  it('does not restore a session that the other tab ended', async () => {
    expect(await refreshing(answers.granted, signsOut)).toEqual({
      outcome: new Failure({ kind: 'aborted', method: 'POST', path: '/auth' }),
      held: anas,
      stored: undefined,
    })
  })

  it('fails if the other tab ended the session', async () => {
    expect(await refreshing(answers.refused, signsOut)).toMatchObject({ outcome: { status: 401 }, stored: undefined })
  })
})

describe('Ending a session', () => {
  it('signs out at the provider and the API with the held tokens', async () => {
    const { baseUrl, seen } = await serve({ 'POST /auth/logout': { body: { success: true } } })
    const { provider, heard } = createProvider()
    const { auth, tokens, area } = openTab({ baseUrl, provider, area: storedBy(anas, 'r1') })
    tokens.adopt()
    await auth.endSession({ why: 'asked' })
    expect([contentOf(area), tokens.current(), heard]).toEqual([{}, null, ['signed out']])
    expect(seen).toEqual([{ call: 'POST /auth/logout', bearer: `Bearer ${anas}`, body: { refreshToken: 'r1' } }])
  })

  it('clears storage even if both calls fail, and before they are answered', async () => {
    const { baseUrl } = await serve({ 'POST /auth/logout': { status: 500, body: {} } })
    const { provider } = createProvider({ signOut: () => Promise.reject(new Error('away')) })
    const { auth, tokens, area } = openTab({ baseUrl, provider, area: storedBy(anas, 'r1') })
    tokens.adopt()
    const ending = auth.endSession({ why: 'asked' })
    expect([contentOf(area), tokens.current()]).toEqual([{}, null])
    await expect(ending).resolves.toBeUndefined()
  })

  it('sends no calls after another tab did, and keeps a newer session of that tab', async () => {
    const { baseUrl, seen } = await serve({})
    const { provider, heard } = createProvider()
    const { auth, tokens, area } = openTab({ baseUrl, provider, area: storedBy(anas, 'r1') })
    tokens.adopt()
    area.setItem('token', tokenOf('u2'))
    await auth.endSession({ why: 'elsewhere' })
    expect([seen, heard, tokens.current(), area.getItem('token')]).toEqual([[], ['left'], null, tokenOf('u2')])
  })
})

describe('Ending a session after another tab stored tokens, before the storage event', () => {
  const continued = tokenOf('u1', 2)
  const somebodyElses = tokenOf('u2')

  async function ending(why: 'asked' | 'refused', theirs: string, held: string | null = anas) {
    const { baseUrl, seen } = await serve({ 'POST /auth/logout': { body: { success: true } } })
    const { provider, heard } = createProvider()
    const { auth, tokens, area } = openTab({ baseUrl, provider, area: held === null ? createArea() : storedBy(held) })
    tokens.adopt()
    area.setItem('token', theirs)
    await auth.endSession({ why })
    const told = seen.map(({ call, bearer }) => `${call} ${bearer}`)
    return { stored: contentOf(area)['token'], held: tokens.current(), heard, told }
  }

  it.each([
    ['that continue the same session', continued],
    ['of another person', somebodyElses],
    ['of an unknown person', 'opaque'],
  ])('keeps tokens %s if the held tokens were refused, and sends no calls', async (_, theirs) => {
    expect(await ending('refused', theirs)).toEqual({ stored: theirs, held: null, heard: ['left'], told: [] })
  })

  it('keeps the tokens if none were held, after a refused sign-in', async () => {
    expect(await ending('refused', somebodyElses, null)).toMatchObject({ stored: somebodyElses, told: [] })
  })

  it.each([
    ["the same person's", continued],
    ["perhaps the same person's", 'opaque'],
  ])('clears tokens that are %s if that person signs out', async (_, theirs) => {
    expect(await ending('asked', theirs)).toEqual({
      stored: undefined,
      held: null,
      heard: ['signed out'],
      told: [`POST /auth/logout Bearer ${anas}`],
    })
  })

  it('keeps the tokens of another person at sign-out and ends only the own session', async () => {
    expect(await ending('asked', somebodyElses)).toEqual({
      stored: somebodyElses,
      held: null,
      heard: ['signed out'],
      told: [`POST /auth/logout Bearer ${anas}`],
    })
  })

  it('clears tokens refused at the start, before their person is known', async () => {
    const { baseUrl } = await serve({ 'POST /auth/logout': { body: { success: true } } })
    const { auth, area } = openTab({ baseUrl, area: storedBy(anas, 'r1') })
    await auth.findProviderSession()
    await auth.endSession({ why: 'refused' })
    expect(contentOf(area)).toEqual({})
  })
})

describe('The tokens of calls', () => {
  const continued = tokenOf('u1', 2)
  const somebodyElses = tokenOf('u2')

  function holding(refresh: (tokens: ReturnType<typeof createTokenStore>) => void) {
    const tokens = createTokenStore(
      createStorage(() => createArea()),
      () => 5_000,
    )
    const first = tokens.keep({ token: anas, refreshToken: 'r1' }, 'newSession')
    let refreshes = 0
    const bearer = bearerTokens(tokens, async () => {
      refreshes += 1
      refresh(tokens)
    })
    return { tokens, first, bearer, refreshes: () => refreshes }
  }
  const over = new Failure({ kind: 'aborted', method: 'POST', path: '/auth/refresh' })
  const keepFresh = (tokens: ReturnType<typeof createTokenStore>) =>
    void tokens.keep({ token: 'fresh', refreshToken: 'r2' }, 'sameSession')

  it.each<[string, string, unknown]>([
    ['are sent with the fresh token of the same person', continued, ['Bearer fresh']],
    ['are dropped if another person is signed in by then', somebodyElses, []],
  ])('calls of a saved inbox wait until the start is over, and %s', async (_, kept, expected) => {
    const { tokens } = holding(keepFresh)
    const start = Promise.withResolvers<void>()
    const sent: string[] = []
    const http = createHttp({
      baseUrl: '',
      log: { warn: () => {} },
      tokens: {
        ...bearerTokens(
          tokens,
          async () => {},
          () => start.promise,
        ),
        isEnding: () => false,
      },
      fetch: async (_, init) => {
        const authorization = new Headers(init?.headers).get('authorization')
        sent.push(authorization === `Bearer ${continued}` ? 'Bearer fresh' : String(authorization))
        return Response.json({})
      },
    })
    const call = http.post('/send', { body: {}, schema: z.unknown() }).then(
      () => null,
      (failure: unknown) => failure,
    )
    await new Promise((resolve) => setTimeout(resolve))
    expect(sent).toEqual([])
    tokens.keep({ token: kept, refreshToken: 'r2' }, 'newSession')
    start.resolve()
    const failure = await call
    expect([sent, failure instanceof Failure && failure.kind]).toEqual([
      expected,
      kept === continued ? false : 'aborted',
    ])
  })

  it('are replaced by a refresh', async () => {
    const { first, bearer } = holding(keepFresh)
    expect(await bearer.renew(first)).toMatchObject({ token: 'fresh', session: first.session })
  })

  it('need no refresh if a fresh token arrived meanwhile', async () => {
    const { tokens, first, bearer, refreshes } = holding(() => expect.unreachable())
    keepFresh(tokens)
    expect(await bearer.renew(first)).toMatchObject({ token: 'fresh' })
    expect(refreshes()).toBe(0)
  })

  it('are never taken from the session of another person', async () => {
    const { tokens, first, bearer, refreshes } = holding(() => {})
    tokens.keep({ token: tokenOf('u2'), refreshToken: 'r9' }, 'newSession')
    await expect(bearer.renew(first)).rejects.toEqual(over)
    expect(refreshes()).toBe(0)
  })

  it('are missing if the session ended during the refresh', async () => {
    const { first, bearer } = holding((tokens) => void tokens.clear())
    await expect(bearer.renew(first)).rejects.toEqual(over)
  })

  it('are due for a refresh by the clock, and never while nobody is signed in', () => {
    const { tokens, bearer } = holding(() => {})
    expect(bearer.isEnding()).toBe(false)
    tokens.clear()
    expect(bearer.isEnding()).toBe(false)
  })
})

describe('Other tabs', () => {
  function watching(area = createArea({ token: anas, refreshToken: 'r1' })) {
    const storage = createStorage(() => area)
    const tokens = createTokenStore(storage, () => 5_000)
    tokens.adopt()
    const window = new EventTarget()
    const news: unknown[] = []
    const stop = watchOutside({ window: window as unknown as Window, storage, tokens }, (one) => news.push(one))
    const fire = (key: string | null) => window.dispatchEvent(Object.assign(new Event('storage'), { key }))
    return { area, tokens, news, stop, fire, window }
  }

  it('that clear the token end the session here', () => {
    const { area, tokens, news, fire } = watching()
    area.removeItem('token')
    fire('token')
    expect([news, tokens.current()]).toEqual([[{ type: 'tokens.changed', session: null }], null])
  })

  it('that clear all storage end the session here', () => {
    const { area, news, fire } = watching()
    area.clear()
    fire(null)
    expect(news).toEqual([{ type: 'tokens.changed', session: null }])
  })

  it('that refresh share their tokens within the session', () => {
    const { area, tokens, news, fire } = watching()
    area.setItem('refreshToken', 'r2')
    area.setItem('token', tokenOf('u1', 2))
    fire('token')
    expect(news).toEqual([{ type: 'tokens.changed', session: 1 }])
    expect(tokens.current()).toMatchObject({ token: tokenOf('u1', 2), refreshToken: 'r2' })
  })

  it.each([
    ['another person', tokenOf('u2')],
    ['an unknown person', 'opaque'],
  ])('that sign in as %s start a new session here', (_, token) => {
    const { area, news, fire } = watching()
    area.setItem('token', token)
    fire('token')
    expect(news).toEqual([{ type: 'tokens.changed', session: 2 }])
  })

  it('that replace an unreadable token with another one start a new session here', () => {
    const { area, news, fire } = watching(createArea({ token: 'opaque' }))
    area.setItem('token', 'opaque-too')
    fire('token')
    expect(news).toEqual([{ type: 'tokens.changed', session: 2 }])
  })

  it('that write another key or the same token are ignored', () => {
    const { area, news, fire } = watching()
    area.setItem('appearance', 'dark')
    fire('appearance')
    fire('token')
    expect(news).toEqual([])
  })

  it('are distinguished from the restored network', () => {
    const { news, window } = watching()
    window.dispatchEvent(new Event('online'))
    expect(news).toEqual([{ type: 'connection.returned' }])
  })

  it('are ignored after the end', () => {
    const { area, news, fire, stop, window } = watching()
    stop()
    area.removeItem('token')
    fire('token')
    window.dispatchEvent(new Event('online'))
    expect(news).toEqual([])
  })
})
