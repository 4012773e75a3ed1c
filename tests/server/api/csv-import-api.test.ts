import { readFileSync } from 'node:fs'
import type { Hono } from 'hono'
import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import type { Db } from '../../../server/database/database.ts'
import { sources } from '../../../server/exports/sources.ts'
import { apiScopes } from '../../../src/schemas/api-key.ts'
import { defaultBusiness } from '../../../src/schemas/business.ts'
import { callAs, requestAs, wholeApi } from '../api-harness.ts'
import { describeOnDatabase } from '../databases.ts'
import { clearBusiness, erasedPeople, openCsvImports, storedBusiness } from '../imports/csv-harness.ts'
import { addIdentity, addPage } from '../people.ts'
import { type SignedIn, signIn } from '../sign-in.ts'

const id = '6f1b51b2-8d8c-4a0e-a31c-0a4a2b8e7c11'
const file = 'id,name,email\nc-1,Tala Bituin,=1+1@example.com\nc-2,Luz,\nc-3,+Ben Cruz,\n'

describeOnDatabase('Import and export by staff', (open) => {
  let db: Db
  let api: Hono
  let csv: ReturnType<typeof openCsvImports>
  let administrator: SignedIn

  beforeEach(async () => {
    db = (await open()).db
    await clearBusiness(db)
    for (const table of ['api_keys', 'attempts', 'staff'] as const) await db.deleteFrom(table).execute()
    administrator = await signIn(db)
    csv = openCsvImports(db)
    api = wholeApi(db, {
      erasedPeople,
      csvImports: csv.imports,
      clock: csv.clock,
      addressOf: () => '192.0.2.9',
      business: { ...defaultBusiness, time_zone: 'UTC' },
    })
  })

  const request = (
    method: string,
    path: string,
    body?: unknown,
    who: { headers: Record<string, string> } = administrator,
  ) => requestAs(who, api, method, path, body)
  const call = (method: string, path: string, body?: unknown) => callAs(administrator, api, method, path, body)
  const begin = (over: object = {}) =>
    call('POST', '/imports', { id, kind: 'clients', file_name: 'a.csv', bytes: file.length, ...over })

  it('takes a file from the upload to the rows that were refused', async () => {
    expect((await begin()).body.data).toMatchObject({ id, state: 'uploading', started_by_name: 'Ana Reyes' })
    const part = { data: Buffer.from(file).toString('base64') }
    expect((await call('POST', `/imports/${id}/read`)).status).toBe(409)
    expect((await call('PUT', `/imports/${id}/parts/0`, part)).status).toBe(200)
    expect((await call('POST', `/imports/${id}/read`)).body.data).toMatchObject({ state: 'reading' })
    await csv.workAll()
    const { data } = (await call('GET', `/imports/${id}`)).body
    expect(data).toMatchObject({
      state: 'mapping',
      encoding: 'UTF-8',
      separator: ',',
      columns: ['id', 'name', 'email'],
      examples: [['c-1', 'c-2', 'c-3'], ['Tala Bituin', 'Luz', '+Ben Cruz'], ['=1+1@example.com']],
      mapping: { fields: { id: 0, name: 1, email: 2 }, amounts: 'point', dates: 'mdy' },
      rows: 3,
    })
    expect((await call('POST', `/imports/${id}/run`)).status).toBe(409)
    const without = { ...data.mapping, fields: { id: 0 } }
    expect((await call('POST', `/imports/${id}/check`, without)).status).toBe(422)
    const beyond = { ...data.mapping, fields: { ...data.mapping.fields, phone: 3 } }
    expect((await call('POST', `/imports/${id}/check`, beyond)).status).toBe(422)
    expect((await call('POST', `/imports/${id}/check`, data.mapping)).body.data).toMatchObject({ state: 'checking' })
    await csv.workAll()
    expect((await call('GET', `/imports/${id}/rows?outcome=refused`)).body.data).toEqual({
      rows: [
        { line: 3, cells: ['c-2', 'Luz', ''], outcome: 'refused', reason: 'A client needs a first and a last name.' },
      ],
      next: null,
    })
    for (const _ of [1, 2]) expect((await call('POST', `/imports/${id}/run`)).status).toBe(200)
    await csv.workAll()
    expect((await call('GET', '/imports')).body.data.imports).toMatchObject([
      { id, state: 'completed', created: 2, refused: 1, done: 3 },
    ])
    const { path } = (await call('POST', `/imports/${id}/refused-rows`)).body.data
    const refused = await api.request(path)
    expect(refused.headers.get('content-disposition')).toBe('attachment; filename="refused-rows.csv"')
    expect([refused.headers.get('content-type'), await refused.text()]).toEqual([
      'text/csv; charset=utf-8',
      'id,name,email,Reason\nc-2,Luz,,A client needs a first and a last name.\n',
    ])
    const entries = await db.selectFrom('audit_entries').selectAll().orderBy('id').execute()
    expect(entries.map(({ action, staff_name, row_id }) => [action, staff_name, row_id])).toEqual([
      ['csv-import.started', 'Ana Reyes', id],
      ['csv-import.completed', 'Ana Reyes', id],
      ['data.exported', 'Ana Reyes', id],
    ])
    expect(entries.at(-1)?.details).toEqual({ kind: 'clients', refused: 1, waiting: 0 })
  })

  it('returns many refused rows as one CSV file with one byte order mark and one header', async () => {
    const rows = Array.from({ length: 1_203 }, (_, index) => `c-${index},Luz`)
    const done = await csv.importFile('clients', `id,name\n${rows.join('\n')}\n`)
    const { path } = (await call('POST', `/imports/${done.id}/refused-rows`)).body.data
    const returned = Buffer.from(await (await api.request(path)).arrayBuffer()).toString()
    const reason = 'A client needs a first and a last name.'
    expect(returned).toBe(`\ufeffid,name,Reason\n${rows.map((row) => `${row},${reason}\n`).join('')}`)
  })

  it('refuses too many open imports, too large files, wrong parts and unknown imports', async () => {
    expect((await begin({ bytes: 50 * 1024 * 1024 + 1 })).status).toBe(400)
    expect((await begin({ id: 'one' })).status).toBe(400)
    for (let n = 0; n < 10; n++) expect((await begin({ id: id.slice(0, -1) + n })).status).toBe(200)
    const other = `${id.slice(0, -1)}f`
    expect((await begin({ id: other })).status).toBe(409)
    expect((await call('PUT', `/imports/${id}/parts/0`, { data: 'not base64!' })).status).toBe(400)
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/read'],
      ['POST', '/run'],
      ['POST', '/cancel'],
      ['POST', '/refused-rows'],
    ] as const)
      expect((await call(method, `/imports/${other}${path}`)).status).toBe(404)
    expect((await call('POST', `/imports/${id.slice(0, -1)}0/cancel`)).body.data).toMatchObject({ state: 'cancelled' })
    expect((await begin({ id: other })).status).toBe(200)
    await db.updateTable('attempts').set({ count: 60 }).execute()
    expect((await begin({ id: other })).status).toBe(429)
  })

  it('refuses an erased client of another program', async () => {
    const key = (await call('POST', '/api-keys', { name: 'Shop', scopes: apiScopes })).body.data.secret
    const put = async () => {
      const body = { first_name: 'Tala', last_name: 'Bituin', email: 'tala@example.com' }
      const response = await request('PUT', '/import/clients/c-1', body, {
        headers: { authorization: `Bearer ${key}` },
      })
      return [response.status, (await response.json()).error]
    }
    expect(await put()).toEqual([200, undefined])
    await db.deleteFrom('clients').execute()
    const hashes = erasedPeople.hashesOfClient({ email: 'TALA@example.com' })
    await db
      .insertInto('erased_clients')
      .values(hashes.map((client_hash) => ({ client_hash, erased_at: new Date() })))
      .execute()
    expect(await put()).toEqual([422, 'This client was erased on request and is not stored again.'])
  })

  async function download(kind: string, format: string): Promise<Response> {
    const { path } = (await call('POST', '/exports', { kind, format })).body.data
    return api.request(path)
  }

  it('exports every kind once for a ticket, with formulas defused, and reads its own files again', async () => {
    await csv.importFile('clients', file)
    await csv.importFile('orders', 'order,client id,status,total,date\nSO-1,c-1,-ready,5,2026-01-02\n')
    await csv.importFile('items', 'order,item,qty,price\nSO-1,@Mug,2,1.50\n')
    await csv.importFile('payments', 'order,amount,status,date\nSO-1,5,approved,2026-01-02\n')
    const {
      rows: [{ at } = { at: new Date() }],
    } = await sql<{ at: Date }>`
      select created_at as at from clients where external_id = 'c-1'`.execute(db)
    await csv.importFile('products', 'sku,name,price\nM-1,=Mug,1.50\n')
    const before = await storedBusiness(db)
    const texts = new Map<string, string>()
    for (const kind of ['clients', 'orders', 'items', 'payments', 'products']) {
      const response = await download(kind, 'csv')
      expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${kind}.csv"`)
      texts.set(kind, Buffer.from(await response.arrayBuffer()).toString())
    }
    expect(texts.get('clients')).toContain(
      `\ufeffexternal_id,first_name,last_name,company_name,email,phone,classification,is_active,language,labels,created_at,merged_external_ids\n`,
    )
    expect(texts.get('clients')).toContain(
      `\nc-1,Tala,Bituin,,'=1+1@example.com,,new,true,,[],${at.toISOString()},[]\n`,
    )
    expect(texts.get('products')).toContain("\nM-1,'=Mug,1.50,PHP,true,,\n")
    for (const kind of ['clients', 'orders', 'items', 'payments', 'products'] as const) {
      const again = await csv.importFile(kind, texts.get(kind) ?? '')
      expect([kind, again.created, again.changed, again.refused, again.waiting]).toEqual([kind, 0, 0, 0, 0])
    }
    expect(await storedBusiness(db)).toEqual(before)
    expect(await (await download('items', 'json')).json()).toEqual([
      {
        order_external_id: 'SO-1',
        order_number: 'SO-1',
        external_id: '["@Mug","1.50"]',
        item_name: '@Mug',
        quantity: 2,
        unit_price: 1.5,
        currency: 'PHP',
      },
    ])
    for (const kind of ['conversations', 'messages']) expect(await (await download(kind, 'json')).json()).toEqual([])
  })

  it('exports the rows of every table, or the documentation says why not', async () => {
    const { rows } = await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema', 'pgboss')
        and tablename <> 'applied_migrations' order by name`.execute(db)
    const exported = Object.values(sources).flatMap(({ tables }) => tables)
    const text = readFileSync('docs/operations.md', 'utf8')
    const lines = text.slice(text.indexOf('Tables that no export has:')).split('\n\n')[1]?.split('\n') ?? []
    const leftOut = lines.flatMap((line) =>
      [...(line.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name),
    )
    expect([...new Set(exported), ...leftOut].sort()).toEqual(rows.map(({ name }) => name))
  })

  it('exports settings, pages and staff without their secrets', async () => {
    await addPage(db, 'p1')
    const hours = { time_zone: 'Asia/Manila', away_text: 'We are closed.' }
    await sql`insert into business_settings (name, settings, version, updated_at)
      values ('business-hours', ${JSON.stringify(hours)}::jsonb, 1, now())`.execute(db)
    await sql`insert into shops (id, kind, address, name, credentials_encrypted, connected_at, updated_at)
      values ('s1', 'shopify', 'balay.example', 'Balay', 'sealed', now(), now())`.execute(db)
    await sql`insert into webhook_endpoints (id, url, events, secret_encrypted, created_by, created_at)
      values ('w1', 'https://example.com/in', '["order.changed"]', 'sealed', 'Ana', now())`.execute(db)
    await db.updateTable('pages').set({ page_access_token_encrypted: 'sealed' }).execute()
    const textOf = async (kind: string) => (await download(kind, 'json')).text()
    const settings: { name: string; settings: unknown }[] = JSON.parse(await textOf('settings'))
    expect(settings.map((row) => [row.name, row.settings])).toEqual([
      ['auto-sync', { enabled: true, interval_minutes: 5, hours_back: 2 }],
      ['business-hours', hours],
      ['shop', { kind: 'shopify', address: 'balay.example', name: 'Balay' }],
      ['webhook', { url: 'https://example.com/in', description: '', events: ['order.changed'], is_active: true }],
    ])
    const [pages, staff] = [await textOf('pages'), await textOf('staff')]
    expect([JSON.parse(pages)[0].page_id, JSON.parse(staff)[0].name]).toEqual(['p1', 'Ana Reyes'])
    expect(`${JSON.stringify(settings)}${pages}${staff}`).not.toContain('sealed')
    for (const kind of ['wrong-answers', 'people', 'posts']) expect(JSON.parse(await textOf(kind))).toEqual([])
    for (const table of ['pages', 'shops', 'webhook_endpoints', 'business_settings'] as const)
      await db.deleteFrom(table).execute()
  })

  it('exports what staff wrote and set, with the names of labels and people', async () => {
    const made = new Date('2026-01-02T03:04:05.000Z')
    const { id: ana } = await db
      .selectFrom('staff')
      .select('id')
      .where('name', '=', 'Ana Reyes')
      .executeTakeFirstOrThrow()
    const { id: client } = await db
      .insertInto('clients')
      .values({ first_name: 'Tala', last_name: 'Bituin', created_at: made })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('labels')
      .values([
        { id: 'vip', name: 'VIP', name_key: 'vip', colour: 'red', keywords: ['wholesale'], created_at: made },
        { id: 'old', name: 'Old', name_key: 'old', colour: 'blue', keywords: [], created_at: made, deleted_at: made },
      ])
      .execute()
    await db
      .insertInto('client_labels')
      .values({ client_id: client, label_ids: ['old', 'vip'] })
      .execute()
    await addPage(db, 'p1')
    await addIdentity(db, 'u1', { page: 'p1', name: 'Tala' })
    await db
      .updateTable('conversations')
      .set({ label_ids: ['vip'], assigned_to: ana, done_at: null, created_at: made })
      .where('primary_user_id', '=', 'u1')
      .execute()
    await sql`
      insert into notes (id, primary_user_id, staff_id, text, mentions, created_at)
      values ('n1', 'u1', ${ana}, '=call back', '[]', ${made})`.execute(db)
    await db
      .insertInto('saved_replies')
      .values({ name: 'hi', name_key: 'hi', text: 'Hello {first_name}', created_at: made, updated_at: made })
      .execute()
    await db.deleteFrom('faq_entries').execute()
    await db
      .insertInto('faq_entries')
      .values({
        title: 'Delivery',
        category_id: 'delivery',
        keywords: ['deliver', 'ship'],
        response: 'Two days.',
        created_at: made,
        updated_at: made,
      })
      .execute()
    await db.insertInto('posts').values({ id: 'post1', page_id: 'p1', platform: 'messenger' }).execute()
    const comment = {
      post_id: 'post1',
      page_id: 'p1',
      author_id: 'a1',
      author_name: 'Luz',
      by_page: false,
      message: 'mine 3',
      created_at: made,
      text_at: made,
    }
    await db
      .insertInto('comments')
      .values([
        { id: 'c1', ...comment },
        { id: 'c2', ...comment, removed_at: made, removed_by: 'person' },
      ])
      .execute()
    const exported = async (kind: string) => (await download(kind, 'json')).json()
    const created_at = made.toISOString()
    expect((await exported('clients')).map((row: { labels: unknown }) => row.labels)).toEqual([['VIP']])
    expect(
      (await exported('conversations')).map((row: { labels: unknown; assigned_to: unknown }) => [
        row.labels,
        row.assigned_to,
      ]),
    ).toEqual([[['VIP'], 'Ana Reyes']])
    expect(await exported('labels')).toEqual([
      { id: 'vip', name: 'VIP', colour: 'red', keywords: ['wholesale'], created_at },
    ])
    expect(await exported('notes')).toEqual([
      { id: 'n1', conversation_id: 'u1', text: '=call back', written_by: 'Ana Reyes', created_at },
    ])
    expect(await exported('saved-replies')).toEqual([
      {
        name: 'hi',
        text: 'Hello {first_name}',
        page_ids: null,
        structure: null,
        uses: 0,
        created_at,
        updated_at: created_at,
      },
    ])
    expect(await exported('faq-entries')).toEqual([
      {
        title: 'Delivery',
        category: 'Delivery and pick-up',
        keywords: ['deliver', 'ship'],
        response: 'Two days.',
        is_active: true,
        priority: 0,
        page_ids: null,
        created_at,
        updated_at: created_at,
      },
    ])
    expect(await exported('comments')).toEqual([
      {
        comment_id: 'c1',
        post_id: 'post1',
        parent_id: null,
        page_id: 'p1',
        author_name: 'Luz',
        by_page: false,
        text: 'mine 3',
        picture_url: null,
        hidden_at: null,
        created_at,
      },
    ])
    const notes = await download('notes', 'csv')
    expect(notes.headers.get('content-disposition')).toBe('attachment; filename="notes.csv"')
    expect(Buffer.from(await notes.arrayBuffer()).toString()).toBe(
      `\ufeffid,conversation_id,text,written_by,created_at\nn1,u1,'=call back,Ana Reyes,${created_at}\n`,
    )
    for (const table of ['pages', 'labels', 'saved_replies'] as const) await db.deleteFrom(table).execute()
  })

  it('writes at most two exports of whichever kind at once, also if their requests arrive together', async () => {
    const { path } = (await call('POST', '/exports', { kind: 'clients', format: 'csv' })).body.data
    const tickets = [path]
    await csv.importFile('clients', file)
    const { id: refusedOf } = (await call('GET', '/imports')).body.data.imports[0]
    tickets.push((await call('POST', `/imports/${refusedOf}/refused-rows`)).body.data.path)
    tickets.push((await call('POST', '/exports', { kind: 'orders', format: 'csv' })).body.data.path)
    await addPage(db, 'p1')
    await addIdentity(db, 'u1', { page: 'p1' })
    const answers = await Promise.all([
      ...tickets.map((each) => api.request(each)),
      request('GET', '/persons/u1/export'),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 503, 503])
    expect((await request('POST', '/exports', { kind: 'orders', format: 'csv' })).status).toBe(503)
    for (const answer of answers) await answer.text()
    // The ticket of a refused download is not used up.
    expect((await api.request(tickets[2])).status).toBe(200)
  })

  it('refuses a ticket the second time, after a minute, and after the session has ended', async () => {
    const ticket = async () => (await call('POST', '/exports', { kind: 'clients', format: 'csv' })).body.data.path
    const used = await ticket()
    expect([(await api.request(used)).status, (await api.request(used)).status]).toEqual([200, 403])
    const late = await ticket()
    csv.clock.advance(60_000)
    expect((await api.request(late)).status).toBe(403)
    // Tickets that nobody used are deleted with the next one.
    await ticket()
    csv.clock.advance(60_000)
    const ended = await ticket()
    expect(await db.selectFrom('export_tickets').select('ticket_hash').execute()).toHaveLength(1)
    await db.updateTable('staff_sessions').set({ revoked_at: new Date() }).execute()
    expect((await api.request(ended)).status).toBe(403)
  })
})
