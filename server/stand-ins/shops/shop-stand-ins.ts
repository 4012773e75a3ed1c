import { Hono } from 'hono'
import * as z from 'zod/mini'
import { type ShopKind, type ShopPhase, shopKinds } from '../../../src/schemas/shop.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/database.ts'
import type { Logger } from '../../logger.ts'
import { signatureOf } from '../../shops/shop.ts'
import { createWorkLoop } from '../../work-loop.ts'
import { createStandInRecords } from './records.ts'
import {
  bodyOf,
  createShopifyApp,
  createWooCommerceApp,
  type StandInFaults,
  standInFaults,
  standInKeys,
} from './shop-apps.ts'
import { openStandInTables } from './tables.ts'

/** A new delivery wakes the loop; this is for those that are tried again. Milliseconds. */
const pollInterval = 5_000
/** Longer than posting a delivery takes. */
const lease = 15_000
const maxBackoff = 30_000
const postTimeout = 10_000

const buyer = z.object({
  firstName: z.string(),
  lastName: z.string(),
  email: z._default(z.string(), ''),
  phone: z._default(z.string(), ''),
  company: z._default(z.string(), ''),
})
const orderBody = z.object({
  /** The id of a customer. Without it and without `buyer`, the order names nobody. */
  customer: z.optional(z.number()),
  buyer: z.optional(buyer),
  currency: z.optional(z.string()),
  state: z.optional(z.enum(['open', 'paid', 'fulfilled', 'cancelled'])),
  /** Cents. */
  refunded: z.optional(z.number()),
  items: z.optional(z.array(z.object({ name: z.string(), quantity: z.number(), price: z.number() }))),
})

/**
 * Stand-ins of Shopify and WooCommerce: their documented calls, pages, limits and signed webhooks over made-up customers
 * and orders. Their state is in the schema `sandbox`. `/control` makes and changes rows, for demonstrations and tests.
 */
export async function createShopStandIns({
  db: inboxDb,
  clock,
  currency,
  customers = 40,
  fetch: request = fetch,
  logger,
}: {
  db: Db
  clock: Clock
  currency: string
  /** The customers of a new stand-in. */
  customers?: number
  fetch?: typeof fetch
  logger: Pick<Logger, 'error'>
}) {
  const db = await openStandInTables(inboxDb)
  const records = createStandInRecords({ db, clock, currency, onChanged: enqueue })

  async function enqueue(shop: ShopKind, phase: ShopPhase, id: number, isNew: boolean): Promise<void> {
    const body = JSON.stringify(await bodyOf(records, shop, phase, id))
    const hooks = await db
      .selectFrom('sandbox.shop_hooks')
      .select('id')
      .where('shop', '=', shop)
      .where('topic', '=', topics[shop][phase][isNew ? 0 : 1])
      .execute()
    if (hooks.length === 0) return
    await db
      .insertInto('sandbox.shop_posts')
      .values(hooks.map((hook) => ({ hook_id: hook.id, body, due_at: new Date(clock.now()) })))
      .execute()
    loop.wake()
  }

  async function faultsOf(shop: ShopKind): Promise<StandInFaults> {
    const row = await db.selectFrom('sandbox.shop_faults').select('faults').where('shop', '=', shop).executeTakeFirst()
    return standInFaults.parse(row?.faults ?? {})
  }
  const setFaults = (shop: ShopKind, faults: object) =>
    db
      .insertInto('sandbox.shop_faults')
      .values({ shop, faults: JSON.stringify(faults) })
      .onConflict((conflict) => conflict.column('shop').doUpdateSet({ faults: JSON.stringify(faults) }))
      .execute()
  /** Counts a limited call. */
  async function takeFaults(shop: ShopKind): Promise<StandInFaults> {
    const faults = await faultsOf(shop)
    if (faults.limited > 0) await setFaults(shop, { ...faults, limited: faults.limited - 1 })
    return faults
  }

  const post = async (address: string, headers: Record<string, string>, body: string): Promise<boolean> => {
    try {
      const response = await request(address, {
        method: 'POST',
        headers,
        body,
        signal: AbortSignal.timeout(postTimeout),
      })
      await response.arrayBuffer()
      return response.ok
    } catch {
      return false
    }
  }

  /** Posts the oldest due delivery. False if none is due. */
  async function postNext(): Promise<boolean> {
    const now = clock.now()
    const due = await db
      .updateTable('sandbox.shop_posts')
      .set((row) => ({ due_at: new Date(now + lease), attempts: row('attempts', '+', 1) }))
      .where('id', '=', (posts) =>
        posts
          .selectFrom('sandbox.shop_posts')
          .select('id')
          .where('due_at', '<=', new Date(now))
          .orderBy('id')
          .limit(1)
          .forUpdate()
          .skipLocked(),
      )
      .returningAll()
      .executeTakeFirst()
    if (due === undefined) return false
    const hook = await db.selectFrom('sandbox.shop_hooks').selectAll().where('id', '=', due.hook_id).executeTakeFirst()
    const isDone = hook === undefined || (await post(hook.address, headersOf(hook, due), due.body))
    if (isDone) await db.deleteFrom('sandbox.shop_posts').where('id', '=', due.id).execute()
    else {
      const backoff = Math.min(500 * 2 ** Math.min(due.attempts - 1, 10), maxBackoff)
      await db
        .updateTable('sandbox.shop_posts')
        .set({ due_at: new Date(clock.now() + backoff) })
        .where('id', '=', due.id)
        .execute()
    }
    return true
  }

  async function postAll(isRunning: () => boolean): Promise<void> {
    while (isRunning() && (await postNext()));
  }

  const loop = createWorkLoop({
    work: postAll,
    sweep: async () => undefined,
    pollInterval,
    failureMessage: 'the stand-ins of shops failed',
    clock,
    logger,
  })

  const parts = {
    db,
    records,
    clock,
    faultsOf: takeFaults,
    ping: async (id: number, address: string) => {
      await post(address, { 'content-type': 'application/x-www-form-urlencoded' }, `webhook_id=${id}`)
    },
  }

  const byShop = z.object({ shop: z.enum(shopKinds) })
  const control = new Hono()
  control.onError((error, c) => {
    if (error instanceof z.core.$ZodError || error instanceof SyntaxError)
      return c.json({ success: false, error: 'The body is not of the expected form' }, 400)
    throw error
  })
  control.post('/:shop/customers', async (c) => {
    const { shop } = byShop.parse(c.req.param())
    return c.json({ id: await records.addCustomer(shop, buyer.parse(await c.req.json())) })
  })
  control.post('/:shop/orders', async (c) => {
    const { shop } = byShop.parse(c.req.param())
    const order = orderBody.parse(await c.req.json())
    return c.json({ id: await records.addOrder(shop, definedOf(order)) })
  })
  control.patch('/:shop/orders/:id', async (c) => {
    const { shop } = byShop.parse(c.req.param())
    const values = definedOf(orderBody.parse(await c.req.json()))
    const isKnown = await records.change(shop, 'orders', Number(c.req.param('id')), values)
    return isKnown ? c.json({}) : c.json({ success: false, error: 'There is no such order' }, 404)
  })
  control.put('/:shop/faults', async (c) => {
    const { shop } = byShop.parse(c.req.param())
    await setFaults(shop, standInFaults.parse(await c.req.json()))
    return c.json({})
  })

  return {
    /** To be mounted at /sandbox/shops. */
    app: new Hono()
      .route('/shopify', createShopifyApp(parts))
      .route('/woocommerce', createWooCommerceApp(parts))
      .route('/control', control),
    records,
    setFaults,
    /** Fills empty stand-ins. */
    async seed(): Promise<void> {
      for (const shop of shopKinds) await records.seed(shop, customers)
    },
    start: loop.start,
    stop: loop.stop,
    /** Posts what is due, for tests without timers. */
    settle: () => postAll(() => true),
  }
}

/** The base addresses of the stand-ins by the origin of the shop. `address`: where the server is. */
export const standInAddresses = (address: string): ReadonlyMap<string, string> =>
  new Map([
    [`https://${standInKeys.shopify.domain}`, `${address}/sandbox/shops/shopify`],
    [standInKeys.woocommerce.site, `${address}/sandbox/shops/woocommerce`],
  ])

const topics: Record<ShopKind, Record<ShopPhase, readonly [string, string]>> = {
  shopify: {
    orders: ['orders/create', 'orders/updated'],
    customers: ['customers/create', 'customers/update'],
  },
  woocommerce: {
    orders: ['order.created', 'order.updated'],
    customers: ['customer.created', 'customer.updated'],
  },
}

type Hook = { id: number; shop: ShopKind; topic: string; secret: string }

function headersOf(hook: Hook, { id, body }: { id: number; body: string }): Record<string, string> {
  const signature = signatureOf(hook.secret, Buffer.from(body))
  return hook.shop === 'shopify'
    ? {
        'content-type': 'application/json',
        'x-shopify-topic': hook.topic,
        'x-shopify-hmac-sha256': signature,
        'x-shopify-shop-domain': standInKeys.shopify.domain,
        'x-shopify-webhook-id': String(id),
        'x-shopify-api-version': '2026-04',
      }
    : {
        'content-type': 'application/json',
        'x-wc-webhook-topic': hook.topic,
        'x-wc-webhook-signature': signature,
        'x-wc-webhook-source': standInKeys.woocommerce.site,
        'x-wc-webhook-id': String(hook.id),
        'x-wc-webhook-delivery-id': String(id),
      }
}

const definedOf = <Value extends object>(value: Value): { [Key in keyof Value]?: Exclude<Value[Key], undefined> } =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as never
