import { randomUUID } from 'node:crypto'
import { sql, type UpdateObject } from 'kysely'
import { fromKysely, type JobWithMetadata } from 'pg-boss'
import * as z from 'zod/mini'
import type { Platform } from '../../../src/schemas/conversation.ts'
import type { HistorySync, SyncStatus } from '../../../src/schemas/sync.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/database.ts'
import type { Row, Tables } from '../../database/tables.ts'
import { codeOf, inTransaction } from '../../database/transaction.ts'
import { type Jobs, jobDefaults, workDefaults } from '../../jobs.ts'
import type { Logger } from '../../logger.ts'
import { PageUnusable } from '../graph/page-calls.ts'
import { isTransient, pageRefusalOf } from '../graph/page-refusals.ts'
import type { Sync } from './sync.ts'

const queue = 'history-sync'
const maxAttempts = 12
const jobData = z.object({ syncId: z.string() })

/** Thrown between two requests when the sync was cancelled or interrupted. */
class Ended extends Error {}

export type HistorySyncs = ReturnType<typeof createHistorySyncs>

/**
 * Historical syncs as jobs (spec section 2, Sync Historical Messages). Any process can run them. An interrupted sync
 * resumes at its cursor; transient errors are retried with backoff.
 */
export function createHistorySyncs({
  db,
  jobs,
  sync,
  clock,
  logger,
}: {
  db: Db
  jobs: Jobs
  sync: Pick<Sync, 'history'>
  clock: Clock
  logger: Pick<Logger, 'error'>
}) {
  const read = () =>
    db
      .selectFrom('history_syncs')
      .leftJoin('staff', 'staff.id', 'history_syncs.started_by')
      .selectAll('history_syncs')
      .select(sql<string | null>`coalesce(staff.name, staff.email)`.as('started_by_name'))

  async function find(id: string): Promise<HistorySync | null> {
    const row = await read().where('history_syncs.id', '=', id).executeTakeFirst()
    return row === undefined ? null : toResponse(row)
  }

  /** Updates a sync that has not ended. False if it has. */
  async function updateActive(id: string, values: Change): Promise<boolean> {
    const row = await db
      .updateTable('history_syncs')
      .set(values)
      .where('id', '=', id)
      .where('state', 'in', ['queued', 'running'])
      .returning('id')
      .executeTakeFirst()
    return row !== undefined
  }

  const finish = (id: string, values: Change) => updateActive(id, { ...values, finished_at: new Date(clock.now()) })

  async function run(id: string, isLastAttempt: boolean, signal: AbortSignal): Promise<void> {
    if (!(await updateActive(id, { state: 'running', error: null, code: null }))) return
    const row = await db.selectFrom('history_syncs').selectAll().where('id', '=', id).executeTakeFirst()
    if (row === undefined) return
    try {
      if (row.conversations_done > 0 && row.cursor === null) {
        await finish(id, { state: 'completed' })
        return
      }
      await sync.history(row.page_id, row.platform, row.conversation_limit, {
        from: { conversations: row.conversations_done, next: row.cursor },
        onStep: async (step) => {
          const isActive = await updateActive(id, {
            conversations_done: sql`conversations_done + ${step.conversations}`,
            messages_stored: sql`messages_stored + ${step.messages}`,
            unreadable: sql`unreadable + ${step.unreadable}`,
            cursor: step.next,
          })
          if (!isActive || signal.aborted) throw new Ended()
        },
      })
      await finish(id, { state: 'completed' })
    } catch (error) {
      if (signal.aborted) return requeue(id, {})
      if (error instanceof Ended || (error instanceof PageUnusable && error.reason === 'unknown')) return
      const refusal = pageRefusalOf(error)
      const reason = { error: refusal?.text ?? 'The sync broke off.', code: refusal?.code ?? 'INTERNAL' }
      if ((refusal === null || isTransient(error)) && !isLastAttempt) return requeue(id, reason)
      if (refusal === null) logger.error({ syncId: id, code: codeOf(error) }, 'a historical sync failed')
      await finish(id, { state: 'failed', ...reason })
    }
  }

  /** Throws, so that the queue retries the job. The error has no `cause`, which could contain message texts. */
  async function requeue(id: string, reason: { error?: string; code?: string }): Promise<never> {
    await updateActive(id, { state: 'queued', ...reason })
    throw new Error(`interrupted (${reason.code ?? 'the process is shutting down'})`)
  }

  async function start(request: StartRequest): Promise<HistorySync> {
    const id = await inTransaction(db, async (trx) => {
      const page = await trx
        .selectFrom('pages')
        .select('page_id')
        .where('page_id', '=', request.pageId)
        .forKeyShare()
        .executeTakeFirst()
      if (page === undefined) throw new PageUnusable('unknown')
      const created = await trx
        .insertInto('history_syncs')
        .values({
          id: randomUUID(),
          page_id: request.pageId,
          platform: request.platform,
          conversation_limit: request.limit,
          started_by: request.staffId,
          created_at: new Date(clock.now()),
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst()
      if (created !== undefined) {
        await jobs.send(queue, { syncId: created.id }, { db: fromKysely(trx) })
        return created.id
      }
      const active = await trx
        .selectFrom('history_syncs')
        .select('id')
        .where('page_id', '=', request.pageId)
        .where('platform', '=', request.platform)
        .where('state', 'in', ['queued', 'running'])
        .executeTakeFirst()
      return active?.id ?? null
    })
    const started = id === null ? null : await find(id)
    // Null if the active sync ended between the two queries: then start a new one.
    return started ?? start(request)
  }

  return {
    find,

    /** Starts a sync, or returns the active one of the same page and platform. Throws PageUnusable. */
    start,

    /** Cancels an active sync; stored messages stay. Null if there is no such sync. */
    async cancel(id: string): Promise<HistorySync | null> {
      await finish(id, { state: 'cancelled' })
      return find(id)
    },

    /** Spec section 3, Sync status per page. Throws PageUnusable. */
    async status(pageId: string): Promise<SyncStatus> {
      const page = await db.selectFrom('pages').select('page_id').where('page_id', '=', pageId).executeTakeFirst()
      if (page === undefined) throw new PageUnusable('unknown')
      const { rows } = await sql<{ total: number; historical: number; completed: boolean }>`
        select
          coalesce((select total_messages from current_page_totals where page_id = ${pageId}), 0)::integer as total,
          (select count(*) from messages where page_id = ${pageId} and is_historical)::integer as historical,
          exists (select from history_syncs where page_id = ${pageId} and state = 'completed') as completed
      `.execute(db)
      const underWay = await read()
        .where('history_syncs.page_id', '=', pageId)
        .where('state', 'in', ['queued', 'running'])
        .orderBy('history_syncs.created_at', 'desc')
        .execute()
      const [row] = rows
      return {
        totalMessages: row?.total ?? 0,
        historicalMessages: row?.historical ?? 0,
        hasHistoricalSync: row !== undefined && (row.completed || row.historical > 0),
        underWay: underWay.map(toResponse),
      }
    },

    /** To be called before routes are served, because they queue jobs. */
    createQueue: () =>
      jobs.createQueue(queue, {
        ...jobDefaults,
        retryLimit: maxAttempts - 1,
        retryDelay: 5,
        retryDelayMax: 15 * 60,
        expireInSeconds: 60 * 60,
      }),

    /** Starts the worker. */
    async work(): Promise<void> {
      await jobs.work(queue, workDefaults, async ([job]: JobWithMetadata<unknown>[]) => {
        if (job === undefined) return
        await run(jobData.parse(job.data).syncId, job.retryCount >= job.retryLimit, job.signal)
      })
    },
  }
}

type StartRequest = { pageId: string; platform: Platform; limit: number; staffId: string }

type Change = UpdateObject<Tables, 'history_syncs'>

type SyncRow = Row<'history_syncs'> & { started_by_name: string | null }

const toResponse = (row: SyncRow): HistorySync => ({
  id: row.id,
  page_id: row.page_id,
  platform: row.platform,
  limit: row.conversation_limit,
  state: row.state,
  conversations_done: row.conversations_done,
  messages_stored: row.messages_stored,
  unreadable: row.unreadable,
  error: row.error,
  code: row.code,
  started_by_name: row.started_by_name,
  created_at: row.created_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null,
})
