import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import { type Logger, traceOf } from '../logger.ts'
import { endSnoozes } from './conversation-states.ts'
import type { Db } from './database.ts'
import { removeDeletedLabels } from './labels.ts'
import { sweepPresence } from './presence.ts'
import { sweepQueue } from './realtime-queue.ts'

export type MaintenanceParts = { db: Db; clock: Clock; logger: Pick<Logger, 'error'> }

const foldInterval = 15_000
const vacuumInterval = 10 * 60_000
const analyzeEveryNth = 144
const sweepInterval = 60 * 60_000
const outboxSweepInterval = 60_000
const snoozeInterval = 10_000
const labelInterval = 10_000
/** Listeners read large changes from the outbox within this. Milliseconds. */
const outboxRetention = 5 * 60_000
const usedTokenRetention = 7 * 24 * 60 * 60_000
/** Longer than the lifetime of an access token. */
const sessionRetention = 24 * 60 * 60_000

/** After this time a provider session that is still used asks for a code again. */
const passedFactorRetention = 400 * 24 * 60 * 60_000

/** Periodically folds the changes of the page totals, which keeps reading them fast. Returns a stop function. */
export const startFoldingTotals = (parts: MaintenanceParts) =>
  repeat(parts, foldInterval, async () => {
    await sql`select fold_page_totals()`.execute(parts.db)
  })

/**
 * Vacuums the embedded database, which has no autovacuum: without it lists lose their index-only scans. Updates the
 * statistics, which is slower, once a day. Returns a stop function.
 */
export function startVacuuming(parts: MaintenanceParts) {
  let round = 0
  return repeat(parts, vacuumInterval, async () => {
    await (round % analyzeEveryNth === 0 ? sql`vacuum analyze` : sql`vacuum`).execute(parts.db)
    round += 1
  })
}

/**
 * Deletes expired refresh tokens and logins at the network, refresh tokens used long ago (kept until then for reuse
 * detection), and sessions without a refresh token. Returns a stop function.
 */
export function startSweepingSessions(parts: MaintenanceParts) {
  const { db, clock } = parts
  return repeat(parts, sweepInterval, async () => {
    const now = clock.now()
    await db
      .deleteFrom('refresh_tokens')
      .where((where) =>
        where.or([
          where('expires_at', '<=', new Date(now)),
          where('used_at', '<=', new Date(now - usedTokenRetention)),
        ]),
      )
      .execute()
    await db.deleteFrom('password_resets').where('expires_at', '<=', new Date(now)).execute()
    await db.deleteFrom('facebook_logins').where('expires_at', '<=', new Date(now)).execute()
    await db
      .deleteFrom('second_factor_sessions')
      .where('passed_at', '<=', new Date(now - passedFactorRetention))
      .execute()
    for (const [sessions, issuer] of [
      ['staff_sessions', 'product'],
      ['auth_sessions', 'provider'],
    ] as const) {
      await db
        .deleteFrom(sessions)
        .where(`${sessions}.created_at`, '<=', new Date(now - sessionRetention))
        .where((where) =>
          where.not(
            where.exists(
              where
                .selectFrom('refresh_tokens')
                .select('token_hash')
                .where('issuer', '=', issuer)
                .whereRef('session_id', '=', `${sessions}.id`),
            ),
          ),
        )
        .execute()
    }
  })
}

/** Deletes counts of attempts and known sources that have expired. Returns a stop function. */
export function startSweepingAttempts(parts: MaintenanceParts) {
  const { db, clock } = parts
  return repeat(parts, sweepInterval, async () => {
    const now = new Date(clock.now())
    await db.deleteFrom('attempts').where('expires_at', '<=', now).execute()
    await db.deleteFrom('known_sources').where('expires_at', '<=', now).execute()
  })
}

/**
 * Deletes rows that carried changes to realtime, or that nobody published, and the presence of tabs that are gone. The
 * triggers write changes in every mode, and with a hosted Supabase project no process reads them. Returns a stop function.
 */
export const startSweepingOutbox = (parts: MaintenanceParts) =>
  repeat(parts, outboxSweepInterval, async () => {
    await sql`delete from realtime_outbox where created_at < now() - make_interval(secs => ${outboxRetention / 1000})`.execute(
      parts.db,
    )
    await sweepQueue(parts.db, outboxRetention / 1000)
    await sql`delete from client_changes where created_at < now() - make_interval(secs => ${outboxRetention / 1000})`.execute(
      parts.db,
    )
    await sweepPresence(parts.db)
  })

/** Ends the snoozes whose time has come, at most 10 s late. Returns a stop function. */
export const startEndingSnoozes = (parts: MaintenanceParts) =>
  repeat(parts, snoozeInterval, async () => {
    await endSnoozes(parts.db, parts.clock.now())
  })

/** Takes deleted labels off conversations and clients, beginning at most 10 s after the deletion. Returns a stop function. */
export const startRemovingLabels = (parts: MaintenanceParts) =>
  repeat(parts, labelInterval, (isRunning) => removeDeletedLabels(parts.db, isRunning))

/**
 * Runs a task every `interval` milliseconds, for the first time after `firstDelay`. Failures are logged. Returns a stop
 * function, which waits for the task; a long task asks `isRunning` between its steps.
 */
export function repeat(
  { clock, logger }: MaintenanceParts,
  interval: number,
  task: (isRunning: () => boolean) => Promise<void>,
  firstDelay = interval,
): () => Promise<void> {
  let current: Promise<void> = Promise.resolve()
  let isStopped = false
  const run = async () => {
    try {
      await task(() => !isStopped)
    } catch (error) {
      logger.error(traceOf(error), 'a maintenance task of the database failed')
    }
    schedule(interval)
  }
  let cancelTimer = () => {}
  const schedule = (delay: number) => {
    if (isStopped) return
    cancelTimer = clock.after(delay, () => {
      current = run()
    })
  }
  schedule(firstDelay)
  return async () => {
    isStopped = true
    cancelTimer()
    await current
  }
}
