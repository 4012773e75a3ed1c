import * as z from 'zod/mini'
import { answerOf, count, id } from './primitives.ts'
import { productLimits } from './product.ts'

/** `items` of a sale, texts in characters, `quantity` of one claim, `posts` to choose from. */
export const liveSaleLimits = {
  items: 200,
  keyword: 30,
  number: 9_999,
  quantity: 99,
  stock: 100_000,
  posts: 20,
} as const

const wholeUpTo = (limit: number) => count.check(z.maximum(limit))

const saleItem = z.object({
  number: wholeUpTo(liveSaleLimits.number).check(z.minimum(1)),
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(productLimits.name)),
  /** In hundredths of the currency's unit. */
  price: wholeUpTo(productLimits.price),
  /** How many can be claimed under one post; null without a limit. */
  stock: z.nullable(wholeUpTo(liveSaleLimits.stock)),
})
export type SaleItem = z.infer<typeof saleItem>

/** A sale by comments: its keyword and the number of a product claim the product. */
const liveSale = z
  .object({
    is_on: z.boolean(),
    /** The post of the sale; null: every live video while it is broadcast. */
    post_id: z.nullable(id),
    keyword: z.string().check(z.trim(), z.maxLength(liveSaleLimits.keyword)),
    items: z.array(saleItem).check(z.maxLength(liveSaleLimits.items)),
  })
  .check(
    z.refine(
      ({ is_on, keyword, items }) => !is_on || (keyword !== '' && items.length > 0),
      'no keyword or no products',
    ),
    z.refine(({ items }) => new Set(items.map(({ number }) => number)).size === items.length, 'a number is used twice'),
  )
export type LiveSale = z.infer<typeof liveSale>

const salePost = z.object({ id, message: z.nullable(z.string()), is_live: z.boolean() })
export type SalePost = z.infer<typeof salePost>

const savedSale = z.object({ settings: liveSale, version: count })
/** `posts`: the newest posts with comments, live videos first. */
export const liveSaleAnswer = answerOf(z.extend(savedSale, { posts: z.array(salePost) }))

/** `replaces`: the version that the person saw. */
export const saveLiveSaleBody = z.object({ settings: liveSale, replaces: count })
export const saveLiveSaleAnswer = answerOf(z.extend(savedSale, { is_saved: z.boolean() }))

/** What a comment claimed. `order_number` is null until its order is made. */
export const saleClaim = z.object({
  name: z.string(),
  quantity: count,
  /** In hundredths of the currency's unit, for one. */
  price: count,
  state: z.enum(['open', 'ordered', 'soldOut']),
  order_id: z.nullable(id),
  order_number: z.nullable(z.string()),
})
export type SaleClaim = z.infer<typeof saleClaim>
