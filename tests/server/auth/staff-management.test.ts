import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AuditActor } from '../../../server/audit/audit.ts'
import { verifyPassword } from '../../../server/auth/passwords.ts'
import { createStaffManagement, StaffRefused } from '../../../server/auth/staff-management.ts'
import type { Db } from '../../../server/database/database.ts'
import { staffAccounts } from '../../../server/stand-ins/supabase/staff-accounts.ts'
import { describeOnEachDatabase } from '../databases.ts'
import { manualClock } from '../manual-clock.ts'
import { addLegacyStaff, addStaffAccount, password as oldPassword } from '../supabase-server.ts'

const start = Date.UTC(2026, 4, 1)
const by: AuditActor = { staffId: 'ana', name: 'Ana Reyes', address: '192.0.2.1', userAgent: 'Test browser' }
const lastAdministrator = 'This is the last active administrator. Make somebody else an administrator first.'

describeOnEachDatabase('The management of staff', (open) => {
  let db: Db
  beforeAll(async () => {
    ;({ db } = await open())
  })
  beforeEach(async () => {
    await db.deleteFrom('staff').execute()
    await db.deleteFrom('auth_users').execute()
  })
  const management = (accounts: typeof staffAccounts | null = staffAccounts) =>
    createStaffManagement({ db, accounts, clock: manualClock(start) })
  const rolesNow = async () => {
    const rows = await db.selectFrom('staff').select(['id', 'role', 'is_active']).execute()
    return Object.fromEntries(rows.map(({ id, role, is_active }) => [id, is_active ? role : `${role}, inactive`]))
  }
  const sessionsOf = async (staffId: string) => {
    const rows = await db
      .selectFrom('staff_sessions')
      .select('id')
      .where('staff_id', '=', staffId)
      .where('revoked_at', 'is', null)
      .execute()
    return rows.length
  }
  const withSession = async (options: Parameters<typeof addStaffAccount>[1] = {}) => {
    const { id, staffId, email } = await addStaffAccount(db, options)
    await db.insertInto('staff_sessions').values({ staff_id: staffId }).execute()
    await db.insertInto('auth_sessions').values({ user_id: id }).execute()
    return { id: staffId, email, userId: id }
  }
  const providerSessionsOf = async (userId: string) =>
    (
      await db
        .selectFrom('auth_sessions')
        .select('id')
        .where('user_id', '=', userId)
        .where('revoked_at', 'is', null)
        .execute()
    ).length
  const withFactor = (staffId: string, confirmedAt: Date | null = new Date(start)) =>
    db
      .insertInto('second_factors')
      .values({ staff_id: staffId, secret_encrypted: 'sealed', confirmed_at: confirmedAt })
      .execute()
  const factorsNow = async () => (await db.selectFrom('second_factors').select('staff_id').execute()).length
  const passwordHashOf = async (email: string) =>
    (
      await db
        .selectFrom('auth_users')
        .innerJoin('staff', 'staff.supabase_id', 'auth_users.id')
        .select('password_hash')
        .where('staff.email', '=', email)
        .executeTakeFirst()
    )?.password_hash

  test('lists everybody by name, with role, activity and last seen', async () => {
    await db
      .insertInto('staff')
      .values([
        { id: 'b', email: 'b@example.com', name: 'Ben', role: 'agent', last_seen_at: new Date(start) },
        { id: 'a', email: 'a@example.com', name: 'Ana', role: 'administrator', is_active: false },
      ])
      .execute()
    await withFactor('a')
    // Not confirmed yet.
    await withFactor('b', null)
    expect(await management().list({ staffId: 'a' })).toEqual({
      manages_passwords: true,
      own_id: 'a',
      staff: [
        {
          id: 'a',
          email: 'a@example.com',
          name: 'Ana',
          role: 'administrator',
          is_active: false,
          last_seen_at: null,
          has_second_factor: true,
        },
        {
          id: 'b',
          email: 'b@example.com',
          name: 'Ben',
          role: 'agent',
          is_active: true,
          last_seen_at: new Date(start).toISOString(),
          has_second_factor: false,
        },
      ],
    })
    expect((await management(null).list({ staffId: 'a' })).manages_passwords).toBe(false)
  })

  test('adds a member with a password that works, and with none for a hosted provider', async () => {
    const added = await management().add({ email: 'new@example.com', name: 'New', role: 'agent' }, by)
    expect(await verifyPassword(added.password ?? '', await passwordHashOf('new@example.com'))).toBe(true)
    const hosted = await management(null).add({ email: 'hosted@example.com', name: 'New', role: 'viewer' }, by)
    expect([hosted.password, await passwordHashOf('hosted@example.com')]).toEqual([null, undefined])
    expect(await rolesNow()).toEqual({ [added.id]: 'agent', [hosted.id]: 'viewer' })
  })

  test('adds nobody twice, in whatever case the email is written', async () => {
    await management().add({ email: 'new@example.com', name: 'New', role: 'agent' }, by)
    const again = management().add({ email: 'NEW@example.com', name: 'Other', role: 'administrator' }, by)
    await expect(again).rejects.toEqual(
      new StaffRefused('KNOWN_EMAIL', 'NEW@example.com is a member of staff already.'),
    )
    expect(Object.values(await rolesNow())).toEqual(['agent'])
  })

  test.each([
    ['a new role', { role: 'viewer', is_active: true }, 0],
    ['a deactivation', { role: 'agent', is_active: false }, 0],
    ['a new name alone', { role: 'agent', is_active: true }, 1],
  ] as const)('after %s a member with one session has %j sessions', async (_change, change, sessions) => {
    const member = await withSession({ role: 'agent' })
    await management().update(member.id, { name: 'Nora', ...change }, by)
    expect([await sessionsOf(member.id), await providerSessionsOf(member.userId)]).toEqual([sessions, sessions])
  })

  describe('keeps the last active administrator', () => {
    test.each([
      ['demoted', { role: 'agent', is_active: true }],
      ['made inactive', { role: 'administrator', is_active: false }],
    ] as const)('who cannot be %s', async (_change, change) => {
      const only = await withSession()
      await withSession({ isActive: false })
      await withSession({ role: 'agent' })
      // Has no account yet, so nobody could sign in.
      await db.insertInto('staff').values({ email: 'hosted@example.com', role: 'administrator' }).execute()
      const refused = management().update(only.id, { name: 'Ana', ...change }, by)
      await expect(refused).rejects.toEqual(new StaffRefused('LAST_ADMINISTRATOR', lastAdministrator))
      expect([(await rolesNow())[only.id], await sessionsOf(only.id)]).toEqual(['administrator', 1])
    })

    test('when two demote each other at the same moment', async () => {
      for (let round = 0; round < 10; round++) {
        await db.deleteFrom('staff').execute()
        const both = [await withSession(), await withSession()]
        const change = { name: 'Ana', role: 'agent', is_active: true } as const
        const results = await Promise.allSettled(both.map(({ id }) => management().update(id, change, by)))
        expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
        expect(Object.values(await rolesNow()).sort()).toEqual(['administrator', 'agent'])
      }
    })
  })

  test('resets a password: the new one works, the old one does not, and all sessions end', async () => {
    const member = await withSession({ role: 'agent' })
    const { password } = await management().resetPassword(member.id, by)
    const hash = await passwordHashOf(member.email)
    expect([await verifyPassword(password, hash), await verifyPassword(oldPassword, hash)]).toEqual([true, false])
    expect([await sessionsOf(member.id), await providerSessionsOf(member.userId)]).toEqual([0, 0])
  })

  test('resets the password of a member with a legacy password by creating an account', async () => {
    const email = await addLegacyStaff(db)
    const { id } = await db.selectFrom('staff').select('id').where('email', '=', email).executeTakeFirstOrThrow()
    const { password } = await management().resetPassword(id, by)
    expect(await verifyPassword(password, await passwordHashOf(email))).toBe(true)
  })

  test('removes a second factor once, and ends all sessions of its owner alone', async () => {
    const [member, other] = [await withSession({ role: 'agent' }), await withSession()]
    await withFactor(member.id)
    await withFactor(other.id)
    await management().removeSecondFactor(member.id, by)
    expect([await sessionsOf(member.id), await providerSessionsOf(member.userId), await sessionsOf(other.id)]).toEqual([
      0, 0, 1,
    ])
    expect(
      (await management().list({ staffId: null })).staff.filter((one) => one.has_second_factor).map(({ id }) => id),
    ).toEqual([other.id])
    await expect(management().removeSecondFactor(member.id, by)).rejects.toMatchObject({ code: 'NO_SECOND_FACTOR' })
  })

  test('removes no second factor that is unconfirmed, of an unknown member or the own one', async () => {
    const member = await withSession()
    await withFactor(member.id, null)
    await expect(management().removeSecondFactor(member.id, by)).rejects.toMatchObject({ code: 'NO_SECOND_FACTOR' })
    await expect(management().removeSecondFactor('unknown', by)).rejects.toMatchObject({ code: 'UNKNOWN_MEMBER' })
    const own = { ...by, staffId: member.id }
    await expect(management().removeSecondFactor(member.id, own)).rejects.toMatchObject({ code: 'OWN_SECOND_FACTOR' })
    expect([await factorsNow(), await sessionsOf(member.id)]).toEqual([1, 1])
  })

  test('resets no password with a hosted provider, and none of an unknown member or the own one', async () => {
    const member = await withSession()
    const hash = await passwordHashOf(member.email)
    const own = { ...by, staffId: member.id }
    await expect(management().resetPassword(member.id, own)).rejects.toMatchObject({ code: 'OWN_PASSWORD' })
    expect([await passwordHashOf(member.email), await sessionsOf(member.id)]).toEqual([hash, 1])
    await expect(management(null).resetPassword(member.id, by)).rejects.toMatchObject({ code: 'HOSTED_PASSWORDS' })
    await expect(management().resetPassword('unknown', by)).rejects.toMatchObject({ code: 'UNKNOWN_MEMBER' })
  })
})
