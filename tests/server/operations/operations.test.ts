import { readFileSync } from 'node:fs'
import { Hono } from 'hono'
import { sql } from 'kysely'
import { collectDefaultMetrics, register } from 'prom-client'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type HttpServer, listen } from '../../../server/http-server.ts'
import { SendRefused } from '../../../server/network/send/send-refusals.ts'
import { createMetrics } from '../../../server/operations/metrics.ts'
import { createReadiness } from '../../../server/operations/readiness.ts'
import { createOperationsRoutes } from '../../../server/operations/routes.ts'
import { describeOnDatabase, openEmbedded } from '../databases.ts'
import { manualClock } from '../manual-clock.ts'
import { addIdentity, addPage } from '../people.ts'

const now = Date.UTC(2026, 0, 15, 12)
const order = { key: 'k', staffId: 's', pageId: 'p', psid: '1', text: 'Hi' }

/** The lines of one metric, without comments. */
const linesOf = (text: string, name: string) => text.split('\n').filter((line) => line.startsWith(name))

describeOnDatabase('The metrics of the database', (open) => {
  it('are how much waits, how old the oldest delivery is, and which tokens were refused', async () => {
    const { db } = await open()
    const ago = (seconds: number) => new Date(now - seconds * 1000)
    const delivery = { body: '{}', due_at: ago(0) }
    await db
      .insertInto('webhook_inbox')
      .values([
        { ...delivery, received_at: ago(90) },
        { ...delivery, received_at: ago(30) },
        { ...delivery, received_at: ago(900), processed_at: ago(899) },
        { ...delivery, received_at: ago(9_000), due_at: sql<Date>`'infinity'` },
      ])
      .execute()
    for (const page of ['p1', 'p2', 'p3']) await addPage(db, page, { active: page !== 'p3' })
    await db
      .updateTable('pages')
      .set({ token_invalid_since: ago(5) })
      .where('page_id', '!=', 'p1')
      .execute()
    await addIdentity(db, 'u1', { page: 'p1' })
    await db
      .insertInto('profile_lookups')
      .values({ fb_user_id: 'u1', due_at: ago(1), created_at: ago(1) })
      .execute()
    await db
      .insertInto('history_syncs')
      .values({ page_id: 'p1', platform: 'messenger', conversation_limit: 10 })
      .execute()
    const { registry } = createMetrics({ db, clock: manualClock(now), sockets: () => 3, isNatsConnected: () => true })
    const text = await registry.metrics()
    expect(linesOf(text, 'staff_inbox_')).toEqual([
      'staff_inbox_sends_total{result="sent"} 0',
      'staff_inbox_sends_total{result="refused"} 0',
      'staff_inbox_sends_total{result="unknown"} 0',
      'staff_inbox_realtime_sockets 3',
      'staff_inbox_nats_up 1',
      'staff_inbox_webhook_lag_seconds 90',
      'staff_inbox_pages_with_refused_token 1',
      'staff_inbox_queue_depth{queue="webhooks"} 2',
      'staff_inbox_queue_depth{queue="parked_webhooks"} 1',
      'staff_inbox_queue_depth{queue="auto_replies"} 0',
      'staff_inbox_queue_depth{queue="profile_lookups"} 1',
      'staff_inbox_queue_depth{queue="stored_files"} 0',
      'staff_inbox_queue_depth{queue="history_syncs"} 1',
      'staff_inbox_queue_depth{queue="webhooks_out"} 0',
      'staff_inbox_queue_depth{queue="realtime"} 0',
      'staff_inbox_database_up 1',
    ])
  })
})

describe('The operations routes', () => {
  let server: HttpServer
  let database: Awaited<ReturnType<typeof openEmbedded>>
  let isListening = true
  beforeAll(async () => {
    database = await openEmbedded()
  })
  afterEach(() => server.close(0))
  afterAll(() => database.close())

  async function serve(settings: { metricsToken?: string; trustedProxies?: number } = {}, host = '127.0.0.1') {
    const { db } = database
    const clock = manualClock(now)
    const { registry, measure, countSends } = createMetrics({ db, clock, sockets: () => 0 })
    server = await listen({ port: 0, host })
    const readiness = createReadiness({ db, clock, isListening: () => isListening })
    const { metricsToken, trustedProxies = 0 } = settings
    const app = new Hono()
      .use(measure)
      .route('/', createOperationsRoutes({ readiness, registry, metricsToken, trustedProxies }))
      .get('/people/:id', (c) => c.text('hello'))
    server.serve(app)
    const ask = async (path: string, headers: Record<string, string> = {}) =>
      fetch(`${server.address}${path}`, { headers })
    return { ask, registry, countSends, clock }
  }

  it('give the metrics to this machine, but to nobody behind a proxy', async () => {
    const { ask } = await serve()
    expect((await ask('/metrics')).status).toBe(200)
    for (const header of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via', 'x-forwarded-host']) {
      expect((await ask('/metrics', { [header]: '203.0.113.9' })).status, header).toBe(404)
    }
    await server.close(0)
    const behindProxy = await serve({ trustedProxies: 1 })
    expect((await behindProxy.ask('/metrics')).status).toBe(404)
  })

  it('give the metrics for METRICS_TOKEN only, if it is set', async () => {
    const { ask } = await serve({ metricsToken: 'a-token-of-sixteen', trustedProxies: 1 })
    expect((await ask('/metrics')).status).toBe(404)
    expect((await ask('/metrics', { authorization: 'Bearer another-token-of-it' })).status).toBe(404)
    const answer = await ask('/metrics', { authorization: 'Bearer a-token-of-sixteen', 'x-forwarded-for': '10.0.0.1' })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/plain')])
  })

  it('label requests by route, so that addresses add no series', async () => {
    const { ask, registry } = await serve()
    for (const path of ['/people/1', '/people/2', '/people/3?q=4', '/unknown/5', '/unknown/6']) {
      await (await ask(path)).text()
    }
    const counts = linesOf(await registry.metrics(), 'staff_inbox_http_request_duration_seconds_count')
    expect(counts).toEqual([
      'staff_inbox_http_request_duration_seconds_count{method="GET",route="/people/:id",status="200"} 3',
      'staff_inbox_http_request_duration_seconds_count{method="GET",route="/*",status="404"} 2',
    ])
  })

  it('count sends by result', async () => {
    const { registry, countSends } = await serve()
    const sent = { messageId: 'm', createdAt: '' }
    const results = [
      () => Promise.resolve(sent),
      () => Promise.reject(new SendRefused(422, 'X', 'no')),
      () => Promise.reject(new SendRefused(504, 'X', 'maybe')),
      () => Promise.reject(new Error('lost')),
    ]
    for (const result of results) {
      const { send } = countSends({ send: result, sendOnce: result, retry: result, look: result })
      await send(order).catch(() => undefined)
    }
    expect(linesOf(await registry.metrics(), 'staff_inbox_sends_total')).toEqual([
      'staff_inbox_sends_total{result="sent"} 1',
      'staff_inbox_sends_total{result="refused"} 1',
      'staff_inbox_sends_total{result="unknown"} 2',
    ])
  })

  it('name the part that is not ready', async () => {
    const { ask } = await serve()
    const parts = { database: 'ok', listener: 'ok', migrations: 'ok' }
    const answer = async () => {
      const response = await ask('/api/ready')
      return [response.status, await response.json()]
    }
    expect(await answer()).toEqual([200, { success: true, data: parts }])
    isListening = false
    expect(await answer()).toEqual([
      503,
      { success: false, error: 'Not ready: listener', data: { ...parts, listener: 'failed' } },
    ])
    isListening = true
    await sql`alter table applied_migrations rename to hidden`.execute(database.db)
    await sql`create table applied_migrations (name text)`.execute(database.db)
    expect(await answer()).toEqual([
      503,
      { success: false, error: 'Not ready: migrations', data: { ...parts, migrations: 'failed' } },
    ])
    await sql`drop table applied_migrations`.execute(database.db)
    await sql`alter table hidden rename to applied_migrations`.execute(database.db)
  })

  it('ask the database once for all callers at the same time', async () => {
    let queries = 0
    const counting = database.db.withPlugin({
      transformQuery: ({ node }) => {
        queries += 1
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const readiness = createReadiness({ db: counting, clock: manualClock(now), isListening: () => true })
    const ready = { database: 'ok', listener: 'ok', migrations: 'ok' }
    expect(await Promise.all(Array.from({ length: 50 }, readiness))).toEqual(Array.from({ length: 50 }, () => ready))
    expect(queries).toBe(1)
    await readiness()
    expect(queries).toBe(2)
  })

  it('answer while the database does not', async () => {
    const { ask, clock, registry } = await serve()
    const release = Promise.withResolvers<void>()
    const started = Promise.withResolvers<void>()
    const blocking = database.db.transaction().execute(async () => {
      started.resolve()
      await release.promise
    })
    await started.promise
    const ticking = setInterval(() => clock.advance(1_000), 20)
    const answer = await ask('/api/ready')
    clearInterval(ticking)
    expect([answer.status, await answer.json()]).toMatchObject([503, { error: 'Not ready: database, migrations' }])
    release.resolve()
    await blocking

    const closed = await openEmbedded()
    await closed.close()
    const lost = createMetrics({ db: closed.db, clock, sockets: () => 0 })
    const text = await lost.registry.metrics()
    expect(linesOf(text, 'staff_inbox_database_up')).toEqual(['staff_inbox_database_up 0'])
    expect(linesOf(text, 'staff_inbox_queue_depth')).toEqual([])
    expect(linesOf(await registry.metrics(), 'staff_inbox_database_up')).toEqual(['staff_inbox_database_up 1'])
  })

  it('keep connections open for longer than a proxy does', async () => {
    const { ask } = await serve()
    expect((await ask('/api/ready')).headers.get('keep-alive')).toBe('timeout=80')
  })

  it('have every metric that the dashboard shows, and the dashboard shows every metric of the product', async () => {
    const { ask, registry } = await serve()
    await (await ask('/people/1')).text()
    collectDefaultMetrics()
    const names = new Set(
      [...(await registry.metrics()).split('\n'), ...(await register.metrics()).split('\n')]
        .filter((line) => line !== '' && !line.startsWith('#'))
        .map((line) => line.replace(/[{ ].*$/, '')),
    )
    register.clear()
    const file = new URL('../../../docs/grafana-dashboard.json', import.meta.url)
    const { panels } = JSON.parse(readFileSync(file, 'utf8')) as { panels: { targets: { expr: string }[] }[] }
    const shown = panels.flatMap(({ targets }) =>
      targets.flatMap(({ expr }) => expr.match(/\b(staff_inbox|nodejs|process)_\w+/g) ?? []),
    )
    expect(shown.filter((name) => !names.has(name))).toEqual([])
    const own = [...names].filter((name) => name.startsWith('staff_inbox_') && !/_(sum)$/.test(name))
    expect(own.filter((name) => !shown.includes(name))).toEqual([])
  })
})
