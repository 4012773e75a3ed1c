import * as z from 'zod/mini'
import { answerOf } from '../../schemas/primitives.ts'
import { type ConnectShopBody, disconnectedAnswer, type Shop, shop, shopAnswer } from '../../schemas/shop.ts'
import { type Http, rows } from '../http.ts'

/** The calls for the shops of the business. All throw `Failure`. Calls that change data are never aborted. */
export function createShops(http: Http, log: { warn: (text: string) => void }) {
  const shopsAnswer = answerOf(z.object({ shops: rows(shop, log, 'shops') }))
  const pathOf = (id: string) => `/shops/${encodeURIComponent(id)}`
  return {
    loadShops: async (signal: AbortSignal): Promise<readonly Shop[]> =>
      (await http.get('/shops', { schema: shopsAnswer, signal })).data.shops,

    connectShop: async (body: ConnectShopBody): Promise<void> => {
      await http.post('/shops', { schema: shopAnswer, body })
    },

    /** Begins or stops the run of a shop. */
    changeRun: async ({ id, change }: { id: string; change: 'sync' | 'cancel' }): Promise<void> => {
      await http.post(`${pathOf(id)}/${change}`, { schema: shopAnswer })
    },

    /** Resolves with whether the shop's webhooks were removed there. */
    disconnectShop: async ({ id }: { id: string }): Promise<boolean> =>
      (await http.delete(pathOf(id), { schema: disconnectedAnswer })).data.removed,
  }
}
