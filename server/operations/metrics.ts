import type { MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import { sql } from 'kysely'
import { Counter, Gauge, Histogram, Registry, register } from 'prom-client'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import { SendRefused } from '../network/send/send-refusals.ts'
import type { Sending } from '../network/send/sending.ts'

const knownMethods: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'])

/** How much work waits in the database. Ages in seconds. */
export type Backlog = {
  webhooks: number
  /** Age of the oldest delivery that is due and not stored. */
  webhookLag: number
  parkedWebhooks: number
  autoReplies: number
  profileLookups: number
  storedFiles: number
  historySyncs: number
  webhooksOut: number
  /** Changes that wait to be published to NATS. */
  realtime: number
  refusedTokens: number
}

/** Reads the backlog. Every condition has an index with few rows, so the query is fast on a large database. */
async function readBacklog(db: Db, now: number): Promise<Backlog> {
  const at = new Date(now)
  const { rows } = await sql<Backlog>`
    with waiting as (
      select due_at, received_at from webhook_inbox where processed_at is null
    )
    select
      (select count(*) from waiting where due_at < 'infinity') as "webhooks",
      (select coalesce(greatest(extract(epoch from ${at}::timestamptz - min(received_at)), 0), 0)::float8
        from waiting where due_at < 'infinity') as "webhookLag",
      (select count(*) from waiting where due_at = 'infinity') as "parkedWebhooks",
      (select count(*) from auto_replies where state in ('due', 'sending')) as "autoReplies",
      (select count(*) from profile_lookups where due_at <= ${at}) as "profileLookups",
      (select count(*) from stored_files where state = 'waiting' and message_id is not null) as "storedFiles",
      (select count(*) from history_syncs where state in ('queued', 'running')) as "historySyncs",
      (select count(*) from webhook_deliveries where state = 'waiting') as "webhooksOut",
      (select count(*) from realtime_queue) as "realtime",
      (select count(*) from pages where is_active and token_invalid_since is not null) as "refusedTokens"
  `.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('a query without a from clause returns one row')
  return row
}

export type Metrics = ReturnType<typeof createMetrics>

/**
 * The metrics of this process, in a registry of their own. What concerns the database is read from it at each scrape, so
 * every process reports the same; sums over processes are meaningful for counters and sockets only.
 */
export function createMetrics({
  db,
  clock,
  sockets,
  isNatsConnected,
}: {
  db: Db
  clock: Clock
  sockets: () => number
  /** Undefined without NATS. */
  isNatsConnected?: (() => boolean) | undefined
}) {
  const registry = new Registry()
  const registers = [registry]

  const requests = new Histogram({
    name: 'staff_inbox_http_request_duration_seconds',
    help: 'Time to answer a request, by route pattern',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })
  const sends = new Counter({
    name: 'staff_inbox_sends_total',
    help: 'Results of sends since the start of the process',
    labelNames: ['result'],
    registers,
  })
  for (const result of ['sent', 'refused', 'unknown'] as const) sends.inc({ result }, 0)

  new Gauge({
    name: 'staff_inbox_realtime_sockets',
    help: 'Open sockets of this process',
    registers,
    collect() {
      this.set(sockets())
    },
  })
  if (isNatsConnected !== undefined) {
    new Gauge({
      name: 'staff_inbox_nats_up',
      help: '1 if this process is connected to NATS',
      registers,
      collect() {
        this.set(isNatsConnected() ? 1 : 0)
      },
    })
  }
  let reading: Promise<Backlog | null> | null = null
  /** The gauges of one scrape share one query. Null if the database does not answer. */
  const backlog = () => {
    reading ??= readBacklog(db, clock.now())
      .catch(() => null)
      .finally(() => {
        reading = null
      })
    return reading
  }
  const gaugeOfDatabase = (name: string, help: string, pick: (backlog: Backlog) => number) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const found = await backlog()
        if (found === null) this.remove()
        else this.set(pick(found))
      },
    })
  gaugeOfDatabase(
    'staff_inbox_webhook_lag_seconds',
    'Age of the oldest webhook delivery that is not stored yet',
    ({ webhookLag }) => webhookLag,
  )
  gaugeOfDatabase(
    'staff_inbox_pages_with_refused_token',
    'Active pages whose token the network refused',
    ({ refusedTokens }) => refusedTokens,
  )
  new Gauge({
    name: 'staff_inbox_queue_depth',
    help: 'Entries that wait, by queue',
    labelNames: ['queue'],
    registers,
    async collect() {
      const found = await backlog()
      this.reset()
      if (found === null) return
      this.set({ queue: 'webhooks' }, found.webhooks)
      this.set({ queue: 'parked_webhooks' }, found.parkedWebhooks)
      this.set({ queue: 'auto_replies' }, found.autoReplies)
      this.set({ queue: 'profile_lookups' }, found.profileLookups)
      this.set({ queue: 'stored_files' }, found.storedFiles)
      this.set({ queue: 'history_syncs' }, found.historySyncs)
      this.set({ queue: 'webhooks_out' }, found.webhooksOut)
      this.set({ queue: 'realtime' }, found.realtime)
    },
  })
  new Gauge({
    name: 'staff_inbox_database_up',
    help: '1 if the database answered this scrape',
    registers,
    async collect() {
      this.set((await backlog()) === null ? 0 : 1)
    },
  })

  /** Middleware: measures the time of each request. */
  const measure: MiddlewareHandler = async (c, next) => {
    const from = performance.now()
    await next()
    const method = knownMethods.has(c.req.method) ? c.req.method : 'other'
    requests.observe({ method, route: routePath(c), status: c.res.status }, (performance.now() - from) / 1000)
  }

  async function counted<T>(send: Promise<T>): Promise<T> {
    try {
      const result = await send
      sends.inc({ result: 'sent' })
      return result
    } catch (error) {
      const isRefused = error instanceof SendRefused && error.status < 500
      sends.inc({ result: isRefused ? 'refused' : 'unknown' })
      throw error
    }
  }

  return {
    /** With those of the process, which main.ts collects. */
    registry: Registry.merge([register, registry]),
    measure,
    /** The same service, with its results counted. */
    countSends: (sending: Sending): Sending => ({
      ...sending,
      send: (order) => counted(sending.send(order)),
      sendOnce: (order) => counted(sending.sendOnce(order)),
      retry: (order, tries) => counted(sending.retry(order, tries)),
    }),
  }
}
