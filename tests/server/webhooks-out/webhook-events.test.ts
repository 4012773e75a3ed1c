import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { serverActor } from '../../../server/audit/audit.ts'
import { endSnoozes } from '../../../server/database/conversation-states.ts'
import type { Db } from '../../../server/database/database.ts'
import { openErasedPeople } from '../../../server/people/erased-people.ts'
import { createErasures } from '../../../server/people/erasures.ts'
import { newWebhookSecret } from '../../../server/webhooks-out/signatures.ts'
import { type WebhookEvent, webhookEvents } from '../../../src/schemas/webhook.ts'
import { isSignedWith, startWebhookReceiver, type WebhookReceiver } from '../../webhook-receiver.ts'
import { describeOnDatabase } from '../databases.ts'
import { columnsWith } from '../people/catalogue.ts'
import { addIdentity, addMessage, addPage, at } from '../people.ts'
import { keyring, openWebhooks, type Webhooks } from './webhooks-harness.ts'

describeOnDatabase('Events for other programs', (open) => {
  let db: Db
  let receiver: WebhookReceiver
  let hooks: Webhooks

  beforeEach(async () => {
    db = (await open()).db
    for (const table of ['webhook_endpoints', 'webhook_events', 'pages', 'clients', 'due_webhook_events'] as const)
      await db.deleteFrom(table).execute()
    await addPage(db, 'p1', { name: 'Prints' })
    await addIdentity(db, 'u1', { page: 'p1', name: 'Wena Cruz' })
    await db.insertInto('clients').values({ id: 'c1', first_name: 'Wena', last_name: 'Cruz' }).execute()
    receiver = await startWebhookReceiver()
    hooks = openWebhooks(db, receiver)
  })
  afterEach(() => receiver.close())

  const link = async () => {
    await db.updateTable('fb_users').set({ client_id: 'c1' }).where('id', '=', 'u1').execute()
    await db.updateTable('conversations').set({ client_id: 'c1' }).where('primary_user_id', '=', 'u1').execute()
  }
  const bodies = () => receiver.received.map(({ body }) => JSON.parse(body))
  const types = () => bodies().map(({ type }) => type)
  const addOrder = (id: string) =>
    db
      .insertInto('orders')
      .values({
        id,
        external_id: `x-${id}`,
        order_number: `N-${id}`,
        client_id: 'c1',
        status: 'pending',
        total_amount: '100.00',
        items: JSON.stringify([{ name: 'Mug', quantity: 2, unit_price: 50 }]),
        created_at: at(0),
      })
      .execute()
  const addPayment = (id: string, orderId: string, status = 'pending') =>
    db
      .insertInto('payments')
      .values({ id, order_id: orderId, amount: '40.00', status, created_at: at(1) })
      .execute()
  const changeState = (change: { snoozed_at?: Date; snoozed_until?: Date; muted_at?: Date | null; done_at?: Date }) =>
    db.updateTable('conversations').set(change).where('primary_user_id', '=', 'u1').execute()

  it('the event of a message has its text, the person, the page and the client', async () => {
    const { secret } = await hooks.add(['message.received'])
    await link()
    const image = { id: 'a', image_data: { url: '/pictures/secret', preview_url: null } }
    await addMessage(db, 'm1', 'u1', 0, {
      message_text: 'Magkano?',
      attachments: JSON.stringify({ data: [image, {}] }),
    })
    await hooks.work()
    const [request, ...others] = receiver.received
    if (request === undefined) throw new Error('nothing was received')
    expect(others).toEqual([])
    const body = JSON.parse(request.body)
    expect(body).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      type: 'message.received',
      version: 1,
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: {
        message: {
          id: 'm1',
          text: 'Magkano?',
          attachments: [{ type: 'image' }, { type: 'file' }],
          sent_at: at(0).toISOString(),
        },
        conversation: { id: 'u1', assigned_to: null },
        person: { id: 'u1', name: 'Wena Cruz', platform: 'messenger' },
        page: { id: 'p1', name: 'Prints' },
        client: { id: 'c1', external_id: null, name: 'Wena Cruz' },
      },
    })
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': body.id,
      'webhook-timestamp': String(at(0).getTime() / 1_000),
    })
    expect([await isSignedWith(secret, request), await isSignedWith(newWebhookSecret(), request)]).toEqual([
      true,
      false,
    ])
    expect(await hooks.log()).toEqual([
      expect.objectContaining({ state: 'delivered', attempts: 1, status: 200, error: null }),
    ])
  })

  it('the event of an order has its payments and what is owed; changes in one transaction are one event', async () => {
    await hooks.add(['order.changed'])
    await db.transaction().execute(async (trx) => {
      await trx
        .insertInto('orders')
        .values({
          id: 'o1',
          order_number: 'N-1',
          client_id: 'c1',
          status: 'pending',
          total_amount: '100.00',
          created_at: at(0),
        })
        .execute()
      for (const [id, status] of [
        ['y1', 'approved'],
        ['y2', 'pending'],
      ] as const)
        await trx
          .insertInto('payments')
          .values({ id, order_id: 'o1', amount: '40.00', status, created_at: at(1) })
          .execute()
    })
    await hooks.work()
    const payment = {
      external_id: null,
      amount: '40.00',
      method: null,
      reference: null,
      created_at: at(1).toISOString(),
    }
    expect(bodies().map(({ data }) => data)).toEqual([
      {
        order: {
          id: 'o1',
          external_id: null,
          order_number: 'N-1',
          status: 'pending',
          currency: 'PHP',
          total_amount: '100.00',
          paid_amount: '40.00',
          balance: '60.00',
          payment_status: 'partial',
          items: [],
          payments: [
            { id: 'y1', status: 'approved', ...payment },
            { id: 'y2', status: 'pending', ...payment },
          ],
          created_at: at(0).toISOString(),
        },
        client: { id: 'c1', external_id: null, name: 'Wena Cruz' },
      },
    ])
  })

  it('the event of a waiting conversation has the time since which it waits', async () => {
    await hooks.add(['conversation.waiting'])
    await addMessage(db, 'm1', 'u1', -5)
    await hooks.work()
    expect(bodies().map(({ type, data }) => [type, data])).toEqual([
      [
        'conversation.waiting',
        {
          conversation: { id: 'u1', assigned_to: null, waiting_since: at(-5).toISOString() },
          person: { id: 'u1', name: 'Wena Cruz', platform: 'messenger' },
          page: { id: 'p1', name: 'Prints' },
          client: null,
        },
      ],
    ])
  })

  /** Adds a message that waits, and forgets its events. */
  const waitFirst = async () => {
    await addMessage(db, 'm1', 'u1', -10)
    await db.deleteFrom('due_webhook_events').execute()
  }
  const orderFirst = async () => {
    await addOrder('o1')
    await addPayment('y1', 'o1')
    await db.deleteFrom('due_webhook_events').execute()
  }
  it.each<[string, () => Promise<unknown>, WebhookEvent[]]>([
    [
      'the first message of a customer',
      () => addMessage(db, 'm1', 'u1', 0),
      ['message.received', 'conversation.waiting'],
    ],
    [
      'a further message',
      async () => {
        await waitFirst()
        await addMessage(db, 'm2', 'u1', 0)
      },
      ['message.received'],
    ],
    ['an answer', () => addMessage(db, 'm1', 'u1', 0, { direction: 'outgoing' }), []],
    [
      'a message of synced history that is older than a day',
      () => addMessage(db, 'm1', 'u1', -1_441, { is_historical: true }),
      [],
    ],
    [
      'a recent message that a sync brought',
      () => addMessage(db, 'm1', 'u1', -60, { is_historical: true }),
      ['conversation.waiting'],
    ],
    [
      'an answered conversation in which the customer writes again',
      async () => {
        await waitFirst()
        await addMessage(db, 'm2', 'u1', -5, { direction: 'outgoing' })
        await addMessage(db, 'm3', 'u1', 0)
      },
      ['message.received', 'conversation.waiting'],
    ],
    [
      'a snooze that ends, of a conversation that waits for days',
      async () => {
        await addMessage(db, 'm1', 'u1', -3_000)
        await changeState({ snoozed_at: at(-60), snoozed_until: at(-1) })
        await db.deleteFrom('due_webhook_events').execute()
        await endSnoozes(db, at(0).getTime())
      },
      ['conversation.waiting'],
    ],
    [
      'a conversation that is muted, and then not any more',
      async () => {
        await waitFirst()
        await changeState({ muted_at: at(0) })
        await changeState({ muted_at: null })
      },
      ['conversation.waiting'],
    ],
    [
      'a conversation that is done',
      async () => {
        await waitFirst()
        await changeState({ done_at: at(0) })
      },
      [],
    ],
    ['a new order', () => addOrder('o1'), ['order.changed']],
    [
      'an order that is stored as it was',
      async () => {
        await orderFirst()
        await db.updateTable('orders').set({ status: 'pending' }).execute()
      },
      [],
    ],
    [
      'a status of an order',
      async () => {
        await orderFirst()
        await db.updateTable('orders').set({ status: 'ready' }).execute()
      },
      ['order.changed'],
    ],
    [
      'a payment that is recorded',
      async () => {
        await orderFirst()
        await addPayment('y2', 'o1')
      },
      ['order.changed'],
    ],
    [
      'a payment that is approved',
      async () => {
        await orderFirst()
        await db.updateTable('payments').set({ status: 'approved' }).execute()
      },
      ['order.changed'],
    ],
    [
      'a payment that moves to another order, which changes both',
      async () => {
        await addOrder('o2')
        await orderFirst()
        await db.updateTable('payments').set({ order_id: 'o2' }).execute()
      },
      ['order.changed', 'order.changed'],
    ],
    [
      'an order that is deleted',
      async () => {
        await orderFirst()
        await db.deleteFrom('orders').execute()
      },
      [],
    ],
  ])('%s', async (_, happen, expected) => {
    await hooks.add(webhookEvents)
    await happen()
    await hooks.work()
    expect(types().toSorted()).toEqual(expected.toSorted())
  })

  it('nothing is stored for events that no active endpoint wants', async () => {
    const { endpoint } = await hooks.add(['order.changed'])
    await addMessage(db, 'm1', 'u1', 0)
    await hooks.endpoints.change(
      endpoint.id,
      { url: endpoint.url, description: '', events: ['order.changed'], is_active: false },
      hooks.by(),
    )
    await addOrder('o1')
    expect(await db.selectFrom('due_webhook_events').selectAll().execute()).toEqual([])
  })

  it('a change that is rolled back makes no event', async () => {
    await hooks.add(['message.received'])
    const undone = db.transaction().execute(async (trx) => {
      await addMessage(trx, 'm1', 'u1', 0)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await hooks.work()
    expect(receiver.received).toEqual([])
  })

  it('each endpoint gets the events that it wants, with its own secret', async () => {
    const all = await hooks.add(webhookEvents, '/all')
    const orders = await hooks.add(['order.changed'], '/orders')
    await addMessage(db, 'm1', 'u1', 0)
    await addOrder('o1')
    await hooks.work()
    const got = receiver.received.map(({ path, body }) => `${path} ${JSON.parse(body).type}`)
    expect(got.toSorted()).toEqual([
      '/all conversation.waiting',
      '/all message.received',
      '/all order.changed',
      '/orders order.changed',
    ])
    for (const request of receiver.received) {
      const [own, other] = request.path === '/all' ? [all, orders] : [orders, all]
      expect([await isSignedWith(own.secret, request), await isSignedWith(other.secret, request)]).toEqual([
        true,
        false,
      ])
    }
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).toBe(3)
  })

  it('a due event of a wait moves to the conversation that its conversation is joined to', async () => {
    await hooks.add(['conversation.waiting'])
    await addIdentity(db, 'u2', { page: 'p1', name: 'Wena Two' })
    await addMessage(db, 'm1', 'u2', 0)
    await sql`select merge_states('u1', 'u2')`.execute(db)
    expect(await db.selectFrom('due_webhook_events').select('primary_user_id').execute()).toEqual([
      { primary_user_id: 'u1' },
    ])
  })

  it('an erased person leaves no text in events, due or stored', async () => {
    await hooks.add(webhookEvents)
    await link()
    await addMessage(db, 'm1', 'u1', 0, { message_text: 'My secret wish' })
    await addOrder('o1')
    receiver.answers.push({ status: 500 }, { status: 500 }, { status: 500 })
    await hooks.work()
    expect([
      await columnsWith(db, 'My secret wish'),
      (await columnsWith(db, 'Cruz')).includes('webhook_events.body'),
    ]).toEqual([expect.arrayContaining(['webhook_events.body']), true])
    await addMessage(db, 'm2', 'u1', 1, { message_text: 'My other wish' })
    const erasures = createErasures({
      db,
      erasedPeople: await openErasedPeople(db, keyring, 'PH'),
      removeFiles: async () => true,
      sendTimeout: 60_000,
      clock: hooks.clock,
      logger: { ...console, info: () => {} },
    })
    const id = await erasures.beginPerson('u1', { by: serverActor, withClient: true })
    await erasures.run(id ?? '')
    expect([
      await columnsWith(db, 'My secret wish'),
      await columnsWith(db, 'Cruz'),
      await hooks.log(),
      await db.selectFrom('due_webhook_events').selectAll().execute(),
    ]).toEqual([[], [], [], []])
    receiver.received.length = 0
    hooks.clock.advance(3 * 24 * 60 * 60_000)
    await hooks.work()
    expect(receiver.received).toEqual([])
  })
})
