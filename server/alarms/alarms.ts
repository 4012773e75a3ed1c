import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import type { Row } from '../database/tables.ts'
import { codeOf, isOutage } from '../database/transaction.ts'
import type { Logger } from '../logger.ts'
import { createWorkLoop } from '../work-loop.ts'
import type { Announce, Announcement } from './announce.ts'
import { type Condition, readConditions, textOf } from './conditions.ts'

/** Milliseconds. */
export const alarmTimes = {
  checkInterval: 60_000,
  /**
   * An incident ends when its condition was false for this long, so that a flapping condition is one incident. The
   * incident of a refused token or key ends at the next check, because a call with the token proves that it works.
   */
  quiet: 10 * 60_000,
  /** The incident of a machine that is gone ends after this. */
  lost: 24 * 60 * 60_000,
  /** The database must be gone for this long: a restart takes less. */
  databaseGone: 2 * 60_000,
  /** Longer than an announcement takes. */
  lease: 60_000,
  maxBackoff: 60 * 60_000,
  retention: 90 * 24 * 60 * 60_000,
} as const

/**
 * Finds incidents and announces each once when it begins and once when it ends. Incidents are rows that all processes
 * share, so several processes open, end and announce one incident once; if a process dies after it sent an announcement
 * and before it stored this, the announcement is sent again. Without the database each process announces by itself.
 */
export function createAlarms({
  db,
  clock,
  logger,
  machine,
  readLocal,
  announce,
}: {
  db: Db
  clock: Clock
  logger: Pick<Logger, 'warn' | 'error'>
  /** The name of this machine, the subject of its own conditions. */
  machine: string
  /** The conditions of this machine. */
  readLocal: () => Promise<Condition[]>
  announce: Announce
}) {
  let goneSince: number | null = null
  let isGoneAnnounced = false

  async function check(): Promise<void> {
    const now = clock.now()
    const conditions = [...(await readConditions(db, now)), ...(await readLocal())]
    for (const condition of conditions) await keepOpen(condition, now)
    await endQuiet(now)
  }

  async function keepOpen({ kind, subject, detail }: Condition, now: number): Promise<void> {
    const at = new Date(now)
    await db
      .insertInto('alarms')
      .values({ kind, subject, detail: JSON.stringify(detail), started_at: at, seen_at: at, announce_due_at: at })
      .onConflict((conflict) =>
        conflict.columns(['kind', 'subject']).where('ended_at', 'is', null).doUpdateSet({ seen_at: at }),
      )
      .execute()
  }

  async function endQuiet(now: number): Promise<void> {
    const at = new Date(now)
    await db
      .updateTable('alarms')
      .set({ ended_at: at, announce_due_at: at, announce_attempts: 0 })
      .where('ended_at', 'is', null)
      .where((is) =>
        is.or([
          is('seen_at', '<=', new Date(now - alarmTimes.quiet)),
          is.and([is('kind', 'in', ['token', 'shop-key']), is('seen_at', '<', at)]),
        ]),
      )
      .where((is) =>
        is.or([
          is('kind', '!=', 'disk'),
          is('subject', '=', machine),
          is('seen_at', '<=', new Date(now - alarmTimes.lost)),
        ]),
      )
      .execute()
  }

  const unannounced = sql<boolean>`(announced_at is null or (ended_at is not null and end_announced_at is null))`

  async function announceDue(isRunning: () => boolean): Promise<void> {
    while (isRunning()) {
      const now = clock.now()
      const claimed = await db
        .updateTable('alarms')
        .set((row) => ({
          announce_due_at: new Date(now + alarmTimes.lease),
          announce_attempts: row('announce_attempts', '+', 1),
        }))
        .where('id', '=', ({ selectFrom }) =>
          selectFrom('alarms')
            .select('id')
            .where(unannounced)
            .where('announce_due_at', '<=', new Date(now))
            .orderBy('id')
            .limit(1)
            .forUpdate()
            .skipLocked(),
        )
        .returningAll()
        .executeTakeFirst()
      if (claimed === undefined) return
      await announceOne(claimed)
    }
  }

  async function announceOne(row: Row<'alarms'>): Promise<void> {
    // One that ended before its beginning was announced is announced once, as ended.
    const isEnd = row.ended_at !== null
    try {
      await announce(announcementOf(row, isEnd ? 'ended' : 'started'))
    } catch (error) {
      logger.warn({ alarm: row.id, reason: codeOf(error) }, 'an alarm could not be announced')
      const backoff = Math.min(alarmTimes.lease * 2 ** Math.min(row.announce_attempts, 10), alarmTimes.maxBackoff)
      const due = new Date(clock.now() + backoff)
      await db.updateTable('alarms').set({ announce_due_at: due }).where('id', '=', row.id).execute()
      return
    }
    const at = new Date(clock.now())
    await db
      .updateTable('alarms')
      .set({ announced_at: row.announced_at ?? at, ...(isEnd ? { end_announced_at: at } : {}), announce_due_at: at })
      .where('id', '=', row.id)
      .execute()
  }

  async function work(isRunning: () => boolean): Promise<void> {
    try {
      await check()
      await announceDue(isRunning)
    } catch (error) {
      if (isOutage(error)) await handleLoss()
      throw error
    }
    // Retried at the next check.
    if (isGoneAnnounced && !(await announceDatabase('ended'))) return
    goneSince = null
    isGoneAnnounced = false
  }

  async function handleLoss(): Promise<void> {
    goneSince ??= clock.now()
    if (isGoneAnnounced || clock.now() - goneSince < alarmTimes.databaseGone) return
    isGoneAnnounced = await announceDatabase('started')
  }

  async function announceDatabase(event: Announcement['event']): Promise<boolean> {
    try {
      await announce({
        event,
        kind: 'database',
        subject: machine,
        text: `The server on ${machine} does not reach its database. Nothing can be received, read or sent there.`,
        startedAt: new Date(goneSince ?? clock.now()).toISOString(),
        endedAt: event === 'ended' ? new Date(clock.now()).toISOString() : null,
      })
      return true
    } catch (error) {
      logger.warn({ reason: codeOf(error) }, 'an alarm could not be announced')
      return false
    }
  }

  async function sweep(): Promise<void> {
    await db
      .deleteFrom('alarms')
      .where('ended_at', '<', new Date(clock.now() - alarmTimes.retention))
      .execute()
  }

  return createWorkLoop({
    work,
    sweep,
    pollInterval: alarmTimes.checkInterval,
    failureMessage: 'looking for incidents failed',
    clock,
    logger,
  })
}

function announcementOf(row: Row<'alarms'>, event: Announcement['event']): Announcement {
  return {
    event,
    kind: row.kind,
    subject: row.subject,
    text: textOf(row),
    startedAt: row.started_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
  }
}
