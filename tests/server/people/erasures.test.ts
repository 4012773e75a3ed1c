import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { recordAudit, serverActor } from '../../../server/audit/audit.ts'
import { linkClient, mergeConversations } from '../../../server/database/groups.ts'
import { SendRefused } from '../../../server/network/send/send-refusals.ts'
import { describeOnDatabase } from '../databases.ts'
import { type Harness, openHarness, prints } from '../network-harness.ts'
import { columnsWith } from './catalogue.ts'

const reply = 'We will visit you'
const automaticReply = 'Which house in Mabini Street?'
const start = Date.parse('2026-06-01T08:00:00Z')
const otherPsid = '7700000000000001'

describeOnDatabase('createErasures', (open) => {
  let harness: Harness
  let created = 0

  beforeAll(async () => {
    harness = await openHarness(await open(), { start })
    await harness.connect(prints)
    await harness.db
      .insertInto('faq_entries')
      .values({
        id: 'f',
        title: 'f',
        category_id: 'general',
        created_by: null,
        keywords: ['mabini'],
        response: automaticReply,
      })
      .execute()
  })
  afterAll(() => harness.close())

  const event = (psid: string, values: object, at = harness.clock.now()) => ({
    sender: { id: psid },
    recipient: { id: prints },
    timestamp: at,
    ...values,
  })
  const delivery = (...messaging: object[]) => ({
    object: 'page',
    entry: [{ id: prints, time: harness.clock.now(), messaging }],
  })
  const newId = (kind: string) => `${kind}-${++created}`
  const wordsOf = (psid: string) => harness.thread(psid).then((rows) => rows.map(({ message_text }) => message_text))
  const identityOf = (psid: string) =>
    harness.db.selectFrom('fb_users').selectAll().where('psid', '=', psid).executeTakeFirst()
  const erase = async (psid: string, options: { withClient?: boolean } = {}) => {
    const person = await identityOf(psid)
    const id = await harness.erasures.beginPerson(person?.primary_user_id ?? '', { by: serverActor, ...options })
    if (id === null) throw new Error('nobody was erased')
    await harness.erasures.run(id)
    return id
  }
  const send = (key: string, psid: string, words: string) =>
    harness.newSending().send({ key, staffId: 'staff', pageId: prints, psid, text: words })

  /** A person whose data is in every table that can hold it. */
  async function knownPerson() {
    const text = `I live in house ${newId('number')}`
    const psid = await harness.createPerson()
    await harness.post(delivery(event(psid, { postback: { title: 'Mabini Street' } })))
    const shared = { type: 'fallback', title: text, url: 'https://house.example/' }
    await harness.post(delivery(event(psid, { message: { mid: newId('m'), attachments: [shared] } })))
    await harness.post(delivery(event(psid, { message_edit: { mid: newId('m'), text } })))
    await harness.settle()
    await harness.control('POST', `/people/${psid}/messages`, { text: `${text} ${'x'.repeat(9_000)}` })
    await harness.settle()
    const key = newId('key')
    harness.clock.advance(1_000)
    await send(key, psid, `${reply} in ${text}`)
    await harness.db
      .insertInto('webhook_inbox')
      .values({
        body: JSON.stringify(
          delivery(
            event(psid, { message: { mid: newId('m'), text } }),
            event(otherPsid, { message: { mid: 'n', text: 'Kept' } }),
          ),
        ),
        due_at: 'infinity',
      })
      .execute()
    const person = await identityOf(psid)
    if (person === undefined) throw new Error('the person was not stored')
    return { psid, key, person, text }
  }

  it('leaves nothing of a person in any table but a keyed hash', async () => {
    const { psid, person, text } = await knownPerson()
    expect(await columnsWith(harness.db, text)).toEqual([
      'conversation_pages.last_message_text',
      'conversations.last_message_text',
      'early_edits.message_text',
      'messages.content',
      'messages.message_text',
      'realtime_outbox.change',
      'sends.message_text',
      'webhook_inbox.body',
    ])
    expect(await columnsWith(harness.db, psid)).toEqual([
      'auto_replies.message_id',
      'early_edits.psid',
      'fb_users.psid',
      'messages.idempotency_key',
      'messages.message_id',
      'sends.idempotency_key',
      'sends.psid',
      'webhook_inbox.body',
    ])
    expect(await columnsWith(harness.db, automaticReply)).toContain('auto_replies.reply')
    await recordAudit(harness.db, {
      at: 0,
      by: serverActor,
      action: 'client.linked',
      row: { kind: 'conversation', id: person.primary_user_id },
    })
    const id = await erase(psid)
    const left = await Promise.all(
      [psid, person.id, 'Amihan', 'Dalisay', text, automaticReply].map((one) => columnsWith(harness.db, one)),
    )
    expect(left).toEqual([[], [], [], [], [], ['faq_entries.response']])
    expect(await harness.erasures.find(id)).toEqual({ id, state: 'completed' })
    expect(await columnsWith(harness.db, id)).toEqual(['audit_entries.details', 'erasures.id'])
    expect(await columnsWith(harness.db, harness.erasedPeople.hashOf(prints, psid))).toEqual([
      'erased_people.person_hash',
    ])
  })

  it('keeps the events of others in a delivery that is not stored yet', async () => {
    const { psid } = await knownPerson()
    await erase(psid)
    const bodies = await harness.db
      .selectFrom('webhook_inbox')
      .select('body')
      .where('processed_at', 'is', null)
      .execute()
    expect(bodies.map(({ body }) => JSON.parse(body).entry[0].messaging)).toContainEqual([
      expect.objectContaining({ sender: { id: otherPsid }, message: { mid: 'n', text: 'Kept' } }),
    ])
  })

  it('does not let a late webhook, a repeated one or a sync bring the person back, nor keeps their bodies', async () => {
    const { psid, person, text } = await knownPerson()
    const before = harness.clock.now()
    harness.clock.advance(1_000)
    await erase(psid)
    await harness.post(delivery(event(psid, { message: { mid: newId('m'), text } }, before)))
    const echo = { sender: { id: prints }, recipient: { id: psid }, timestamp: before }
    await harness.post(delivery({ ...echo, message: { mid: newId('m'), text: reply, is_echo: true, app_id: '1' } }))
    expect(await harness.sync.conversation(prints, 'messenger', psid)).toBe(0)
    await harness.settle()
    expect(await identityOf(psid)).toBeUndefined()
    for (const one of [psid, person.id, text]) expect(await columnsWith(harness.db, one)).toEqual([])
  })

  it('starts an empty conversation for a person who writes again later, without the old messages', async () => {
    const { psid, person } = await knownPerson()
    harness.clock.advance(1_000)
    await erase(psid)
    harness.clock.advance(1_000)
    await harness.control('POST', `/people/${psid}/messages`, { text: 'Hello again' })
    await harness.settle()
    await harness.sync.conversation(prints, 'messenger', psid)
    expect(await wordsOf(psid)).toEqual(['Hello again'])
    expect((await identityOf(psid))?.id).not.toBe(person.id)
  })

  it('stores a message that arrives during an erasure after it, not before', async () => {
    const { psid, person } = await knownPerson()
    harness.clock.advance(1_000)
    const id = await harness.erasures.beginPerson(person.primary_user_id, { by: serverActor })
    harness.clock.advance(1_000)
    await harness.post(delivery(event(psid, { message: { mid: newId('m'), text: 'During' } })))
    expect(await wordsOf(psid)).not.toContain('During')
    await harness.erasures.run(id ?? '')
    harness.clock.advance(2_000)
    await harness.settle()
    expect(await wordsOf(psid)).toEqual(['During'])
  })

  it('never sends an erased message again, whichever key comes late', async () => {
    const { psid, key, text } = await knownPerson()
    const unconfirmed = newId('key')
    await harness.db
      .insertInto('sends')
      .values({
        idempotency_key: unconfirmed,
        staff_id: 's',
        page_id: prints,
        psid,
        message_text: reply,
        state: 'unknown',
        message_id: null,
      })
      .execute()
    harness.clock.advance(1_000)
    await erase(psid)
    harness.clock.advance(1_000)
    await harness.control('POST', `/people/${psid}/messages`, { text: 'Hello again' })
    await harness.settle()
    const delivered = await harness.deliveries(psid)
    expect(await send(key, psid, `${reply} in ${text}`)).toEqual({
      messageId: expect.any(String),
      createdAt: expect.any(String),
    })
    await expect(send(unconfirmed, psid, reply)).rejects.toThrow(SendRefused)
    expect(await harness.deliveries(psid)).toEqual(delivered)
  })

  it('refuses to send to a person who is being erased', async () => {
    const { psid, person } = await knownPerson()
    const delivered = await harness.deliveries(psid)
    const id = await harness.erasures.beginPerson(person.primary_user_id, { by: serverActor })
    await expect(send(newId('key'), psid, 'Hello')).rejects.toMatchObject({ code: 'RECIPIENT_UNKNOWN' })
    await harness.erasures.run(id ?? '')
    expect(await harness.deliveries(psid)).toEqual(delivered)
  })

  it('waits for a message that is being sent', async () => {
    const { psid } = await knownPerson()
    const key = newId('key')
    const now = new Date(harness.clock.now())
    await harness.db
      .insertInto('sends')
      .values({
        idempotency_key: key,
        staff_id: 's',
        page_id: prints,
        psid,
        message_text: reply,
        state: 'sending',
        message_id: null,
        created_at: now,
        updated_at: now,
      })
      .execute()
    const id = await erase(psid)
    expect(await harness.erasures.find(id)).toEqual({ id, state: 'running' })
    await harness.db
      .updateTable('sends')
      .set({ state: 'sent', message_id: newId('m') })
      .where('idempotency_key', '=', key)
      .execute()
    harness.clock.advance(1_000)
    await harness.erasures.run(id)
    expect(await harness.erasures.find(id)).toEqual({ id, state: 'completed' })
  })

  it('erases all identities of a conversation and, only if asked, the client with orders and payments', async () => {
    for (const withClient of [false, true]) {
      const [one, other] = [await harness.createPerson(), await harness.createPerson()]
      const [first, second] = [await identityOf(one), await identityOf(other)]
      const client = newId('client')
      await harness.db.insertInto('clients').values({ id: client, first_name: 'Tala', last_name: 'Bituin' }).execute()
      await harness.db
        .insertInto('orders')
        .values({ id: `o-${client}`, order_number: client, client_id: client, status: 'ready', total_amount: 5 })
        .execute()
      await harness.db
        .insertInto('payments')
        .values({ order_id: `o-${client}`, amount: 5, status: 'approved' })
        .execute()
      await linkClient(harness.db, first?.id ?? '', client)
      await mergeConversations(harness.db, first?.primary_user_id ?? '', second?.primary_user_id ?? '')
      await erase(one, { withClient })
      expect([await identityOf(one), await identityOf(other)]).toEqual([undefined, undefined])
      expect((await columnsWith(harness.db, client)).length > 0).toBe(!withClient)
    }
  })

  it('resumes in another process after a crash between any two statements', async () => {
    const { psid, person, text } = await knownPerson()
    const id = await harness.erasures.beginPerson(person.primary_user_id, { by: serverActor })
    let steps = 0
    for (let allowed = 0; (await harness.erasures.find(id ?? ''))?.state === 'running'; allowed++) {
      if (allowed > 60) throw new Error('the erasure never completes')
      await harness.newErasures({ failsAfter: allowed }).run(id ?? '')
      harness.clock.advance(60_000)
      steps = allowed
    }
    expect(steps).toBeGreaterThan(10)
    for (const one of [psid, text]) expect(await columnsWith(harness.db, one)).toEqual([])
  })

  it('stops after the current batch with the server, and resumes at once in another process', async () => {
    const page = newId('page')
    await harness.db
      .insertInto('pages')
      .values({ page_id: page, page_name: 'Other', page_access_token_encrypted: '' })
      .execute()
    await harness.db
      .insertInto('fb_users')
      .values({ id: `${page}-person`, page_id: page, psid: `${page}-person` })
      .execute()
    const messages = Array.from({ length: 1_200 }, (_, index) => ({
      message_id: `${page}-${index}`,
      fb_user_id: `${page}-person`,
      message_text: 'Hello po',
      direction: 'incoming' as const,
    }))
    await harness.db.insertInto('messages').values(messages).execute()
    const left = async () =>
      (await harness.db.selectFrom('messages').where('page_id', '=', page).select('id').execute()).length
    const stopping = harness.newErasures()
    const id = (await stopping.beginPage(page, { by: serverActor, check: async () => undefined })) ?? ''
    const running = stopping.run(id)
    await stopping.stop()
    await running
    expect([await left(), await stopping.find(id)]).toEqual([700, { id, state: 'running' }])
    await harness.newErasures().run(id)
    expect([await left(), await stopping.find(id)]).toEqual([0, { id, state: 'completed' }])
  })

  it('joins an erasure of the same person that is still running', async () => {
    const { person } = await knownPerson()
    const begin = () => harness.erasures.beginPerson(person.primary_user_id, { by: serverActor })
    const [one, other] = [await begin(), await begin()]
    expect(one).not.toBeNull()
    expect(other).toBe(one)
    await harness.erasures.run(one ?? '')
    expect(await begin()).toBeNull()
  })

  it('announces the deletion of the identity once, not each message', async () => {
    const { person } = await knownPerson()
    const changes: string[] = []
    const stop = await (await open()).listen(
      'realtime',
      (payload) => void changes.push(payload),
      () => undefined,
    )
    await erase(person.psid)
    await expect.poll(() => changes.length).toBeGreaterThan(0)
    await stop()
    expect(
      changes.map((change) => JSON.parse(change)).map(({ table, type, old_record }) => ({ table, type, old_record })),
    ).toEqual([{ table: 'fb_users', type: 'DELETE', old_record: { id: person.id } }])
  })

  it('is not confused by a person with the same psid on another page', async () => {
    const { psid } = await knownPerson()
    await harness.db
      .insertInto('pages')
      .values({ page_id: newId('page'), page_name: 'Other', page_access_token_encrypted: '' })
      .execute()
    const page = `page-${created}`
    await harness.db.insertInto('fb_users').values({ page_id: page, psid, name: 'Other person' }).execute()
    await erase(psid)
    expect((await identityOf(psid))?.page_id).toBe(page)
    await harness.db.deleteFrom('pages').where('page_id', '=', page).execute()
  })

  it('deletes with a page the people, texts, comments and bodies of it alone, and announces each batch once', async () => {
    const page = newId('page')
    await harness.db
      .insertInto('pages')
      .values({ page_id: page, page_name: 'Other', page_access_token_encrypted: '' })
      .execute()
    const shared = await harness.createPerson()
    const sharedId = (await identityOf(shared))?.id ?? ''
    const own = Array.from({ length: 120 }, (_, index) => `${page}-person-${index}`)
    const all = [...own, `${page}-shared`]
    await harness.db
      .insertInto('fb_users')
      .values(all.map((id) => ({ id, page_id: page, psid: id, name: `Name of ${id}` })))
      .execute()
    await mergeConversations(harness.db, sharedId, `${page}-shared`)
    await harness.db
      .insertInto('messages')
      .values(
        all.flatMap((id) =>
          Array.from({ length: 6 }, (_, index) => ({
            message_id: `${id}-${index}`,
            fb_user_id: id,
            message_text: `Text of ${id}`,
            direction: 'incoming' as const,
          })),
        ),
      )
      .execute()
    await harness.db
      .insertInto('sends')
      .values({
        idempotency_key: `${page}-key`,
        staff_id: 's',
        page_id: page,
        psid: own[0] ?? '',
        message_text: `Text for ${own[0]}`,
        state: 'unknown',
        message_id: null,
      })
      .execute()
    const body = JSON.stringify({
      object: 'page',
      entry: [{ id: page, messaging: [event(own[0] ?? '', { message: { mid: 'm', text: 'x' } })] }],
    })
    await harness.db
      .insertInto('webhook_inbox')
      .values([
        { body, processed_at: new Date() },
        { body, due_at: 'infinity' },
      ])
      .execute()

    await sql`insert into posts (id, page_id, platform) values (${`${page}-post`}, ${page}, 'messenger')`.execute(
      harness.db,
    )
    await sql`
      insert into comments (id, post_id, page_id, author_id, by_page, message, created_at, text_at)
      select ${page} || '-comment-' || number, ${`${page}-post`}, ${page}, ${page} || '-person-' || number, false,
        'Text of ' || ${page}, now(), now()
      from generate_series(1, 1100) number`.execute(harness.db)
    await sql`
      insert into comment_threads (post_id, page_id, author_id, last_at)
      select post_id, page_id, author_id, created_at from comments where page_id = ${page}`.execute(harness.db)

    const changes: string[] = []
    const stop = await (await open()).listen(
      'realtime',
      (payload) => {
        const { table, type } = JSON.parse(payload)
        changes.push(`${type} ${table}`)
      },
      () => undefined,
    )
    const id = await harness.erasures.beginPage(page, { by: serverActor, check: async () => undefined })
    await harness.erasures.run(id ?? '')
    expect(await harness.erasures.find(id ?? '')).toEqual({ id, state: 'completed' })
    // 121 people, 50 at a time; 1,100 threads, 500 at a time.
    await expect
      .poll(() => changes)
      .toEqual([...Array(3).fill('DELETE fb_users'), ...Array(3).fill('DELETE comment_threads')])
    await stop()
    for (const text of [`${page}-person`, 'Name of page', 'Text of page', 'Text for page']) {
      expect(await columnsWith(harness.db, text)).toEqual([])
    }
    expect(await columnsWith(harness.db, page)).toEqual([
      'audit_entries.row_id',
      // Keyed hashes of people with chats elsewhere, for when the page is connected again.
      'former_identities.page_id',
      // Counts, and when the page was removed.
      'message_volume_changes.page_id',
      'page_total_changes.page_id',
      'removed_pages.page_id',
      'sends.idempotency_key',
      'sends.page_id',
      'waits.page_id',
      'webhook_inbox.body',
    ])
    expect(await wordsOf(shared)).toEqual(['Hello po'])
    expect((await identityOf(shared))?.id).toBe(sharedId)
  })
})
