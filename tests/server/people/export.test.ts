import { afterAll, beforeAll, expect, it } from 'vitest'
import { recordAudit, serverActor } from '../../../server/audit/audit.ts'
import { linkClient } from '../../../server/database/groups.ts'
import { exportPerson } from '../../../server/people/export.ts'
import { eraseByCommand, exportByCommand } from '../../../server/person-command.ts'
import { StartupError } from '../../../server/startup-error.ts'
import { defaultBusiness } from '../../../src/schemas/business.ts'
import { requestAs } from '../api-harness.ts'
import { describeOnDatabase } from '../databases.ts'
import { keyring, prints } from '../network-harness.ts'
import { openPageHarness, type PageHarness } from '../page-harness.ts'
import { columnsWith } from './catalogue.ts'

describeOnDatabase('The export and erasure of a person by API and command', (open) => {
  let harness: PageHarness
  beforeAll(async () => {
    harness = await openPageHarness(await open())
    await harness.connect(prints)
  })
  afterAll(() => harness.close())

  const identityOf = (psid: string) =>
    harness.db.selectFrom('fb_users').selectAll().where('psid', '=', psid).executeTakeFirstOrThrow()
  const exported = async (id: string) => {
    const parts: string[] = []
    for await (const part of exportPerson(harness.db, id, new Date(0))) parts.push(part)
    return JSON.parse(parts.join(''))
  }
  const call = (role: 'administrator' | 'agent', method: string, path: string, body?: unknown) =>
    requestAs(harness.staff[role], harness.first.api, method, path, body)

  it('writes everything that the server knows into one JSON document', async () => {
    const psid = await harness.createPerson()
    const other = await harness.createPerson()
    const person = await identityOf(psid)
    const key = `key-${psid}`
    await harness.newSending().send({ key, staffId: 's', pageId: prints, psid, text: 'Opo' })
    await harness.settle()
    await harness.db.insertInto('clients').values({ id: psid, first_name: 'Tala', last_name: 'Bituin' }).execute()
    await harness.db
      .insertInto('orders')
      .values({ id: `o${psid}`, order_number: psid, client_id: psid, status: 'ready', total_amount: '12.50' })
      .execute()
    await harness.db
      .insertInto('payments')
      .values({ id: `p${psid}`, order_id: `o${psid}`, amount: 5, status: 'approved' })
      .execute()
    await linkClient(harness.db, person.id, psid)
    const entry = { at: 0, by: { ...serverActor, address: '192.0.2.9' } }
    await recordAudit(harness.db, {
      ...entry,
      action: 'client.linked',
      row: { kind: 'conversation', id: person.primary_user_id },
      details: { client: psid },
    })
    await recordAudit(harness.db, { ...entry, action: 'client.created', row: { kind: 'client', id: psid } })
    await harness.control('POST', `/people/${psid}/messages`, { text: 'z'.repeat(9_000) })
    await harness.settle()
    const message = await harness.db
      .selectFrom('messages')
      .select('message_id')
      .where('fb_user_id', '=', person.id)
      .where('message_text', '=', 'Hello po')
      .executeTakeFirstOrThrow()
    await harness.db
      .updateTable('messages')
      .set({ attachments: JSON.stringify({ data: [{}, { image_data: { url: '/pictures/abc', preview_url: 'x' } }] }) })
      .where('message_id', '=', message.message_id)
      .execute()
    await harness.db
      .insertInto('stored_files')
      .values({
        message_id: message.message_id,
        position: 1,
        source_hash: psid,
        storage_key: `file-${psid}`,
        due_at: new Date(0),
        created_at: new Date(0),
      })
      .execute()
    await harness.db
      .insertInto('early_edits')
      .values({ message_id: `e${psid}`, page_id: prints, psid, message_text: 'Opo po', edited_at: new Date(0) })
      .execute()
    const document = await exported(person.primary_user_id)
    expect(document).toMatchObject({
      format: 'staff-inbox-person',
      version: 1,
      exported_at: '1970-01-01T00:00:00.000Z',
      conversation: person.primary_user_id,
      identities: [{ id: person.id, psid, page_id: prints, name: 'Amihan Dalisay' }],
      pages: [{ page_id: prints }],
      client: { id: psid, first_name: 'Tala' },
      orders: [{ id: `o${psid}`, total_amount: '12.50' }],
      payments: [{ id: `p${psid}` }],
      sends: [{ idempotency_key: key, message_text: 'Opo', state: 'sent' }],
      early_edits: [{ message_id: `e${psid}`, message_text: 'Opo po' }],
      automatic_replies: [],
      files: [{ message_id: message.message_id, link: '/pictures/abc' }],
      state: { primary_user_id: person.primary_user_id, client_id: psid },
      profile_lookups: [],
      realtime_changes: [{ change: { record: { message_text: 'z'.repeat(9_000) } } }],
    })
    expect(document.audit_entries).toEqual([
      expect.objectContaining({ action: 'client.linked', row_id: person.primary_user_id, details: { client: psid } }),
      expect.objectContaining({ action: 'client.created', row_id: psid }),
    ])
    expect(JSON.stringify(document.audit_entries)).not.toContain('192.0.2.9')
    expect(document.state_changes.map((change: object) => Object.keys(change))).not.toEqual([])
    expect(document.messages.map(({ message_text }: { message_text: string }) => message_text).sort()).toEqual([
      'Hello po',
      'Opo',
      'z'.repeat(9_000),
    ])
    const events = JSON.stringify(document.webhook_events)
    expect(events).toContain('Hello po')
    expect(JSON.stringify(document)).not.toContain(other)
  })

  it('reads a long conversation in batches, without a gap or a repetition', async () => {
    const psid = await harness.createPerson()
    const person = await identityOf(psid)
    const ids = Array.from({ length: 1_203 }, (_, index) => `${psid}-${index}`)
    await harness.db
      .insertInto('messages')
      .values(
        ids.map((message_id) => ({
          message_id,
          fb_user_id: person.id,
          message_text: 'x',
          direction: 'incoming' as const,
        })),
      )
      .execute()
    const { messages } = await exported(person.primary_user_id)
    const found = messages.map(({ message_id }: { message_id: string }) => message_id)
    expect(new Set(found).size).toBe(found.length)
    expect(found).toEqual(expect.arrayContaining(ids))
    expect(found.length).toBe(ids.length + 1)
  })

  it('exports by the API for an administrator alone, as a file', async () => {
    const psid = await harness.createPerson()
    const person = await identityOf(psid)
    const path = `/persons/${person.primary_user_id}/export`
    expect((await call('agent', 'GET', path)).status).toBe(403)
    const response = await call('administrator', 'GET', path)
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="person.json"')
    expect(await response.json()).toMatchObject({ identities: [{ psid }] })
    expect((await call('administrator', 'GET', '/persons/nobody/export')).status).toBe(404)
  })

  it('writes at most two exports at the same time, and a cancelled one makes room', async () => {
    const person = await identityOf(await harness.createPerson())
    const path = `/persons/${person.primary_user_id}/export`
    const [first, second] = [await call('administrator', 'GET', path), await call('administrator', 'GET', path)]
    const third = await call('administrator', 'GET', path)
    expect([third.status, third.headers.get('retry-after')]).toEqual([503, '10'])
    await first.body?.cancel()
    const fourth = await call('administrator', 'GET', path)
    expect(fourth.status).toBe(200)
    await Promise.all([second.body?.cancel(), fourth.body?.cancel()])
  })

  it('ends an export that nobody reads for a minute', async () => {
    const person = await identityOf(await harness.createPerson())
    const path = `/persons/${person.primary_user_id}/export`
    const unread = [await call('administrator', 'GET', path), await call('administrator', 'GET', path)]
    harness.clock.advance(59_999)
    expect((await call('administrator', 'GET', path)).status).toBe(503)
    harness.clock.advance(1)
    for (const response of unread) await expect(response.text()).rejects.toThrow('took too long')
    const next = await call('administrator', 'GET', path)
    expect([next.status, await next.json()]).toEqual([
      200,
      expect.objectContaining({ identities: [expect.anything()] }),
    ])
  })

  it('counts no export for a request without a body', async () => {
    const person = await identityOf(await harness.createPerson())
    const path = `/persons/${person.primary_user_id}/export`
    for (let asked = 0; asked < 3; asked++) expect((await call('administrator', 'HEAD', path)).status).toBe(200)
    const response = await call('administrator', 'GET', path)
    expect(response.status).toBe(200)
    await response.body?.cancel()
  })

  it('erases by the API for an administrator alone, and tells when it is completed', async () => {
    const psid = await harness.createPerson()
    const person = await identityOf(psid)
    const path = `/persons/${person.primary_user_id}/erase`
    expect((await call('agent', 'POST', path, {})).status).toBe(403)
    const begun = await (await call('administrator', 'POST', path, {})).json()
    expect(begun).toEqual({ success: true, data: { id: expect.any(String), state: 'running' } })
    await harness.erasures.run(begun.data.id)
    expect(await (await call('administrator', 'GET', `/erasures/${begun.data.id}`)).json()).toEqual({
      success: true,
      data: { id: begun.data.id, state: 'completed' },
    })
    expect((await call('administrator', 'POST', path, {})).status).toBe(404)
    expect((await call('administrator', 'GET', '/erasures/unknown')).status).toBe(404)
    expect(await columnsWith(harness.db, psid)).toEqual([])
  })

  it('names what an erasure deletes, and erases the client only on request and only if no other person has it', async () => {
    const [psid, otherPsid] = [await harness.createPerson(), await harness.createPerson()]
    const [person, other] = [await identityOf(psid), await identityOf(otherPsid)]
    const client = `client-${psid}`
    await harness.db.insertInto('clients').values({ id: client, first_name: 'Tala', last_name: 'Bituin' }).execute()
    await harness.db
      .insertInto('orders')
      .values(
        ['1', '2'].map((n) => ({
          id: `${client}-${n}`,
          order_number: `${client}-${n}`,
          client_id: client,
          status: 'ready',
          total_amount: 5,
        })),
      )
      .execute()
    await harness.db
      .insertInto('payments')
      .values({ order_id: `${client}-1`, amount: 5, status: 'approved' })
      .execute()
    const path = `/persons/${person.primary_user_id}`
    const erasable = async () => (await (await call('administrator', 'GET', `${path}/erasable`)).json()).data
    expect(await erasable()).toEqual({ messages: 1, files: 0, client: null })
    await linkClient(harness.db, person.id, client)
    const linked = { name: 'Tala Bituin', orders: 2, payments: 1, is_shared: false }
    expect(await erasable()).toEqual({ messages: 1, files: 0, client: linked })
    expect((await call('agent', 'GET', `${path}/erasable`)).status).toBe(403)
    expect((await call('administrator', 'GET', '/persons/nobody/erasable')).status).toBe(404)

    const share = (client_id: string | null) =>
      harness.db.updateTable('fb_users').set({ client_id }).where('id', '=', other.id).execute()
    await share(client)
    expect(await erasable()).toEqual({ messages: 1, files: 0, client: { ...linked, is_shared: true } })
    const refused = await call('administrator', 'POST', `${path}/erase`, { withClient: true })
    expect([refused.status, (await refused.json()).code]).toEqual([409, 'CLIENT_SHARED'])
    await share(null)
    const begun = await (await call('administrator', 'POST', `${path}/erase`, { withClient: true })).json()
    // Linked after the erasure began: the client of somebody else stays.
    await share(client)
    await harness.erasures.run(begun.data.id)
    expect(await columnsWith(harness.db, psid)).toEqual(
      expect.arrayContaining(['clients.id', 'fb_users.client_id', 'orders.client_id']),
    )
    await share(null)
  })

  it('exports and erases by the command, and names the conversations of an id that several people have', async () => {
    const psid = await harness.createPerson()
    const parts = { db: harness.db, clock: harness.clock, logger: harness.logger }
    const settings = {
      secretKeys: undefined,
      business: defaultBusiness,
      secretKey: keyring.secrets[0],
      dataDir: '',
      files: { maxBytes: 1, s3: undefined },
    }
    let document = ''
    for await (const part of exportByCommand(parts, psid)) document += part
    expect(JSON.parse(document)).toMatchObject({ identities: [{ psid }] })
    await harness.db
      .insertInto('pages')
      .values({ page_id: 'other', page_name: 'Other', page_access_token_encrypted: '' })
      .execute()
    await harness.db.insertInto('fb_users').values({ id: 'twin', page_id: 'other', psid }).execute()
    await expect(eraseByCommand(parts, settings, { id: psid, withClient: false })).rejects.toThrow(
      /several people.*twin/,
    )
    await eraseByCommand(parts, settings, { id: 'twin', withClient: false })
    await eraseByCommand(parts, settings, { id: psid, withClient: false })
    expect(await columnsWith(harness.db, psid)).toEqual([])
    await expect(eraseByCommand(parts, settings, { id: psid, withClient: false })).rejects.toThrow(StartupError)
  })
})
