import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '../../../server/database/database.ts'
import { describeOnDatabase } from '../databases.ts'
import {
  addAccount,
  addLegacyStaff,
  addStaffAccount,
  allowedOrigin,
  password,
  type SupabaseServer,
  serveSupabase,
} from '../supabase-server.ts'

const plain = (error: unknown) =>
  error instanceof Error
    ? {
        name: error.name,
        message: error.message,
        status: 'status' in error ? error.status : undefined,
        code: 'code' in error ? error.code : undefined,
      }
    : error

const apiError = (status: number, code: string, message: string) => ({ name: 'AuthApiError', message, status, code })

const invalidCredentials = apiError(400, 'invalid_credentials', 'Invalid login credentials')

describeOnDatabase('The auth stand-in with the Supabase client', (open) => {
  let db: Db
  let server: SupabaseServer

  beforeAll(async () => {
    const database = await open()
    db = database.db
    server = await serveSupabase(database)
  })
  afterAll(() => server.close())

  const signedInUser = async () => {
    const account = await addAccount(db)
    const client = server.client()
    const { data } = await client.auth.signInWithPassword({ email: account.email, password })
    if (data.session === null) throw new Error('the sign-in was refused')
    return { ...account, client, session: data.session }
  }

  const refresh = (refreshToken: string) => server.client().auth.refreshSession({ refresh_token: refreshToken })

  test('returns a session of one hour and its user for the correct password, ignoring the case of the email', async () => {
    const { id, email } = await addAccount(db)
    const { data, error } = await server.client().auth.signInWithPassword({ email: email.toUpperCase(), password })
    expect(error).toBeNull()
    expect({
      token_type: data.session?.token_type,
      expires_in: data.session?.expires_in,
      expires_at: data.session?.expires_at,
      user: { id: data.user?.id, email: data.user?.email, role: data.user?.role, aud: data.user?.aud },
    }).toEqual({
      token_type: 'bearer',
      expires_in: 3600,
      expires_at: Math.floor(server.clock.now() / 1000) + 3600,
      user: { id, email, role: 'authenticated', aud: 'authenticated' },
    })
  })

  test('issues access tokens with the claims of the real service', async () => {
    const { id, email, client } = await signedInUser()
    const { data } = await client.auth.getClaims()
    const { session_id, iat, exp, amr, ...claims } = data?.claims ?? {}
    expect(claims).toEqual({
      sub: id,
      email,
      phone: '',
      role: 'authenticated',
      aud: 'authenticated',
      iss: 'staff-inbox/auth/v1',
      aal: 'aal1',
      is_anonymous: false,
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: {},
    })
    expect(Number(exp) - Number(iat)).toBe(3600)
  })

  test('rejects a wrong password and an unknown email with the same error', async () => {
    const { email } = await addAccount(db)
    const wrong = await server.client().auth.signInWithPassword({ email, password: 'not the password' })
    const unknown = await server.client().auth.signInWithPassword({ email: 'nobody@example.com', password })
    expect([plain(wrong.error), plain(unknown.error)]).toEqual([invalidCredentials, invalidCredentials])
  })

  test('reports an unconfirmed email only for the correct password', async () => {
    const { email } = await addAccount(db, { confirmed: false })
    const right = await server.client().auth.signInWithPassword({ email, password })
    const wrong = await server.client().auth.signInWithPassword({ email, password: 'not the password' })
    expect([plain(right.error), plain(wrong.error)]).toEqual([
      apiError(400, 'email_not_confirmed', 'Email not confirmed'),
      invalidCredentials,
    ])
  })

  test('signs legacy staff up and in with a new password', async () => {
    const email = await addLegacyStaff(db)
    const { data, error } = await server.client().auth.signUp({ email: email.toUpperCase(), password })
    expect({ error, email: data.user?.email }).toEqual({ error: null, email })
    expect((await server.client().auth.getUser(data.session?.access_token)).data.user?.id).toBe(data.user?.id)
    const signIn = await server.client().auth.signInWithPassword({ email, password })
    expect([signIn.error, signIn.data.user?.id]).toEqual([null, data.user?.id])
  })

  test('answers a sign-up the same for every email that may not sign up, after the same queries', async () => {
    const stranger = `new-${crypto.randomUUID()}@example.com`
    const plainStaff = `staff-${crypto.randomUUID()}@example.com`
    await db.insertInto('staff').values({ email: plainStaff, role: 'agent' }).execute()
    const emails = [
      stranger,
      plainStaff,
      await addLegacyStaff(db, { is_active: false }),
      await addLegacyStaff(db, { needs_migration: false }),
      (await addAccount(db)).email,
      (await addStaffAccount(db)).email,
    ]
    const queries: string[] = []
    const counted = db.withPlugin({
      transformQuery: ({ node }) => {
        queries.push(node.kind)
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const other = await serveSupabase({ ...(await open()), db: counted })
    const answers = []
    for (const email of emails) {
      queries.length = 0
      const { error } = await other.client().auth.signUp({ email, password })
      answers.push({ error: plain(error), queries: [...queries] })
    }
    await other.close()
    const answer = {
      error: apiError(422, 'user_already_exists', 'User already registered'),
      // The limit of attempts, then the account.
      queries: ['RawNode', 'SelectQueryNode'],
    }
    expect(answers).toEqual(emails.map(() => answer))
  })

  test('replaces an account without staff and its sessions on a sign-up with another password', async () => {
    const email = await addLegacyStaff(db)
    const squatter = server.client()
    const first = await squatter.auth.signUp({ email, password: 'the password of a stranger' })
    const same = await server.client().auth.signUp({ email, password: 'the password of a stranger' })
    expect(plain(same.error)).toEqual(apiError(422, 'user_already_exists', 'User already registered'))
    const second = await server.client().auth.signUp({ email, password })
    expect([second.error, second.data.user?.id === first.data.user?.id]).toEqual([null, false])
    expect((await squatter.auth.getUser()).error).not.toBeNull()
    const signIn = (word: string) => server.client().auth.signInWithPassword({ email, password: word })
    expect(plain((await signIn('the password of a stranger')).error)).toEqual(invalidCredentials)
    expect((await signIn(password)).error).toBeNull()
  })

  test('keeps an account that is linked to staff on another sign-up', async () => {
    const { email } = await addStaffAccount(db)
    const again = await server.client().auth.signUp({ email: email.toUpperCase(), password: 'another long password' })
    expect(plain(again.error)).toEqual(apiError(422, 'user_already_exists', 'User already registered'))
    expect((await server.client().auth.signInWithPassword({ email, password })).error).toBeNull()
  })

  test('rejects a sign-up with a weak password or an invalid email', async () => {
    const { auth } = server.client()
    const weak = await auth.signUp({ email: 'other@example.com', password: 'short' })
    const none = await auth.signUp({ email: 'not an email', password })
    expect([weak, none].map(({ error }) => plain(error))).toEqual([
      {
        name: 'AuthWeakPasswordError',
        message: 'Password should be at least 8 characters.',
        status: 422,
        code: 'weak_password',
      },
      apiError(400, 'validation_failed', 'Unable to validate email address: invalid format'),
    ])
    expect(weak.error).toMatchObject({ reasons: ['length'] })
  })

  test('returns the user for a valid token only', async () => {
    const { id, client, session } = await signedInUser()
    const good = await client.auth.getUser()
    expect(good.data.user?.id).toBe(id)

    const [head, body] = session.access_token.split('.')
    const forged = await client.auth.getUser(`${head}.${body}.${'A'.repeat(43)}`)
    expect(plain(forged.error)).toEqual(
      apiError(403, 'bad_jwt', 'invalid JWT: unable to parse or verify signature, Failed to validate JWT signature'),
    )
    const none = await fetch(`${server.url}/auth/v1/user`, { headers: { apikey: 'embedded' } })
    expect([none.status, await none.json()]).toEqual([
      401,
      {
        code: 'no_authorization',
        error_code: 'no_authorization',
        message: 'This endpoint requires a valid Bearer token',
        msg: 'This endpoint requires a valid Bearer token',
      },
    ])
  })

  test('returns a new session for a refresh token', async () => {
    const { id, session } = await signedInUser()
    const { data, error } = await refresh(session.refresh_token)
    expect(error).toBeNull()
    expect(data.user?.id).toBe(id)
    expect(data.session?.refresh_token).not.toBe(session.refresh_token)
  })

  test('accepts a used refresh token for 10 s, with another valid successor', async () => {
    const { session } = await signedInUser()
    const first = await refresh(session.refresh_token)
    server.clock.advance(10_000)
    const second = await refresh(session.refresh_token)
    expect(second.error).toBeNull()
    for (const { data } of [first, second]) {
      const next = await refresh(data.session?.refresh_token ?? '')
      expect(next.error).toBeNull()
    }
  })

  test('accepts two simultaneous refreshes', async () => {
    const { session } = await signedInUser()
    const answers = await Promise.all([refresh(session.refresh_token), refresh(session.refresh_token)])
    expect(answers.map(({ error }) => error)).toEqual([null, null])
  })

  test('ends the session when a refresh token is reused after 10 s and its successor was used', async () => {
    const { session } = await signedInUser()
    const next = await refresh(session.refresh_token)
    const last = await refresh(next.data.session?.refresh_token ?? '')
    server.clock.advance(10_001)
    const reused = await refresh(session.refresh_token)
    expect(plain(reused.error)).toEqual(
      apiError(400, 'refresh_token_already_used', 'Invalid Refresh Token: Already Used'),
    )
    const successor = await refresh(last.data.session?.refresh_token ?? '')
    expect(plain(successor.error)).toEqual(
      apiError(400, 'refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found'),
    )
    const user = await server.client().auth.getUser(last.data.session?.access_token)
    expect(plain(user.error)).toMatchObject({ name: 'AuthSessionMissingError' })
  })

  test('accepts a reused refresh token while its successor is unused, and ends the session when that successor is used later', async () => {
    const { session } = await signedInUser()
    const lost = await refresh(session.refresh_token)
    server.clock.advance(30 * 60_000)
    const again = await refresh(session.refresh_token)
    expect(again.error).toBeNull()
    const continued = await refresh(again.data.session?.refresh_token ?? '')
    expect(continued.error).toBeNull()
    const stolen = await refresh(lost.data.session?.refresh_token ?? '')
    expect(plain(stolen.error)).toEqual(
      apiError(400, 'refresh_token_already_used', 'Invalid Refresh Token: Already Used'),
    )
    expect((await refresh(continued.data.session?.refresh_token ?? '')).error).not.toBeNull()
  })

  test('rejects an unused refresh token of an ended session', async () => {
    const { id, session } = await signedInUser()
    await db.updateTable('auth_sessions').set({ revoked_at: new Date() }).where('user_id', '=', id).execute()
    expect(plain((await refresh(session.refresh_token)).error)).toEqual(
      apiError(400, 'refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found'),
    )
  })

  test('rejects a refresh token after 90 days', async () => {
    const { session } = await signedInUser()
    server.clock.advance(90 * 24 * 60 * 60 * 1000)
    const late = await refresh(session.refresh_token)
    expect(plain(late.error)).toEqual(apiError(400, 'session_expired', 'Invalid Refresh Token: Session Expired'))
  })

  test('ends the sessions of the sign-out scope', async () => {
    const { email, client } = await signedInUser()
    const another = async () => {
      const other = server.client()
      await other.auth.signInWithPassword({ email, password })
      return other
    }
    const [second, third] = [await another(), await another()]
    const activeSessions = async () =>
      Promise.all([client, second, third].map(async ({ auth }) => (await auth.getUser()).error === null))

    expect((await second.auth.signOut({ scope: 'local' })).error).toBeNull()
    expect(await activeSessions()).toEqual([true, false, true])
    expect((await client.auth.signOut({ scope: 'others' })).error).toBeNull()
    expect(await activeSessions()).toEqual([true, false, false])
    expect((await client.auth.signOut()).error).toBeNull()
    expect(await activeSessions()).toEqual([false, false, false])
  })

  test('rejects the correct password after ten wrong ones for that email only', async () => {
    const [guessed, other] = [await addAccount(db), await addAccount(db)]
    const signIn = (email: string, word: string) => server.client().auth.signInWithPassword({ email, password: word })
    await Promise.all(Array.from({ length: 10 }, (_, index) => signIn(guessed.email, `guess ${index}`)))
    const limited = await signIn(guessed.email, password)
    expect(plain(limited.error)).toEqual(apiError(429, 'over_request_rate_limit', 'Request rate limit reached'))
    expect((await signIn(other.email, password)).error).toBeNull()
    server.clock.advance(5 * 60_000)
    expect((await signIn(guessed.email, password)).error).toBeNull()
  })

  test('allows the configured origins, and no other, to read responses and errors', async () => {
    const call = (body: string, origin = allowedOrigin) =>
      fetch(`${server.url}/auth/v1/token?grant_type=password`, {
        method: 'POST',
        body,
        headers: { origin, 'content-type': 'application/json' },
      })
    const { email } = await addAccount(db)
    for (const [answer, status] of [
      [await call(JSON.stringify({ email, password })), 200],
      [await call('{'), 400],
      [await call('{}'), 400],
    ] as const) {
      expect({
        status: answer.status,
        origin: answer.headers.get('access-control-allow-origin'),
        exposed: answer.headers.get('access-control-expose-headers'),
        version: answer.headers.get('x-supabase-api-version'),
      }).toEqual({
        status,
        origin: allowedOrigin,
        exposed: 'x-supabase-api-version,Retry-After',
        version: '2024-01-01',
      })
    }
    const foreign = await call(JSON.stringify({ email, password }), 'https://elsewhere.example.com')
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('rejects invalid JSON, a missing password, invalid text and an unknown grant', async () => {
    const call = async (grant: string, body: string) => {
      const answer = await fetch(`${server.url}/auth/v1/token?grant_type=${grant}`, { method: 'POST', body })
      const { code } = (await answer.json()) as { code: string }
      return [answer.status, code]
    }
    const emailWithNul = JSON.stringify({ email: 'a\0b@example.com', password })
    expect([
      await call('password', '{'),
      await call('password', '{}'),
      await call('password', emailWithNul),
      await call('magic', '{}'),
    ]).toEqual([
      [400, 'bad_json'],
      [400, 'validation_failed'],
      [400, 'validation_failed'],
      [400, 'invalid_credentials'],
    ])
  })
})
