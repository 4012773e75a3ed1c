import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { pino } from 'pino'
import type { AuditActor } from '../../../server/audit/audit.ts'
import type { Db } from '../../../server/database/database.ts'
import type { ShopFetch } from '../../../server/shops/shop-http.ts'
import { composeShops, shopWebhooksPath } from '../../../server/shops/start-shops.ts'
import { standInKeys } from '../../../server/stand-ins/shops/shop-apps.ts'
import { createShopStandIns, standInAddresses } from '../../../server/stand-ins/shops/shop-stand-ins.ts'
import { defaultBusiness } from '../../../src/schemas/business.ts'
import type { ConnectShopBody, ShopKind } from '../../../src/schemas/shop.ts'
import { erasedPeople } from '../imports/csv-harness.ts'
import { manualClock } from '../manual-clock.ts'

const keyring = { secrets: ['a secret of thirty-two characters'], hasIds: true } as const

const connectBodies: Record<ShopKind, ConnectShopBody> = {
  shopify: {
    kind: 'shopify',
    address: standInKeys.shopify.domain,
    key: standInKeys.shopify.token,
    secret: standInKeys.shopify.secret,
  },
  woocommerce: {
    kind: 'woocommerce',
    address: standInKeys.woocommerce.site,
    key: standInKeys.woocommerce.key,
    secret: standInKeys.woocommerce.secret,
  },
}

export const owner: AuditActor = { staffId: null, name: 'Ana Reyes', address: null, userAgent: null }
const here = 'http://inbox.test'

/**
 * The shops of the inbox with both stand-ins, without the job queue: `workAll` runs the jobs. The clock advances only while
 * a call waits for a rate limit.
 */
export async function openShops(db: Db, { customers = 4 } = {}) {
  const clock = manualClock(Date.parse('2026-01-10T00:00:00Z'))
  const logger = pino({ level: 'silent' })
  const queued: { shopId: string; runId: string }[] = []
  const calls: string[] = []
  /** The milliseconds that calls waited. */
  let waited = 0
  const standIns = await createShopStandIns({
    db,
    clock,
    currency: 'PHP',
    customers,
    fetch: async (address, init) => {
      const path = String(address).slice(`${here}${shopWebhooksPath}`.length)
      return inbox.webhooks.request(path, init)
    },
    logger,
  })
  const bases = standInAddresses(here)
  const fetch: ShopFetch = async ({ method, url, headers, body }) => {
    calls.push(`${method} ${url.pathname}${url.search}`)
    const base = bases.get(url.origin)
    if (base === undefined) throw new Error(`no stand-in for ${url.origin}`)
    const path = `${base.slice(`${here}/sandbox/shops`.length)}${url.pathname}${url.search}`
    const response = await standIns.app.request(path, { method, headers, ...(body === undefined ? {} : { body }) })
    return { status: response.status, header: (name) => response.headers.get(name), text: await response.text() }
  }
  const jobs = {
    send: async (_queue: string, data: { shopId: string; runId: string }) => {
      queued.push(data)
      return null
    },
    createQueue: async () => undefined,
    work: async () => '',
    schedule: async () => undefined,
  } as never
  const parts = {
    keyring,
    jobs,
    erasedPeople,
    business: defaultBusiness,
    retainedDays: 7,
    publicUrl: undefined,
    address: here,
    standIns: bases,
    fetch,
    clock: {
      now: clock.now,
      after: (milliseconds: number, run: () => void) => {
        waited += milliseconds
        const cancel = clock.after(milliseconds, run)
        void nextTurn().then(() => clock.advance(milliseconds))
        return cancel
      },
    },
    logger,
  }
  const inbox = composeShops({ db, ...parts })
  await standIns.seed()

  async function workAll(options: { isLastAttempt?: boolean } = {}): Promise<void> {
    for (let job = queued.shift(); job !== undefined; job = queued.shift())
      await inbox.runs.run(job.shopId, job.runId, { isLastAttempt: true, ...options })
  }
  /** Stores all deliveries that are due. */
  async function deliverAll(): Promise<void> {
    await standIns.settle()
    inbox.deliveries.start()
    await inbox.deliveries.settled()
    await inbox.deliveries.stop()
  }

  return {
    ...inbox,
    clock,
    standIns,
    calls,
    queued,
    waited: () => waited,
    workAll,
    deliverAll,
    connect: (kind: ShopKind, change: Partial<ConnectShopBody> = {}) =>
      inbox.shops.connect({ ...connectBodies[kind], ...change }, owner),
    /** The runs of another process, whose connection breaks. */
    on: (other: Db) => composeShops({ db: other, ...parts }),
  }
}

export async function clearShops(db: Db): Promise<void> {
  await db.deleteFrom('shops').execute()
  await sql`drop table if exists sandbox.shop_posts, sandbox.shop_hooks, sandbox.shop_rows, sandbox.shop_faults`.execute(
    db,
  )
}
