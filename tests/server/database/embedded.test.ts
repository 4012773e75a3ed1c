import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { embeddedDatabase, openPglite } from '../../../server/database/embedded.ts'

const database = embeddedDatabase(await openPglite({ memory: true }))
afterAll(() => database.close())

it('lets the event loop turn during a long chain of queries on the embedded database', async () => {
  let turns = 0
  let isDone = false
  const count = () => {
    turns += 1
    if (!isDone) setImmediate(count)
  }
  // The start of the chain may turn the event loop once.
  await sql`select 1`.execute(database.db)
  setImmediate(count)
  for (const end = performance.now() + 200; performance.now() < end; ) await sql`select 1`.execute(database.db)
  isDone = true
  expect(turns).toBeGreaterThan(2)
})
