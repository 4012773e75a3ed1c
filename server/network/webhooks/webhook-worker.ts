import { sql } from 'kysely'
import type { Clock } from '../../clock.ts'
import { deleteOlder } from '../../database/batches.ts'
import type { Db } from '../../database/database.ts'
import type { Row } from '../../database/tables.ts'
import { codeOf, isOutage } from '../../database/transaction.ts'
import { type Logger, traceOf } from '../../logger.ts'
import { removedBody } from '../../people/deliveries.ts'
import { createWorkLoop } from '../../work-loop.ts'
import type { Ingest } from './ingest.ts'

const batch = 50
const pollInterval = 1_000
const maxBackoff = 10 * 60_000
/** Reached after nearly two hours. An error that lasts so long and is not an outage is a bug. */
const maxAttempts = 20
/** Much longer than storing takes; after a crash another process claims the delivery this much later. */
const leaseDuration = 10_000
const day = 24 * 60 * 60_000

/**
 * Processes the webhook inbox. A process claims each delivery for a short lease. If the process dies, the lease expires
 * and another process stores the delivery; storing is idempotent. Failures are retried with exponential backoff, because
 * the network does not resend an accepted delivery. During a database outage retries never end. Any other failure is
 * parked after `maxAttempts`, until an operator makes the delivery due again (docs/operations.md). Events that the
 * database can never accept are recorded in `error` and not retried.
 */
export function createWebhookWorker({
  db,
  ingest,
  retainedDays = 7,
  clock,
  logger,
}: {
  db: Db
  ingest: Ingest
  /** How long the bodies of stored deliveries are kept. */
  retainedDays?: number
  clock: Clock
  logger: Pick<Logger, 'warn' | 'error'>
}) {
  async function processDue(isRunning: () => boolean): Promise<void> {
    for (;;) {
      const due = await db
        .selectFrom('webhook_inbox')
        .select(['id', 'body', 'received_at'])
        .where('processed_at', 'is', null)
        .where('due_at', '<=', new Date(clock.now()))
        .orderBy('id')
        .limit(batch)
        .execute()
      for (const row of due) {
        if (!isRunning()) return
        await process(row)
      }
      // All of these are now done, rescheduled or claimed by another process.
      if (due.length < batch) return
    }
  }

  async function process({ id, body, received_at }: Delivery): Promise<void> {
    try {
      if (!(await claim(id))) return
      const { problems, mustForget } = await ingest.store(JSON.parse(body), received_at)
      await db
        .updateTable('webhook_inbox')
        .set((row) => ({
          processed_at: new Date(clock.now()),
          ...(mustForget ? { body: removedBody } : {}),
          attempts: row('attempts', '+', 1),
          error: problems.length > 0 ? problems.join('; ') : null,
        }))
        .where('id', '=', id)
        .where('processed_at', 'is', null)
        .execute()
      if (problems.length > 0) logger.warn({ delivery: id, problems }, 'a webhook delivery was stored in part')
    } catch (error) {
      await reschedule(id, error)
    }
  }

  /** False if another process holds the delivery or has stored it. */
  async function claim(id: number): Promise<boolean> {
    const now = clock.now()
    const claimed = await db
      .updateTable('webhook_inbox')
      .set({ due_at: new Date(now + leaseDuration) })
      .where('id', '=', id)
      .where('processed_at', 'is', null)
      .where('due_at', '<=', new Date(now))
      .returning('id')
      .executeTakeFirst()
    return claimed !== undefined
  }

  async function reschedule(id: number, error: unknown): Promise<void> {
    const reason = codeOf(error)
    const row = await db.selectFrom('webhook_inbox').select('attempts').where('id', '=', id).executeTakeFirst()
    const attempts = (row?.attempts ?? 0) + 1
    const isParked = attempts >= maxAttempts && !isOutage(error)
    if (isParked) logger.error({ delivery: id, ...traceOf(error) }, 'a webhook delivery is parked')
    else logger.warn({ delivery: id, reason }, 'a webhook delivery failed')
    const backoff = Math.min(1_000 * 2 ** Math.min(attempts - 1, 20), maxBackoff)
    await db
      .updateTable('webhook_inbox')
      .set({
        attempts,
        error: `failed (${reason})`,
        due_at: isParked ? never : new Date(clock.now() + backoff),
      })
      .where('id', '=', id)
      .where('processed_at', 'is', null)
      .execute()
  }

  const sweep = (isRunning: () => boolean) =>
    deleteOlder(db, isRunning, {
      table: 'webhook_inbox',
      column: 'processed_at',
      before: new Date(clock.now() - retainedDays * day),
    })

  const loop = createWorkLoop({
    work: processDue,
    sweep,
    pollInterval,
    failureMessage: 'reading the webhook inbox failed',
    clock,
    logger,
  })

  return loop
}

const never = sql<Date>`'infinity'`

type Delivery = Pick<Row<'webhook_inbox'>, 'id' | 'body' | 'received_at'>
