import * as z from 'zod/mini'
import { answerOf, count, id, moment } from './primitives.ts'

export const shopKinds = ['shopify', 'woocommerce'] as const
export type ShopKind = (typeof shopKinds)[number]

/** What a run reads, in this order. */
export const shopPhases = ['customers', 'orders'] as const
export type ShopPhase = (typeof shopPhases)[number]

/** The maximum number of shops, of refused rows that an answer shows, and of characters of a field of the form. */
export const shopLimits = { shops: 10, refusals: 20, text: 300 } as const

/** A row of the shop that is not stored, with its number there and the reason. */
const shopRefusal = z.object({ kind: z.enum(['client', 'order']), number: z.string(), reason: z.string() })

/**
 * A connected shop. `run` is the run that reads it now; `error` is why the last run failed. `clients` and `orders` count
 * stored rows, `refused` those that are not stored, of which `refusals` are the latest.
 */
export const shop = z.object({
  id,
  kind: z.enum(shopKinds),
  name: z.string(),
  address: z.string(),
  state: z.enum(['connected', 'key-refused', 'unreachable']),
  connected_at: moment,
  synced_until: z.nullable(moment),
  run: z.nullable(z.object({ phase: z.enum(shopPhases), done: count, total: z.nullable(count) })),
  error: z.nullable(z.string()),
  clients: count,
  orders: count,
  refused: count,
  refusals: z.array(shopRefusal),
})
export type Shop = z.infer<typeof shop>

export const shopsAnswer = answerOf(z.object({ shops: z.array(shop) }))
export const shopAnswer = answerOf(shop)

/** `removed`: the webhooks of the shop were removed there too. */
export const disconnectedAnswer = answerOf(z.object({ removed: z.boolean() }))

const text = z.string().check(z.trim(), z.minLength(1), z.maxLength(shopLimits.text))

/**
 * Shopify: the domain, the access token of the Admin API, and the API secret that signs webhooks. WooCommerce: the address
 * of the site, the consumer key and the consumer secret. A shop that is connected gets the new key.
 */
export const connectShopBody = z.object({ kind: z.enum(shopKinds), address: text, key: text, secret: text })
export type ConnectShopBody = z.infer<typeof connectShopBody>
