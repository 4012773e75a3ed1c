import { cost } from '../../server/auth/password-cost.ts'
import { hashPassword } from '../../server/auth/passwords.ts'
import { demoLegacyStaff, demoStaff } from '../../server/stand-ins/supabase/demo-staff.ts'
import { cheapCost } from '../server/hash-costs.ts'
import { createServer, type DatabaseKind, keepAsSeed, openDatabaseOf, type TestServer } from './server.ts'

/** Fills one server of each database as a seed for the others, because filling takes longer than most tests. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  // With PostgreSQL, few tests use the embedded database, which takes twice as long to fill.
  const filled = await Promise.allSettled(
    process.env['TEST_DATABASE_URL']
      ? [createSeed('postgres', {}), createSeed('embedded', { SANDBOX_PEOPLE: '60' })]
      : [createSeed('embedded', {})],
  )
  const dispose = async () => {
    for (const seed of filled) if (seed.status === 'fulfilled') await seed.value.dispose()
  }
  const failed = filled.find((seed) => seed.status === 'rejected')
  if (failed === undefined) return dispose
  await dispose()
  throw failed.reason
}

async function createSeed(database: DatabaseKind, settings: Record<string, string>): Promise<TestServer> {
  const server = await createServer(database, settings)
  try {
    await server.start()
    await server.stop()
    await makeSignInsCheap(server)
  } catch (error) {
    await server.dispose()
    throw error
  }
  keepAsSeed(database, server, settings)
  return server
}

/** Stores hashes that are checked in a millisecond, because a hash of the real cost takes 0.3 s of a core. */
async function makeSignInsCheap(server: TestServer): Promise<void> {
  Object.assign(cost, cheapCost)
  const { db, close } = await openDatabaseOf(server)
  try {
    for (const { email, password } of [...demoStaff, ...demoLegacyStaff]) {
      const hash = await hashPassword(password)
      await db.updateTable('auth_users').set({ password_hash: hash }).where('email', '=', email).execute()
      await db
        .updateTable('staff')
        .set({ legacy_password_hash: hash })
        .where('email', '=', email)
        .where('legacy_password_hash', 'is not', null)
        .execute()
    }
  } finally {
    await close()
  }
}
