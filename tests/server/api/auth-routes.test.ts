import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Hono } from 'hono'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAuthRoutes } from '../../../server/api/auth.ts'
import { authenticate, requirePermission } from '../../../server/api/authentication.ts'
import { hostedProvider, type IdentityProvider } from '../../../server/auth/identity-provider.ts'
import { createRefreshTokens } from '../../../server/auth/refresh-tokens.ts'
import { permissions, permissionsOf } from '../../../server/auth/roles.ts'
import { createProductTokens } from '../../../server/auth/tokens.ts'
import { systemClock } from '../../../server/clock.ts'
import type { Db } from '../../../server/database/database.ts'
import {
  createDemoStaff,
  deactivateDemoStaff,
  demoLegacyStaff,
  demoStaff,
} from '../../../server/stand-ins/supabase/demo-staff.ts'
import { embeddedProvider } from '../../../server/stand-ins/supabase/identity-provider.ts'
import { createProviderTokens } from '../../../server/stand-ins/supabase/provider-tokens.ts'
import { defaultBusiness } from '../../../src/schemas/business.ts'
import { features } from '../../../src/schemas/feature.ts'
import { describeOnDatabase } from '../databases.ts'
import { type ManualClock, manualClock } from '../manual-clock.ts'
import { secondFactorsOf } from '../second-factors.ts'
import { productTokensOf, signIn } from '../sign-in.ts'
import { addAccount, addStaffAccount, providerKey } from '../supabase-server.ts'

const key = new TextEncoder().encode('a key of the product for tests! ')

/** Signed with the right key but the wrong algorithm. */
const withOtherHash = (claims: unknown): string => {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part({ alg: 'HS512', typ: 'JWT' })}.${part(claims)}`
  return `${signed}.${createHmac('sha512', key).update(signed).digest('base64url')}`
}

const appWith = (db: Db, clock: ManualClock, provider?: IdentityProvider, deviceCache = true) => {
  const tokens = createProductTokens({ keys: [key], clock })
  const providerTokens = createProviderTokens({ keys: [providerKey], issuer: 'staff-inbox/auth/v1', clock })
  const app = new Hono()
    .route(
      '/api/auth',
      createAuthRoutes({
        db,
        provider: provider ?? embeddedProvider({ db, tokens: providerTokens, clock }),
        tokens,
        refreshTokens: createRefreshTokens({ db, issuer: 'product', clock }),
        secondFactors: secondFactorsOf(db, clock),
        clock,
        addressOf: () => 'test',
        deviceCache,
        business: defaultBusiness,
      }),
    )
    .post('/api/send', authenticate({ db, tokens, addressOf: () => 'test' }), requirePermission('messages.send'), (c) =>
      c.json({ sent: true }),
    )
  const call = async (method: string, path: string, { body, token }: { body?: unknown; token?: string } = {}) => {
    const answer = await app.request(path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return { status: answer.status, body: await answer.json() }
  }
  const me = (token?: string) => call('GET', '/api/auth/me', token === undefined ? {} : { token })
  return { tokens, providerTokens, call, me }
}

const refused = (status: number, error: string, code?: string) => ({
  status,
  body: { success: false, error, ...(code === undefined ? {} : { code }) },
})
const badToken = refused(401, 'Invalid or expired token')
const badRefreshToken = refused(401, 'Invalid or expired refresh token')
const ended = refused(401, 'This session has ended')

describeOnDatabase('The authentication routes', (open) => {
  let db: Db
  beforeAll(async () => {
    db = (await open()).db
  })

  const setUp = (deviceCache = true) => {
    const clock = manualClock()
    const app = appWith(db, clock, undefined, deviceCache)
    const providerToken = async (account: { id: string; email: string }) => {
      const session = await db
        .insertInto('auth_sessions')
        .values({ user_id: account.id })
        .returning('id')
        .executeTakeFirstOrThrow()
      const subject = { userId: account.id, email: account.email, sessionId: session.id }
      return { sessionId: session.id, token: (await app.providerTokens.issue(subject)).token }
    }
    const logIn = async (account: { id: string; email: string }) =>
      app.call('POST', '/api/auth/supabase-login', { body: { supabaseToken: (await providerToken(account)).token } })
    return { clock, ...app, providerToken, logIn }
  }

  const setUpSignedIn = async () => {
    const app = setUp()
    const staff = await addStaffAccount(db, { role: 'agent' })
    const { data } = (await app.logIn(staff)).body as { data: { token: string; refreshToken: string } }
    const refresh = (refreshToken: string) => app.call('POST', '/api/auth/refresh', { body: { refreshToken } })
    return { ...app, ...staff, ...data, refresh }
  }

  const userOf = ({ staffId, email }: { staffId: string; email: string }) => ({
    id: staffId,
    email,
    name: 'Ana Reyes',
    role: 'agent',
    permissions: permissionsOf('agent', []),
    deviceCache: true,
    // A server that is not set up for it does not offer the login.
    features: features.filter((feature) => !['facebook-login', 'files', 'reply-pictures'].includes(feature)),
    business: defaultBusiness,
  })

  describe('POST /auth/supabase-login', () => {
    test('returns a token pair and the staff member with their permissions', async () => {
      const { logIn, me } = setUp()
      const staff = await addStaffAccount(db, { role: 'agent' })
      const answer = await logIn(staff)
      expect(answer).toEqual({
        status: 200,
        body: {
          success: true,
          data: { token: expect.any(String), refreshToken: expect.any(String), user: userOf(staff) },
        },
      })
      expect(await me(answer.body.data.token)).toEqual({
        status: 200,
        body: { success: true, data: { user: userOf(staff) } },
      })
    })

    test('tells browsers in each answer to save nothing if the setting forbids saving', async () => {
      const { logIn, me, call } = setUp(false)
      const { body } = await logIn(await addStaffAccount(db, { role: 'agent' }))
      const { token, refreshToken } = body.data
      const refreshed = await call('POST', '/api/auth/refresh', { body: { refreshToken } })
      const answers = [body, (await me(token)).body, refreshed.body]
      expect(answers.map(({ data }) => data.user.deviceCache)).toEqual([false, false, false])
    })

    test('finds staff by their provider user, whatever their email is', async () => {
      const { logIn } = setUp()
      const staff = await addStaffAccount(db, { role: 'agent' })
      await db.updateTable('staff').set({ email: 'renamed@example.com' }).where('id', '=', staff.staffId).execute()
      expect((await logIn(staff)).body.data.user).toEqual(userOf({ ...staff, email: 'renamed@example.com' }))
    })

    test('links no account of the stand-in by its email, because the stand-in confirms no email', async () => {
      const { logIn } = setUp()
      const account = await addAccount(db)
      await db.insertInto('staff').values({ email: account.email, role: 'agent' }).execute()
      const stranger = await addAccount(db)
      const noAccount = refused(403, 'There is no staff account for this email.', 'NO_STAFF_ACCOUNT')
      expect([await logIn(account), await logIn(stranger)]).toEqual([noAccount, noAccount])
    })

    test('rejects an inactive account with its code', async () => {
      const { logIn } = setUp()
      expect(await logIn(await addStaffAccount(db, { isActive: false }))).toEqual(
        refused(403, 'Your account is inactive. Please contact an administrator.', 'INACTIVE_ACCOUNT'),
      )
    })

    test('rejects a token that is expired, forged, unsigned, of an ended session, or of the product', async () => {
      const { clock, call, providerToken, tokens } = setUp()
      const staff = await addStaffAccount(db)
      const logInWith = (supabaseToken: string) => call('POST', '/api/auth/supabase-login', { body: { supabaseToken } })
      const { token, sessionId } = await providerToken(staff)
      const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
      const forged = await new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256' })
        .sign(new TextEncoder().encode('another key of thirty-two bytes!'))
      const own = await tokens.issue({ staffId: staff.staffId, sessionId })
      for (const bad of [forged, new UnsecuredJWT(claims).encode(), own, 'no token']) {
        expect(await logInWith(bad)).toEqual(badToken)
      }
      await db.updateTable('auth_sessions').set({ revoked_at: new Date() }).where('id', '=', sessionId).execute()
      expect(await logInWith(token)).toEqual(badToken)
      const other = await providerToken(staff)
      clock.advance(60 * 60 * 1000)
      expect(await logInWith(other.token)).toEqual(badToken)
    })

    test('rejects an invalid body', async () => {
      const { call } = setUp()
      const invalid = refused(400, 'supabaseToken is not valid')
      const post = (body: unknown) => call('POST', '/api/auth/supabase-login', { body })
      expect([await post({}), await post({ supabaseToken: '' }), await post({ supabaseToken: 1 })]).toEqual([
        invalid,
        invalid,
        invalid,
      ])
      expect(await post('{')).toEqual(refused(400, 'Malformed JSON in request body'))
    })
  })

  describe('authenticate', () => {
    test('rejects a missing or invalid token', async () => {
      const { me, token, id, email, providerToken } = await setUpSignedIn()
      const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
      const { privateKey } = await generateKeyPair('RS256')
      const sign = (alg: string, signingKey: Uint8Array | typeof privateKey, change: Record<string, unknown> = {}) =>
        new SignJWT({ ...claims, ...change }).setProtectedHeader({ alg }).sign(signingKey)
      expect(await me()).toEqual(refused(401, 'Authentication required'))
      expect((await me(await sign('HS256', key))).status).toBe(200)
      for (const bad of [
        'not-a-token',
        `${token.slice(0, token.lastIndexOf('.'))}.${'A'.repeat(43)}`,
        new UnsecuredJWT(claims).encode(),
        await sign('RS256', privateKey),
        withOtherHash(claims),
        await sign('HS256', providerKey),
        await sign('HS256', key, { iss: 'another issuer' }),
        await sign('HS256', key, { aud: 'authenticated' }),
        (await providerToken({ id, email })).token,
      ]) {
        expect(await me(bad)).toEqual(badToken)
      }
    })

    test('rejects a token after 15 minutes', async () => {
      const { clock, me, token } = await setUpSignedIn()
      clock.advance(15 * 60 * 1000 - 1000)
      expect((await me(token)).status).toBe(200)
      clock.advance(1000)
      expect(await me(token)).toEqual(badToken)
    })

    test('rejects a token of an ended session or of a session of another staff member', async () => {
      const { me, token, tokens, staffId, call } = await setUpSignedIn()
      const other = await signIn(db)
      expect(await me(await tokens.issue({ staffId, sessionId: other.sessionId }))).toEqual(ended)
      await call('POST', '/api/auth/logout', { token, body: {} })
      expect(await me(token)).toEqual(ended)
    })

    test('rejects the token of an inactive account', async () => {
      const { me, token, staffId } = await setUpSignedIn()
      await db.updateTable('staff').set({ is_active: false }).where('id', '=', staffId).execute()
      expect(await me(token)).toEqual(ended)
    })

    test('rejects a call with the name of the missing permission, unless the staff member has an individual one', async () => {
      const { call } = setUp()
      const viewer = await signIn(db, 'viewer', productTokensOf(key))
      const send = () => call('POST', '/api/send', { token: viewer.token })
      expect(await send()).toEqual({
        status: 403,
        body: {
          success: false,
          error: 'Missing permission: messages.send',
          requiredPermission: 'messages.send',
          details: { requiredPermission: 'messages.send' },
        },
      })
      await db
        .updateTable('staff')
        .set({ permissions: ['messages.send'] })
        .where('id', '=', viewer.staffId)
        .execute()
      expect(await send()).toEqual({ status: 200, body: { sent: true } })
    })
  })

  describe('POST /auth/refresh', () => {
    test('returns a new token pair and the staff member', async () => {
      const { refresh, refreshToken, me, ...staff } = await setUpSignedIn()
      const answer = await refresh(refreshToken)
      expect(answer).toEqual({
        status: 200,
        body: {
          success: true,
          data: { accessToken: expect.any(String), refreshToken: expect.any(String), user: userOf(staff) },
        },
      })
      expect(answer.body.data.refreshToken).not.toBe(refreshToken)
      expect((await me(answer.body.data.accessToken)).status).toBe(200)
    })

    test('accepts a used token for 10 s; afterwards a reuse ends the session and its access tokens', async () => {
      const { clock, refresh, refreshToken, me, token } = await setUpSignedIn()
      const first = await refresh(refreshToken)
      await refresh(first.body.data.refreshToken)
      clock.advance(10_000)
      expect((await refresh(refreshToken)).status).toBe(200)
      clock.advance(1)
      expect((await me(token)).status).toBe(200)
      expect(await refresh(refreshToken)).toEqual(badRefreshToken)
      expect(await refresh(first.body.data.refreshToken)).toEqual(badRefreshToken)
      expect(await me(token)).toEqual(ended)
    })

    test('rejects an unknown token and a token of the other issuer', async () => {
      const { refresh, id, providerToken } = await setUpSignedIn()
      const { sessionId } = await providerToken({ id, email: '' })
      const other = await createRefreshTokens({ db, issuer: 'provider', clock: systemClock }).issue(sessionId)
      expect([await refresh('unknown'), await refresh(other)]).toEqual([badRefreshToken, badRefreshToken])
    })

    test('rejects a token of an ended session', async () => {
      const { refresh, refreshToken, staffId } = await setUpSignedIn()
      await db.updateTable('staff_sessions').set({ revoked_at: new Date() }).where('staff_id', '=', staffId).execute()
      expect(await refresh(refreshToken)).toEqual(badRefreshToken)
    })

    test('rejects a token after 90 days', async () => {
      const { clock, refresh, refreshToken } = await setUpSignedIn()
      clock.advance(90 * 24 * 60 * 60 * 1000)
      expect(await refresh(refreshToken)).toEqual(badRefreshToken)
    })

    test('rejects an inactive account with its code', async () => {
      const { refresh, refreshToken, staffId } = await setUpSignedIn()
      await db.updateTable('staff').set({ is_active: false }).where('id', '=', staffId).execute()
      expect(await refresh(refreshToken)).toEqual(
        refused(403, 'Your account is inactive. Please contact an administrator.', 'INACTIVE_ACCOUNT'),
      )
    })

    test('stores only the hash of a token', async () => {
      const { refreshToken } = await setUpSignedIn()
      const rows = await db.selectFrom('refresh_tokens').selectAll().execute()
      expect(JSON.stringify(rows)).not.toContain(refreshToken)
    })
  })

  describe('POST /auth/logout', () => {
    test('ends the session of a refresh token', async () => {
      const { call, me, token, refresh, refreshToken } = await setUpSignedIn()
      expect(await call('POST', '/api/auth/logout', { body: { refreshToken } })).toEqual({
        status: 200,
        body: { success: true },
      })
      expect([await me(token), await refresh(refreshToken)]).toEqual([ended, badRefreshToken])
    })

    test('keeps the other sessions of the staff member', async () => {
      const { call, me, logIn, id, email, token } = await setUpSignedIn()
      const second = (await logIn({ id, email })).body.data.token
      await call('POST', '/api/auth/logout', { token, body: {} })
      expect([await me(token), (await me(second)).status]).toEqual([ended, 200])
    })

    test('rejects a call without any token', async () => {
      const { call } = setUp()
      expect(await call('POST', '/api/auth/logout', { body: {} })).toEqual(refused(401, 'Authentication required'))
    })
  })

  describe('hostedProvider', () => {
    const url = 'https://project.example.com'
    const secret = 'the secret of a hosted project!!'
    const issue = (
      userId: string,
      alg = 'HS256',
      signingKey: Parameters<SignJWT['sign']>[0] = new TextEncoder().encode(secret),
      issuer = url,
    ) =>
      new SignJWT({ role: 'authenticated' })
        .setProtectedHeader({ alg, kid: 'k1' })
        .setSubject(userId)
        .setIssuer(`${issuer}/auth/v1`)
        .setAudience('authenticated')
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(signingKey)
    const logInAt = async (provider: IdentityProvider, supabaseToken: string) =>
      appWith(db, manualClock(), provider).call('POST', '/api/auth/supabase-login', { body: { supabaseToken } })

    const serve = async (answers: Record<string, () => { status: number; body: string }>) => {
      const asked: { path: string | undefined; authorization: string | undefined; apikey: unknown }[] = []
      const server = createServer((request, response) => {
        const { authorization, apikey } = request.headers
        asked.push({ path: request.url, authorization, apikey })
        const { status, body } = answers[request.url ?? '']?.() ?? { status: 404, body: '{}' }
        response.writeHead(status, { 'content-type': 'application/json' }).end(body)
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      servers.push(server)
      return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
    }
    const servers: ReturnType<typeof createServer>[] = []
    afterAll(() => {
      for (const server of servers) server.close()
    })

    test('accepts a token signed with the JWT secret of the project only', async () => {
      const provider = hostedProvider({ url, jwtSecret: secret, anonKey: 'anon', clock: manualClock() })
      const staff = await addStaffAccount(db)
      expect((await logInAt(provider, await issue(staff.id))).status).toBe(200)
      const another = await issue(staff.id, 'HS256', new TextEncoder().encode(secret), 'https://another.example.com')
      expect(await logInAt(provider, another)).toEqual(badToken)
      expect(await logInAt(provider, await issue(staff.id, 'HS256', providerKey))).toEqual(badToken)
    })

    test('accepts a token signed with a published key, and rejects one signed with the public key as a secret', async () => {
      const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
      const jwk = await exportJWK(publicKey)
      const { url: own } = await serve({
        '/auth/v1/.well-known/jwks.json': () => ({
          status: 200,
          body: JSON.stringify({ keys: [{ ...jwk, kid: 'k1', alg: 'ES256', use: 'sig' }] }),
        }),
      })
      const provider = hostedProvider({ url: own, jwtSecret: undefined, anonKey: undefined, clock: manualClock() })
      const staff = await addStaffAccount(db)
      expect((await logInAt(provider, await issue(staff.id, 'ES256', privateKey, own))).status).toBe(200)
      const confused = new TextEncoder().encode(JSON.stringify(jwk))
      expect(await logInAt(provider, await issue(staff.id, 'HS256', confused, own))).toEqual(badToken)
    })

    test('links staff by email only when the project has confirmed the email', async () => {
      const staffEmail = `${crypto.randomUUID()}@example.com`
      await db.insertInto('staff').values({ email: staffEmail, role: 'agent' }).execute()
      let user: Record<string, unknown> = { id: 'hosted-1', email: staffEmail, user_metadata: { email_verified: true } }
      const { url: own, asked } = await serve({
        '/auth/v1/user': () => ({ status: 200, body: JSON.stringify(user) }),
      })
      const provider = hostedProvider({ url: own, jwtSecret: secret, anonKey: 'anon', clock: manualClock() })
      const token = await issue('hosted-1', 'HS256', new TextEncoder().encode(secret), own)
      expect((await logInAt(provider, token)).status).toBe(403)
      user = { ...user, email_confirmed_at: '2026-01-01T00:00:00Z' }
      expect((await logInAt(provider, token)).status).toBe(200)
      expect((await logInAt(provider, token)).status).toBe(200)
      const request = { path: '/auth/v1/user', authorization: `Bearer ${token}`, apikey: 'anon' }
      // The port may still be called by a client of an earlier test.
      expect(asked.filter(({ path }) => path === request.path)).toEqual([request, request])
    })

    test('returns 503 when the project cannot be reached', async () => {
      const away = refused(503, 'The sign-in service cannot be reached. Please try again later.')
      const { url: own } = await serve({
        '/auth/v1/.well-known/jwks.json': () => ({ status: 502, body: '<html>' }),
        '/auth/v1/user': () => ({ status: 500, body: '{}' }),
      })
      const settings = { url: own, anonKey: undefined, clock: manualClock() }
      const token = await issue('hosted-2', 'HS256', new TextEncoder().encode(secret), own)
      expect(await logInAt(hostedProvider({ ...settings, jwtSecret: secret }), token)).toEqual(away)
      const { privateKey } = await generateKeyPair('ES256')
      const signed = await issue('hosted-2', 'ES256', privateKey, own)
      expect(await logInAt(hostedProvider({ ...settings, jwtSecret: undefined }), signed)).toEqual(away)
    })
  })
})

describeOnDatabase('createDemoStaff', (open) => {
  test('creates each member once, with an account and a role', async () => {
    const { db } = await open()
    expect(await createDemoStaff({ db, clock: systemClock })).toBe(true)
    expect(await createDemoStaff({ db, clock: systemClock })).toBe(false)
    const rows = await db
      .selectFrom('staff')
      .innerJoin('auth_users', 'auth_users.id', 'staff.supabase_id')
      .select(['staff.email', 'staff.role', 'staff.is_active'])
      .where('auth_users.email_confirmed_at', 'is not', null)
      .orderBy('staff.email')
      .execute()
    expect(rows).toEqual(demoStaff.map(({ email, role }) => ({ email, role, is_active: true })))
    const legacy = await db
      .selectFrom('staff')
      .select(['email', 'role', 'is_active as isActive', 'needs_migration as needsMigration'])
      .where('legacy_password_hash', 'is not', null)
      .where('supabase_id', 'is', null)
      .orderBy('email')
      .execute()
    expect(legacy).toEqual(
      demoLegacyStaff
        .map(({ email, role, isActive, needsMigration }) => ({ email, role, isActive, needsMigration }))
        .sort((a, b) => a.email.localeCompare(b.email)),
    )
  })
})

describeOnDatabase('deactivateDemoStaff', (open) => {
  test('deactivates the demo staff once, except members with another account', async () => {
    const { db } = await open()
    await createDemoStaff({ db, clock: systemClock })
    const other = await addAccount(db)
    await db.updateTable('staff').set({ supabase_id: other.id }).where('email', '=', 'viewer@example.com').execute()
    const colleague = await addStaffAccount(db)
    expect(await deactivateDemoStaff(db)).toBe(4)
    const active = await db.selectFrom('staff').select('email').where('is_active', '=', true).orderBy('email').execute()
    expect(active.map(({ email }) => email)).toEqual([colleague.email, 'viewer@example.com'].sort())
    expect(await deactivateDemoStaff(db)).toBe(0)
  })
})

test('permissionsOf grants everything to administrators, reading to viewers and nothing to an unknown role', () => {
  expect(permissionsOf('administrator', [])).toEqual([...permissions])
  expect(permissionsOf('viewer', []).filter((permission) => !permission.endsWith('.read'))).toEqual([])
  expect(permissionsOf('viewer', ['messages.send'])).toContain('messages.send')
  expect(permissionsOf('intern', [])).toEqual([])
})
