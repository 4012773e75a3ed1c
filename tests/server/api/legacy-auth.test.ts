import { Hono } from 'hono'
import { SignJWT } from 'jose'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createAuthRoutes } from '../../../server/api/auth.ts'
import type { IdentityProvider } from '../../../server/auth/identity-provider.ts'
import { createRefreshTokens } from '../../../server/auth/refresh-tokens.ts'
import { permissionsOf } from '../../../server/auth/roles.ts'
import { createProductTokens } from '../../../server/auth/tokens.ts'
import type { Db } from '../../../server/database/database.ts'
import { embeddedProvider } from '../../../server/stand-ins/supabase/identity-provider.ts'
import { createProviderTokens } from '../../../server/stand-ins/supabase/provider-tokens.ts'
import { defaultBusiness } from '../../../src/schemas/business.ts'
import { features } from '../../../src/schemas/feature.ts'
import { describeOnDatabase } from '../databases.ts'
import { manualClock } from '../manual-clock.ts'
import { secondFactorsOf } from '../second-factors.ts'
import { addAccount, addLegacyStaff, addStaffAccount, oldPassword, providerKey } from '../supabase-server.ts'

const providerUser = (subject: string) => ({ subject, sessionId: null, mustChangePassword: false })

const refused = (status: number, error: string, code?: string) => ({
  status,
  body: { success: false, error, ...(code === undefined ? {} : { code }) },
})
const done = { status: 200, body: { success: true } }
const wrongPassword = refused(401, 'Invalid email or password. Please try again.')
const tooMany = refused(429, 'Too many requests. Please try again later.')

describeOnDatabase('Legacy authentication', (open) => {
  let db: Db
  beforeAll(async () => {
    db = (await open()).db
  })

  beforeEach(async () => {
    await db.deleteFrom('attempts').execute()
  })

  const setUp = (hosted?: IdentityProvider) => {
    const clock = manualClock()
    const tokens = createProductTokens({ keys: [new Uint8Array(32)], clock })
    const providerTokens = createProviderTokens({ keys: [providerKey], issuer: 'staff-inbox/auth/v1', clock })
    let address = '192.0.2.1'
    const app = new Hono().route(
      '/api/auth',
      createAuthRoutes({
        db,
        provider: hosted ?? embeddedProvider({ db, tokens: providerTokens, clock }),
        tokens,
        refreshTokens: createRefreshTokens({ db, issuer: 'product', clock }),
        secondFactors: secondFactorsOf(db, clock),
        clock,
        deviceCache: true,
        business: defaultBusiness,
        addressOf: () => address,
      }),
    )
    const post = async (path: string, body: unknown, token?: string) => {
      const answer = await app.request(`/api/auth/${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: {
          'content-type': 'application/json',
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
      })
      return { status: answer.status, body: await answer.json() }
    }
    /** Creates a provider account for this email, with a session token. */
    const signUp = async (email: string) => {
      const { id } = await addAccount(db)
      await db.updateTable('auth_users').set({ email }).where('id', '=', id).execute()
      const { id: sessionId } = await db
        .insertInto('auth_sessions')
        .values({ user_id: id })
        .returning('id')
        .executeTakeFirstOrThrow()
      return { id, token: (await providerTokens.issue({ userId: id, email, sessionId })).token }
    }
    return {
      clock,
      post,
      signUp,
      moveTo: (other: string) => {
        address = other
      },
      check: (email: string) => post('check-migration', { email }),
      complete: (email: string, account: { id: string; token?: string }, legacyPassword?: string) =>
        post('complete-migration', { email, supabaseId: account.id, legacyPassword }, account.token),
      logIn: (email: string, password: string) => post('login', { email, password }),
    }
  }
  const supabaseIdOf = async (email: string) =>
    (await db.selectFrom('staff').select('supabase_id').where('email', '=', email).executeTakeFirstOrThrow())
      .supabase_id

  describe('POST /auth/check-migration', () => {
    test('returns true for active legacy staff only', async () => {
      const { check } = setUp()
      const legacy = await addLegacyStaff(db)
      const others = [
        await addLegacyStaff(db, { is_active: false }),
        await addLegacyStaff(db, { needs_migration: false }),
        await addLegacyStaff(db, { supabase_id: crypto.randomUUID() }),
        (await addStaffAccount(db)).email,
        'nobody@example.com',
      ]
      const response = (needsMigration: boolean, email: string) => ({
        status: 200,
        body: { success: true, data: { needsMigration, user: { email } } },
      })
      expect(await check(legacy)).toEqual(response(true, legacy))
      expect(await check(legacy.toUpperCase())).toEqual(response(true, legacy.toUpperCase()))
      for (const email of others) expect(await check(email)).toEqual(response(false, email))
    })

    test('runs the same queries for every email', async () => {
      const queries: string[] = []
      const legacy = await addLegacyStaff(db)
      const original = db
      db = original.withPlugin({
        transformQuery: ({ node }) => {
          queries.push(node.kind)
          return node
        },
        transformResult: async ({ result }) => result,
      })
      const { check } = setUp()
      db = original
      await check(legacy)
      const forLegacy = queries.splice(0)
      await check('nobody@example.com')
      // The first one counts the call.
      expect([forLegacy, queries]).toEqual(Array(2).fill(['RawNode', 'SelectQueryNode']))
    })

    test('allows 60 calls in five minutes from one address', async () => {
      const { check, clock, moveTo } = setUp()
      const responses = await Promise.all(Array.from({ length: 60 }, () => check('nobody@example.com')))
      expect(responses.every(({ status }) => status === 200)).toBe(true)
      expect(await check('nobody@example.com')).toEqual(tooMany)
      moveTo('192.0.2.2')
      expect((await check('nobody@example.com')).status).toBe(200)
      moveTo('192.0.2.1')
      clock.advance(5 * 60_000)
      expect((await check('nobody@example.com')).status).toBe(200)
    })
  })

  describe('POST /auth/complete-migration', () => {
    test('links the staff member to the provider user, and accepts a repetition', async () => {
      const { complete, signUp, check, post } = setUp()
      const email = await addLegacyStaff(db)
      const account = await signUp(email)
      expect((await post('supabase-login', { supabaseToken: account.token })).body.code).toBe('MIGRATION_NEEDED')
      expect(await complete(email, account, oldPassword)).toEqual(done)
      expect(await complete(email.toUpperCase(), account, oldPassword)).toEqual(done)
      expect(await complete(email, account)).toEqual(done)
      expect(await supabaseIdOf(email)).toBe(account.id)
      expect((await check(email)).body.data.needsMigration).toBe(false)
      const login = await post('supabase-login', { supabaseToken: account.token })
      expect([login.status, login.body.data.user.email]).toEqual([200, email])
    })

    test('rejects a missing or invalid provider token', async () => {
      const { complete, signUp, clock } = setUp()
      const email = await addLegacyStaff(db)
      const account = await signUp(email)
      const claims = JSON.parse(Buffer.from(account.token.split('.')[1] ?? '', 'base64url').toString())
      const forged = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new Uint8Array(32))
      expect(await complete(email, { id: account.id }, oldPassword)).toEqual(refused(401, 'Authentication required'))
      expect(await complete(email, { id: account.id, token: forged }, oldPassword)).toEqual(
        refused(401, 'Invalid or expired token'),
      )
      clock.advance(60 * 60_000)
      expect(await complete(email, account, oldPassword)).toEqual(refused(401, 'Invalid or expired token'))
      expect(await supabaseIdOf(email)).toBeNull()
    })

    test('rejects a token of another provider user, and a wrong legacy password', async () => {
      const { complete, signUp } = setUp()
      const email = await addLegacyStaff(db)
      const account = await signUp(email)
      const stranger = await signUp(`${crypto.randomUUID()}@example.com`)
      const failed = refused(403, 'Migration failed')
      const unproven = refused(403, 'Migration failed', 'WRONG_PASSWORD')
      expect([
        await complete(email, stranger, oldPassword),
        await complete(email, { ...account, id: stranger.id }, oldPassword),
        await complete(email, account, 'a guess'),
        await complete(email, account),
      ]).toEqual([failed, failed, unproven, unproven])
      expect(await supabaseIdOf(email)).toBeNull()
    })

    test('rejects staff who are unknown, inactive, already migrated or linked to another provider user', async () => {
      const { complete, signUp } = setUp()
      for (const email of [
        `${crypto.randomUUID()}@example.com`,
        await addLegacyStaff(db, { is_active: false }),
        await addLegacyStaff(db, { needs_migration: false }),
        await addLegacyStaff(db, { supabase_id: crypto.randomUUID() }),
      ]) {
        expect(await complete(email, await signUp(email), oldPassword)).toEqual(
          refused(409, 'No migration in progress'),
        )
      }
    })

    test('allows ten wrong legacy passwords in five minutes', async () => {
      const { complete, signUp, clock } = setUp()
      const email = await addLegacyStaff(db)
      const account = await signUp(email)
      await Promise.all(Array.from({ length: 10 }, (_, index) => complete(email, account, `guess ${index}`)))
      expect(await complete(email, account, oldPassword)).toEqual(tooMany)
      clock.advance(5 * 60_000)
      expect(await complete(email, account, oldPassword)).toEqual(done)
    })

    test('requires the legacy password unless the hosted provider has confirmed the email', async () => {
      const email = await addLegacyStaff(db)
      const id = crypto.randomUUID()
      let isProven = false
      const { complete } = setUp({
        verify: async () => providerUser(id),
        emailOf: async () => ({ address: email, isProven }),
        checkPassword: async () => false,
        setPassword: async () => null,
      })
      const account = { id, token: 'a-token-of-the-project' }
      expect(await complete(email, account)).toEqual(refused(403, 'Migration failed', 'WRONG_PASSWORD'))
      isProven = true
      expect(await complete(email, account)).toEqual(done)
      expect(await supabaseIdOf(email)).toBe(id)
    })

    test('does not link an account that was replaced during the call', async () => {
      const email = await addLegacyStaff(db)
      const id = crypto.randomUUID()
      const verifications = [providerUser(id), null]
      const { complete, check } = setUp({
        verify: async () => verifications.shift() ?? null,
        emailOf: async () => ({ address: email, isProven: false }),
        checkPassword: async () => false,
        setPassword: async () => null,
      })
      expect(await complete(email, { id, token: 'a-token' }, oldPassword)).toEqual(
        refused(409, 'No migration in progress'),
      )
      expect(await supabaseIdOf(email)).toBeNull()
      expect((await check(email)).body.data.needsMigration).toBe(true)
    })

    test('rejects an invalid body', async () => {
      const { post } = setUp()
      expect([await post('complete-migration', { email: 'a@example.com' }), await post('check-migration', {})]).toEqual(
        [refused(400, 'supabaseId is not valid'), refused(400, 'email is not valid')],
      )
    })
  })

  describe('POST /auth/login', () => {
    test('returns a token pair to staff who need no migration, ignoring the case of the email', async () => {
      const { logIn } = setUp()
      const email = await addLegacyStaff(db, { needs_migration: false })
      expect(await logIn(email.toUpperCase(), oldPassword)).toEqual({
        status: 200,
        body: {
          success: true,
          data: {
            token: expect.any(String),
            refreshToken: expect.any(String),
            user: {
              id: expect.any(String),
              email,
              name: 'Ana Reyes',
              role: 'agent',
              permissions: permissionsOf('agent', []),
              deviceCache: true,
              features: features.filter((feature) => !['facebook-login', 'files', 'reply-pictures'].includes(feature)),
              business: defaultBusiness,
            },
          },
        },
      })
    })

    test('returns the reason of a rejection only for the correct password', async () => {
      const { logIn } = setUp()
      const cases = [
        [
          await addLegacyStaff(db, { is_active: false }),
          refused(403, 'Your account is inactive. Please contact an administrator.', 'INACTIVE_ACCOUNT'),
        ],
        [
          await addLegacyStaff(db, { supabase_id: crypto.randomUUID() }),
          refused(403, 'This account signs in with its new password.', 'USE_NEW_LOGIN'),
        ],
        [await addLegacyStaff(db), refused(403, 'Please set a new password to continue', 'MIGRATION_NEEDED')],
      ] as const
      for (const [email, refusal] of cases) {
        expect(await logIn(email, oldPassword)).toEqual(refusal)
        expect(await logIn(email, 'a guess')).toEqual(wrongPassword)
      }
    })

    test('rejects an unknown email and an email without a legacy password like a wrong password', async () => {
      const { logIn } = setUp()
      const { email } = await addStaffAccount(db)
      expect([await logIn('nobody@example.com', oldPassword), await logIn(email, oldPassword)]).toEqual([
        wrongPassword,
        wrongPassword,
      ])
    })

    test('allows ten wrong passwords for one email in five minutes, and any number of correct ones', async () => {
      const { logIn, clock } = setUp()
      const email = await addLegacyStaff(db, { needs_migration: false })
      for (let index = 0; index < 11; index += 1) expect((await logIn(email, oldPassword)).status).toBe(200)
      await Promise.all(Array.from({ length: 10 }, (_, index) => logIn(email, `guess ${index}`)))
      expect(await logIn(email, oldPassword)).toEqual(tooMany)
      expect((await logIn('other@example.com', oldPassword)).status).toBe(401)
      clock.advance(5 * 60_000)
      expect((await logIn(email, oldPassword)).status).toBe(200)
    })
  })
})
