import fc from 'fast-check'
import type { Hono } from 'hono'
import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import type { Db } from '../../../server/database/database.ts'
import { apiKeyLimits, apiScopes } from '../../../src/schemas/api-key.ts'
import { defaultBusiness } from '../../../src/schemas/business.ts'
import { requestAs, wholeApi } from '../api-harness.ts'
import { describeOnDatabase } from '../databases.ts'
import { type ManualClock, manualClock } from '../manual-clock.ts'
import { at } from '../people.ts'
import { type SignedIn, signIn } from '../sign-in.ts'

const time = at(1).toISOString()

const tala = { first_name: ' Tala ', last_name: 'Bituin', email: 'tala@example.com', phone: '0917 123 4567' }
const order = {
  client: 'c-1',
  order_number: 'SO-1',
  status: 'ready',
  total_amount: '100.10',
  created_at: time,
  items: [{ name: 'Tarpaulin', quantity: 2, unit_price: 40.5 }],
}
const payment = { order: 'o-1', amount: 50, status: 'approved', created_at: time }

const bearer = (secret: string) => ({ headers: { authorization: `Bearer ${secret}` } })

describeOnDatabase('The import by other programs', (open) => {
  let db: Db
  let api: Hono
  let administrator: SignedIn
  let clock: ManualClock

  beforeEach(async () => {
    db = (await open()).db
    for (const table of ['api_keys', 'clients', 'attempts', 'staff'] as const) await db.deleteFrom(table).execute()
    administrator = await signIn(db)
    clock = manualClock()
    api = wholeApi(db, {
      clock,
      addressOf: () => '192.0.2.9',
      business: { ...defaultBusiness, time_zone: 'UTC' },
    })
  })

  async function call(
    method: string,
    path: string,
    body?: unknown,
    who: { headers: Record<string, string> } = administrator,
  ) {
    const response = await requestAs(who, api, method, path, body)
    return { status: response.status, body: await response.json(), headers: response.headers }
  }
  async function newKey(scopes: readonly string[] = apiScopes) {
    const { body } = await call('POST', '/api-keys', { name: 'Shop', scopes })
    const send = (method: string, path: string, sent?: unknown) =>
      call(method, `/import${path}`, sent, bearer(body.data.secret))
    return { ...body.data, send }
  }
  /** What is stored, without the ids that the database makes. */
  async function stored() {
    const clients = await db.selectFrom('clients').selectAll().orderBy('external_id').execute()
    const orders = await db
      .selectFrom('orders')
      .innerJoin('clients', 'clients.id', 'orders.client_id')
      .selectAll('orders')
      .select('clients.external_id as client')
      .orderBy('orders.external_id')
      .execute()
    const payments = await db
      .selectFrom('payments')
      .innerJoin('orders', 'orders.id', 'payments.order_id')
      .selectAll('payments')
      .select('orders.external_id as order')
      .orderBy('payments.external_id')
      .execute()
    return {
      clients: clients.map(({ id, created_at, search_text, ...client }) => client),
      orders: orders.map(({ id, client_id, ...rest }) => rest),
      payments: payments.map(({ id, order_id, ...rest }) => rest),
    }
  }

  it('makes a key whose secret is shown once and not stored, and that works until it is revoked', async () => {
    const { key, secret, send } = await newKey(['orders.import', 'clients.import'])
    expect(key).toEqual({
      id: expect.any(String),
      name: 'Shop',
      ending: secret.slice(-4),
      scopes: ['clients.import', 'orders.import'],
      created_by: 'Ana Reyes',
      created_at: new Date(clock.now()).toISOString(),
      last_used_at: null,
    })
    const { rows } = await sql`select to_jsonb(k)::text as row from api_keys k`.execute(db)
    expect(JSON.stringify(rows)).not.toContain(secret)
    clock.advance(5)
    expect((await send('PUT', '/clients/c-1', tala)).status).toBe(200)
    const used = { ...key, last_used_at: new Date(clock.now()).toISOString() }
    expect((await call('GET', '/api-keys')).body).toEqual({ success: true, data: { keys: [used] } })
    // The time of the last use is stored once a minute.
    const lastUse = async () => (await call('GET', '/api-keys')).body.data.keys[0].last_used_at
    const uses: (string | null)[] = []
    for (const milliseconds of [59_999, 1]) {
      clock.advance(milliseconds)
      await send('PUT', '/clients/c-1', tala)
      uses.push(await lastUse())
    }
    expect(uses).toEqual([used.last_used_at, new Date(clock.now()).toISOString()])
    for (const _ of [1, 2]) expect((await call('DELETE', `/api-keys/${key.id}`)).status).toBe(200)
    const refused = await send('PUT', '/clients/c-1', tala)
    expect([refused.status, refused.body.error]).toEqual([401, 'The API key is missing, unknown or revoked'])
    expect((await call('GET', '/api-keys')).body.data).toEqual({ keys: [] })
    const entries = await db
      .selectFrom('audit_entries')
      .selectAll()
      .where('row_id', '=', key.id)
      .orderBy('id')
      .execute()
    expect(entries.map(({ action, staff_name, details }) => [action, staff_name, details])).toEqual([
      ['api-key.created', 'Ana Reyes', { name: 'Shop', scopes: ['clients.import', 'orders.import'] }],
      ['import.stored', 'API key Shop', { clients_created: 1 }],
      ['api-key.revoked', 'Ana Reyes', { name: 'Shop' }],
    ])
  })

  it('refuses a key of a member of staff, a wrong secret, and a member of staff with an API key', async () => {
    const { send, secret } = await newKey()
    expect((await call('PUT', '/import/clients/c-1', tala)).status).toBe(401)
    expect((await call('PUT', '/import/clients/c-1', tala, { headers: {} })).status).toBe(401)
    expect((await call('PUT', '/import/clients/c-1', tala, bearer(`${secret}x`))).status).toBe(401)
    expect((await call('GET', '/clients/c-1', undefined, bearer(secret))).status).toBe(401)
    expect((await send('PUT', '/clients/c-1', tala)).status).toBe(200)
  })

  it('refuses more keys than the limit', async () => {
    for (let made = 0; made < apiKeyLimits.keys; made++) await newKey()
    expect(await call('POST', '/api-keys', { name: 'Shop', scopes: apiScopes })).toMatchObject({
      status: 409,
      body: { error: 'There are 50 keys. Revoke one first.' },
    })
  })

  it('stores a client, an order and a payment once, changes them, and shows them to staff', async () => {
    const { send } = await newKey()
    const put = async (path: string, body: object) => (await send('PUT', path, body)).body.data.result
    const all = async () => [
      await put('/clients/c-1', tala),
      await put('/orders/o-1', order),
      await put('/payments/p-1', payment),
    ]
    expect([await all(), await all()]).toEqual([
      ['created', 'created', 'created'],
      ['unchanged', 'unchanged', 'unchanged'],
    ])
    expect(await put('/orders/o-1', { ...order, status: 'cancelled', items: [] })).toBe('changed')
    expect(await put('/clients/c-1', { first_name: 'Tala', last_name: 'Reyes' })).toBe('changed')
    const { id } = await db.selectFrom('clients').select('id').executeTakeFirstOrThrow()
    expect((await call('GET', `/clients/${id}`)).body.data).toMatchObject({ last_name: 'Reyes', email: null })
    expect((await call('GET', `/clients/${id}/orders`)).body.data).toEqual([
      {
        id: expect.any(String),
        client_id: id,
        order_number: 'SO-1',
        status: 'cancelled',
        total_amount: 100.1,
        created_at: time,
        items: [],
        payments: [{ id: expect.any(String), amount: 50, status: 'approved', is_imported: true, created_at: time }],
      },
    ])
  })

  it.each([
    ['/orders/o-1', { ...order, client: 'unknown' }, 422, 'No client has the external id unknown.'],
    [
      '/orders/o-2',
      { ...order, order_number: 'SO-here' },
      422,
      'Order SO-here was made in the inbox. Change it there, or give the row another order number.',
    ],
    ['/payments/p-1', payment, 422, 'No order has the external id o-1.'],
    ['/clients/c-2', { ...tala, first_name: ' ' }, 400, 'first_name is not valid'],
    ['/clients/c-2', { ...tala, email: 'tala' }, 400, 'email is not valid'],
    ['/clients/c%00', tala, 400, 'external_id is not valid'],
    [`/clients/${'c'.repeat(201)}`, tala, 400, 'external_id is not valid'],
    ['/orders/o-1', { ...order, total_amount: -1 }, 400, 'total_amount is not valid'],
    ['/orders/o-1', { ...order, total_amount: '1.005' }, 400, 'total_amount is not valid'],
    ['/orders/o-1', { ...order, total_amount: 1e12 }, 400, 'total_amount is not valid'],
    ['/orders/o-1', { ...order, created_at: '+020000-01-01T00:00:00Z' }, 400, 'created_at is not valid'],
    ['/orders/o-1', { ...order, items: [{ name: 'Tarpaulin' }] }, 400, 'items.0.quantity is not valid'],
  ])('refuses PUT %s with %j', async (path, body, status, error) => {
    const { send } = await newKey()
    await send('PUT', '/clients/c-1', tala)
    const { id } = await db.selectFrom('clients').select('id').executeTakeFirstOrThrow()
    await db
      .insertInto('orders')
      .values({ order_number: 'SO-here', client_id: id, status: 'ready', total_amount: 1 })
      .execute()
    const before = await stored()
    expect(await send('PUT', path, body)).toMatchObject({ status, body: { success: false, error } })
    expect(await stored()).toEqual(before)
  })

  it('refuses what the scopes of the key do not cover', async () => {
    const { send } = await newKey(['clients.import'])
    const error = 'This key lacks the scope orders.import'
    expect(await send('PUT', '/orders/o-1', order)).toMatchObject({ status: 403, body: { error } })
    const rows = { clients: [{ external_id: 'c-1', ...tala }], payments: [{ external_id: 'p-1', ...payment }] }
    expect((await send('POST', '', rows)).body.data).toMatchObject({
      clients: [{ result: 'created' }],
      payments: [{ external_id: 'p-1', result: 'refused', reason: error }],
    })
  })

  it('stores the good rows of a bulk import and names what is wrong with the others', async () => {
    const { send } = await newKey()
    const answer = await send('POST', '', {
      payments: [
        { external_id: 'p-1', ...payment },
        { external_id: 'p-2', ...payment, order: 'o-3' },
      ],
      orders: [
        { external_id: 'o-1', ...order },
        { external_id: 'o-2', ...order },
        { external_id: 'o-3', ...order, client: 'c-9' },
      ],
      clients: [
        { external_id: 'c-1', ...tala },
        { external_id: 'c-1', ...tala },
        { ...tala },
        5,
        { external_id: 'c-2' },
      ],
    })
    const refused = (external_id: string | null, reason: string) => ({ external_id, result: 'refused', reason })
    const created = (external_id: string) => ({ external_id, id: expect.any(String), result: 'created' })
    expect(answer.body.data).toEqual({
      clients: [
        created('c-1'),
        refused('c-1', 'An earlier row has the same external_id'),
        refused(null, 'external_id is not valid'),
        refused(null, 'external_id is not valid'),
        refused('c-2', 'first_name is not valid'),
      ],
      orders: [
        created('o-1'),
        refused('o-2', 'An earlier row has the order number SO-1.'),
        refused('o-3', 'No client has the external id c-9.'),
      ],
      payments: [created('p-1'), refused('p-2', 'No order has the external id o-3.')],
    })
    expect((await send('POST', '', { clients: Array(1_001).fill(0) })).status).toBe(400)
  })

  it('allows a key 600 requests a minute', async () => {
    const { send } = await newKey()
    const other = await newKey()
    await send('POST', '', {})
    await db.updateTable('attempts').set({ count: 599 }).execute()
    expect((await send('POST', '', {})).status).toBe(200)
    const refused = await send('POST', '', {})
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
    expect((await other.send('POST', '', {})).status).toBe(200)
    clock.advance(60_000)
    expect((await send('POST', '', {})).status).toBe(200)
  })

  it('has the same rows after any division, order and repetition of an import', async () => {
    const { send } = await newKey()
    const one = fc.integer({ min: 0, max: 4 })
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).map((value) => `x${value}`)
    const cents = fc.integer({ min: 0, max: 1e9 }).map((value) => value / 100)
    const created_at = fc.date({ min: at(0), max: at(1_000), noInvalidDate: true }).map((date) => date.toISOString())
    const clients = fc.uniqueArray(
      fc.record({ external_id: one.map((n) => `c${n}`), first_name: text, last_name: text, company_name: text }),
      { selector: (row) => row.external_id },
    )
    const orders = fc.uniqueArray(
      fc.record({
        n: one,
        client: one.map((n) => `c${n}`),
        status: text,
        total_amount: cents,
        created_at,
        items: fc.array(fc.record({ name: text, quantity: one, unit_price: cents }), { maxLength: 2 }),
      }),
      { selector: (row) => row.n },
    )
    const payments = fc.uniqueArray(
      fc.record({
        external_id: one.map((n) => `p${n}`),
        order: one.map((n) => `o${n}`),
        amount: cents,
        status: text,
        created_at,
      }),
      { selector: (row) => row.external_id },
    )
    const batch = fc.record({ clients, orders, payments }).map((rows) => ({
      ...rows,
      orders: rows.orders.map(({ n, ...values }) => ({ ...values, external_id: `o${n}`, order_number: `SO${n}` })),
    }))
    const kinds = ['clients', 'orders', 'payments'] as const
    await fc.assert(
      fc.asyncProperty(batch, fc.array(fc.nat(), { minLength: 15, maxLength: 15 }), async (rows, keys) => {
        await db.deleteFrom('clients').execute()
        const whole = (await send('POST', '', rows)).body.data
        const expected = await stored()
        const again = (await send('POST', '', rows)).body.data
        expect(await stored()).toEqual(expected)
        for (const kind of kinds) {
          const results = (answer: typeof whole) => answer[kind].map(({ result }: { result: string }) => result)
          expect(results(again)).toEqual(
            results(whole).map((result: string) => (result === 'created' ? 'unchanged' : result)),
          )
        }

        await db.deleteFrom('clients').execute()
        for (const kind of kinds) {
          const shuffled = rows[kind]
            .map((row, index) => ({ row, key: keys[index] ?? 0 }))
            .sort((a, b) => a.key - b.key)
          const half = (keys[0] ?? 0) % (shuffled.length + 1)
          for (const part of [shuffled.slice(0, half), shuffled.slice(half)])
            await send('POST', '', { [kind]: part.map(({ row }) => row) })
        }
        expect(await stored()).toEqual(expected)
        await db.deleteFrom('attempts').execute()
      }),
      { seed: 20_261_122, numRuns: 30 },
    )
  })
})
