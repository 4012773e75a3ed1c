import { Hono } from 'hono'
import * as z from 'zod/mini'
import { successAnswer } from '../../src/schemas/primitives.ts'
import {
  createdWebhookAnswer,
  deliveriesQuery,
  webhookBody,
  webhookDeliveriesAnswer,
  webhookEndpointsAnswer,
  webhookLimits,
  webhookSecretAnswer,
} from '../../src/schemas/webhook.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import { listDeliveries, resend } from '../webhooks-out/deliveries.ts'
import type { WebhookEndpoints } from '../webhooks-out/endpoints.ts'
import { described, refuse, valid } from './answers.ts'
import { type Authenticated, requirePermission } from './authentication.ts'

const tag = 'Webhooks'

/** What the routes of webhooks need besides the database. `wake`: events are sent now. */
export type WebhookParts = { endpoints: WebhookEndpoints; wake: () => void }

const notAllowed = 'Events can only be sent to a public address that begins with https://.'
const missing = 'This webhook no longer exists.'
const off = 'This webhook is off. Switch it on first.'

const permitted = () => requirePermission('webhooks.manage')
const idParam = valid('param', z.object({ id: z.string() }))

/** The endpoints of other programs and their log, to be mounted at /api/webhooks. */
export const createWebhookRoutes = ({
  db,
  webhooks: { endpoints, wake },
  clock,
}: {
  db: Db
  webhooks: WebhookParts
  clock: Pick<Clock, 'now'>
}) =>
  new Hono<Authenticated>()
    .get(
      '/',
      described({ tag, summary: 'The endpoints, newest first', answer: webhookEndpointsAnswer }),
      permitted(),
      async (c) =>
        c.json({ success: true, data: { endpoints: await endpoints.list() } } satisfies z.infer<
          typeof webhookEndpointsAnswer
        >),
    )
    .post(
      '/',
      described({
        tag,
        takesBody: true,
        summary: 'Make an endpoint; returns its secret once',
        answer: createdWebhookAnswer,
        refusals: { 409: 'There are too many endpoints', 422: 'The address is not allowed' },
      }),
      permitted(),
      valid('json', webhookBody),
      async (c) => {
        const data = await endpoints.create(c.req.valid('json'), { by: c.get('actor'), now: new Date(clock.now()) })
        if (data === 'notAllowed') return refuse(c, 422, notAllowed)
        if (data === 'tooMany') {
          return refuse(c, 409, `There are ${webhookLimits.endpoints} webhooks. Delete one first.`)
        }
        return c.json({ success: true, data } satisfies z.infer<typeof createdWebhookAnswer>)
      },
    )
    .put(
      '/:id',
      described({
        tag,
        takesBody: true,
        summary: 'Change an endpoint, or switch it on or off',
        answer: successAnswer,
        refusals: { 404: 'There is no such endpoint', 422: 'The address is not allowed' },
      }),
      permitted(),
      idParam,
      valid('json', webhookBody),
      async (c) => {
        const by = { by: c.get('actor'), now: new Date(clock.now()) }
        const result = await endpoints.change(c.req.valid('param').id, c.req.valid('json'), by)
        if (result === 'missing') return refuse(c, 404, missing)
        if (result === 'notAllowed') return refuse(c, 422, notAllowed)
        return c.json({ success: true } satisfies z.infer<typeof successAnswer>)
      },
    )
    .delete(
      '/:id',
      described({ tag, summary: 'Delete an endpoint with its log; idempotent', answer: successAnswer }),
      permitted(),
      idParam,
      async (c) => {
        await endpoints.delete(c.req.valid('param').id, { by: c.get('actor'), now: new Date(clock.now()) })
        return c.json({ success: true } satisfies z.infer<typeof successAnswer>)
      },
    )
    .post(
      '/:id/secret',
      described({
        tag,
        summary: 'Replace the secret; returns the new one once. The earlier one also signs for 24 hours',
        answer: webhookSecretAnswer,
        refusals: { 404: 'There is no such endpoint' },
      }),
      permitted(),
      idParam,
      async (c) => {
        const by = { by: c.get('actor'), now: new Date(clock.now()) }
        const secret = await endpoints.replaceSecret(c.req.valid('param').id, by)
        if (secret === null) return refuse(c, 404, missing)
        return c.json({ success: true, data: { secret } } satisfies z.infer<typeof webhookSecretAnswer>)
      },
    )
    .post(
      '/:id/test',
      described({
        tag,
        summary: 'Send a test event to an endpoint',
        answer: successAnswer,
        refusals: { 404: 'There is no such endpoint', 409: 'The endpoint is off' },
      }),
      permitted(),
      idParam,
      async (c) => {
        const result = await endpoints.test(c.req.valid('param').id, new Date(clock.now()))
        if (result === 'missing') return refuse(c, 404, missing)
        if (result === 'off') return refuse(c, 409, off)
        wake()
        return c.json({ success: true } satisfies z.infer<typeof successAnswer>)
      },
    )
    .get(
      '/:id/deliveries',
      described({
        tag,
        summary: 'The deliveries of an endpoint, newest first, one page',
        answer: webhookDeliveriesAnswer,
        refusals: { 404: 'There is no such endpoint' },
      }),
      permitted(),
      idParam,
      valid('query', deliveriesQuery),
      async (c) => {
        const data = await listDeliveries(db, c.req.valid('param').id, c.req.valid('query'))
        if (data === null) return refuse(c, 404, missing)
        return c.json({ success: true, data } satisfies z.infer<typeof webhookDeliveriesAnswer>)
      },
    )
    .post(
      '/:id/deliveries/:deliveryId/resend',
      described({
        tag,
        summary: 'Send a delivery again now, with all retries',
        answer: successAnswer,
        refusals: { 404: 'There is no such delivery', 409: 'The endpoint is off' },
      }),
      permitted(),
      valid(
        'param',
        z.object({
          id: z.string(),
          deliveryId: z.coerce.number().check(z.int(), z.minimum(1), z.maximum(Number.MAX_SAFE_INTEGER)),
        }),
      ),
      async (c) => {
        const { id: endpointId, deliveryId } = c.req.valid('param')
        const by = { by: c.get('actor'), now: new Date(clock.now()) }
        const result = await resend(db, { endpointId, deliveryId }, by)
        if (result === 'missing') return refuse(c, 404, 'This delivery no longer exists.')
        if (result === 'off') return refuse(c, 409, off)
        wake()
        return c.json({ success: true } satisfies z.infer<typeof successAnswer>)
      },
    )
