import { Hono } from 'hono'
import { SignJWT } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { createAuthRoutes } from '../../../server/api/auth.ts'
import type { IdentityProvider } from '../../../server/auth/identity-provider.ts'
import { createRefreshTokens } from '../../../server/auth/refresh-tokens.ts'
import { permissionsOf } from '../../../server/auth/roles.ts'
import { createProductTokens } from '../../../server/auth/tokens.ts'
import type { Db } from '../../../server/database/database.ts'
import { embeddedProvider } from '../../../server/stand-ins/supabase/identity-provider.ts'
import { createProviderTokens } from '../../../server/stand-ins/supabase/provider-tokens.ts'
import { describeOnEachDatabase } from '../databases.ts'
import { manualClock } from '../manual-clock.ts'
import { addAccount, addLegacyStaff, addStaffAccount, oldPassword, providerKey } from '../supabase-server.ts'

const refused = (status: number, error: string, code?: string) => ({
  status,
  body: { success: false, error, ...(code === undefined ? {} : { code }) },
})
const done = { status: 200, body: { success: true } }
const wrongPassword = refused(401, 'Invalid email or password. Please try again.')
const tooMany = refused(429, 'Too many requests. Please try again later.')

describeOnEachDatabase('staff from before the identity provider', (open) => {
  let db: Db
  beforeAll(async () => {
    db = (await open()).db
  })

  const setUp = (hosted?: IdentityProvider) => {
    const clock = manualClock()
    const tokens = createProductTokens({ key: new Uint8Array(32), clock })
    const providerTokens = createProviderTokens({ key: providerKey, issuer: 'staff-inbox/auth/v1', clock })
    let address = '192.0.2.1'
    const app = new Hono().route(
      '/api/auth',
      createAuthRoutes({
        db,
        provider: hosted ?? embeddedProvider({ db, tokens: providerTokens }),
        tokens,
        refreshTokens: createRefreshTokens({ db, issuer: 'product', clock }),
        clock,
        deviceCache: true,
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
    /** An account of the provider for this e-mail, and a token of its session. */
    const signedUp = async (email: string) => {
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
      signedUp,
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

  describe('the migration check', () => {
    test('is true for active legacy staff only', async () => {
      const { check } = setUp()
      const legacy = await addLegacyStaff(db)
      const others = [
        await addLegacyStaff(db, { is_active: false }),
        await addLegacyStaff(db, { needs_migration: false }),
        await addLegacyStaff(db, { supabase_id: crypto.randomUUID() }),
        (await addStaffAccount(db)).email,
        'nobody@example.com',
      ]
      const answered = (needsMigration: boolean, email: string) => ({
        status: 200,
        body: { success: true, data: { needsMigration, user: { email } } },
      })
      expect(await check(legacy)).toEqual(answered(true, legacy))
      expect(await check(legacy.toUpperCase())).toEqual(answered(true, legacy.toUpperCase()))
      for (const email of others) expect(await check(email)).toEqual(answered(false, email))
    })

    test('runs one query for every e-mail', async () => {
      const looks: string[] = []
      const legacy = await addLegacyStaff(db)
      const original = db
      db = original.withPlugin({
        transformQuery: ({ node }) => {
          looks.push(node.kind)
          return node
        },
        transformResult: async ({ result }) => result,
      })
      const { check } = setUp()
      db = original
      await check(legacy)
      const forLegacy = looks.splice(0)
      await check('nobody@example.com')
      expect([forLegacy, looks]).toEqual([['SelectQueryNode'], ['SelectQueryNode']])
    })

    test('is limited to sixty calls in five minutes from one address', async () => {
      const { check, clock, moveTo } = setUp()
      const asked = await Promise.all(Array.from({ length: 60 }, () => check('nobody@example.com')))
      expect(asked.every(({ status }) => status === 200)).toBe(true)
      expect(await check('nobody@example.com')).toEqual(tooMany)
      moveTo('192.0.2.2')
      expect((await check('nobody@example.com')).status).toBe(200)
      moveTo('192.0.2.1')
      clock.advance(5 * 60_000)
      expect((await check('nobody@example.com')).status).toBe(200)
    })
  })

  describe('completing a migration', () => {
    test('links the person to the new identity; repeating it changes nothing', async () => {
      const { complete, signedUp, check, post } = setUp()
      const email = await addLegacyStaff(db)
      const account = await signedUp(email)
      expect((await post('supabase-login', { supabaseToken: account.token })).body.code).toBe('MIGRATION_NEEDED')
      expect(await complete(email, account, oldPassword)).toEqual(done)
      expect(await complete(email.toUpperCase(), account, oldPassword)).toEqual(done)
      expect(await complete(email, account)).toEqual(done)
      expect(await supabaseIdOf(email)).toBe(account.id)
      expect((await check(email)).body.data.needsMigration).toBe(false)
      const login = await post('supabase-login', { supabaseToken: account.token })
      expect([login.status, login.body.data.user.email]).toEqual([200, email])
    })

    test('is refused without a good token of the provider', async () => {
      const { complete, signedUp, clock } = setUp()
      const email = await addLegacyStaff(db)
      const account = await signedUp(email)
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

    test("is refused where the token is another one's, or the old password is not known", async () => {
      const { complete, signedUp } = setUp()
      const email = await addLegacyStaff(db)
      const account = await signedUp(email)
      const stranger = await signedUp(`${crypto.randomUUID()}@example.com`)
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

    test('is none for who is unknown, inactive, excused, or tied to somebody else already', async () => {
      const { complete, signedUp } = setUp()
      for (const email of [
        `${crypto.randomUUID()}@example.com`,
        await addLegacyStaff(db, { is_active: false }),
        await addLegacyStaff(db, { needs_migration: false }),
        await addLegacyStaff(db, { supabase_id: crypto.randomUUID() }),
      ]) {
        expect(await complete(email, await signedUp(email), oldPassword)).toEqual(
          refused(409, 'No migration in progress'),
        )
      }
    })

    test('takes ten wrong old passwords in five minutes', async () => {
      const { complete, signedUp, clock } = setUp()
      const email = await addLegacyStaff(db)
      const account = await signedUp(email)
      await Promise.all(Array.from({ length: 10 }, (_, index) => complete(email, account, `guess ${index}`)))
      expect(await complete(email, account, oldPassword)).toEqual(tooMany)
      clock.advance(5 * 60_000)
      expect(await complete(email, account, oldPassword)).toEqual(done)
    })

    test('needs no old password where a hosted provider has confirmed the e-mail, and does where it has not', async () => {
      const email = await addLegacyStaff(db)
      const id = crypto.randomUUID()
      let isProven = false
      const { complete } = setUp({
        verify: async () => ({ subject: id }),
        emailOf: async () => ({ address: email, isProven }),
      })
      const account = { id, token: 'a-token-of-the-project' }
      expect(await complete(email, account)).toEqual(refused(403, 'Migration failed', 'WRONG_PASSWORD'))
      isProven = true
      expect(await complete(email, account)).toEqual(done)
      expect(await supabaseIdOf(email)).toBe(id)
    })

    test('leaves nobody linked to an account that was replaced meanwhile', async () => {
      const email = await addLegacyStaff(db)
      const id = crypto.randomUUID()
      const verdicts = [{ subject: id }, null]
      const { complete, check } = setUp({
        verify: async () => verdicts.shift() ?? null,
        emailOf: async () => ({ address: email, isProven: false }),
      })
      expect(await complete(email, { id, token: 'a-token' }, oldPassword)).toEqual(
        refused(409, 'No migration in progress'),
      )
      expect(await supabaseIdOf(email)).toBeNull()
      expect((await check(email)).body.data.needsMigration).toBe(true)
    })

    test('refuses a body that is not the one asked for', async () => {
      const { post } = setUp()
      expect([await post('complete-migration', { email: 'a@example.com' }), await post('check-migration', {})]).toEqual(
        [refused(400, 'supabaseId is not valid'), refused(400, 'email is not valid')],
      )
    })
  })

  describe('the legacy login', () => {
    test('gives the pair to who need not migrate, whatever the case of the e-mail', async () => {
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
            },
          },
        },
      })
    })

    test('says why it refuses, but only to who knows the password', async () => {
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

    test('refuses an unknown e-mail and one without a legacy password like a wrong password', async () => {
      const { logIn } = setUp()
      const { email } = await addStaffAccount(db)
      expect([await logIn('nobody@example.com', oldPassword), await logIn(email, oldPassword)]).toEqual([
        wrongPassword,
        wrongPassword,
      ])
    })

    test('takes ten wrong passwords for one e-mail in five minutes, burst or not, and right ones without end', async () => {
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
