import { ECDH } from 'node:crypto'
import { sql } from 'kysely'
import { type PushSubscriptionFields, visibleTabLifetime } from '../../src/schemas/web-push.ts'
import type { Db } from '../database/database.ts'
import { inTransaction } from '../database/transaction.ts'

/** The maximum number of browsers of one person. A further one replaces the oldest. */
const maxSubscriptions = 10
/** The maximum number of tabs of one person that count at a time. */
const maxTabs = 20

/** Whether messages can be encrypted for a key of a browser. */
export function isUsableKey(p256dh: string): boolean {
  try {
    ECDH.convertKey(p256dh, 'prime256v1', 'base64url')
    return true
  } catch {
    return false
  }
}

/**
 * Stores the subscription of the browser that the session is used in. A browser has one subscription, so one of a person
 * who used it before is replaced. Returns its id.
 */
export const saveSubscription = (
  db: Db,
  {
    endpoint,
    keys,
    ...owner
  }: PushSubscriptionFields & { staffId: string; sessionId: string; serverKey: string; now: Date },
): Promise<string> =>
  inTransaction(db, async (trx) => {
    // Subscriptions of one person are stored one after the other, because they are counted.
    await trx.selectFrom('staff').select('id').where('id', '=', owner.staffId).forNoKeyUpdate().execute()
    const values = {
      staff_id: owner.staffId,
      session_id: owner.sessionId,
      server_key: owner.serverKey,
      created_at: owner.now,
      ...keys,
    }
    const { id } = await trx
      .insertInto('push_subscriptions')
      .values({ endpoint, ...values })
      .onConflict((conflict) => conflict.column('endpoint').doUpdateSet(values))
      .returning('id')
      .executeTakeFirstOrThrow()
    await trx
      .deleteFrom('push_subscriptions')
      .where('id', 'in', (where) =>
        where
          .selectFrom('push_subscriptions')
          .select('id')
          .where('staff_id', '=', owner.staffId)
          .where('id', '!=', id)
          .orderBy('created_at', 'desc')
          .orderBy('id')
          .offset(maxSubscriptions - 1),
      )
      .execute()
    return id
  })

export async function deleteSubscription(db: Db, id: string, staffId: string): Promise<void> {
  await db.deleteFrom('push_subscriptions').where('id', '=', id).where('staff_id', '=', staffId).execute()
}

/** Subscriptions that were made for other keys of this server cannot be used. */
export async function deleteForeignSubscriptions(db: Db, serverKey: string): Promise<void> {
  await db.deleteFrom('push_subscriptions').where('server_key', '!=', serverKey).execute()
}

const isCurrent = sql<boolean>`seen_at > clock_timestamp() - make_interval(secs => ${visibleTabLifetime / 1000})`

/** Stores that a person can see a tab now. Ignored if the tab is somebody else's, or if the person has too many. */
export async function renewVisibleTab(db: Db, tab: string, staffId: string): Promise<void> {
  await sql`
    insert into visible_tabs as t (id, staff_id, seen_at)
    select ${tab}, ${staffId}, clock_timestamp()
    where (select count(*) from visible_tabs where staff_id = ${staffId} and id <> ${tab} and ${isCurrent}) < ${maxTabs}
    on conflict (id) do update set seen_at = excluded.seen_at where t.staff_id = excluded.staff_id`.execute(db)
}

export async function endVisibleTab(db: Db, tab: string, staffId: string): Promise<void> {
  await db.deleteFrom('visible_tabs').where('id', '=', tab).where('staff_id', '=', staffId).execute()
}

/** The staff members who can see a tab now. */
export async function findWatchingStaff(db: Db): Promise<Set<string>> {
  const tabs = await db.selectFrom('visible_tabs').select('staff_id').distinct().where(isCurrent).execute()
  return new Set(tabs.map(({ staff_id }) => staff_id))
}

export async function sweepVisibleTabs(db: Db): Promise<void> {
  await db.deleteFrom('visible_tabs').where(sql<boolean>`not ${isCurrent}`).execute()
}
