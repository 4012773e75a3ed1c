import type { Context } from 'hono'
import { Hono } from 'hono'
import * as z from 'zod/mini'
import { connectShopBody, disconnectedAnswer, shopAnswer, shopsAnswer } from '../../src/schemas/shop.ts'
import { createAttempts } from '../auth/attempts.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import { mayPass, ShopError } from '../shops/shop-error.ts'
import { ShopRefused, type Shops } from '../shops/shops.ts'
import { described, refuse, refuseTooMany, valid } from './answers.ts'
import { type Authenticated, requirePermission } from './authentication.ts'

const tag = 'Shops'
const unknownShop = 'There is no such shop'
/** The calls of shops that one person may ask for within `window` milliseconds. */
const maxCalls = { max: 60, window: 60 * 60_000 }

const byId = z.object({ id: z.string().check(z.maxLength(100)) })

/** The shops of the business (feature 'shops'), to be mounted at /api/shops. */
export function createShopRoutes({ db, shops, clock }: { db: Db; shops: Shops; clock: Clock }) {
  const attempts = createAttempts({ db, clock })
  const mayCall = async (c: Context<Authenticated>) =>
    (await attempts.take([{ key: `shops ${c.get('staff').id}`, ...maxCalls }])) !== null

  return new Hono<Authenticated>()
    .get(
      '/',
      described({ tag, summary: 'The connected shops, with the rows that are not stored', answer: shopsAnswer }),
      requirePermission('shops.manage'),
      async (c) => c.json({ success: true, data: { shops: await shops.list() } } satisfies z.infer<typeof shopsAnswer>),
    )
    .post(
      '/',
      described({
        tag,
        takesBody: true,
        summary: 'Connect a shop by key and begin its first fill; a connected shop gets the new key',
        answer: shopAnswer,
        refusals: {
          409: 'There are too many shops, or the server has no public address',
          422: 'The address or the key is wrong, or the key lacks a permission',
          429: 'Too many calls in an hour',
          503: 'The shop cannot be reached',
        },
      }),
      requirePermission('shops.manage'),
      valid('json', connectShopBody),
      async (c) => {
        if (!(await mayCall(c))) return refuseTooMany(c)
        try {
          const data = await shops.connect(c.req.valid('json'), c.get('actor'))
          return c.json({ success: true, data } satisfies z.infer<typeof shopAnswer>)
        } catch (error) {
          if (error instanceof ShopRefused) return refuse(c, error.status, error.message)
          if (error instanceof ShopError) return refuse(c, mayPass(error) ? 503 : 422, error.message)
          throw error
        }
      },
    )
    .post(
      '/:id/sync',
      described({
        tag,
        summary: 'Read what changed in the shop; joins a run that is under way',
        answer: shopAnswer,
        refusals: { 404: unknownShop, 429: 'Too many calls in an hour' },
      }),
      requirePermission('shops.manage'),
      valid('param', byId),
      async (c) => {
        if (!(await mayCall(c))) return refuseTooMany(c)
        const data = await shops.sync(c.req.valid('param').id, c.get('actor'))
        if (data === null) return refuse(c, 404, unknownShop)
        return c.json({ success: true, data } satisfies z.infer<typeof shopAnswer>)
      },
    )
    .post(
      '/:id/cancel',
      described({
        tag,
        summary: 'Stop the run of a shop; stored rows stay. Idempotent',
        answer: shopAnswer,
        refusals: { 404: unknownShop },
      }),
      requirePermission('shops.manage'),
      valid('param', byId),
      async (c) => {
        const data = await shops.cancel(c.req.valid('param').id)
        if (data === null) return refuse(c, 404, unknownShop)
        return c.json({ success: true, data } satisfies z.infer<typeof shopAnswer>)
      },
    )
    .delete(
      '/:id',
      described({
        tag,
        summary: 'Disconnect a shop: removes its webhooks and its key; clients and orders stay. Idempotent',
        answer: disconnectedAnswer,
      }),
      requirePermission('shops.manage'),
      valid('param', byId),
      async (c) => {
        const data = (await shops.disconnect(c.req.valid('param').id, c.get('actor'))) ?? { removed: true }
        return c.json({ success: true, data } satisfies z.infer<typeof disconnectedAnswer>)
      },
    )
}
