import type { Hono } from 'hono'
import type { Business } from '../../src/schemas/business.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import type { Jobs } from '../jobs.ts'
import type { Logger } from '../logger.ts'
import type { ErasedPeople } from '../people/erased-people.ts'
import { deriveKeys, type Keyring } from '../secrets.ts'
import { createShopDeliveries } from './shop-deliveries.ts'
import { createShopCalls, createShopFetch, type ShopFetch } from './shop-http.ts'
import { type DeliveryUrl, shopsPurpose } from './shop-row.ts'
import { createShopRuns } from './shop-runs.ts'
import { createShops } from './shops.ts'

/** The path of the webhooks of shops. */
export const shopWebhooksPath = '/webhooks/shops'

/** Composes the parts of the shops. `standIns`: the base addresses of stand-ins by the origin of the shop. */
export function composeShops({
  db,
  keyring,
  jobs,
  erasedPeople,
  business,
  retainedDays,
  publicUrl,
  address,
  standIns = new Map(),
  fetch = createShopFetch({ standIns }),
  clock,
  logger,
}: {
  db: Db
  keyring: Keyring
  jobs: Pick<Jobs, 'send' | 'createQueue' | 'work' | 'schedule'>
  erasedPeople: Pick<ErasedPeople, 'hashesOfClient'>
  business: Business
  /** Days. */
  retainedDays: number
  /** Where shops reach this server. Undefined: they cannot. */
  publicUrl: string | undefined
  /** Where the stand-ins reach this server. */
  address: string
  standIns?: ReadonlyMap<string, string>
  fetch?: ShopFetch
  clock: Clock
  logger: Pick<Logger, 'warn' | 'error'>
}) {
  const keys = deriveKeys(keyring, shopsPurpose)
  const call = createShopCalls({ fetch, clock })
  const deliveryUrl: DeliveryUrl = ({ address: shop, id }) => {
    const isStandIn = standIns.has(URL.parse(shop)?.origin ?? `https://${shop}`)
    const base = isStandIn ? address : publicUrl
    return base === undefined ? null : `${base}${shopWebhooksPath}/${id}`
  }
  const parts = { db, keys, call, erasedPeople, business, deliveryUrl, clock, logger }
  const runs = createShopRuns({ ...parts, jobs })
  const deliveries = createShopDeliveries({ ...parts, retainedDays })
  const webhooks: Hono = deliveries.routes
  return {
    shops: createShops({ ...parts, runs }),
    runs,
    deliveries,
    /** To be mounted at `shopWebhooksPath`. */
    webhooks,
    createQueues: runs.createQueues,
    async start(): Promise<void> {
      deliveries.start()
      await runs.work()
    },
    stop: () => deliveries.stop(),
  }
}
