import { createHash } from 'node:crypto'
import PQueue from 'p-queue'
import webPush from 'web-push'
import type { PushPayload } from '../../src/schemas/web-push.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import { codeOf, inTransaction } from '../database/transaction.ts'
import type { Logger } from '../logger.ts'
import { createWorkLoop } from '../work-loop.ts'
import { decideCommentPushes, decideConversationPushes } from './decide-pushes.ts'
import { findContent } from './push-content.ts'
import {
  type Delivery,
  deleteDelivery,
  dropOldDeliveries,
  leaseDeliveries,
  postponeDelivery,
  silenceComments,
  timeToLive,
} from './push-deliveries.ts'
import type { Post, PushAnswer } from './push-services.ts'
import { sweepVisibleTabs } from './subscriptions.ts'
import type { Vapid } from './vapid.ts'

const pollInterval = 5_000
const concurrency = 8
/** Milliseconds. Each retry waits four times as long as the one before. */
const firstRetry = 5_000
const longestRetry = 60 * 60_000
const maxAttempts = 6

/** What the push service made of a delivery; null is no answer. */
function outcomeOf(answer: PushAnswer | null): 'over' | 'gone' | 'retry' {
  if (answer === null || answer.status === 429 || answer.status >= 500) return 'retry'
  return answer.status === 404 || answer.status === 410 ? 'gone' : 'over'
}

/**
 * The worker that notifies staff whose inbox is closed (feature 'web-push'). Triggers insert a row into `due_pushes` for
 * each new message, mention and ended snooze, and into `due_comment_pushes` for each new comment. The worker applies the
 * notification settings of each person, stores one row in `push_deliveries` for each browser to notify, and posts these to
 * the push services. A delivery that a crash repeats replaces the notification of its conversation.
 */
export function createPushes({
  db,
  vapid,
  post,
  showsNames,
  clock,
  logger,
}: {
  db: Db
  vapid: Vapid
  post: Post
  /** Whether notifications contain names, and texts for those who want them. */
  showsNames: boolean
  clock: Clock
  logger: Pick<Logger, 'error' | 'warn'>
}) {
  const queue = new PQueue({ concurrency })

  async function work(isRunning: () => boolean): Promise<void> {
    while (isRunning() && (await inTransaction(db, (trx) => decideConversationPushes(trx, clock.now())))) {}
    while (isRunning() && (await inTransaction(db, (trx) => decideCommentPushes(trx, clock.now())))) {}
    await dropOldDeliveries(db, clock.now())
    while (isRunning()) {
      const leased = await leaseDeliveries(db, clock.now())
      if (leased.length === 0) return
      await queue.addAll(
        leased.map((delivery) => async () => {
          if (!isRunning()) return
          try {
            await deliver(delivery)
          } catch (error) {
            logger.error({ reason: codeOf(error) }, 'a push notification failed')
          }
        }),
      )
    }
  }

  async function deliver(delivery: Delivery): Promise<void> {
    const found = delivery.attempts > maxAttempts ? null : await findContent(db, delivery, showsNames)
    if (found === null) return deleteDelivery(db, delivery)
    const { endpoint, p256dh, auth, content, pause } = found
    // Before it is sent, because a comment that comes meanwhile may be due in another process.
    if (pause > 0) await silenceComments(db, delivery.subscription_id, new Date(clock.now() + pause))
    const answer = await send({ endpoint, keys: { p256dh, auth } }, content)
    const outcome = outcomeOf(answer)
    if (outcome === 'gone') {
      await db.deleteFrom('push_subscriptions').where('id', '=', delivery.subscription_id).execute()
      return
    }
    if (outcome === 'over' || delivery.attempts >= maxAttempts) {
      if (answer === null || answer.status >= 300) {
        logger.warn(
          { service: new URL(endpoint).host, status: answer?.status },
          'a push notification was not delivered',
        )
      }
      return deleteDelivery(db, delivery)
    }
    if (pause > 0) await silenceComments(db, delivery.subscription_id, null)
    const asked = (answer?.retryAfter ?? 0) * 1_000
    const wait = Math.min(longestRetry, Math.max(asked, firstRetry * 4 ** (delivery.attempts - 1)))
    await postponeDelivery(db, delivery, new Date(clock.now() + wait))
  }

  /** Null: no answer. The message is encrypted for the browser (RFC 8291). */
  async function send(
    subscription: { endpoint: string; keys: { p256dh: string; auth: string } },
    content: PushPayload,
  ): Promise<PushAnswer | null> {
    const { headers, body } = webPush.generateRequestDetails(subscription, JSON.stringify(content), {
      vapidDetails: vapid,
      TTL: timeToLive,
      urgency: 'high',
      topic: topicOf(content.conversationId ?? 'comments'),
    })
    try {
      return await post({ endpoint: subscription.endpoint, headers, body })
    } catch (error) {
      logger.warn(
        { service: new URL(subscription.endpoint).host, reason: codeOf(error) },
        'a push service did not answer',
      )
      return null
    }
  }

  return createWorkLoop({
    work,
    sweep: () => sweepVisibleTabs(db),
    pollInterval,
    failureMessage: 'sending push notifications failed',
    clock,
    logger,
  })
}

/** A push service that keeps a message replaces it by a newer one with the same topic: 32 characters at most. */
const topicOf = (subject: string): string => createHash('sha256').update(subject).digest('base64url').slice(0, 32)
