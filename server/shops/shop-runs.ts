import { randomUUID } from 'node:crypto'
import { sql, type Transaction, type UpdateObject } from 'kysely'
import { fromKysely, type JobWithMetadata } from 'pg-boss'
import * as z from 'zod/mini'
import type { Business } from '../../src/schemas/business.ts'
import { shopPhases } from '../../src/schemas/shop.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import { lockImports } from '../database/import-lock.ts'
import type { Tables } from '../database/tables.ts'
import { codeOf, inTransaction } from '../database/transaction.ts'
import { type Jobs, jobDefaults, workDefaults } from '../jobs.ts'
import type { Logger } from '../logger.ts'
import type { ErasedPeople } from '../people/erased-people.ts'
import type { DerivedKeys } from '../secrets.ts'
import { shopDialects } from './dialects.ts'
import type { ShopPage } from './shop.ts'
import { mayPass, ShopError } from './shop-error.ts'
import type { ShopCalls } from './shop-http.ts'
import { credentialsOf, type DeliveryUrl, type ShopRow } from './shop-row.ts'
import { storeShopRows } from './store-shop-rows.ts'

const runQueue = 'shop-run'
const scheduleQueue = 'shop-schedule'
const jobData = z.object({ shopId: z.string(), runId: z.string() })
const maxAttempts = 8
/** How often the changes of every shop are read, besides the webhooks. */
const everyQuarterOfAnHour = '*/15 * * * *'
const minute = 60_000
/** A run reads changes again from this long before the last one began, for clocks that differ. Milliseconds. */
const overlap = 10 * minute
/** A run changes its shop more often, also between two attempts. Milliseconds. */
const lostAfter = 45 * minute

/** How often a run reads a list from its start again because the shop refused the cursor. */
const maxRestarts = 3

/** Thrown between two pages when the run was cancelled or another process has it. */
class Ended extends Error {}

type Change = UpdateObject<Tables, 'shops'>

export type ShopRuns = ReturnType<typeof createShopRuns>

/**
 * Runs that read a shop page by page: the first one all customers and orders, the later ones what changed since. Each page
 * is stored in one transaction with the cursor of the next, so any process continues an interrupted run.
 */
export function createShopRuns({
  db,
  jobs,
  keys,
  call,
  erasedPeople,
  business,
  deliveryUrl,
  clock,
  logger,
}: {
  db: Db
  jobs: Pick<Jobs, 'send' | 'createQueue' | 'work' | 'schedule'>
  keys: DerivedKeys
  call: ShopCalls
  erasedPeople: Pick<ErasedPeople, 'hashesOfClient'>
  business: Business
  deliveryUrl: DeliveryUrl
  clock: Pick<Clock, 'now'>
  logger: Pick<Logger, 'error'>
}) {
  const now = () => new Date(clock.now())

  /** Changes the shop if this run is its run. Throws Ended if it is not. */
  async function change(trx: Db | Transaction<Tables>, id: string, runId: string, values: Change): Promise<ShopRow> {
    const row = await trx
      .updateTable('shops')
      .set({ ...values, updated_at: now() })
      .where('id', '=', id)
      .where('run_id', '=', runId)
      .where('run_state', '!=', 'idle')
      .returningAll()
      .executeTakeFirst()
    if (row === undefined) throw new Ended()
    return row
  }

  /** Begins a run unless one is queued or running. False if not. */
  async function queue(trx: Transaction<Tables>, id: string): Promise<boolean> {
    const shop = await trx.selectFrom('shops').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    if (shop === undefined || shop.run_state !== 'idle') return false
    const runId = randomUUID()
    await trx
      .updateTable('shops')
      .set({
        run_id: runId,
        run_state: 'queued',
        phase: 'customers',
        cursor: null,
        changed_since: shop.synced_until === null ? null : new Date(shop.synced_until.getTime() - overlap),
        run_started_at: now(),
        done: 0,
        total: null,
        error: null,
        updated_at: now(),
      })
      .where('id', '=', id)
      .execute()
    await jobs.send(runQueue, { shopId: id, runId }, { db: fromKysely(trx) })
    return true
  }

  /**
   * Stores a page with the cursor of the next. `page` is null if the shop refused the cursor. False if
   * it was the last page.
   */
  async function step(shop: ShopRow, runId: string, page: ShopPage | null): Promise<boolean> {
    return inTransaction(db, async (trx) => {
      await lockImports(trx)
      const held = await change(trx, shop.id, runId, { key_refused_since: null, unreachable_since: null })
      // Another process has read this page.
      if (held.phase !== shop.phase || held.cursor !== shop.cursor) return true
      // The place is no longer known, so the list begins again; rows that were stored stay as they are.
      if (page === null) {
        await change(trx, shop.id, runId, { cursor: null, done: 0, total: null })
        return true
      }
      await storeShopRows(trx, { erasedPeople, business }, shop, shop.phase, page.rows)
      const read = {
        done: sql<number>`done + ${page.rows.length}`,
        ...(page.total === null ? {} : { total: page.total }),
        cursor: page.next,
      }
      const following = shopPhases[shopPhases.indexOf(shop.phase) + 1]
      if (page.next !== null) await change(trx, shop.id, runId, read)
      else if (following !== undefined)
        await change(trx, shop.id, runId, { phase: following, cursor: null, done: 0, total: null })
      else {
        await change(trx, shop.id, runId, {
          ...read,
          run_state: 'idle',
          run_id: null,
          synced_until: sql<Date>`run_started_at`,
          error: null,
        })
        return false
      }
      return true
    })
  }

  async function run(shopId: string, runId: string, { isLastAttempt = false, signal }: RunOptions = {}): Promise<void> {
    try {
      const shop = await change(db, shopId, runId, { run_state: 'running', error: null })
      const credentials = credentialsOf(keys, shop)
      const api = shopDialects[shop.kind].open({ address: shop.address, credentials }, call, true)
      // The shop removes webhooks that it could not deliver for a while.
      const deliveries = deliveryUrl(shop)
      if (deliveries !== null) await api.registerWebhooks(deliveries)
      for (let restarts = 0; ; ) {
        const row = await db.selectFrom('shops').selectAll().where('id', '=', shopId).executeTakeFirst()
        if (row?.run_id !== runId || signal?.aborted) throw new Ended()
        const page = await api
          .page(row.phase, { cursor: row.cursor, since: row.changed_since })
          .catch((error: unknown) => {
            restarts += 1
            if (error instanceof ShopError && error.code === 'cursor' && restarts <= maxRestarts) return null
            throw error
          })
        if (!(await step(row, runId, page))) return
      }
    } catch (error) {
      if (signal?.aborted) throw await requeued(shopId, runId, null)
      if (error instanceof Ended) return
      const isShops = error instanceof ShopError
      const isWrongKey = isShops && (error.code === 'key' || error.code === 'scope')
      const isAway = isShops && (error.code === 'unreachable' || error.code === 'address')
      const marks = {
        ...(isWrongKey ? { key_refused_since: sql<Date>`coalesce(key_refused_since, ${now()})` } : {}),
        ...(isAway ? { unreachable_since: sql<Date>`coalesce(unreachable_since, ${now()})` } : {}),
        error: isShops ? error.message : 'The sync broke off. Please try again.',
      }
      if (mayPass(error) && !isLastAttempt) throw await requeued(shopId, runId, marks)
      if (!isShops) logger.error({ shopId, code: codeOf(error) }, 'a shop could not be read')
      await ifCurrent(change(db, shopId, runId, { ...marks, run_state: 'idle', run_id: null }))
    }
  }

  /** The error with which the queue tries the job again. It has no `cause`, which could contain data of customers. */
  async function requeued(id: string, runId: string, values: Change | null): Promise<Error> {
    await ifCurrent(change(db, id, runId, { ...values, run_state: 'queued' }))
    return new Error('interrupted')
  }

  /** Begins a run of every shop that has none, and queues again runs whose job was lost. */
  async function runAll(): Promise<void> {
    const shops = await db.selectFrom('shops').select(['id', 'run_state', 'updated_at', 'key_refused_since']).execute()
    for (const { id, run_state, updated_at, key_refused_since } of shops) {
      const isLost = run_state !== 'idle' && updated_at.getTime() < clock.now() - lostAfter
      await inTransaction(db, async (trx) => {
        if (isLost) await queueAgain(trx, id)
        // A key that was refused is tried once an hour, because a shop blocks those who try often.
        else if (key_refused_since === null || updated_at.getTime() < clock.now() - 60 * minute) await queue(trx, id)
      })
    }
  }

  async function queueAgain(trx: Transaction<Tables>, id: string): Promise<void> {
    const shop = await trx.selectFrom('shops').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    if (shop === undefined || shop.run_state === 'idle' || shop.run_id === null) return
    await change(trx, id, shop.run_id, { run_state: 'queued' })
    await jobs.send(runQueue, { shopId: id, runId: shop.run_id }, { db: fromKysely(trx) })
  }

  return {
    queue,
    run,
    runAll,

    /** To be called before routes are served, because they queue jobs. */
    async createQueues(): Promise<void> {
      await jobs.createQueue(runQueue, {
        ...jobDefaults,
        retryLimit: maxAttempts - 1,
        retryDelay: 5,
        retryDelayMax: 15 * 60,
        expireInSeconds: 60 * 60,
      })
      await jobs.createQueue(scheduleQueue, { ...jobDefaults, policy: 'exclusive', retryLimit: 0 })
    },

    /** Starts the workers and the schedule. */
    async work(): Promise<void> {
      await jobs.work(runQueue, { ...workDefaults, localConcurrency: 2 }, async ([job]: JobWithMetadata<unknown>[]) => {
        if (job === undefined) return
        const { shopId, runId } = jobData.parse(job.data)
        await run(shopId, runId, { isLastAttempt: job.retryCount >= job.retryLimit, signal: job.signal })
      })
      await jobs.work(scheduleQueue, workDefaults, () => runAll())
      await jobs.schedule(scheduleQueue, everyQuarterOfAnHour, {}, { tz: 'UTC' })
    },
  }
}

type RunOptions = { isLastAttempt?: boolean; signal?: AbortSignal }

const ifCurrent = (changed: Promise<unknown>): Promise<void> =>
  changed.then(
    () => undefined,
    (error: unknown) => {
      if (!(error instanceof Ended)) throw error
    },
  )
