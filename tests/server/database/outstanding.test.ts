import fc from 'fast-check'
import type { Hono } from 'hono'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createConversationRoutes } from '../../../server/api/conversations.ts'
import type { Db } from '../../../server/database/database.ts'
import { linkClient, mergeConversations, splitConversation, unlinkClient } from '../../../server/database/groups.ts'
import { listOrders } from '../../../server/database/orders.ts'
import { emptyBatch } from '../../../server/imports/batch.ts'
import { storeImports } from '../../../server/imports/store-imports.ts'
import { totalsOf } from '../../../src/domain/client/orders.ts'
import { headStart } from '../../../src/domain/list/views.ts'
import { noSenderActions } from '../absent-parts.ts'
import { apiBehindSignIn } from '../api-harness.ts'
import { describeOnDatabase } from '../databases.ts'
import { addIdentity, addMessage, addPage, at } from '../people.ts'
import { type SignedIn, signIn } from '../sign-in.ts'

const clients = ['k1', 'k2'] as const
const orderIds = ['o1', 'o2', 'o3'] as const
const chats = ['u1', 'u2', 'u3'] as const

const client = fc.constantFrom(...clients)
const order = fc.constantFrom(...orderIds)
const chat = fc.constantFrom(...chats)
const paymentId = fc.constantFrom('y1', 'y2', 'y3', 'y4')
const money = fc.integer({ min: -5_00, max: 2000_00 }).map((cents) => cents / 100)
const status = fc
  .constantFrom('ready', 'pending', 'cancelled', 'rejected', 'approved', 'completed')
  .chain((name) => fc.constantFrom(name, name.toUpperCase(), ` ${name}\n`, `\u00a0${name}\ufeff`))

/** A change of the database. One that is not possible, for example of a row that does not exist, changes nothing. */
const step = fc.oneof(
  fc.record({ do: fc.constant('orders' as const), client, total: money, status, ids: fc.uniqueArray(order) }),
  fc.record({ do: fc.constant('changeOrder' as const), order, client, total: money, status }),
  fc.record({ do: fc.constant('items' as const), order }),
  fc.record({ do: fc.constant('deleteOrder' as const), order }),
  fc.record({ do: fc.constant('payments' as const), order, amount: money, status, ids: fc.uniqueArray(paymentId) }),
  fc.record({ do: fc.constant('changePayment' as const), id: paymentId, order, amount: money, status }),
  fc.record({ do: fc.constant('deletePayment' as const), id: paymentId }),
  fc.record({ do: fc.constant('import' as const), client, order, total: money, amount: money, status }),
  fc.record({ do: fc.constant('link' as const), chat, client }),
  fc.record({ do: fc.constant('unlink' as const), chat, client }),
  fc.record({ do: fc.constant('merge' as const), chat, other: chat }),
  fc.record({ do: fc.constant('split' as const), chat }),
  fc.record({ do: fc.constant('deleteClient' as const), client }),
)
type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never

const noErasures = { hashesOfClient: () => [] }

describeOnDatabase('What a client owes', (open) => {
  let db: Db

  beforeAll(async () => {
    db = (await open()).db
  })
  beforeEach(reset)

  async function reset(): Promise<void> {
    for (const table of ['conversation_events', 'pages', 'clients', 'deleted_messages'] as const)
      await db.deleteFrom(table).execute()
    for (const page of ['p1', 'p2', 'p3']) await addPage(db, page)
    for (const [index, id] of chats.entries()) await addIdentity(db, id, { page: `p${index + 1}` })
    for (const id of clients) await addClient(id)
  }

  const addClient = (id: string) =>
    db.insertInto('clients').values({ id, external_id: id, first_name: 'Ana', last_name: id }).execute()

  const addOrder = (id: string, total: number | string, of = 'k1', state = 'ready') =>
    db
      .insertInto('orders')
      .values({ id, external_id: id, order_number: `SO-${id}`, client_id: of, status: state, total_amount: total })
      .execute()

  const addPayment = (id: string, amount: number | string, of = 'o1', state = 'approved') =>
    db.insertInto('payments').values({ id, order_id: of, amount, status: state }).execute()

  async function take(each: Step): Promise<unknown> {
    switch (each.do) {
      case 'orders':
        return (
          each.ids.length > 0 &&
          db
            .insertInto('orders')
            .values(
              each.ids.map((id) => ({
                id,
                external_id: id,
                order_number: `SO-${id}`,
                client_id: each.client,
                status: each.status,
                total_amount: each.total,
              })),
            )
            .onConflict((conflict) => conflict.doNothing())
            .execute()
        )
      case 'changeOrder':
        return db
          .updateTable('orders')
          .set({ client_id: each.client, status: each.status, total_amount: each.total })
          .where('id', '=', each.order)
          .execute()
      case 'items':
        return db.updateTable('orders').set({ items: '[]' }).where('id', '=', each.order).execute()
      case 'deleteOrder':
        return db.deleteFrom('orders').where('id', '=', each.order).execute()
      case 'payments':
        return (
          each.ids.length > 0 &&
          db
            .insertInto('payments')
            .values(each.ids.map((id) => ({ id, order_id: each.order, amount: each.amount, status: each.status })))
            .onConflict((conflict) => conflict.doNothing())
            .execute()
        )
      case 'changePayment':
        return db
          .updateTable('payments')
          .set({ order_id: each.order, amount: each.amount, status: each.status })
          .where('id', '=', each.id)
          .execute()
      case 'deletePayment':
        return db.deleteFrom('payments').where('id', '=', each.id).execute()
      case 'import': {
        const created_at = at(0).toISOString()
        return storeImports(
          db,
          {
            ...emptyBatch,
            orders: [
              {
                external_id: each.order,
                client: each.client,
                order_number: `SO-${each.order}`,
                status: each.status,
                total_amount: each.total,
                items: [],
                created_at,
              },
            ],
            payments: [
              {
                external_id: 'imported',
                order: each.order,
                amount: each.amount,
                status: each.status,
                created_at,
              },
            ],
          },
          { erasedPeople: noErasures },
          async () => undefined,
        )
      }
      case 'link':
        return linkClient(db, each.chat, each.client)
      case 'unlink':
        return unlinkClient(db, each.chat, each.client)
      case 'merge':
        return mergeConversations(db, each.chat, each.other)
      case 'split':
        return splitConversation(db, each.chat)
      case 'deleteClient':
        await db.deleteFrom('clients').where('id', '=', each.client).execute()
        return addClient(each.client)
    }
  }

  /** What is stored of clients and conversations. */
  const stored = async () => ({
    clients: await db.selectFrom('clients').select(['id', 'outstanding']).orderBy('id').execute(),
    conversations: await db
      .selectFrom('conversations')
      .select(['primary_user_id', 'client_id', 'outstanding'])
      .orderBy('primary_user_id')
      .execute(),
  })

  /** The same by the domain's function over the orders as the API tells them. */
  const byTheDomain = async ({ conversations }: Awaited<ReturnType<typeof stored>>) => {
    const owed = new Map<string | null, number>()
    for (const id of clients) {
      const orders = await listOrders(db, {
        client_id: id,
        limit: 100,
        sort_by: 'created_at',
        sort_order: 'desc',
        withPayments: true,
        withItems: false,
      })
      owed.set(id, totalsOf(orders).outstanding)
    }
    return {
      clients: clients.map((id) => ({ id, outstanding: owed.get(id) })),
      conversations: conversations.map((each) => ({ ...each, outstanding: owed.get(each.client_id) ?? 0 })),
    }
  }

  it('is what the domain says, after any changes of orders, payments, clients and chats', async () => {
    await fc.assert(
      fc
        .asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
          for (const each of steps) {
            await take(each).catch((error: unknown) => {
              // Refused links and merges, and payments of unknown orders.
              const isRefused = error instanceof Error && (error.name === 'GroupingRefused' || 'code' in error)
              if (!isRefused) throw error
            })
          }
          const found = await stored()
          expect(found).toEqual(await byTheDomain(found))
        })
        .beforeEach(reset),
      { numRuns: 60 },
    )
  })

  it('counts every payment of many that are stored at the same time, and a link of that moment', async () => {
    await addOrder('o1', 100)
    await addOrder('o2', 100)
    await Promise.all([
      ...Array.from({ length: 8 }, (_, index) => addPayment(`y${index}`, 10, index % 2 === 0 ? 'o1' : 'o2')),
      linkClient(db, 'u1', 'k1'),
    ])
    expect(await stored()).toMatchObject({
      clients: [{ outstanding: 120_00 }, { outstanding: 0 }],
      conversations: [{ client_id: 'k1', outstanding: 120_00 }, { outstanding: 0 }, { outstanding: 0 }],
    })
  })

  it('stops at the greatest exact number', async () => {
    for (let index = 0; index < 100; index++) await addOrder(`o${index}`, '999999999999.99')
    expect((await stored()).clients[0]).toEqual({ id: 'k1', outstanding: Number.MAX_SAFE_INTEGER })
  })

  it('is announced with the orders and payments, to the client that an order left too, and not twice', async () => {
    await addOrder('o1', 100)
    await addPayment('y1', 40)
    await sql`delete from client_changes`.execute(db)
    await db.updateTable('orders').set({ client_id: 'k2' }).where('id', '=', 'o1').execute()
    await db.updateTable('payments').set({ amount: 50 }).where('id', '=', 'y1').execute()
    await db.updateTable('clients').set({ phone: '0917' }).where('id', '=', 'k1').execute()
    const { rows } = await sql<{ client_ids: string[] }>`select client_ids from client_changes order by id`.execute(db)
    expect(rows.map(({ client_ids }) => client_ids)).toEqual([['k1', 'k2'], ['k2'], ['k1']])
  })

  describe('in the list', () => {
    let api: Hono
    let agent: SignedIn
    let other: SignedIn

    beforeAll(async () => {
      agent = await signIn(db, 'agent')
      other = await signIn(db, 'agent')
      const permissions = ['conversations.read']
      await db.updateTable('staff').set({ role: 'other', permissions }).where('id', '=', other.staffId).execute()
      const clock = { now: () => at(24 * 60).getTime(), after: () => () => {} }
      api = apiBehindSignIn(db)
      api.route('/', createConversationRoutes({ db, senderActions: noSenderActions, clock, country: 'PH' }))
    })

    const ask = async (query: string, by = agent) => {
      const response = await api.request(`/conversations${query}`, { headers: by.headers })
      return { status: response.status, body: await response.json() }
    }
    const rowsOf = async (query: string, by = agent) =>
      (await ask(query, by)).body.data.map(({ primary_user_id, outstanding }: Record<string, unknown>) => [
        primary_user_id,
        outstanding,
      ])

    it('stands in the rows of linked people, for whoever may read orders', async () => {
      await addOrder('o1', '1200.50')
      await linkClient(db, 'u1', 'k1')
      await linkClient(db, 'u2', 'k2')
      for (const [index, id] of chats.entries()) await addMessage(db, `m-${id}`, id, 10 - index)
      for (const query of ['', '?view=waiting', '?pageId=p1', '?search=ana'])
        expect(await rowsOf(query)).toContainEqual(['u1', 120_050])
      expect(await rowsOf('')).toEqual([
        ['u1', 120_050],
        ['u2', 0],
        ['u3', null],
      ])
      expect(await rowsOf('', other)).toEqual([
        ['u1', null],
        ['u2', null],
        ['u3', null],
      ])
    })

    it('orders Waiting by urgency, with closed reply windows last, and is refused to whoever may not read orders', async () => {
      // Windows close one hour, three hours and four hours from now; one closed before.
      await addIdentity(db, 'u4', { page: 'p1' })
      await addMessage(db, 'm0', 'u2', 3 * 60 + 1)
      await addMessage(db, 'm1', 'u1', 60)
      await addMessage(db, 'm3', 'u3', 4 * 60)
      await addMessage(db, 'm4', 'u4', -60)
      const ids = async (query = '') => (await rowsOf(`?view=waiting&order=urgent${query}`)).map(([id]: [string]) => id)
      expect(await ids()).toEqual(['u1', 'u2', 'u3', 'u4'])
      // Two hours for each power of ten: ₱999 is six hours before those who owe nothing.
      await linkClient(db, 'u3', 'k1')
      await addOrder('o1', 999)
      expect(await ids()).toEqual(['u3', 'u1', 'u2', 'u4'])
      expect([await ids('&limit=2'), await ids('&limit=2&page=2'), await ids('&pageId=p1')]).toEqual([
        ['u3', 'u1'],
        ['u2', 'u4'],
        ['u1', 'u4'],
      ])
      await addPayment('y1', 990)
      expect(await ids()).toEqual(['u1', 'u3', 'u2', 'u4'])
      // A closed window stays last, whatever is owed.
      await linkClient(db, 'u4', 'k2')
      await addOrder('o2', 1_000_000, 'k2')
      expect(await ids()).toEqual(['u1', 'u3', 'u2', 'u4'])
      expect((await rowsOf('?view=waiting')).map(([id]: [string]) => id)).toEqual(['u1', 'u2', 'u3', 'u4'])
      expect(await rowsOf('?view=unassigned&order=urgent')).toEqual(await rowsOf('?view=unassigned'))
      expect(await ask('?view=waiting&order=urgent', other)).toMatchObject({
        status: 403,
        body: { requiredPermission: 'orders.read' },
      })
      expect((await ask('?view=waiting&order=richest')).status).toBe(400)
    })

    it('gives the head start that the browser reckons with', async () => {
      for (const cents of [0, 1, 99, 100, 900, 99_900, 120_050, 10 ** 12, Number.MAX_SAFE_INTEGER]) {
        const { rows } = await sql<{ ms: number }>`
          select 1000 * extract(epoch from ${at(0)}::timestamptz - urgency(${at(0)}::timestamptz, ${cents}::bigint))::float8
            as ms`.execute(db)
        expect(rows[0]?.ms).toBeCloseTo(headStart(cents), 2)
      }
    })
  })
})
