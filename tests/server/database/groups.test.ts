import fc from 'fast-check'
import { beforeEach, expect, it } from 'vitest'
import type { Db, OpenDatabase } from '../../../server/database/database.ts'
import {
  GroupingRefused,
  linkClient,
  mergeConversations,
  splitConversation,
  unlinkClient,
} from '../../../server/database/groups.ts'
import { describeOnDatabase } from '../databases.ts'
import { addIdentity, addMessage, addPage } from '../people.ts'
import { expectCorrectTotals } from './correct-totals.ts'

const identities = ['u1', 'u2', 'u3', 'u4']
const clients = ['c1', 'c2']

const rowsOf = (db: Db) =>
  db
    .selectFrom('fb_users')
    .innerJoin('conversations', 'conversations.primary_user_id', 'fb_users.primary_user_id')
    .select([
      'fb_users.id',
      'fb_users.primary_user_id',
      'fb_users.client_id',
      'conversations.client_id as client_of_conversation',
      'conversations.page_ids',
      'conversations.total_messages',
      'conversations.unread_messages',
      'conversations.last_message_id',
      'conversations.waiting_since',
    ])
    .orderBy('fb_users.id')
    .execute()

describeOnDatabase('Joins, splits and links', (open) => {
  let database: OpenDatabase
  let db: Db

  beforeEach(async () => {
    database = await open()
    db = database.db
    await db.deleteFrom('pages').execute()
    await db.deleteFrom('clients').execute()
    for (const [index, id] of identities.entries()) {
      await addPage(db, `p${index + 1}`)
      await addIdentity(db, id, { page: `p${index + 1}`, name: `Name ${id}`, minute: index })
      await addMessage(db, `first-${id}`, id, index)
      await addMessage(db, `last-${id}`, id, 10 - index, { is_read: true })
    }
    await db
      .insertInto('clients')
      .values(clients.map((id) => ({ id, first_name: 'Ana', last_name: id })))
      .execute()
  })

  it('a split undoes a join: each conversation has the messages, counts and page that it had before', async () => {
    const before = await rowsOf(db)
    await mergeConversations(db, 'u1', 'u2')
    await mergeConversations(db, 'u1', 'u3')
    expect((await rowsOf(db)).map((row) => [row.id, row.primary_user_id, row.total_messages])).toEqual([
      ['u1', 'u1', 6],
      ['u2', 'u1', 6],
      ['u3', 'u1', 6],
      ['u4', 'u4', 2],
    ])
    expect(await splitConversation(db, 'u2')).toEqual([
      { id: 'u1', primary_user_id: 'u1', client_id: null },
      { id: 'u2', primary_user_id: 'u2', client_id: null },
      { id: 'u3', primary_user_id: 'u1', client_id: null },
    ])
    await splitConversation(db, 'u3')
    expect(await rowsOf(db)).toEqual(before)
    await addMessage(db, 'next', 'u2', 20)
    expect((await rowsOf(db)).map(({ total_messages }) => total_messages)).toEqual([2, 3, 2, 2])
  })

  it('a split keeps the client with the conversation, and a repeated one changes nothing', async () => {
    await linkClient(db, 'u2', 'c1')
    await mergeConversations(db, 'u1', 'u2')
    const once = await splitConversation(db, 'u2')
    expect(once).toEqual([
      { id: 'u1', primary_user_id: 'u1', client_id: 'c1' },
      { id: 'u2', primary_user_id: 'u2', client_id: null },
    ])
    expect(await splitConversation(db, 'u2')).toEqual(once.slice(1))
  })

  it('the chat that names its conversation cannot be split off, and an unknown one neither', async () => {
    await mergeConversations(db, 'u1', 'u2')
    const before = await rowsOf(db)
    await expect(splitConversation(db, 'u1')).rejects.toEqual(
      new GroupingRefused('conflict', 'This is the first chat of the conversation. Split off the other chats.'),
    )
    await expect(splitConversation(db, 'u9')).rejects.toEqual(new GroupingRefused('unknown', 'Conversation not found'))
    expect(await rowsOf(db)).toEqual(before)
  })

  it('the removal of a link reaches every identity, and another link stays', async () => {
    await mergeConversations(db, 'u1', 'u2')
    await linkClient(db, 'u2', 'c1')
    await expect(unlinkClient(db, 'u1', 'c2')).rejects.toEqual(
      new GroupingRefused('conflict', 'This person is linked to another client by now. Open the dialog again.'),
    )
    expect(await unlinkClient(db, 'u2', 'c1')).toEqual([
      { id: 'u1', primary_user_id: 'u1', client_id: null },
      { id: 'u2', primary_user_id: 'u1', client_id: null },
    ])
    await unlinkClient(db, 'u2', 'c1')
    await linkClient(db, 'u3', 'c1')
    expect((await rowsOf(db)).map(({ client_of_conversation }) => client_of_conversation)).toEqual([
      null,
      null,
      'c1',
      null,
    ])
  })

  it('messages that arrive during a split are in the conversation of their identity', async () => {
    await mergeConversations(db, 'u1', 'u2')
    await Promise.all([
      ...Array.from({ length: 8 }, (_, index) => addMessage(db, `a${index}`, 'u2', index)),
      splitConversation(db, 'u2'),
      ...Array.from({ length: 8 }, (_, index) => addMessage(db, `b${index}`, 'u2', index)),
    ])
    expect((await rowsOf(db)).map(({ total_messages }) => total_messages)).toEqual([2, 18, 2, 2])
  })

  it('whatever is joined, split and linked, no message is lost, and rows equal their messages and identities', async () => {
    const steps = fc.sample(
      fc.tuple(
        fc.constantFrom('join', 'split', 'link', 'unlink', 'write'),
        fc.constantFrom(...identities),
        fc.constantFrom(...identities),
        fc.constantFrom(...clients),
      ),
      { seed: 20_261_123, numRuns: 60 },
    )
    let written = 8
    for (const [index, [kind, one, other, client]] of steps.entries()) {
      const changes = {
        join: () => mergeConversations(db, one, other),
        split: () => splitConversation(db, one),
        link: () => linkClient(db, one, client),
        unlink: () => unlinkClient(db, one, client),
        write: () => addMessage(db, `m${index}`, one, 30 + index),
      }
      if (kind === 'write') written += 1
      await changes[kind]().catch((error: unknown) => {
        if (!(error instanceof GroupingRefused)) throw error
      })
      const rows = await rowsOf(db)
      const messages = await db.selectFrom('messages').select(['fb_user_id', 'primary_user_id']).execute()
      const groups = new Map(rows.map((row) => [row.id, row.primary_user_id]))
      expect(messages.map(({ primary_user_id }) => primary_user_id)).toEqual(
        messages.map(({ fb_user_id }) => groups.get(fb_user_id)),
      )
      expect([messages.length, rows.map(({ id }) => id)]).toEqual([written, identities])
      expect(rows.map((row) => row.client_id)).toEqual(rows.map((row) => row.client_of_conversation))
    }
    await expectCorrectTotals(db)
  })
})
