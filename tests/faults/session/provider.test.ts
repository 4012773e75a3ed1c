import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createProvider, providerKey } from '../../../src/services/session/supabase.ts'
import { createStorage } from '../../../src/services/storage.ts'
import { contentOf, createArea } from '../memory-storage.ts'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()))
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

type Answer = { status: number; body?: unknown }

/** A provider with one fixed answer, called by its unmodified client. */
async function serve(answer: Answer) {
  const calls: { call: string; bearer: string | undefined }[] = []
  const bodies: unknown[] = []
  const server = createServer(async (request, response) => {
    calls.push({ call: `${request.method} ${request.url}`, bearer: request.headers.authorization })
    const body = await text(request)
    bodies.push(body === '' ? null : JSON.parse(body))
    response.writeHead(answer.status, {
      'content-type': 'application/json',
      'x-supabase-api-version': '2024-01-01',
    })
    response.end(answer.body === undefined ? undefined : JSON.stringify(answer.body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  stops.push(stop)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls, bodies, stop }
}

const ends = Math.floor(Date.now() / 1_000) + 3_600
const session = {
  access_token: 'provider-token',
  refresh_token: 'provider-refresh',
  token_type: 'bearer',
  expires_in: 3_600,
  expires_at: ends,
  user: { id: 'p1', email: 'ana@example.com' },
}

function open(url: string, start: Record<string, string> = {}) {
  const area = createArea(start)
  const provider = createProvider({ url, anonKey: 'embedded', storage: createStorage(() => area) })
  stops.push(async () => provider.leave())
  return { area, provider }
}

const stored = (value: unknown) => ({ [providerKey]: JSON.stringify(value) })
const credentials = { email: 'ana@example.com', password: 'correct horse' }

describe('A stored session', () => {
  it.each([
    ['is found if it is complete', stored(session), true],
    ['is not found if storage is empty', {}, false],
  ])('%s', (_, start, expected) => {
    const { provider, area } = open('http://unused.test', start)
    expect([provider.hasStoredSession(), contentOf(area)]).toEqual([expected, start])
  })

  it.each([
    ['without an access token', stored({ ...session, access_token: undefined })],
    ['without a refresh token', stored({ ...session, refresh_token: undefined })],
    ['without an expiry time', stored({ ...session, expires_at: undefined })],
    ['that is truncated', { [providerKey]: '{"access_token":"prov' }],
    ['that is null', stored(null)],
  ])('%s is not found and is cleared', (_, start) => {
    const { provider, area } = open('http://unused.test', start)
    expect([provider.hasStoredSession(), contentOf(area)]).toEqual([false, {}])
  })
})

describe('The password sign-in', () => {
  it('stores a session that a reload finds', async () => {
    const { url } = await serve({ status: 200, body: session })
    const { provider, area } = open(url)
    await provider.signIn(credentials)
    expect(await provider.accessToken()).toBe('provider-token')
    expect(open(url, contentOf(area)).provider.hasStoredSession()).toBe(true)
  })

  it.each([
    ['a wrong password', 400, 'invalid_credentials', 'Invalid login credentials'],
    ['an unconfirmed email', 400, 'email_not_confirmed', 'Email not confirmed'],
    ['too many attempts', 429, 'over_request_rate_limit', 'Slow down'],
    ['a server error of the provider', 503, 'unexpected_failure', 'Down'],
  ])('reports %s with status and message', async (_, status, code, message) => {
    const { url } = await serve({ status, body: { code, message } })
    await expect(open(url).provider.signIn(credentials)).rejects.toMatchObject({ kind: 'status', status })
  })

  it('passes on the message of the provider', async () => {
    const { url } = await serve({ status: 400, body: { code: 'email_not_confirmed', message: 'Email not confirmed' } })
    await expect(open(url).provider.signIn(credentials)).rejects.toMatchObject({ error: 'Email not confirmed' })
  })

  it('reports a missing answer', async () => {
    const { url, stop } = await serve({ status: 200 })
    await stop()
    await expect(open(url).provider.signIn(credentials)).rejects.toMatchObject({ kind: 'noAnswer', status: undefined })
  })
})

describe('The sign-up', () => {
  const user = { ...session.user, identities: [{ id: 'i1' }] }

  it('stores a session and returns its user', async () => {
    const { url } = await serve({ status: 200, body: { ...session, user } })
    const { provider, area } = open(url)
    await provider.signUp(credentials)
    expect(await provider.currentUser()).toEqual({ id: 'p1', accessToken: 'provider-token' })
    expect(Object.keys(contentOf(area))).toEqual([providerKey])
  })

  it('requests a code instead of tokens in the URL of the confirmation email', async () => {
    const { url, bodies } = await serve({ status: 200, body: user })
    const { provider, area } = open(url)
    await expect(provider.signUp(credentials)).rejects.toMatchObject({ error: 'Email not confirmed' })
    expect(bodies).toMatchObject([{ code_challenge: expect.stringMatching(/^.{43,}$/), code_challenge_method: 's256' }])
    expect(contentOf(area)).toEqual({})
  })

  it.each([
    ['an unconfirmed email', user, 'Email not confirmed'],
    ['an unconfirmed email of a user whose identities are not told', session.user, 'Email not confirmed'],
    ['a registered user, hidden by a hosted project', { ...user, identities: [] }, 'User already registered'],
  ])('without a session in the answer reports %s', async (_, body, error) => {
    const { url } = await serve({ status: 200, body })
    await expect(open(url).provider.signUp(credentials)).rejects.toMatchObject({ kind: 'status', status: 400, error })
  })

  it.each([
    ['a registered user', 422, 'user_already_exists', 'User already registered'],
    ['a weak password', 422, 'weak_password', 'Password should be at least 8 characters.'],
    ['too many attempts', 429, 'over_request_rate_limit', 'Slow down'],
  ])('reports %s with status, code and message', async (_, status, code, message) => {
    const { url } = await serve({ status, body: { code, message } })
    await expect(open(url).provider.signUp(credentials)).rejects.toMatchObject({ status, code, error: message })
  })

  it('reports a missing answer', async () => {
    const { url, stop } = await serve({ status: 200 })
    await stop()
    await expect(open(url).provider.signUp(credentials)).rejects.toMatchObject({ kind: 'noAnswer' })
  })
})

describe('The provider token', () => {
  const old = stored({ ...session, expires_at: 1_000 })

  it('is refreshed after its expiry', async () => {
    const { url } = await serve({ status: 200, body: { ...session, access_token: 'fresh-token' } })
    expect(await open(url, old).provider.accessToken()).toBe('fresh-token')
  })

  it('is null and is cleared if the provider refuses the refresh', async () => {
    const { url } = await serve({ status: 400, body: { code: 'refresh_token_not_found', message: 'Not found' } })
    const { provider, area } = open(url, old)
    expect([await provider.accessToken(), contentOf(area)]).toEqual([null, {}])
  })

  it.each([
    [400, null],
    [403, null],
    [505, { kind: 'status', status: 505, error: 'Later' }],
  ])('whose refresh the provider answers with %i is %j', async (status, expected) => {
    const answer: Answer = { status: 200, body: { ...session, expires_at: 1_000 } }
    const { url } = await serve(answer)
    const { provider } = open(url)
    await provider.signIn(credentials)
    Object.assign(answer, { status, body: { code: 'refused', message: 'Later' } })
    const found = await provider.accessToken().catch((failure: unknown) => failure)
    if (expected === null) expect(found).toBe(null)
    else expect(found).toMatchObject(expected)
  })

  it.each([
    [
      'does not answer',
      () => Promise.reject(new TypeError('Failed to fetch')),
      { kind: 'noAnswer', status: undefined },
    ],
    [
      'limits the rate of refreshes',
      async () => Response.json({ code: 'over_request_rate_limit', message: 'Later' }, { status: 429 }),
      { kind: 'status', status: 429, error: 'Later' },
    ],
  ])('is unknown and its session is kept if the provider %s for half a minute', async (_, answer, expected) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    vi.stubGlobal('fetch', answer)
    const { provider, area } = open('http://unused.test', old)
    const reading = provider.accessToken().catch((failure: unknown) => failure)
    await vi.dynamicImportSettled()
    await vi.advanceTimersByTimeAsync(30_000)
    expect(await reading).toMatchObject(expected)
    expect(contentOf(area)).toEqual(old)
  })

  it.each([
    [{ 'retry-after': '20' }, [0, 25.4]],
    [{ 'retry-after': '86400' }, [0]],
    [{}, [0, 0.2, 0.6, 1.4, 3, 6.2, 12.6, 25.4]],
  ])('is not asked for again before the time of a rate limit with %o', async (headers, seconds) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const start = Date.now()
    const asked: number[] = []
    vi.stubGlobal('fetch', async () => {
      asked.push(Date.now() - start)
      return Response.json({ code: 'over_request_rate_limit', message: 'Later' }, { status: 429, headers })
    })
    const reading = open('http://unused.test', old)
      .provider.accessToken()
      .catch((failure: unknown) => failure)
    await vi.dynamicImportSettled()
    await vi.advanceTimersByTimeAsync(30_000)
    expect(await reading).toMatchObject({ kind: 'status', status: 429, error: 'Later' })
    expect(asked.map((at) => at / 1_000)).toEqual(seconds)
  })

  it('is null if nobody is signed in', async () => {
    expect(await open('http://unused.test').provider.accessToken()).toBe(null)
  })
})

it('the address of the page starts and ends no session', async () => {
  // The client says that there were others before.
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  vi.stubGlobal(
    'BroadcastChannel',
    class extends EventTarget {
      close(): void {}
    },
  )
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'hidden' }))
  const href = 'https://inbox.example/#access_token=theirs&refresh_token=r&expires_in=60&token_type=bearer'
  vi.stubGlobal('window', Object.assign(new EventTarget(), { location: { href } }))
  const { provider, area } = open('http://unused.test', stored(session))
  const { auth } = await provider.client()
  expect([await auth.initialize(), contentOf(area)]).toEqual([{ error: null }, stored(session)])
})

describe('The shared realtime connection', () => {
  it('sends at least two heartbeats a minute', async () => {
    const { url } = await serve({ status: 200 })
    const { realtime } = await open(url).provider.client()
    expect(2 * realtime.heartbeatIntervalMs).toBeLessThan(60_000)
  })
})

describe('The sign-out', () => {
  it('ends the session of this device and clears it before the answer of the provider', async () => {
    const { url, calls } = await serve({ status: 204 })
    const { provider, area } = open(url, stored(session))
    const ending = provider.signOut()
    expect(contentOf(area)).toEqual({})
    await ending
    expect(calls).toEqual([{ call: 'POST /auth/v1/logout?scope=local', bearer: 'Bearer provider-token' }])
  })

  it('clears the session even without an answer of the provider', async () => {
    const { url, stop } = await serve({ status: 204 })
    await stop()
    const { provider, area } = open(url, stored(session))
    await expect(provider.signOut()).rejects.toThrow()
    expect(contentOf(area)).toEqual({})
  })

  it('sends no call without a session', async () => {
    const { url, calls } = await serve({ status: 204 })
    await open(url).provider.signOut()
    expect(calls).toEqual([])
  })

  it('is final for the open client, which stores no late answer', async () => {
    const { url } = await serve({ status: 200, body: session })
    const { provider, area } = open(url)
    const client = await provider.client()
    await provider.signOut()
    await client.auth.signInWithPassword(credentials)
    expect(contentOf(area)).toEqual({})
    expect(await provider.client()).not.toBe(client)
  })

  it('leaves the channels of the open client', async () => {
    const { url } = await serve({ status: 200, body: session })
    const { provider } = open(url)
    const client = await provider.client()
    client.channel('inbox-messages-1').subscribe()
    await provider.signOut()
    await vi.waitFor(() => expect(client.getChannels()).toEqual([]))
  })

  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const sessionOf = (sub: string) => ({
    ...session,
    access_token: `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ sub, exp: ends })}.c2lnbmF0dXJl`,
    user: { ...session.user, id: sub },
  })

  it.each([
    ['keeps the session of another person who signed in in another tab', 'p2', 1],
    ['ends a session that another tab started for the same person', 'p1', 0],
  ])('%s', async (_, whose, left) => {
    const { url, calls } = await serve({ status: 200, body: sessionOf('p1') })
    const { provider, area } = open(url)
    await provider.signIn(credentials)
    area.setItem(providerKey, JSON.stringify({ ...sessionOf(whose), refresh_token: 'of the other tab' }))
    await provider.signOut()
    expect([Object.keys(contentOf(area)).length, calls.length]).toEqual([left, 2 - left])
  })

  it('in another tab drops the client here and leaves storage to that tab', async () => {
    const { url } = await serve({ status: 200, body: session })
    const { provider, area } = open(url, stored(session))
    const client = await provider.client()
    provider.leave()
    expect([(await provider.client()) === client, contentOf(area)]).toEqual([false, stored(session)])
  })
})
