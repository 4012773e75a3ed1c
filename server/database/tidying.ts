import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import type { Db } from './database.ts'

type Parts = { db: Db; clock: Clock; logger: Pick<Logger, 'error'> }

const foldEvery = 15_000
const vacuumEvery = 10 * 60_000
const analyseEach = 144

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

/** Does something after each pause; a failure is told to the log and tried again. */
function regularly({ clock, logger }: Parts, pause: number, task: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> = Promise.resolve()
  let isStopped = false
  const run = async () => {
    try {
      await task()
    } catch (error) {
      logger.error({ err: error }, 'The database could not be tidied')
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
