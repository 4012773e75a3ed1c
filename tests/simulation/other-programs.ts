import { systemClock } from '../../server/clock.ts'
import type { OpenDatabase } from '../../server/database/database.ts'
import { createLogger } from '../../server/logger.ts'
import { ShopError } from '../../server/shops/shop-error.ts'
import type { ShopFetch } from '../../server/shops/shop-http.ts'
import { standInKeys } from '../../server/stand-ins/shops/shop-apps.ts'
import { createShopStandIns, standInAddresses } from '../../server/stand-ins/shops/shop-stand-ins.ts'
import type { PostWebhook } from '../../server/webhooks-out/addresses.ts'
import type { ConnectShopBody } from '../../src/schemas/shop.ts'
import type { Process } from './kernel.ts'
import type { Listener } from './network.ts'

/** Where the shops answer. */
export const shopsOrigin = 'http://shops'
/** Where another program receives events. */
export const receiverOrigin = 'https://receiver.example'

/** Milliseconds, as the product has them. */
const timeouts = { webhook: 10_000, shop: 15_000 }

const standIns = standInAddresses(shopsOrigin)

/** How the two shops are connected. */
export const shopBodies: readonly ConnectShopBody[] = [
  {
    kind: 'shopify',
    address: standInKeys.shopify.domain,
    key: standInKeys.shopify.token,
    secret: standInKeys.shopify.secret,
  },
  {
    kind: 'woocommerce',
    address: standInKeys.woocommerce.site,
    key: standInKeys.woocommerce.key,
    secret: standInKeys.woocommerce.secret,
  },
]

/** Posts events over the simulated network, on the process that calls this. */
export const postWebhook: PostWebhook = async ({ url, headers, body }) => {
  const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(timeouts.webhook) })
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return { status: response.status, retryAfter: Number.isFinite(seconds) ? seconds : null }
}

/** Calls the shops over the simulated network, on the process that calls this. */
export const shopFetch: ShopFetch = async ({ method, url, headers, body }) => {
  const base = standIns.get(url.origin)
  if (base === undefined) throw new ShopError('address')
  try {
    const response = await fetch(`${base}${url.pathname}${url.search}`, {
      method,
      headers,
      body: body ?? null,
      signal: AbortSignal.timeout(timeouts.shop),
    })
    return { status: response.status, header: (name) => response.headers.get(name), text: await response.text() }
  } catch {
    throw new ShopError('unreachable')
  }
}

/** Starts the shops on the process that calls this, with two customers and six orders each. */
export async function startShops({ db }: OpenDatabase) {
  const shops = await createShopStandIns({
    db,
    clock: systemClock,
    currency: 'PHP',
    customers: 2,
    fetch: (...request) => fetch(...request),
    logger: createLogger('silent'),
  })
  await shops.seed()
  shops.start()
  const { app } = shops
  return { ...shops, app: { fetch: (request: Request) => app.fetch(withoutPrefix(request)) } }
}

/** The stand-ins are mounted at /sandbox/shops in the product. */
function withoutPrefix(request: Request): Request {
  const url = new URL(request.url)
  return new Request(new URL(url.pathname.replace('/sandbox/shops', '') + url.search, url), request)
}

/** What the receiver does with a delivery. */
export const receiverFaults = ['refuses', 'loses the answer', 'is slow'] as const
type ReceiverFault = (typeof receiverFaults)[number]

/** Longer than a server waits for an answer. Milliseconds. */
const slow = 30_000

/** Another program that receives events and remembers them. */
export function createReceiver(process: Process) {
  let faults: ReceiverFault[] = []
  /** The bodies of each event, by its id: one for each delivery. */
  const received = new Map<string, string[]>()
  const listener: Listener = {
    process,
    handle: async (request, { destroy }) => {
      const fault = faults.shift()
      const id = request.headers.get('webhook-id') ?? ''
      const body = await request.text()
      if (fault === 'refuses') return new Response(null, { status: 500 })
      received.set(id, [...(received.get(id) ?? []), body])
      if (fault === 'is slow') await new Promise((resolve) => setTimeout(resolve, slow))
      if (fault === 'loses the answer') destroy()
      return new Response(null, { status: 204 })
    },
    upgrade: (_, socket) => void socket.destroy(),
  }
  return {
    listener,
    received,
    fail: (fault: ReceiverFault, times: number) => void faults.push(...Array<ReceiverFault>(times).fill(fault)),
    endFaults: () => {
      faults = []
    },
  }
}
