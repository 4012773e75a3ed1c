import { sql } from 'kysely'
import { deliveriesPageSize, type WebhookDelivery, type WebhookDeliveryPage } from '../../src/schemas/webhook.ts'
import { type AuditActor, recordAudit } from '../audit/audit.ts'
import type { Db } from '../database/database.ts'
import type { Row } from '../database/tables.ts'
import { inTransaction } from '../database/transaction.ts'
import { hostOf } from './addresses.ts'

/** Milliseconds. Longer than an attempt takes; after that another process makes the next attempt. */
export const leaseTime = 60_000

/** Days. An endpoint that only failed for this long is switched off. */
export const failingDays = 5

const minute = 60_000
const hour = 60 * minute
/** Milliseconds between the attempts, about three days in all: the schedule that Standard Webhooks recommends. */
export const retryDelays: readonly number[] = [
  5_000,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]
/** The longest wait that a receiver can ask for, in milliseconds. */
const longestAsked = 24 * hour
/** Each wait is longer by up to this share, so that the retries of an outage do not arrive together. */
const jitter = 0.2

/**
 * Milliseconds until the next attempt after `tries` failed ones; null if there is none. `asked`: seconds, of the
 * receiver.
 */
export function retryDelay(tries: number, asked: number | null, random: () => number): number | null {
  const delay = retryDelays[tries - 1]
  if (delay === undefined) return null
  return Math.round(Math.max(delay * (1 + jitter * random()), Math.min((asked ?? 0) * 1_000, longestAsked)))
}

export type Leased = Pick<Row<'webhook_deliveries'>, 'id' | 'endpoint_id' | 'event_id' | 'attempts' | 'tries'>

/**
 * Takes due deliveries of active endpoints, which no other process then takes for `leaseTime`. `free`: how many at most;
 * `perEndpoint`: how many of one endpoint may run in this process; `running`: those that run already.
 */
export async function lease(
  db: Db,
  { now, free, perEndpoint, running }: { now: number; free: number; perEndpoint: number; running: readonly string[] },
): Promise<Leased[]> {
  const { rows } = await sql<Leased>`
    update webhook_deliveries set attempts = attempts + 1, tries = tries + 1, last_attempt_at = ${new Date(now)},
      due_at = ${new Date(now + leaseTime)}, is_running = true
    where id in (
      select due.id from webhook_endpoints e cross join lateral (
        select id from webhook_deliveries
        where endpoint_id = e.id and state = 'waiting' and due_at <= ${new Date(now)}
        order by due_at, id
        limit greatest(0, ${perEndpoint}::integer
          - (select count(*) from unnest(${[...running]}::text[]) as busy (id) where busy.id = e.id))
        for update skip locked
      ) due
      where e.is_active
      limit ${free}
    )
    returning id, endpoint_id, event_id, attempts, tries`.execute(db)
  return rows
}

/** Stores the result of an attempt. False if the lease has ended meanwhile, or the delivery is over. */
export async function finishAttempt(
  db: Db,
  { id, attempts }: Leased,
  result: { state: 'waiting' | 'delivered' | 'failed'; due_at?: Date; status: number | null; error: string | null },
): Promise<boolean> {
  const stored = await db
    .updateTable('webhook_deliveries')
    .set({ ...result, is_running: false })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('state', '=', 'waiting')
    .returning('id')
    .executeTakeFirst()
  return stored !== undefined
}

/** The deliveries of an endpoint, newest first; null if it is unknown. */
export async function listDeliveries(
  db: Db,
  endpointId: string,
  { before }: { before?: number | undefined },
): Promise<WebhookDeliveryPage | null> {
  const endpoint = await db.selectFrom('webhook_endpoints').select('id').where('id', '=', endpointId).executeTakeFirst()
  if (endpoint === undefined) return null
  const of = db
    .selectFrom('webhook_deliveries as d')
    .innerJoin('webhook_events as e', 'e.id', 'd.event_id')
    .select([
      'd.id',
      'event_id',
      'type',
      'state',
      'attempts',
      'd.created_at',
      'last_attempt_at',
      'due_at',
      'is_running',
    ])
    .select(['status', 'error'])
    .where('endpoint_id', '=', endpointId)
  const rows = await (before === undefined ? of : of.where('d.id', '<', before))
    .orderBy('d.id', 'desc')
    .limit(deliveriesPageSize + 1)
    .execute()
  const page = rows.slice(0, deliveriesPageSize)
  const deliveries = page.map(
    ({ due_at, is_running, created_at, last_attempt_at, ...row }): WebhookDelivery => ({
      ...row,
      created_at: created_at.toISOString(),
      last_attempt_at: last_attempt_at?.toISOString() ?? null,
      next_attempt_at: row.state === 'waiting' && !is_running ? due_at.toISOString() : null,
    }),
  )
  return { deliveries, next: rows.length > page.length ? (page.at(-1)?.id ?? null) : null }
}

/**
 * Sends a delivery again now, with all retries. A delivery that waits is attempted at once; one whose attempt runs stays as
 * it is.
 */
export const resend = (
  db: Db,
  { endpointId, deliveryId }: { endpointId: string; deliveryId: number },
  { by, now }: { by: AuditActor; now: Date },
): Promise<'sent' | 'missing' | 'off'> =>
  inTransaction(db, async (trx) => {
    const found = await trx
      .selectFrom('webhook_endpoints as e')
      .innerJoin('webhook_deliveries as d', 'd.endpoint_id', 'e.id')
      .select(['e.url', 'e.is_active', 'd.event_id', 'd.is_running', 'd.due_at'])
      .where('e.id', '=', endpointId)
      .where('d.id', '=', deliveryId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (found === undefined) return 'missing'
    if (!found.is_active) return 'off'
    if (found.is_running && found.due_at > now) return 'sent'
    await trx
      .updateTable('webhook_deliveries')
      .set({ state: 'waiting', tries: 0, due_at: now })
      .where('id', '=', deliveryId)
      .execute()
    await recordAudit(trx, {
      at: now.getTime(),
      by,
      action: 'webhook.resent',
      row: { kind: 'webhook', id: endpointId },
      details: { host: hostOf(found.url), event: found.event_id },
    })
    return 'sent'
  })
