import type { Hono } from 'hono'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import type { Role } from '../../../server/auth/roles.ts'
import type { Db, OpenDatabase } from '../../../server/database/database.ts'
import { mergeConversations } from '../../../server/database/groups.ts'
import { wholeApi } from '../api-harness.ts'
import { describeOnDatabase } from '../databases.ts'
import { addIdentity, addMessage, addPage, at } from '../people.ts'
import { type SignedIn, signInEachRole } from '../sign-in.ts'

const addClient = (db: Db, id: string, first: string, last: string, values: Record<string, string | boolean> = {}) =>
  db
    .insertInto('clients')
    .values({ id, first_name: first, last_name: last, created_at: at(0), ...values })
    .execute()

const addOrder = (db: Db, id: string, client: string, minute: number, total: string, status = 'ready') =>
  db
    .insertInto('orders')
    .values({
      id,
      order_number: `SO-${id}`,
      client_id: client,
      status,
      total_amount: total,
      items: JSON.stringify([{ name: 'Tarpaulin', quantity: 2, unit_price: 40.5 }]),
      created_at: at(minute),
    })
    .execute()

const addPayment = (
  db: Db,
  id: string,
  order: string,
  minute: number,
  amount: string,
  external_id: string | null = null,
) =>
  db
    .insertInto('payments')
    .values({ id, order_id: order, amount, status: 'approved', created_at: at(minute), external_id })
    .execute()

const shownClient = (id: string, first: string, last: string, values: Record<string, unknown> = {}) => ({
  id,
  first_name: first,
  last_name: last,
  company_name: null,
  email: null,
  phone: null,
  classification: 'new',
  is_active: true,
  fb_user_id: null,
  created_at: at(0).toISOString(),
  language: null,
  labels: null,
  version: 1,
  ...values,
})

const shownOrder = (
  id: string,
  client: string,
  minute: number,
  total: number,
  values: Record<string, unknown> = {},
) => ({
  id,
  order_number: `SO-${id}`,
  client_id: client,
  status: 'ready',
  total_amount: total,
  created_at: at(minute).toISOString(),
  ...values,
})

const items = [{ name: 'Tarpaulin', quantity: 2, unit_price: 40.5 }]
const shownPayment = (id: string, minute: number, amount: number, is_imported = false) => ({
  id,
  amount,
  status: 'approved',
  created_at: at(minute).toISOString(),
  is_imported,
})

describeOnDatabase('The client and order routes', (open) => {
  let database: OpenDatabase
  let db: Db
  let api: Hono
  let staff: Record<Role, SignedIn>

  beforeAll(async () => {
    database = await open()
    db = database.db
    await addPage(db, 'p1')
    await addPage(db, 'p2')
    for (const id of ['ana', 'ben', 'cara', 'dan', 'eve', 'fay', 'gil']) await addIdentity(db, id, { page: 'p1' })
    await addIdentity(db, 'ana-2', { page: 'p2', in: 'ana' })
    await addMessage(db, 'm1', 'ana', 1)
    await addClient(db, 'c1', 'José', 'Núñez', { email: 'jose.nunez@example.com', phone: '+63 917 123 4567' })
    await addClient(db, 'c2', 'Ana', 'Reyes', { company_name: 'Reyes_Foods 100%', phone: '0918-555-0000' })
    await addClient(db, 'c3', 'Ben', 'Abad', { is_active: false })
    for (const id of ['c4', 'c5', 'c6', 'c7', 'c8']) await addClient(db, id, 'Race', id)
    await addOrder(db, 'o1', 'c2', 1, '100.10')
    await addOrder(db, 'o2', 'c2', 3, '999999999999.99')
    await addOrder(db, 'o3', 'c2', 2, '0.30')
    await addOrder(db, 'o4', 'c1', 4, '50', 'pending')
    await addPayment(db, 'pay2', 'o3', 6, '0.20', 'till-2')
    await addPayment(db, 'pay1', 'o3', 5, '0.10')
    staff = await signInEachRole(db)
    api = wholeApi(db, { clock: { now: () => at(60).getTime(), after: () => () => undefined } })
  })

  const ask = async (path: string, init: RequestInit = {}, role: Role = 'agent') => {
    const response = await api.request(path, { ...init, headers: { ...staff[role].headers, ...init.headers } })
    return { status: response.status, body: await response.json() }
  }
  const post = (path: string, body: unknown, role: Role = 'agent') =>
    ask(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }, role)
  const link = (fbUserId: string, clientId: string) => post('/facebook/link-client', { fbUserId, clientId })
  const found = async (search: string): Promise<string[]> => {
    const { body } = await ask(`/facebook/search-clients?search=${encodeURIComponent(search)}`)
    return body.data.map(({ id }: { id: string }) => id)
  }
  const conversationOf = async (id: string) =>
    (await ask(`/facebook/conversations?search=${id}`)).body.data[0] as Record<string, unknown>

  it.each([
    ['jose nunez', ['c1']],
    ['NÚÑEZ', ['c1']],
    ['nunez jose', ['c1']],
    ['jose.nunez@', ['c1']],
    ['reyes_foods', ['c2']],
    ['100%', ['c2']],
    ['  ana  ', ['c2']],
    ['an', ['c2']],
    ['0917 123 4567', ['c1']],
    ['+639171234567', ['c1']],
    ['639171234567', ['c1']],
    ['(0917) 123-4567', ['c1']],
    ['5550000', ['c2']],
    ['+63 918', ['c2']],
    ['0918 55', ['c2']],
    ['race', ['c4', 'c5', 'c6', 'c7', 'c8']],
    ['%%', []],
    ['r_yes', []],
    ['\\\\', []],
    ['nobody', []],
    ['a', []],
    [' a ', []],
    ['', []],
  ])('find for the search "%s" the clients %j', async (search, ids) => {
    expect(await found(search)).toEqual(ids)
  })

  it('return at most 50 clients, sorted by name', async () => {
    await db
      .insertInto('clients')
      .values(
        Array.from({ length: 60 }, (_, index) => ({
          first_name: 'Crowd',
          last_name: `Member ${String(60 - index).padStart(2, '0')}`,
        })),
      )
      .execute()
    const { body } = await ask('/facebook/search-clients?search=crowd')
    expect(body.data.map(({ last_name }: { last_name: string }) => last_name)).toEqual(
      Array.from({ length: 50 }, (_, index) => `Member ${String(index + 1).padStart(2, '0')}`),
    )
    await db.deleteFrom('clients').where('first_name', '=', 'Crowd').execute()
  })

  it('show a link in the client, the search and the conversation, and notify of every identity', async () => {
    const notified: unknown[] = []
    const stop = await database.listen(
      'realtime',
      (payload) => {
        const { table, type, record } = JSON.parse(payload)
        if (table === 'fb_users') notified.push({ type, id: record.id, client_id: record.client_id })
      },
      () => undefined,
    )
    expect(await link('ana-2', 'c2')).toEqual({
      status: 200,
      body: { success: true, data: { primary_user_id: 'ana', client_id: 'c2' } },
    })
    await expect.poll(() => notified.length).toBe(2)
    await stop()
    expect(notified).toEqual(
      expect.arrayContaining([
        { type: 'UPDATE', id: 'ana', client_id: 'c2' },
        { type: 'UPDATE', id: 'ana-2', client_id: 'c2' },
      ]),
    )
    expect(await ask('/clients/c2')).toEqual({
      status: 200,
      body: {
        success: true,
        data: shownClient('c2', 'Ana', 'Reyes', {
          company_name: 'Reyes_Foods 100%',
          phone: '0918 555 0000',
          fb_user_id: 'ana',
        }),
      },
    })
    expect((await ask('/facebook/search-clients?search=reyes')).body.data[0].fb_user_id).toBe('ana')
    expect(await conversationOf('ana')).toMatchObject({
      client_id: 'c2',
      client_first_name: 'Ana',
      client_last_name: 'Reyes',
      company_name: 'Reyes_Foods 100%',
    })
  })

  it('accept a repeated link without a change', async () => {
    expect((await link('ana', 'c2')).status).toBe(200)
    expect((await link('ana-2', 'c2')).status).toBe(200)
  })

  it('reject a link of a linked client or conversation with 409', async () => {
    expect(await link('ben', 'c2')).toEqual({
      status: 409,
      body: { success: false, error: 'This client is already linked to another Facebook user' },
    })
    expect(await link('ana-2', 'c3')).toEqual({
      status: 409,
      body: { success: false, error: 'This Facebook user is already linked to another client' },
    })
    expect((await conversationOf('ana'))['client_id']).toBe('c2')
    expect((await conversationOf('ben'))['client_id']).toBeNull()
  })

  it('reject a link of an unknown client or conversation with 422, and an incomplete body with 400', async () => {
    expect((await link('nobody', 'c3')).status).toBe(422)
    expect((await link('ben', 'nothing')).status).toBe(422)
    expect((await link('', 'c3')).status).toBe(400)
    expect((await post('/facebook/link-client', { fbUserId: 'ben' })).status).toBe(400)
  })

  it('accept one of two concurrent links of a client', async () => {
    const answers = await Promise.all([link('ben', 'c4'), link('cara', 'c4')])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const holders = await db
      .selectFrom('conversations')
      .select('primary_user_id')
      .where('client_id', '=', 'c4')
      .execute()
    expect(holders).toHaveLength(1)
  })

  it('accept one of two concurrent links of a conversation', async () => {
    const answers = await Promise.all([link('dan', 'c5'), link('dan', 'c6')])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const linked = await db
      .selectFrom('conversations')
      .select('client_id')
      .where('primary_user_id', '=', 'dan')
      .execute()
    const won = answers.find(({ status }) => status === 200)?.body.data.client_id
    expect(linked).toEqual([{ client_id: won }])
  })

  it('link a client to one conversation when a link and a merge run concurrently', async () => {
    await link('eve', 'c7')
    const [answer] = await Promise.all([link('gil', 'c7'), mergeConversations(db, 'fay', 'eve')])
    expect(answer.status).toBe(409)
    const holders = await db
      .selectFrom('conversations')
      .select('primary_user_id')
      .where('client_id', '=', 'c7')
      .execute()
    expect(holders).toEqual([{ primary_user_id: 'fay' }])
  })

  it('rely on a unique index for one conversation per client', async () => {
    await expect(
      db.updateTable('conversations').set({ client_id: 'c2' }).where('primary_user_id', '=', 'gil').execute(),
    ).rejects.toMatchObject({ code: '23505' })
  })

  it('return 404 for an unknown client or order', async () => {
    for (const path of ['/clients/nothing', '/clients/nothing/orders', '/orders/nothing/payments']) {
      expect((await ask(path)).status).toBe(404)
    }
  })

  it('create a client with trimmed fields, and store empty fields as null', async () => {
    const { status, body } = await post('/clients', {
      first_name: ' Luz ',
      last_name: 'Santos',
      email: '',
      phone: ' 0999 ',
      company_name: null,
    })
    expect(status).toBe(200)
    expect(body.data).toEqual(
      shownClient(body.data.id, 'Luz', 'Santos', { phone: '0999', created_at: body.data.created_at }),
    )
    expect(await found('luz santos')).toEqual([body.data.id])
  })

  it('store the phone number of a new client in one form too, and show it as people read it', async () => {
    const { body } = await post('/clients', { first_name: 'Nena', last_name: 'Luna', phone: '+63-956.123.4567' })
    expect(body.data.phone).toBe('0956 123 4567')
    expect(
      await db.selectFrom('clients').select(['phone', 'phone_e164']).where('id', '=', body.data.id).executeTakeFirst(),
    ).toEqual({ phone: '+63-956.123.4567', phone_e164: '+639561234567' })
    await db.deleteFrom('clients').where('id', '=', body.data.id).execute()
  })

  it('store the language of the summaries, and show it in the client', async () => {
    const choose = (id: string, body: object, role: Role = 'agent') =>
      ask(
        `/clients/${id}/language`,
        { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
        role,
      )
    expect((await choose('c3', { language: 'fil' })).body.data).toMatchObject({ id: 'c3', language: 'fil' })
    expect((await ask('/clients/c3')).body.data.language).toBe('fil')
    expect((await choose('c3', { language: 'fil' })).status).toBe(200)
    expect(await choose('nobody', { language: 'fil' })).toMatchObject({
      status: 404,
      body: { error: 'Client not found' },
    })
    expect((await choose('c3', { language: 'tlh' })).status).toBe(400)
    expect((await choose('c3', { language: 'en' }, 'viewer')).status).toBe(403)
    const { rows } = await sql<{ details: unknown }>`
      select details from audit_entries where action = 'client.language-chosen'`.execute(db)
    expect(rows.map(({ details }) => details)).toEqual([{ language: 'fil' }])
  })

  it.each([
    [{ last_name: 'Santos' }, 'first_name is not valid'],
    [{ first_name: '  ', last_name: 'Santos' }, 'first_name is not valid'],
    [{ first_name: 'Luz', last_name: '' }, 'last_name is not valid'],
    [{ first_name: 'Luz', last_name: 'Santos', email: 'luz' }, 'email is not valid'],
    [{ first_name: 'x'.repeat(101), last_name: 'Santos' }, 'first_name is not valid'],
  ])('reject the new client %j', async (body, error) => {
    expect(await post('/clients', body)).toEqual({ status: 400, body: { success: false, error } })
  })

  it("return a client's orders newest first, with payments and items, and amounts exact to the cent", async () => {
    const orders = [
      shownOrder('o2', 'c2', 3, 999_999_999_999.99, { items, payments: [] }),
      shownOrder('o3', 'c2', 2, 0.3, {
        items,
        payments: [shownPayment('pay1', 5, 0.1), shownPayment('pay2', 6, 0.2, true)],
      }),
      shownOrder('o1', 'c2', 1, 100.1, { items, payments: [] }),
    ]
    expect(await ask('/clients/c2/orders')).toEqual({ status: 200, body: { success: true, data: orders } })
    expect(await ask('/facebook/orders/ana-2')).toEqual({ status: 200, body: { success: true, data: { orders } } })
  })

  it('reject orders of a conversation without a client with 422', async () => {
    expect(await ask('/facebook/orders/gil')).toEqual({
      status: 422,
      body: { success: false, error: 'No linked client found' },
    })
    expect((await ask('/facebook/orders/nobody')).status).toBe(404)
  })

  it.each([
    ['client_id=c2', ['o2', 'o3', 'o1']],
    ['client_id=c2&limit=2', ['o2', 'o3']],
    ['client_id=c2&sort_order=asc', ['o1', 'o3', 'o2']],
    ['client_id=c2&sort_by=total_amount&sort_order=asc', ['o3', 'o1', 'o2']],
    ['client_id=c2&sort_by=order_number', ['o3', 'o2', 'o1']],
    ['sort_by=status&sort_order=asc&limit=1', ['o4']],
    ['', ['o4', 'o2', 'o3', 'o1']],
    ['client_id=nothing', []],
  ])('return for /orders?%s the orders %j', async (query, ids) => {
    const { body } = await ask(`/orders?${query}`)
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(ids)
  })

  it('sort orders with the same time by id', async () => {
    await addClient(db, 'twin', 'Two', 'Orders')
    await addOrder(db, 'twin-1', 'twin', 9, '1')
    await addOrder(db, 'twin-3', 'twin', 9, '1')
    await addOrder(db, 'twin-2', 'twin', 9, '1')
    const idsIn = async (order: string) =>
      (await ask(`/orders?client_id=twin&sort_order=${order}`)).body.data.map(({ id }: { id: string }) => id)
    expect([await idsIn('desc'), await idsIn('asc')]).toEqual([
      ['twin-3', 'twin-2', 'twin-1'],
      ['twin-1', 'twin-2', 'twin-3'],
    ])
    await db.deleteFrom('orders').where('client_id', '=', 'twin').execute()
  })

  it('return payments and items only on request', async () => {
    const bare = shownOrder('o4', 'c1', 4, 50, { status: 'pending' })
    expect((await ask('/orders?client_id=c1')).body.data).toEqual([bare])
    expect((await ask('/orders?client_id=c1&with=payments')).body.data).toEqual([{ ...bare, payments: [] }])
    expect((await ask('/orders?client_id=c1&with=items')).body.data).toEqual([{ ...bare, items }])
    expect((await ask('/orders?client_id=c1&with=payments,items')).body.data).toEqual([
      { ...bare, items, payments: [] },
    ])
  })

  it.each(['limit=1001', 'limit=0', 'sort_by=client_id', 'sort_order=up', 'with=client'])(
    'reject /orders?%s',
    async (query) => {
      expect((await ask(`/orders?${query}`)).status).toBe(400)
    },
  )

  it("return an order's payments oldest first", async () => {
    expect(await ask('/orders/o3/payments')).toEqual({
      status: 200,
      body: { success: true, data: [shownPayment('pay1', 5, 0.1), shownPayment('pay2', 6, 0.2, true)] },
    })
    expect((await ask('/orders/o1/payments')).body.data).toEqual([])
  })

  it('show the chats of a conversation, and split off, join and unlink them', async () => {
    const chatOf = (id: string, page: string, messages: number, isFirst: boolean) => ({
      fb_user_id: id,
      name: null,
      platform: 'messenger',
      page_name: page,
      total_messages: messages,
      last_message_at: messages === 0 ? null : at(1).toISOString(),
      is_first: isFirst,
    })
    const client = { id: 'c2', name: 'Ana Reyes' }
    const [first, second] = [chatOf('ana', 'Page p1', 1, true), chatOf('ana-2', 'Page p2', 0, false)]
    const chats = (id: string) => ask(`/facebook/chats/${id}`)
    const dataOf = (data: unknown) => ({ status: 200, body: { success: true, data } })
    expect(await chats('ana-2')).toEqual(dataOf({ client, chats: [first, second] }))
    expect(await post('/facebook/split-chat', { fbUserId: 'ana-2' })).toEqual(
      dataOf([
        { id: 'ana', primary_user_id: 'ana', client_id: 'c2' },
        { id: 'ana-2', primary_user_id: 'ana-2', client_id: null },
      ]),
    )
    expect(await chats('ana-2')).toEqual(dataOf({ client: null, chats: [{ ...second, is_first: true }] }))
    const joined = [
      { id: 'ana', primary_user_id: 'ana', client_id: 'c2' },
      { id: 'ana-2', primary_user_id: 'ana', client_id: 'c2' },
    ]
    expect(await post('/facebook/join-chats', { fbUserId: 'ana', otherId: 'ana-2' })).toEqual(dataOf(joined))
    expect(await post('/facebook/unlink-client', { fbUserId: 'ana-2', clientId: 'c2' })).toEqual(
      dataOf(joined.map((identity) => ({ ...identity, client_id: null }))),
    )
    expect((await ask('/clients/c2')).body.data.fb_user_id).toBeNull()
    expect((await link('ana', 'c2')).status).toBe(200)
  })

  it('refuse what cannot be joined, split off or unlinked, with the reason', async () => {
    const refusals = [
      await post('/facebook/split-chat', { fbUserId: 'ana' }),
      await post('/facebook/unlink-client', { fbUserId: 'ana', clientId: 'c3' }),
      await post('/facebook/join-chats', { fbUserId: 'ana', otherId: 'nobody' }),
      await post('/facebook/join-chats', { fbUserId: 'ana' }),
      await ask('/facebook/chats/nobody'),
    ]
    expect(refusals.map(({ status, body }) => [status, body.error])).toEqual([
      [409, 'This is the first chat of the conversation. Split off the other chats.'],
      [409, 'This person is linked to another client by now. Open the dialog again.'],
      [422, 'Conversation not found'],
      [400, expect.any(String)],
      [404, 'Conversation not found'],
    ])
  })

  it('a viewer reads, and neither links nor creates', async () => {
    for (const path of ['/clients/c1', '/clients/c1/orders', '/orders', '/facebook/search-clients?search=ana']) {
      expect((await ask(path, {}, 'viewer')).status).toBe(200)
    }
    const linking = await post('/facebook/link-client', { fbUserId: 'gil', clientId: 'c8' }, 'viewer')
    const creating = await post('/clients', { first_name: 'Luz', last_name: 'Santos' }, 'viewer')
    expect([linking, creating].map(({ status, body }) => [status, body.requiredPermission])).toEqual([
      [403, 'clients.link'],
      [403, 'clients.create'],
    ])
    expect((await link('gil', 'c8')).status).toBe(200)
  })

  it('reject calls without a token', async () => {
    for (const path of ['/clients/c1', '/clients', '/orders', '/orders/o1/payments', '/facebook/search-clients']) {
      const method = path === '/clients' ? 'POST' : 'GET'
      expect((await api.request(path, { method })).status).toBe(401)
    }
  })

  it('search clients by an index', async () => {
    await db.connection().execute(async (connection) => {
      await sql`set enable_seqscan = off`.execute(connection)
      const plan = await sql`explain select id from clients where search_text like '%nunez%'`.execute(connection)
      await sql`reset enable_seqscan`.execute(connection)
      expect(JSON.stringify(plan.rows)).toContain('clients_search')
    })
  })
})
