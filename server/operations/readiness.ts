import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import { readMigrations } from '../database/migrations.ts'

/** Milliseconds that the database may take to answer. Load balancers wait about 5 s. */
const databaseTimeout = 2_000

export type Readiness = { database: PartState; listener: PartState; migrations: PartState }
type PartState = 'ok' | 'failed'

/**
 * Whether this process can do its work: the database answers, realtime receives its changes (if it is served here), and the schema has
 * all migrations of this release.
 */
export function createReadiness({ db, clock, isListening }: { db: Db; clock: Clock; isListening: () => boolean }) {
  const known = readMigrations().map(({ name }) => name)
  let reading: Promise<Set<string> | null> | null = null
  /** Anybody may ask, so calls at the same time share one query. Null if the database refuses it. */
  const appliedNames = () => {
    reading ??= sql<{ name: string }>`select name from applied_migrations`
      .execute(db)
      .then(({ rows }) => new Set(rows.map(({ name }) => name)))
      .catch(() => null)
      .finally(() => {
        reading = null
      })
    return reading
  }

  return async (): Promise<Readiness> => {
    let cancel = () => {}
    const timeout = new Promise<null>((resolve) => {
      cancel = clock.after(databaseTimeout, () => resolve(null))
    })
    const applied = await Promise.race([appliedNames(), timeout])
    cancel()
    const stateOf = (isOk: boolean): PartState => (isOk ? 'ok' : 'failed')
    return {
      database: stateOf(applied !== null),
      listener: stateOf(isListening()),
      migrations: stateOf(applied !== null && known.every((name) => applied.has(name))),
    }
  }
}
