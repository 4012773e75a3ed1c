import { beforeAll, expect, it } from 'vitest'
import { addStaff } from '../../server/add-staff.ts'
import { verifyPassword } from '../../server/auth/passwords.ts'
import { systemClock } from '../../server/clock.ts'
import type { OpenDatabase } from '../../server/database/database.ts'
import { describeOnDatabase } from './databases.ts'

describeOnDatabase('addStaff', (open) => {
  let database: OpenDatabase
  beforeAll(async () => {
    database = await open()
  })

  const add = (person: { email: string; role: string; name?: string }, hasOwnProvider = true) =>
    addStaff({ db: database.db, clock: systemClock, hasOwnProvider }, person)

  const stored = (email: string) =>
    database.db
      .selectFrom('staff')
      .leftJoin('auth_users', 'auth_users.id', 'staff.supabase_id')
      .select(['staff.name', 'staff.role', 'auth_users.email as account', 'auth_users.password_hash'])
      .where('staff.email', '=', email)
      .executeTakeFirst()

  it('creates an account of the built-in provider with the returned password', async () => {
    const { password } = await add({ email: 'First@example.com', role: 'administrator', name: 'First' })
    const { password_hash, ...row } = (await stored('First@example.com')) ?? {}
    expect(row).toEqual({ name: 'First', role: 'administrator', account: 'first@example.com' })
    expect(await verifyPassword(password ?? '', password_hash ?? '')).toBe(true)
  })

  it('creates no account with a hosted provider', async () => {
    expect(await add({ email: 'hosted@example.com', role: 'agent' }, false)).toEqual({ password: null })
    expect(await stored('hosted@example.com')).toEqual({
      name: null,
      role: 'agent',
      account: null,
      password_hash: null,
    })
  })

  it('rejects a duplicate or invalid email and an unknown role, and stores nothing', async () => {
    await add({ email: 'taken@example.com', role: 'viewer' })
    await expect(add({ email: 'Taken@example.com', role: 'viewer' })).rejects.toThrow(
      'Taken@example.com is a member of staff already.',
    )
    await expect(add({ email: 'new@example.com', role: 'king' })).rejects.toThrow(
      'The role must be one of administrator, agent, viewer, not "king".',
    )
    await expect(add({ email: 'nobody', role: 'agent' })).rejects.toThrow('"nobody" is not an email address.')
    expect(await stored('new@example.com')).toBeUndefined()
  })
})
