import { hashPassword, verifyPassword } from '../../auth/passwords.ts'
import type { Role } from '../../auth/roles.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/database.ts'
import { createAccount } from './accounts.ts'

type DemoPerson = { email: string; name: string; role: Role; password: string }

/** The accounts of the sandbox. The addresses cannot belong to anyone. */
export const demoStaff = [
  { email: 'admin@example.com', name: 'Ana Reyes', role: 'administrator', password: 'inbox-demo-2026' },
  { email: 'agent@example.com', name: 'Paolo Cruz', role: 'agent', password: 'inbox-demo-2026' },
  { email: 'viewer@example.com', name: 'Liza Santos', role: 'viewer', password: 'inbox-demo-2026' },
] as const satisfies DemoPerson[]

/** Demo staff with only a legacy password. */
export const demoLegacyStaff = [
  {
    email: 'legacy@example.com',
    name: 'Mario Lim',
    role: 'agent',
    password: 'inbox-demo-2026',
    needsMigration: true,
    isActive: true,
    note: 'must set a new password',
  },
  {
    email: 'oldlogin@example.com',
    name: 'Nena Cruz',
    role: 'agent',
    password: 'inbox-demo-2026',
    needsMigration: false,
    isActive: true,
    note: 'signs in with a legacy password',
  },
  {
    email: 'inactive@example.com',
    name: 'Jun Ramos',
    role: 'agent',
    password: 'inbox-demo-2026',
    needsMigration: true,
    isActive: false,
    note: 'inactive',
  },
] as const satisfies (DemoPerson & { needsMigration: boolean; isActive: boolean; note: string })[]

/** Creates the demo staff if there is no staff yet. Returns whether it did. */
export const createDemoStaff = async ({ db, clock }: { db: Db; clock: Clock }): Promise<boolean> => {
  const existing = await db.selectFrom('staff').select('id').limit(1).executeTakeFirst()
  if (existing !== undefined) return false
  const withAccounts = demoStaff.map(async ({ email, name, role, password }) => {
    const account = await createAccount(db, { email, password, confirmed: true, now: clock.now() })
    return { email, name, role, supabase_id: account?.id ?? null }
  })
  const withOldPasswords = demoLegacyStaff.map(async ({ email, name, role, password, needsMigration, isActive }) => ({
    email,
    name,
    role,
    legacy_password_hash: await hashPassword(password),
    needs_migration: needsMigration,
    is_active: isActive,
  }))
  // Another process may insert the same rows concurrently.
  for (const person of await Promise.all([...withAccounts, ...withOldPasswords])) {
    await db
      .insertInto('staff')
      .values(person)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  return true
}

/**
 * Deactivates demo staff who can still sign in with the known password: the database may have been used as a sandbox
 * before. Returns their number.
 */
export const deactivateDemoStaff = async (db: Db): Promise<number> => {
  const allDemoStaff: readonly DemoPerson[] = [...demoStaff, ...demoLegacyStaff]
  const active = await db
    .selectFrom('staff')
    .leftJoin('auth_users', 'auth_users.id', 'staff.supabase_id')
    .select(['staff.id', 'staff.email', 'staff.legacy_password_hash', 'auth_users.password_hash'])
    .where('staff.is_active', '=', true)
    .where(
      'staff.email',
      'in',
      allDemoStaff.map(({ email }) => email),
    )
    .execute()
  let deactivated = 0
  for (const { id, email, password_hash, legacy_password_hash } of active) {
    const password = allDemoStaff.find((person) => person.email === email)?.password ?? ''
    const hashes = [password_hash, legacy_password_hash].filter((hash) => hash !== null)
    const matches = await Promise.all(hashes.map((hash) => verifyPassword(password, hash)))
    if (!matches.includes(true)) continue
    await db.updateTable('staff').set({ is_active: false }).where('id', '=', id).execute()
    deactivated += 1
  }
  return deactivated
}
