import { serverActor } from '../../../server/audit/audit.ts'
import type { Db } from '../../../server/database/database.ts'
import { deriveKeys } from '../../../server/secrets.ts'
import { createPostWebhook, type PostWebhook } from '../../../server/webhooks-out/addresses.ts'
import { createWebhookEndpoints, webhookSecretPurpose } from '../../../server/webhooks-out/endpoints.ts'
import { createWebhooksOut } from '../../../server/webhooks-out/webhooks-out.ts'
import type { WebhookEndpoint, WebhookEvent } from '../../../src/schemas/webhook.ts'
import type { WebhookReceiver } from '../../webhook-receiver.ts'
import { ringOf } from '../derived-keys.ts'
import { manualClock } from '../manual-clock.ts'
import { at } from '../people.ts'

export const keyring = ringOf('a secret of thirty-two characters')
export const webhookKeys = deriveKeys(keyring, webhookSecretPurpose)

/** Endpoints and workers on a database, with one clock. */
export function openWebhooks(db: Db, receiver: Pick<WebhookReceiver, 'origin'>) {
  const clock = manualClock(at(0).getTime())
  const logged: unknown[] = []
  const logger = { error: (what: unknown) => void logged.push(what), warn: (what: unknown) => void logged.push(what) }
  const endpoints = createWebhookEndpoints({ db, keys: webhookKeys, origins: [receiver.origin] })
  const by = () => ({ by: serverActor, now: new Date(clock.now()) })
  const post = createPostWebhook({ origins: [receiver.origin] })
  let switchedOff = 0

  const newWorker = (change: { post?: PostWebhook; retainedDays?: number } = {}) =>
    createWebhooksOut({
      db,
      keys: webhookKeys,
      post: change.post ?? post,
      currency: 'PHP',
      retainedDays: change.retainedDays ?? null,
      onSwitchedOff: () => {
        switchedOff += 1
      },
      clock,
      logger,
      random: () => 0,
    })

  return {
    clock,
    logged,
    endpoints,
    by,
    post,
    newWorker,
    switchedOff: () => switchedOff,

    /** Does all that is due now. */
    async work(change: Parameters<typeof newWorker>[0] = {}): Promise<void> {
      const worker = newWorker(change)
      worker.start()
      await worker.settled()
      await worker.stop()
    },

    async add(events: readonly WebhookEvent[], path = '/hook'): Promise<{ endpoint: WebhookEndpoint; secret: string }> {
      const body = { url: `${receiver.origin}${path}`, description: '', events: [...events], is_active: true }
      const made = await endpoints.create(body, by())
      if (typeof made === 'string') throw new Error(made)
      return made
    },

    /** The log, newest first. */
    log: () =>
      db
        .selectFrom('webhook_deliveries as d')
        .innerJoin('webhook_events as e', 'e.id', 'd.event_id')
        .select(['type', 'state', 'attempts', 'status', 'error', 'd.due_at', 'd.id'])
        .orderBy('d.id', 'desc')
        .execute(),
  }
}

export type Webhooks = ReturnType<typeof openWebhooks>
