import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import type { Db } from './database.ts'

const every = 10 * 60 * 1000
const analyseEach = 144

/**
 * Does for the embedded database what a server's autovacuum does, which it has not: without it lists lose their index
 * only scans. A vacuum looks only at what changed; the statistics, slower, are renewed once a day. Returns what stops it.
 */
export function keepTidy({
  db,
  clock,
  logger,
}: {
  db: Db
  clock: Clock
  logger: Pick<Logger, 'error'>
}): () => Promise<void> {
  let round = 0
  let current: Promise<unknown> = Promise.resolve()
  let isStopped = false
  let callOff = () => {}

  const tidy = async () => {
    try {
      await (round % analyseEach === 0 ? sql`vacuum analyze` : sql`vacuum`).execute(db)
    } catch (error) {
      logger.error({ err: error }, 'The database could not be tidied')
    }
    round += 1
    if (!isStopped) callOff = clock.after(every, start)
  }
  const start = () => {
    current = tidy()
  }
  callOff = clock.after(every / 10, start)

  return async () => {
    isStopped = true
    callOff()
    await current
  }
}
