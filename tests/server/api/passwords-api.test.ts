import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { SignJWT } from 'jose'
import { beforeAll, expect, test } from 'vitest'
import { hostedProvider } from '../../../server/auth/identity-provider.ts'
import type { OpenDatabase } from '../../../server/database/database.ts'
import { resetSecondFactor, setOneTimePassword } from '../../../server/reset-staff.ts'
import { createRealtimeAccess } from '../../../server/stand-ins/supabase/realtime/access.ts'
import { accountsApp, auditedActions, dataOf } from '../accounts-harness.ts'
import { describeOnDatabase } from '../databases.ts'
import { addLegacyStaff, addStaffAccount, oldPassword, password } from '../supabase-server.ts'

const next = 'another long password'
const jwtSecret = 'a secret of the hosted project for tests'

describeOnDatabase('A change of the password', (open) => {
  let database: OpenDatabase
  beforeAll(async () => {
    database = await open()
  })

  test('ends the other sessions at provider and product, and keeps the own', async () => {
    const app = accountsApp(database)
    const { email, staffId } = await addStaffAccount(database.db)
    const [own, other] = [await app.signIn(email), await app.signIn(email)]
    expect((await app.changePassword(own.provider.token, password, next)).status).toBe(200)
    expect([
      (await app.me(own.token)).status,
      (await app.refresh(own.refreshToken)).status,
      (await app.refreshAtProvider(own.provider.refreshToken)).status,
      (await app.me(other.token)).status,
      (await app.refresh(other.refreshToken)).status,
      (await app.refreshAtProvider(other.provider.refreshToken)).status,
      (await app.exchange(other.provider.token)).status,
    ]).toEqual([200, 200, 200, 401, 401, 400, 401])
    await expect(app.atProvider(email)).rejects.toThrow('invalid_credentials')
    expect((await app.signIn(email, next)).token).toBeTypeOf('string')
    expect(await auditedActions(database, staffId)).toContain('password.changed')
  })

  test('needs the current password, a good new one and another one', async () => {
    const app = accountsApp(database)
    const { email } = await addStaffAccount(database.db)
    const { token } = await app.atProvider(email)
    const codeOf = async (current: string, word: string) => {
      const { status, body } = await app.changePassword(token, current, word)
      return [status, body['code']]
    }
    expect([
      await codeOf('a wrong password', next),
      await codeOf(password, 'short'),
      await codeOf(password, email),
      await codeOf(password, password),
      (await app.changePassword(token, password, 'x'.repeat(257))).status,
      (await app.changePassword('not a token', password, next)).status,
    ]).toEqual([
      [422, 'WRONG_PASSWORD'],
      [422, 'WEAK_PASSWORD'],
      [422, 'WEAK_PASSWORD'],
      [422, 'WEAK_PASSWORD'],
      400,
      401,
    ])
    expect((await app.signIn(email)).token).toBeTypeOf('string')
  })

  test('is limited like a sign-in', async () => {
    const app = accountsApp(database)
    const { email } = await addStaffAccount(database.db)
    const { token } = await app.atProvider(email)
    for (let guess = 0; guess < 10; guess++) await app.changePassword(token, `guess ${guess}`, next)
    expect((await app.changePassword(token, password, next)).status).toBe(429)
    app.clock.advance(5 * 60_000)
    expect((await app.changePassword(token, password, next)).status).toBe(200)
  })

  test('is made at a hosted project with the token of the person, and ends the other product sessions', async () => {
    const app = accountsApp(database)
    const { id, email } = await addStaffAccount(database.db)
    const calls: unknown[] = []
    const project = createServer(async (request, response) => {
      const sent = await json(request).catch(() => null)
      calls.push([request.method, request.url, request.headers.authorization, sent])
      const isWrong = request.url?.includes('password') && (sent as { password: string }).password !== password
      response.statusCode = isWrong ? 400 : request.url?.includes('logout') ? 204 : 200
      response.end(JSON.stringify({ access_token: 'aside', user: { id }, id, email }))
    }).listen(0, '127.0.0.1')
    await once(project, 'listening')
    const { port } = project.address() as AddressInfo
    const url = `http://127.0.0.1:${port}`
    const hosted = hostedProvider({ url, jwtSecret, anonKey: 'anon', clock: app.clock })
    const tokenOf = (sessionId: string) =>
      new SignJWT({ session_id: sessionId })
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject(id)
        .setIssuer(`${url}/auth/v1`)
        .setAudience('authenticated')
        .setExpirationTime('1h')
        .sign(new TextEncoder().encode(jwtSecret))
    const withProject = accountsApp(database, { provider: hosted, clock: app.clock })
    const [token, otherToken] = [await tokenOf('own'), await tokenOf('other')]
    const own = dataOf(await withProject.exchange(token))
    const other = dataOf(await withProject.exchange(otherToken))
    const wrong = await withProject.changePassword(token, 'a wrong password', next)
    const changed = await withProject.changePassword(token, password, next)
    project.close()
    expect([wrong.body['code'], changed.status]).toEqual(['WRONG_PASSWORD', 200])
    expect([(await withProject.me(own.token)).status, (await withProject.me(other.token)).status]).toEqual([200, 401])
    const asked = '/auth/v1/token?grant_type=password'
    expect(calls).toEqual([
      ['POST', asked, undefined, { email, password: 'a wrong password' }],
      ['POST', asked, undefined, { email, password }],
      ['POST', '/auth/v1/logout?scope=local', 'Bearer aside', null],
      ['PUT', '/auth/v1/user', `Bearer ${token}`, { password: next, current_password: password }],
    ])
  })
})

describeOnDatabase('A one-time password', (open) => {
  let database: OpenDatabase
  beforeAll(async () => {
    database = await open()
  })
  const reset = (app: ReturnType<typeof accountsApp>, email: string) =>
    setOneTimePassword({ db: database.db, clock: app.clock }, email)

  test('ends all sessions and must be changed before a session of the product starts or realtime is heard', async () => {
    const app = accountsApp(database)
    const { email } = await addStaffAccount(database.db)
    const before = await app.signIn(email)
    const oneTime = await reset(app, email.toUpperCase())
    expect([
      (await app.me(before.token)).status,
      (await app.refreshAtProvider(before.provider.refreshToken)).status,
    ]).toEqual([401, 400])
    await expect(app.atProvider(email)).rejects.toThrow('invalid_credentials')

    const { token } = await app.atProvider(email, oneTime.password)
    const hears = createRealtimeAccess({ db: database.db, tokens: app.tokens })
    expect([await app.exchange(token), await hears(token)]).toEqual([
      {
        status: 403,
        body: { success: false, error: 'Please set a new password to continue', code: 'PASSWORD_CHANGE_NEEDED' },
      },
      { valid: false, fault: 'Unauthorized', message: 'The sign-in is not complete' },
    ])

    expect((await app.changePassword(token, oneTime.password, next)).status).toBe(200)
    expect([(await app.exchange(token)).status, (await hears(token)).valid]).toEqual([200, true])
    await expect(app.atProvider(email, oneTime.password)).rejects.toThrow('invalid_credentials')
  })

  test('gives a person with a legacy password an account, and ends the legacy login', async () => {
    const app = accountsApp(database)
    const email = await addLegacyStaff(database.db, { needs_migration: false })
    dataOf(await app.post('login', { email, password: oldPassword }))
    const oneTime = await reset(app, email)
    expect((await app.post('login', { email, password: oldPassword })).body['code']).toBe('USE_NEW_LOGIN')
    const { token } = await app.atProvider(email, oneTime.password)
    expect((await app.exchange(token)).body['code']).toBe('PASSWORD_CHANGE_NEEDED')
  })

  test('is refused for an email that is not staff', async () => {
    const app = accountsApp(database)
    await expect(reset(app, 'nobody@example.com')).rejects.toThrow('nobody@example.com is not a member of staff.')
    await expect(resetSecondFactor({ db: database.db, clock: app.clock }, 'nobody@example.com')).rejects.toThrow(
      'is not a member of staff',
    )
  })
})
