import { type Insertable, sql, type Transaction } from 'kysely'
import type { Db } from '../database/database.ts'
import type { Row, Tables } from '../database/tables.ts'

/** The rows of one insert: a statement has at most 65,535 parameters. */
const insertSize = 1_000
/** The deliveries that a process leases together. */
const leaseSize = 100
/** Milliseconds. Longer than the posts of a lease may take; after that another process takes its deliveries. */
const leaseTime = 3 * 60_000
/** Seconds. Older events are not told, and a push service keeps a notification this long for a device that is off. */
export const timeToLive = 24 * 60 * 60

export type Delivery = Row<'push_deliveries'>
type NewDelivery = Insertable<Tables['push_deliveries']>

/**
 * Stores deliveries. A newer event replaces an earlier one of the same browser and conversation, but the notification still
 * tells a mention that was not delivered.
 */
export async function storeDeliveries(trx: Transaction<Tables>, deliveries: NewDelivery[]): Promise<void> {
  const told = <Column extends 'kind' | 'message_id' | 'written_by'>(column: Column) =>
    sql<Delivery[Column]>`case when push_deliveries.kind = 'mention' and excluded.kind <> 'mention'
      then ${sql.ref(`push_deliveries.${column}`)} else ${sql.ref(`excluded.${column}`)} end`
  for (let start = 0; start < deliveries.length; start += insertSize) {
    await trx
      .insertInto('push_deliveries')
      .values(deliveries.slice(start, start + insertSize))
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
}

/** Stores deliveries about comments. A browser has one at a time. */
export async function storeCommentDeliveries(trx: Transaction<Tables>, deliveries: NewDelivery[]): Promise<void> {
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
}

/** Deletes the deliveries that no process has sent in time. */
export async function dropOldDeliveries(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('push_deliveries')
    .where('due_at', '<', new Date(now - timeToLive * 1_000))
    .execute()
}

/** Takes due deliveries, which no other process then takes for `leaseTime`. */
export async function leaseDeliveries(db: Db, now: number): Promise<Delivery[]> {
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
        .limit(leaseSize)
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
export async function deleteDelivery(db: Db, delivery: Delivery): Promise<void> {
  await db
    .deleteFrom('push_deliveries')
    .where('id', '=', delivery.id)
    .where('event_id', '=', delivery.event_id)
    .execute()
}

/** Another attempt at `dueAt`, unless a newer event has replaced the delivery since it was leased. */
export async function postponeDelivery(db: Db, delivery: Delivery, dueAt: Date): Promise<void> {
  await db
    .updateTable('push_deliveries')
    .set({ due_at: dueAt })
    .where('id', '=', delivery.id)
    .where('event_id', '=', delivery.event_id)
    .execute()
}

/** No notification about comments goes to the browser before `until`; null ends the pause. */
export async function silenceComments(db: Db, subscriptionId: string, until: Date | null): Promise<void> {
  await db.updateTable('push_subscriptions').set({ comments_from: until }).where('id', '=', subscriptionId).execute()
}
