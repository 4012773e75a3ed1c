import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import type { Logger } from '../logger.ts'
import type { Ingest } from './ingest.ts'

const batch = 50
const idlePause = 1_000
const longestPause = 10 * 60_000
const keepFor = 7 * 24 * 60 * 60_000
const sweepEvery = 60 * 60_000

export type WebhookWorker = ReturnType<typeof createWebhookWorker>

/**
 * Works off the webhook inbox: each delivery in one transaction that locks its row, so that a crash leaves it for the
 * next start and two processes never store the same one twice. What fails for a passing reason is tried again with
 * growing pauses for as long as it takes, for the network will not send it again; what can never succeed keeps its
 * error and is left alone.
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
  logger: Logger
}) {
  let running = false
  let wanted = false
  let current: Promise<void> | null = null
  let callOff: () => void = () => undefined
  let sweptAt = 0

  async function workOff(): Promise<void> {
    for (;;) {
      const due = await db
        .selectFrom('webhook_inbox')
        .select(['id', 'body'])
        .where('processed_at', 'is', null)
        .where('due_at', '<=', new Date(clock.now()))
        .orderBy('id')
        .limit(batch)
        .execute()
      for (const row of due) {
        if (!running) return
        await process(row)
      }
      // A full batch that another process holds comes round with the next pause.
      if (due.length < batch || !(await anyDone(due.map(({ id }) => id)))) return
    }
  }

  async function anyDone(ids: number[]): Promise<boolean> {
    const done = await db
      .selectFrom('webhook_inbox')
      .select('id')
      .where('id', 'in', ids)
      .where('processed_at', 'is not', null)
      .executeTakeFirst()
    return done !== undefined
  }

  async function process({ id, body }: { id: number; body: string }): Promise<void> {
    try {
      const prepared = await ingest.prepare(JSON.parse(body))
      await db.transaction().execute(async (trx) => {
        const held = await trx
          .selectFrom('webhook_inbox')
          .select('id')
          .where('id', '=', id)
          .where('processed_at', 'is', null)
          .forUpdate()
          .skipLocked()
          .executeTakeFirst()
        if (!held) return
        const problems = await ingest.store(trx, prepared)
        await trx
          .updateTable('webhook_inbox')
          .set((row) => ({
            processed_at: new Date(clock.now()),
            attempts: row('attempts', '+', 1),
            error: problems.length > 0 ? problems.join('; ') : null,
          }))
          .where('id', '=', id)
          .execute()
        if (problems.length > 0) logger.warn({ delivery: id, problems }, 'a webhook delivery was not stored whole')
      })
    } catch (error) {
      await postpone(id, error)
    }
  }

  async function postpone(id: number, error: unknown): Promise<void> {
    const reason = reasonOf(error)
    logger.error({ delivery: id, reason }, 'a webhook delivery failed')
    const row = await db.selectFrom('webhook_inbox').select('attempts').where('id', '=', id).executeTakeFirst()
    const attempts = (row?.attempts ?? 0) + 1
    const now = clock.now()
    await db
      .updateTable('webhook_inbox')
      .set({
        attempts,
        error: `failed (${reason})`,
        due_at: new Date(now + Math.min(1_000 * 2 ** Math.min(attempts - 1, 20), longestPause)),
      })
      .where('id', '=', id)
      .where('processed_at', 'is', null)
      .execute()
  }

  async function sweep(): Promise<void> {
    if (clock.now() - sweptAt < sweepEvery) return
    sweptAt = clock.now()
    await db
      .deleteFrom('webhook_inbox')
      .where('processed_at', '<', new Date(clock.now() - keepFor))
      .execute()
  }

  function wake(): void {
    wanted = true
    if (!running || current) return
    callOff()
    current = run()
  }

  async function run(): Promise<void> {
    while (wanted && running) {
      wanted = false
      try {
        await workOff()
        await sweep()
      } catch (error) {
        logger.error({ reason: reasonOf(error) }, 'the webhook inbox could not be read')
      }
    }
    current = null
    if (running) callOff = clock.after(idlePause, wake)
  }

  return {
    /** Begins, with what an earlier process left. */
    start(): void {
      running = true
      wake()
    },

    /** There is something new; without this it is found within a second. */
    wake,

    /** Resolves when all that was known is worked off. */
    async settled(): Promise<void> {
      while (current) await current
    },

    /** Ends after the delivery in hand. */
    async stop(): Promise<void> {
      running = false
      callOff()
      await current
    },
  }
}

/** A database's message may quote what a person wrote, its code never does. */
function reasonOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}
