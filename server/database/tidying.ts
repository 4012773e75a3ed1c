import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import { type Logger, traceOf } from '../logger.ts'
import type { Db } from './database.ts'

type Parts = { db: Db; clock: Clock; logger: Pick<Logger, 'error'> }

const foldEvery = 15_000
const vacuumEvery = 10 * 60_000
const analyseEach = 144
const sweepEvery = 60 * 60_000
const usedTokensKept = 7 * 24 * 60 * 60_000
/** Longer than any access token lives. */
const sessionsKept = 24 * 60 * 60_000

/** Folds the changes of the page totals now and then, so that few are left to add up. Returns what stops it. */
export const keepTotalsFolded = (parts: Parts) =>
  regularly(parts, foldEvery, async () => {
    await sql`select fold_page_totals()`.execute(parts.db)
  })

/**
 * Does for the embedded database what a server's autovacuum does, which it has not: without it lists lose their index
 * only scans. A vacuum looks only at what changed; the statistics, slower, are renewed once a day. Returns what stops it.
 */
export function keepTidy(parts: Parts) {
  let round = 0
  return regularly(parts, vacuumEvery, async () => {
    await (round % analyseEach === 0 ? sql`vacuum analyze` : sql`vacuum`).execute(parts.db)
    round += 1
  })
}

/**
 * Removes what can let nobody in any more: refresh tokens that are over, or were used so long ago that a theft is no
 * longer to be noticed by them, and sessions without one. Returns what stops it.
 */
export function keepSessionsSwept(parts: Parts) {
  const { db, clock } = parts
  return regularly(parts, sweepEvery, async () => {
    const now = clock.now()
    await db
      .deleteFrom('refresh_tokens')
      .where((where) =>
        where.or([where('expires_at', '<=', new Date(now)), where('used_at', '<=', new Date(now - usedTokensKept))]),
      )
      .execute()
    for (const [sessions, issuer] of [
      ['staff_sessions', 'product'],
      ['auth_sessions', 'provider'],
    ] as const) {
      await db
        .deleteFrom(sessions)
        .where(`${sessions}.created_at`, '<=', new Date(now - sessionsKept))
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

/** Does something after each pause; a failure is told to the log and tried again. */
function regularly({ clock, logger }: Parts, pause: number, task: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> = Promise.resolve()
  let isStopped = false
  const run = async () => {
    try {
      await task()
    } catch (error) {
      logger.error(traceOf(error), 'The database could not be tidied')
    }
    wait()
  }
  let callOff = () => {}
  const wait = () => {
    if (isStopped) return
    callOff = clock.after(pause, () => {
      current = run()
    })
  }
  wait()
  return async () => {
    isStopped = true
    callOff()
    await current
  }
}
