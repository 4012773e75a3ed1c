import { sql, type Transaction } from 'kysely'
import { defaultSettings, isWanted, wantsComments } from '../../src/domain/list/notices.ts'
import { isQuiet } from '../../src/domain/shell/quiet-hours.ts'
import type { NotificationSettings } from '../../src/schemas/notification-settings.ts'
import { visibleTabLifetime } from '../../src/schemas/web-push.ts'
import { permissionsOf } from '../auth/roles.ts'
import type { Row, Tables } from '../database/tables.ts'
import { storeCommentDeliveries, storeDeliveries, timeToLive } from './push-deliveries.ts'
import { findWatchingStaff } from './subscriptions.ts'

/** The events that are decided together. */
const batchSize = 100

/** The event is not too old to be told. */
const isCurrent = sql<boolean>`created_at > clock_timestamp() - make_interval(secs => ${timeToLive})`

type Event = Row<'due_pushes'>

/** A person with at least one subscription, who may read conversations. */
type Recipient = {
  staffId: string
  settings: NotificationSettings
  /** The person can see a tab. */
  isWatching: boolean
  subscriptions: string[]
}

/** Decides for whom the oldest messages, mentions and ended snoozes become deliveries. False if there are none. */
export async function decideConversationPushes(trx: Transaction<Tables>, now: number): Promise<boolean> {
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
  await storeDeliveries(trx, deliveries)
  return true
}

/** Decides for whom the oldest comments become deliveries. False if there are none. */
export async function decideCommentPushes(trx: Transaction<Tables>, now: number): Promise<boolean> {
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
  await storeCommentDeliveries(trx, deliveries)
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
