import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { successAnswer } from '../../src/schemas/primitives.ts'
import { productAnswer, productBody, productLimits, productsAnswer } from '../../src/schemas/product.ts'
import { recordAudit } from '../audit/audit.ts'
import { cleanText } from '../clean-text.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import {
  createProduct,
  deleteProduct,
  findProduct,
  listProducts,
  type ProductProblem,
  updateProduct,
} from '../database/products.ts'
import { inTransaction } from '../database/transaction.ts'
import { described, refuse, valid } from './answers.ts'
import { type Authenticated, requirePermission } from './authentication.ts'

const tag = 'Products'
const byId = z.object({ id: z.string().check(z.maxLength(200)) })

const refusals = { 400: 'The body is not valid', 422: 'The code is taken, or there are too many products' } as const

const problems: Readonly<Record<ProductProblem, string>> = {
  taken: 'Another product has this code',
  full: `There are already ${productLimits.products} products. Delete one first.`,
}

const cleaned = (body: z.output<typeof productBody>) => ({ ...body, name: cleanText(body.name) })

/** Products (feature 'chat-orders'), to be mounted at /api/products. */
export const createProductRoutes = ({ db, clock }: { db: Db; clock: Pick<Clock, 'now'> }) => {
  const entry = (c: Context<Authenticated>, action: 'created' | 'changed' | 'deleted', id: string, name: string) => ({
    at: clock.now(),
    by: c.get('actor'),
    action: `product.${action}` as const,
    row: { kind: 'product' as const, id },
    details: { name },
  })

  return new Hono<Authenticated>()
    .get(
      '/',
      described({ tag, summary: 'All products, by name', answer: productsAnswer }),
      requirePermission('orders.read'),
      async (c) => {
        return c.json({ success: true, data: await listProducts(db) } satisfies z.infer<typeof productsAnswer>)
      },
    )
    .post(
      '/',
      described({ tag, takesBody: true, summary: 'Create a product', answer: productAnswer, refusals }),
      requirePermission('faq.manage'),
      valid('json', productBody),
      async (c) => {
        const values = cleaned(c.req.valid('json'))
        const created = await inTransaction(db, async (trx) => {
          const result = await createProduct(trx, values)
          if (typeof result === 'string') return result
          await recordAudit(trx, entry(c, 'created', result.id, values.name))
          return findProduct(trx, result.id)
        })
        if (created === undefined) throw new Error('a product is missing right after its creation')
        if (typeof created === 'string') return refuse(c, 422, problems[created])
        return c.json({ success: true, data: created } satisfies z.infer<typeof productAnswer>)
      },
    )
    .put(
      '/:id',
      described({
        tag,
        takesBody: true,
        summary: 'Change a product',
        answer: productAnswer,
        refusals: { ...refusals, 409: 'The product was deleted' },
      }),
      requirePermission('faq.manage'),
      valid('param', byId),
      valid('json', productBody),
      async (c) => {
        const { id } = c.req.valid('param')
        const values = cleaned(c.req.valid('json'))
        const changed = await inTransaction(db, async (trx) => {
          const problem = await updateProduct(trx, id, values)
          if (problem !== null) return problem
          await recordAudit(trx, entry(c, 'changed', id, values.name))
          return findProduct(trx, id)
        })
        if (changed === undefined) return refuse(c, 409, 'This product was deleted in the meantime')
        if (typeof changed === 'string') return refuse(c, 422, problems[changed])
        return c.json({ success: true, data: changed } satisfies z.infer<typeof productAnswer>)
      },
    )
    .delete(
      '/:id',
      described({ tag, summary: 'Delete a product; idempotent', answer: successAnswer }),
      requirePermission('faq.manage'),
      valid('param', byId),
      async (c) => {
        const { id } = c.req.valid('param')
        await inTransaction(db, async (trx) => {
          const deleted = await deleteProduct(trx, id)
          if (deleted !== undefined) await recordAudit(trx, entry(c, 'deleted', id, deleted.name))
        })
        return c.json({ success: true } satisfies z.infer<typeof successAnswer>)
      },
    )
}
