import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { StartupError } from '../startup-error.ts'
import type { OpenDatabase } from './database.ts'
import { lockDirectory } from './directory-lock.ts'
import { embeddedDatabase, startEmbedded } from './embedded.ts'
import { openPostgres } from './postgres.ts'
import { serveSnapshots } from './snapshots.ts'

/** `directUrl`: past the transaction pooler that `databaseUrl` names. */
export type DatabasePlace =
  | { databaseUrl: string; directUrl?: string | undefined }
  | { dataDir: string }
  | { memory: true }

/** The directory of the embedded database. */
export const databaseIn = (dataDir: string) => join(dataDir, 'database')

type PlaceSettings = {
  databaseUrl: string | undefined
  databaseDirectUrl?: string | undefined
  dataDir: string
}

/** The place that settings name: DATABASE_URL, else DATA_DIR. */
export const placeOf = ({ databaseUrl, databaseDirectUrl, dataDir }: PlaceSettings): DatabasePlace =>
  databaseUrl === undefined ? { dataDir } : { databaseUrl, directUrl: databaseDirectUrl }

/** Throws StartupError if a command would create the embedded database, because DATA_DIR is mistyped. */
export function assertDatabaseExists(place: DatabasePlace): void {
  if (!('dataDir' in place) || existsSync(databaseIn(place.dataDir))) return
  throw new StartupError(`${place.dataDir} has no database. Set DATA_DIR to the data directory of the server.`)
}

/** Opens the database for a command. Throws StartupError if there is none yet, and like `openDatabase`. */
export async function openExistingDatabase(settings: PlaceSettings): Promise<OpenDatabase> {
  const place = placeOf(settings)
  assertDatabaseExists(place)
  return openDatabase(place)
}

/**
 * Opens and migrates the database: a PostgreSQL server, or the embedded one in a locked directory or in memory. Throws
 * StartupError if the server is unreachable or the directory is locked.
 */
export async function openDatabase(place: DatabasePlace): Promise<OpenDatabase> {
  if ('databaseUrl' in place) return openPostgres(place.databaseUrl, place.directUrl)
  if ('memory' in place) return embeddedDatabase(await startEmbedded({ memory: true }))

  const unlock = lockDirectory(place.dataDir)
  try {
    const directory = databaseIn(place.dataDir)
    const pglite = await startEmbedded({ directory })
    const database = embeddedDatabase(pglite)
    const stopSnapshots = await serveSnapshots({ dataDir: place.dataDir, database: directory }, pglite)
    return {
      ...database,
      close: async () => {
        await stopSnapshots()
        await database.close()
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}
