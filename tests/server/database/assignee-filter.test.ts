import { beforeAll, expect, it } from 'vitest'
import { listConversations } from '../../../server/database/conversation-list.ts'
import type { Db } from '../../../server/database/database.ts'
import { type ConversationsQuery, nobody } from '../../../src/schemas/conversation.ts'
import { type ConversationView, conversationViews } from '../../../src/schemas/conversation-state.ts'
import { describeOnDatabase } from '../databases.ts'
import { addIdentity, addMessage, addPage, at } from '../people.ts'

const staff = ['ana', 'ben']
const now = at(60).getTime()
const count = 24

/** Conversation `n`, with all combinations of page, assignee, label and state. The newest is the last. */
const rows = Array.from({ length: count }, (_, n) => ({
  id: `u${n}`,
  page: n % 2 === 0 ? 'p1' : 'p2',
  assignee: [null, 'ana', 'ben'][n % 3] ?? null,
  isLabelled: n % 4 < 2,
  isDone: n % 8 >= 6,
}))

const belongs = (
  row: (typeof rows)[number],
  { view, pageId, labelId, assignedTo }: Partial<ConversationsQuery>,
): boolean => {
  const inView: Record<ConversationView, boolean> = {
    all: true,
    waiting: !row.isDone,
    mine: !row.isDone && row.assignee === 'ana',
    unassigned: !row.isDone && row.assignee === null,
    snoozed: false,
    done: row.isDone,
  }
  return (
    inView[view ?? 'all'] &&
    (pageId === undefined || row.page === pageId) &&
    (labelId === undefined || row.isLabelled) &&
    (assignedTo === undefined || row.assignee === (assignedTo === nobody ? null : assignedTo))
  )
}

describeOnDatabase('The filter by assignee', (open) => {
  let db: Db

  beforeAll(async () => {
    db = (await open()).db
    for (const page of ['p1', 'p2']) await addPage(db, page)
    for (const id of staff)
      await db
        .insertInto('staff')
        .values({ id, email: `${id}@example.com`, role: 'agent' })
        .execute()
    for (const [n, { id, page, assignee, isLabelled, isDone }] of rows.entries()) {
      await addIdentity(db, id, { page })
      await addMessage(db, `m${n}`, id, n)
      await db
        .updateTable('conversations')
        .set({
          assigned_to: assignee,
          label_ids: isLabelled ? ['l1'] : [],
          ...(isDone ? { done_at: at(n), done_by: 'ana', waiting_since: null } : {}),
        })
        .where('primary_user_id', '=', id)
        .execute()
    }
  })

  const list = async (query: Partial<ConversationsQuery>) => {
    const found = await listConversations(
      db,
      { page: 1, limit: 100, ...query },
      { staffId: 'ana', now, country: 'PH', seesAmounts: true },
    )
    return { ids: found.rows.map(({ primary_user_id }) => primary_user_id), total: found.total }
  }

  it('joins each view, page and label, and the order stays that of the view', async () => {
    for (const view of conversationViews)
      for (const assignedTo of ['ana', 'ben', nobody, 'unknown'])
        for (const pageId of [undefined, 'p1'])
          for (const labelId of [undefined, 'l1']) {
            const query = { view, assignedTo, pageId, labelId }
            const expected = rows.filter((row) => belongs(row, query)).map(({ id }) => id)
            // Waiting begins with the longest wait, the other views with the newest.
            const ids = view === 'waiting' ? expected : expected.toReversed()
            expect({ query, ...(await list(query)) }).toEqual({ query, ids, total: ids.length })
          }
  })

  it('counts a person of several pages on each, with “unread only” on the page that has unread messages', async () => {
    await addPage(db, 'p3')
    await addPage(db, 'p4')
    await addIdentity(db, 'c', { page: 'p3' })
    await addIdentity(db, 'c4', { page: 'p4', in: 'c' })
    await addMessage(db, 'mc', 'c4', 100)
    await db.updateTable('conversations').set({ assigned_to: 'ben' }).where('primary_user_id', '=', 'c').execute()
    const totals = async (query: Partial<ConversationsQuery>) =>
      Promise.all(['p3', 'p4', 'p1'].map(async (pageId) => (await list({ ...query, assignedTo: 'ben', pageId })).total))
    const onFirst = rows.filter((row) => belongs(row, { assignedTo: 'ben', pageId: 'p1' })).length
    expect([await totals({}), await totals({ unreadOnly: true })]).toEqual([
      [1, 1, onFirst],
      [0, 1, onFirst],
    ])
    await db.deleteFrom('conversations').where('primary_user_id', '=', 'c').execute()
  })

  it('keeps an assigned person who wrote to 120 pages, whose ids stand in the index', async () => {
    for (let n = 0; n < 120; n++) {
      const page = String(100_000_000_000_000 + ((n * 7_919_000_003_321) % 899_999_999_999_999))
      await addPage(db, page)
      await addIdentity(db, n === 0 ? 'many' : `many-${n}`, { page, ...(n > 0 && { in: 'many' }) })
    }
    const many = db.updateTable('conversations').where('primary_user_id', '=', 'many')
    await many.set({ assigned_to: 'ben' }).execute()
    const { page_ids: pages } = await db
      .selectFrom('conversations')
      .select('page_ids')
      .where('primary_user_id', '=', 'many')
      .executeTakeFirstOrThrow()
    expect([pages.length, (await list({ assignedTo: 'ben', pageId: pages[60] })).total]).toEqual([120, 1])
  })

  it('joins a search, which looks in all conversations', async () => {
    expect(await list({ assignedTo: 'ana', search: 'u4' })).toEqual({ ids: ['u4'], total: 1 })
    expect(await list({ assignedTo: 'ben', search: 'u4' })).toEqual({ ids: [], total: 0 })
  })

  it('counts all result pages, without and with a page filter', async () => {
    const all = rows.filter((row) => belongs(row, { assignedTo: 'ana' })).length
    expect(await list({ assignedTo: 'ana', limit: 3, page: 2 })).toMatchObject({ total: all, ids: { length: 3 } })
    const ofPage = rows.filter((row) => belongs(row, { assignedTo: 'ana', pageId: 'p2' })).length
    expect(await list({ assignedTo: 'ana', pageId: 'p2', limit: 3 })).toMatchObject({
      total: ofPage,
      ids: { length: 3 },
    })
  })
})
