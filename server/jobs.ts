import { type Clock as JobsClock, PgBoss } from 'pg-boss'
import type { OpenDatabase } from './database/database.ts'
import type { Logger } from './logger.ts'

export type Jobs = PgBoss

/** A worker without a heartbeat for this long has died; another worker retries its job. */
const heartbeatSeconds = 30
const superviseIntervalSeconds = 10

/**
 * Creates, without starting it, the job queue in the database that all processes share. Each job runs in one process,
 * and again in another if that process dies.
 */
export function createJobs(
  { forJobs }: Pick<OpenDatabase, 'forJobs'>,
  { logger, clock }: { logger: Pick<Logger, 'error'>; clock?: JobsClock },
): Jobs {
  const jobs = new PgBoss({
    ...forJobs,
    schema: 'jobs',
    superviseIntervalSeconds,
    monitorIntervalSeconds: superviseIntervalSeconds,
    cronMonitorIntervalSeconds: 5,
    cronWorkerIntervalSeconds: 2,
    ...(clock === undefined ? {} : { clock }),
  })
  // Log only the code: the message may contain values from SQL statements.
  jobs.on('error', (error) => {
    logger.error({ code: 'code' in error ? error.code : error.name }, 'the job queue reported an error')
  })
  return jobs
}

/** Options of every queue. */
export const jobDefaults = {
  heartbeatSeconds,
  retryBackoff: true,
  retentionSeconds: 24 * 60 * 60,
  deleteAfterSeconds: 60 * 60,
}

/** Options of every worker. */
export const workDefaults = { pollingIntervalSeconds: 2, includeMetadata: true } as const
