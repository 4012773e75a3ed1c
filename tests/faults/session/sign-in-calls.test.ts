import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { SessionLost } from '../../../src/domain/failure.ts'
import type { Credentials } from '../../../src/domain/session/session-calls.ts'
import { createHttp } from '../../../src/services/http.ts'
import { createSignIn } from '../../../src/services/session/sign-in.ts'
import type { Provider } from '../../../src/services/session/supabase.ts'
import { createTokenStore } from '../../../src/services/session/tokens.ts'
import { createStorage } from '../../../src/services/storage.ts'
import { faults } from '../../model/session/auth-fixture.ts'
import { contentOf, createArea } from '../memory-storage.ts'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()))
})

const ana = { id: 'u1', email: 'ana@example.com', name: 'Ana', role: 'agent', permissions: ['messages.send'] }
const old: Credentials = { email: ana.email, password: 'old password' }
const chosen: Credentials = { email: ana.email, password: 'new password' }

type Answer = { status?: number; body: unknown }

/** A fake API and provider for one sign-in, which record each call. */
async function start(answers: Record<string, Answer>, given: Partial<Provider> = {}) {
  const seen: { call: string; bearer: string | undefined; body: unknown }[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const call = `${request.method} ${request.url}`
    seen.push({ call, bearer: request.headers.authorization, body: JSON.parse(text) })
    const { status = 200, body } = answers[call] ?? { status: 404, body: { success: false, error: 'Not found' } }
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
  const asked: unknown[] = []
  const provider: Provider = {
    client: () => Promise.reject(new Error('not here')),
    hasStoredSession: () => false,
    accessToken: async () => null,
    currentUser: async () => ({ id: 'p1', accessToken: 'provider-token' }),
    signIn: async (credentials) => {
      asked.push(['sign in', credentials])
      if (credentials.password === old.password) throw faults.unknown
    },
    signUp: async (credentials) => void asked.push(['sign up', credentials]),
    signOut: async () => {},
    leave: () => {},
    ...given,
  }
  const area = createArea()
  const tokens = createTokenStore(
    createStorage(() => area),
    () => 5_000,
  )
  const http = createHttp({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    log: { warn: () => {} },
    retries: 0,
  })
  return { signIn: createSignIn({ http, tokens, provider }), seen, asked, area }
}

const signal = () => new AbortController().signal
const mayMigrate: Answer = { body: { success: true, data: { needsMigration: true, user: { email: ana.email } } } }

/** The provider does not know the person, who has to set a new password. */
async function migrating(answers: Record<string, Answer> = {}, given: Partial<Provider> = {}) {
  const started = await start({ 'POST /auth/check-migration': mayMigrate, ...answers }, given)
  await expect(started.signIn.askProvider(old)).rejects.toBe(faults.unknown)
  await started.signIn.checkMigration(signal())
  return started
}

const nothingHeld = new SessionLost('No migration in progress')

describe('The migration check', () => {
  it.each([
    ['in the field data', { success: true, data: { needsMigration: true } }, true],
    ['at the top level', { success: true, needsMigration: false }, false],
  ])('sends only the email and reads an answer %s', async (_, body, needsMigration) => {
    const { signIn, seen } = await start({ 'POST /auth/check-migration': { body } })
    await expect(signIn.askProvider(old)).rejects.toBe(faults.unknown)
    expect(await signIn.checkMigration(signal())).toEqual({ needsMigration, email: ana.email })
    expect(seen).toEqual([{ call: 'POST /auth/check-migration', bearer: undefined, body: { email: ana.email } }])
  })

  it.each([
    ['was signed in by the provider', { signIn: async () => {} }],
    ['was refused for another reason', { signIn: () => Promise.reject(faults.unconfirmed) }],
  ])('is not sent for a person who %s, because the password was discarded', async (_, given) => {
    const { signIn } = await start({}, given)
    await Promise.allSettled([signIn.askProvider(old)])
    await expect(signIn.checkMigration(signal())).rejects.toEqual(nothingHeld)
  })

  it('discards the password if it fails', async () => {
    const { signIn } = await start({ 'POST /auth/check-migration': { status: 503, body: {} } })
    await expect(signIn.askProvider(old)).rejects.toBe(faults.unknown)
    await expect(signIn.checkMigration(signal())).rejects.toMatchObject({ status: 503 })
    await expect(signIn.signInLegacy(signal())).rejects.toEqual(nothingHeld)
  })
})

describe('The legacy login', () => {
  it('stores the token pair as a new session and discards the password', async () => {
    const data = { token: 'legacy-token', refreshToken: 'r1', user: ana }
    const { signIn, seen, area } = await migrating({ 'POST /auth/login': { body: { success: true, data } } })
    expect(await signIn.signInLegacy(signal())).toEqual({ user: ana, session: 1 })
    expect(contentOf(area)).toEqual({ token: 'legacy-token', refreshToken: 'r1', tokenTimestamp: '5000' })
    expect(seen.at(-1)).toEqual({ call: 'POST /auth/login', bearer: undefined, body: old })
    await expect(signIn.signInLegacy(signal())).rejects.toEqual(nothingHeld)
  })

  it('stores nothing and fails with the code if it is refused', async () => {
    const refusal = { status: 403, body: { success: false, error: 'Inactive', code: 'INACTIVE_ACCOUNT' } }
    const { signIn, area } = await migrating({ 'POST /auth/login': refusal })
    await expect(signIn.signInLegacy(signal())).rejects.toMatchObject({ status: 403, code: 'INACTIVE_ACCOUNT' })
    expect(contentOf(area)).toEqual({})
  })

  it('fails if the user in the answer has no permissions', async () => {
    const data = { token: 't', refreshToken: 'r1', user: { ...ana, permissions: undefined } }
    const { signIn, area } = await migrating({ 'POST /auth/login': { body: { success: true, data } } })
    await expect(signIn.signInLegacy(signal())).rejects.toMatchObject({ kind: 'badAnswer' })
    expect(contentOf(area)).toEqual({})
  })
})

describe('A migration', () => {
  it('registers with the email and the new password', async () => {
    const { signIn, asked } = await migrating()
    await signIn.signUp({ password: chosen.password })
    expect(asked).toEqual([
      ['sign in', old],
      ['sign up', chosen],
    ])
  })

  it('signs in with the new password if an earlier attempt registered the person', async () => {
    const { signIn, asked } = await migrating({}, { signUp: () => Promise.reject(faults.unknown) })
    await Promise.allSettled([signIn.signUp({ password: chosen.password })])
    await signIn.signInAsRegistered()
    expect(asked.at(-1)).toEqual(['sign in', chosen])
  })

  it("is completed with the provider's token", async () => {
    const { signIn, seen } = await migrating({ 'POST /auth/complete-migration': { body: { success: true } } })
    await signIn.signUp({ password: chosen.password })
    await signIn.completeMigration(signal())
    expect(seen.at(-1)).toEqual({
      call: 'POST /auth/complete-migration',
      bearer: 'Bearer provider-token',
      body: { email: ana.email, supabaseId: 'p1', legacyPassword: old.password },
    })
  })

  it('can be completed again after an interruption', async () => {
    const { signIn, seen } = await migrating({ 'POST /auth/complete-migration': { status: 503, body: {} } })
    await signIn.signUp({ password: chosen.password })
    await expect(signIn.completeMigration(signal())).rejects.toMatchObject({ status: 503 })
    await expect(signIn.completeMigration(signal())).rejects.toMatchObject({ status: 503 })
    expect(seen.length).toBe(3)
  })

  it('fails if the provider has no session', async () => {
    const { signIn, seen } = await migrating({}, { currentUser: async () => null })
    await signIn.signUp({ password: chosen.password })
    await expect(signIn.completeMigration(signal())).rejects.toEqual(nothingHeld)
    expect(seen.length).toBe(1)
  })

  it.each<[string, (signIn: Awaited<ReturnType<typeof start>>['signIn']) => Promise<unknown>]>([
    ['registering', (signIn) => signIn.signUp({ password: chosen.password })],
    ['signing in', async (signIn) => signIn.signInAsRegistered()],
    ['completing', (signIn) => signIn.completeMigration(signal())],
    ['the legacy login', (signIn) => signIn.signInLegacy(signal())],
  ])('that has ended rejects %s', async (_, attempt) => {
    const { signIn, asked } = await migrating()
    await signIn.signUp({ password: chosen.password })
    signIn.forget()
    const before = asked.length
    await expect(attempt(signIn)).rejects.toEqual(nothingHeld)
    expect(asked.length).toBe(before)
  })
})
