import { setTimeout as delay } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'

/** An announcement of a committed transaction that waits to be published. Without `is_kept` it is worth nothing later. */
export type QueuedAnnouncement = { id: number; payload: string; is_kept: boolean }

/** Announcements that one transaction publishes. Each is shorter than 8,000 bytes. */
export const publishedTogether = 500
/** Any number that no other advisory lock uses. */
const publishLock = 74_112_012
/**
 * Milliseconds. Transactions of the server end within this time, because the database cancels slow statements. So no
 * transaction that began before a transport was switched on still runs after this time.
 */
const writersEndWithin = 60_000
const pollInterval = 50
/** NOTIFY goes on for this long after its last listener was seen, which may be connecting again. Seconds. */
const notifyLease = 60
/** The triggers stop to fill the queue when no process has needed it for this long. Seconds. */
const queueLease = 120

/** From now on each commit is announced by NOTIFY. */
export async function requireNotify(db: Db): Promise<void> {
  const { rows } = await sql<{ is_new: boolean }>`
    update realtime_transport set notifies = true, notify_needed_at = now(),
      notifies_since = case when notifies then notifies_since else now() end
    returning ${isNew(sql`notifies_since`)} as is_new`.execute(db)
  if (rows[0]?.is_new) await earlierWritersEnded(db)
}

/** From now on each commit is queued, as long as `keepQueue` is called. */
export async function requireQueue(db: Db): Promise<void> {
  if (await keepQueue(db)) await earlierWritersEnded(db)
}

/**
 * Commits are queued for two minutes after the last call. NOTIFY, whose lock all commits of the database share, stops when
 * no process listens. Processes of the previous release say so by listening alone. Returns whether the queue is new, so
 * that earlier transactions may not have used it.
 */
export async function keepQueue(db: Db): Promise<boolean> {
  const { rows } = await sql<{ is_new: boolean }>`
    with listening as (
      select exists (
        select from pg_stat_activity where datname = current_database() and query = 'listen "realtime"'
      ) as any
    )
    update realtime_transport set queues = true, queue_needed_at = now(),
      queues_since = case when queues then queues_since else now() end,
      notifies = listening.any or notify_needed_at > now() - make_interval(secs => ${notifyLease}),
      notifies_since = case when notifies or not listening.any then notifies_since else now() end,
      notify_needed_at = case when listening.any then now() else notify_needed_at end
    from listening
    returning ${isNew(sql`queues_since`)} as is_new`.execute(db)
  return rows[0]?.is_new ?? false
}

const isNew = (since: RawBuilder<unknown>) =>
  sql<boolean>`${since} > now() - make_interval(secs => ${writersEndWithin / 1000})`

/**
 * Waits for the transactions that may have announced by the former settings: the triggers have read the table, so they hold
 * a lock on it until they end. Transactions that only read, such as a backup, have no id.
 */
async function earlierWritersEnded(db: Db): Promise<void> {
  const writers = async () => {
    const { rows } = await sql<{ id: string }>`
      select virtualtransaction as id from pg_locks held
      where relation = 'realtime_transport'::regclass and pid <> pg_backend_pid()
        and database = (select oid from pg_database where datname = current_database())
        and exists (
          select from pg_locks own where own.virtualtransaction = held.virtualtransaction
            and own.locktype = 'transactionid' and own.mode = 'ExclusiveLock'
        )`.execute(db)
    return rows.map(({ id }) => id)
  }
  let earlier = await writers()
  for (let waited = 0; earlier.length > 0; waited += pollInterval) {
    if (waited >= writersEndWithin) throw new Error('a transaction did not end')
    await delay(pollInterval)
    const running = new Set(await writers())
    earlier = earlier.filter((id) => running.has(id))
  }
}

/** Announces a text to all processes, as the triggers do. */
export async function tellProcesses(db: Db, text: string): Promise<void> {
  await sql`select tell_processes(${text})`.execute(db)
}

/**
 * Publishes the oldest announcements, in the order of their rows, and deletes them. One process publishes at a time, so the
 * changes of one row are announced in the order of their commits: the lock of the row orders the ids. If `publish` throws, they stay. Returns their
 * number.
 */
export async function publishQueued(
  db: Db,
  publish: (announcements: readonly QueuedAnnouncement[]) => Promise<void>,
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${publishLock})`.execute(trx)
    const { rows } = await sql<QueuedAnnouncement>`
      delete from realtime_queue where id = any(array(
        select id from realtime_queue order by id limit ${publishedTogether}
      )) returning id, payload, is_kept`.execute(trx)
    if (rows.length > 0) await publish(rows.toSorted((a, b) => a.id - b.id))
    return rows.length
  })
}

/**
 * Bounds the queue while nobody publishes: announcements of this age are replaced by one that makes every listener catch
 * up. Stops filling a queue that no process needs.
 */
export async function sweepQueue(db: Db, seconds: number): Promise<void> {
  await sql`
    update realtime_transport set queues = false, notifies = true,
      notifies_since = case when notifies then notifies_since else now() end
    where queues and queue_needed_at < now() - make_interval(secs => ${queueLease})`.execute(db)
  await sql`
    with gone as (delete from realtime_queue where created_at < now() - make_interval(secs => ${seconds}) returning id)
    insert into realtime_queue (payload, is_kept)
    select '{"gap":true}', true where exists (select from gone) and (select queues from realtime_transport)`.execute(db)
}

/** The name of this database among those that share a NATS server: a copy with another name is another database. */
export async function streamName(db: Db): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select md5(id || current_database()) as name from realtime_transport`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('realtime_transport has no row')
  return row.name
}
