import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { mergeClients, undoRemoval } from '../../../server/database/client-merges.ts'
import { purgeRemovals, RemovalRefused, removeClient } from '../../../server/database/client-removals.ts'
import { editClient, findClient } from '../../../server/database/clients.ts'
import type { Db } from '../../../server/database/database.ts'
import { linkClient, splitConversation, unlinkClient } from '../../../server/database/groups.ts'
import { emptyBatch } from '../../../server/imports/batch.ts'
import { storeImports } from '../../../server/imports/store-imports.ts'
import { readPhone } from '../../../server/phones.ts'
import { type MergedField, mergedFields } from '../../../src/schemas/client-removal.ts'
import { describeOnDatabase } from '../databases.ts'
import { addIdentity, addMessage, addPage, at } from '../people.ts'

const context = { now: at(30), by: 'Ana', country: 'PH' }
const nothing = async () => {}

/** The generated rows of one client: fields, external id, orders with payments, labels and a conversation. */
const clientWorld = fc.record({
  first_name: fc.constantFrom('Ana', 'Ben'),
  company_name: fc.constantFrom(null, 'Acme', 'Bolt'),
  email: fc.constantFrom(null, 'ana@example.com', 'ben@example.com'),
  phone: fc.constantFrom(null, '0917 123 4567', '+63 918 765 4321'),
  classification: fc.constantFrom('new', 'vip'),
  language: fc.constantFrom(null, 'en' as const, 'fil' as const),
  is_active: fc.boolean(),
  hasExternalId: fc.boolean(),
  orders: fc.array(fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 2 }), { maxLength: 3 }),
  labels: fc.uniqueArray(fc.constantFrom('l1', 'l2', 'l3'), { maxLength: 3 }),
  chats: fc.integer({ min: 0, max: 2 }),
  isDone: fc.boolean(),
  isMuted: fc.boolean(),
  hasNote: fc.boolean(),
  chatLabels: fc.uniqueArray(fc.constantFrom('l1', 'l2', 'l3'), { maxLength: 2 }),
  drafts: fc.uniqueArray(fc.constantFrom('s1', 's2'), { maxLength: 2 }),
  isAnswered: fc.boolean(),
})
type World = typeof clientWorld extends fc.Arbitrary<infer Each> ? Each : never

/** What happens to both clients after the merge. It happens to a client under either name. */
const change = fc.oneof(
  fc.record({ do: fc.constant('edit' as const), field: fc.constantFrom('email' as const, 'company_name' as const) }),
  fc.record({ do: fc.constant('newOrder' as const), number: fc.integer({ min: 1, max: 3 }) }),
  fc.record({
    do: fc.constant('orderStatus' as const),
    of: fc.constantFrom('a', 'b'),
    number: fc.integer({ max: 2, min: 0 }),
  }),
  fc.record({
    do: fc.constant('payment' as const),
    of: fc.constantFrom('a', 'b'),
    number: fc.integer({ max: 2, min: 0 }),
  }),
  fc.record({ do: fc.constant('message' as const), of: fc.constantFrom('a', 'b') }),
  fc.record({ do: fc.constant('answer' as const), of: fc.constantFrom('a', 'b') }),
  fc.record({
    do: fc.constant('importOrder' as const),
    of: fc.constantFrom('a', 'b'),
    number: fc.integer({ max: 2, min: 0 }),
  }),
)
type Change = typeof change extends fc.Arbitrary<infer Each> ? Each : never

const noErasures = { erasedPeople: { hashesOfClient: () => [] } }

describeOnDatabase('A merge of clients', (open) => {
  let db: Db
  beforeAll(async () => {
    db = (await open()).db
  })

  async function reset(worlds: Record<'a' | 'b', World>): Promise<void> {
    for (const table of [
      'conversation_events',
      'pages',
      'clients',
      'labels',
      'deleted_messages',
      'waits',
      'resolutions',
      'staff',
    ] as const)
      await db.deleteFrom(table).execute()
    await sql`delete from removed_pages`.execute(db)
    // Both runs of a property give their messages the same numbers.
    await sql`select setval(pg_get_serial_sequence('messages', 'id'), 1, false)`.execute(db)
    for (const page of ['p1', 'p2']) await addPage(db, page)
    for (const id of ['s1', 's2'])
      await db
        .insertInto('staff')
        .values({ id, email: `${id}@example.com`, role: 'Agent' })
        .execute()
    for (const id of ['l1', 'l2', 'l3'])
      await db.insertInto('labels').values({ id, name: id, name_key: id, colour: 'blue', keywords: [] }).execute()
    for (const [id, world] of Object.entries(worlds)) await addWorld(id, world)
  }

  async function addWorld(id: string, world: World): Promise<void> {
    const { hasExternalId, orders, labels, phone, ...others } = world
    const { chats, isDone, isMuted, isAnswered, hasNote, chatLabels, drafts, ...fields } = others
    await db
      .insertInto('clients')
      .values({
        id,
        ...fields,
        ...readPhone(phone, 'PH'),
        last_name: id,
        external_id: hasExternalId ? `x-${id}` : null,
        created_at: at(0),
      })
      .execute()
    for (const [index, payments] of orders.entries()) {
      const order = `${id}${index}`
      await db
        .insertInto('orders')
        .values({
          id: order,
          external_id: `x-${order}`,
          order_number: `SO-${order}`,
          client_id: id,
          status: 'ready',
          total_amount: 100 + index,
          created_at: at(index),
        })
        .execute()
      for (const [place, amount] of payments.entries())
        await db
          .insertInto('payments')
          .values({ id: `${order}-${place}`, order_id: order, amount, status: 'approved', created_at: at(place) })
          .execute()
    }
    if (labels.length > 0) await db.insertInto('client_labels').values({ client_id: id, label_ids: labels }).execute()
    for (let chat = 0; chat < chats; chat++) {
      const user = `u${id}${chat}`
      await addIdentity(db, user, {
        page: `p${chat + 1}`,
        name: `Name ${id}`,
        minute: chat,
        ...(chat > 0 && { in: `u${id}0` }),
      })
      await addMessage(db, `m-${user}`, user, chat)
    }
    if (chats === 0) return
    if (isAnswered) {
      await addMessage(db, `answer-${id}`, `u${id}0`, 3, { direction: 'outgoing' })
      await addMessage(db, `again-${id}`, `u${id}0`, 4)
    }
    for (const staffId of drafts)
      await sql`insert into drafts (staff_id, primary_user_id, text, extras, version, updated_at)
        values (${staffId}, ${`u${id}0`}, ${`a draft for ${id}`}, ${JSON.stringify({ summary: { client_id: id } })},
          gen_random_uuid(), ${at(6)})`.execute(db)
    await linkClient(db, `u${id}0`, id)
    await db
      .updateTable('conversations')
      .set({
        label_ids: chatLabels,
        ...(isDone && {
          done_at: at(10),
          waiting_since: null,
          settled_up_to: sql<number>`(select max(id) from messages)`,
          settled_incoming_at: at(9),
        }),
        ...(isMuted && { muted_at: at(11) }),
      })
      .where('primary_user_id', '=', `u${id}0`)
      .execute()
    if (hasNote)
      await sql`insert into notes (id, primary_user_id, text, mentions, created_at)
        values (${`n${id}`}, ${`u${id}0`}, 'a note', '[]', ${at(5)})`.execute(db)
  }

  async function take(each: Change): Promise<void> {
    switch (each.do) {
      case 'edit':
        await db
          .updateTable('clients')
          .set({ [each.field]: 'edited later' })
          .where('id', '=', 'a')
          .execute()
        return
      case 'newOrder':
        await db
          .insertInto('orders')
          .values({
            id: `later${each.number}`,
            order_number: `SO-later${each.number}`,
            client_id: 'a',
            status: 'ready',
            total_amount: 5,
            created_at: at(40),
          })
          .onConflict((conflict) => conflict.doNothing())
          .execute()
        return
      case 'orderStatus':
        await db
          .updateTable('orders')
          .set({ status: 'completed' })
          .where('id', '=', `${each.of}${each.number}`)
          .execute()
        return
      case 'payment':
        await sql`insert into payments (id, order_id, amount, status, created_at)
          select ${`later-${each.of}${each.number}`}, id, 7, 'approved', ${at(41)} from orders
          where id = ${`${each.of}${each.number}`} on conflict do nothing`.execute(db)
        return
      case 'message':
      case 'answer': {
        const user = await db.selectFrom('fb_users').select('id').where('id', '=', `u${each.of}0`).executeTakeFirst()
        const message = `later-${each.do}-${each.of}`
        const known = await db.selectFrom('messages').select('id').where('message_id', '=', message).executeTakeFirst()
        const [minute, direction] = each.do === 'message' ? [50, 'incoming' as const] : [51, 'outgoing' as const]
        if (user !== undefined && known === undefined) await addMessage(db, message, user.id, minute, { direction })
        return
      }
      case 'importOrder': {
        const { of, number } = each
        const known = await db.selectFrom('orders').select('id').where('id', '=', `${of}${number}`).executeTakeFirst()
        if (known === undefined) return
        const order = {
          external_id: `x-${of}${number}`,
          client: `x-${of}`,
          order_number: `SO-${of}${number}`,
          status: 'shipped',
          total_amount: 55,
          created_at: at(0).toISOString(),
          items: [],
        }
        await storeImports(db, { ...emptyBatch, orders: [order] }, noErasures, nothing)
        return
      }
    }
  }

  /** Everything of both clients but the numbers of changes. */
  async function everything() {
    const of = async (query: ReturnType<typeof sql>) => (await query.execute(db)).rows
    return {
      clients: await of(sql`select to_jsonb(clients) - 'version' as row from clients order by id`),
      orders: await of(sql`select to_jsonb(orders) as row from orders order by id`),
      payments: await of(sql`select to_jsonb(payments) as row from payments order by id`),
      labels: await of(sql`select client_id, label_ids from client_labels where label_ids <> '{}' order by client_id`),
      aliases: await of(sql`select * from client_aliases order by external_id`),
      removals: await of(sql`select client_id from client_removals`),
      chats: await of(sql`select id, primary_user_id, client_id from fb_users order by id`),
      messages: await of(sql`select message_id, primary_user_id from messages order by message_id`),
      notes: await of(sql`select id, primary_user_id from notes order by id`),
      drafts: await of(
        sql`select staff_id, primary_user_id, text, extras from drafts order by staff_id, primary_user_id`,
      ),
      waits: await of(sql`select * from waits order by first_id`),
      resolutions: await of(sql`select to_jsonb(resolutions) - 'id' as row from resolutions
        order by primary_user_id, closed_at`),
      conversations: await of(sql`select primary_user_id, client_id, unified_name, page_ids, total_messages,
        unread_messages, last_message_id, waiting_since, outstanding, decided_state(primary_user_id) as state
        from conversations order by primary_user_id`),
    }
  }

  const versionOf = async (id: string) => Number((await findClient(db, id))?.version)
  const merge = async (kept: string, other: string, fields: readonly MergedField[] = []) =>
    mergeClients(
      db,
      { id: kept, other, version: await versionOf(kept), other_version: await versionOf(other), take: [...fields] },
      context,
      nothing,
    )

  it('and its undo, with any changes between them, leave what the changes alone leave', async () => {
    await fc.assert(
      fc.asyncProperty(
        clientWorld,
        clientWorld,
        fc.uniqueArray(fc.constantFrom(...mergedFields)),
        fc.array(change, { maxLength: 4 }),
        async (a, b, fields, changes) => {
          // A message reopens the joined conversation, and nobody knows later whether staff meant both: both stay open.
          fc.pre(!(a.isDone && b.isDone && changes.some((each) => each.do === 'message')))
          await reset({ a, b })
          for (const each of changes) await take(each)
          const expected = await everything()
          await reset({ a, b })
          await merge('a', 'b', fields)
          for (const each of changes) await take(each)
          await undoRemoval(db, 'b', context, nothing)
          expect(await everything()).toEqual(expected)
        },
      ),
      { numRuns: 40 },
    )
  }, 240_000)

  const plain: World = {
    first_name: 'Ana',
    company_name: null,
    email: null,
    phone: null,
    classification: 'new',
    language: null,
    is_active: true,
    hasExternalId: true,
    orders: [[10]],
    labels: [],
    chats: 1,
    isDone: false,
    isMuted: false,
    hasNote: false,
    chatLabels: [],
    drafts: [],
    isAnswered: false,
  }

  it('gives the kept client the chosen fields, and everything that belonged to the other one', async () => {
    await reset({
      a: { ...plain, labels: ['l1'] },
      b: { ...plain, email: 'ben@example.com', phone: '0917 123 4567', company_name: 'Bolt', labels: ['l2', 'l1'] },
    })
    const moved = await merge('a', 'b', ['email', 'phone'])
    expect(moved).toEqual(['ua0', 'ub0'].map((id) => ({ id, primary_user_id: 'ua0', client_id: 'a' })))
    expect(await findClient(db, 'b')).toBeUndefined()
    expect(await findClient(db, 'a')).toMatchObject({
      email: 'ben@example.com',
      phone: '0917 123 4567',
      company_name: null,
      labels: { version: 2, label_ids: ['l1', 'l2'] },
    })
    const { rows } = await sql`select id from orders where client_id = 'a' order by id`.execute(db)
    expect(rows).toEqual([{ id: 'a0' }, { id: 'b0' }])
    const kept = await db.selectFrom('clients').selectAll().where('id', '=', 'a').executeTakeFirstOrThrow()
    expect([kept.phone_e164, Number(kept.outstanding)]).toEqual(['+639171234567', 180_00])
  })

  it('lets the external id of the merged client name the kept one, also after the 30 days', async () => {
    await reset({ a: plain, b: plain })
    await merge('a', 'b')
    const imported = { external_id: 'x-b', first_name: 'Bea', last_name: 'Lim', classification: 'vip', is_active: true }
    const order = {
      external_id: 'x-new',
      client: 'x-b',
      order_number: 'SO-new',
      status: 'ready',
      total_amount: 5,
      created_at: at(0).toISOString(),
      items: [],
    }
    for (const day of [0, 31]) {
      await purgeRemovals(db, new Date(at(30).getTime() + (day - 30) * 86_400_000 + 1))
      const stored = await storeImports(
        db,
        { ...emptyBatch, clients: [{ ...imported, first_name: `Bea ${day}` }], orders: [order] },
        noErasures,
        nothing,
      )
      expect([...stored.clients.values()]).toEqual([{ external_id: 'x-b', id: 'a', result: 'changed' }])
      expect([...stored.orders.values()].map(({ result }) => result)).toEqual([day === 0 ? 'created' : 'unchanged'])
      expect((await findClient(db, 'a'))?.first_name).toBe(`Bea ${day}`)
    }
    expect(await db.selectFrom('clients').select('id').execute()).toEqual([{ id: 'a' }])
  })

  it('leaves a draft that was changed since with the kept client', async () => {
    await reset({ a: { ...plain, drafts: ['s1', 's2'] }, b: { ...plain, drafts: ['s1', 's2'] } })
    await merge('a', 'b')
    await sql`update drafts set text = 'changed', version = gen_random_uuid() where staff_id = 's1'`.execute(db)
    await undoRemoval(db, 'b', context, nothing)
    expect((await everything()).drafts).toEqual([
      { staff_id: 's1', primary_user_id: 'ua0', text: 'changed', extras: { summary: { client_id: 'a' } } },
      { staff_id: 's2', primary_user_id: 'ua0', text: 'a draft for a', extras: { summary: { client_id: 'a' } } },
      { staff_id: 's2', primary_user_id: 'ub0', text: 'a draft for b', extras: { summary: { client_id: 'b' } } },
    ])
  })

  it('is undone in the reverse order, and the aliases go back to the client that they came with', async () => {
    await reset({ a: { ...plain, hasExternalId: false }, b: plain })
    await addWorld('c', plain)
    const before = await everything()
    await merge('b', 'c')
    await merge('a', 'b')
    await expect(undoRemoval(db, 'c', context, nothing)).rejects.toThrow(RemovalRefused)
    await undoRemoval(db, 'b', context, nothing)
    await undoRemoval(db, 'c', context, nothing)
    expect(await everything()).toEqual(before)
  })

  it('is refused for a client that was changed, deleted or merged since it was shown, and with itself', async () => {
    await reset({ a: plain, b: plain })
    const body = { id: 'a', other: 'b', version: 1, other_version: 1, take: [] }
    const reasons = async (change: () => Promise<unknown>) => {
      await change()
      return mergeClients(db, body, context, nothing).then(
        () => 'merged',
        (error: unknown) => (error instanceof RemovalRefused ? error.reason : error),
      )
    }
    expect(await mergeClients(db, { ...body, other: 'a' }, context, nothing).catch((error) => error.reason)).toBe(
      'conflict',
    )
    expect(await reasons(() => db.updateTable('clients').set({ email: 'x@y.z' }).where('id', '=', 'b').execute())).toBe(
      'changed',
    )
    expect(
      await reasons(async () => removeClient(db, { id: 'b', version: await versionOf('b') }, context, nothing)),
    ).toBe('unknown')
  })

  it('leaves links that staff changed since: a chat that was split off keeps its own link', async () => {
    await reset({ a: plain, b: plain })
    await merge('a', 'b')
    await splitConversation(db, 'ub0')
    await db.insertInto('clients').values({ id: 'z', first_name: 'Zoe', last_name: 'Z' }).execute()
    await linkClient(db, 'ub0', 'z')
    await undoRemoval(db, 'b', context, nothing)
    const links = await db
      .selectFrom('conversations')
      .select(['primary_user_id', 'client_id'])
      .orderBy('primary_user_id')
      .execute()
    expect(links).toEqual([
      { primary_user_id: 'ua0', client_id: 'a' },
      { primary_user_id: 'ub0', client_id: 'z' },
    ])
  })

  describe('A deletion', () => {
    const remove = async (id: string) => removeClient(db, { id, version: await versionOf(id) }, context, nothing)

    it('hides the client and unlinks the conversation, and its undo restores everything', async () => {
      await reset({ a: { ...plain, labels: ['l1'], chats: 2 }, b: plain })
      const before = await everything()
      expect(await remove('a')).toEqual(['ua0', 'ua1'].map((id) => ({ id, primary_user_id: 'ua0', client_id: null })))
      expect(await findClient(db, 'a')).toBeUndefined()
      await undoRemoval(db, 'a', context, nothing)
      expect(await everything()).toEqual(before)
    })

    it('is undone without the link if the conversation has another client by now', async () => {
      await reset({ a: plain, b: { ...plain, chats: 0 } })
      await remove('a')
      await linkClient(db, 'ua0', 'b')
      expect(await undoRemoval(db, 'a', context, nothing)).toEqual([])
      await unlinkClient(db, 'ua0', 'b')
      expect((await findClient(db, 'a'))?.fb_user_id).toBeNull()
    })

    it('ends when an import names the client, whose orders wait until then', async () => {
      await reset({ a: plain, b: plain })
      await remove('a')
      const order = {
        external_id: 'x-a9',
        client: 'x-a',
        order_number: 'SO-a9',
        status: 'ready',
        total_amount: 5,
        created_at: at(0).toISOString(),
        items: [],
      }
      const client = { external_id: 'x-a', first_name: 'Ana', last_name: 'a', classification: 'new', is_active: true }
      const waiting = await storeImports(db, { ...emptyBatch, orders: [order] }, noErasures, nothing)
      expect([...waiting.orders.values()].map(({ result }) => result)).toEqual(['waiting'])
      const stored = await storeImports(db, { ...emptyBatch, clients: [client], orders: [order] }, noErasures, nothing)
      expect([...stored.clients.values()]).toEqual([{ external_id: 'x-a', id: 'a', result: 'changed' }])
      expect([...stored.orders.values()].map(({ result }) => result)).toEqual(['created'])
      expect(await findClient(db, 'a')).toMatchObject({ first_name: 'Ana', fb_user_id: 'ua0' })
    })

    it('is final after 30 days: client, orders and payments are gone', async () => {
      await reset({ a: plain, b: plain })
      await remove('a')
      expect(await purgeRemovals(db, context.now)).toBe(0)
      expect(await purgeRemovals(db, at(31))).toBe(1)
      const left = await everything()
      expect([left.clients.length, left.orders.length, left.payments.length, left.removals]).toEqual([1, 1, 1, []])
      await expect(undoRemoval(db, 'a', context, nothing)).rejects.toThrow('Client not found')
    })
  })

  it('an edit of another version changes nothing, and an unedited phone number keeps its text', async () => {
    await reset({ a: { ...plain, phone: '+63 918 765 4321' }, b: plain })
    const edit = (values: Partial<Parameters<typeof editClient>[2]>) =>
      db.transaction().execute((trx) =>
        editClient(
          trx,
          'a',
          {
            version: 1,
            first_name: 'Ana',
            last_name: 'a',
            email: null,
            company_name: null,
            classification: 'new',
            phone: '0918 765 4321',
            ...values,
          },
          'PH',
        ),
      )
    expect(await edit({})).toEqual({ result: 'saved', changed: [] })
    expect(await edit({ email: 'a@b.c' })).toEqual({ result: 'saved', changed: ['email'] })
    expect(await edit({ email: 'other@b.c' })).toEqual({ result: 'outdated' })
    const row = await db.selectFrom('clients').selectAll().where('id', '=', 'a').executeTakeFirstOrThrow()
    expect([row.phone, row.email, Number(row.version)]).toEqual(['+63 918 765 4321', 'a@b.c', 2])
    expect(await edit({ version: 2, email: 'a@b.c', phone: '0917 123 4567' })).toEqual({
      result: 'saved',
      changed: ['phone'],
    })
    expect(
      (await db.selectFrom('clients').select('phone_e164').where('id', '=', 'a').executeTakeFirst())?.phone_e164,
    ).toBe('+639171234567')
  })
})
