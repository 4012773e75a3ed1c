import { createHash } from 'node:crypto'
import { type Insertable, sql, type Transaction } from 'kysely'
import PQueue from 'p-queue'
import webPush from 'web-push'
import { pauseAfterNews } from '../../src/domain/list/comment-news.ts'
import { defaultSettings, isWanted, wantsComments } from '../../src/domain/list/notices.ts'
import { commentsPushNotice, type PushFacts, pushNotice } from '../../src/domain/list/push-notices.ts'
import { isQuiet } from '../../src/domain/shell/quiet-hours.ts'
import type { NotificationSettings } from '../../src/schemas/notification-settings.ts'
import { type PushPayload, visibleTabLifetime } from '../../src/schemas/web-push.ts'
import { permissionsOf } from '../auth/roles.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import type { Row, Tables } from '../database/tables.ts'
import { codeOf, inTransaction } from '../database/transaction.ts'
import type { Logger } from '../logger.ts'
import { createWorkLoop } from '../work-loop.ts'
import type { Post, PushAnswer } from './push-services.ts'
import { findWatchingStaff, sweepVisibleTabs } from './subscriptions.ts'
import type { Vapid } from './vapid.ts'

const pollInterval = 5_000
/** The events that are decided together, and the deliveries that a process leases together. */
const batchSize = 100
/** The rows of one insert: a statement has at most 65,535 parameters. */
const insertSize = 1_000
const concurrency = 8
/** Milliseconds. Longer than the posts of a lease may take; after that another process takes its deliveries. */
const leaseTime = 3 * 60_000
/** Milliseconds. Each retry waits four times as long as the one before. */
const firstRetry = 5_000
const longestRetry = 60 * 60_000
const maxAttempts = 6
/** The threads that a notification about comments counts. */
const maxThreads = 1_000
/** Seconds. Older events are not told, and a push service keeps a notification this long for a device that is off. */
const timeToLive = 24 * 60 * 60

/** The event is not too old to be told. */
const isCurrent = sql<boolean>`created_at > clock_timestamp() - make_interval(secs => ${timeToLive})`

type Event = Row<'due_pushes'>
type Delivery = Row<'push_deliveries'>
type NewDelivery = Insertable<Tables['push_deliveries']>

/** A person with at least one subscription, who may read conversations. */
type Recipient = {
  staffId: string
  settings: NotificationSettings
  /** The person can see a tab. */
  isWatching: boolean
  subscriptions: string[]
}

/** What the push service made of a delivery; null is no answer. */
function outcomeOf(answer: PushAnswer | null): 'over' | 'gone' | 'retry' {
  if (answer === null || answer.status === 429 || answer.status >= 500) return 'retry'
  return answer.status === 404 || answer.status === 410 ? 'gone' : 'over'
}

/**
 * The worker that notifies staff whose inbox is closed (feature 'web-push'). Triggers insert a row into `due_pushes` for
 * each new message, mention and ended snooze, and into `due_comment_pushes` for each new comment. The worker applies the
 * notification settings of each person, stores one row in `push_deliveries` for each browser to notify, and posts these to
 * the push services. A delivery that a crash
 * repeats replaces the notification of its conversation.
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
    while (isRunning() && (await inTransaction(db, (trx) => decideNext(trx, clock.now())))) {}
    while (isRunning() && (await inTransaction(db, (trx) => decideComments(trx, clock.now())))) {}
    await dropOldDeliveries(db, clock.now())
    while (isRunning()) {
      const leased = await lease(db, clock.now())
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
    if (found === null) return forget(db, delivery)
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
      return forget(db, delivery)
    }
    if (pause > 0) await silenceComments(db, delivery.subscription_id, null)
    const asked = (answer?.retryAfter ?? 0) * 1_000
    const wait = Math.min(longestRetry, Math.max(asked, firstRetry * 4 ** (delivery.attempts - 1)))
    await db
      .updateTable('push_deliveries')
      .set({ due_at: new Date(clock.now() + wait) })
      .where('id', '=', delivery.id)
      .where('event_id', '=', delivery.event_id)
      .execute()
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

/** Decides for whom the oldest events become deliveries. False if there are none. */
async function decideNext(trx: Transaction<Tables>, now: number): Promise<boolean> {
  const taken = await trx
    .deleteFrom('due_pushes')
    .where('id', 'in', (where) =>
      where.selectFrom('due_pushes').select('id').orderBy('id').limit(batchSize).forUpdate().skipLocked(),
    )
    .returningAll()
    .returning(isCurrent.as('is_current'))
    .execute()
  if (taken.length === 0) return false
  const events = taken.filter(({ is_current }) => is_current)
  if (events.length === 0) return true
  const recipients = await findRecipients(trx, now)
  const ids = [...new Set(events.map(({ primary_user_id }) => primary_user_id))]
  const states = new Map(
    (recipients.length === 0
      ? []
      : await trx
          .selectFrom('conversations')
          .select(['primary_user_id', 'assigned_to', 'muted_at'])
          .where('primary_user_id', 'in', ids)
          .execute()
    ).map((row) => [
      row.primary_user_id,
      { assigned_to: row.assigned_to, muted_at: row.muted_at?.toISOString() ?? null },
    ]),
  )
  /** The newest event for each browser and conversation, and the event that the notification tells. */
  const newest = new Map<string, { subscription: string; event: Event; told: Event; dueAt: Date }>()
  for (const event of events.toSorted((one, other) => one.id - other.id)) {
    for (const { staffId, settings, isWatching, subscriptions } of recipients) {
      const isFor =
        event.kind === 'mention'
          ? settings.mentions && event.written_by !== staffId && event.mentions?.includes(staffId) === true
          : isWanted(settings, states.get(event.primary_user_id), staffId)
      if (!isFor) continue
      // The tab may have been closed just now. A delivery that is due while the person watches is dropped.
      const dueAt = new Date(now + (isWatching ? visibleTabLifetime : 0))
      for (const subscription of subscriptions) {
        const key = `${subscription} ${event.primary_user_id}`
        const earlier = newest.get(key)?.told
        const told = earlier?.kind === 'mention' && event.kind !== 'mention' ? earlier : event
        newest.set(key, { subscription, event, told, dueAt })
      }
    }
  }
  if (newest.size === 0) return true
  // Written in one order, so that two processes cannot deadlock.
  const sorted = [...newest].toSorted(([one], [other]) => (one < other ? -1 : 1))
  const deliveries = sorted.map(([, { subscription, event, told, dueAt }]) => ({
    subscription_id: subscription,
    primary_user_id: event.primary_user_id,
    event_id: event.id,
    kind: told.kind,
    message_id: told.message_id,
    written_by: told.written_by,
    due_at: dueAt,
  }))
  for (let start = 0; start < deliveries.length; start += insertSize) {
    await storeDeliveries(trx, deliveries.slice(start, start + insertSize))
  }
  return true
}

/**
 * Stores deliveries. A newer event replaces an earlier one of the same browser and conversation, but the notification still
 * tells a mention that was not delivered.
 */
async function storeDeliveries(trx: Transaction<Tables>, deliveries: NewDelivery[]): Promise<void> {
  const told = <Column extends 'kind' | 'message_id' | 'written_by'>(column: Column) =>
    sql<Delivery[Column]>`case when push_deliveries.kind = 'mention' and excluded.kind <> 'mention'
      then ${sql.ref(`push_deliveries.${column}`)} else ${sql.ref(`excluded.${column}`)} end`
  await trx
    .insertInto('push_deliveries')
    .values(deliveries)
    .onConflict((conflict) =>
      conflict
        .columns(['subscription_id', 'primary_user_id'])
        .doUpdateSet((values) => ({
          event_id: values.ref('excluded.event_id'),
          kind: told('kind'),
          message_id: told('message_id'),
          written_by: told('written_by'),
          due_at: values.ref('excluded.due_at'),
          attempts: 0,
        }))
        .whereRef('push_deliveries.event_id', '<', 'excluded.event_id'),
    )
    .execute()
}

/** Decides for whom the oldest comments become deliveries. A browser has one delivery about comments. False if there are none. */
async function decideComments(trx: Transaction<Tables>, now: number): Promise<boolean> {
  const taken = await trx
    .deleteFrom('due_comment_pushes')
    .where('id', 'in', (where) =>
      where.selectFrom('due_comment_pushes').select('id').orderBy('id').limit(batchSize).forUpdate().skipLocked(),
    )
    .returning(['id', 'created_at', isCurrent.as('is_current')])
    .execute()
  if (taken.length === 0) return false
  const current = taken.filter(({ is_current }) => is_current)
  if (current.length === 0) return true
  const since = new Date(Math.min(...current.map(({ created_at }) => created_at.getTime())))
  const event_id = Math.max(...current.map(({ id }) => id))
  const recipients = await findRecipients(trx, now)
  const deliveries = recipients
    .filter(({ settings }) => wantsComments(settings))
    .flatMap(({ isWatching, subscriptions }) =>
      subscriptions.map((subscription) => ({
        subscription_id: subscription,
        primary_user_id: null,
        event_id,
        kind: 'comments' as const,
        message_id: null,
        written_by: null,
        comments_since: since,
        due_at: new Date(now + (isWatching ? visibleTabLifetime : 0)),
      })),
    )
    .sort((one, other) => (one.subscription_id < other.subscription_id ? -1 : 1))
  for (let start = 0; start < deliveries.length; start += insertSize) {
    await trx
      .insertInto('push_deliveries')
      .values(deliveries.slice(start, start + insertSize))
      .onConflict((conflict) =>
        conflict
          .column('subscription_id')
          .where('primary_user_id', 'is', null)
          .doUpdateSet((values) => ({
            // Another one in any case, because a process may be sending the former, and may have decided newer comments.
            event_id: sql`greatest(push_deliveries.event_id + 1, excluded.event_id)`,
            due_at: values.ref('excluded.due_at'),
            comments_since: sql`least(push_deliveries.comments_since, excluded.comments_since)`,
            attempts: 0,
          })),
      )
      .execute()
  }
  return true
}

/** The people to notify now, who are not in quiet hours. Locks their subscriptions. */
async function findRecipients(trx: Transaction<Tables>, now: number): Promise<Recipient[]> {
  const subscriptions = await trx
    .selectFrom('push_subscriptions')
    .select(['id', 'staff_id'])
    .orderBy('id')
    .forKeyShare()
    .execute()
  if (subscriptions.length === 0) return []
  const watching = await findWatchingStaff(trx)
  const staff = await trx
    .selectFrom('staff')
    .leftJoin('notification_settings', 'notification_settings.staff_id', 'staff.id')
    .select(['staff.id', 'role', 'permissions', 'settings'])
    .where('is_active', '=', true)
    .where(
      'staff.id',
      'in',
      subscriptions.map(({ staff_id }) => staff_id),
    )
    .execute()
  return staff.flatMap(({ id: staffId, role, permissions, settings: saved }) => {
    const settings = saved ?? defaultSettings('UTC')
    if (isQuiet(settings.quiet, now)) return []
    if (!permissionsOf(role, permissions).includes('conversations.read')) return []
    const own = subscriptions.filter(({ staff_id }) => staff_id === staffId).map(({ id }) => id)
    return [{ staffId, settings, isWatching: watching.has(staffId), subscriptions: own }]
  })
}

/** Deletes the deliveries that no process has sent in time. */
async function dropOldDeliveries(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('push_deliveries')
    .where('due_at', '<', new Date(now - timeToLive * 1_000))
    .execute()
}

/** Takes due deliveries, which no other process then takes for `leaseTime`. */
async function lease(db: Db, now: number): Promise<Delivery[]> {
  return db
    .updateTable('push_deliveries')
    .set({ attempts: sql`attempts + 1`, due_at: new Date(now + leaseTime) })
    .where('id', 'in', (where) =>
      where
        .selectFrom('push_deliveries')
        .select('id')
        .where('due_at', '<=', new Date(now))
        .where(isAllowed(now))
        .orderBy('due_at')
        .limit(batchSize)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute()
}

/** A delivery about comments waits for the end of the pause after the last one to the same browser. */
const isAllowed = (now: number) => sql<boolean>`(kind <> 'comments' or not exists (
  select from push_subscriptions where id = subscription_id and comments_from > ${new Date(now)}))`

/** Deletes a delivery, unless a newer event has replaced it since it was leased. */
async function forget(db: Db, delivery: Delivery): Promise<void> {
  await db
    .deleteFrom('push_deliveries')
    .where('id', '=', delivery.id)
    .where('event_id', '=', delivery.event_id)
    .execute()
}

async function silenceComments(db: Db, subscriptionId: string, until: Date | null): Promise<void> {
  await db.updateTable('push_subscriptions').set({ comments_from: until }).where('id', '=', subscriptionId).execute()
}

type Content = Pick<Row<'push_subscriptions'>, 'endpoint' | 'p256dh' | 'auth'> & {
  content: PushPayload
  /** Milliseconds without further notifications about comments. */
  pause: number
}

/** The content of a delivery and where it goes; null if nothing is to be told any more. */
async function findContent(db: Db, delivery: Delivery, showsNames: boolean): Promise<Content | null> {
  const { kind, primary_user_id, comments_since, subscription_id } = delivery
  if (kind !== 'comments') {
    return primary_user_id === null ? null : findConversation(db, { ...delivery, kind, primary_user_id }, showsNames)
  }
  return comments_since === null ? null : findComments(db, { subscription_id, comments_since }, showsNames)
}

/** The new comments that still need an answer. */
async function findComments(
  db: Db,
  { subscription_id, comments_since }: { subscription_id: string; comments_since: Date },
  showsNames: boolean,
): Promise<Content | null> {
  const found = await db
    .selectFrom('push_subscriptions as s')
    .leftJoin('notification_settings as n', 'n.staff_id', 's.staff_id')
    .select(['s.endpoint', 's.p256dh', 's.auth', 's.staff_id', 'n.settings'])
    .where('s.id', '=', subscription_id)
    .executeTakeFirst()
  if (found === undefined || (await findWatchingStaff(db)).has(found.staff_id)) return null
  const threads = await db
    .selectFrom('comment_threads as t')
    .innerJoin('pages as p', 'p.page_id', 't.page_id')
    .select(['t.id', 't.author_name', 't.waiting_text', 'p.page_name'])
    .where('t.waiting_since', 'is not', null)
    .where('t.news_at', '>=', comments_since)
    .orderBy('t.news_at')
    .limit(maxThreads)
    .execute()
  const news = threads.map(({ id: threadId, author_name: name, waiting_text: line }) => ({ threadId, name, line }))
  const pages = new Set(threads.map(({ page_name }) => page_name))
  const content = commentsPushNotice(news, {
    page: pages.size === 1 ? (threads[0]?.page_name ?? null) : null,
    showsNames,
    showsText: found.settings?.showsText ?? false,
  })
  return content === null ? null : { ...found, content, pause: pauseAfterNews(news) }
}

async function findConversation(
  db: Db,
  { subscription_id, primary_user_id, ...event }: Delivery & { kind: Event['kind']; primary_user_id: string },
  showsNames: boolean,
): Promise<Content | null> {
  const found = await db
    .selectFrom('push_subscriptions as s')
    .innerJoin('conversations as c', (join) => join.on('c.primary_user_id', '=', primary_user_id))
    .leftJoin('messages as m', (join) => join.on('m.message_id', '=', event.message_id))
    .leftJoin('pages as p', (join) =>
      join.on((on) => on('p.page_id', '=', on.fn.coalesce('m.page_id', 'c.last_message_page_id'))),
    )
    .leftJoin('staff as by', (join) => join.on('by.id', '=', event.written_by))
    .leftJoin('notification_settings as n', 'n.staff_id', 's.staff_id')
    .select(['s.endpoint', 's.p256dh', 's.auth', 'c.unified_name', 'm.message_text', 'm.is_read', 'p.page_name'])
    .select(['by.name as written_by_name', 'n.settings', 's.staff_id'])
    .where('s.id', '=', subscription_id)
    .executeTakeFirst()
  if (found === undefined) return null
  // The message was removed, or somebody has read it.
  if (event.kind === 'message' && found.is_read !== false) return null
  if ((await findWatchingStaff(db)).has(found.staff_id)) return null
  const about = { conversationId: primary_user_id, page: found.page_name, name: found.unified_name }
  const facts: PushFacts =
    event.kind === 'message'
      ? { ...about, kind: event.kind, text: found.message_text }
      : event.kind === 'mention'
        ? { ...about, kind: event.kind, by: found.written_by_name }
        : { ...about, kind: event.kind }
  const content = pushNotice(facts, { showsNames, showsText: found.settings?.showsText ?? false })
  return { ...found, content, pause: 0 }
}
