import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { ChangeTransport } from '../../../changes/transport.ts'
import type { Clock } from '../../../clock.ts'
import type { Db } from '../../../database/database.ts'

const change = z.object({
  schema: z.string(),
  table: z.string(),
  type: z.enum(['INSERT', 'UPDATE', 'DELETE']),
  commit_timestamp: z.string(),
  record: z.record(z.string(), z.unknown()),
  old_record: z.record(z.string(), z.unknown()),
})

/** A row change as notified by the database. */
export type Change = z.infer<typeof change>

/** The `data` of a `postgres_changes` message. */
export type DescribedChange = Change & { columns: { name: string; type: string }[]; errors: null }

const accessChange = z.union([z.object({ sessionId: z.string() }), z.object({ userId: z.string() })])

const notification = z.union([
  z.object({ outbox: z.number() }),
  z.object({ access: accessChange }),
  z.object({ gap: z.literal(true) }),
  change,
])

/** Whose access to realtime has changed: a session of the identity provider, or a user of it. */
export type AccessChange = z.infer<typeof accessChange>

/** A notification of the database: a changed row, or changed access of a session or user. */
export type Announcement = { change: DescribedChange } | { access: AccessChange }

const channel = 'realtime'

/** Reads notified changes. Changes too large for NOTIFY are read from the outbox. Adds the table's columns. */
export const createChangeReader = ({ db }: { db: Db }) => {
  const columnsByTable = new Map<string, Promise<DescribedChange['columns']>>()

  const readColumns = async (schema: string, table: string): Promise<DescribedChange['columns']> => {
    const { rows } = await sql<{ name: string; type: string }>`
      select a.attname as name, t.typname as type
      from pg_attribute a join pg_type t on t.oid = a.atttypid
      join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = ${schema} and c.relname = ${table} and a.attnum > 0 and not a.attisdropped
      order by a.attnum`.execute(db)
    return rows
  }

  const columnsOf = (schema: string, table: string) => {
    const key = JSON.stringify([schema, table])
    const known = columnsByTable.get(key)
    if (known !== undefined) return known
    const columns = readColumns(schema, table)
    columnsByTable.set(key, columns)
    columns.catch(() => columnsByTable.delete(key))
    return columns
  }

  return {
    /** Throws if the payload is invalid, if its outbox row is gone, and if it says that changes were discarded. */
    read: async (text: string): Promise<Announcement> => {
      const notified = notification.parse(JSON.parse(text))
      if ('access' in notified) return notified
      if ('gap' in notified) throw new Error('Changes were discarded')
      const found =
        'outbox' in notified
          ? change.parse(
              (
                await db
                  .selectFrom('realtime_outbox')
                  .select('change')
                  .where('id', '=', notified.outbox)
                  .executeTakeFirstOrThrow()
              ).change,
            )
          : notified
      return { change: { ...found, columns: await columnsOf(found.schema, found.table), errors: null } }
    },
    /** Clears the column cache: a lost listener may have missed a migration. */
    forgetColumns: () => columnsByTable.clear(),
  }
}

/** Milliseconds. */
const initialBackoff = 200
const maxBackoff = 5000

const isHeartbeat = (text: string) => text.startsWith('{"heartbeat":')

/**
 * Listens for the database's changes and passes them on one by one, in their order. If the connection is lost or a change
 * cannot be read, changes may be missed: it calls `onDown`, reconnects with backoff and then calls `onUp`. A heartbeat on
 * the way of the changes detects broken connections.
 */
export const listenForChanges = ({
  transport: { listen, tell, heartbeatInterval },
  read,
  onAnnouncement,
  onUp,
  onDown,
  clock,
}: {
  transport: ChangeTransport
  read: (text: string) => Promise<Announcement>
  onAnnouncement: (announcement: Announcement) => void
  onUp: () => void
  onDown: (reason: Error) => void
  clock: Clock
}) => {
  let stopped = false
  let attempt = 0
  let connection = 0
  let stopListening: (() => Promise<void>) | undefined
  let cancelRetry = () => {}
  let cancelHeartbeat = () => {}
  let heartbeat = ''

  const retry = () => {
    const wait = Math.min(maxBackoff, initialBackoff * 2 ** attempt)
    attempt += 1
    // Random jitter, because many processes lose the same server at once.
    cancelRetry = clock.after(wait / 2 + (Math.random() * wait) / 2, () => void connect())
  }

  const fail = (id: number, reason: Error) => {
    if (stopped || id !== connection) return
    connection += 1
    cancelHeartbeat()
    void stopListening?.().catch(() => undefined)
    stopListening = undefined
    onDown(reason)
    retry()
  }

  const sendHeartbeat = (id: number) => {
    heartbeat = JSON.stringify({ heartbeat: randomUUID() })
    cancelHeartbeat = clock.after(heartbeatInterval, () => fail(id, new Error('The listener receives no heartbeats')))
    tell(heartbeat).catch((error: Error) => fail(id, error))
  }

  const scheduleHeartbeat = (id: number) => {
    cancelHeartbeat()
    cancelHeartbeat = clock.after(heartbeatInterval, () => sendHeartbeat(id))
  }

  const connect = async (): Promise<void> => {
    connection += 1
    const id = connection
    let tail = Promise.resolve()
    /** Resolves when the text and all before it are passed on. */
    const take = (text: string): Promise<void> => {
      if (isHeartbeat(text)) {
        if (text === heartbeat && id === connection) scheduleHeartbeat(id)
        return tail
      }
      tail = tail.then(async () => {
        try {
          const announcement = await read(text)
          if (id === connection) onAnnouncement(announcement)
        } catch (error) {
          fail(id, error instanceof Error ? error : new Error(String(error)))
        }
      })
      return tail
    }
    try {
      const stop = await listen(channel, take, () => fail(id, new Error('The listener was lost')))
      if (stopped || id !== connection) return void (await stop())
      stopListening = stop
      attempt = 0
      scheduleHeartbeat(id)
      onUp()
    } catch (error) {
      if (id !== connection || stopped) return
      onDown(error instanceof Error ? error : new Error(String(error)))
      retry()
    }
  }

  return {
    /** Resolves after the first attempt. */
    start: connect,
    stop: async (): Promise<void> => {
      stopped = true
      connection += 1
      cancelRetry()
      cancelHeartbeat()
      await stopListening?.()
    },
  }
}
