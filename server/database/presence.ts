import { sql } from 'kysely'
import { type Colleague, presenceLifetime } from '../../src/schemas/presence.ts'
import type { Db } from './database.ts'

/** The maximum number of tabs of one person that count at a time. */
const maxTabs = 20
/** Rows that nobody renewed within this are deleted. Milliseconds. */
const sweptAfter = 60_000

const isCurrent = sql<boolean>`seen_at > clock_timestamp() - make_interval(secs => ${presenceLifetime / 1000})`

/** Stores that a tab shows the conversation. False if the tab is somebody else's, or if the person has too many. */
export async function renewPresence(
  db: Db,
  { tab, staffId, primaryUserId, isTyping }: { tab: string; staffId: string; primaryUserId: string; isTyping: boolean },
): Promise<boolean> {
  const { rows } = await sql`
    insert into presence as p (id, staff_id, primary_user_id, is_typing, seen_at)
    select ${tab}, ${staffId}, ${primaryUserId}, ${isTyping}, clock_timestamp()
    where (select count(*) from presence where staff_id = ${staffId} and id <> ${tab} and ${isCurrent}) < ${maxTabs}
    on conflict (id) do update set primary_user_id = excluded.primary_user_id, is_typing = excluded.is_typing,
      seen_at = excluded.seen_at
      where p.staff_id = excluded.staff_id
    returning id`.execute(db)
  return rows.length > 0
}

/** The tabs of other staff members that show the conversation. */
export async function findColleagues(db: Db, primaryUserId: string, staffId: string): Promise<Colleague[]> {
  const { rows } = await sql<Colleague>`
    select id, staff_id, is_typing,
      greatest(0, ${presenceLifetime} - extract(epoch from clock_timestamp() - seen_at) * 1000)::integer as remaining
    from presence
    where primary_user_id = ${primaryUserId} and staff_id <> ${staffId} and ${isCurrent}
    order by id`.execute(db)
  return rows
}

/** The staff members with a tab that shows a conversation. */
export async function findPresentStaff(db: Db): Promise<string[]> {
  const present = await db.selectFrom('presence').select('staff_id').distinct().where(isCurrent).execute()
  return present.map(({ staff_id }) => staff_id)
}

export async function endPresence(db: Db, tab: string, staffId: string): Promise<void> {
  await db.deleteFrom('presence').where('id', '=', tab).where('staff_id', '=', staffId).execute()
}

export async function sweepPresence(db: Db): Promise<void> {
  await sql`delete from presence where seen_at < now() - make_interval(secs => ${sweptAfter / 1000})`.execute(db)
}
