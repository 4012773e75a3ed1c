import { sql } from 'kysely'
import type { JobWithMetadata } from 'pg-boss'
import * as z from 'zod/mini'
import type { AutoSyncConfig, AutoSyncPage, AutoSyncRun, AutoSyncStatus } from '../../../src/schemas/auto-sync.ts'
import { type AuditActor, recordAudit } from '../../audit/audit.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/database.ts'
import type { Row } from '../../database/tables.ts'
import { inTransaction } from '../../database/transaction.ts'
import { type Jobs, jobDefaults, workDefaults } from '../../jobs.ts'
import type { Logger } from '../../logger.ts'
import type { PageOutcome, RecentSync } from './recent-sync.ts'

const queue = 'auto-sync'
const jobData = z.object({ trigger: z.enum(['schedule', 'forced']), staffId: z.nullish(z.string()) })
const minute = 60_000
/** A request for a forced run is answered within this, before the client times out. */
const forceTimeout = 25_000
const pollInterval = 250
const maxStoredRuns = 500
const pendingJobStates: ReadonlySet<string> = new Set(['created', 'retry', 'active'])

export type AutoSync = ReturnType<typeof createAutoSync>

/**
 * The automatic sync (spec sections 2 and 4): its settings, its schedule in the job queue, and its runs. Only one process
 * runs it at a time. An interrupted run continues with the remaining pages.
 */
export function createAutoSync({
  db,
  jobs,
  recent,
  clock,
  logger,
}: {
  db: Db
  jobs: Jobs
  recent: Pick<RecentSync, 'allPages'>
  clock: Clock
  logger: Pick<Logger, 'info'>
}) {
  let isWorking = false
  let wakeWorker: () => void = () => undefined

  const readSettings = () =>
    db
      .selectFrom('auto_sync')
      .leftJoin('staff', 'staff.id', 'auto_sync.last_updated_by')
      .select(['interval_minutes', 'hours_back', 'enabled', 'last_updated_at'])
      .select(sql<string | null>`coalesce(staff.name, staff.email, auto_sync.last_updated_by)`.as('last_updated_by'))
      .executeTakeFirstOrThrow()

  const readRuns = () =>
    db
      .selectFrom('auto_sync_runs')
      .leftJoin('staff', 'staff.id', 'auto_sync_runs.started_by')
      .selectAll('auto_sync_runs')
      .select(sql<string | null>`coalesce(staff.name, staff.email)`.as('started_by_name'))
      .orderBy('started_at', 'desc')

  async function findRun(id: string): Promise<AutoSyncRun | null> {
    const row = await readRuns().where('auto_sync_runs.id', '=', id).executeTakeFirst()
    return row === undefined ? null : toResponse(row)
  }

  async function lastRun(): Promise<AutoSyncRun | null> {
    const row = await readRuns().limit(1).executeTakeFirst()
    return row === undefined ? null : toResponse(row)
  }

  /** Updates the schedule. The first run is due one interval from now. */
  async function schedule({ enabled, interval_minutes }: Pick<AutoSyncConfig, 'enabled' | 'interval_minutes'>) {
    if (!enabled) return jobs.unschedule(queue)
    const first = new Date(clock.now() + interval_minutes * minute)
    await jobs.schedule(
      queue,
      `DTSTART:${calendarTime(first)}\nRRULE:FREQ=MINUTELY;INTERVAL=${interval_minutes}`,
      { trigger: 'schedule' } satisfies z.infer<typeof jobData>,
      { tz: 'UTC', missed: 'once' },
    )
  }

  async function updateSettings(values: Partial<AutoSyncConfig>, by: AuditActor): Promise<void> {
    const before = await readSettings()
    await inTransaction(db, async (trx) => {
      const at = clock.now()
      await trx
        .updateTable('auto_sync')
        .set({ ...values, last_updated_by: by.staffId, last_updated_at: new Date(at) })
        .execute()
      await recordAudit(trx, { at, by, action: 'sync.settings-changed', details: values })
    })
    const after = { ...before, ...values }
    const isSame = before.enabled === after.enabled && before.interval_minutes === after.interval_minutes
    if (!isSame || (await jobs.getSchedule(queue)) === null) await schedule(after)
  }

  /** Marks runs as failed whose process died and whose job the queue has given up. */
  async function failAbandonedRuns(): Promise<void> {
    const running = await db.selectFrom('auto_sync_runs').select('id').where('state', '=', 'running').execute()
    for (const { id } of running) {
      const [job] = await jobs.findJobs(queue, { id })
      if (job !== undefined && pendingJobStates.has(job.state)) continue
      await finishRun(id, 'failed').where('state', '=', 'running').execute()
    }
  }

  async function status(): Promise<AutoSyncStatus> {
    await failAbandonedRuns()
    const [settings, run, planned, ended] = await Promise.all([
      readSettings(),
      lastRun(),
      jobs.getSchedule(queue),
      db
        .selectFrom('auto_sync_runs')
        .select((row) => row.fn.max('finished_at').as('at'))
        .executeTakeFirst(),
    ])
    const { interval_minutes, hours_back, enabled } = settings
    const config = { interval_minutes, hours_back, enabled }
    const isRunning = enabled && isWorking && planned !== null
    const now = clock.now()
    const [next] = isRunning ? jobs.previewSchedule(planned.cron, { tz: 'UTC', from: new Date(now), count: 1 }) : []
    return {
      isRunning,
      enabled,
      isSyncing: run?.state === 'running',
      lastSyncTime: ended?.at?.toISOString() ?? null,
      nextSyncIn: next === undefined ? null : Math.ceil((next.getTime() - now) / 1000),
      config,
      settings: {
        ...config,
        last_updated_by: settings.last_updated_by,
        last_updated_at: settings.last_updated_at?.toISOString() ?? null,
      },
      lastRun: run,
    }
  }

  async function beginRun(id: string, trigger: 'schedule' | 'forced', staffId: string | null): Promise<void> {
    const now = new Date(clock.now())
    await db
      .insertInto('auto_sync_runs')
      .values({ id, state: 'running', trigger, started_by: staffId, started_at: now })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
    // Only one run at a time: any other 'running' row was abandoned.
    await db
      .updateTable('auto_sync_runs')
      .set({ state: 'failed', finished_at: now })
      .where('state', '=', 'running')
      .where('id', '!=', id)
      .execute()
    await sql`
      delete from auto_sync_runs
      where id in (select id from auto_sync_runs order by started_at desc offset ${maxStoredRuns})
    `.execute(db)
  }

  async function recordOutcome(id: string, outcome: PageOutcome): Promise<void> {
    const page: AutoSyncPage = {
      page_id: outcome.page_id,
      page_name: outcome.page_name,
      messages: outcome.messages,
      error: outcome.refusal?.text ?? null,
      code: outcome.refusal?.code ?? null,
      retry_at: outcome.retryAt?.toISOString() ?? null,
    }
    await sql`
      update auto_sync_runs set messages = messages + ${outcome.messages}, pages = pages || ${JSON.stringify([page])}::jsonb
      where id = ${id}
    `.execute(db)
  }

  const finishRun = (id: string, state: 'completed' | 'stopped' | 'failed') =>
    db
      .updateTable('auto_sync_runs')
      .set({ state, finished_at: new Date(clock.now()) })
      .where('id', '=', id)

  async function run(job: JobWithMetadata<unknown>): Promise<void> {
    const { trigger, staffId } = jobData.parse(job.data)
    const settings = await readSettings()
    if (trigger === 'schedule' && !settings.enabled) {
      // An earlier attempt may have been interrupted before staff turned auto-sync off.
      await finishRun(job.id, 'stopped').where('state', '=', 'running').execute()
      return
    }
    await beginRun(job.id, trigger, staffId ?? null)
    const done = (await findRun(job.id))?.pages ?? []
    let isStopped = false
    await recent.allPages(settings.hours_back, {
      skip: new Set(done.map(({ page_id }) => page_id)),
      onPage: (outcome) => recordOutcome(job.id, outcome),
      shouldContinue: async () => {
        if (job.signal.aborted) return false
        isStopped ||= trigger === 'schedule' && !(await readSettings()).enabled
        return !isStopped
      },
    })
    // The queue then retries the job in another process.
    if (job.signal.aborted) throw new Error('interrupted (the process is shutting down)')
    await finishRun(job.id, isStopped ? 'stopped' : 'completed').execute()
    logger.info({ run: job.id, trigger }, 'pages synced')
  }

  async function runJob(job: JobWithMetadata<unknown>): Promise<void> {
    try {
      await run(job)
    } catch (error) {
      if (job.retryCount >= job.retryLimit) await finishRun(job.id, 'failed').where('state', '=', 'running').execute()
      throw error
    }
  }

  /** The run of a job. Without a job (another run was joined): the last run, unless it ended before `since`. */
  async function runOf(jobId: string | null, since: number): Promise<AutoSyncRun | null> {
    const found = jobId === null ? await lastRun() : await findRun(jobId)
    const isOld = jobId === null && found?.finished_at != null && Date.parse(found.finished_at) < since
    return isOld ? null : found
  }

  return {
    status,

    /** Spec section 7, PUT /facebook/auto-sync/config. */
    async configure(config: AutoSyncConfig, by: AuditActor): Promise<AutoSyncStatus> {
      await updateSettings(config, by)
      return status()
    },

    /** Enables auto-sync. The first run starts at once. */
    async start(by: AuditActor): Promise<AutoSyncStatus> {
      await updateSettings({ enabled: true }, by)
      await jobs.send(queue, { trigger: 'schedule' } satisfies z.infer<typeof jobData>)
      wakeWorker()
      return status()
    },

    /** Disables auto-sync. A scheduled run that is in progress stops after its current pages. */
    async stop(by: AuditActor): Promise<AutoSyncStatus> {
      await updateSettings({ enabled: false }, by)
      return status()
    },

    /**
     * Syncs at once, also if auto-sync is disabled, and waits for the end. Joins a run in progress; if that run is stopped
     * because auto-sync was disabled, starts another one. After `forceTimeout` returns the unfinished run, null if it has
     * not started.
     */
    async force(staffId: string): Promise<AutoSyncRun | null> {
      const since = clock.now()
      const enqueue = async () => {
        const jobId = await jobs.send(queue, { trigger: 'forced', staffId } satisfies z.infer<typeof jobData>)
        wakeWorker()
        return jobId
      }
      let id = await enqueue()
      for (;;) {
        const found = await runOf(id, since)
        if (id === null && found?.state === 'stopped') id = await enqueue()
        else if (found !== null && found.state !== 'running') return found
        if (clock.now() - since >= forceTimeout) return found
        await new Promise<void>((resolve) => clock.after(pollInterval, resolve))
      }
    },

    /**
     * To be called before routes are served, because they queue jobs. Exclusive: at most one job is queued or active, across
     * all processes.
     */
    createQueue: () =>
      jobs.createQueue(queue, {
        ...jobDefaults,
        policy: 'exclusive',
        retryLimit: 5,
        retryDelay: 1,
        retryDelayMax: 60,
        expireInSeconds: 30 * 60,
      }),

    /** Starts the worker, and creates the schedule if it is missing. */
    async work(): Promise<void> {
      const worker = await jobs.work(queue, workDefaults, async ([job]: JobWithMetadata<unknown>[]) => {
        if (job !== undefined) await runJob(job)
      })
      wakeWorker = () => jobs.notifyWorker(worker)
      await failAbandonedRuns()
      const settings = await readSettings()
      if (settings.enabled && (await jobs.getSchedule(queue)) === null) await schedule(settings)
      isWorking = true
    },
  }
}

type RunRow = Row<'auto_sync_runs'> & { started_by_name: string | null }

const toResponse = (row: RunRow): AutoSyncRun => ({
  id: row.id,
  state: row.state,
  trigger: row.trigger,
  started_by_name: row.started_by_name,
  started_at: row.started_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null,
  messages: row.messages,
  pages: row.pages,
})

/** The iCalendar format: `20260418T020000Z`. */
const calendarTime = (moment: Date) => moment.toISOString().replace(/[-:]|\.\d+/g, '')
