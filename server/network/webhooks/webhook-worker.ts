import { sql, type Transaction } from 'kysely'
import { type DeliveryShares, wholeShare } from '../../changes/delivery-shares.ts'
import type { Clock } from '../../clock.ts'
import { deleteOlder } from '../../database/batches.ts'
import type { Db } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'
import { codeOf, inTransaction, isOutage } from '../../database/transaction.ts'
import { type Logger, traceOf } from '../../logger.ts'
import { nextTurn } from '../../next-turn.ts'
import { removedBody } from '../../people/deliveries.ts'
import { createWorkLoop } from '../../work-loop.ts'
import type { Ingest, NewPeople, StoredDelivery } from './ingest.ts'

/** Deliveries that one transaction stores. */
const batchSize = 200
/** A batch is looked for among so many of the oldest deliveries first, because a search of a long queue takes long. */
const searchedFirst = 2_000
const pollInterval = 1_000
/** A process takes deliveries of another one's share that have been due for so long. Milliseconds. */
const takeOverAfter = 1_000
const maxBackoff = 10 * 60_000
/** Reached after nearly two hours. An error that lasts so long and is not an outage is a bug. */
const maxAttempts = 20
const day = 24 * 60 * 60_000
/** How long reactions and receipts wait for a message that does not come. */
const earlyEventDays = 7

/**
 * Processes the webhook inbox. A transaction locks due deliveries, stores them and marks them as processed, so a process
 * that dies leaves them as they were. Processes share the work: each takes lanes whose oldest due delivery nobody holds,
 * so the deliveries of one person are stored in their order. If a batch fails, its deliveries are stored one by one, and
 * failures are retried with exponential backoff, because the network does not resend an accepted delivery. During a
 * database outage retries never end. Any other failure is parked after `maxAttempts`, until an operator makes the delivery
 * due again (docs/operations.md). Events that the database can never accept are recorded in `error` and not retried.
 */
export function createWebhookWorker({
  db,
  ingest,
  shares = wholeShare,
  retainedDays = 7,
  batchInterval = 0,
  clock,
  logger,
}: {
  db: Db
  ingest: Ingest
  /** Which deliveries this process takes first. */
  shares?: DeliveryShares
  /** How long the bodies of stored deliveries are kept. */
  retainedDays?: number
  /** Milliseconds between the starts of two batches, unless more waits than a batch takes. */
  batchInterval?: number
  clock: Clock
  logger: Pick<Logger, 'warn' | 'error'>
}) {
  let batchStartedAt = Number.NEGATIVE_INFINITY

  async function processDue(isRunning: () => boolean): Promise<void> {
    let isBehind = false
    // Until nothing is due: another process leaves to this one what arrives for the lanes that this one holds.
    while (isRunning()) {
      await nextTurn()
      if (!isBehind) await untilNextBatch()
      if (!isRunning()) return
      batchStartedAt = clock.now()
      let found: number
      try {
        found = await processTogether()
      } catch {
        found = await processOneByOne(isRunning)
      }
      if (found === 0) return
      isBehind = found === batchSize
    }
  }

  async function untilNextBatch(): Promise<void> {
    const passed = clock.now() - batchStartedAt
    // The clock may have been set back.
    if (passed >= 0 && passed < batchInterval) {
      await new Promise<void>((resolve) => void clock.after(batchInterval - passed, resolve))
    }
  }

  /** Stores a batch. Throws if any event fails; then nothing of it is stored. Returns the number of its deliveries. */
  async function processTogether(): Promise<number> {
    const { due, newPeople, wake } = await inTransaction(db, async (trx) => {
      const due = await lockDue(trx, batchSize)
      if (due.length === 0) return nothing
      const { stored, newPeople, wake } = await ingest.store(trx, due, { isolated: false })
      await settle(trx, stored)
      return { due, newPeople, wake }
    })
    wake()
    await addPeople(newPeople)
    return due.length
  }

  /** Stores as many deliveries as a batch has, each in a transaction of its own. Returns their number. */
  async function processOneByOne(isRunning: () => boolean): Promise<number> {
    for (let count = 0; count < batchSize; count++) {
      if (!isRunning() || !(await processOne())) return count
    }
    return batchSize
  }

  /** False if no delivery is due. */
  async function processOne(): Promise<boolean> {
    let held: number | null = null
    try {
      const { newPeople, wake } = await inTransaction(db, async (trx) => {
        const due = await lockDue(trx, 1)
        held = due[0]?.id ?? null
        if (held === null) return nothing
        const { stored, newPeople, wake } = await ingest.store(trx, due, { isolated: true })
        await settle(trx, stored)
        return { newPeople, wake }
      })
      wake()
      await addPeople(newPeople)
    } catch (error) {
      if (held === null) throw error
      await reschedule(db, held, error)
    }
    return held !== null
  }

  /**
   * Locks the oldest due deliveries of lanes whose first due delivery no other process holds: of this process's share, and
   * of the others' those that wait. Searches the whole queue only if other processes hold all of its oldest deliveries.
   */
  async function lockDue(trx: Transaction<Tables>, limit: number) {
    const first = await lockAmong(trx, searchedFirst, limit)
    return first.length > 0 ? first : lockAmong(trx, null, limit)
  }

  /** `searched`: among so many of the oldest deliveries; null: among all. */
  async function lockAmong(trx: Transaction<Tables>, searched: number | null, limit: number) {
    const now = new Date(clock.now())
    const share = shares.own()
    const late = new Date(clock.now() - takeOverAfter)
    const isTaken =
      share === null
        ? sql`true`
        : sql`(lane is null or due_at <= ${late} or mod(lane::bigint + 2147483648, ${share.count}) = ${share.index})`
    const { rows } = await sql<{ id: number; body: string; received_at: Date }>`
      with oldest as materialized (
        select id from webhook_inbox where processed_at is null and due_at <= ${now} and ${isTaken}
        order by id limit ${searched}
      ), heads as materialized (
        select id, lane from webhook_inbox due
        where id in (select id from oldest) and processed_at is null and due_at <= ${now} and not exists (
          select from webhook_inbox earlier
          where earlier.lane = due.lane and earlier.id < due.id and earlier.processed_at is null
            and earlier.due_at <= ${now}
        )
        order by id limit ${limit} for update skip locked
      )
      select id, body, received_at from webhook_inbox
      where processed_at is null and due_at <= ${now}
        and (id in (select id from heads) or lane in (select lane from heads))
      order by id limit ${limit} for update skip locked`.execute(trx)
    return rows.map(({ id, body, received_at }) => ({ id, body, receivedAt: received_at }))
  }

  async function settle(trx: Transaction<Tables>, deliveries: readonly StoredDelivery[]): Promise<void> {
    const stored = deliveries.filter(({ error }) => error === null)
    if (stored.length > 0) {
      const results = stored.map(({ id, problems, mustForget }) => ({
        id,
        problems: problems.length > 0 ? problems.join('; ') : null,
        must_forget: mustForget,
      }))
      await sql`
        update webhook_inbox set processed_at = ${new Date(clock.now())}, attempts = attempts + 1, lane = null,
          error = problems, body = case when must_forget then ${removedBody} else body end
        from json_to_recordset(${JSON.stringify(results)}::json) as result (id bigint, problems text, must_forget boolean)
        where webhook_inbox.id = result.id`.execute(trx)
    }
    for (const { id, problems } of stored)
      if (problems.length > 0) logger.warn({ delivery: id, problems }, 'a webhook delivery was stored in part')
    for (const { id, error } of deliveries) if (error !== null) await reschedule(trx, id, error)
  }

  /** Creates the identities of new people, whose deliveries the next batch stores. */
  async function addPeople(people: NewPeople): Promise<void> {
    for (const added of people) {
      try {
        await ingest.addPerson(added)
      } catch (error) {
        for (const id of new Set(added.deliveries)) await reschedule(db, id, error)
      }
    }
  }

  async function reschedule(on: Db | Transaction<Tables>, id: number, error: unknown): Promise<void> {
    const reason = codeOf(error)
    const row = await on.selectFrom('webhook_inbox').select('attempts').where('id', '=', id).executeTakeFirst()
    const attempts = (row?.attempts ?? 0) + 1
    const isParked = attempts >= maxAttempts && !isOutage(error)
    if (isParked) logger.error({ delivery: id, ...traceOf(error) }, 'a webhook delivery is parked')
    else logger.warn({ delivery: id, reason }, 'a webhook delivery failed')
    const backoff = Math.min(1_000 * 2 ** Math.min(attempts - 1, 20), maxBackoff)
    await on
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

  async function sweep(isRunning: () => boolean): Promise<void> {
    const before = (days: number) => new Date(clock.now() - days * day)
    await deleteOlder(db, isRunning, { table: 'webhook_inbox', column: 'processed_at', before: before(retainedDays) })
    await deleteOlder(db, isRunning, { table: 'early_events', column: 'at', before: before(earlyEventDays) })
  }

  const loop = createWorkLoop({
    work: processDue,
    sweep,
    pollInterval,
    failureMessage: 'reading the webhook inbox failed',
    clock,
    logger,
  })

  shares.onWake(loop.wake)
  return loop
}

const never = sql<Date>`'infinity'`

const nothing = { due: [], newPeople: [], wake: () => undefined }
