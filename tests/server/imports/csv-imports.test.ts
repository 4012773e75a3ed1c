import fc from 'fast-check'
import { type KyselyPlugin, sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import { serverActor } from '../../../server/audit/audit.ts'
import { removeClient } from '../../../server/database/client-removals.ts'
import { createClient, editClient } from '../../../server/database/clients.ts'
import type { Db } from '../../../server/database/database.ts'
import { emptyBatch } from '../../../server/imports/batch.ts'
import { readAmount } from '../../../server/imports/csv-amounts.ts'
import { storeImports } from '../../../server/imports/store-imports.ts'
import { rememberErasedClient } from '../../../server/people/erased-people.ts'
import { readPhone } from '../../../server/phones.ts'
import { csvLimits } from '../../../src/schemas/csv-import.ts'
import { productLimits } from '../../../src/schemas/product.ts'
import { describeOnDatabase } from '../databases.ts'
import { clearBusiness, erasedPeople, openCsvImports, storedBusiness } from './csv-harness.ts'

const clients = 'Customer ID,First Name,Apelyido,Email,Mobile No.\nc-1,Tala,Bituin,tala@example.com,0917 123 4567\n'
const orders =
  'Order No,Customer ID,Status,Total,Petsa\nSO-1,c-1,ready,"1,234.50",01/15/2026\nSO-2,c-1,ready,₱80,01/16/2026 2:30 PM\n'
const items = 'Order No,Product,Qty,Price\nSO-1,Tarpaulin,2,40.50\nSO-1,Tarpaulin,2,40.50\nSO-1,Mug,1,\n'
const payments = 'Order No,Amount,Status,Date\nSO-1,500,approved,2026-01-17\n'

const counts = ({ created, changed, unchanged, refused, waiting }: Record<string, unknown> & object) => ({
  created,
  changed,
  unchanged,
  refused,
  waiting,
})
const none = { created: 0, changed: 0, unchanged: 0, refused: 0, waiting: 0 }

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

describeOnDatabase('The import of CSV files', (open) => {
  let db: Db
  let csv: ReturnType<typeof openCsvImports>

  beforeEach(async () => {
    db = (await open()).db
    await clearBusiness(db)
    // Two batches for most of these files.
    csv = openCsvImports(db, { batchRows: 2 })
  })

  it('stores clients, orders, items and payments as the check showed, and changes nothing the second time', async () => {
    const files = { clients, orders, items, payments } as const
    const made = { clients: 1, orders: 2, items: 3, payments: 1 }
    for (const kind of ['clients', 'orders', 'items', 'payments'] as const) {
      const id = await csv.upload(kind, files[kind])
      const checked = await csv.check(id)
      expect([kind, checked.state, counts(checked)]).toEqual([kind, 'checked', { ...none, created: made[kind] }])
      const stored = await csv.run(id)
      expect([kind, stored.state, counts(stored)]).toEqual([kind, 'completed', { ...none, created: made[kind] }])
    }
    const business = await storedBusiness(db)
    expect(business).toEqual({
      clients: [
        {
          external_id: 'c-1',
          first_name: 'Tala',
          last_name: 'Bituin',
          email: 'tala@example.com',
          phone: '0917 123 4567',
          company_name: null,
          classification: 'new',
          is_active: true,
        },
      ],
      orders: [
        {
          external_id: 'SO-1',
          order_number: 'SO-1',
          client: 'c-1',
          status: 'ready',
          total: '1234.50',
          items: [
            { external_id: '["Mug",null]', name: 'Mug', quantity: 1 },
            { external_id: '["Tarpaulin","40.50"]', name: 'Tarpaulin', quantity: 2, unit_price: 40.5 },
            { external_id: '["Tarpaulin","40.50"]#2', name: 'Tarpaulin', quantity: 2, unit_price: 40.5 },
          ],
          created_at: new Date('2026-01-14T16:00:00Z'),
        },
        {
          external_id: 'SO-2',
          order_number: 'SO-2',
          client: 'c-1',
          status: 'ready',
          total: '80.00',
          items: [],
          created_at: new Date('2026-01-16T06:30:00Z'),
        },
      ],
      payments: [
        {
          external_id: '["SO-1","500.00","2026-01-16T16:00:00.000Z"]',
          order: 'SO-1',
          amount: '500.00',
          status: 'approved',
          created_at: new Date('2026-01-16T16:00:00Z'),
        },
      ],
    })
    for (const kind of ['clients', 'orders', 'items', 'payments'] as const)
      expect(counts(await csv.importFile(kind, files[kind]))).toEqual({ ...none, unchanged: made[kind] })
    expect(await storedBusiness(db)).toEqual(business)
    const { rows } = await sql`select * from csv_import_rows`.execute(db)
    expect(rows).toEqual([])
  })

  it('stores products by their code, keeps whether they are offered, and stops at the limit', async () => {
    const products = 'sku;name;price\nM-1;Mug;₱125.50\nS-1;Shirt;1,400\nX-1;Expensive;99999999\n'
    const first = await csv.importFile('products', products)
    expect(counts(first)).toEqual({ ...none, created: 2, refused: 1 })
    await db.updateTable('products').set({ is_active: false }).where('external_id', '=', 'M-1').execute()
    const second = await csv.importFile('products', products.replace('1,400', '1,500'))
    expect(counts(second)).toEqual({ ...none, unchanged: 1, changed: 1, refused: 1 })
    const stored = () =>
      db.selectFrom('products').select(['external_id', 'name', 'price', 'is_active']).orderBy('external_id').execute()
    expect(await stored()).toEqual([
      { external_id: 'M-1', name: 'Mug', price: 12_550, is_active: false },
      { external_id: 'S-1', name: 'Shirt', price: 150_000, is_active: true },
    ])
    await sql`insert into products (name, price) select 'P', 1 from generate_series(1, ${productLimits.products} - 2)`.execute(
      db,
    )
    const full = await csv.importFile('products', 'sku,name,price\nM-1,Mug,5\nN-1,New,5\n')
    expect(counts(full)).toEqual({ ...none, changed: 1, refused: 1 })
    await db.deleteFrom('products').execute()
  })

  it('refuses payments that were recorded here, and items of orders that were made here', async () => {
    await csv.importFile('clients', clients)
    const client = await db.selectFrom('clients').select('id').executeTakeFirstOrThrow()
    const order = {
      id: 'own',
      order_number: 'C-1',
      client_id: client.id,
      status: 'pending',
      total_amount: 5,
      discount: 0,
    }
    const { discount: _, ...older } = { ...order, id: 'older', order_number: 'C-2' }
    await db.insertInto('orders').values(order).execute()
    await db.insertInto('orders').values(older).execute()
    await db
      .insertInto('payments')
      .values({ id: 'own-payment', order_id: 'own', amount: 5, status: 'pending', method: 'gcash' })
      .execute()
    const payments =
      'external_id,order,amount,status,date\nown-payment,C-1,5,approved,2026-01-02\nnew,C-1,1,approved,2026-01-02\n'
    expect(counts(await csv.importFile('payments', payments))).toEqual({ ...none, created: 1, refused: 1 })
    const items = await csv.importFile('items', 'order,item,qty\nC-1,Mug,1\nC-2,Mug,1\n')
    expect(counts(items)).toEqual({ ...none, refused: 2 })
  })

  it('records who imported how many rows of which kind, and no texts', async () => {
    const { id } = await csv.importFile('clients', clients)
    const cancelled = await csv.upload('clients', clients)
    await csv.imports.cancel(cancelled, serverActor)
    const entries = await db.selectFrom('audit_entries').selectAll().orderBy('id').execute()
    const details = { kind: 'clients', rows: 1, ...none }
    expect(entries.map((entry) => [entry.action, entry.staff_name, entry.row_id, entry.details])).toEqual([
      ['csv-import.started', 'Server', id, { ...details, created: 1 }],
      ['csv-import.completed', 'Server', id, { ...details, created: 1 }],
      ['csv-import.cancelled', 'Server', cancelled, details],
    ])
  })

  it('keeps values without a column in the file, and clears a value with an empty cell', async () => {
    await csv.importFile('clients', clients)
    await csv.importFile('orders', orders)
    await csv.importFile('items', items)
    const before = await storedBusiness(db)
    const update = 'id,full name,mobile\nc-1,Tala Luz Reyes,\n'
    expect(counts(await csv.importFile('clients', update))).toEqual({ ...none, changed: 1 })
    expect(counts(await csv.importFile('orders', orders.replaceAll('ready', 'paid')))).toEqual({ ...none, changed: 2 })
    const after = await storedBusiness(db)
    expect(after.clients).toEqual([
      { ...(before.clients[0] as object), first_name: 'Tala Luz', last_name: 'Reyes', phone: null },
    ])
    expect(after.orders).toEqual(before.orders.map((order) => ({ ...(order as object), status: 'paid' })))
  })

  it('refuses only the wrong rows, each with its reason, and returns them as CSV', async () => {
    const file = [
      'id,first name,last name,email,mobile',
      'c-1,Tala,Bituin,tala@example.com,',
      'c-1,Tala,Bituin,,',
      'c-2,Luz,,luz@example.com,',
      ',Ben,Cruz,,12',
      'c-4,Ben,Cruz,ben at home,',
      'c-5,Ben,Cruz,,,more',
      `c-6,Ben,${'C'.repeat(101)},,`,
      '',
      '"=c-7",Ben,Cruz,,"+63 917"',
    ].join('\r\n')
    const id = await csv.upload('clients', file)
    expect(counts(await csv.check(id))).toEqual({ ...none, created: 2, refused: 6 })
    expect(counts(await csv.run(id))).toEqual({ ...none, created: 2, refused: 6 })
    expect((await csv.rows(id)).map(({ line, outcome, reason }) => [line, outcome, reason])).toEqual([
      [3, 'refused', 'An earlier row of the file has the same id.'],
      [4, 'refused', 'A client needs a first and a last name.'],
      [5, 'refused', 'There is no id, email address or phone number.'],
      [6, 'refused', 'The email address is not valid or too long.'],
      [7, 'refused', 'The row has more cells than the header.'],
      [8, 'refused', 'The last name is not valid or too long.'],
    ])
    let returned = ''
    for await (const part of csv.imports.refusedRows(id)) returned += part
    expect(returned.split('\n').slice(0, 2)).toEqual([
      '\ufeffid,first name,last name,email,mobile,Reason',
      'c-1,Tala,Bituin,,,An earlier row of the file has the same id.',
    ])
    expect(returned.trimEnd().split('\n')).toHaveLength(7)
  })

  it.each([
    ['a quotation mark that is not closed', 'id,name\nc-1,"Tala Bituin\nc-2,Luz Cruz\n', /quotation mark/],
    ['a quotation mark in the middle', 'id,name\nc-1,Tala "Luz" Bituin\n', /Row 2 .*quotation mark/],
    ['a workbook', Buffer.from([0x50, 0x4b, 3, 4, 0, 0]), /workbook/],
    ['a file with null bytes', 'id,name\nc-1,Ta\0la\n', /not a CSV file/],
    ['a header alone', 'id,name\n', /no rows/],
    ['an empty file', '\n\n', /no rows/],
    ['too many columns', `${Array.from({ length: 101 }, (_, index) => `c${index}`).join(',')}\n1\n`, /more than 100/],
  ])('refuses %s with a reason', async (_, file, reason) => {
    const failed = await csv.find(await csv.upload('clients', file))
    expect([failed.state, failed.error]).toEqual(['failed', expect.stringMatching(reason)])
    expect(await sql`select * from csv_import_parts`.execute(db)).toMatchObject({ rows: [] })
  })

  it.each([
    ['UTF-8', ',', Buffer.from('\ufeffid,name\nc-1,Niña Bituin\n')],
    ['UTF-16LE', '\t', Buffer.from('\ufeffid\tname\nc-1\tNiña Bituin\n', 'utf16le')],
    ['UTF-16BE', ';', Buffer.from('\ufeffid;name\nc-1;Niña Bituin\n', 'utf16le').swap16()],
    ['Windows-1252', '|', Buffer.from('id|name\nc-1|Niña Bituin\n', 'latin1')],
  ])('reads %s separated by %j', async (encoding, separator, file) => {
    const done = await csv.importFile('clients', file)
    expect([done.encoding, done.separator, done.created]).toEqual([encoding, separator, 1])
    expect((await storedBusiness(db)).clients).toMatchObject([{ first_name: 'Niña' }])
  })

  it('keeps rows waiting until a later file brings their client or order', async () => {
    const late = await csv.importFile('payments', payments)
    const order = await csv.importFile('orders', orders)
    expect([counts(late), counts(order)]).toEqual([
      { ...none, waiting: 1 },
      { ...none, waiting: 2 },
    ])
    await csv.importFile('clients', clients)
    expect([await csv.find(late.id), await csv.find(order.id)].map(counts)).toEqual([
      { ...none, created: 1 },
      { ...none, created: 2 },
    ])
    expect((await storedBusiness(db)).payments).toHaveLength(1)
  })

  it('tries waiting rows again after files that were stored meanwhile, in whichever order their jobs end', async () => {
    // The orders still wait for the job of their own file when the job of the other file brings their client.
    const waiting = await csv.upload('orders', orders)
    const bringing = await csv.upload('clients', clients)
    await csv.check(waiting)
    await csv.check(bringing)
    await csv.imports.run(waiting, serverActor)
    await csv.imports.run(bringing, serverActor)
    const [first = '', second = ''] = csv.queued.splice(0)
    let steps = 0
    // Interrupted after the batch that found no client.
    await csv.imports
      .work(first, () => {
        steps += 1
        if (steps === 2) throw new Error('interrupted')
      })
      .catch(() => undefined)
    expect(await csv.find(waiting)).toMatchObject({ state: 'running', waiting: 2 })
    await csv.imports.work(second)
    await csv.imports.work(first)
    expect(await csv.find(waiting)).toMatchObject({ state: 'completed', waiting: 2 })
    await csv.resumeAll()
    expect(counts(await csv.find(waiting))).toEqual({ ...none, created: 2 })
  })

  it('tries waiting rows again after a change of a client, and after a call of another program', async () => {
    await csv.importFile('clients', 'id,name,email\nc-9,Tala Bituin,old@example.com\n')
    const byEmail = await csv.importFile(
      'orders',
      'order,email,status,total,date\nSO-9,tala@example.com,ready,5,2026-01-01\n',
    )
    const byId = await csv.importFile('orders', orders)
    const payment = await csv.importFile('payments', payments)
    expect(await csv.importFile('clients', 'id,name,email\nc-9,Tala Bituin,tala@example.com\n')).toMatchObject({
      changed: 1,
    })
    expect(counts(await csv.find(byEmail.id))).toEqual({ ...none, created: 1 })
    expect(counts(await csv.find(byId.id))).toEqual({ ...none, waiting: 2 })
    const client = { external_id: 'c-1', first_name: 'Luz', last_name: 'Cruz', classification: 'new', is_active: true }
    await storeImports(db, { ...emptyBatch, clients: [client] }, { erasedPeople }, async () => undefined)
    await csv.resumeAll()
    expect([await csv.find(byId.id), await csv.find(payment.id)].map(counts)).toEqual([
      { ...none, created: 2 },
      { ...none, created: 1 },
    ])
    // Retries that store nothing leave no entry.
    const completions = await db
      .selectFrom('audit_entries')
      .select('row_id')
      .where('action', '=', 'csv-import.completed')
      .where('row_id', '=', byId.id)
      .execute()
    expect(completions).toHaveLength(2)
  })

  it('tries waiting orders again after staff create their client or change its email address', async () => {
    const orderOf = (number: string, email: string) =>
      csv.importFile('orders', `order,email,status,total,date\n${number},${email},ready,5,2026-01-01\n`)
    const ofNew = await orderOf('SO-1', 'new@example.com')
    const ofChanged = await orderOf('SO-2', 'changed@example.com')
    const fields = { first_name: 'Tala', last_name: 'Bituin', company_name: null, email: 'new@example.com' }
    const id = await db
      .transaction()
      .execute((trx) => createClient(trx, { ...fields, is_active: true, ...readPhone(null, 'PH') }))
    await csv.resumeAll()
    const found = async () => [counts(await csv.find(ofNew.id)), counts(await csv.find(ofChanged.id))]
    expect(await found()).toEqual([
      { ...none, created: 1 },
      { ...none, waiting: 1 },
    ])
    const { version } = await db.selectFrom('clients').select('version').where('id', '=', id).executeTakeFirstOrThrow()
    const change = { ...fields, classification: 'new', email: 'changed@example.com', phone: null }
    await db.transaction().execute((trx) => editClient(trx, id, { ...change, version: Number(version) }, 'PH'))
    await csv.resumeAll()
    expect(await found()).toEqual([
      { ...none, created: 1 },
      { ...none, created: 1 },
    ])
  })

  it('resumes an import whose job was lost', async () => {
    const id = await csv.upload('clients', clients)
    await csv.check(id)
    await csv.imports.run(id, serverActor)
    csv.queued.length = 0
    await csv.imports.resume()
    expect(csv.queued).toEqual([])
    csv.clock.advance(30 * 60_000 + 1)
    await csv.imports.resume()
    expect(csv.queued).toEqual([id])
    await csv.workAll()
    expect(await csv.find(id)).toMatchObject({ state: 'completed', created: 1 })
  })

  it('finds the client of an order by email address, unless several have it', async () => {
    await csv.importFile('clients', clients)
    const byEmail = 'order,email,status,total,date\nSO-9,TALA@example.com,ready,5,2026-01-01\n'
    expect(counts(await csv.importFile('orders', byEmail))).toEqual({ ...none, created: 1 })
    await db.insertInto('clients').values({ first_name: 'T', last_name: 'B', email: 'tala@example.com' }).execute()
    const unclear = await csv.importFile('orders', byEmail.replace('SO-9', 'SO-10'))
    const byPhone = await csv.importFile(
      'orders',
      'order,mobile,status,total,date\nSO-11,0917 999,ready,5,2026-01-01\n',
    )
    expect([unclear, byPhone].map(counts)).toEqual([
      { ...none, waiting: 1 },
      { ...none, waiting: 1 },
    ])
    // The derived ids are not shown.
    expect([...(await csv.rows(unclear.id)), ...(await csv.rows(byPhone.id))].map(({ reason }) => reason)).toEqual([
      'No client has this email address.',
      'No client has this phone number.',
    ])
  })

  it('joins a row with the only client who was made here and has its contact and name, as the check said', async () => {
    const here = (first_name: string, email: string | null, phone: string | null) =>
      db
        .insertInto('clients')
        .values({ first_name, last_name: 'Cruz', email, ...readPhone(phone, 'PH') })
        .returning('id')
        .executeTakeFirstOrThrow()
    const tala = await here('Tala', 'TALA@example.com', null)
    const ben = await here('Ben', null, '0917 123 4567')
    await here('Ana', 'ana@example.com', null)
    await here('Ana', 'ana@example.com', null)
    const both = await here('Luz', 'luz@example.com', '0918 765 4321')
    const file = [
      'id,name,email,mobile',
      'c-1,Tala Cruz,tala@example.com,',
      'c-2,Bea Cruz,,+63 917 123 4567',
      'c-3,Ben Cruz,,+63 917 123 4567',
      'c-4,Ana Cruz,ana@example.com,',
      'c-5,Maria Luz Cruz,luz@example.com,0918 765 4321',
      'c-6,Tala Cruz,tala@example.com,',
    ].join('\n')
    const id = await csv.upload('clients', `${file}\n`)
    expect(counts(await csv.check(id))).toEqual({ ...none, created: 3, changed: 3 })
    const several = 'Several clients have this email address or phone number.'
    expect((await csv.rows(id)).map(({ line, outcome, reason }) => [line, outcome, reason])).toEqual([
      [2, 'changed', 'Will be joined with Tala Cruz, who was added here and has the same email address.'],
      [3, 'created', 'Ben Cruz has the same phone number. If they are one person, merge them after the import.'],
      [4, 'changed', 'Will be joined with Ben Cruz, who was added here and has the same phone number.'],
      [5, 'created', `${several} If the row is one of them, merge them after the import.`],
      [
        6,
        'changed',
        'Will be joined with Luz Cruz, who was added here and has the same email address and phone number.',
      ],
      [7, 'created', 'Tala Cruz has the same email address. If they are one person, merge them after the import.'],
    ])
    expect(counts(await csv.run(id))).toEqual({ ...none, created: 3, changed: 3 })
    const stored = db.selectFrom('clients').select(['id', 'external_id', 'first_name'])
    expect(await stored.where('external_id', 'in', ['c-1', 'c-3', 'c-5']).orderBy('external_id').execute()).toEqual([
      { id: tala.id, external_id: 'c-1', first_name: 'Tala' },
      { id: ben.id, external_id: 'c-3', first_name: 'Ben' },
      { id: both.id, external_id: 'c-5', first_name: 'Maria Luz' },
    ])
    expect(counts(await csv.importFile('clients', `${file}\n`))).toEqual({ ...none, unchanged: 6 })
  })

  it('restores a deleted client that a file brings again, as the check said', async () => {
    await csv.importFile('clients', clients)
    const { id: client } = await db.selectFrom('clients').select('id').executeTakeFirstOrThrow()
    const removal = { now: new Date(), by: null, country: 'PH' }
    await removeClient(db, { id: client, version: 1 }, removal, async () => undefined)
    const id = await csv.upload('clients', clients)
    expect(counts(await csv.check(id))).toEqual({ ...none, changed: 1 })
    expect(counts(await csv.run(id))).toEqual({ ...none, changed: 1 })
    expect(await db.selectFrom('clients').select(['id', 'removed_at']).execute()).toEqual([
      { id: client, removed_at: null },
    ])
  })

  it.each([
    ['email address', { email: 'other@example.com' }],
    ['name', { first_name: 'Maria' }],
  ])('refuses a row whose client got another %s between the check and the run', async (_, change) => {
    const values = { first_name: 'Tala', last_name: 'Cruz', email: 'tala@example.com' }
    const { id: client } = await db.insertInto('clients').values(values).returning('id').executeTakeFirstOrThrow()
    const id = await csv.upload('clients', 'id,name,email\nc-1,Tala Cruz,tala@example.com\n')
    expect(counts(await csv.check(id))).toEqual({ ...none, changed: 1 })
    await db.updateTable('clients').set(change).where('id', '=', client).execute()
    expect(counts(await csv.run(id))).toEqual({ ...none, refused: 1 })
    expect((await csv.rows(id)).map(({ reason }) => reason)).toEqual([
      'The client that this row was to be joined with was changed after the check. Choose the file again.',
    ])
    expect((await storedBusiness(db)).clients).toMatchObject([{ external_id: null, ...values, ...change }])
  })

  it('refuses what would be stored twice: a number of an earlier row, and what was made here', async () => {
    await csv.importFile('clients', clients)
    const { id: client_id } = await db.selectFrom('clients').select('id').executeTakeFirstOrThrow()
    const own = { id: 'own', order_number: 'C-1', client_id, status: 'pending', total_amount: 5 }
    await db.insertInto('orders').values(own).execute()
    const paid = { order_id: 'own', amount: 5, method: 'gcash' as const, created_at: new Date('2026-01-01T16:00:00Z') }
    await db
      .insertInto('payments')
      .values({ ...paid, status: 'pending' })
      .execute()
    await db
      .insertInto('payments')
      .values({ ...paid, amount: 6, status: 'rejected' })
      .execute()
    const reasons = async (kind: 'orders' | 'payments', file: string) => {
      const id = await csv.upload(kind, file)
      await csv.check(id)
      const said = (await csv.rows(id)).map(({ line, outcome, reason }) => [line, outcome, reason])
      await csv.run(id)
      const refused = (await csv.rows(id)).map(({ line, outcome, reason }) => [line, outcome, reason])
      expect(refused).toEqual(said.filter(([, outcome]) => outcome === 'refused'))
      return said
    }
    const order = (id: string, number: string) => `${id},${number},c-1,ready,5,2026-01-02`
    const header = 'id,order no,customer id,status,total,date'
    const rows = [
      order('x', 'N-1'),
      order('y', 'N-2'),
      order('z', 'N-1'),
      order('w', 'C-1'),
      ',N-3,c-1,ready,5,2026-01-02',
    ]
    expect(await reasons('orders', `${[header, ...rows, rows[4]].join('\n')}\n`)).toEqual([
      [2, 'created', null],
      [3, 'created', null],
      [4, 'refused', 'An earlier row has the order number N-1.'],
      [5, 'refused', 'Order C-1 was made in the inbox. Change it there, or give the row another order number.'],
      [6, 'created', null],
      [7, 'refused', 'An earlier row of the file has the same order number.'],
    ])
    const payment = (amount: number, date: string) => `C-1,${amount},approved,${date}`
    const all = [payment(5, '2026-01-02'), payment(5, '2026-01-03'), payment(6, '2026-01-02')]
    expect(await reasons('payments', `order no,amount,status,date\n${all.join('\n')}\n`)).toEqual([
      [
        2,
        'refused',
        'A payment of this amount was recorded in the inbox for this order and day. If this is another one, record it there too.',
      ],
      [3, 'created', null],
      [4, 'created', null],
    ])
  })

  it('knows a client by phone in every notation, also a client who was made here', async () => {
    const file = (phone: string) => `name,mobile\nTala Bituin,${phone}\n`
    expect(counts(await csv.importFile('clients', file('0917 123 4567')))).toEqual({ ...none, created: 1 })
    expect(counts(await csv.importFile('clients', file('+63917-123-4567')))).toEqual({ ...none, changed: 1 })
    expect(counts(await csv.importFile('clients', file('(02) 8123 4567')))).toEqual({ ...none, created: 1 })
    expect(counts(await csv.importFile('clients', file('+63 2 8123 4567')))).toEqual({ ...none, changed: 1 })
    const here = { first_name: 'Luz', last_name: 'Cruz', ...readPhone('0956 123 4567', 'PH') }
    const { id } = await db.insertInto('clients').values(here).returning('id').executeTakeFirstOrThrow()
    const order = 'order,phone,status,total,date\nSO-77,+63 (0)956 123 4567,ready,5,2026-01-01\n'
    expect(counts(await csv.importFile('orders', order))).toEqual({ ...none, created: 1 })
    expect(await db.selectFrom('orders').select('client_id').where('order_number', '=', 'SO-77').execute()).toEqual([
      { client_id: id },
    ])
  })

  it('reads amounts with the marks of the currency of the business, and of no other', () => {
    const read = (currency: string) =>
      ['₱80', 'PHP 80', 'P80', '80 php', '$80', '€80'].map((text) => readAmount(text, 'point', currency))
    const other = { fault: 'text' }
    expect([read('PHP'), read('USD')]).toEqual([
      ['80.00', '80.00', '80.00', '80.00', other, other],
      [other, other, other, other, '80.00', other],
    ])
  })

  it.each([
    ['-80', 'point', 'negative'],
    ['₱-80.00', 'point', 'negative'],
    ['(80.00)', 'point', 'negative'],
    ['80-', 'comma', 'negative'],
    ['80.505', 'point', 'decimals'],
    ['1,080.505', 'point', 'decimals'],
    ['1.080,505', 'comma', 'decimals'],
    ['1000000000000', 'point', 'large'],
    ['100000000000000', 'cents', 'large'],
    ['eighty', 'point', 'text'],
    ['8e3', 'point', 'text'],
    ['', 'point', 'format'],
    ['10,80', 'point', 'format'],
    ['80.50', 'cents', 'format'],
  ] as const)('says why %j is not an amount in the format %s: %s', (text, format, fault) => {
    expect(readAmount(text, format, 'PHP')).toEqual({ fault })
  })

  it('reads the largest amount', () => {
    expect(readAmount('999,999,999,999.99', 'point', 'PHP')).toBe('999999999999.99')
  })

  it('reads the words of other programs for a status, and refuses a payment whose status is unknown', async () => {
    await csv.importFile('clients', clients)
    const orders = ['Delivered', 'CANCELED', 'in production', 'On-Hold', 'constructor'].map(
      (status, at) => `SO-3${at},tala@example.com,${status},5,2026-01-01`,
    )
    await csv.importFile('orders', ['order,email,status,total,date', ...orders, ''].join('\n'))
    const stored = db.selectFrom('orders').where('order_number', 'like', 'SO-3%').orderBy('order_number')
    expect((await stored.select('status').execute()).map(({ status }) => status)).toEqual([
      'completed',
      'cancelled',
      'in production',
      'On-Hold',
      'constructor',
    ])
    const payments = ['PAID', 'for_verification', 'Refunded', 'maybe'].map(
      (status, at) => `P-3${at},SO-3${at},${at + 1},${status},2026-01-01`,
    )
    const done = await csv.importFile('payments', ['id,order,amount,status,date', ...payments, ''].join('\n'))
    expect(counts(done)).toEqual({ ...none, created: 3, refused: 1 })
    const paid = db.selectFrom('payments').where('external_id', 'like', 'P-3%').orderBy('external_id')
    expect((await paid.select('status').execute()).map(({ status }) => status)).toEqual([
      'completed',
      'pending',
      'refunded',
    ])
    expect((await csv.rows(done.id)).flatMap(({ reason }) => reason ?? [])).toEqual([
      'The status is not known. Write pending, approved, completed, rejected, cancelled, expired, failed or refunded.',
    ])
  })

  it('refuses a client who was erased, by each name, and orders of the client', async () => {
    const names = { external_id: 'c-1', email: 'Tala@example.com', phone: '+63 917 123 4567' }
    await db.transaction().execute((trx) => rememberErasedClient(trx, erasedPeople, names, new Date()))
    const file = [
      'id,name,email,mobile',
      'c-1,Tala Bituin,,',
      'c-2,Tala Bituin,tala@example.com,',
      'c-3,Tala Bituin,,09171234567',
      'c-4,Luz Cruz,,',
    ].join('\n')
    const done = await csv.importFile('clients', file)
    expect(counts(done)).toEqual({ ...none, created: 1, refused: 3 })
    const reason = 'This client was erased on request and is not stored again.'
    expect((await csv.rows(done.id)).map((row) => row.reason)).toEqual([reason, reason, reason])
    const order = await csv.importFile('orders', orders)
    expect((await csv.rows(order.id)).map((row) => row.reason)).toEqual([reason, reason])
  })

  it('guesses the columns of shops, and prefers the last choice of staff', async () => {
    const named = async (kind: 'clients' | 'orders', header: string) => {
      const { columns, mapping } = await csv.find(await csv.upload(kind, `${header}\n${'x,'.repeat(12)}\n`))
      return Object.fromEntries(Object.entries(mapping?.fields ?? {}).map(([field, index]) => [field, columns[index]]))
    }
    expect(await named('orders', 'Name,Email,Financial Status,Total,Created at,Id')).toEqual({
      id: 'Id',
      order_number: 'Name',
      client_email: 'Email',
      status: 'Financial Status',
      total_amount: 'Total',
      created_at: 'Created at',
    })
    expect(await named('clients', 'Buong Pangalan,Kumpanya,Numero ng Telepono')).toEqual({
      name: 'Buong Pangalan',
      company_name: 'Kumpanya',
      phone: 'Numero ng Telepono',
    })
    const id = await csv.upload('clients', 'Alias,Nickname\nTala Bituin,t@example.com\n')
    await csv.check(id, { fields: { name: 0, email: 1 } })
    expect(await named('clients', 'Nickname,Other,Alias')).toEqual({ name: 'Alias', email: 'Nickname' })
  })

  it('takes each part once, and reads the file when all are there', async () => {
    const bytes = csvLimits.partBytes + 10
    const id = '6f1b51b2-8d8c-4a0e-a31c-0a4a2b8e7c11'
    const body = { id, kind: 'clients' as const, file_name: 'a.csv', bytes }
    await csv.imports.begin(body, serverActor)
    expect((await csv.imports.begin(body, serverActor))?.id).toBe(id)
    expect(await csv.imports.addPart(id, 0, Buffer.alloc(csvLimits.partBytes - 1, 'x'))).toBe(false)
    expect(await csv.imports.addPart(id, 2, Buffer.alloc(10, 'x'))).toBe(false)
    for (const _ of [1, 2]) expect(await csv.imports.addPart(id, 0, Buffer.alloc(csvLimits.partBytes, 'x'))).toBe(true)
    expect(await csv.imports.readFile(id, serverActor)).toBe(false)
    expect(await csv.imports.addPart(id, 1, Buffer.alloc(10, 'x'))).toBe(true)
    expect(await csv.imports.readFile(id, serverActor)).toBe(true)
    expect(await csv.imports.addPart(id, 1, Buffer.alloc(10, 'x'))).toBe(false)
  })

  it('stores nothing more after a cancel, and deletes old imports', async () => {
    const id = await csv.upload('clients', clients)
    await csv.check(id)
    await csv.imports.run(id, serverActor)
    expect((await csv.imports.cancel(id, serverActor))?.state).toBe('cancelled')
    await csv.workAll()
    expect((await storedBusiness(db)).clients).toEqual([])
    expect(await sql`select * from csv_import_rows`.execute(db)).toMatchObject({ rows: [] })
    csv.clock.advance(csvLimits.keptDays * 24 * 60 * 60_000 + 1)
    await csv.imports.sweep()
    expect(await csv.imports.find(id)).toBeNull()
  })

  it('announces one change for each batch, with the clients it concerns', async () => {
    await sql`delete from client_changes`.execute(db)
    await csv.importFile('clients', clients)
    await csv.importFile('orders', orders)
    await csv.importFile('payments', payments)
    const { rows } = await sql<{ client_ids: string[] }>`select client_ids from client_changes order by id`.execute(db)
    const { id } = await db.selectFrom('clients').select('id').executeTakeFirstOrThrow()
    expect(rows.map(({ client_ids }) => client_ids)).toEqual([[id], [id]])
  })

  it.each(['payments', 'orders', 'clients'] as const)('announces the deletion of %s', async (table) => {
    await csv.importFile('clients', clients)
    await csv.importFile('orders', orders)
    await csv.importFile('payments', payments)
    const { id } = await db.selectFrom('clients').select('id').executeTakeFirstOrThrow()
    await sql`delete from client_changes`.execute(db)
    await db.deleteFrom(table).execute()
    const { rows } = await sql<{ client_ids: string[] }>`select distinct client_ids from client_changes`.execute(db)
    expect(rows).toEqual([{ client_ids: [id] }])
  })

  const small = fc.integer({ min: 0, max: 3 })
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 8 }),
    fc.constantFrom('=1+1', '"', '"";\n', ',', '\t', '-5', '₱1,234.50', '1.005', '31/02/2026', 'e\u0301', "'=x"),
  )
  const cents = fc.integer({ min: 0, max: 1e9 }).map((value) => (value / 100).toFixed(2))
  const date = fc.integer({ min: Date.UTC(2020), max: Date.UTC(2030) }).map((value) => new Date(value).toISOString())
  const cell = (value: string) => `"${value.replaceAll('"', '""')}"`
  const fileOf = (header: string, rows: readonly (readonly string[])[]) =>
    `${header}\n${rows.map((row) => row.map(cell).join(',')).join('\n')}\n`
  const files = fc.record({
    clients: fc
      .array(
        fc.tuple(
          small.map((n) => `c${n}`),
          text,
          text,
          text,
        ),
        { minLength: 1, maxLength: 6 },
      )
      .map((rows) => fileOf('id,first name,last name,company', rows)),
    orders: fc
      .uniqueArray(fc.tuple(small, small, cents, date, text), { minLength: 1, selector: ([n]) => n })
      .map((rows) =>
        fileOf(
          'order no,client id,total,date,status',
          rows.map(([n, client, total, at, status]) => [`o${n}`, `c${client}`, total, at, status]),
        ),
      ),
    items: fc
      .array(
        fc.tuple(
          small.map((n) => `o${n}`),
          text,
          small.map(String),
          cents,
        ),
        { minLength: 1, maxLength: 6 },
      )
      .map((rows) => fileOf('order no,product,qty,price', rows)),
    payments: fc
      .array(
        fc.tuple(
          small.map((n) => `o${n}`),
          cents,
          date,
          fc.constantFrom('approved', 'pending'),
        ),
        {
          minLength: 1,
          maxLength: 6,
        },
      )
      .map((rows) => fileOf('order no,amount,date,status', rows)),
  })
  const kinds = ['clients', 'orders', 'items', 'payments'] as const

  it('stores the same rows after any order of the files, repetitions, and interruptions at any statement', async () => {
    await fc.assert(
      fc.asyncProperty(
        files,
        fc.shuffledSubarray([...kinds], { minLength: 4 }),
        fc.integer({ min: 3, max: 25 }),
        async (all, order, breaksAfter) => {
          await clearBusiness(db)
          for (const kind of kinds) await csv.importFile(kind, all[kind])
          const expected = await storedBusiness(db)
          for (const kind of kinds)
            expect(await csv.importFile(kind, all[kind])).toMatchObject({ created: 0, changed: 0 })
          expect(await storedBusiness(db)).toEqual(expected)

          await clearBusiness(db)
          for (const kind of order) await csv.importFile(kind, all[kind])
          expect(await storedBusiness(db)).toEqual(expected)

          await clearBusiness(db)
          for (const kind of kinds) {
            const id = await csv.upload(kind, all[kind])
            for (const step of ['check', 'run'] as const) {
              if (step === 'check') {
                const { mapping } = await csv.find(id)
                if (mapping !== null) await csv.imports.check(id, mapping, serverActor)
              } else await csv.imports.run(id, serverActor)
              csv.queued.length = 0
              await csv
                .on(db.withPlugin(breakingAfter(breaksAfter)))
                .work(id)
                .catch(() => undefined)
              csv.queued.length = 0
              await csv.imports.work(id)
              await csv.workAll()
            }
            expect((await csv.find(id)).state).toBe('completed')
          }
          expect(await storedBusiness(db)).toEqual(expected)
        },
      ),
      { seed: 20_261_123, numRuns: 15 },
    )
    // Each run interrupts four files many times, which takes a busy machine longer than other tests.
  }, 240_000)
})
