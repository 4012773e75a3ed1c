import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Hono } from 'hono'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { createConversationRoutes } from '../../../server/api/conversations.ts'
import { unexpectedError } from '../../../server/api/errors.ts'
import { systemClock } from '../../../server/clock.ts'
import type { Db } from '../../../server/database/database.ts'
import { openDatabase } from '../../../server/database/open-database.ts'
import { maxConcurrentSearches, maxQueuedSearches, runSearch } from '../../../server/database/search-queue.ts'
import { createLogger } from '../../../server/logger.ts'
import { signatureOf } from '../../../server/network/webhooks/signature.ts'
import { readSettings } from '../../../server/settings.ts'
import { startServer } from '../../../server/start-server.ts'
import { noSenderActions } from '../absent-parts.ts'
import { describeOnEachDatabase, openEmbedded, withMigratedServerDatabase } from '../databases.ts'

const sleep = (db: Db, seconds: number) => sql`select pg_sleep(${seconds})`.execute(db)
const noSignal = new AbortController().signal

describeOnEachDatabase('Slow searches', (open) => {
  it('leave the database to a webhook delivery', async () => {
    const { db, deliveries } = await open()
    let searched = 0
    const searches = Array.from({ length: 20 }, async () => {
      await runSearch(() => sleep(db, 0.1), noSignal)
      searched += 1
    })
    await deliveries.insertInto('webhook_inbox').values({ body: '{}' }).execute()
    expect(searched).toBeLessThanOrEqual(2 * maxConcurrentSearches)
    await Promise.all(searches)
  })
})

describe('The search of conversations', () => {
  it('is refused in one sentence while too many searches wait, and skips those whose callers went away', async () => {
    const database = await openEmbedded()
    const { db } = database
    const app = new Hono<{ Variables: { staff: unknown } }>()
    app.use(async (c, next) => {
      c.set('staff', { permissions: ['conversations.read'] })
      await next()
    })
    app
      .route('/', createConversationRoutes({ db, senderActions: noSenderActions, clock: systemClock, country: 'PH' }))
      .onError(unexpectedError(createLogger('silent')))
    const search = async (signal = noSignal) =>
      app.request(new Request('http://inbox/conversations?search=maria', { signal }))
    const leaving = new AbortController()
    let waiting: Promise<Response>[] = []
    // The transaction holds the one session, so nothing is found before it ends.
    await db.transaction().execute(async () => {
      waiting = Array.from({ length: maxConcurrentSearches + maxQueuedSearches }, (_, at) =>
        search(at < maxConcurrentSearches ? noSignal : leaving.signal),
      )
      await new Promise((resolve) => setTimeout(resolve, 50))
      const refused = await search()
      expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
        503,
        '5',
        { success: false, error: 'Many searches are running right now. Please try again in a few seconds.' },
      ])
      leaving.abort()
    })
    const statuses = (await Promise.all(waiting)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(maxConcurrentSearches)
    expect((await search()).status).toBe(200)
    await database.close()
  })
})

describe.skipIf(process.env['TEST_DATABASE_URL'] === undefined)('PostgreSQL', () => {
  const withDatabase = (run: (database: Awaited<ReturnType<typeof openDatabase>>) => Promise<void>) =>
    withMigratedServerDatabase(async (databaseUrl) => {
      const database = await openDatabase({ databaseUrl })
      try {
        await run(database)
      } finally {
        await database.close()
      }
    })

  it('has time-outs on every connection of every pool', () =>
    withDatabase(async ({ db, deliveries, forJobs }) => {
      const timeouts = sql<Record<string, string>>`
        select current_setting('statement_timeout') as statement,
          current_setting('idle_in_transaction_session_timeout') as idle`
      const jobs = new pg.Pool(forJobs)
      const settings = [
        ...(await Promise.all(Array.from({ length: 10 }, () => timeouts.execute(db)))),
        await timeouts.execute(deliveries),
        await jobs.query(timeouts.compile(db).sql),
      ].flatMap(({ rows }) => rows)
      await jobs.end()
      expect(settings).toEqual(Array(12).fill({ statement: '25s', idle: '30s' }))
    }))

  it('cancels a query that reaches the time-out, which is answered 503 in one sentence', () =>
    withDatabase(async ({ db }) => {
      const app = new Hono().onError(unexpectedError(createLogger('silent'))).get('/', async (c) => {
        await db.transaction().execute(async (trx) => {
          await sql`set local statement_timeout = 50`.execute(trx)
          await sleep(trx, 5)
        })
        return c.text('slept')
      })
      const answer = await app.request('/')
      expect([answer.status, await answer.json()]).toEqual([
        503,
        { success: false, error: 'This took too long. Please try again.' },
      ])
    }))

  it('acknowledges a webhook while slow queries hold every connection of the main pool', () =>
    withMigratedServerDatabase(async (databaseUrl) => {
      const directory = mkdtempSync(join(tmpdir(), 'staff-inbox-slow-'))
      const network = { GRAPH_API_URL: 'http://127.0.0.1:1', META_APP_ID: '1', META_VERIFY_TOKEN: 'verify' }
      const env = { PORT: '0', DATA_DIR: directory, DATABASE_URL: databaseUrl, META_APP_SECRET: 'secret', ...network }
      const database = await openDatabase({ databaseUrl })
      const server = await startServer(readSettings(env), {
        logger: createLogger('silent'),
        openDatabase: async () => database,
      })
      const blocker = new pg.Client({ connectionString: databaseUrl })
      await blocker.connect()
      try {
        await blocker.query('select pg_advisory_lock(1)')
        let ended = 0
        const slow = Array.from({ length: 30 }, () =>
          sql`select pg_advisory_xact_lock(1)`.execute(database.db).then(() => (ended += 1)),
        )
        const body = JSON.stringify({ object: 'page', entry: [] })
        const answer = await fetch(`${server.address}/webhooks/meta`, {
          method: 'POST',
          headers: { 'x-hub-signature-256': signatureOf('secret', Buffer.from(body)) },
          body,
        })
        expect([answer.status, await answer.text(), ended]).toEqual([200, 'EVENT_RECEIVED', 0])
        await blocker.query('select pg_advisory_unlock(1)')
        await Promise.all(slow)
      } finally {
        await blocker.end()
        await server.close()
        rmSync(directory, { recursive: true })
      }
    }))
})
