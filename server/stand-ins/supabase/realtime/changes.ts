import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import * as z from 'zod/mini'
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

/** A change of a row as the database announces it. */
export type Change = z.infer<typeof change>

/** The same with the table's columns: what `data` holds in a `postgres_changes` message. */
export type DescribedChange = Change & { columns: { name: string; type: string }[]; errors: null }

const announcement = z.union([z.object({ outbox: z.number() }), change])

const channel = 'realtime'

/** Milliseconds a large change is kept for listeners that have yet to read it. */
const outboxAge = 5 * 60_000

/** Reads what the database announces: looks up what was too large to announce, and the columns of its table. */
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
    /** Takes an announcement's text. Throws when it is none, or names a change that is no longer kept. */
    read: async (text: string): Promise<DescribedChange> => {
      const announced = announcement.parse(JSON.parse(text))
      const found =
        'outbox' in announced
          ? change.parse(
              (
                await db
                  .selectFrom('realtime_outbox')
                  .select('change')
                  .where('id', '=', announced.outbox)
                  .executeTakeFirstOrThrow()
              ).change,
            )
          : announced
      return { ...found, columns: await columnsOf(found.schema, found.table), errors: null }
    },
    /** Says something to every process that listens. */
    say: async (text: string): Promise<void> => {
      await sql`select pg_notify(${channel}, ${text})`.execute(db)
    },
    /** Columns are read anew after this: a listener that was lost may have missed a migration. */
    forgetColumns: () => columnsByTable.clear(),
    /** Empties the outbox of what every listener has had the time to read. */
    sweep: async (): Promise<void> => {
      await sql`delete from realtime_outbox where created_at < now() - make_interval(secs => ${outboxAge / 1000})`.execute(
        db,
      )
    },
  }
}

type Listen = (channel: string, onPayload: (text: string) => void, onLost: () => void) => Promise<() => Promise<void>>

/** Milliseconds. */
const firstRetry = 200
const longestRetry = 5000
const heartbeatInterval = 30_000
const heartbeatPatience = 30_000

const isHeartbeat = (text: string) => text.startsWith('{"heartbeat":')

/**
 * Keeps a listener on the database's changes and hands them on one at a time, in the order they were committed.
 * When it is lost, or a change cannot be read, `onDown` is called, for then something may have been missed; it
 * listens anew with backoff, and calls `onUp` when it does. A connection may die without a word: what it says to
 * itself now and then must come back.
 */
export const followChanges = ({
  listen,
  read,
  say,
  onChange,
  onUp,
  onDown,
  clock,
}: {
  listen: Listen
  read: (text: string) => Promise<DescribedChange>
  say: (text: string) => Promise<void>
  onChange: (change: DescribedChange) => void
  onUp: () => void
  onDown: (reason: Error) => void
  clock: Clock
}) => {
  let stopped = false
  let attempt = 0
  let connection = 0
  let stopListening: (() => Promise<void>) | undefined
  let callOffRetry = () => {}
  let callOffHeartbeat = () => {}
  let heartbeat = ''

  const retry = () => {
    const wait = Math.min(longestRetry, firstRetry * 2 ** attempt)
    attempt += 1
    // Half of it at random: many processes lose one server at the same moment.
    callOffRetry = clock.after(wait / 2 + (Math.random() * wait) / 2, () => void connect())
  }

  const lose = (mine: number, reason: Error) => {
    if (stopped || mine !== connection) return
    connection += 1
    callOffHeartbeat()
    void stopListening?.().catch(() => undefined)
    stopListening = undefined
    onDown(reason)
    retry()
  }

  const beat = (mine: number) => {
    heartbeat = JSON.stringify({ heartbeat: randomUUID() })
    callOffHeartbeat = clock.after(heartbeatPatience, () =>
      lose(mine, new Error('The database listener hears nothing')),
    )
    say(heartbeat).catch((error: Error) => lose(mine, error))
  }

  const rest = (mine: number) => {
    callOffHeartbeat()
    callOffHeartbeat = clock.after(heartbeatInterval, () => beat(mine))
  }

  const connect = async (): Promise<void> => {
    connection += 1
    const mine = connection
    let tail = Promise.resolve()
    const take = (text: string) => {
      if (isHeartbeat(text)) {
        if (text === heartbeat && mine === connection) rest(mine)
        return
      }
      tail = tail.then(async () => {
        try {
          const change = await read(text)
          if (mine === connection) onChange(change)
        } catch (error) {
          lose(mine, error instanceof Error ? error : new Error(String(error)))
        }
      })
    }
    try {
      const stop = await listen(channel, take, () => lose(mine, new Error('The database listener was lost')))
      if (stopped || mine !== connection) return void (await stop())
      stopListening = stop
      attempt = 0
      rest(mine)
      onUp()
    } catch (error) {
      if (mine !== connection || stopped) return
      onDown(error instanceof Error ? error : new Error(String(error)))
      retry()
    }
  }

  return {
    /** Resolves after the first try to listen. */
    start: connect,
    stop: async (): Promise<void> => {
      stopped = true
      connection += 1
      callOffRetry()
      callOffHeartbeat()
      await stopListening?.()
    },
  }
}
