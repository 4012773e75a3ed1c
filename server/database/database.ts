import type { Kysely } from 'kysely'
import type { ConstructorOptions } from 'pg-boss'
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
