import { afterAll, beforeAll, expect, it } from 'vitest'
import { linkClient } from '../../../server/database/groups.ts'
import { exportPerson } from '../../../server/people/export.ts'
import { eraseByCommand, exportByCommand } from '../../../server/person-command.ts'
import { StartupError } from '../../../server/startup-error.ts'
import { describeOnEachDatabase } from '../databases.ts'
import { keyring, prints } from '../network-harness.ts'
import { openPageHarness, type PageHarness } from '../page-harness.ts'
import { columnsWith } from './catalogue.ts'

describeOnEachDatabase('The export and erasure of a person by API and command', (open) => {
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
    harness.first.api.request(path, {
      method,
      headers: { ...harness.staff[role].headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })

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
      automatic_replies: [],
    })
    expect(document.messages.map(({ message_text }: { message_text: string }) => message_text).sort()).toEqual([
      'Hello po',
      'Opo',
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

  it('exports and erases by the command, and names the conversations of an id that several people have', async () => {
    const psid = await harness.createPerson()
    const parts = { db: harness.db, clock: harness.clock, logger: harness.logger }
    const settings = {
      secretKeys: undefined,
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
