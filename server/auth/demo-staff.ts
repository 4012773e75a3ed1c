import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import { createAccount } from '../supabase/accounts.ts'
import type { Role } from './roles.ts'

/** The sign-ins a machine without a real network starts with. */
export const demoStaff = [
  { email: 'admin@example.com', name: 'Ana Reyes', role: 'administrator', password: 'inbox-demo-2026' },
  { email: 'agent@example.com', name: 'Paolo Cruz', role: 'agent', password: 'inbox-demo-2026' },
  { email: 'viewer@example.com', name: 'Liza Santos', role: 'viewer', password: 'inbox-demo-2026' },
] as const satisfies { email: string; name: string; role: Role; password: string }[]

/** Creates the demo staff with confirmed accounts if there is no staff yet; answers whether it did. */
export const createDemoStaff = async ({ db, clock }: { db: Db; clock: Clock }): Promise<boolean> => {
  const somebody = await db.selectFrom('staff').select('id').limit(1).executeTakeFirst()
  if (somebody !== undefined) return false
  await Promise.all(
    demoStaff.map(async ({ email, name, role, password }) => {
      const account = await createAccount(db, { email, password, confirmed: true, now: clock.now() })
      await db
        .insertInto('staff')
        .values({ email, name, role, supabase_id: account?.id ?? null })
        // A second process that starts at the same moment does the same.
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }),
  )
  return true
}
