import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import { alarmTimes, createAlarms } from '../../../server/alarms/alarms.ts'
import type { Db } from '../../../server/database/database.ts'
import {
  type MaintenanceParts,
  startSweepingAttempts,
  startSweepingOutbox,
  startSweepingSessions,
} from '../../../server/database/maintenance.ts'
import { createLogger } from '../../../server/logger.ts'
import { createAutoReply } from '../../../server/network/faq/auto-reply.ts'
import { createWorkLoop } from '../../../server/work-loop.ts'
import { describeOnEachDatabase } from '../databases.ts'
import { manualClock } from '../manual-clock.ts'
import { addIdentity, addMessage, addPage } from '../people.ts'
import { addStaffAccount } from '../supabase-server.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

const logger = createLogger('silent')

/** The sweep that a worker does in its first run. */
const sweepOf = (worker: { start(): void; settled(): Promise<void>; stop(): Promise<void> }) => async () => {
  worker.start()
  await worker.settled()
  await worker.stop()
}
const once =
  (start: (parts: MaintenanceParts) => () => Promise<void> | void, after: number) => (db: Db) => async () => {
    const clock = manualClock(Date.now())
    const stop = start({ db, clock, logger })
    clock.advance(after)
    await stop()
  }

type Sweep = {
  table: string
  sweep: (db: Db) => () => Promise<void>
  /** Inserts a row with the name, whose time is so many milliseconds before the sweep. */
  insert: (db: Db, name: string, age: number) => Promise<unknown>
  /** The rows that are left, by name. */
  names: string
  /** The age in milliseconds from which a row is deleted. */
  from: number
}

const clockNow = Date.now()
const sweeps: Sweep[] = [
  {
    table: 'attempts',
    sweep: once(startSweepingAttempts, hour),
    insert: (db, name, age) =>
      db
        .insertInto('attempts')
        .values({ key: name, count: 1, expires_at: new Date(Date.now() + hour - age) })
        .execute(),
    names: 'key',
    from: 0,
  },
  {
    table: 'known_sources',
    sweep: once(startSweepingAttempts, hour),
    insert: (db, name, age) =>
      db
        .insertInto('known_sources')
        .values({ key: name, expires_at: new Date(Date.now() + hour - age) })
        .execute(),
    names: 'key',
    from: 0,
  },
  {
    table: 'password_resets',
    sweep: once(startSweepingSessions, hour),
    insert: async (db, name, age) => {
      const { id } = await addStaffAccount(db)
      const expires = new Date(Date.now() + hour - age)
      await db.insertInto('password_resets').values({ user_id: id, token_hash: name, expires_at: expires }).execute()
    },
    names: 'token_hash',
    from: 0,
  },
  {
    table: 'facebook_logins',
    sweep: once(startSweepingSessions, hour),
    insert: async (db, name, age) => {
      const { staffId } = await addStaffAccount(db)
      const session = { id: `session ${name}`, staff_id: staffId }
      await db.insertInto('staff_sessions').values(session).execute()
      const expires = new Date(Date.now() + hour - age)
      const login = { state_hash: name, session_id: session.id, verifier_encrypted: '', redirect_uri: '' }
      await db
        .insertInto('facebook_logins')
        .values({ ...login, expires_at: expires })
        .execute()
    },
    names: 'state_hash',
    from: 0,
  },
  {
    table: 'client_changes',
    sweep: once(startSweepingOutbox, minute),
    insert: (db, name, age) =>
      sql`insert into client_changes (client_ids, created_at)
        values (array[${name}], now() - make_interval(secs => ${age / second}))`.execute(db),
    names: 'client_ids[1]',
    from: 5 * minute,
  },
  {
    table: 'presence',
    sweep: once(startSweepingOutbox, minute),
    insert: async (db, name, age) => {
      const { staffId } = await addStaffAccount(db)
      await sql`insert into presence (id, staff_id, primary_user_id, is_typing, seen_at)
        values (${name}, ${staffId}, 'u', false, now() - make_interval(secs => ${age / second}))`.execute(db)
    },
    names: 'id',
    from: minute,
  },
  {
    table: 'alarms',
    sweep: (db) =>
      sweepOf(
        createAlarms({
          db,
          clock: manualClock(clockNow),
          logger,
          machine: 'one',
          readLocal: async () => [],
          announce: async () => undefined,
        }),
      ),
    insert: (db, name, age) => {
      const at = new Date(clockNow - age)
      const announced = { announced_at: at, end_announced_at: at, announce_due_at: at }
      return db
        .insertInto('alarms')
        .values({ kind: 'disk', subject: name, detail: '{}', started_at: at, seen_at: at, ended_at: at, ...announced })
        .execute()
    },
    names: 'subject',
    from: alarmTimes.retention,
  },
  {
    table: 'auto_replies',
    sweep: (db) =>
      sweepOf(
        createAutoReply({
          db,
          sending: { sendOnce: () => Promise.reject(new Error('this test sends nothing')) },
          timeZone: 'UTC',
          clock: manualClock(clockNow),
          logger,
        }),
      ),
    insert: (db, name, age) =>
      db
        .insertInto('auto_replies')
        .values({ message_id: name, fb_user_id: 'u', state: 'sent', created_at: new Date(clockNow - age) })
        .execute(),
    names: 'message_id',
    from: 3 * day,
  },
]

describeOnEachDatabase('A sweep', (open) => {
  let db: Db
  beforeEach(async () => {
    db = (await open()).db
    const known = await db.selectFrom('fb_users').select('id').where('id', '=', 'u').execute()
    if (known.length > 0) return
    await addPage(db, 'p')
    await addIdentity(db, 'u', { page: 'p' })
    await addMessage(db, 'm', 'u', 0)
  })

  // A minute is more than what passes on the database's clock during a test.
  it.each(sweeps)(
    'deletes old rows of $table, and keeps the newer ones',
    async ({ table, sweep, insert, names, from }) => {
      const margin = Math.min(minute / 2, from === 0 ? minute / 2 : from / 4)
      await insert(db, 'old', from + margin)
      await insert(db, 'new', from - margin)
      await sweep(db)()
      const { rows } = await sql<{ name: string }>`select ${sql.raw(names)} as name from ${sql.table(table)}`.execute(
        db,
      )
      expect(rows).toEqual([{ name: 'new' }])
    },
  )
})

it('is done again an hour after the last one, by a worker that keeps running', async () => {
  const clock = manualClock()
  let sweeps = 0
  const loop = createWorkLoop({
    work: async () => undefined,
    sweep: async () => {
      sweeps += 1
    },
    pollInterval: minute,
    failureMessage: 'failed',
    clock,
    logger,
  })
  loop.start()
  const counts: number[] = []
  for (const minutes of [0, 59, 1, 59, 1]) {
    for (let passed = 0; passed < minutes; passed++) {
      clock.advance(minute)
      await loop.settled()
    }
    await loop.settled()
    counts.push(sweeps)
  }
  await loop.stop()
  expect(counts).toEqual([1, 1, 2, 2, 3])
})
