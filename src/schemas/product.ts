import * as z from 'zod/mini'
import { httpsAddress } from './https-address.ts'
import { answerOf, count, id } from './primitives.ts'
import { structuredLimits } from './structured-limits.ts'

/** `name`, `code` and `address` in characters, `price` in cents, `products` for the whole business. */
export const productLimits = {
  name: 200,
  code: 100,
  address: structuredLimits.url,
  price: 1_000_000_000,
  products: 2_000,
} as const

/** What the business sells (feature 'chat-orders'). */
export const product = z.object({
  id,
  /** For example the SKU. Unique; null if the product has none. */
  code: z.nullable(z.string()),
  name: z.string(),
  /** In cents. */
  price: count,
  /** A product that is not active is not offered for new orders. */
  is_active: z.boolean(),
  /** The picture of its card; absent if the API has none. */
  picture_url: z.nullish(z.string()),
  /** The page that its card opens; absent if the API has none. */
  link_url: z.nullish(z.string()),
})
export type Product = z.infer<typeof product>

/** All products, by name. */
export const productsAnswer = answerOf(z.array(product))
export const productAnswer = answerOf(product)

/** The body of both POST and PUT. */
export const productBody = z.object({
  code: z.nullable(z.string().check(z.trim(), z.minLength(1), z.maxLength(productLimits.code), z.regex(/^\P{Cc}*$/u))),
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(productLimits.name)),
  price: count.check(z.maximum(productLimits.price)),
  is_active: z.boolean(),
  /** Absent: as it was. */
  picture_url: z.optional(z.nullable(httpsAddress)),
  link_url: z.optional(z.nullable(httpsAddress)),
})
export type ProductBody = z.infer<typeof productBody>
