import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { StartupError } from '../startup-error.ts'
import type { ExclusiveTask, OpenDatabase } from './database.ts'
import { appliedNamesQuery, migrate } from './migrations.ts'
import type { Tables } from './tables.ts'

/** The keys of the server's advisory locks. */
const locks: Record<ExclusiveTask, number> = { migration: 74_112_009, 'first fill': 74_112_011 }

/** Counts come as bigint: as numbers here, for none of ours leaves the safe range. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)),
}

/** Connects to a Postgres server and brings its schema up to date. Throws StartupError when it cannot be reached. */
export async function openPostgres(connectionString: string): Promise<OpenDatabase> {
  await migrateServer(connectionString)
  const pool = new pg.Pool({ connectionString, types, max: 10, keepAlive: true })
  // A connection that breaks while idle is replaced at its next use, one in a transaction fails at its next query:
  // without a listener each would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const listeners = new Set<pg.Client>()

  return {
    db,
    kind: 'postgres',
    async listen(channel, onPayload, onLost) {
      const client = new pg.Client({ connectionString, keepAlive: true })
      let wanted = true
      const lost = () => {
        if (!wanted) return
        wanted = false
        listeners.delete(client)
        void client.end().catch(() => undefined)
        onLost()
      }
      client.on('error', lost)
      client.on('end', lost)
      client.on('notification', (notification) => {
        if (notification.channel === channel) onPayload(notification.payload ?? '')
      })
      try {
        await client.connect()
        await client.query(`listen ${pg.escapeIdentifier(channel)}`)
      } catch (error) {
        wanted = false
        void client.end().catch(() => undefined)
        throw error
      }
      listeners.add(client)
      return async () => {
        wanted = false
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
    forJobs: { connectionString, max: 3 },
    async close() {
      const open = [...listeners]
      listeners.clear()
      await Promise.all(open.map((client) => client.removeAllListeners('end').end()))
      await db.destroy()
    },
  }
}

async function migrateServer(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  // What it was asked fails by itself; without a listener a broken connection would end the process before that.
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
      appliedNames: async () => (await client.query<{ name: string }>(appliedNamesQuery)).rows.map(({ name }) => name),
    })
  } finally {
    await client.end()
  }
}
