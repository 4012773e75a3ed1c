import { postgresForTests } from '../../scripts/postgres.ts'
import { buildIfStale } from '../../scripts/spa.ts'
import { migrateForCopies } from './databases.ts'

/**
 * Prepares the machine for the server's tests. Some tests request the application from a server, so the
 * application is built. PostgreSQL is started, and the workers find its URL in TEST_DATABASE_URL and a migrated database to
 * copy.
 */
export default async function setUp(): Promise<(() => Promise<void>) | undefined> {
  if (!(await buildIfStale())) throw new Error('The application could not be built.')
  const postgres = await postgresForTests()
  if (postgres === null) return undefined
  process.env['TEST_DATABASE_URL'] = postgres.url
  const dropMigrated = await migrateForCopies()
  return async () => {
    await dropMigrated()
    await postgres.stop()
  }
}
