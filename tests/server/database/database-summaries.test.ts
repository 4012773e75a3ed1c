import { beforeEach, expect, it } from 'vitest'
import type { Db, OpenDatabase } from '../../../server/database/database.ts'
import { GroupingRefused, linkClient, mergeConversations } from '../../../server/database/groups.ts'
import { describeOnEachDatabase } from '../databases.ts'
import { addIdentity, addMessage, addPage, at } from '../people.ts'
import { expectCorrectTotals } from './correct-totals.ts'

const conversationOf = (db: Db, id: string) =>
  db
    .selectFrom('conversations')
    .select([
      'unified_name',
      'client_id',
      'page_ids',
      'search_text',
      'total_messages',
      'incoming_messages',
      'unread_messages',
      'last_message_id',
      'last_message_at',
      'last_message_text',
      'last_message_direction',
      'last_message_page_id',
    ])
    .where('primary_user_id', '=', id)
    .executeTakeFirst()

const pagesOf = (db: Db, id: string) =>
  db
    .selectFrom('conversation_pages')
    .select([
      'page_id',
      'fb_user_id',
      'total_messages',
      'incoming_messages',
      'unread_messages',
      'last_message_id',
      'last_incoming_at',
    ])
    .where('primary_user_id', '=', id)
    .orderBy('page_id')
    .execute()

const totalsOf = (db: Db, pageId: string) =>
  db
    .selectFrom('current_page_totals')
    .select(['conversations', 'users', 'linked_users', 'total_messages', 'incoming_messages', 'unread_messages'])
    .where('page_id', '=', pageId)
    .executeTakeFirst()

describeOnEachDatabase('The summary triggers', (open) => {
  let database: OpenDatabase
  let db: Db

  beforeEach(async () => {
    database = await open()
    db = database.db
    await db.deleteFrom('pages').execute()
    await db.deleteFrom('clients').execute()
    await addPage(db, 'p1')
    await addPage(db, 'p2')
  })

  it('create a conversation without messages for a new identity', async () => {
    await addIdentity(db, 'u1', { page: 'p1', name: 'Ana Reyes' })
    expect(await conversationOf(db, 'u1')).toEqual({
      unified_name: 'Ana Reyes',
      client_id: null,
      page_ids: ['p1'],
      search_text: ' ana reyes',
      total_messages: 0,
      incoming_messages: 0,
      unread_messages: 0,
      last_message_id: null,
      last_message_at: null,
      last_message_text: null,
      last_message_direction: null,
      last_message_page_id: null,
    })
    await expectCorrectTotals(db)
  })

  it('create no second conversation for a known identity', async () => {
    await addIdentity(db, 'u1', { page: 'p1' })
    await db
      .insertInto('fb_users')
      .values({ page_id: 'p1', psid: 'psid-u1' })
      .onConflict((conflict) => conflict.columns(['page_id', 'psid']).doUpdateSet({ name: 'Ana' }))
      .execute()
    expect(await db.selectFrom('conversations').select(['primary_user_id', 'unified_name']).execute()).toEqual([
      { primary_user_id: 'u1', unified_name: 'Ana' },
    ])
    await expectCorrectTotals(db)
  })

  it('keep the newest message as the last message, whatever the order of insertion', async () => {
    await addIdentity(db, 'u1', { page: 'p1', name: 'Ana' })
    await addMessage(db, 'm2', 'u1', 2, { direction: 'outgoing' })
    await addMessage(db, 'm3', 'u1', 3)
    await addMessage(db, 'm1', 'u1', 1)
    expect(await conversationOf(db, 'u1')).toMatchObject({
      total_messages: 3,
      incoming_messages: 2,
      unread_messages: 2,
      last_message_id: 'm3',
      last_message_at: at(3),
      last_message_text: 'text of m3',
      last_message_direction: 'incoming',
      last_message_page_id: 'p1',
    })
    expect(await pagesOf(db, 'u1')).toEqual([
      {
        page_id: 'p1',
        fb_user_id: 'u1',
        total_messages: 3,
        incoming_messages: 2,
        unread_messages: 2,
        last_message_id: 'm3',
        last_incoming_at: at(3),
      },
    ])
    await expectCorrectTotals(db)
  })

  it('count many messages in one statement like single inserts', async () => {
    await addIdentity(db, 'u1', { page: 'p1' })
    await addIdentity(db, 'u2', { page: 'p2' })
    await db
      .insertInto('messages')
      .values([
        { message_id: 'm1', fb_user_id: 'u1', direction: 'incoming', timestamp_fb: at(1) },
        { message_id: 'm3', fb_user_id: 'u1', direction: 'outgoing', timestamp_fb: at(3) },
        { message_id: 'm2', fb_user_id: 'u2', direction: 'incoming', timestamp_fb: at(2), is_read: true },
        { message_id: 'm1', fb_user_id: 'u1', direction: 'incoming', timestamp_fb: at(1) },
      ])
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    expect([
      (await conversationOf(db, 'u1'))?.last_message_id,
      (await conversationOf(db, 'u2'))?.last_message_id,
    ]).toEqual(['m3', 'm2'])
    await expectCorrectTotals(db)
  })

  it('take the greater id as the last of two messages with the same time', async () => {
    await addIdentity(db, 'u1', { page: 'p1' })
    await addMessage(db, 'mb', 'u1', 1)
    await addMessage(db, 'mB', 'u1', 1)
    expect((await conversationOf(db, 'u1'))?.last_message_id).toBe('mb')
  })

  it('update the unread count when messages are marked as read or unread', async () => {
    await addIdentity(db, 'u1', { page: 'p1' })
    await addMessage(db, 'm1', 'u1', 1)
    await addMessage(db, 'm2', 'u1', 2)
    await db.updateTable('messages').set({ is_read: true }).execute()
    expect((await conversationOf(db, 'u1'))?.unread_messages).toBe(0)
    await db.updateTable('messages').set({ is_read: false }).where('message_id', '=', 'm1').execute()
    expect((await conversationOf(db, 'u1'))?.unread_messages).toBe(1)
    await expectCorrectTotals(db)
  })

  it('restore the previous message when the last one is deleted', async () => {
    await addIdentity(db, 'u1', { page: 'p1' })
    await addMessage(db, 'm1', 'u1', 1)
    await addMessage(db, 'm2', 'u1', 2)
    await db.deleteFrom('messages').where('message_id', '=', 'm2').execute()
    expect(await conversationOf(db, 'u1')).toMatchObject({
      total_messages: 1,
      unread_messages: 1,
      last_message_id: 'm1',
      last_message_at: at(1),
    })
    expect(await pagesOf(db, 'u1')).toMatchObject([{ last_message_id: 'm1', last_incoming_at: at(1) }])
    await expectCorrectTotals(db)
  })

  it('update the last message text when the last message is edited', async () => {
    await addIdentity(db, 'u1', { page: 'p1' })
    await addMessage(db, 'm1', 'u1', 1)
    await addMessage(db, 'm2', 'u1', 2)
    await db.updateTable('messages').set({ message_text: 'older' }).where('message_id', '=', 'm1').execute()
    expect((await conversationOf(db, 'u1'))?.last_message_text).toBe('text of m2')
    await db.updateTable('messages').set({ message_text: 'newer' }).where('message_id', '=', 'm2').execute()
    expect((await conversationOf(db, 'u1'))?.last_message_text).toBe('newer')
    expect(await db.selectFrom('conversation_pages').select('last_message_text').execute()).toEqual([
      { last_message_text: 'newer' },
    ])
  })

  it('reject a message without an identity', async () => {
    await expect(addMessage(db, 'm1', 'nobody', 1)).rejects.toThrow()
  })

  it('describe a message without text by its attachment', async () => {
    await addIdentity(db, 'u1', { page: 'p1' })
    const kinds = { image_data: 'Photo', video_data: 'Video', audio_data: 'Audio', file_data: 'File' }
    const texts: Record<string, unknown> = {}
    for (const [index, kind] of Object.keys(kinds).entries()) {
      const attachments = JSON.stringify({ data: [{ id: 'a', [kind]: { url: 'https://example.com/a' } }] })
      await addMessage(db, `m${index}`, 'u1', index, { message_text: null, attachments })
      texts[kind] = (await conversationOf(db, 'u1'))?.last_message_text
    }
    expect(texts).toEqual(kinds)
  })

  it('update the search text with the names of the person and the client', async () => {
    await db.insertInto('clients').values({ id: 'c1', first_name: 'Iñigo', last_name: 'Peña' }).execute()
    await addIdentity(db, 'u1', { page: 'p1', name: 'JOSÉ' })
    await linkClient(db, 'u1', 'c1')
    expect((await conversationOf(db, 'u1'))?.search_text).toBe(' jose inigo pena')
    await db.updateTable('fb_users').set({ name: 'Pepe' }).execute()
    await db.updateTable('clients').set({ company_name: 'Señal' }).execute()
    expect((await conversationOf(db, 'u1'))?.search_text).toBe(' pepe inigo pena senal')
  })

  it('delete a conversation with its last identity', async () => {
    await addIdentity(db, 'u1', { page: 'p1', name: 'Ana' })
    await addIdentity(db, 'u2', { page: 'p2', name: 'Annie', in: 'u1' })
    await addMessage(db, 'm1', 'u1', 1)
    await addMessage(db, 'm2', 'u2', 2)
    await db.deleteFrom('fb_users').where('id', '=', 'u2').execute()
    expect(await conversationOf(db, 'u1')).toMatchObject({ page_ids: ['p1'], total_messages: 1, last_message_id: 'm1' })
    await expectCorrectTotals(db)
    await db.deleteFrom('pages').where('page_id', '=', 'p1').execute()
    expect(await conversationOf(db, 'u1')).toBeUndefined()
    await expectCorrectTotals(db)
  })

  it('move identities, messages, counts and the client to the first conversation on a merge', async () => {
    await db.insertInto('clients').values({ id: 'c1', first_name: 'Ana', last_name: 'Cruz' }).execute()
    await addIdentity(db, 'u1', { page: 'p1', name: 'Ana Cruz' })
    await addIdentity(db, 'u2', { page: 'p2', name: 'Annie', minute: 1 })
    await addMessage(db, 'm1', 'u1', 1, { is_read: true })
    await addMessage(db, 'm3', 'u2', 3)
    await addMessage(db, 'm2', 'u2', 2, { direction: 'outgoing' })
    await linkClient(db, 'u2', 'c1')

    await mergeConversations(db, 'u1', 'u2')

    expect(await conversationOf(db, 'u2')).toBeUndefined()
    expect(await conversationOf(db, 'u1')).toEqual({
      unified_name: 'Ana Cruz',
      client_id: 'c1',
      page_ids: ['p1', 'p2'],
      search_text: ' ana cruz annie ana cruz',
      total_messages: 3,
      incoming_messages: 2,
      unread_messages: 1,
      last_message_id: 'm3',
      last_message_at: at(3),
      last_message_text: 'text of m3',
      last_message_direction: 'incoming',
      last_message_page_id: 'p2',
    })
    expect(await pagesOf(db, 'u1')).toMatchObject([
      { page_id: 'p1', fb_user_id: 'u1', total_messages: 1, unread_messages: 0, last_message_id: 'm1' },
      { page_id: 'p2', fb_user_id: 'u2', total_messages: 2, unread_messages: 1, last_message_id: 'm3' },
    ])
    expect(
      await db.selectFrom('fb_users').select(['id', 'primary_user_id', 'client_id']).orderBy('id').execute(),
    ).toEqual([
      { id: 'u1', primary_user_id: 'u1', client_id: 'c1' },
      { id: 'u2', primary_user_id: 'u1', client_id: 'c1' },
    ])
    await expectCorrectTotals(db)
    await addMessage(db, 'm4', 'u2', 4)
    expect(await conversationOf(db, 'u1')).toMatchObject({ total_messages: 4, last_message_id: 'm4' })
    await expectCorrectTotals(db)
  })

  it('keep one row per page after a merge of two identities of that page, with the identity that wrote last', async () => {
    await addIdentity(db, 'u1', { page: 'p1' })
    await addIdentity(db, 'u2', { page: 'p1', platform: 'instagram' })
    await addMessage(db, 'm2', 'u1', 2)
    await addMessage(db, 'm1', 'u2', 1)
    await mergeConversations(db, 'u2', 'u1')
    expect(await pagesOf(db, 'u2')).toMatchObject([{ page_id: 'p1', fb_user_id: 'u1', total_messages: 2 }])
    expect(await totalsOf(db, 'p1')).toMatchObject({ conversations: 1, users: 2 })
    await expectCorrectTotals(db)
  })

  it('change nothing when a conversation is merged with itself', async () => {
    await addIdentity(db, 'u1', { page: 'p1' })
    await addIdentity(db, 'u2', { page: 'p2' })
    await mergeConversations(db, 'u1', 'u2')
    const before = await conversationOf(db, 'u1')
    await mergeConversations(db, 'u1', 'u2')
    expect(await conversationOf(db, 'u1')).toEqual(before)
  })

  it('reject a merge of an unknown conversation, and of conversations with different clients', async () => {
    await db
      .insertInto('clients')
      .values([
        { id: 'c1', first_name: 'Ana', last_name: 'Cruz' },
        { id: 'c2', first_name: 'Ana', last_name: 'Cruz' },
      ])
      .execute()
    await addIdentity(db, 'u1', { page: 'p1' })
    await addIdentity(db, 'u2', { page: 'p2' })
    await linkClient(db, 'u1', 'c1')
    await linkClient(db, 'u2', 'c2')
    await expect(mergeConversations(db, 'u1', 'nobody')).rejects.toEqual(
      new GroupingRefused('unknown', 'Conversation not found'),
    )
    await expect(mergeConversations(db, 'u1', 'u2')).rejects.toEqual(
      new GroupingRefused(
        'conflict',
        'These chats are linked to two different clients. Remove one of the links first.',
      ),
    )
    expect((await conversationOf(db, 'u2'))?.client_id).toBe('c2')
  })

  it('link a client to all identities of one person, and reject a second person', async () => {
    await db.insertInto('clients').values({ id: 'c1', first_name: 'Ana', last_name: 'Cruz' }).execute()
    await addIdentity(db, 'u1', { page: 'p1' })
    await addIdentity(db, 'u2', { page: 'p2', in: 'u1' })
    await addIdentity(db, 'u3', { page: 'p2' })
    await linkClient(db, 'u2', 'c1')
    await linkClient(db, 'u1', 'c1')
    expect(await db.selectFrom('fb_users').select(['id', 'client_id']).orderBy('id').execute()).toEqual([
      { id: 'u1', client_id: 'c1' },
      { id: 'u2', client_id: 'c1' },
      { id: 'u3', client_id: null },
    ])
    expect((await conversationOf(db, 'u1'))?.client_id).toBe('c1')
    await expect(linkClient(db, 'u3', 'c1')).rejects.toEqual(
      new GroupingRefused('conflict', 'This client is already linked to another Facebook user'),
    )
    await expect(linkClient(db, 'u3', 'c9')).rejects.toEqual(new GroupingRefused('unknown', 'Client not found'))
    await expect(linkClient(db, 'u9', 'c1')).rejects.toEqual(new GroupingRefused('unknown', 'Conversation not found'))
    await expectCorrectTotals(db)
  })

  it('keep messages that arrive during a merge of their conversation', async () => {
    await addIdentity(db, 'u1', { page: 'p1' })
    await addIdentity(db, 'u2', { page: 'p2' })
    await Promise.all([
      ...Array.from({ length: 8 }, (_, index) => addMessage(db, `m${index}`, 'u2', index)),
      mergeConversations(db, 'u1', 'u2'),
      ...Array.from({ length: 8 }, (_, index) => addMessage(db, `n${index}`, 'u2', index)),
    ])
    expect(await conversationOf(db, 'u1')).toMatchObject({ total_messages: 16, unread_messages: 16 })
    await expectCorrectTotals(db)
  })
})

describeOnEachDatabase('The realtime notifications', (open) => {
  it('report each change of a message or identity, and a large change by its outbox id', async () => {
    const { db, listen } = await open()
    await addPage(db, 'p1')
    const received: unknown[] = []
    const allReceived = Promise.withResolvers<void>()
    const stop = await listen(
      'realtime',
      (payload) => {
        const change = JSON.parse(payload)
        // tests/server/database/conversation-states.test.ts reads the events of states.
        if (change.table === 'conversation_events') return
        received.push(change)
        if (received.length === 8) allReceived.resolve()
      },
      () => allReceived.reject(new Error('lost')),
    )
    await addIdentity(db, 'u1', { page: 'p1', name: 'Ana' })
    await addMessage(db, 'm1', 'u1', 1)
    await addMessage(db, 'm2', 'u1', 2, { message_text: 'é'.repeat(5_000) })
    await db.updateTable('messages').set({ is_read: true }).where('message_id', '=', 'm1').execute()
    await db.updateTable('messages').set({ is_read: true }).where('message_id', '=', 'm1').execute()
    await db.updateTable('fb_users').set({ name: 'Ana' }).execute()
    await db.updateTable('fb_users').set({ name: 'Annie' }).execute()
    await db.deleteFrom('messages').where('message_id', '=', 'm1').execute()
    await db.deleteFrom('messages').where('message_id', '=', 'm2').execute()
    await db.deleteFrom('fb_users').execute()
    await allReceived.promise
    await stop()

    const stored = await db.selectFrom('realtime_outbox').selectAll().orderBy('id').execute()
    expect(stored.map(({ change }) => change)).toMatchObject([
      { table: 'messages', type: 'INSERT', record: { message_id: 'm2', message_text: 'é'.repeat(5_000) } },
    ])
    expect(received).toMatchObject([
      { schema: 'public', table: 'fb_users', type: 'INSERT', record: { id: 'u1', name: 'Ana' }, old_record: {} },
      {
        table: 'messages',
        type: 'INSERT',
        record: { message_id: 'm1', primary_user_id: 'u1', page_id: 'p1', is_read: false },
        old_record: {},
      },
      { outbox: stored[0]?.id },
      { table: 'messages', type: 'UPDATE', record: { is_read: true }, old_record: { message_id: 'm1' } },
      { table: 'fb_users', type: 'UPDATE', record: { name: 'Annie' }, old_record: { id: 'u1' } },
      { table: 'messages', type: 'DELETE', record: {}, old_record: { message_id: 'm1' } },
      { table: 'messages', type: 'DELETE', record: {}, old_record: { message_id: 'm2' } },
      { table: 'fb_users', type: 'DELETE', record: {}, old_record: { id: 'u1' } },
    ])
  })
})
