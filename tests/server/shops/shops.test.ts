import fc from 'fast-check'
import { type KyselyPlugin, sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import { readConditions } from '../../../server/alarms/conditions.ts'
import type { Db } from '../../../server/database/database.ts'
import { inTransaction } from '../../../server/database/transaction.ts'
import { deleteClient } from '../../../server/people/erased-rows.ts'
import { readPhone } from '../../../server/phones.ts'
import { shopDialects } from '../../../server/shops/dialects.ts'
import { signatureOf } from '../../../server/shops/shop.ts'
import { storeShopRows } from '../../../server/shops/store-shop-rows.ts'
import { shopifyOrder, wooOrder } from '../../../server/stand-ins/shops/answers.ts'
import { totalOf } from '../../../server/stand-ins/shops/records.ts'
import type { StandInCustomer, StandInOrder } from '../../../server/stand-ins/shops/tables.ts'
import { defaultBusiness } from '../../../src/schemas/business.ts'
import { type ShopKind, shopKinds } from '../../../src/schemas/shop.ts'
import { describeOnDatabase } from '../databases.ts'
import { clearBusiness, erasedPeople, storedBusiness } from '../imports/csv-harness.ts'
import { clearShops, openShops, owner } from './shop-harness.ts'

/** Makes each statement after the first `count` fail, as if the process had died. */
const breakingAfter = (count: number): KyselyPlugin => {
  let left = count
  return {
    transformQuery({ node }) {
      left -= 1
      if (left < 0) throw new Error('the process died')
      return node
    },
    transformResult: async ({ result }) => result,
  }
}

type Stored = { external_id: string }

const storedVersions = async (db: Db) => {
  const rows = await db.selectFrom('shop_rows').select(['kind', 'external_id', 'version', 'reason']).execute()
  return rows.map((row) => JSON.stringify(row)).sort()
}

describeOnDatabase('Shops', (open) => {
  let db: Db
  let sut: Awaited<ReturnType<typeof openShops>>

  beforeEach(async () => {
    db = (await open()).db
    await clearBusiness(db)
    await clearShops(db)
    sut = await openShops(db)
  })

  it.each(shopKinds)('fills the inbox from %s, and a second run changes nothing', async (kind) => {
    const shop = await sut.connect(kind)
    expect(shop).toMatchObject({ state: 'connected', run: { phase: 'customers', done: 0 }, synced_until: null })
    await sut.workAll()
    const guests = 1
    expect(await sut.shops.find(shop.id)).toMatchObject({
      run: null,
      error: null,
      synced_until: new Date(sut.clock.now()).toISOString(),
      clients: 4 + guests,
      orders: 12,
      refused: 0,
    })
    const business = await storedBusiness(db)
    expect(business.clients).toHaveLength(4 + guests)
    const [prefix, id] = kind === 'shopify' ? ['sandbox', 450_789_461_001] : ['shop.sandbox.test', 1001]
    const name = kind === 'shopify' ? 'sandbox.myshopify.com' : 'shop.sandbox.test'
    const customer = kind === 'shopify' ? 207_119_551_001 : 1001
    expect(
      (business.clients as Stored[]).find(({ external_id }) => external_id === `${kind}:${name}:${customer}`),
    ).toMatchObject({
      first_name: 'Tala',
      last_name: 'Bituin',
      email: `tala.bituin.0@${kind}.example`,
      phone: kind === 'shopify' ? '+639171000000' : '+639172000000',
      company_name: 'Bituin Trading',
    })
    expect(
      (business.orders as Stored[]).find(({ external_id }) => external_id === `${kind}:${name}:order:${id}`),
    ).toMatchObject({
      order_number: `${prefix} #1001`,
      client: `${kind}:${name}:${customer}`,
      status: kind === 'shopify' ? 'confirmed' : 'processing',
      total: '635.00',
      items: [
        { name: 'Tarpaulin 3 × 6 ft', quantity: 1, unit_price: 450 },
        { name: 'Mug, printed', quantity: 1, unit_price: 185 },
      ],
    })
    const changes = await sql`select xmin::text as at from orders union all select xmin::text from clients`.execute(db)
    await sut.shops.sync(shop.id, owner)
    await sut.workAll()
    expect(await storedBusiness(db)).toEqual(business)
    const after = await sql`select xmin::text as at from orders union all select xmin::text from clients`.execute(db)
    expect(after.rows).toEqual(changes.rows)
  })

  it.each(shopKinds)('refuses a wrong key and a key without permissions of %s, and stores nothing', async (kind) => {
    await expect(sut.connect(kind, { key: 'wrong' })).rejects.toThrow('The shop refuses the key.')
    await expect(sut.connect(kind, { address: 'nowhere' })).rejects.toThrow(/Enter the (domain|address) of the shop/)
    if (kind === 'shopify') {
      await sut.standIns.setFaults(kind, { lacksScopes: true })
      await expect(sut.connect(kind)).rejects.toThrow('The key lacks these permissions: read_customers.')
    }
    await sut.standIns.setFaults(kind, { down: true })
    await expect(sut.connect(kind)).rejects.toThrow('The shop cannot be reached just now.')
    expect(await sut.shops.list()).toEqual([])
  })

  it('keeps the credentials sealed, and connecting again replaces the key without a second shop', async () => {
    const shop = await sut.connect('woocommerce')
    await sut.workAll()
    const again = await sut.connect('woocommerce')
    expect([again.id, (await sut.shops.list()).length]).toEqual([shop.id, 1])
    const { rows } = await sql<{ text: string }>`select shops::text as text from shops`.execute(db)
    expect(rows[0]?.text).not.toMatch(/ck_sandbox|cs_sandbox/)
    const { rows: hooks } = await sql`select topic from sandbox.shop_hooks order by topic`.execute(db)
    expect(hooks.map((hook) => (hook as { topic: string }).topic)).toEqual([
      'customer.created',
      'customer.updated',
      'order.created',
      'order.updated',
    ])
    const entries = await db.selectFrom('audit_entries').select(['action', 'details']).orderBy('id').execute()
    expect(entries[0]).toEqual({
      action: 'shop.connected',
      details: { kind: 'woocommerce', address: 'https://shop.sandbox.test' },
    })
  })

  it.each(shopKinds)('stores what %s delivers, once and in its newest version', async (kind) => {
    await sut.connect(kind)
    await sut.workAll()
    const { records } = sut.standIns
    const buyer = {
      firstName: 'Ines',
      lastName: 'Ramos',
      email: 'ines@example.com',
      phone: '0917 555 0101',
      company: '',
    }
    const id = await records.addOrder(kind, { buyer, items: [{ name: 'Mug', quantity: 2, price: 10_000 }] })
    sut.clock.advance(2_000)
    await records.change(kind, 'orders', id, { state: 'paid' })
    await sut.deliverAll()
    const { rows } = await sql<{ status: string; paid: string; phone: string }>`
      select o.status, c.phone, p.amount::text as paid from orders o join clients c on c.id = o.client_id
      join payments p on p.order_id = o.id and p.status = 'approved'
      where order_number like ${`%#${id}`}`.execute(db)
    expect(rows).toEqual([
      { status: kind === 'shopify' ? 'confirmed' : 'processing', paid: '200.00', phone: '+639175550101' },
    ])
    expect(await db.selectFrom('shop_deliveries').selectAll().execute()).toEqual([])
  })

  it('rejects a delivery with a wrong signature, of another shop or that is too large, and ignores other topics', async () => {
    const shop = await sut.connect('shopify')
    const post = (id: string, body: string, headers: Record<string, string>) =>
      Promise.resolve(sut.webhooks.request(`/${id}`, { method: 'POST', body, headers })).then(({ status }) => status)
    const signed = (body: string, topic = 'orders/create') => ({
      'x-shopify-topic': topic,
      'x-shopify-hmac-sha256': signatureOf('shpss_sandbox', Buffer.from(body)),
    })
    expect(await post(shop.id, '{"id":1}', signed('{"id":2}'))).toBe(401)
    expect(await post(shop.id, '{"id":1}', { 'x-shopify-topic': 'orders/create' })).toBe(401)
    expect(await post('unknown', '{"id":1}', signed('{"id":1}'))).toBe(401)
    expect(await post('unknown', '{}', { 'x-shopify-hmac-sha256': signatureOf('', Buffer.from('{}')) })).toBe(401)
    expect(await post(shop.id, 'no JSON', signed('no JSON'))).toBe(400)
    expect(await post(shop.id, 'x'.repeat(6_000_000), {})).toBe(413)
    expect(await post(shop.id, '{"id":1}', signed('{"id":1}', 'app/uninstalled'))).toBe(200)
    expect(await db.selectFrom('shop_deliveries').selectAll().execute()).toEqual([])
    expect(await post(shop.id, '{"id":1}', signed('{"id":1}'))).toBe(200)
    expect(await db.selectFrom('shop_deliveries').selectAll().execute()).toHaveLength(1)
    await db.updateTable('shops').set({ credentials_encrypted: 'sealed with another key' }).execute()
    expect(await post(shop.id, '{"id":1}', signed('{"id":1}'))).toBe(503)
  })

  it.each(shopKinds)('waits as long as the rate limit of %s asks, and gives up when it lasts', async (kind) => {
    const shop = await sut.connect(kind)
    await sut.standIns.setFaults(kind, { limited: 3 })
    await sut.workAll()
    expect([sut.waited(), (await sut.shops.find(shop.id))?.error]).toEqual([6_000, null])
    await sut.standIns.setFaults(kind, { limited: 100 })
    await sut.shops.sync(shop.id, owner)
    await sut.workAll()
    expect(await sut.shops.find(shop.id)).toMatchObject({
      error: 'The shop limits the calls just now. Please try again in a minute.',
      run: null,
    })
  })

  it('never exceeds the bucket of Shopify', async () => {
    await sut.connect('shopify')
    for (let run = 0; run < 12; run++) {
      const [shop] = await sut.shops.list()
      await sut.shops.sync(shop?.id ?? '', owner)
      await sut.workAll()
    }
    expect(sut.waited()).toBeGreaterThan(0)
    expect((await sut.shops.list())[0]?.error).toBeNull()
  })

  it('reads every page of both shops', async () => {
    await clearShops(db)
    sut = await openShops(db, { customers: 90 })
    const woo = await sut.connect('woocommerce')
    const shopify = await sut.connect('shopify')
    await sut.workAll()
    for (const shop of [woo, shopify])
      expect(await sut.shops.find(shop.id)).toMatchObject({ orders: 270, refused: 0, error: null })
    const pages = sut.calls.filter((call) => /\/orders(\.json)?\?/.test(call) && !call.includes('per_page=1&'))
    expect(pages.filter((call) => call.includes('wc/v3') && call.includes('per_page=100'))).toHaveLength(3)
    expect(pages.filter((call) => call.includes('page_info'))).toHaveLength(1)
  })

  it('lists the orders of another currency with the reason, and stores the others', async () => {
    const shop = await sut.connect('woocommerce')
    await sut.workAll()
    const id = await sut.standIns.records.addOrder('woocommerce', { customer: 1001, currency: 'USD' })
    await sut.deliverAll()
    expect(await sut.shops.find(shop.id)).toMatchObject({
      refused: 1,
      refusals: [{ kind: 'order', number: `#${id}`, reason: 'The order is in USD. This inbox counts in PHP.' }],
    })
    sut.clock.advance(1_000)
    await sut.standIns.records.change('woocommerce', 'orders', id, { currency: 'PHP' })
    await sut.deliverAll()
    expect(await sut.shops.find(shop.id)).toMatchObject({ refused: 0, orders: 13 })
  })

  /** Fills from WooCommerce. Returns the orders of this client, of a client of the shop, and the client. */
  async function fillBeside(client: object, alias?: string) {
    const { id } = await db
      .insertInto('clients')
      .values({ first_name: 'Tala', last_name: 'B.', ...readPhone(null, 'PH'), ...client } as never)
      .returning('id')
      .executeTakeFirstOrThrow()
    if (alias !== undefined)
      await db.insertInto('client_aliases').values({ external_id: alias, client_id: id }).execute()
    await sut.connect('woocommerce')
    await sut.workAll()
    const orders = await db
      .selectFrom('orders')
      .innerJoin('clients', 'clients.id', 'client_id')
      .select('client_id')
      .where('clients.first_name', '=', 'Tala')
      .execute()
    const made = await db.selectFrom('clients').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const own = orders.filter(({ client_id }) => client_id === id).length
    return { own, others: orders.length - own, made }
  }
  const email = 'TALA.BITUIN.0@woocommerce.example'

  it('gives the orders of a known person to the client that staff made, and leaves the client as it is', async () => {
    const { own, others, made } = await fillBeside({ email })
    expect([own, others, made.last_name, made.external_id]).toEqual([3, 0, 'B.', null])
  })

  it('does not take a deleted client for a person of the shop', async () => {
    const { own, others } = await fillBeside({ email, removed_at: new Date() })
    expect([own, others]).toEqual([0, 3])
  })

  it('gives the orders of a merged client to the client that was kept', async () => {
    const { own, others, made } = await fillBeside({ external_id: 'kept' }, 'woocommerce:shop.sandbox.test:1001')
    expect([own, others, made.external_id]).toEqual([3, 0, 'kept'])
  })

  it('does not store an erased client again, and keeps nothing of the client', async () => {
    const shop = await sut.connect('woocommerce')
    await sut.workAll()
    const client = await db
      .selectFrom('clients')
      .select(['id', 'external_id'])
      .where('email', '=', 'tala.bituin.0@woocommerce.example')
      .executeTakeFirstOrThrow()
    await deleteClient({ db, erasedPeople } as never, client.id, new Date(sut.clock.now()))
    const left = await db
      .selectFrom('shop_rows')
      .select('kind')
      .where('external_id', '=', client.external_id ?? '')
      .execute()
    expect([left, (await sut.shops.find(shop.id))?.orders]).toEqual([[], 9])
    await sut.standIns.records.change('woocommerce', 'orders', 1001, { state: 'fulfilled' })
    await sut.deliverAll()
    expect(await sut.shops.find(shop.id)).toMatchObject({ orders: 9, refused: 2 })
    expect(await db.selectFrom('clients').select('id').where('external_id', '=', client.external_id).execute()).toEqual(
      [],
    )
  })

  it('marks a shop whose key is refused and one that is away, until a call succeeds', async () => {
    const shop = await sut.connect('shopify')
    await sut.workAll()
    const stateAfterRun = async (faults: object) => {
      await sut.standIns.setFaults('shopify', faults)
      await sut.shops.sync(shop.id, owner)
      await sut.workAll()
      const found = await sut.shops.find(shop.id)
      return [found?.state, found?.error]
    }
    expect(await stateAfterRun({ refusesKey: true })).toEqual([
      'key-refused',
      'The shop refuses the key. Check it, or make a new one in the shop.',
    ])
    expect(await stateAfterRun({})).toEqual(['connected', null])
    expect(await stateAfterRun({ down: true })).toEqual([
      'unreachable',
      'The shop cannot be reached just now. Please try again.',
    ])
    const kinds = async (after: number) =>
      (await readConditions(db, sut.clock.now() + after)).map(({ kind, detail }) => [kind, detail])
    expect([await kinds(0), await kinds(31 * 60_000)]).toEqual([[], [['shop-unreachable', { shop: 'Sandbox Prints' }]]])
    expect(await stateAfterRun({})).toEqual(['connected', null])
  })

  it('removes its webhooks when it is disconnected, and keeps clients and orders', async () => {
    const shop = await sut.connect('shopify')
    await sut.workAll()
    const business = await storedBusiness(db)
    expect(await sut.shops.disconnect(shop.id, owner)).toEqual({ removed: true })
    expect(await sut.shops.disconnect(shop.id, owner)).toBeNull()
    const { rows } = await sql`select id from sandbox.shop_hooks`.execute(db)
    expect([rows, await sut.shops.list(), await storedBusiness(db)]).toEqual([[], [], business])
    const again = await sut.connect('shopify')
    await sut.standIns.setFaults('shopify', { down: true })
    expect(await sut.shops.disconnect(again.id, owner)).toEqual({ removed: false })
  })

  it.each(shopKinds)(
    'reads changes of %s whose webhooks were lost, alone, and registers the webhooks again',
    async (kind) => {
      const shop = await sut.connect(kind)
      await sut.workAll()
      await sql`delete from sandbox.shop_hooks`.execute(db)
      sut.clock.advance(60 * 60_000)
      const id = await sut.standIns.records.addOrder(kind, { customer: 1001 })
      await sut.standIns.records.change(kind, 'orders', 1002, { state: 'cancelled' })
      sut.calls.length = 0
      await sut.runs.runAll()
      await sut.workAll()
      const { rows } = await sql<{ status: string }>`
      select status from orders where order_number like ${`%#${id}`} or order_number like '%#1002'
      order by order_number`.execute(db)
      expect(rows.map(({ status }) => status).sort()).toEqual(['cancelled', 'pending'])
      expect(await sut.shops.find(shop.id)).toMatchObject({ orders: 13, error: null })
      expect(sut.calls.filter((call) => /updated_at_min|modified_after/.test(call)).length).toBeGreaterThan(0)
      const { rows: hooks } = await sql`select id from sandbox.shop_hooks`.execute(db)
      expect(hooks).toHaveLength(kind === 'shopify' ? 6 : 4)
    },
  )

  it('begins one run of each shop at a time, queues a lost one again, and tries a refused key once an hour', async () => {
    const shop = await sut.connect('woocommerce')
    await sut.runs.runAll()
    await sut.shops.sync(shop.id, owner)
    expect(sut.queued).toHaveLength(1)
    // The job is lost with its process.
    sut.queued.length = 0
    sut.clock.advance(46 * 60_000)
    await sut.runs.runAll()
    expect(sut.queued).toHaveLength(1)
    await sut.workAll()
    expect(await sut.shops.find(shop.id)).toMatchObject({ orders: 12, run: null })
    await sut.standIns.setFaults('woocommerce', { refusesKey: true })
    const runs = async () => {
      await sut.runs.runAll()
      const count = sut.queued.length
      await sut.workAll()
      return count
    }
    expect(await runs()).toBe(1)
    expect(await runs()).toBe(0)
    sut.clock.advance(61 * 60_000)
    expect(await runs()).toBe(1)
  })

  it('reads a list from its start again when the shop refuses the cursor', async () => {
    await clearShops(db)
    sut = await openShops(db, { customers: 90 })
    const shop = await sut.connect('shopify')
    await db.updateTable('shops').set({ phase: 'orders', cursor: 'forgotten', done: 200 }).execute()
    await sut.workAll()
    expect(await sut.shops.find(shop.id)).toMatchObject({ orders: 270, run: null, error: null })
  })

  it('tries a delivery again that fails, and sets it aside after twenty attempts', async () => {
    const shop = await sut.connect('shopify')
    await sut.workAll()
    const at = new Date(sut.clock.now())
    await db
      .insertInto('shop_deliveries')
      .values({ shop_id: shop.id, kind: 'orders', body: 'broken', received_at: at, due_at: at })
      .execute()
    const attempts = async () => (await db.selectFrom('shop_deliveries').select('attempts').execute())[0]?.attempts
    await sut.deliverAll()
    expect(await attempts()).toBe(1)
    for (let attempt = 2; attempt <= 25; attempt++) {
      sut.clock.advance(11 * 60_000)
      await sut.deliverAll()
    }
    expect(await attempts()).toBe(20)
    expect((await readConditions(db, sut.clock.now())).map(({ kind }) => kind)).toEqual(['parked'])
  })

  it('stops a run that is cancelled, and the next one starts from the beginning', async () => {
    const shop = await sut.connect('woocommerce')
    expect(await sut.shops.cancel(shop.id)).toMatchObject({ run: null, synced_until: null })
    await sut.workAll()
    expect(await sut.shops.find(shop.id)).toMatchObject({ orders: 0, synced_until: null })
    await sut.shops.sync(shop.id, owner)
    await sut.workAll()
    expect(await sut.shops.find(shop.id)).toMatchObject({ orders: 12 })
  })

  it('is whole after a first fill that broke off at any statement', { timeout: 120_000 }, async () => {
    const shop = await sut.connect('woocommerce')
    const [job] = sut.queued
    if (job === undefined) throw new Error('no run is queued')
    let broken = 0
    for (let statements = 1; ; statements += 5) {
      const dying = sut.on(db.withPlugin(breakingAfter(statements)))
      await dying.runs.run(job.shopId, job.runId).catch(() => undefined)
      const { run_state } = await db.selectFrom('shops').select('run_state').executeTakeFirstOrThrow()
      if (run_state === 'idle') break
      broken += 1
      if (broken > 100) throw new Error('the run does not end')
    }
    expect(broken).toBeGreaterThan(3)
    const interrupted = await storedBusiness(db)
    await sut.shops.disconnect(shop.id, owner)
    await clearBusiness(db)
    sut.queued.length = 0
    await sut.connect('woocommerce')
    await sut.workAll()
    expect(await storedBusiness(db)).toEqual(interrupted)
  })

  it('reaches one end state, in whatever order pages and deliveries arrive and however often', async () => {
    const parts = { erasedPeople, business: defaultBusiness }
    const buyer = (index: number): StandInCustomer => ({
      firstName: `Ana ${index}`,
      lastName: 'Reyes',
      email: index === 2 ? '' : `ana.${index}@example.com`,
      phone: index === 2 ? '+639175550102' : '',
      company: '',
    })
    const base = Date.parse('2026-01-05T00:00:00Z')
    const orderWith = (id: number, minute: number, isGuest: boolean, state: StandInOrder['state']) => ({
      id,
      updated_at: new Date(base + minute * 60_000),
      data: {
        customer: isGuest ? null : 1 + (id % 2),
        buyer: buyer(id % 3),
        currency: 'PHP',
        items: [{ name: 'Mug', quantity: 1 + minute, price: 10_000 }],
        state,
        refunded: state === 'fulfilled' ? 5_000 : 0,
        createdAt: new Date(base).toISOString(),
      },
    })
    const version = fc.record({
      id: fc.integer({ min: 1, max: 3 }),
      isCustomer: fc.boolean(),
      isGuest: fc.boolean(),
      state: fc.constantFrom('open' as const, 'paid' as const, 'fulfilled' as const, 'cancelled' as const),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...shopKinds),
        fc.array(version, { minLength: 1, maxLength: 6 }),
        fc.infiniteStream(fc.nat()),
        async (kind: ShopKind, versions, numbers) => {
          // Each version has a time of its own.
          const rows = versions.map(({ id, isCustomer, isGuest, state }, minute) => {
            const { customerRow, orderRow } = rowsOf(kind)
            return isCustomer
              ? { phase: 'customers' as const, raw: customerRow(id, new Date(base + minute * 60_000), buyer(id)) }
              : { phase: 'orders' as const, raw: orderRow(orderWith(id, minute, isGuest, state)) }
          })
          const shuffled = [...rows, ...rows]
            .map((row) => ({ row, at: numbers.next().value ?? 0 }))
            .sort((one, other) => one.at - other.at)
            .map(({ row }) => row)
          const endOf = async (list: typeof rows) => {
            await clearBusiness(db)
            await db.deleteFrom('shops').execute()
            const shop = { id: 's', kind, address: 'a.example', name: 'A' }
            const at = new Date(base)
            const stored = { ...shop, credentials_encrypted: '', connected_at: at, updated_at: at }
            await db.insertInto('shops').values(stored).execute()
            for (const { phase, raw } of list)
              await inTransaction(db, (trx) => storeShopRows(trx, parts, shop, phase, [raw]))
            return [await storedBusiness(db), await storedVersions(db)]
          }
          expect(await endOf(shuffled)).toEqual(await endOf(rows))
        },
      ),
      { numRuns: 25 },
    )
  })

  it('computes balances as the shops do', () => {
    for (const [state, refunded] of [
      ['open', 0],
      ['paid', 0],
      ['paid', 4_000],
      ['fulfilled', 10_000],
      ['cancelled', 0],
    ] as const) {
      const data: StandInOrder = {
        customer: null,
        buyer: null,
        currency: 'PHP',
        items: [{ name: 'Mug', quantity: 1, price: 10_000 }],
        state,
        refunded,
        createdAt: '2026-01-05T00:00:00.000Z',
      }
      const row = { id: 1, data, updated_at: new Date('2026-01-05T00:00:00Z') }
      const outstanding = state === 'open' ? totalOf(data) : 0
      for (const [kind, raw] of [
        ['shopify', shopifyOrder(row)],
        ['woocommerce', wooOrder(row)],
      ] as const) {
        const read = shopDialects[kind].readOrder(raw)
        if (read === null || !('row' in read)) throw new Error('the order cannot be read')
        const { total, paid, payment, status } = read.row
        const balance = status === 'cancelled' ? 0 : Number(total) - (payment === 'approved' ? Number(paid) : 0)
        expect([kind, state, refunded, balance]).toEqual([kind, state, refunded, outstanding / 100])
      }
    }
  })
})

function rowsOf(kind: ShopKind) {
  const at = (moment: Date) => moment.toISOString().slice(0, 19)
  return {
    orderRow: kind === 'shopify' ? shopifyOrder : wooOrder,
    customerRow: (id: number, moment: Date, { firstName, lastName, email }: StandInCustomer) =>
      kind === 'shopify'
        ? {
            id: 207_119_550_000 + id,
            first_name: firstName,
            last_name: lastName,
            email,
            updated_at: moment.toISOString(),
          }
        : {
            id,
            first_name: firstName,
            last_name: lastName,
            email,
            date_created_gmt: at(moment),
            date_modified_gmt: at(moment),
          },
  }
}
