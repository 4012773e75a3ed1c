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
})

type Answer = { status: number; body?: unknown }

/** A provider that answers every call alike, for its unmodified client to talk to. */
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

describe('a stored session', () => {
  it.each([
    ['is taken for one when it is whole', stored(session), true],
    ['is none when there is none', {}, false],
  ])('%s', (_, start, expected) => {
    const { provider, area } = open('http://unused.test', start)
    expect([provider.hasStoredSession(), contentOf(area)]).toEqual([expected, start])
  })

  it.each([
    ['without an access token', stored({ ...session, access_token: undefined })],
    ['without a refresh token', stored({ ...session, refresh_token: undefined })],
    ['without an end', stored({ ...session, expires_at: undefined })],
    ['that is cut off', { [providerKey]: '{"access_token":"prov' }],
    ['that is null', stored(null)],
  ])('%s is none, and is cleared', (_, start) => {
    const { provider, area } = open('http://unused.test', start)
    expect([provider.hasStoredSession(), contentOf(area)]).toEqual([false, {}])
  })
})

describe('the password sign-in', () => {
  it('leaves a session behind that a reload finds', async () => {
    const { url } = await serve({ status: 200, body: session })
    const { provider, area } = open(url)
    await provider.signIn(credentials)
    expect(await provider.accessToken()).toBe('provider-token')
    expect(open(url, contentOf(area)).provider.hasStoredSession()).toBe(true)
  })

  it.each([
    ['a wrong password', 400, 'invalid_credentials', 'Invalid login credentials'],
    ['an e-mail that was never confirmed', 400, 'email_not_confirmed', 'Email not confirmed'],
    ['too many attempts', 429, 'over_request_rate_limit', 'Slow down'],
    ['a provider in trouble', 503, 'unexpected_failure', 'Down'],
  ])('tells of %s by status and message', async (_, status, code, message) => {
    const { url } = await serve({ status, body: { code, message } })
    await expect(open(url).provider.signIn(credentials)).rejects.toMatchObject({ kind: 'status', status })
  })

  it('passes on what the provider says', async () => {
    const { url } = await serve({ status: 400, body: { code: 'email_not_confirmed', message: 'Email not confirmed' } })
    await expect(open(url).provider.signIn(credentials)).rejects.toMatchObject({ error: 'Email not confirmed' })
  })

  it('tells of no answer as such', async () => {
    const { url, stop } = await serve({ status: 200 })
    await stop()
    await expect(open(url).provider.signIn(credentials)).rejects.toMatchObject({ kind: 'noAnswer', status: undefined })
  })
})

describe('signing up', () => {
  const user = { ...session.user, identities: [{ id: 'i1' }] }

  it('leaves a session behind, and tells whose it is', async () => {
    const { url } = await serve({ status: 200, body: { ...session, user } })
    const { provider, area } = open(url)
    await provider.signUp(credentials)
    expect(await provider.identity()).toEqual({ id: 'p1', accessToken: 'provider-token' })
    expect(Object.keys(contentOf(area))).toEqual([providerKey])
  })

  it('asks for a code instead of tokens in the address that an e-mail leads back to', async () => {
    const { url, bodies } = await serve({ status: 200, body: user })
    const { provider, area } = open(url)
    await expect(provider.signUp(credentials)).rejects.toMatchObject({ error: 'Email not confirmed' })
    expect(bodies).toMatchObject([{ code_challenge: expect.stringMatching(/^.{43,}$/), code_challenge_method: 's256' }])
    expect(contentOf(area)).toEqual({})
  })

  it.each([
    ['an e-mail that is to be confirmed', user, 'Email not confirmed'],
    ['somebody registered, whom a hosted project hides', { ...user, identities: [] }, 'User already registered'],
  ])('without a session is %s', async (_, body, error) => {
    const { url } = await serve({ status: 200, body })
    await expect(open(url).provider.signUp(credentials)).rejects.toMatchObject({ kind: 'status', status: 400, error })
  })

  it.each([
    ['who is registered', 422, 'user_already_exists', 'User already registered'],
    ['a weak password', 422, 'weak_password', 'Password should be at least 8 characters.'],
    ['too many attempts', 429, 'over_request_rate_limit', 'Slow down'],
  ])('tells of %s by status, code and message', async (_, status, code, message) => {
    const { url } = await serve({ status, body: { code, message } })
    await expect(open(url).provider.signUp(credentials)).rejects.toMatchObject({ status, code, error: message })
  })

  it('tells of no answer as such', async () => {
    const { url, stop } = await serve({ status: 200 })
    await stop()
    await expect(open(url).provider.signUp(credentials)).rejects.toMatchObject({ kind: 'noAnswer' })
  })
})

describe('the token', () => {
  const old = stored({ ...session, expires_at: 1_000 })

  it('is refreshed when it has ended', async () => {
    const { url } = await serve({ status: 200, body: { ...session, access_token: 'fresh-token' } })
    expect(await open(url, old).provider.accessToken()).toBe('fresh-token')
  })

  it('is none when the provider refuses to refresh it, and nothing is left of it', async () => {
    const { url } = await serve({ status: 400, body: { code: 'refresh_token_not_found', message: 'Not found' } })
    const { provider, area } = open(url, old)
    expect([await provider.accessToken(), contentOf(area)]).toEqual([null, {}])
  })

  it('is none where nobody signed in', async () => {
    expect(await open('http://unused.test').provider.accessToken()).toBe(null)
  })
})

describe('the connection that realtime shares', () => {
  it('is asked twice within a minute whether it still lives', async () => {
    const { url } = await serve({ status: 200 })
    const { realtime } = await open(url).provider.client()
    expect(2 * realtime.heartbeatIntervalMs).toBeLessThan(60_000)
  })
})

describe('signing out', () => {
  it('ends the session of this device, and clears it before the provider has answered', async () => {
    const { url, calls } = await serve({ status: 204 })
    const { provider, area } = open(url, stored(session))
    const ending = provider.signOut()
    expect(contentOf(area)).toEqual({})
    await ending
    expect(calls).toEqual([{ call: 'POST /auth/v1/logout?scope=local', bearer: 'Bearer provider-token' }])
  })

  it('clears it though the provider is away', async () => {
    const { url, stop } = await serve({ status: 204 })
    await stop()
    const { provider, area } = open(url, stored(session))
    await expect(provider.signOut()).rejects.toThrow()
    expect(contentOf(area)).toEqual({})
  })

  it('has nothing to tell without a session', async () => {
    const { url, calls } = await serve({ status: 204 })
    await open(url).provider.signOut()
    expect(calls).toEqual([])
  })

  it('is final for the client that was open: what it still hears it keeps nowhere', async () => {
    const { url } = await serve({ status: 200, body: session })
    const { provider, area } = open(url)
    const client = await provider.client()
    await provider.signOut()
    await client.auth.signInWithPassword(credentials)
    expect(contentOf(area)).toEqual({})
    expect(await provider.client()).not.toBe(client)
  })

  it('leaves the channels of the client that was open', async () => {
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
    ['leaves the session of somebody whom another tab signed in meanwhile alone', 'p2', 1],
    ['ends a session that another tab began for the same person', 'p1', 0],
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
