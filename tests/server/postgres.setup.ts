import { postgresForTests } from '../../scripts/postgres.ts'

/** Starts a PostgreSQL for the tests of the server, whose workers find it in TEST_DATABASE_URL. */
export default async function setUp(): Promise<(() => Promise<void>) | undefined> {
  const postgres = await postgresForTests()
  if (postgres === null) return undefined
  process.env['TEST_DATABASE_URL'] = postgres.url
  return postgres.stop
}
