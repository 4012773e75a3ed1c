import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Db } from '../../../server/database/database.ts'

/** Compares the counts of the triggers with counts of all rows, before and after folding the totals. */
export async function expectCorrectTotals(db: Db): Promise<void> {
  const unfolded = await db.selectFrom('current_page_totals').selectAll().orderBy('page_id').execute()
  await sql`select fold_page_totals()`.execute(db)
  const all = await db.selectFrom('current_page_totals').selectAll().orderBy('page_id').execute()
  const messages = await db.selectFrom('messages').selectAll().execute()
  const users = await db.selectFrom('fb_users').selectAll().execute()
  const groups = await db.selectFrom('conversations').selectAll().execute()
  const counted = all.map(({ page_id }) => {
    const ofPage = messages.filter((message) => message.page_id === page_id)
    const known = users.filter((user) => user.page_id === page_id)
    const incoming = ofPage.filter(({ direction }) => direction === 'incoming')
    return {
      page_id,
      conversations: page_id === '' ? groups.length : new Set(known.map((user) => user.primary_user_id)).size,
      users: known.length,
      linked_users: known.filter(({ client_id }) => client_id !== null).length,
      total_messages: ofPage.length,
      incoming_messages: incoming.length,
      unread_messages: incoming.filter(({ is_read }) => !is_read).length,
    }
  })
  expect(all).toEqual(counted)
  expect(unfolded).toEqual(counted)
  for (const group of groups) {
    const own = messages.filter((message) => message.primary_user_id === group.primary_user_id)
    const incoming = own.filter(({ direction }) => direction === 'incoming')
    expect(group).toMatchObject({
      total_messages: own.length,
      incoming_messages: incoming.length,
      unread_messages: incoming.filter(({ is_read }) => !is_read).length,
    })
  }
}
