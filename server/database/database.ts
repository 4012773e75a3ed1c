import type { Kysely } from 'kysely'
import type { PoolConfig } from 'pg'
import type { ConstructorOptions } from 'pg-boss'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>

export type ExclusiveTask = 'migration' | 'first fill'

export type OpenDatabase = {
  db: Db
  kind: 'pglite' | 'postgres'
  /**
   * Listens for NOTIFY from any process, in order. Channel names are lower-case words. `onLost` is called once if the
   * connection breaks: later notifications are lost, and the caller must listen again. Returns a function that stops
   * listening.
   */
  listen(
    channel: string,
    onPayload: (payload: string) => void | Promise<void>,
    onLost: () => void,
  ): Promise<() => Promise<void>>
  /** Calls `onQueued` after a transaction of this process has queued announcements (realtime-queue.ts). */
  watchQueue(onQueued: () => void): void
  /** Runs a task in one process at a time; the others wait. */
  exclusively<T>(task: ExclusiveTask, run: () => Promise<T>): Promise<T>
  /**
   * Stores webhook deliveries. It has connections of its own on PostgreSQL, so that slow queries elsewhere do not delay
   * the answer to the network.
   */
  deliveries: Db
  /** Connection options for the job queue. */
  forJobs: Pick<ConstructorOptions, 'db' | 'backend' | 'connectionString' | 'max'> & Pick<PoolConfig, 'onConnect'>
  close(): Promise<void>
}
