import { postgresForTests } from '../../scripts/postgres.ts'
import { buildIfStale } from '../../scripts/spa.ts'

/**
 * Prepares the machine for the server's tests. Some of them ask a server for the pages, so the pages are built. A
 * PostgreSQL is started, and the workers find its address in TEST_DATABASE_URL.
 */
export default async function setUp(): Promise<(() => Promise<void>) | undefined> {
  if (!(await buildIfStale())) throw new Error('The pages could not be built.')
  const postgres = await postgresForTests()
  if (postgres === null) return undefined
  process.env['TEST_DATABASE_URL'] = postgres.url
  return postgres.stop
}
