import { Hono } from 'hono'
import * as z from 'zod/mini'
import { ofTab } from '../../src/schemas/presence.ts'
import { successAnswer } from '../../src/schemas/primitives.ts'
import { pushKeyAnswer, pushSubscription, pushSubscriptionAnswer } from '../../src/schemas/web-push.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import { isPushService } from '../push/push-services.ts'
import {
  deleteSubscription,
  endVisibleTab,
  isUsableKey,
  renewVisibleTab,
  saveSubscription,
} from '../push/subscriptions.ts'
import { described, refuse, valid } from './answers.ts'
import { type Authenticated, requirePermission } from './authentication.ts'

/** `publicKey`: the key of this server for browsers. `origins`: further push services. */
export type WebPushParts = { publicKey: string; origins: readonly string[] }

const tag = 'Web Push'
const ofSubscription = z.object({ id: z.string() })
const done = { success: true } satisfies z.infer<typeof successAnswer>

/** Notifications of browsers whose inbox is closed (feature 'web-push'), to be mounted at /api/facebook. */
export const createWebPushRoutes = ({
  db,
  webPush: { publicKey, origins },
  clock,
}: {
  db: Db
  webPush: WebPushParts
  clock: Pick<Clock, 'now'>
}) =>
  new Hono<Authenticated>()
    .get(
      '/push',
      described({ tag, summary: 'The key of the server for a subscription', answer: pushKeyAnswer }),
      requirePermission('conversations.read'),
      (c) => c.json({ success: true, data: { public_key: publicKey } } satisfies z.infer<typeof pushKeyAnswer>),
    )
    .put(
      '/push/subscription',
      described({
        tag,
        takesBody: true,
        summary: 'Notify the browser of this session, until the session ends; idempotent',
        answer: pushSubscriptionAnswer,
        refusals: { 400: 'The body is not valid, or the address is not one of a known push service' },
      }),
      requirePermission('conversations.read'),
      valid('json', pushSubscription),
      async (c) => {
        const subscription = c.req.valid('json')
        if (!isPushService(subscription.endpoint, origins)) return refuse(c, 400, 'This push service is not known')
        if (!isUsableKey(subscription.keys.p256dh)) return refuse(c, 400, 'The key of the subscription is not valid')
        const id = await saveSubscription(db, {
          ...subscription,
          staffId: c.get('staff').id,
          sessionId: c.get('sessionId'),
          serverKey: publicKey,
          now: new Date(clock.now()),
        })
        return c.json({ success: true, data: { id } } satisfies z.infer<typeof pushSubscriptionAnswer>)
      },
    )
    .delete(
      '/push/subscription/:id',
      described({ tag, summary: 'Notify a browser no longer; idempotent', answer: successAnswer }),
      requirePermission('conversations.read'),
      valid('param', ofSubscription),
      async (c) => {
        await deleteSubscription(db, c.req.valid('param').id, c.get('staff').id)
        return c.json(done)
      },
    )
    .put(
      '/push/tabs/:tab',
      described({ tag, summary: 'Say that the person can see this tab; lasts a minute', answer: successAnswer }),
      requirePermission('conversations.read'),
      valid('param', ofTab),
      async (c) => {
        await renewVisibleTab(db, c.req.valid('param').tab, c.get('staff').id)
        return c.json(done)
      },
    )
    .delete(
      '/push/tabs/:tab',
      described({ tag, summary: 'Say that this tab is hidden; idempotent', answer: successAnswer }),
      requirePermission('conversations.read'),
      valid('param', ofTab),
      async (c) => {
        await endVisibleTab(db, c.req.valid('param').tab, c.get('staff').id)
        return c.json(done)
      },
    )
