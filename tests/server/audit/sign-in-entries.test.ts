import { beforeEach, expect, test } from 'vitest'
import type { OpenDatabase } from '../../../server/database/database.ts'
import { accountsApp } from '../accounts-harness.ts'
import { describeOnDatabase } from '../databases.ts'
import { addLegacyStaff, addStaffAccount, password } from '../supabase-server.ts'

describeOnDatabase('Sign-ins in the audit log', (open) => {
  let database: OpenDatabase
  let app: ReturnType<typeof accountsApp>
  let earlier = 0
  beforeEach(async () => {
    database = await open()
    app = accountsApp(database)
    await database.db.deleteFrom('attempts').execute()
    earlier = (await entriesAfter(0)).at(-1)?.id ?? 0
  })
  const entriesAfter = (id: number) =>
    database.db
      .selectFrom('audit_entries')
      .select(['id', 'action', 'staff_name', 'details'])
      .where('id', '>', id)
      .orderBy('id')
      .execute()
  const entries = async () =>
    (await entriesAfter(earlier)).map(({ action, staff_name, details }) => ({ action, staff_name, details }))
  /** One press of "Sign in", as the page carries it out: the provider, then the legacy login. */
  const signInAs = async (email: string, word: string) => {
    const answer = await app.call('POST', '/auth/v1/token?grant_type=password', { email, password: word })
    if (answer.status === 200) return app.exchange(String(answer.body['access_token']))
    return app.post('login', { email, password: word })
  }
  const signedIn = { action: 'sign-in.succeeded', staff_name: 'Ana Reyes', details: {} }
  const refused = { action: 'sign-in.refused', staff_name: 'Ana Reyes', details: { reason: 'wrong-password' } }

  test('a session that another page load continues is one sign-in', async () => {
    const { email } = await addStaffAccount(database.db)
    const { token, refreshToken } = await app.atProvider(email)
    await Promise.all([app.exchange(token), app.exchange(token)])
    await app.exchange(token)
    const { body } = await app.refreshAtProvider(refreshToken)
    expect((await app.exchange(String(body['access_token']))).status).toBe(200)
    expect(await entries()).toEqual([signedIn])
    await app.signIn(email)
    expect(await entries()).toEqual([signedIn, signedIn])
  })

  test('one wrong password of a person with an account is one refusal', async () => {
    const { email } = await addStaffAccount(database.db)
    await signInAs(email, 'not the password')
    expect(await entries()).toEqual([refused])
    await signInAs(email, 'not this one either')
    expect(await entries()).toEqual([refused, refused])
  })

  test('one wrong password for an unknown email is one refusal', async () => {
    await signInAs('nobody@example.com', 'not the password')
    expect(await entries()).toEqual([{ ...refused, staff_name: null }])
  })

  test('legacy staff leave one refusal for a wrong password, and none for the right one', async () => {
    const email = await addLegacyStaff(database.db, { needs_migration: false })
    await signInAs(email, 'not the password')
    expect(await entries()).toEqual([refused])
    expect((await signInAs(email, password)).status).toBe(200)
    expect(await entries()).toEqual([refused, signedIn])
  })

  test('a wrong password at one of the two logins alone is recorded', async () => {
    const { email } = await addStaffAccount(database.db)
    const wrong = { email, password: 'not the password' }
    await app.call('POST', '/auth/v1/token?grant_type=password', wrong)
    await app.post('login', wrong)
    await app.post('login', wrong)
    expect(await entries()).toEqual([refused, refused])
    await app.call('POST', '/auth/v1/token?grant_type=password', wrong)
    app.clock.advance(60_000)
    await app.post('login', wrong)
    expect(await entries()).toEqual([refused, refused, refused, refused])
  })
})
