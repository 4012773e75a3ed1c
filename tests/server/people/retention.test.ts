import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { recordAudit, serverActor } from '../../../server/audit/audit.ts'
import type { Db, OpenDatabase } from '../../../server/database/database.ts'
import { inTransaction } from '../../../server/database/transaction.ts'
import { storeComments } from '../../../server/network/comments/store-comments.ts'
import { storeMessages } from '../../../server/network/store/store.ts'
import { removeOld, startRetention } from '../../../server/people/retention.ts'
import { describeOnDatabase } from '../databases.ts'
import { manualClock } from '../manual-clock.ts'
import { addIdentity, addMessage, addPage, at } from '../people.ts'
import { columnsWith } from './catalogue.ts'

const day = 24 * 60

describeOnDatabase('removeOld', (open) => {
  let db: Db
  let database: OpenDatabase
  beforeAll(async () => {
    database = await open()
    db = database.db
    await addPage(db, 'p')
    await addIdentity(db, 'u', { page: 'p', name: 'Ana' })
    await addIdentity(db, 'silent', { page: 'p', name: 'Ben' })
    for (let index = 0; index < 1_100; index++) await addMessage(db, `old-${index}`, 'u', -40 * day + index)
    await addMessage(db, 'postback:p:psid-u:1', 'u', -40 * day)
    await addMessage(db, 'old-of-silent', 'silent', -40 * day)
    await addMessage(db, 'new', 'u', -5 * day)
    for (const [key, minute, written] of [
      ['old-key', -40 * day, -40 * day],
      // Written long ago, and sent again later.
      ['new-key', -5 * day, -40 * day],
    ] as const) {
      await db
        .insertInto('sends')
        .values({
          idempotency_key: key,
          staff_id: 's',
          page_id: 'p',
          psid: 'psid-u',
          message_text: `text of ${key}`,
          state: 'sent',
          message_id: `m-${key}`,
          created_at: at(written),
          updated_at: at(minute),
        })
        .execute()
      await db
        .insertInto('history_syncs')
        .values({
          id: key,
          page_id: 'p',
          platform: 'messenger',
          conversation_limit: 1,
          state: 'completed',
          cursor: null,
          error: null,
          code: null,
          started_by: null,
          finished_at: at(minute),
        })
        .execute()
    }
  })

  const remove = (messages: number | null, events: number | null) =>
    removeOld({ db, clock: manualClock(at(0).getTime()) }, { messages, events })
  const conversations = () =>
    db
      .selectFrom('conversations')
      .select(['primary_user_id', 'total_messages', 'unread_messages', 'last_message_id', 'last_message_text'])
      .orderBy('primary_user_id')
      .execute()
  const syncs = async () =>
    (await db.selectFrom('history_syncs').select('id').orderBy('id').execute()).map(({ id }) => id)

  it('keeps everything by default', async () => {
    await remove(null, null)
    expect((await conversations()).map(({ total_messages }) => total_messages)).toEqual([1, 1_102])
    expect(await syncs()).toEqual(['new-key', 'old-key'])
  })

  it('removes entries of the audit log that are older than the setting, and no others', async () => {
    const record = (name: string, daysAgo: number) =>
      recordAudit(db, { at: at(-daysAgo * day).getTime(), by: serverActor, action: 'page.removed', details: { name } })
    await record('old', 401)
    await record('new', 399)
    await remove(null, 400)
    const left = await db.selectFrom('audit_entries').select('details').execute()
    expect(left).toEqual([{ details: { name: 'new' } }])
  })

  it('removes old texts in batches, keeps keys and ids, and leaves lists and counts consistent', async () => {
    await remove(30, 30)
    const empty = { total_messages: 0, unread_messages: 0, last_message_id: null, last_message_text: null }
    expect(await conversations()).toEqual([
      { primary_user_id: 'silent', ...empty },
      {
        primary_user_id: 'u',
        total_messages: 1,
        unread_messages: 1,
        last_message_id: 'new',
        last_message_text: 'text of new',
      },
    ])
    expect(await columnsWith(db, 'text of old')).toEqual([])
    expect(
      await db
        .selectFrom('sends')
        .select(['idempotency_key', 'message_text', 'message_id'])
        .orderBy('idempotency_key')
        .execute(),
    ).toEqual([
      { idempotency_key: 'new-key', message_text: 'text of new-key', message_id: 'm-new-key' },
      { idempotency_key: 'old-key', message_text: null, message_id: 'm-old-key' },
    ])
    expect(await syncs()).toEqual(['new-key'])
  })

  it('removes rows of every kind in batches, announces none, and stops after a batch with the server', async () => {
    const numbers = Array.from({ length: 1_200 }, (_, index) => index)
    const old = at(-50 * day)
    await db
      .insertInto('messages')
      .values(
        numbers.map((index) => ({
          message_id: `batch-${index}`,
          fb_user_id: 'u',
          direction: 'incoming' as const,
          timestamp_fb: old,
        })),
      )
      .execute()
    await db
      .insertInto('history_syncs')
      .values(
        numbers.map((index) => ({
          id: `batch-${index}`,
          page_id: 'p',
          platform: 'messenger' as const,
          conversation_limit: 1,
          state: 'completed' as const,
          cursor: null,
          error: null,
          code: null,
          started_by: null,
          finished_at: old,
        })),
      )
      .execute()
    await db
      .insertInto('audit_entries')
      .values(
        numbers.map(() => ({
          created_at: old,
          staff_id: null,
          staff_name: null,
          action: 'page.removed',
          row_kind: null,
          row_id: null,
          address: null,
          user_agent: null,
          details: '{}',
        })),
      )
      .execute()
    await sql`insert into posts (id, page_id, platform) values ('post', 'p', 'messenger')`.execute(db)
    await sql`
      insert into comments (id, post_id, page_id, author_id, by_page, message, created_at, text_at)
      select 'comment-' || number, 'post', 'p', 'person-' || number, false, 'Text', ${old}::timestamptz, ${old}
      from generate_series(1, 600) number`.execute(db)
    await sql`
      insert into comment_threads (post_id, page_id, author_id, last_at)
      select post_id, page_id, author_id, created_at from comments`.execute(db)
    const count = async (table: 'messages' | 'history_syncs' | 'audit_entries') =>
      Number(
        (
          await db
            .selectFrom(table)
            .select((all) => all.fn.countAll().as('count'))
            .executeTakeFirstOrThrow()
        ).count,
      )
    const counts = async () => [await count('messages'), await count('history_syncs'), await count('audit_entries')]
    const [messages = 0, syncs = 0, entries = 0] = await counts()
    const changes: string[] = []
    const stopListening = await database.listen(
      'realtime',
      (payload) => void changes.push(payload),
      () => undefined,
    )
    const clock = manualClock(at(0).getTime())
    const begun = startRetention({ db, clock, logger: { error: () => undefined } }, { messages: 30, events: 30 })
    clock.advance(60_000)
    await begun()
    expect(await counts()).toEqual([messages - 500, syncs, entries])
    for (
      let allowed = 1;
      (await counts()).some((count, index) => count > ([messages, syncs, entries][index] ?? 0) - 1_200);
      allowed++
    ) {
      if (allowed > 30) throw new Error('the old rows are never all removed')
      const before = await counts()
      let batches = 0
      await removeOld({ db, clock }, { messages: 30, events: 30 }, () => ++batches <= allowed)
      const after = await counts()
      const removed = before.map((count, index) => count - (after[index] ?? 0))
      expect(removed.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(allowed * 500)
    }
    await stopListening()
    expect(changes).toEqual([])
    expect((await sql`select id from comment_threads`.execute(db)).rows).toEqual([])
  })

  it('keeps a comment that is stored while the others of its post are removed', async () => {
    // An embedded database runs one transaction at a time.
    if (database.kind === 'pglite') return
    const comment = (id: string, minute: number) =>
      ({
        kind: 'comment',
        verb: 'add',
        pageId: 'p',
        platform: 'messenger',
        byPage: false,
        commentId: id,
        postId: 'post',
        parentId: null,
        authorId: `writer of ${id}`,
        authorName: null,
        text: 'Text',
        picture: null,
        permalink: null,
        isLive: false,
        createdAt: at(minute),
        at: at(minute),
      }) as const
    await inTransaction(db, (trx) => storeComments(trx, [comment('old', -40 * day)]))
    const removing = await inTransaction(db, async (trx) => {
      await storeComments(trx, [comment('new', 0)])
      const removed = removeOld({ db, clock: manualClock(at(0).getTime()) }, { messages: 30, events: null })
      const isWaiting = async () => {
        const { rows } = await sql<{ waiting: boolean }>`select exists (
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        ) as waiting`.execute(db)
        return rows[0]?.waiting
      }
      await expect.poll(isWaiting, { timeout: 10_000 }).toBe(true)
      return { removed }
    })
    await removing.removed
    expect((await sql`select id from comments`.execute(db)).rows).toEqual([{ id: 'new' }])
  })

  it('removes all old notes, however many there are, and keeps the newer ones', async () => {
    const { id } = await db
      .insertInto('staff')
      .values({ email: 'ana@example.com', role: 'agent' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await sql`insert into notes (id, primary_user_id, staff_id, text, mentions, created_at)
      select 'note-' || number, 'u', ${id}, 'a note', '[]', case when number = 0 then ${at(-29 * day)}::timestamptz
        else ${at(-31 * day)}::timestamptz end
      from generate_series(0, 1100) number`.execute(db)
    await remove(30, null)
    expect((await sql`select id from notes`.execute(db)).rows).toEqual([{ id: 'note-0' }])
  })

  it('does not let a sync bring a removed message back', async () => {
    await remove(30, null)
    const message = {
      direction: 'incoming',
      text: 'text of old-1',
      attachments: null,
      at: at(-40 * day),
      isRead: true,
    } as const
    expect(await storeMessages(db, [{ messageId: 'old-1', fbUserId: 'u', ...message }])).toBe(0)
  })

  it('keeps no id that contains a person’s', async () => {
    for (const kind of ['referral', 'optin']) await addMessage(db, `${kind}:p:psid-u:1`, 'u', -40 * day)
    await remove(30, null)
    for (const kind of ['postback', 'referral', 'optin']) {
      expect(await columnsWith(db, `${kind}:p:psid-u`)).toEqual([])
    }
  })

  it('removes edits whose message did not come for a week, whatever the settings', async () => {
    const edits = [
      ['late', -8],
      ['young', -6],
    ] as const
    for (const [message_id, days] of edits) {
      await db
        .insertInto('early_edits')
        .values({
          message_id,
          page_id: 'p',
          psid: 'psid-u',
          message_text: 'x',
          edited_at: at(0),
          created_at: at(days * day),
        })
        .execute()
    }
    await remove(null, null)
    expect(await db.selectFrom('early_edits').select('message_id').execute()).toEqual([{ message_id: 'young' }])
  })
})
