import * as z from 'zod/mini'
import type { WebhookToSave } from '../../domain/session/webhook-fields.ts'
import { answerOf, successAnswer } from '../../schemas/primitives.ts'
import {
  createdWebhookAnswer,
  type WebhookDeliveryPage,
  type WebhookEndpoint,
  webhookDelivery,
  webhookEndpoint,
  webhookSecretAnswer,
} from '../../schemas/webhook.ts'
import { type Http, rows } from '../http.ts'

/** The calls for webhooks. All throw `Failure`. Calls that change data are never aborted. */
export function createWebhooks(http: Http, log: { warn: (text: string) => void }) {
  const endpointsAnswer = answerOf(z.object({ endpoints: rows(webhookEndpoint, log, 'webhooks') }))
  const deliveriesAnswer = answerOf(
    z.object({ deliveries: rows(webhookDelivery, log, 'deliveries'), next: z.nullable(z.number()) }),
  )
  const pathOf = (id: string) => `/webhooks/${encodeURIComponent(id)}`
  return {
    loadWebhooks: async (signal: AbortSignal): Promise<readonly WebhookEndpoint[]> =>
      (await http.get('/webhooks', { schema: endpointsAnswer, signal })).data.endpoints,

    /** Resolves with the secret of a new endpoint, which the server answers only once; null for a changed one. */
    saveWebhook: async ({ id, body }: WebhookToSave): Promise<string | null> => {
      if (id === null) return (await http.post('/webhooks', { schema: createdWebhookAnswer, body })).data.secret
      await http.put(pathOf(id), { schema: successAnswer, body })
      return null
    },

    deleteWebhook: async ({ id }: { id: string }): Promise<void> => {
      await http.delete(pathOf(id), { schema: successAnswer })
    },

    /** Resolves with the new secret. */
    replaceWebhookSecret: async ({ id }: { id: string }): Promise<string> =>
      (await http.post(`${pathOf(id)}/secret`, { schema: webhookSecretAnswer })).data.secret,

    testWebhook: async ({ id }: { id: string }): Promise<void> => {
      await http.post(`${pathOf(id)}/test`, { schema: successAnswer })
    },

    /** `before`: the `next` of the page before; null for the first page. */
    loadDeliveries: async (
      { id, before }: { id: string; before: number | null },
      signal: AbortSignal,
    ): Promise<WebhookDeliveryPage> =>
      (await http.get(`${pathOf(id)}/deliveries`, { schema: deliveriesAnswer, query: { before }, signal })).data,

    resendDelivery: async ({ id, delivery }: { id: string; delivery: number }): Promise<void> => {
      await http.post(`${pathOf(id)}/deliveries/${delivery}/resend`, { schema: successAnswer })
    },
  }
}
