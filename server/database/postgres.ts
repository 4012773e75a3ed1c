import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { StartupError } from '../startup-error.ts'
import type { ExclusiveTask, OpenDatabase } from './database.ts'
import { type AppliedMigration, appliedQuery, migrate } from './migrations.ts'
import type { Tables } from './tables.ts'

/** The name of the server's connections in `pg_stat_activity`. */
export const applicationName = 'staff-inbox'

/** The keys of the server's advisory locks. */
const locks: Record<ExclusiveTask, number> = { migration: 74_112_009, 'first fill': 74_112_011 }

/** Parses bigint (such as counts) as number: none of our values leaves the safe range. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)),
}

/** A query that takes longer is cancelled. The pages give up on a call after 30 s. */
const statementTimeout = '25s'
/** A transaction that waits longer for its next query loses its connection, and with it its locks. */
const idleInTransactionTimeout = '30s'

/**
 * Sets the time-outs of a new connection, before its first query. PgBouncer refuses a connection that sends them as
 * start-up parameters, as the options of `pg` would.
 */
async function setTimeouts(client: pg.ClientBase): Promise<void> {
  await client.query(
    `set statement_timeout = '${statementTimeout}'; set idle_in_transaction_session_timeout = '${idleInTransactionTimeout}'`,
  )
}

/** The message of `tell_processes`. */
const queuedNotice = 'inbox: queued'

/** For connections that migrate, back up or wait for a lock. */
export const withoutTimeouts = 'set statement_timeout = 0; set idle_in_transaction_session_timeout = 0'

/**
 * Behind a transaction pooler a connection of ours is a different one of PostgreSQL in each transaction, so the time-outs
 * belong to the role in this database.
 */
const timeoutsOfRole = `do $$ begin
  execute format('alter role %I in database %I set statement_timeout = %L', current_user, current_database(),
    '${statementTimeout}');
  execute format('alter role %I in database %I set idle_in_transaction_session_timeout = %L', current_user,
    current_database(), '${idleInTransactionTimeout}');
end $$`

/**
 * Connects to a PostgreSQL server and migrates it. Throws StartupError if it is unreachable.
 *
 * With a `directUrl`, `connectionString` may name a transaction pooler (PgBouncer). What needs a session of its own uses
 * the direct address: LISTEN, migrations and session advisory locks.
 */
export async function openPostgres(connectionString: string, directUrl?: string): Promise<OpenDatabase> {
  const isPooled = directUrl !== undefined
  const sessionUrl = directUrl ?? connectionString
  await migrateServer(sessionUrl, isPooled)
  const onConnect = isPooled ? {} : { onConnect: setTimeouts }
  const watchers: (() => void)[] = []
  const queuing = new Set<pg.PoolClient>()
  const connect = (max: number) => {
    const pool = new pg.Pool({
      connectionString,
      types,
      max,
      keepAlive: true,
      application_name: applicationName,
      ...onConnect,
    })
    // Without these listeners a broken connection would end the process. The pool replaces idle connections, and a
    // connection in a transaction fails at its next query.
    pool.on('error', () => undefined)
    pool.on('connect', (client) => {
      client.on('error', () => undefined)
      // A trigger sends it in the transaction; the connection is released after its end.
      client.on('notice', ({ message }) => {
        if (message === queuedNotice) queuing.add(client)
      })
    })
    pool.on('release', (_, client) => {
      if (queuing.delete(client)) for (const onQueued of watchers) onQueued()
    })
    return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  }
  const db = connect(10)
  const deliveries = connect(2)
  const listeners = new Set<pg.Client>()

  return {
    db,
    deliveries,
    kind: 'postgres',
    async listen(channel, onPayload, onLost) {
      const client = new pg.Client({
        connectionString: sessionUrl,
        keepAlive: true,
        application_name: applicationName,
      })
      let isOpen = true
      const handleLoss = () => {
        if (!isOpen) return
        isOpen = false
        listeners.delete(client)
        void client.end().catch(() => undefined)
        onLost()
      }
      client.on('error', handleLoss)
      client.on('end', handleLoss)
      client.on('notification', (notification) => {
        if (notification.channel === channel) void onPayload(notification.payload ?? '')
      })
      try {
        await client.connect()
        await client.query(`listen ${pg.escapeIdentifier(channel)}`)
      } catch (error) {
        isOpen = false
        void client.end().catch(() => undefined)
        throw error
      }
      listeners.add(client)
      return async () => {
        isOpen = false
        listeners.delete(client)
        await client.end()
      }
    },
    watchQueue: (onQueued) => void watchers.push(onQueued),
    async exclusively(task, run) {
      const client = new pg.Client({ connectionString: sessionUrl, keepAlive: true })
      client.on('error', () => undefined)
      await client.connect()
      try {
        await client.query(withoutTimeouts)
        await client.query('select pg_advisory_lock($1)', [locks[task]])
        return await run()
      } finally {
        await client.end()
      }
    },
    forJobs: { connectionString, max: 3, ...onConnect },
    async close() {
      const open = [...listeners]
      listeners.clear()
      await Promise.all(open.map((client) => client.removeAllListeners('end').end()))
      await deliveries.destroy()
      await db.destroy()
    },
  }
}

async function migrateServer(connectionString: string, isPooled: boolean): Promise<void> {
  const client = new pg.Client({ connectionString })
  // Without a listener a broken connection would end the process. The running query fails anyway.
  client.on('error', () => undefined)
  try {
    await client.connect()
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
    const setting = isPooled ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL'
    throw new StartupError(`The database that ${setting} names cannot be reached (${reason}).`, { cause: error })
  }
  try {
    await client.query(withoutTimeouts)
    await client.query('select pg_advisory_lock($1)', [locks.migration])
    if (isPooled) await client.query(timeoutsOfRole)
    await migrate({
      run: async (script) => void (await client.query(script)),
      applied: async () => (await client.query<AppliedMigration>(appliedQuery)).rows,
    })
  } finally {
    await client.end()
  }
}
