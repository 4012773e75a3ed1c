import { existsSync } from 'node:fs'
import { PGlite, types } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { type DatabaseConnection, Kysely, PGliteDialect, PGliteDriver } from 'kysely'
import { fromPglite } from 'pg-boss'
import { nextTurn } from '../next-turn.ts'
import type { OpenDatabase } from './database.ts'
import { durableFiles, syncNewDirectory } from './durable-files.ts'
import { type AppliedMigration, appliedQuery, migrate } from './migrations.ts'
import type { Tables } from './tables.ts'

type Place = { directory: string } | { image: Blob } | { memory: true }

/** Starts PostgreSQL in this process and migrates it. */
export async function startEmbedded(place: Place): Promise<PGlite> {
  const pglite = await openPglite(place)
  await migrate({
    run: async (script) => void (await pglite.exec(script)),
    applied: async () => (await pglite.query<AppliedMigration>(appliedQuery)).rows,
  })
  return pglite
}

/** Starts PostgreSQL in this process: in a directory, or in memory, empty or restored from an image. */
export async function openPglite(place: Place): Promise<PGlite> {
  const isNewDirectory = 'directory' in place && !existsSync(place.directory)
  const pglite = await PGlite.create({
    extensions: { pg_trgm },
    parsers: { [types.INT8]: Number },
    ...('directory' in place ? durableFiles(place.directory) : {}),
    ...('image' in place ? { loadDataDir: place.image } : {}),
  })
  if (isNewDirectory) syncNewDirectory(place.directory)
  return pglite
}

/** Milliseconds that transactions may follow one another before the event loop reads what has arrived. */
const longestChain = 10

/**
 * The database runs in this thread and answers without the event loop, so a job of many queries would let no request in. A
 * transaction keeps its connection, so the event loop turns between transactions only.
 */
class YieldingDriver extends PGliteDriver {
  #turnedAt = performance.now()

  override async acquireConnection(): Promise<DatabaseConnection> {
    if (performance.now() - this.#turnedAt > longestChain) {
      await nextTurn()
      this.#turnedAt = performance.now()
    }
    return super.acquireConnection()
  }
}

/** Wraps the embedded database in the common interface. */
export function embeddedDatabase(pglite: PGlite): OpenDatabase {
  const dialect = new PGliteDialect({ pglite })
  dialect.createDriver = () => new YieldingDriver({ pglite })
  const db = new Kysely<Tables>({ dialect })
  return {
    db,
    deliveries: db,
    kind: 'pglite',
    listen: (channel, onPayload) => pglite.listen(channel, (payload) => void onPayload(payload)),
    // Its one process needs no queue.
    watchQueue: () => undefined,
    exclusively: (_task, run) => run(),
    forJobs: { db: fromPglite(pglite), backend: 'pglite' },
    close: () => pglite.close(),
  }
}
