import { Hono, type MiddlewareHandler } from 'hono'
import * as z from 'zod/mini'
import { type ShopKind, type ShopPhase, shopPhases } from '../../../src/schemas/shop.ts'
import type { Clock } from '../../clock.ts'
import { sameSecret } from '../../network/webhooks/signature.ts'
import { shopifyCustomer, shopifyOrder, wooCustomer, wooOrder } from './answers.ts'
import type { StandInRecords } from './records.ts'
import type { StandInCustomer, StandInDb, StandInOrder } from './tables.ts'

/** The keys of the stand-ins, as README.md names them. */
export const standInKeys = {
  shopify: { domain: 'sandbox.myshopify.com', token: 'shpat_sandbox', secret: 'shpss_sandbox' },
  woocommerce: { site: 'https://shop.sandbox.test', key: 'ck_sandbox', secret: 'cs_sandbox' },
} as const

/** What a stand-in does wrong, for tests. `limited`: how many of the next calls a rate limit refuses. */
export const standInFaults = z.object({
  refusesKey: z._default(z.boolean(), false),
  down: z._default(z.boolean(), false),
  limited: z._default(z.number(), 0),
  lacksScopes: z._default(z.boolean(), false),
})
export type StandInFaults = z.infer<typeof standInFaults>

type Parts = {
  db: StandInDb
  records: StandInRecords
  clock: Pick<Clock, 'now'>
  /** Takes one limited call from the faults. */
  faultsOf: (shop: ShopKind) => Promise<StandInFaults>
  /** Tries a new webhook, as WooCommerce does. */
  ping: (hookId: number, address: string) => Promise<void>
}

/** The bucket of calls of the Admin REST API, which leaks two a second. */
const bucket = { size: 40, leak: 2 }

const faulty =
  (shop: ShopKind, { faultsOf }: Parts): MiddlewareHandler =>
  async (c, next) => {
    const faults = await faultsOf(shop)
    if (faults.down) return c.text('Bad gateway', 502)
    if (faults.limited > 0) return c.json({ errors: 'Too many calls' }, 429, { 'retry-after': '2.0' })
    if (faults.refusesKey) return c.json({ errors: 'Invalid API key' }, 401)
    await next()
    return undefined
  }

const hookAnswer = ({ id, topic, address }: { id: number; topic: string; address: string }) => ({
  id: Number(id),
  topic,
  address,
  format: 'json',
})

/** The Admin REST API of Shopify, to be mounted where the shop's origin is. */
export function createShopifyApp(parts: Parts): Hono {
  const { db, records, clock, faultsOf } = parts
  const shop = 'shopify'
  let used = 0
  let usedAt = 0

  const limited: MiddlewareHandler = async (c, next) => {
    const now = clock.now()
    used = Math.max(0, used - ((now - usedAt) / 1_000) * bucket.leak)
    usedAt = now
    if (used + 1 > bucket.size)
      return c.json({ errors: 'Exceeded 2 calls per second for api client.' }, 429, { 'retry-after': '2.0' })
    used += 1
    await next()
    c.header('x-shopify-shop-api-call-limit', `${Math.ceil(used)}/${bucket.size}`)
    return undefined
  }
  const keyed: MiddlewareHandler = async (c, next) => {
    if (!sameSecret(c.req.header('x-shopify-access-token') ?? '', standInKeys.shopify.token))
      return c.json({ errors: '[API] Invalid API key or access token (unrecognized login or wrong password)' }, 401)
    return next()
  }

  const app = new Hono().use(limited, faulty(shop, parts), keyed)
  app.get('/admin/oauth/access_scopes.json', async (c) => {
    const { lacksScopes } = await faultsOf(shop)
    const scopes = lacksScopes ? ['read_orders'] : ['read_orders', 'read_all_orders', 'read_customers']
    return c.json({ access_scopes: scopes.map((handle) => ({ handle })) })
  })

  const api = new Hono()
  api.get('/shop.json', (c) =>
    c.json({ shop: { id: 548_380_009, name: 'Sandbox Prints', domain: standInKeys.shopify.domain, currency: 'PHP' } }),
  )
  for (const phase of shopPhases) {
    const sinceOf = (text: string | undefined) => (text === undefined ? null : new Date(text))
    api.get(`/${phase}/count.json`, async (c) =>
      c.json({ count: await records.count(shop, phase, sinceOf(c.req.query('updated_at_min'))) }),
    )
    api.get(`/${phase}.json`, async (c) => {
      const { limit: asked = '50', page_info: info, ...others } = c.req.query()
      const limit = Math.min(Number(asked), 250)
      if (info !== undefined && Object.keys(others).length > 0) return c.json({ errors: { page_info: 'Invalid' } }, 400)
      const from = info === undefined ? { after: 0, since: others['updated_at_min'] ?? null } : readInfo(info)
      if (from === null) return c.json({ errors: { page_info: 'Invalid value.' } }, 400)
      const since = from.since === null ? null : new Date(from.since)
      const rows = await records.list<never>(shop, phase, { limit: limit + 1, after: from.after, since })
      const page = rows.slice(0, limit)
      if (rows.length > limit) {
        const next = writeInfo({ after: page.at(-1)?.id ?? 0, since: from.since })
        const address = `https://${standInKeys.shopify.domain}${c.req.path}?limit=${limit}&page_info=${next}`
        c.header('link', `<${address}>; rel="next"`)
      }
      return c.json({ [phase]: page.map((row) => (phase === 'orders' ? shopifyOrder(row) : shopifyCustomer(row))) })
    })
  }
  const hooks = () => db.selectFrom('sandbox.shop_hooks').selectAll().where('shop', '=', shop)
  const hookBody = z.object({
    webhook: z.object({ topic: z.string(), address: z.string(), format: z.literal('json') }),
  })
  api.get('/webhooks.json', async (c) => {
    const address = c.req.query('address')
    const found = await (address === undefined ? hooks() : hooks().where('address', '=', address)).execute()
    return c.json({ webhooks: found.map(hookAnswer) })
  })
  api.post('/webhooks.json', async (c) => {
    const { topic, address } = hookBody.parse(await c.req.json()).webhook
    const known = await hooks().where('topic', '=', topic).where('address', '=', address).execute()
    if (known.length > 0) return c.json({ errors: { address: ['for this topic has already been taken'] } }, 422)
    const made = await db
      .insertInto('sandbox.shop_hooks')
      .values({ shop, topic, address, secret: standInKeys.shopify.secret })
      .returningAll()
      .executeTakeFirstOrThrow()
    return c.json({ webhook: hookAnswer(made) }, 201)
  })
  api.delete('/webhooks/:file', async (c) => {
    const id = Number(c.req.param('file').replace('.json', ''))
    await db.deleteFrom('sandbox.shop_hooks').where('shop', '=', shop).where('id', '=', id).execute()
    return c.json({})
  })
  return app.route('/admin/api/:version', api)
}

type Info = { after: number; since: string | null }
const writeInfo = (info: Info): string => Buffer.from(JSON.stringify(info)).toString('base64url')
function readInfo(text: string): Info | null {
  try {
    return z.object({ after: z.number(), since: z.nullable(z.string()) }).parse(JSON.parse(atob(text)))
  } catch {
    return null
  }
}

/** The REST API v3 of WooCommerce, to be mounted where the site's origin is. */
export function createWooCommerceApp(parts: Parts): Hono {
  const { db, records, ping } = parts
  const shop = 'woocommerce'
  const expected = `Basic ${Buffer.from(`${standInKeys.woocommerce.key}:${standInKeys.woocommerce.secret}`).toString('base64')}`
  const keyed: MiddlewareHandler = async (c, next) =>
    sameSecret(c.req.header('authorization') ?? '', expected)
      ? next()
      : c.json({ code: 'woocommerce_rest_authentication_error', message: 'Consumer key is invalid.' }, 401)

  const app = new Hono().use(faulty(shop, parts), keyed)
  const api = new Hono()
  const list = (phase: ShopPhase) =>
    api.get(`/${phase}`, async (c) => {
      const limit = Math.min(Number(c.req.query('per_page') ?? 10), 100)
      const page = Number(c.req.query('page') ?? 1)
      const offset = Number(c.req.query('offset') ?? (page - 1) * limit)
      const after = c.req.query('modified_after')
      if (phase === 'customers' && after !== undefined) return c.json({ code: 'rest_invalid_param' }, 400)
      const since = after === undefined ? null : new Date(`${after}Z`)
      const total = await records.count(shop, phase, since)
      const rows = await records.list<never>(shop, phase, { limit, offset, since })
      c.header('x-wp-total', String(total))
      c.header('x-wp-totalpages', String(Math.ceil(total / limit)))
      return c.json(rows.map((row) => (phase === 'orders' ? wooOrder(row) : wooCustomer(row))))
    })
  for (const phase of shopPhases) list(phase)

  const answer = (hook: { id: number; topic: string; address: string }) => ({
    id: Number(hook.id),
    name: 'Staff Inbox',
    status: 'active',
    topic: hook.topic,
    delivery_url: hook.address,
  })
  const hookBody = z.object({ topic: z.string(), delivery_url: z.string(), secret: z.string() })
  api.get('/webhooks', async (c) => {
    const found = await db.selectFrom('sandbox.shop_hooks').selectAll().where('shop', '=', shop).execute()
    c.header('x-wp-total', String(found.length))
    c.header('x-wp-totalpages', '1')
    return c.json(found.map(answer))
  })
  api.post('/webhooks', async (c) => {
    const { topic, delivery_url: address, secret } = hookBody.parse(await c.req.json())
    const made = await db
      .insertInto('sandbox.shop_hooks')
      .values({ shop, topic, address, secret })
      .returningAll()
      .executeTakeFirstOrThrow()
    await ping(Number(made.id), address)
    return c.json(answer(made), 201)
  })
  api.delete('/webhooks/:id', async (c) => {
    const id = Number(c.req.param('id'))
    await db.deleteFrom('sandbox.shop_hooks').where('shop', '=', shop).where('id', '=', id).execute()
    return c.json({ id })
  })
  return app.route('/wp-json/wc/v3', api)
}

export const bodyOf = async (records: StandInRecords, shop: ShopKind, phase: ShopPhase, id: number) => {
  if (phase === 'orders') {
    const row = await records.find<StandInOrder>(shop, phase, id)
    return row === null ? null : shop === 'shopify' ? shopifyOrder(row) : wooOrder(row)
  }
  const row = await records.find<StandInCustomer>(shop, phase, id)
  return row === null ? null : shop === 'shopify' ? shopifyCustomer(row) : wooCustomer(row)
}
