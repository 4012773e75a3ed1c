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

/** Connects to a PostgreSQL server and migrates it. Throws StartupError if it is unreachable. */
export async function openPostgres(connectionString: string): Promise<OpenDatabase> {
  await migrateServer(connectionString)
  const connect = (max: number) => {
    const pool = new pg.Pool({
      connectionString,
      types,
      max,
      keepAlive: true,
      onConnect: setTimeouts,
      application_name: applicationName,
    })
    // Without these listeners a broken connection would end the process. The pool replaces idle connections, and a
    // connection in a transaction fails at its next query.
    pool.on('error', () => undefined)
    pool.on('connect', (client) => client.on('error', () => undefined))
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
      const client = new pg.Client({ connectionString, keepAlive: true, application_name: applicationName })
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
        if (notification.channel === channel) onPayload(notification.payload ?? '')
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
    async exclusively(task, run) {
      const client = new pg.Client({ connectionString, keepAlive: true })
      client.on('error', () => undefined)
      await client.connect()
      try {
        await client.query('select pg_advisory_lock($1)', [locks[task]])
        return await run()
      } finally {
        await client.end()
      }
    },
    forJobs: { connectionString, max: 3, onConnect: setTimeouts },
    async close() {
      const open = [...listeners]
      listeners.clear()
      await Promise.all(open.map((client) => client.removeAllListeners('end').end()))
      await deliveries.destroy()
      await db.destroy()
    },
  }
}

async function migrateServer(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  // Without a listener a broken connection would end the process. The running query fails anyway.
  client.on('error', () => undefined)
  try {
    await client.connect()
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
    throw new StartupError(`The database that DATABASE_URL names cannot be reached (${reason}).`, { cause: error })
  }
  try {
    await client.query('select pg_advisory_lock($1)', [locks.migration])
    await migrate({
      run: async (script) => void (await client.query(script)),
      applied: async () => (await client.query<AppliedMigration>(appliedQuery)).rows,
    })
  } finally {
    await client.end()
  }
}
