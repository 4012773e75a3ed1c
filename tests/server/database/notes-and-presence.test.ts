import { readFileSync } from 'node:fs'
import type { KyselyPlugin } from 'kysely'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Db } from '../../../server/database/database.ts'
import { mergeConversations } from '../../../server/database/groups.ts'
import { writeToConversation } from '../../../server/database/people.ts'
import { endPresence, findColleagues, renewPresence, sweepPresence } from '../../../server/database/presence.ts'
import { inTransaction } from '../../../server/database/transaction.ts'
import { createSending } from '../../../server/network/send/sending.ts'
import { addNote, deleteOwnNote, listNotes, type NewNote } from '../../../server/notes/notes.ts'
import { exportPerson } from '../../../server/people/export.ts'
import { removeOld } from '../../../server/people/retention.ts'
import { noteLimits } from '../../../src/schemas/note.ts'
import { describeOnDatabase } from '../databases.ts'
import { type Harness, openHarness, prints } from '../network-harness.ts'
import { addIdentity, addPage, at } from '../people.ts'

const secret = 'asked for a discount that nobody may know of'

const add = (db: Db, note: NewNote) => inTransaction(db, (trx) => addNote(trx, note))

describeOnDatabase('Notes and presence', (open) => {
  let db: Db

  beforeEach(async () => {
    db = (await open()).db
    for (const table of ['pages', 'staff'] as const) await db.deleteFrom(table).execute()
    await addPage(db, 'p1')
    for (const id of ['ana', 'ben', 'gone'])
      await db
        .insertInto('staff')
        .values({ id, email: `${id}@example.com`, name: id, role: 'agent', is_active: id !== 'gone' })
        .execute()
    await addIdentity(db, 'u1', { page: 'p1' })
    await addIdentity(db, 'u2', { page: 'p1' })
  })

  const note = (id: string, more: { text?: string; mentions?: string[]; staffId?: string; minute?: number } = {}) => {
    const { text = secret, mentions = [], staffId = 'ana', minute = 1 } = more
    return add(db, { id, primaryUserId: 'u1', staffId, text, mentions, at: at(minute) })
  }
  const ids = async (conversation = 'u1') => (await listNotes(db, conversation)).map(({ id }) => id)

  it('stores a note once by its id, with the mentions of active staff', async () => {
    const first = await note('note-1', { mentions: ['ben', 'gone', 'nobody'] })
    const again = await note('note-1', { text: 'other' })
    expect(first).toEqual({
      id: 'note-1',
      primary_user_id: 'u1',
      staff_id: 'ana',
      text: secret,
      mentions: ['ben'],
      created_at: at(1),
    })
    expect([again, await note('note-1', { staffId: 'ben' }), await ids()]).toEqual([first, 'taken', ['note-1']])
  })

  it('refuses a note beyond the limit of a conversation', async () => {
    await sql`insert into notes (id, primary_user_id, staff_id, text, mentions, created_at)
      select 'n' || n, 'u1', 'ana', 'x', '[]', now() from generate_series(1, ${noteLimits.notes}) n`.execute(db)
    expect(await note('one-more')).toBe('full')
  })

  it('deletes a note for its author only', async () => {
    await note('note-1')
    expect([await deleteOwnNote(db, 'note-1', 'ben'), await ids()]).toEqual([undefined, ['note-1']])
    expect([await deleteOwnNote(db, 'note-1', 'ana'), await ids()]).toEqual(['u1', []])
  })

  it('keeps the notes of both conversations after a merge, exports them, and removes old ones and those of the erased', async () => {
    await note('note-1')
    await add(db, { id: 'note-2', primaryUserId: 'u2', staffId: 'ben', text: 'b', mentions: [], at: at(2) })
    await mergeConversations(db, 'u1', 'u2')
    expect(await ids()).toEqual(['note-1', 'note-2'])
    let text = ''
    for await (const part of exportPerson(db, 'u1', at(3))) text += part
    const exported = JSON.parse(text)
    expect(exported.notes.map(({ text }: { text: string }) => text)).toEqual([secret, 'b'])
    const clock = { now: () => at(2).getTime() + 24 * 60 * 60_000, after: () => () => {} }
    await removeOld({ db, clock }, { messages: 1, events: null })
    expect(await ids()).toEqual(['note-2'])
    await db.deleteFrom('fb_users').execute()
    expect(await ids()).toEqual([])
  })

  it('tells who looks at a conversation, with what remains of the time, but not the own tabs', async () => {
    const renew = (tab: string, staffId: string, primaryUserId = 'u1', isTyping = false) =>
      renewPresence(db, { tab, staffId, primaryUserId, isTyping })
    await renew('tab-ana1', 'ana')
    await renew('tab-ben1', 'ben', 'u1', true)
    await renew('tab-ben2', 'ben', 'u2')
    expect(await findColleagues(db, 'u1', 'ana')).toEqual([
      { id: 'tab-ben1', staff_id: 'ben', is_typing: true, remaining: expect.closeTo(8_000, -3.3) },
    ])
    expect(await renew('tab-ana1', 'ben')).toBe(false)
    await sql`update presence set seen_at = now() - interval '8.1 seconds' where id = 'tab-ben1'`.execute(db)
    expect(await findColleagues(db, 'u1', 'ana')).toEqual([])
    await endPresence(db, 'tab-ben2', 'ana')
    await sql`update presence set seen_at = now() - interval '61 seconds' where id = 'tab-ben1'`.execute(db)
    await sweepPresence(db)
    const left = await db.selectFrom('presence').select('id').orderBy('id').execute()
    expect(left.map(({ id }) => id)).toEqual(['tab-ana1', 'tab-ben2'])
  })

  it('writes a note for the conversation that is left after a merge', async () => {
    let lookUps = 0
    const mergingAfterFirst: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        lookUps += 1
        if (lookUps === 1) await mergeConversations(db, 'u1', 'u2')
        return result
      },
    }
    const written: string[] = []
    await writeToConversation(db.withPlugin(mergingAfterFirst), 'u2', (trx, primaryUserId) => {
      written.push(primaryUserId)
      return addNote(trx, { id: 'note-1', primaryUserId, staffId: 'ana', text: 'a', mentions: [], at: at(1) })
    })
    expect([written, await ids('u1')]).toEqual([['u1'], ['note-1']])
    expect(await writeToConversation(db, 'nobody', async () => 'written')).toBeNull()
  })

  it('limits the tabs of one person', async () => {
    for (let count = 0; count < 20; count += 1)
      await renewPresence(db, { tab: `tab-${count}`, staffId: 'ana', primaryUserId: 'u1', isTyping: false })
    const renew = (tab: string) => renewPresence(db, { tab, staffId: 'ana', primaryUserId: 'u1', isTyping: false })
    expect([await renew('tab-20'), await renew('tab-3')]).toEqual([false, true])
  })
})

describeOnDatabase('The path of a message to the network', (open) => {
  let harness: Harness

  beforeAll(async () => {
    harness = await openHarness(await open())
    await harness.connect(prints)
  })
  afterAll(() => harness.close())

  it('runs no statement that names the table of notes, and carries no note', async () => {
    const { db } = harness
    const psid = await harness.createPerson()
    const person = await db
      .selectFrom('fb_users')
      .select('primary_user_id')
      .where('psid', '=', psid)
      .executeTakeFirstOrThrow()
    await db.insertInto('staff').values({ id: 'ana', email: 'ana@example.com', role: 'agent' }).execute()
    await add(db, {
      id: 'secret-note',
      primaryUserId: person.primary_user_id,
      staffId: 'ana',
      text: secret,
      mentions: [],
      at: new Date(),
    })
    const statements: string[] = []
    const recording: KyselyPlugin = {
      transformQuery: ({ node }) => {
        statements.push(JSON.stringify(node))
        return node
      },
      transformResult: async ({ result }) => result,
    }
    const { graph, calls, erasedPeople, outgoingFiles: files, normalizeUrl, clock, logger } = harness
    const sending = createSending({
      db: db.withPlugin(recording),
      graph,
      calls,
      erasedPeople,
      files,
      templates: { matches: () => Promise.reject(new Error('this test sends no template')) },
      normalizeUrl,
      clock,
      logger,
    })
    await sending.send({ key: 'key-of-a-note-test', staffId: 'ana', pageId: prints, psid, text: 'Opo' })
    await harness.settle()
    expect(statements.length).toBeGreaterThan(5)
    expect(statements.filter((statement) => /\bnotes\b/.test(statement))).toEqual([])
    expect(await harness.deliveries(psid)).toEqual(['Opo'])
  })
})

describe('The schema', () => {
  it('lets no trigger or function of another table read notes', () => {
    const migration = readFileSync('server/database/migrations/0034_notes.sql', 'utf8')
    const functions = [...migration.matchAll(/create (?:or replace )?function (\w+)/g)].map(([, name]) => name)
    expect(functions).toEqual(['merge_states'])
  })
})
