import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '../../../server/database/database.ts'
import { describeOnEachDatabase } from '../databases.ts'
import {
  addAccount,
  addLegacyStaff,
  addStaffAccount,
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

describeOnEachDatabase('the auth stand-in, spoken to by the unmodified client', (open) => {
  let db: Db
  let server: SupabaseServer

  beforeAll(async () => {
    const database = await open()
    db = database.db
    server = await serveSupabase(database)
  })
  afterAll(() => server.close())

  const authenticateUser = async () => {
    const account = await addAccount(db)
    const client = server.client()
    const { data } = await client.auth.signInWithPassword({ email: account.email, password })
    if (data.session === null) throw new Error('the sign-in was refused')
    return { ...account, client, session: data.session }
  }

  const refresh = (refreshToken: string) => server.client().auth.refreshSession({ refresh_token: refreshToken })

  test('the right password gives a session of one hour and its user, whatever the case of the e-mail', async () => {
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

  test('the access token carries the claims of the real service', async () => {
    const { id, email, client } = await authenticateUser()
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

  test('a wrong password and an unknown e-mail are refused alike', async () => {
    const { email } = await addAccount(db)
    const wrong = await server.client().auth.signInWithPassword({ email, password: 'not the password' })
    const unknown = await server.client().auth.signInWithPassword({ email: 'nobody@example.com', password })
    expect([plain(wrong.error), plain(unknown.error)]).toEqual([invalidCredentials, invalidCredentials])
  })

  test('an e-mail that is not confirmed is told so, but only with the right password', async () => {
    const { email } = await addAccount(db, { confirmed: false })
    const right = await server.client().auth.signInWithPassword({ email, password })
    const wrong = await server.client().auth.signInWithPassword({ email, password: 'not the password' })
    expect([plain(right.error), plain(wrong.error)]).toEqual([
      apiError(400, 'email_not_confirmed', 'Email not confirmed'),
      invalidCredentials,
    ])
  })

  test('legacy staff sign up and are signed in at once, and with the new password from then on', async () => {
    const email = await addLegacyStaff(db)
    const { data, error } = await server.client().auth.signUp({ email: email.toUpperCase(), password })
    expect({ error, email: data.user?.email }).toEqual({ error: null, email })
    expect((await server.client().auth.getUser(data.session?.access_token)).data.user?.id).toBe(data.user?.id)
    const signIn = await server.client().auth.signInWithPassword({ email, password })
    expect([signIn.error, signIn.data.user?.id]).toEqual([null, data.user?.id])
  })

  test('nobody else may sign up: strangers, staff without a legacy password, the inactive and who was excused', async () => {
    const { auth } = server.client()
    const stranger = `new-${crypto.randomUUID()}@example.com`
    const plainStaff = `staff-${crypto.randomUUID()}@example.com`
    await db.insertInto('staff').values({ email: plainStaff, role: 'agent' }).execute()
    const inactive = await addLegacyStaff(db, { is_active: false })
    const excused = await addLegacyStaff(db, { needs_migration: false })
    for (const email of [stranger, plainStaff, inactive, excused]) {
      expect(plain((await auth.signUp({ email, password })).error)).toEqual(
        apiError(422, 'signup_disabled', 'Signups not allowed for this instance'),
      )
    }
  })

  test('an account that nobody is tied to gives way to a later sign-up, with its sessions; its own password finds it', async () => {
    const email = await addLegacyStaff(db)
    const squatter = server.client()
    const first = await squatter.auth.signUp({ email, password: 'the word of a stranger' })
    const same = await server.client().auth.signUp({ email, password: 'the word of a stranger' })
    expect(plain(same.error)).toEqual(apiError(422, 'user_already_exists', 'User already registered'))
    const second = await server.client().auth.signUp({ email, password })
    expect([second.error, second.data.user?.id === first.data.user?.id]).toEqual([null, false])
    expect((await squatter.auth.getUser()).error).not.toBeNull()
    const signIn = (word: string) => server.client().auth.signInWithPassword({ email, password: word })
    expect(plain((await signIn('the word of a stranger')).error)).toEqual(invalidCredentials)
    expect((await signIn(password)).error).toBeNull()
  })

  test('an account that staff are tied to stays, whoever signs up', async () => {
    const { email } = await addStaffAccount(db)
    const again = await server.client().auth.signUp({ email: email.toUpperCase(), password: 'another long password' })
    expect(plain(again.error)).toEqual(apiError(422, 'user_already_exists', 'User already registered'))
    expect((await server.client().auth.signInWithPassword({ email, password })).error).toBeNull()
  })

  test('a weak password and an e-mail that is none are refused at the sign-up', async () => {
    const { auth } = server.client()
    const weak = await auth.signUp({ email: 'other@example.com', password: 'short' })
    const none = await auth.signUp({ email: 'not an e-mail', password })
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

  test('the user is answered to a good token, and to no other', async () => {
    const { id, client, session } = await authenticateUser()
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

  test('a refresh token gives a new session once', async () => {
    const { id, session } = await authenticateUser()
    const { data, error } = await refresh(session.refresh_token)
    expect(error).toBeNull()
    expect(data.user?.id).toBe(id)
    expect(data.session?.refresh_token).not.toBe(session.refresh_token)
  })

  test('for 10 s more the old refresh token answers with another valid successor', async () => {
    const { session } = await authenticateUser()
    const first = await refresh(session.refresh_token)
    server.clock.advance(10_000)
    const second = await refresh(session.refresh_token)
    expect(second.error).toBeNull()
    for (const { data } of [first, second]) {
      const next = await refresh(data.session?.refresh_token ?? '')
      expect(next.error).toBeNull()
    }
  })

  test('two refreshes at once are both answered', async () => {
    const { session } = await authenticateUser()
    const answers = await Promise.all([refresh(session.refresh_token), refresh(session.refresh_token)])
    expect(answers.map(({ error }) => error)).toEqual([null, null])
  })

  test('an old refresh token used after 10 s ends the session once its successor was used, that one included', async () => {
    const { session } = await authenticateUser()
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

  test('an answer that was lost for long can be asked for again; the lost one, turning up, ends the session', async () => {
    const { session } = await authenticateUser()
    const lost = await refresh(session.refresh_token)
    server.clock.advance(30 * 60_000)
    const again = await refresh(session.refresh_token)
    expect(again.error).toBeNull()
    const goesOn = await refresh(again.data.session?.refresh_token ?? '')
    expect(goesOn.error).toBeNull()
    const stolen = await refresh(lost.data.session?.refresh_token ?? '')
    expect(plain(stolen.error)).toEqual(
      apiError(400, 'refresh_token_already_used', 'Invalid Refresh Token: Already Used'),
    )
    expect((await refresh(goesOn.data.session?.refresh_token ?? '')).error).not.toBeNull()
  })

  test('a refresh token of a session that was ended is refused, though it was never used', async () => {
    const { id, session } = await authenticateUser()
    await db.updateTable('auth_sessions').set({ revoked_at: new Date() }).where('user_id', '=', id).execute()
    expect(plain((await refresh(session.refresh_token)).error)).toEqual(
      apiError(400, 'refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found'),
    )
  })

  test('a refresh token ends after 90 days', async () => {
    const { session } = await authenticateUser()
    server.clock.advance(90 * 24 * 60 * 60 * 1000)
    const late = await refresh(session.refresh_token)
    expect(plain(late.error)).toEqual(apiError(400, 'session_expired', 'Invalid Refresh Token: Session Expired'))
  })

  test('signing out ends the sessions of its scope', async () => {
    const { email, client } = await authenticateUser()
    const another = async () => {
      const other = server.client()
      await other.auth.signInWithPassword({ email, password })
      return other
    }
    const [second, third] = [await another(), await another()]
    const alive = async () =>
      Promise.all([client, second, third].map(async ({ auth }) => (await auth.getUser()).error === null))

    expect((await second.auth.signOut({ scope: 'local' })).error).toBeNull()
    expect(await alive()).toEqual([true, false, true])
    expect((await client.auth.signOut({ scope: 'others' })).error).toBeNull()
    expect(await alive()).toEqual([true, false, false])
    expect((await client.auth.signOut()).error).toBeNull()
    expect(await alive()).toEqual([false, false, false])
  })

  test('after ten wrong passwords for one e-mail the right one has to wait, and other e-mails do not', async () => {
    const [guessed, other] = [await addAccount(db), await addAccount(db)]
    const signIn = (email: string, word: string) => server.client().auth.signInWithPassword({ email, password: word })
    await Promise.all(Array.from({ length: 10 }, (_, index) => signIn(guessed.email, `guess ${index}`)))
    const held = await signIn(guessed.email, password)
    expect(plain(held.error)).toEqual(apiError(429, 'over_request_rate_limit', 'Request rate limit reached'))
    expect((await signIn(other.email, password)).error).toBeNull()
    server.clock.advance(5 * 60_000)
    expect((await signIn(guessed.email, password)).error).toBeNull()
  })

  test('answers and refusals can be read by a page of another origin', async () => {
    const call = (body: string) =>
      fetch(`${server.url}/auth/v1/token?grant_type=password`, {
        method: 'POST',
        body,
        headers: { origin: 'https://inbox.example.com', 'content-type': 'application/json' },
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
      }).toEqual({ status, origin: '*', exposed: 'x-supabase-api-version,Retry-After', version: '2024-01-01' })
    }
  })

  test('a body that is no JSON, one without a password and an unknown grant are refused', async () => {
    const call = async (grant: string, body: string) => {
      const answer = await fetch(`${server.url}/auth/v1/token?grant_type=${grant}`, { method: 'POST', body })
      const { code } = (await answer.json()) as { code: string }
      return [answer.status, code]
    }
    const invalidTextErrors = JSON.stringify({ email: 'a\0b@example.com', password })
    expect([
      await call('password', '{'),
      await call('password', '{}'),
      await call('password', invalidTextErrors),
      await call('magic', '{}'),
    ]).toEqual([
      [400, 'bad_json'],
      [400, 'validation_failed'],
      [400, 'validation_failed'],
      [400, 'invalid_credentials'],
    ])
  })
})
