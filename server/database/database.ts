import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { ConstructorOptions } from 'pg-boss'
import { lockDirectory } from './directory-lock.ts'
import { embeddedDatabase, startEmbedded } from './embedded.ts'
import { openPostgres } from './postgres.ts'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>

export type ExclusiveTask = 'migration' | 'first fill'

export type OpenDatabase = {
  db: Db
  kind: 'pglite' | 'postgres'
  /**
   * Hears what any process says with NOTIFY, in order; a channel is a word in lower case. `onLost` is called once when the connection
   * breaks: what was said since is lost, and the caller listens anew. Returns what stops it.
   */
  listen(channel: string, onPayload: (payload: string) => void, onLost: () => void): Promise<() => Promise<void>>
  /** Runs something that only one process at a time may do; the others wait. */
  exclusively<T>(task: ExclusiveTask, run: () => Promise<T>): Promise<T>
  /** How the job queue reaches this database. */
  forJobs: Pick<ConstructorOptions, 'db' | 'backend' | 'connectionString' | 'max'>
  close(): Promise<void>
}

export type DatabasePlace = { databaseUrl: string } | { dataDir: string } | { memory: true }

/**
 * Opens the database with its schema up to date: a Postgres server, the embedded one in a directory
 * that this process alone holds, or the embedded one in memory. Throws StartupError with a sentence
 * for the person at the terminal when the server cannot be reached or the directory is held.
 */
export async function openDatabase(place: DatabasePlace): Promise<OpenDatabase> {
  if ('databaseUrl' in place) return openPostgres(place.databaseUrl)
  if ('memory' in place) return embeddedDatabase(await startEmbedded({ memory: true }))

  const unlock = lockDirectory(place.dataDir)
  try {
    const database = embeddedDatabase(await startEmbedded({ directory: join(place.dataDir, 'database') }))
    return {
      ...database,
      close: async () => {
        await database.close()
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}
