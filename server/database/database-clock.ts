import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Db } from './database.ts'

const measureInterval = 60_000
/** Slower measurements are too inaccurate and are ignored. */
const maxRoundTrip = 1_000

export type DatabaseClock = Clock & {
  /** Milliseconds by which the database's clock is ahead of this machine's. */
  offset(): number
  /** Stops measuring. */
  stop(): void
}

/**
 * A clock with the database's time, so that all processes agree on what is due and what has timed out. The offset is
 * measured at once and then every minute, because clocks are adjusted and machines sleep.
 */
export async function databaseClock(db: Db, machine: Clock): Promise<DatabaseClock> {
  const measure = async () => {
    const sentAt = machine.now()
    const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db)
    const receivedAt = machine.now()
    const at = rows[0]?.at.getTime() ?? receivedAt
    return { offset: Math.round(at - (sentAt + receivedAt) / 2), roundTrip: receivedAt - sentAt }
  }
  let { offset } = await measure()
  let isStopped = false
  let cancelTimer: () => void = () => undefined

  const measureAgain = async () => {
    const measured = await measure().catch(() => null)
    if (measured !== null && measured.roundTrip >= 0 && measured.roundTrip <= maxRoundTrip) offset = measured.offset
    if (!isStopped) cancelTimer = machine.after(measureInterval, () => void measureAgain())
  }
  cancelTimer = machine.after(measureInterval, () => void measureAgain())

  return {
    ...machine,
    now: () => machine.now() + offset,
    offset: () => offset,
    stop: () => {
      isStopped = true
      cancelTimer()
    },
  }
}
