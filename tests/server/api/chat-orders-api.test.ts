import type { Hono } from 'hono'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createChatOrderRoutes } from '../../../server/api/chat-orders.ts'
import { createOrderRoutes } from '../../../server/api/clients.ts'
import type { Role } from '../../../server/auth/roles.ts'
import type { Db } from '../../../server/database/database.ts'
import { linkClient } from '../../../server/database/groups.ts'
import { referenceKey } from '../../../server/database/recorded-payments.ts'
import { apiBehindSignIn, callAs } from '../api-harness.ts'
import { describeOnDatabase } from '../databases.ts'
import { addIdentity, addMessage, addPage, at } from '../people.ts'
import { type SignedIn, signInEachRole } from '../sign-in.ts'

const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

const orderBody = (number: number, values: object = {}) => ({
  id: idOf(number),
  client_id: 'k1',
  message_id: 'picture',
  attachment: 1,
  items: [
    { name: ' Mug ', quantity: 2, unit_price: 15_050 },
    { name: 'Coffee, kg', quantity: 0.333, unit_price: 100_05 },
  ],
  discount: 1_000,
  delivery_fee: 12_000,
  ...values,
})
const paymentBody = (number: number, values: object = {}) => ({
  id: idOf(number),
  amount: 10_000,
  method: 'gcash',
  reference: ' 1234 567-890 ',
  message_id: 'picture',
  attachment: 1,
  ...values,
})

describeOnDatabase('Orders and payments from a conversation', (open) => {
  let db: Db
  let api: Hono
  let staff: Record<Role, SignedIn>
  /** The id of the last entry before the test. */
  let audited = 0

  beforeAll(async () => {
    db = (await open()).db
    staff = await signInEachRole(db)
    await addPage(db, '1')
    for (const [id, client] of [
      ['ana', 'k1'],
      ['bea', 'k2'],
    ] as const) {
      await db.insertInto('clients').values({ id: client, first_name: id, last_name: 'Cruz' }).execute()
      await addIdentity(db, id, { page: '1' })
      await linkClient(db, id, client)
    }
    api = apiBehindSignIn(db)
    api.route('/orders', createOrderRoutes({ db }))
    api.route('/orders', createChatOrderRoutes({ db, clock: { now: () => at(1).getTime() } }))
  })
  beforeEach(async () => {
    await db.deleteFrom('orders').execute()
    await db.deleteFrom('messages').execute()
    const last = await db
      .selectFrom('audit_entries')
      .select((select) => select.fn.max('id').as('id'))
      .executeTakeFirst()
    audited = last?.id ?? 0
    const attachments = JSON.stringify({ data: [{}, {}] })
    await addMessage(db, 'picture', 'ana', 0, { attachments })
    await addMessage(db, 'of bea', 'bea', 0)
  })

  const ask = (method: string, path: string, sent?: unknown, role: Role = 'agent') =>
    callAs(staff[role], api, method, `/orders${path}`, sent)
  const make = async (number = 1, values: object = {}) => {
    const { body } = await ask('POST', '', orderBody(number, values))
    return body.data
  }
  const audit = async () =>
    (await db.selectFrom('audit_entries').selectAll().where('id', '>', audited).orderBy('id').execute()).map(
      ({ action, row_kind, row_id, details }) => [action, `${row_kind} ${row_id}`, details],
    )
  const problem = ({ status, body }: Awaited<ReturnType<typeof ask>>) => [status, body.error, body.code ?? null]

  describe('an order', () => {
    it('is stored with the total that the server calculates, its message, and who made it', async () => {
      const made = await ask('POST', '', { ...orderBody(1), total_amount: 1 })
      expect(made).toEqual({
        status: 200,
        body: {
          success: true,
          data: {
            id: idOf(1),
            order_number: expect.stringMatching(/^C-\d{5}$/),
            client_id: 'k1',
            status: 'pending',
            // 301.00 + 33.32 (0.333 × 100.05 = 33.31665) − 10.00 + 120.00
            total_amount: 444.32,
            items: [
              { name: 'Mug', quantity: 2, unit_price: 150.5 },
              { name: 'Coffee, kg', quantity: 0.333, unit_price: 100.05 },
            ],
            discount: 10,
            delivery_fee: 120,
            message_id: 'picture',
            attachment: 1,
            created_by_name: 'Paolo Cruz',
            created_at: at(1).toISOString(),
            is_imported: false,
            payments: [],
            messages: [expect.objectContaining({ message_id: 'picture', message_text: 'text of picture' })],
          },
        },
      })
      const number = made.body.data.order_number
      expect(await audit()).toEqual([['order.created', 'client k1', { order: number, total: 444.32 }]])
      expect((await ask('GET', '?client_id=k1', undefined, 'viewer')).body.data).toMatchObject([
        { id: idOf(1), total_amount: 444.32, status: 'pending' },
      ])
    })

    it('is made once, whether the request is repeated or sent twice at once', async () => {
      const twice = await Promise.all([ask('POST', '', orderBody(1)), ask('POST', '', orderBody(1))])
      const again = await ask('POST', '', orderBody(1))
      expect([...twice, again].map(({ status, body }) => [status, body.data.order_number])).toEqual(
        Array(3).fill([200, again.body.data.order_number]),
      )
      expect((await db.selectFrom('orders').select('id').execute()).length).toBe(1)
      expect((await audit()).length).toBe(1)
      const other = await ask('POST', '', orderBody(1, { discount: 0 }))
      expect(problem(other)).toEqual([409, expect.stringMatching(/^This order was made already/), null])
      const ofOther = await ask('POST', '', orderBody(1, { client_id: 'k2', message_id: null, attachment: null }))
      expect(ofOther.status).toBe(409)
    })

    it('gets the next number that no order has', async () => {
      const first = (await make(1)).order_number
      const next = `C-${String(Number(first.slice(2)) + 1).padStart(5, '0')}`
      await db
        .insertInto('orders')
        .values({ order_number: next, external_id: 'shop-1', client_id: 'k2', status: 'paid', total_amount: 5 })
        .execute()
      expect((await make(2)).order_number).toBe(`C-${String(Number(first.slice(2)) + 2).padStart(5, '0')}`)
    })

    it.each([
      [400, { items: [] }],
      [400, { items: [{ name: ' ', quantity: 1, unit_price: 1 }] }],
      [400, { items: [{ name: 'a', quantity: 0, unit_price: 1 }] }],
      [400, { items: [{ name: 'a', quantity: 0.0001, unit_price: 1 }] }],
      [400, { items: [{ name: 'a', quantity: 1, unit_price: -1 }] }],
      [400, { items: [{ name: 'a', quantity: 1, unit_price: 1.5 }] }],
      [400, { delivery_fee: -1 }],
      [400, { id: 'not a uuid' }],
      [422, { discount: 33_433 }],
      [422, { items: [{ name: 'a', quantity: 10_000, unit_price: 1_000_000_000 }] }],
      [422, { client_id: 'unknown', message_id: null, attachment: null }],
      [422, { attachment: 2 }],
      [422, { message_id: null }],
      [400, { attachment: -1 }],
      [422, { message_id: 'of bea' }],
      [422, { message_id: 'unknown' }],
    ])('is refused with %i, and nothing is stored: %j', async (status, values) => {
      expect((await ask('POST', '', orderBody(1, values))).status).toBe(status)
      expect([await db.selectFrom('orders').select('id').execute(), await audit()]).toEqual([[], []])
    })

    it('takes only the allowed steps, from the status that the person saw', async () => {
      const { id, order_number } = await make()
      const step = (from: string, to: string) => ask('PUT', `/${id}/status`, { from, to })
      expect((await step('pending', 'shipped')).status).toBe(409)
      expect((await step('ready', 'completed')).status).toBe(409)
      expect((await step('pending', 'confirmed')).body.data.status).toBe('confirmed')
      expect((await step('pending', 'confirmed')).status).toBe(200)
      expect((await step('pending', 'cancelled')).status).toBe(409)
      expect((await audit()).slice(1)).toEqual([
        ['order.status-changed', 'client k1', { order: order_number, before: 'pending', after: 'confirmed' }],
      ])
      expect((await ask('PUT', '/unknown/status', { from: 'pending', to: 'ready' })).status).toBe(404)
      expect((await ask('PUT', `/${id}/status`, { from: 'confirmed', to: 'lost' })).status).toBe(400)
    })

    it('of another program takes no step', async () => {
      const id = 'imported'
      const order = { id, order_number: 'X', external_id: 'x', client_id: 'k1', status: 'pending', total_amount: 5 }
      await db.insertInto('orders').values(order).execute()
      expect((await ask('PUT', `/${id}/status`, { from: 'pending', to: 'confirmed' })).status).toBe(409)
      expect((await ask('GET', `/${id}`)).body.data).toMatchObject({ is_imported: true, discount: null, messages: [] })
    })

    it('stays when its message is deleted', async () => {
      const { id } = await make()
      await db.deleteFrom('messages').where('message_id', '=', 'picture').execute()
      expect((await ask('GET', `/${id}`)).body.data).toMatchObject({ message_id: null, messages: [] })
    })

    it('is announced to open panes of its client, and so are its steps and its payments', async () => {
      const changes = async () => {
        const rows = await db.deleteFrom('client_changes').returning('client_ids').execute()
        return rows.map(({ client_ids }) => client_ids)
      }
      await changes()
      const { id } = await make()
      expect(await changes()).toEqual([['k1']])
      await ask('PUT', `/${id}/status`, { from: 'pending', to: 'confirmed' })
      expect(await changes()).toEqual([['k1']])
      await ask('POST', `/${id}/payments`, paymentBody(2))
      expect(await changes()).toEqual([['k1']])
    })
  })

  describe('a payment', () => {
    const record = (orderId: string, number: number, values: object = {}) =>
      ask('POST', `/${orderId}/payments`, paymentBody(number, values))

    it('is recorded as pending once, with its receipt, and counts after its approval', async () => {
      const { id, order_number } = await make()
      await record(id, 2)
      const { status, body } = await record(id, 2)
      expect([status, body.data.payments]).toEqual([
        200,
        [
          {
            id: idOf(2),
            amount: 100,
            status: 'pending',
            method: 'gcash',
            reference: '1234 567-890',
            message_id: 'picture',
            attachment: 1,
            recorded_by_name: 'Paolo Cruz',
            decided_by_name: null,
            is_imported: false,
            created_at: at(1).toISOString(),
          },
        ],
      ])
      const decide = (from: string, to: string, role: Role = 'administrator') =>
        ask('PUT', `/${id}/payments/${idOf(2)}/status`, { from, to }, role)
      expect((await decide('pending', 'approved', 'agent')).status).toBe(403)
      expect((await decide('rejected', 'approved')).status).toBe(409)
      const approved = (await decide('pending', 'approved')).body.data.payments[0]
      expect(approved).toMatchObject({ status: 'approved', decided_by_name: 'Ana Reyes' })
      expect((await decide('pending', 'approved')).status).toBe(200)
      expect((await decide('pending', 'rejected')).status).toBe(409)
      expect((await decide('approved', 'rejected')).status).toBe(409)
      const reopened = (await decide('approved', 'pending')).body.data.payments[0]
      expect(reopened).toMatchObject({ status: 'pending', decided_by_name: null })
      expect((await audit()).slice(1)).toEqual([
        ['payment.recorded', 'client k1', { order: order_number, amount: 100, method: 'gcash' }],
        ...[
          ['pending', 'approved'],
          ['approved', 'pending'],
        ].map(([before, after]) => [
          'payment.status-changed',
          'client k1',
          { order: order_number, amount: 100, before, after },
        ]),
      ])
    })

    it('is recorded once without a message too, with the same permission and the same entry in the audit log', async () => {
      const { id, order_number } = await make()
      const cash = { method: 'cash', reference: null, message_id: null, attachment: null }
      const refused = await ask('POST', `/${id}/payments`, paymentBody(2, cash), 'viewer')
      expect(refused.status).toBe(403)
      const answers = await Promise.all([record(id, 2, cash), record(id, 2, cash)])
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      expect((await ask('GET', `/${id}`)).body.data.payments).toMatchObject([
        { id: idOf(2), amount: 100, status: 'pending', ...cash, recorded_by_name: 'Paolo Cruz' },
      ])
      expect((await audit()).slice(1)).toEqual([
        ['payment.recorded', 'client k1', { order: order_number, amount: 100, method: 'cash' }],
      ])
    })

    it('may be sent again after its message was deleted', async () => {
      const { id } = await make()
      await record(id, 2)
      await db.deleteFrom('messages').where('message_id', '=', 'picture').execute()
      const { status, body } = await record(id, 2)
      expect([status, body.data.payments]).toMatchObject([200, [{ id: idOf(2), message_id: null }]])
      expect((await record(id, 3)).status).toBe(422)
    })

    it('with the method and reference of another one needs a confirmation, also at the same time', async () => {
      const [one, other] = [await make(1), await make(2, { client_id: 'k2', message_id: 'of bea', attachment: null })]
      const both = await Promise.all([
        record(one.id, 3),
        record(other.id, 4, { reference: '1234567890', message_id: null, attachment: null }),
      ])
      expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
      const refused = both.find(({ status }) => status === 409)
      expect(refused?.body).toMatchObject({
        error: expect.stringMatching(/^A payment of order C-\d{5} has the same method and reference$/),
        code: 'DOUBLE_REFERENCE',
      })
      const third = { reference: '1234567890' }
      expect((await record(one.id, 5, third)).status).toBe(409)
      expect((await record(one.id, 5, { ...third, method: 'maya' })).status).toBe(200)
      expect((await record(one.id, 6, { ...third, accepts_double: true })).status).toBe(200)
      expect((await record(one.id, 7, { reference: null })).status).toBe(200)
      expect((await record(one.id, 8, { reference: null })).status).toBe(200)
    })

    it('may repeat the reference of a rejected one', async () => {
      const { id } = await make()
      await record(id, 2)
      await ask('PUT', `/${id}/payments/${idOf(2)}/status`, { from: 'pending', to: 'rejected' }, 'administrator')
      expect((await record(id, 3)).status).toBe(200)
    })

    it('stays rejected while another one has its reference', async () => {
      const [{ id, order_number }, other] = [await make(1), await make(4)]
      const decide = (orderId: string, payment: number, from: string, to: string) =>
        ask('PUT', `/${orderId}/payments/${idOf(payment)}/status`, { from, to }, 'administrator')
      await record(other.id, 5)
      await decide(other.id, 5, 'pending', 'rejected')
      await record(id, 2)
      const statuses = async () =>
        (await db.selectFrom('payments').select('status').orderBy('id').execute()).map(({ status }) => status)
      expect(problem(await decide(other.id, 5, 'rejected', 'pending'))).toEqual([
        409,
        `A payment of order ${order_number} has the same method and reference. To count both, record this payment once more.`,
        null,
      ])
      expect(await statuses()).toEqual(['pending', 'rejected'])
      await decide(id, 2, 'pending', 'rejected')
      const both = await Promise.all([decide(id, 2, 'rejected', 'pending'), decide(other.id, 5, 'rejected', 'pending')])
      expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
      expect((await statuses()).sort()).toEqual(['pending', 'rejected'])
    })

    it('is refused if its id is taken, its order or message is not known, or a value is not valid', async () => {
      const { id } = await make()
      await record(id, 2)
      expect((await record(id, 2, { amount: 5 })).status).toBe(409)
      expect((await record('unknown', 3)).status).toBe(404)
      expect((await record(id, 3, { message_id: 'of bea', attachment: null })).status).toBe(422)
      expect((await record(id, 3, { attachment: 2 })).status).toBe(422)
      for (const values of [{ amount: 0 }, { method: 'cheque' }, { reference: ' ' }])
        expect((await record(id, 3, values)).status).toBe(400)
      expect((await ask('GET', `/${id}`)).body.data.payments.length).toBe(1)
      const unknown = `/${id}/payments/unknown/status`
      expect((await ask('PUT', unknown, { from: 'pending', to: 'approved' }, 'administrator')).status).toBe(404)
    })

    it('of another program is not decided here', async () => {
      const { id } = await make()
      const payment = { id: 'imported', order_id: id, external_id: 'x', amount: 5, status: 'pending' }
      await db.insertInto('payments').values(payment).execute()
      const decided = await ask(
        'PUT',
        `/${id}/payments/imported/status`,
        { from: 'pending', to: 'approved' },
        'administrator',
      )
      expect(decided.status).toBe(409)
    })
  })

  it('compares references without case, spaces and punctuation', () => {
    expect(['Ab-12 ３', 'ab 123', ' - ', null].map(referenceKey)).toEqual(['ab123', 'ab123', null, null])
  })
})
