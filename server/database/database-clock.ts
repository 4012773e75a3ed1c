import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Db } from './database.ts'

const measureEvery = 60_000
/** An answer that took longer tells too little of the moment at which it was given. */
const promptly = 1_000

export type DatabaseClock = Clock & {
  /** Milliseconds by which the database is ahead of the machine. */
  ahead(): number
  /** Ends measuring. */
  stop(): void
}

/**
 * A clock that keeps the database's time, by which all processes on that database agree on what is abandoned and what
 * is due, however their machines' clocks differ. The difference is measured at once and every minute, for clocks are
 * set right and machines sleep.
 */
export async function databaseClock(db: Db, machine: Clock): Promise<DatabaseClock> {
  const measure = async () => {
    const asked = machine.now()
    const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db)
    const answered = machine.now()
    const at = rows[0]?.at.getTime() ?? answered
    return { ahead: Math.round(at - (asked + answered) / 2), took: answered - asked }
  }
  let { ahead } = await measure()
  let isStopped = false
  let callOff: () => void = () => undefined

  const measureAgain = async () => {
    const measured = await measure().catch(() => null)
    if (measured !== null && measured.took >= 0 && measured.took <= promptly) ahead = measured.ahead
    if (!isStopped) callOff = machine.after(measureEvery, () => void measureAgain())
  }
  callOff = machine.after(measureEvery, () => void measureAgain())

  return {
    ...machine,
    now: () => machine.now() + ahead,
    ahead: () => ahead,
    stop: () => {
      isStopped = true
      callOff()
    },
  }
}
