import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Db } from './database.ts'

/**
 * A clock that keeps the database's time, by which all processes on that database agree on what is abandoned and what
 * is due, however their machines' clocks differ. The difference is measured once.
 */
export async function databaseClock(db: Db, machine: Clock): Promise<Clock & { ahead: number }> {
  const asked = machine.now()
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db)
  const answered = machine.now()
  const ahead = Math.round((rows[0]?.at.getTime() ?? answered) - (asked + answered) / 2)
  return { ...machine, now: () => machine.now() + ahead, ahead }
}
