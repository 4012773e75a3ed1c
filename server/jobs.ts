import { type Clock as JobsClock, PgBoss } from 'pg-boss'
import type { OpenDatabase } from './database/database.ts'
import type { Logger } from './logger.ts'

export type Jobs = PgBoss

/** A worker that says nothing for so long has died; its job goes to another. */
const silentFor = 30
const lookEvery = 10

/**
 * The queue of jobs in the database, shared by all processes on it: each job runs in one of them, and again when that
 * process ended in the middle. Not started yet.
 */
export function createJobs(
  { forJobs }: Pick<OpenDatabase, 'forJobs'>,
  { logger, clock }: { logger: Pick<Logger, 'error'>; clock?: JobsClock },
): Jobs {
  const jobs = new PgBoss({
    ...forJobs,
    schema: 'jobs',
    superviseIntervalSeconds: lookEvery,
    monitorIntervalSeconds: lookEvery,
    cronMonitorIntervalSeconds: 5,
    cronWorkerIntervalSeconds: 2,
    ...(clock === undefined ? {} : { clock }),
  })
  // Its messages may quote a statement's values.
  jobs.on('error', (error) => {
    logger.error({ code: 'code' in error ? error.code : error.name }, 'the job queue stumbled')
  })
  return jobs
}

/** Of every queue: how a job that failed or was cut off is tried again, and how long its traces are kept (seconds). */
export const jobDefaults = {
  heartbeatSeconds: silentFor,
  retryBackoff: true,
  retentionSeconds: 24 * 60 * 60,
  deleteAfterSeconds: 60 * 60,
}

/** Of every worker, in seconds. */
export const workDefaults = { pollingIntervalSeconds: 2, includeMetadata: true } as const
