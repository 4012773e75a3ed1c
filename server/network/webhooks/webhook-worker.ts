import { sql } from 'kysely'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/database.ts'
import { codeOf, isOutage } from '../../database/transaction.ts'
import { type Logger, traceOf } from '../../logger.ts'
import { createWorkLoop } from '../../work-loop.ts'
import type { Ingest } from './ingest.ts'

const batch = 50
const idlePause = 1_000
const longestPause = 10 * 60_000
/** Nearly two hours: what is no outage and still fails then is a mistake of ours, which time does not mend. */
const mostTries = 20
/** Far more than storing takes, and short enough for a person to wait after a crash. */
const takenFor = 10_000
const keepFor = 7 * 24 * 60 * 60_000

/**
 * Works off the webhook inbox. A process takes a delivery for a short while; if it ends in the middle, the delivery is
 * due again, and what was stored of it before stays stored once. What fails for a passing reason is tried again with
 * growing pauses, for the network will not send it again: for as long as it takes in an outage, and after that is set
 * aside, whole, until somebody makes it due again (docs/operations.md). What can never succeed keeps its error and is
 * left alone.
 */
export function createWebhookWorker({
  db,
  ingest,
  clock,
  logger,
}: {
  db: Db
  ingest: Ingest
  clock: Clock
  logger: Pick<Logger, 'warn' | 'error'>
}) {
  async function workOff(isRunning: () => boolean): Promise<void> {
    for (;;) {
      const due = await db
        .selectFrom('webhook_inbox')
        .select(['id', 'body', 'received_at'])
        .where('processed_at', 'is', null)
        .where('due_at', '<=', new Date(clock.now()))
        .orderBy('id')
        .limit(batch)
        .execute()
      for (const row of due) {
        if (!isRunning()) return
        await process(row)
      }
      // None of these is due now: each is done, put off or taken by somebody.
      if (due.length < batch) return
    }
  }

  async function process({ id, body, received_at }: Delivery): Promise<void> {
    try {
      if (!(await take(id))) return
      const problems = await ingest.store(JSON.parse(body), received_at)
      await db
        .updateTable('webhook_inbox')
        .set((row) => ({
          processed_at: new Date(clock.now()),
          attempts: row('attempts', '+', 1),
          error: problems.length > 0 ? problems.join('; ') : null,
        }))
        .where('id', '=', id)
        .where('processed_at', 'is', null)
        .execute()
      if (problems.length > 0) logger.warn({ delivery: id, problems }, 'a webhook delivery was not stored whole')
    } catch (error) {
      await postpone(id, error)
    }
  }

  /** Whether the delivery is this process's to store. */
  async function take(id: number): Promise<boolean> {
    const now = clock.now()
    const taken = await db
      .updateTable('webhook_inbox')
      .set({ due_at: new Date(now + takenFor) })
      .where('id', '=', id)
      .where('processed_at', 'is', null)
      .where('due_at', '<=', new Date(now))
      .returning('id')
      .executeTakeFirst()
    return taken !== undefined
  }

  async function postpone(id: number, error: unknown): Promise<void> {
    const reason = codeOf(error)
    const row = await db.selectFrom('webhook_inbox').select('attempts').where('id', '=', id).executeTakeFirst()
    const attempts = (row?.attempts ?? 0) + 1
    const isOver = attempts >= mostTries && !isOutage(error)
    if (isOver) logger.error({ delivery: id, ...traceOf(error) }, 'a webhook delivery is set aside')
    else logger.warn({ delivery: id, reason }, 'a webhook delivery failed')
    const pause = Math.min(1_000 * 2 ** Math.min(attempts - 1, 20), longestPause)
    await db
      .updateTable('webhook_inbox')
      .set({
        attempts,
        error: `failed (${reason})`,
        due_at: isOver ? never : new Date(clock.now() + pause),
      })
      .where('id', '=', id)
      .where('processed_at', 'is', null)
      .execute()
  }

  async function sweep(): Promise<void> {
    await db
      .deleteFrom('webhook_inbox')
      .where('processed_at', '<', new Date(clock.now() - keepFor))
      .execute()
  }

  const loop = createWorkLoop({
    work: workOff,
    sweep,
    idlePause,
    failure: 'the webhook inbox could not be read',
    clock,
    logger,
  })

  return loop
}

const never = sql<Date>`'infinity'`

type Delivery = { id: number; body: string; received_at: Date }
