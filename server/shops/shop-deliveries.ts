import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { sql } from 'kysely'
import type { Business } from '../../src/schemas/business.ts'
import type { Clock } from '../clock.ts'
import { deleteOlder } from '../database/batches.ts'
import type { Db } from '../database/database.ts'
import { lockImports } from '../database/import-lock.ts'
import { codeOf, inTransaction, isOutage } from '../database/transaction.ts'
import { createLogLimit } from '../log-limit.ts'
import { type Logger, traceOf } from '../logger.ts'
import type { ErasedPeople } from '../people/erased-people.ts'
import type { DerivedKeys } from '../secrets.ts'
import { createWorkLoop } from '../work-loop.ts'
import { shopDialects } from './dialects.ts'
import { isSigned } from './shop.ts'
import { credentialsOf, type ShopRow } from './shop-row.ts'
import { storeShopRows } from './store-shop-rows.ts'

const maxBodyBytes = 5 * 1024 * 1024
/** Per minute: the endpoint is public, so anyone could fill the log. */
const maxLoggedRejections = 10
/** A new delivery wakes the worker of its process; this is for those that are tried again. Milliseconds. */
const pollInterval = 5_000
const maxBackoff = 10 * 60_000
const maxAttempts = 20
const day = 24 * 60 * 60_000

/**
 * Webhooks of shops. `routes` (mounted at /webhooks/shops) checks the signature over the raw bytes, stores the delivery and
 * answers; the worker stores its row in the inbox and deletes the delivery in one transaction. A delivery that fails is
 * tried again with backoff, and set aside after `maxAttempts`.
 */
export function createShopDeliveries({
  db,
  keys,
  erasedPeople,
  business,
  retainedDays = 7,
  clock,
  logger,
}: {
  db: Db
  keys: DerivedKeys
  erasedPeople: Pick<ErasedPeople, 'hashesOfClient'>
  business: Business
  /** How long a delivery is kept that was set aside. */
  retainedDays?: number
  clock: Clock
  logger: Pick<Logger, 'warn' | 'error'>
}) {
  const mayLog = createLogLimit({ max: maxLoggedRejections, window: 60_000, clock })

  const tooLarge = bodyLimit({
    maxSize: maxBodyBytes,
    onError: (c) => c.json({ success: false, error: 'The delivery is too large' }, 413),
  })

  const routes = new Hono().post('/:id', tooLarge, async (c) => {
    const bytes = new Uint8Array(await c.req.arrayBuffer())
    // WooCommerce tries a new webhook with a form that it does not sign. It changes nothing.
    if (isTrial(c.req.header('content-type'), bytes)) return c.json({ success: true })
    const shop = await db.selectFrom('shops').selectAll().where('id', '=', c.req.param('id')).executeTakeFirst()
    const dialect = shopDialects[shop?.kind ?? 'shopify']
    const secret = shop === undefined ? '' : secretOf(shop)
    // The shop retries until staff connect it with a new key.
    if (secret === null) return c.json({ success: false, error: 'The secret of the shop cannot be read' }, 503)
    const isGenuine = isSigned(secret, bytes, c.req.header(dialect.signatureHeader))
    if (shop === undefined || !isGenuine) {
      if (mayLog()) logger.warn('a delivery of a shop was rejected: its signature is wrong')
      return c.json({ success: false, error: 'The signature does not match' }, 401)
    }
    const kind = dialect.phaseOfTopic(c.req.header(dialect.topicHeader) ?? '')
    if (kind === null) return c.json({ success: true })
    const body = readJson(bytes)
    if (body === null) return c.json({ success: false, error: 'The delivery is not JSON' }, 400)
    const at = new Date(clock.now())
    await db
      .insertInto('shop_deliveries')
      .values({ shop_id: shop.id, kind, body, received_at: at, due_at: at })
      .execute()
    loop.wake()
    return c.json({ success: true })
  })

  /** Null if no key of the ring opens it. */
  function secretOf(shop: ShopRow): string | null {
    try {
      return credentialsOf(keys, shop).webhookSecret
    } catch {
      return null
    }
  }

  /** False if nothing is due. Throws what the delivery with this id fails with. */
  async function processOne(held: { id: number | null }): Promise<boolean> {
    return inTransaction(db, async (trx) => {
      await lockImports(trx)
      const due = await trx
        .selectFrom('shop_deliveries')
        .selectAll()
        .where('due_at', '<=', new Date(clock.now()))
        .orderBy('id')
        .limit(1)
        .forUpdate()
        .skipLocked()
        .executeTakeFirst()
      if (due === undefined) return false
      held.id = due.id
      const shop = await trx.selectFrom('shops').selectAll().where('id', '=', due.shop_id).executeTakeFirstOrThrow()
      await storeShopRows(trx, { erasedPeople, business }, shop, due.kind, [JSON.parse(due.body)])
      await trx.deleteFrom('shop_deliveries').where('id', '=', due.id).execute()
      return true
    })
  }

  const isAnyDue = async (): Promise<boolean> =>
    (await db
      .selectFrom('shop_deliveries')
      .select('id')
      .where('due_at', '<=', new Date(clock.now()))
      .limit(1)
      .executeTakeFirst()) !== undefined

  async function processDue(isRunning: () => boolean): Promise<void> {
    while (isRunning() && (await isAnyDue())) {
      const held: { id: number | null } = { id: null }
      try {
        if (!(await processOne(held))) return
      } catch (error) {
        if (held.id === null) throw error
        await reschedule(held.id, error)
      }
    }
  }

  async function reschedule(id: number, error: unknown): Promise<void> {
    const row = await db.selectFrom('shop_deliveries').select('attempts').where('id', '=', id).executeTakeFirst()
    const attempts = (row?.attempts ?? 0) + 1
    const isParked = attempts >= maxAttempts && !isOutage(error)
    if (isParked) logger.error({ delivery: id, ...traceOf(error) }, 'a delivery of a shop is parked')
    else logger.warn({ delivery: id, reason: codeOf(error) }, 'a delivery of a shop failed')
    const backoff = Math.min(1_000 * 2 ** Math.min(attempts - 1, 20), maxBackoff)
    await db
      .updateTable('shop_deliveries')
      .set({
        attempts,
        error: `failed (${codeOf(error)})`,
        due_at: isParked ? sql<Date>`'infinity'` : new Date(clock.now() + backoff),
      })
      .where('id', '=', id)
      .execute()
  }

  const loop = createWorkLoop({
    work: processDue,
    sweep: (isRunning) =>
      deleteOlder(db, isRunning, {
        table: 'shop_deliveries',
        column: 'received_at',
        before: new Date(clock.now() - retainedDays * day),
      }),
    pollInterval,
    failureMessage: 'reading the deliveries of shops failed',
    clock,
    logger,
  })

  return { routes, ...loop }
}

/** `webhook_id=12`, as a form. */
const isTrial = (type: string | undefined, bytes: Uint8Array): boolean =>
  type?.startsWith('application/x-www-form-urlencoded') === true &&
  bytes.length < 100 &&
  /^webhook_id=\d+$/.test(Buffer.from(bytes).toString('latin1'))

/** The text of a JSON body; null if it is not JSON. */
function readJson(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    JSON.parse(text)
    return text
  } catch {
    return null
  }
}
