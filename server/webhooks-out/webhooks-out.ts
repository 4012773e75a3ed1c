import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import { deleteOlder } from '../database/batches.ts'
import type { Db } from '../database/database.ts'
import { codeOf } from '../database/transaction.ts'
import type { Logger } from '../logger.ts'
import type { DerivedKeys } from '../secrets.ts'
import { createWorkLoop } from '../work-loop.ts'
import { hostOf, type PostWebhook } from './addresses.ts'
import { failingDays, finishAttempt, type Leased, lease, retryDelay } from './deliveries.ts'
import { secretsOf, switchOff } from './endpoints.ts'
import { prepareNext } from './events.ts'
import { signedHeaders } from './signatures.ts'

const day = 24 * 60 * 60_000

/** Milliseconds. */
const webhookTimes = {
  poll: 2_000,
  failing: failingDays * day,
  /** The log of deliveries. */
  retention: 30 * day,
} as const

/** Attempts that a process makes at a time, and those at one endpoint: a slow endpoint leaves room for the others. */
const concurrency = 16
const perEndpoint = 4

type Outcome = { isDelivered: boolean; status: number | null; error: string | null; retryAfter: number | null }

/**
 * The worker that posts events to the endpoints of other programs, at least once each and in no promised order. Triggers
 * insert the rows of `due_webhook_events` in the transaction of the change. The worker makes events and deliveries of them,
 * and leases due deliveries: two processes never make the same attempt, and after a crash the next attempt follows when the
 * lease ends.
 */
export function createWebhooksOut({
  db,
  keys,
  post,
  currency,
  retainedDays,
  onSwitchedOff,
  clock,
  logger,
  random = Math.random,
}: {
  db: Db
  keys: DerivedKeys
  post: PostWebhook
  /** Of amounts in events. */
  currency: string
  /** Events are deleted after this many days if that is earlier than the log's own limit. Null: no earlier limit. */
  retainedDays: number | null
  /** Called after an endpoint was switched off. */
  onSwitchedOff: () => void
  clock: Clock
  logger: Pick<Logger, 'error' | 'warn'>
  random?: () => number
}) {
  /** The attempts of this process. */
  const running = new Map<Leased, Promise<void>>()

  async function work(isRunning: () => boolean): Promise<void> {
    while (isRunning() && (await prepareNext(db, { currency, now: clock.now() }))) {}
    const free = concurrency - running.size
    if (!isRunning() || free <= 0) return
    const leased = await lease(db, {
      now: clock.now(),
      free,
      perEndpoint,
      running: [...running.keys()].map(({ endpoint_id }) => endpoint_id),
    })
    for (const delivery of leased) {
      const attempt = deliver(delivery)
        .catch((error) => logger.error({ reason: codeOf(error) }, 'the result of a webhook could not be stored'))
        .finally(() => {
          running.delete(delivery)
          // Another delivery may take the place.
          loop.wake()
        })
      running.set(delivery, attempt)
    }
  }

  async function deliver(delivery: Leased): Promise<void> {
    const found = await db
      .selectFrom('webhook_endpoints as e')
      .innerJoin('webhook_deliveries as d', 'd.endpoint_id', 'e.id')
      .innerJoin('webhook_events as event', 'event.id', 'd.event_id')
      .select(['e.id', 'e.url', 'e.secret_encrypted', 'e.previous_encrypted', 'e.previous_until'])
      .select(['event.id as event_id', 'event.body'])
      .where('d.id', '=', delivery.id)
      .executeTakeFirst()
    // The delivery was deleted with its endpoint, or with the person that the event is about.
    if (found === undefined) return
    const outcome = await attempt(found)
    const { status, error } = outcome
    if (outcome.isDelivered) {
      await finishAttempt(db, delivery, { state: 'delivered', status, error })
      await db
        .updateTable('webhook_endpoints')
        .set({ failing_since: null })
        .where('id', '=', found.id)
        .where('failing_since', 'is not', null)
        .execute()
      return
    }
    logger.warn({ host: hostOf(found.url), status, reason: error }, 'a webhook was not delivered')
    const now = clock.now()
    const wait = status === 410 ? null : retryDelay(delivery.tries, outcome.retryAfter, random)
    await finishAttempt(db, delivery, {
      ...(wait === null ? { state: 'failed' } : { state: 'waiting', due_at: new Date(now + wait) }),
      status,
      error,
    })
    await noteFailure(found.id, status === 410)
  }

  async function attempt(found: {
    id: string
    url: string
    secret_encrypted: string
    previous_encrypted: string | null
    previous_until: Date | null
    event_id: string
    body: string
  }): Promise<Outcome> {
    const now = clock.now()
    const secrets = secretsOf(keys, found, now)
    if (secrets === null) return { isDelivered: false, status: null, error: 'secret_unreadable', retryAfter: null }
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Staff-Inbox-Webhooks/1',
      'content-length': String(Buffer.byteLength(found.body)),
      ...signedHeaders({ id: found.event_id, body: found.body, secrets, now }),
    }
    try {
      const { status, retryAfter } = await post({ url: found.url, headers, body: found.body })
      const isDelivered = status >= 200 && status < 300
      return { isDelivered, status, error: isDelivered ? null : 'refused', retryAfter }
    } catch (error) {
      return { isDelivered: false, status: null, error: reasonOf(error), retryAfter: null }
    }
  }

  /** Switches the endpoint off if it is gone, or has only failed for too long. */
  async function noteFailure(id: string, isGone: boolean): Promise<void> {
    const now = clock.now()
    const failing = await db
      .updateTable('webhook_endpoints')
      .set({ failing_since: sql<Date>`coalesce(failing_since, ${new Date(now)})` })
      .where('id', '=', id)
      .returning('failing_since')
      .executeTakeFirst()
    const since = failing?.failing_since?.getTime() ?? now
    if (!isGone && now - since < webhookTimes.failing) return
    await switchOff(db, id, isGone ? 'gone' : 'failures', new Date(now))
    onSwitchedOff()
  }

  async function sweep(isRunning: () => boolean): Promise<void> {
    const retention = Math.min(webhookTimes.retention, (retainedDays ?? Number.POSITIVE_INFINITY) * day)
    const before = new Date(clock.now() - retention)
    await deleteOlder(db, isRunning, { table: 'webhook_events', column: 'created_at', before })
  }

  const loop = createWorkLoop({
    work,
    sweep,
    pollInterval: webhookTimes.poll,
    failureMessage: 'sending webhooks failed',
    clock,
    logger,
  })

  return {
    start: loop.start,
    wake: loop.wake,

    /** Resolves when no run and no attempt is active. */
    async settled(): Promise<void> {
      await loop.settled()
      while (running.size > 0) {
        await Promise.all(running.values())
        await loop.settled()
      }
    },

    /** Stops after the current attempts, which end within their time limit. */
    async stop(): Promise<void> {
      await loop.stop()
      await Promise.all(running.values())
    },
  }
}

/** Why there was no answer, for the log of deliveries. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')) return 'timeout'
  if (error instanceof Error && 'fault' in error) return String(error.fault).replaceAll(' ', '_')
  return codeOf(error)
}
