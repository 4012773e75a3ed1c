import { beforeAll, expect, test } from 'vitest'
import type { OpenDatabase } from '../../../server/database/database.ts'
import { rekey } from '../../../server/rekey.ts'
import { resetSecondFactor } from '../../../server/reset-staff.ts'
import { createRealtimeAccess } from '../../../server/stand-ins/supabase/realtime/access.ts'
import { type Answer, accountsApp, auditedActions, codeAt, dataOf } from '../accounts-harness.ts'
import { describeOnDatabase } from '../databases.ts'
import { addLegacyStaff, addStaffAccount, oldPassword, password } from '../supabase-server.ts'

const codeOf = ({ status, body }: Answer) => [status, body['code']]
const codeNeeded = [403, 'SECOND_FACTOR_NEEDED']
const wrong = [422, 'WRONG_CODE']
const tooMany = [429, undefined]

describeOnDatabase('The second factor', (open) => {
  let database: OpenDatabase
  beforeAll(async () => {
    database = await open()
  })

  const withFactor = async (options: Parameters<typeof accountsApp>[1] = {}) => {
    const app = accountsApp(database, options)
    const person = await addStaffAccount(database.db)
    const first = await app.signIn(person.email)
    return { app, person, first, ...(await app.enrol(first.token)) }
  }

  test('stores the secret encrypted and the recovery codes hashed', async () => {
    const { person, secret, recoveryCodes } = await withFactor()
    const factors = await database.db
      .selectFrom('second_factors')
      .selectAll()
      .where('staff_id', '=', person.staffId)
      .execute()
    const codes = await database.db
      .selectFrom('recovery_codes')
      .selectAll()
      .where('staff_id', '=', person.staffId)
      .execute()
    expect(factors).toHaveLength(1)
    expect(new Set(recoveryCodes).size).toBe(10)
    expect(codes).toHaveLength(10)
    const stored = JSON.stringify([factors, codes])
    for (const hidden of [secret, ...recoveryCodes]) expect(stored).not.toContain(hidden)
  })

  test('gives an address that names product, person and secret', async () => {
    const app = accountsApp(database)
    const { email } = await addStaffAccount(database.db)
    const { token } = await app.signIn(email)
    const { secret, uri } = dataOf(await app.post('second-factor/begin', { password }, token))
    const url = new URL(uri)
    expect([url.protocol, url.host, decodeURIComponent(url.pathname)]).toEqual([
      'otpauth:',
      'totp',
      `/Staff Inbox:${email}`,
    ])
    expect(Object.fromEntries(url.searchParams)).toEqual({
      issuer: 'Staff Inbox',
      secret,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
  })

  test('ends the other sessions when it is confirmed, and keeps the own', async () => {
    const app = accountsApp(database)
    const { email } = await addStaffAccount(database.db)
    const [own, other] = [await app.signIn(email), await app.signIn(email)]
    await app.enrol(own.token)
    expect([
      (await app.me(own.token)).status,
      (await app.exchange(own.provider.token)).status,
      (await app.me(other.token)).status,
      (await app.refresh(other.refreshToken)).status,
      (await app.refreshAtProvider(other.provider.refreshToken)).status,
    ]).toEqual([200, 200, 401, 401, 400])
  })

  test('no path issues a token of the product before the code is entered, and realtime is not heard', async () => {
    const { app, person, secret } = await withFactor()
    const { token, refreshToken } = await app.atProvider(person.email)
    const hears = createRealtimeAccess({ db: database.db, tokens: app.tokens })
    const renewed = await app.refreshAtProvider(refreshToken)
    const renewedToken = String(renewed.body['access_token'])
    for (const providerToken of [token, renewedToken]) {
      expect([
        codeOf(await app.exchange(providerToken)),
        (await app.me(providerToken)).status,
        (await app.refresh(refreshToken)).status,
        (await app.post('second-factor/begin', { password }, providerToken)).status,
        (await app.post('second-factor/confirm', { code: codeAt(secret, app.clock) }, providerToken)).status,
        (await app.post('second-factor/disable', { password, code: codeAt(secret, app.clock) }, providerToken)).status,
        codeOf(await app.changePassword(providerToken, password, 'another long password')),
        await hears(providerToken),
      ]).toEqual([
        codeNeeded,
        401,
        401,
        401,
        401,
        401,
        codeNeeded,
        { valid: false, fault: 'Unauthorized', message: 'The sign-in is not complete' },
      ])
    }
    expect((await app.post('login', { email: person.email, password })).status).toBe(401)
    expect(codeOf(await app.post('second-factor/verify', { code: '000000' }, token))).toEqual(wrong)
    expect(codeOf(await app.exchange(token))).toEqual(codeNeeded)

    expect((await app.post('second-factor/verify', { code: codeAt(secret, app.clock) }, token)).status).toBe(200)
    const session = dataOf(await app.exchange(token))
    // The session of the provider stays verified through its refresh and a reload.
    expect([
      (await app.me(session.token)).status,
      (await app.exchange(renewedToken)).status,
      (await hears(renewedToken)).valid,
    ]).toEqual([200, 200, true])
  })

  test('a legacy password does not go around it', async () => {
    const { app, person } = await withFactor()
    const legacy = await addLegacyStaff(database.db, { needs_migration: false })
    const { legacy_password_hash } = await database.db
      .selectFrom('staff')
      .select('legacy_password_hash')
      .where('email', '=', legacy)
      .executeTakeFirstOrThrow()
    await database.db
      .updateTable('staff')
      .set({ legacy_password_hash, needs_migration: false, supabase_id: null })
      .where('id', '=', person.staffId)
      .execute()
    expect(codeOf(await app.post('login', { email: person.email, password: oldPassword }))).toEqual([
      403,
      'USE_NEW_LOGIN',
    ])
  })

  test('accepts the codes of one step before and after, each once and in order', async () => {
    const { app, person, secret } = await withFactor()
    app.clock.advance(300_000)
    const { token } = await app.atProvider(person.email)
    const enter = async (steps: number) =>
      (await app.post('second-factor/verify', { code: codeAt(secret, app.clock, steps) }, token)).status
    expect([
      await enter(-2),
      await enter(2),
      await enter(-1),
      await enter(-1),
      await enter(1),
      await enter(0),
      await enter(1),
    ]).toEqual([422, 422, 200, 422, 200, 422, 422])
  })

  test('of two requests with one code only one is accepted', async () => {
    const { app, person, secret, recoveryCodes } = await withFactor()
    const { token } = await app.atProvider(person.email)
    for (const code of [codeAt(secret, app.clock), recoveryCodes[0]]) {
      const answers = await Promise.all([1, 2].map(() => app.post('second-factor/verify', { code }, token)))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
    }
  })

  test('accepts each recovery code once, with dashes, spaces and capitals', async () => {
    const { app, person, recoveryCodes, first } = await withFactor()
    const { token } = await app.atProvider(person.email)
    const [code = ''] = recoveryCodes
    const typed = ` ${code.slice(0, 4).toUpperCase()}-${code.slice(4, 8)} ${code.slice(8)} `
    const enter = (word: string) => app.post('second-factor/verify', { code: word }, token)
    expect([(await enter(typed)).status, codeOf(await enter(code)), (await app.exchange(token)).status]).toEqual([
      200,
      wrong,
      200,
    ])
    expect((await app.call('GET', '/api/auth/second-factor', undefined, first.token)).body['data']).toEqual({
      isOn: true,
      isRequired: false,
      recoveryCodesLeft: 9,
    })
  })

  test('allows ten wrong codes in a quarter of an hour, for this person only', async () => {
    const { app, person, secret } = await withFactor()
    const { token } = await app.atProvider(person.email)
    const enter = async (code: string) => codeOf(await app.post('second-factor/verify', { code }, token))
    // The entries of a minute are limited, and other tests have refusals at the start.
    app.clock.advance(30 * 60_000)
    for (let guess = 0; guess < 10; guess++) expect(await enter(`guess ${guess}`)).toEqual(wrong)
    expect(await enter(codeAt(secret, app.clock))).toEqual(tooMany)
    const refused = await database.db
      .selectFrom('audit_entries')
      .select('details')
      .where('staff_id', '=', person.staffId)
      .where('action', '=', 'sign-in.refused')
      .execute()
    expect(refused.map(({ details }) => details)).toEqual(Array(10).fill({ reason: 'wrong-code' }))
    expect(JSON.stringify(await database.db.selectFrom('audit_entries').selectAll().execute())).not.toContain('guess')
    const other = await addStaffAccount(database.db)
    await app.enrol((await app.signIn(other.email)).token)
    app.clock.advance(15 * 60_000)
    expect(await enter(codeAt(secret, app.clock))).toEqual([200, undefined])
  })

  test('is removed with password and code, and is then no longer asked for', async () => {
    const { app, person, first, secret } = await withFactor()
    const disable = async (word: string, code: string) =>
      codeOf(await app.post('second-factor/disable', { password: word, code }, first.token))
    expect([
      await disable('a wrong password', codeAt(secret, app.clock)),
      await disable(password, '000000'),
      await disable(password, codeAt(secret, app.clock)),
      await disable(password, codeAt(secret, app.clock)),
    ]).toEqual([[422, 'WRONG_PASSWORD'], wrong, [200, undefined], [409, undefined]])
    expect((await app.signIn(person.email)).token).toBeTypeOf('string')
    expect(await auditedActions(database, person.staffId)).toEqual(
      expect.arrayContaining(['second-factor.enabled', 'second-factor.disabled']),
    )
  })

  test('is not begun by a session alone: with a product or a provider token the password is needed', async () => {
    const app = accountsApp(database)
    const { email } = await addStaffAccount(database.db)
    const { token, provider } = await app.signIn(email)
    for (const bearer of [token, provider.token]) {
      expect([
        (await app.post('second-factor/begin', undefined, bearer)).status,
        codeOf(await app.post('second-factor/begin', { password: 'a wrong password' }, bearer)),
      ]).toEqual([400, [422, 'WRONG_PASSWORD']])
    }
    expect((await app.post('second-factor/confirm', { code: '000000' }, token)).status).toBe(409)
    for (let guess = 0; guess < 8; guess++) await app.post('second-factor/begin', { password: `guess ${guess}` }, token)
    expect(codeOf(await app.post('second-factor/begin', { password }, token))).toEqual(tooMany)
  })

  test('gets new recovery codes with password and code, which end the old ones', async () => {
    const { app, person, first, secret, recoveryCodes } = await withFactor()
    const issue = (word: string, code: string, token = first.token) =>
      app.post('second-factor/recovery-codes', { password: word, code }, token)
    const code = () => codeAt(secret, app.clock)
    expect([
      codeOf(await issue('a wrong password', code())),
      codeOf(await issue(password, '000000')),
      (await issue(password, code(), first.provider.token)).status,
    ]).toEqual([[422, 'WRONG_PASSWORD'], wrong, 401])
    const issued = dataOf(await issue(password, code())).recoveryCodes
    expect(new Set([...issued, ...recoveryCodes]).size).toBe(20)
    const { token } = await app.atProvider(person.email)
    const enter = async (word: string | undefined) =>
      codeOf(await app.post('second-factor/verify', { code: word }, token))
    expect([await enter(recoveryCodes[0]), await enter(issued[0])]).toEqual([wrong, [200, undefined]])
    expect((await app.call('GET', '/api/auth/second-factor', undefined, first.token)).body['data']).toEqual({
      isOn: true,
      isRequired: false,
      recoveryCodesLeft: 9,
    })
    expect((await auditedActions(database, person.staffId)).filter((action) => action.includes('codes'))).toEqual([
      'second-factor.codes-issued',
    ])
    const plain = await app.signIn((await addStaffAccount(database.db)).email)
    expect((await issue(password, '000000', plain.token)).status).toBe(409)
  })

  test('is removed by an administrator for a person who lost it', async () => {
    const { app, person } = await withFactor()
    await resetSecondFactor({ db: database.db, clock: app.clock }, person.email)
    expect((await app.signIn(person.email)).token).toBeTypeOf('string')
    await expect(resetSecondFactor({ db: database.db, clock: app.clock }, person.email)).rejects.toThrow(
      'has no two-step sign-in',
    )
  })

  test('cannot be replaced while it is on, and an unconfirmed one counts for nothing', async () => {
    const { app, first } = await withFactor()
    expect((await app.post('second-factor/begin', { password }, first.token)).status).toBe(409)
    const { email } = await addStaffAccount(database.db)
    const own = await app.signIn(email)
    const begun = dataOf(await app.post('second-factor/begin', { password }, own.token))
    const again = dataOf(await app.post('second-factor/begin', { password }, own.token))
    expect((await app.signIn(email)).token).toBeTypeOf('string')
    const confirm = async (secret: string) =>
      (await app.post('second-factor/confirm', { code: codeAt(secret, app.clock) }, own.token)).status
    expect([await confirm(begun.secret), await confirm(again.secret), await confirm(again.secret)]).toEqual([
      422, 200, 409,
    ])
  })

  test('works after its secret was encrypted with a new key, without the old one', async () => {
    const [old, next] = ['an old secret of thirty-two characters', 'a new secret of thirty-two characters']
    const app = accountsApp(database, { keyring: { secrets: [old], hasIds: false } })
    const { email } = await addStaffAccount(database.db)
    const { secret } = await app.enrol((await app.signIn(email)).token)
    await rekey(database.db, { secrets: [next, old], hasIds: true })
    const later = accountsApp(database, { keyring: { secrets: [next], hasIds: true }, clock: app.clock })
    const { token } = await later.atProvider(email)
    const code = codeAt(secret, later.clock)
    expect((await later.post('second-factor/verify', { code }, token)).status).toBe(200)
  })

  test('ends sessions without a factor once a setting requires one, at their next refresh', async () => {
    const before = accountsApp(database)
    const admin = await before.signIn((await addStaffAccount(database.db)).email)
    const agent = await before.signIn((await addStaffAccount(database.db, { role: 'agent' })).email)
    const enrolled = await before.signIn((await addStaffAccount(database.db)).email)
    await before.enrol(enrolled.token)
    const after = accountsApp(database, { required: 'admins', clock: before.clock })
    const statuses = []
    for (const { refreshToken } of [admin, agent, enrolled]) statuses.push((await after.refresh(refreshToken)).status)
    expect(statuses).toEqual([401, 200, 200])
    expect((await after.me(admin.token)).status).toBe(401)
  })

  test('is set up during the sign-in by those for whom a setting requires it', async () => {
    const app = accountsApp(database, { required: 'admins' })
    const admin = await addStaffAccount(database.db)
    const agent = await addStaffAccount(database.db, { role: 'agent' })
    expect((await app.signIn(agent.email)).token).toBeTypeOf('string')
    const { token } = await app.atProvider(admin.email)
    const hears = createRealtimeAccess({ db: database.db, tokens: app.tokens, requireSecondFactor: 'admins' })
    expect([codeOf(await app.exchange(token)), (await hears(token)).valid]).toEqual([[403, 'ENROLMENT_NEEDED'], false])
    await app.enrol(token)
    expect([(await app.exchange(token)).status, (await hears(token)).valid]).toEqual([200, true])
    expect(codeOf(await app.exchange((await app.atProvider(admin.email)).token))).toEqual(codeNeeded)

    const everyone = accountsApp(database, { required: 'all' })
    expect(codeOf(await everyone.exchange((await everyone.atProvider(agent.email)).token))).toEqual([
      403,
      'ENROLMENT_NEEDED',
    ])
    const legacy = await addLegacyStaff(database.db, { needs_migration: false })
    expect((await everyone.post('login', { email: legacy, password: oldPassword })).status).toBe(403)
  })
})
