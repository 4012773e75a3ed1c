import { cost } from '../../server/auth/password-cost.ts'
import { hashPassword } from '../../server/auth/passwords.ts'
import { openDatabase } from '../../server/database/open-database.ts'
import { demoLegacyStaff, demoStaff } from '../../server/stand-ins/supabase/demo-staff.ts'
import { cheapCost } from '../server/hash-costs.ts'
import { createServer, keepAsSeed } from './server.ts'

/** Fills one server as a seed for the others, because filling takes longer than most tests. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const server = await createServer('embedded')
  try {
    await server.start()
    await server.stop()
    await makeSignInsCheap(server.directory)
  } catch (error) {
    await server.dispose()
    throw error
  }
  keepAsSeed(server)
  return server.dispose
}

/** Stores hashes that are checked in a millisecond, because a hash of the real cost takes 0.3 s of a core. */
async function makeSignInsCheap(directory: string): Promise<void> {
  Object.assign(cost, cheapCost)
  const { db, close } = await openDatabase({ dataDir: directory })
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
