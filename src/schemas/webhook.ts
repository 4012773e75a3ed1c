import * as z from 'zod/mini'
import { answerOf, count, id, moment } from './primitives.ts'

/** The events that an endpoint can receive. */
export const webhookEvents = ['order.changed', 'message.received', 'conversation.waiting'] as const
export type WebhookEvent = (typeof webhookEvents)[number]

/** The event of the button that sends a test. Every endpoint receives it. */
export const testEvent = 'webhook.test'

/** The maximum number of endpoints, and of characters of their texts. */
export const webhookLimits = { endpoints: 20, url: 2_000, description: 200 } as const

/** Where events are posted. */
export const webhookEndpoint = z.object({
  id,
  url: z.string(),
  description: z.string(),
  events: z.array(z.string()),
  is_active: z.boolean(),
  /** Why the server switched the endpoint off; null if it did not. A newer server may have further reasons. */
  disabled_reason: z.nullable(z.string()),
  disabled_at: z.nullable(moment),
  /** The first failed attempt since the last delivery; null if the last attempt was a delivery. */
  failing_since: z.nullable(moment),
  created_by: z.string(),
  created_at: moment,
})
export type WebhookEndpoint = z.infer<typeof webhookEndpoint>

export const webhookEndpointsAnswer = answerOf(z.object({ endpoints: z.array(webhookEndpoint) }))

/** The server also checks that the address is https and public. */
export const webhookBody = z.object({
  url: z.string().check(z.trim(), z.minLength(1), z.maxLength(webhookLimits.url)),
  description: z._default(z.string().check(z.trim(), z.maxLength(webhookLimits.description)), ''),
  events: z.array(z.enum(webhookEvents)).check(z.minLength(1), z.maxLength(webhookEvents.length)),
  is_active: z._default(z.boolean(), true),
})
export type WebhookBody = z.infer<typeof webhookBody>

/** The secret is answered here and never again. */
export const createdWebhookAnswer = answerOf(z.object({ endpoint: webhookEndpoint, secret: z.string() }))
export const webhookSecretAnswer = answerOf(z.object({ secret: z.string() }))

/** The number of deliveries of one page of the log. */
export const deliveriesPageSize = 50

/** `before`: the `next` of the page before. */
export const deliveriesQuery = z.object({
  before: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(Number.MAX_SAFE_INTEGER))),
})

/** One event for one endpoint. */
export const webhookDelivery = z.object({
  id: count,
  /** The id that the receiver gets in `webhook-id`. */
  event_id: z.string(),
  type: z.string(),
  state: z.enum(['waiting', 'delivered', 'failed']),
  attempts: count,
  created_at: moment,
  last_attempt_at: z.nullable(moment),
  /** When the next attempt begins; null if there is none. */
  next_attempt_at: z.nullable(moment),
  /** The HTTP status of the last answer; null without an answer. */
  status: z.nullable(z.number()),
  /** Why the last attempt failed: a code. Null if it did not. */
  error: z.nullable(z.string()),
})
export type WebhookDelivery = z.infer<typeof webhookDelivery>

/** Newest first. `next` is null on the last page. */
export const webhookDeliveriesAnswer = answerOf(
  z.object({ deliveries: z.array(webhookDelivery), next: z.nullable(z.number()) }),
)
export type WebhookDeliveryPage = z.infer<typeof webhookDeliveriesAnswer>['data']
