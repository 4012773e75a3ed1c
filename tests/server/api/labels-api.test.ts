import type { Hono } from 'hono'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createClientRoutes } from '../../../server/api/clients.ts'
import { createConversationRoutes } from '../../../server/api/conversations.ts'
import { createClientLabelRoutes, createLabelRoutes } from '../../../server/api/labels.ts'
import type { Role } from '../../../server/auth/roles.ts'
import type { Db } from '../../../server/database/database.ts'
import { mergeConversations } from '../../../server/database/groups.ts'
import { removeDeletedLabels } from '../../../server/database/labels.ts'
import { storeMessages } from '../../../server/network/store/store.ts'
import type { Label, LabelBody } from '../../../src/schemas/label.ts'
import { type LabelChange, labelLimits } from '../../../src/schemas/labels-of-row.ts'
import { noSenderActions } from '../absent-parts.ts'
import { apiBehindSignIn, callAs } from '../api-harness.ts'
import { describeOnDatabase } from '../databases.ts'
import { addIdentity, addMessage, addPage, at } from '../people.ts'
import { type SignedIn, signInEachRole } from '../sign-in.ts'

describeOnDatabase('Labels', (open) => {
  let db: Db
  let api: Hono
  let staff: Record<Role, SignedIn>

  beforeAll(async () => {
    db = (await open()).db
    staff = await signInEachRole(db)
    const clock = { now: () => at(60).getTime(), after: () => () => {} }
    api = apiBehindSignIn(db)
    api.route('/labels', createLabelRoutes({ db, clock }))
    api.route('/clients', createClientRoutes({ db, clock, country: 'PH' }))
    api.route('/clients', createClientLabelRoutes({ db, clock }))
    api.route('/', createConversationRoutes({ db, senderActions: noSenderActions, clock, country: 'PH' }))
  })
  beforeEach(async () => {
    for (const table of [
      'conversation_events',
      'pages',
      'client_labels',
      'clients',
      'labels',
      'deleted_messages',
    ] as const)
      await db.deleteFrom(table).execute()
    await addPage(db, 'p1')
    await addPage(db, 'p2')
    for (const id of ['u1', 'u2', 'u3']) await addIdentity(db, id, { page: 'p1' })
    for (const [index, id] of ['u1', 'u2', 'u3'].entries()) await addMessage(db, `m-${id}`, id, index)
  })

  const ask = (method: string, path: string, sent?: unknown, role: Role = 'administrator') =>
    callAs(staff[role], api, method, path, sent)
  const create = async (name: string, more: Partial<LabelBody> = {}): Promise<string> =>
    (await ask('POST', '/labels', { name, colour: 'blue', keywords: [], ...more })).body.data.id
  const names = async () => (await ask('GET', '/labels')).body.data.labels.map(({ name }: Label) => name)
  const change = async (labels: Partial<LabelChange>, ids = ['u1'], version = 0) => {
    const changes = ids.map((id) => ({
      id,
      version,
      seen_message_at: null,
      decision: { labels: { add: [], remove: [], ...labels } },
    }))
    const { body } = await ask('POST', '/conversations/state', { changes }, 'agent')
    return body.data.results as {
      id: string
      state: { label_ids: string[]; version: number }
      refusal: string | null
    }[]
  }
  const labelsOf = async (id: string) =>
    (
      await db
        .selectFrom('conversations')
        .select('label_ids')
        .where('primary_user_id', '=', id)
        .executeTakeFirstOrThrow()
    ).label_ids
  const listed = async (query: string) => {
    const { body } = await ask('GET', `/conversations?${query}`, undefined, 'viewer')
    return {
      ids: body.data.map((row: { primary_user_id: string }) => row.primary_user_id),
      total: body.pagination.total,
    }
  }

  describe('the list of labels', () => {
    it('is sorted by name, and every role reads it', async () => {
      const vip = await create('vip', { colour: 'purple', keywords: [' big order ', 'wholesale'] })
      const late = await create('  Late ', { colour: 'red' })
      expect(await ask('GET', '/labels', undefined, 'viewer')).toEqual({
        status: 200,
        body: {
          success: true,
          data: {
            labels: [
              { id: late, name: 'Late', colour: 'red', keywords: [] },
              { id: vip, name: 'vip', colour: 'purple', keywords: ['big order', 'wholesale'] },
            ],
          },
        },
      })
    })

    it('has a name only once without regard to case, also when a label is renamed', async () => {
      await create('Größe VIP')
      const other = await create('Other')
      const taken = { success: false, error: expect.stringContaining('already a label') }
      const body = { name: 'GRÖSSE vip'.replace('SS', 'ß'), colour: 'red', keywords: [] }
      expect(await ask('POST', '/labels', body)).toEqual({ status: 409, body: taken })
      expect(await ask('PUT', `/labels/${other}`, body)).toEqual({ status: 409, body: taken })
      expect((await ask('PUT', `/labels/${other}`, { ...body, name: 'OTHER' })).status).toBe(200)
      expect(await names()).toEqual(['Größe VIP', 'OTHER'])
    })

    it('takes no more than its limit, and the name of a deleted label again', async () => {
      const first = await create('0')
      await db
        .insertInto('labels')
        .values(
          Array.from({ length: labelLimits.labels - 1 }, (_, index) => ({
            name: `n${index}`,
            name_key: `n${index}`,
            colour: 'grey',
            keywords: [],
          })),
        )
        .execute()
      const body = { name: '0', colour: 'grey', keywords: [] }
      expect((await ask('POST', '/labels', { ...body, name: 'one more' })).status).toBe(422)
      expect((await ask('DELETE', `/labels/${first}`)).body.data.labels).toHaveLength(labelLimits.labels - 1)
      expect((await ask('POST', '/labels', body)).status).toBe(200)
    })

    it.each([
      ['a name of 41 characters', { name: 'x'.repeat(41) }],
      ['an empty name', { name: '  ' }],
      ['an unknown colour', { colour: 'black' }],
      ['a keyword twice', { keywords: ['a', ' a'] }],
      ['too many keywords', { keywords: Array.from({ length: 31 }, (_, index) => `k${index}`) }],
    ])('refuses %s', async (_, values) => {
      expect((await ask('POST', '/labels', { name: 'A', colour: 'red', keywords: [], ...values })).status).toBe(400)
    })

    it('refuses a keyword that can never match, and a change of a deleted label', async () => {
      const id = await create('A')
      await ask('DELETE', `/labels/${id}`)
      expect((await ask('PUT', `/labels/${id}`, { name: 'B', colour: 'red', keywords: [] })).status).toBe(409)
      expect((await ask('POST', '/labels', { name: 'A', colour: 'red', keywords: ['?!'] })).status).toBe(422)
    })
  })

  describe('on conversations', () => {
    it('change whatever the version was, and the history says who changed them', async () => {
      const [a, b] = [await create('A'), await create('B')]
      const before = await change({ add: [a] })
      const after = await change({ add: [b], remove: ['unknown'] })
      expect([before, after].flat().map(({ state, refusal }) => [state.label_ids, refusal])).toEqual([
        [[a], null],
        [[a, b], null],
      ])
      expect(await change({ remove: [a] })).toMatchObject([{ state: { label_ids: [b] } }])
      const events = await db
        .selectFrom('conversation_events')
        .select(['label_ids', 'previous', 'changed_by'])
        .where(sql<boolean>`label_ids <> '{}'`)
        .orderBy('id')
        .execute()
      expect(events).toEqual([
        { label_ids: [a], previous: { label_ids: [] }, changed_by: staff.agent.staffId },
        { label_ids: [a, b], previous: { label_ids: [a] }, changed_by: staff.agent.staffId },
        { label_ids: [b], previous: { label_ids: [a, b] }, changed_by: staff.agent.staffId },
      ])
    })

    it('are not changed twice, and neither by an unknown label nor beyond the limit', async () => {
      const ids: string[] = []
      for (let index = 0; index <= labelLimits.ofRow; index += 1) ids.push(await create(`L${index}`))
      const most = ids.slice(0, labelLimits.ofRow)
      const [first] = await change({ add: most })
      expect(await change({ add: most })).toEqual([first])
      expect(await change({ add: ids })).toMatchObject([{ refusal: 'too_many_labels', state: { label_ids: most } }])
      expect(await change({ add: ['gone'] })).toMatchObject([{ refusal: 'unknown_label', state: { label_ids: most } }])
    })

    it('filter each view, with pages, a search and the total', async () => {
      const vip = await create('VIP')
      await change({ add: [vip] }, ['u1', 'u3'])
      await addIdentity(db, 'u1-p2', { page: 'p2', in: 'u1' })
      await addMessage(db, 'm4', 'u1-p2', 9)
      for (const view of ['', '&view=unassigned'])
        expect(await listed(`labelId=${vip}${view}`)).toEqual({ ids: ['u1', 'u3'], total: 2 })
      expect(await listed(`labelId=${vip}&view=waiting`)).toEqual({ ids: ['u1', 'u3'], total: 2 })
      expect(await listed(`labelId=${vip}&pageId=p2`)).toEqual({ ids: ['u1'], total: 1 })
      expect(await listed(`labelId=${vip}&view=waiting&pageId=p2`)).toEqual({ ids: ['u1'], total: 1 })
      expect(await listed(`labelId=${vip}&search=u3`)).toEqual({ ids: ['u3'], total: 1 })
      expect(await listed(`labelId=${vip}&limit=1&page=2`)).toEqual({ ids: ['u3'], total: 2 })
      expect(await listed('labelId=unknown')).toEqual({ ids: [], total: 0 })
    })

    it('follow a merge: the merged conversation has the labels of both, once', async () => {
      const [a, b] = [await create('A'), await create('B')]
      await change({ add: [a] }, ['u1', 'u2'])
      await change({ add: [b] }, ['u2'])
      await mergeConversations(db, 'u1', 'u2')
      expect(await labelsOf('u1')).toEqual([a, b])

      const many = Array.from({ length: labelLimits.ofRow + 1 }, (_, index) => `l${index}`)
      await db.updateTable('conversations').set({ label_ids: many }).where('primary_user_id', '=', 'u3').execute()
      expect(await change({ remove: ['l0'] }, ['u3'])).toMatchObject([{ refusal: null }])
      expect(await change({ add: [a] }, ['u3'])).toMatchObject([{ refusal: 'too_many_labels' }])
    })

    it('lose a deleted label in batches, and its name is free at once', async () => {
      const [gone, kept] = [await create('Gone'), await create('Kept')]
      await change({ add: [gone, kept] }, ['u1', 'u2'])
      const clientId = (
        await db
          .insertInto('clients')
          .values({ first_name: 'A', last_name: 'B', is_active: true })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id
      await ask('POST', `/clients/${clientId}/labels`, { add: [gone], remove: [] })
      expect((await ask('GET', `/labels/${gone}/usage`)).body.data).toEqual({ conversations: 2, clients: 1 })
      await ask('DELETE', `/labels/${gone}`)
      expect(await names()).toEqual(['Kept'])
      expect(await change({ add: [gone] }, ['u3'])).toMatchObject([{ refusal: 'unknown_label' }])
      await removeDeletedLabels(db)
      expect([await labelsOf('u1'), await labelsOf('u2')]).toEqual([[kept], [kept]])
      expect((await ask('GET', `/clients/${clientId}`)).body.data.labels).toEqual({ version: 2, label_ids: [] })
      expect(await db.selectFrom('labels').select('id').execute()).toEqual([{ id: kept }])
    })
  })

  describe('by keyword', () => {
    const store = (messageId: string, text: string | null, more: object = {}) =>
      storeMessages(db, [
        {
          messageId,
          fbUserId: 'u1',
          direction: 'incoming',
          text,
          attachments: null,
          at: at(30),
          isRead: false,
          ...more,
        },
      ])

    it('are put on when a person writes the word or phrase, as the FAQ compares them', async () => {
      const [order, money] = [
        await create('Order', { keywords: ['¿Cuánto cuesta?', 'price list'] }),
        await create('Money', { keywords: ['gcash'] }),
      ]
      await create('Never', { keywords: ['pric'] })
      await store('n1', 'Hola, cuanto  CUESTA el marco?')
      expect(await labelsOf('u1')).toEqual([order])
      await store('n2', 'Paid by GCash! Send the price-list')
      expect(await labelsOf('u1')).toEqual([order, money])
      expect(await labelsOf('u2')).toEqual([])
    })

    it('are not put on by what staff write, by stored history, or by a message that comes again', async () => {
      const label = await create('Order', { keywords: ['order'] })
      await store('n1', 'your order', { direction: 'outgoing' })
      await store('n2', 'my order', { isHistorical: true })
      expect(await labelsOf('u1')).toEqual([])
      await store('n3', 'my order')
      await change({ remove: [label] })
      await store('n3', 'my order')
      expect(await labelsOf('u1')).toEqual([])
      await store('n4', 'my order')
      expect(await labelsOf('u1')).toEqual([label])
    })

    it('are put on by one statement for a batch, up to the limit, and not by a deleted label', async () => {
      const label = await create('Order', { keywords: ['order'] })
      const gone = await create('Gone', { keywords: ['order'] })
      await ask('DELETE', `/labels/${gone}`)
      await db
        .updateTable('conversations')
        .set({ label_ids: Array.from({ length: labelLimits.ofRow }, (_, index) => `old-${index}`) })
        .where('primary_user_id', '=', 'u3')
        .execute()
      const message = { direction: 'incoming', text: 'order', attachments: null, isRead: false } as const
      await storeMessages(
        db,
        ['u1', 'u2', 'u3'].map((fbUserId, index) => ({
          ...message,
          messageId: `batch-${fbUserId}`,
          fbUserId,
          at: at(40 + index),
        })),
      )
      expect([await labelsOf('u1'), await labelsOf('u2')]).toEqual([[label], [label]])
      expect(await labelsOf('u3')).toHaveLength(labelLimits.ofRow)
      const { rows } = await sql<{ changed_by: string | null }>`
        select changed_by from conversation_events where label_ids @> array[${label}]`.execute(db)
      expect(rows).toEqual([{ changed_by: null }, { changed_by: null }])
    })
  })

  it('of a client have a version of their own, and go with the client', async () => {
    const [a, b] = [await create('A'), await create('B')]
    const { id } = await db
      .insertInto('clients')
      .values({ first_name: 'A', last_name: 'B', is_active: true })
      .returning('id')
      .executeTakeFirstOrThrow()
    const label = async (sent: LabelChange) => ask('POST', `/clients/${id}/labels`, sent, 'agent')
    expect((await ask('GET', `/clients/${id}`)).body.data.labels).toBeNull()
    expect((await label({ add: [], remove: [a] })).body.data).toEqual({ version: 0, label_ids: [] })
    expect((await label({ add: [a, b], remove: [] })).body.data).toEqual({ version: 1, label_ids: [a, b] })
    expect((await label({ add: [a], remove: [] })).body.data).toEqual({ version: 1, label_ids: [a, b] })
    expect((await label({ add: [], remove: [a] })).body.data).toEqual({ version: 2, label_ids: [b] })
    expect((await ask('GET', `/clients/${id}`)).body.data.labels).toEqual({ version: 2, label_ids: [b] })
    expect((await label({ add: ['gone'], remove: [] })).status).toBe(409)
    expect((await ask('POST', '/clients/unknown/labels', { add: [], remove: [] })).status).toBe(404)
    await db.deleteFrom('clients').where('id', '=', id).execute()
    expect(await db.selectFrom('client_labels').selectAll().execute()).toEqual([])
  })
})
