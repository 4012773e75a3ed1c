import type { Hono } from 'hono'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { createSavedReplyRoutes } from '../../../server/api/saved-replies.ts'
import type { Role } from '../../../server/auth/roles.ts'
import type { Db } from '../../../server/database/database.ts'
import { savedReplyLimits } from '../../../src/schemas/saved-reply.ts'
import { apiBehindSignIn, callAs } from '../api-harness.ts'
import { describeOnDatabase } from '../databases.ts'
import { addPage, at } from '../people.ts'
import { type SignedIn, signIn, signInEachRole } from '../sign-in.ts'

const body = { name: ' Hours ', text: ' Hi {first_name}! From 9 to 6. ', page_ids: null as string[] | null }

describeOnDatabase('The routes of saved replies', (open) => {
  let db: Db
  let api: Hono
  let staff: Record<Role, SignedIn>
  let minute = 0

  beforeAll(async () => {
    db = (await open()).db
    staff = await signInEachRole(db)
    api = apiBehindSignIn(db)
    const none = () => Promise.reject(new Error('this test has no pictures'))
    const pictures = { of: async () => new Map(), keep: none, copy: none }
    api.route('/saved-replies', createSavedReplyRoutes({ db, pictures, clock: { now: () => at(minute).getTime() } }))
  })
  beforeEach(async () => {
    minute = 0
    await db.deleteFrom('saved_replies').execute()
    await db.deleteFrom('pages').execute()
    await db.deleteFrom('sends').execute()
    for (const id of ['1', '2']) await addPage(db, id)
  })

  const ask = (method: string, path: string, sent?: unknown, role: Role = 'administrator') =>
    callAs(staff[role], api, method, `/saved-replies${path}`, sent)
  const create = async (values: Partial<typeof body> = {}): Promise<string> =>
    (await ask('POST', '', { ...body, ...values })).body.data.id
  const listed = async () => (await ask('GET', '', undefined, 'agent')).body.data
  const addSend = (idempotencyKey: string, state: 'sent' | 'unknown', staffId = staff.agent.staffId) =>
    db
      .insertInto('sends')
      .values({
        idempotency_key: idempotencyKey,
        staff_id: staffId,
        page_id: '1',
        psid: 'p',
        message_text: 'Hi',
        state,
        created_at: at(0),
        updated_at: at(0),
      })
      .execute()
  const used = async (id: string, sent: string, role: Role = 'agent') =>
    (await ask('POST', `/${id}/used`, { key: sent }, role)).status
  const uses = async () => (await listed()).map((reply: { uses: number }) => reply.uses)

  it('create, change and list saved replies with who did it and when, by name', async () => {
    const created = {
      id: expect.any(String),
      name: 'Hours',
      text: 'Hi {first_name}! From 9 to 6.',
      page_ids: null,
      pictures: [],
      structure: null,
      uses: 0,
      created_by_name: 'Ana Reyes',
      created_at: at(0).toISOString(),
      updated_by_name: 'Ana Reyes',
      updated_at: at(0).toISOString(),
    }
    expect(await ask('POST', '', body)).toEqual({ status: 200, body: { success: true, data: created } })
    const id = await create({ name: 'address' })
    minute = 5
    const other = await signIn(db)
    const sent = { name: 'Address', text: 'Here', page_ids: ['2', '1'] }
    const answer = await callAs(other, api, 'PUT', `/saved-replies/${id}`, sent)
    const changed = {
      ...created,
      id,
      name: 'Address',
      text: 'Here',
      page_ids: ['2', '1'],
      updated_at: at(5).toISOString(),
    }
    expect(answer.body).toEqual({ success: true, data: changed })
    await db.deleteFrom('staff').where('id', '=', other.staffId).execute()
    expect(await listed()).toEqual([{ ...changed, updated_by_name: null }, created])
  })

  it.each([
    ['name', { name: ' ' }],
    ['name', { name: 'two words' }],
    ['name', { name: 'a/b' }],
    ['name', { name: 'a\u0000' }],
    ['name', { name: 'a'.repeat(savedReplyLimits.name + 1) }],
    ['text', { text: ' \n' }],
    ['text', { text: 'a'.repeat(savedReplyLimits.text + 1) }],
    ['page_ids', { page_ids: [] }],
    ['page_ids', { page_ids: ['1', '1'] }],
    ['structure.titles', { structure: { kind: 'quickReplies', titles: [] } }],
    [
      'structure.titles',
      { structure: { kind: 'quickReplies', titles: Array.from({ length: 14 }, (_, at) => `${at}`) } },
    ],
    ['structure.titles', { structure: { kind: 'quickReplies', titles: ['Yes', ' Yes '] } }],
    ['structure.titles.0', { structure: { kind: 'quickReplies', titles: ['a'.repeat(21)] } }],
    [
      'structure.buttons.0.url',
      { structure: { kind: 'buttons', buttons: [{ title: 'Map', url: 'javascript:alert(1)' }] } },
    ],
    [
      'structure.buttons',
      { structure: { kind: 'buttons', buttons: [1, 2, 3, 4].map((at) => ({ title: `${at}`, url: null })) } },
    ],
  ])('reject an invalid %s with 400 and change nothing: %j', async (field, values) => {
    const id = await create()
    const refusal = { status: 400, body: { success: false, error: `${field} is not valid` } }
    expect(await ask('POST', '', { ...body, ...values })).toEqual(refusal)
    expect(await ask('PUT', `/${id}`, { ...body, ...values })).toEqual(refusal)
    expect((await listed()).length).toBe(1)
  })

  it.each([
    ['the same name in another case', 'Another saved reply has this name', { name: 'STRASSE\u0301' }],
    ['a page that does not exist', 'One of the pages does not exist', { page_ids: ['1', '3'] }],
  ])('reject %s with 422', async (_, error, values) => {
    await create({ name: 'strass\u00e9' })
    const id = await create({ name: 'other' })
    const refusal = { status: 422, body: { success: false, error } }
    expect(await ask('POST', '', { ...body, ...values })).toEqual(refusal)
    expect(await ask('PUT', `/${id}`, { ...body, ...values })).toEqual(refusal)
    expect((await listed()).map(({ name }: { name: string }) => name)).toEqual(['other', 'strass\u00e9'])
  })

  it('keep quick replies or buttons until a change names none', async () => {
    const structure = { kind: 'buttons', buttons: [{ title: 'Map', url: 'https://example.com/map' }] }
    const id = await create({ structure } as Partial<typeof body>)
    expect((await listed())[0].structure).toEqual(structure)
    const titles = { kind: 'quickReplies', titles: ['Yes', 'No'] }
    expect((await ask('PUT', `/${id}`, { ...body, structure: titles })).body.data.structure).toEqual(titles)
    expect((await ask('PUT', `/${id}`, body)).body.data.structure).toBeNull()
  })

  it('keep a changed saved reply under its own name in another case', async () => {
    const id = await create({ name: 'hours' })
    expect((await ask('PUT', `/${id}`, { ...body, name: 'HOURS' })).body.data.name).toBe('HOURS')
  })

  it('create one of two saved replies with the same name at the same time', async () => {
    const answers = await Promise.all([ask('POST', '', body), ask('POST', '', { ...body, name: 'hours' })])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
  })

  it('reject a saved reply beyond the limit', async () => {
    await db
      .insertInto('saved_replies')
      .values(
        Array.from({ length: savedReplyLimits.replies }, (_, index) => ({
          name: `n${index}`,
          name_key: `n${index}`,
          text: 'x',
          page_ids: null,
          created_by: null,
          updated_by: null,
        })),
      )
      .execute()
    expect(await ask('POST', '', body)).toEqual({
      status: 422,
      body: { success: false, error: 'There are already 500 saved replies. Delete one first.' },
    })
  })

  it('delete a saved reply idempotently, and reject changes to it', async () => {
    const id = await create()
    expect(await ask('DELETE', `/${id}`)).toEqual({ status: 200, body: { success: true } })
    expect((await ask('DELETE', `/${id}`)).status).toBe(200)
    expect(await ask('PUT', `/${id}`, body)).toEqual({
      status: 409,
      body: { success: false, error: 'This saved reply was deleted in the meantime' },
    })
  })

  it('record each change in the audit log with the name, and no text', async () => {
    const id = await create({ name: 'audited', text: 'secret text' })
    await ask('PUT', `/${id}`, { ...body, name: 'renamed' })
    await ask('DELETE', `/${id}`)
    const entries = await db
      .selectFrom('audit_entries')
      .select(['action', 'details'])
      .where('row_id', '=', id)
      .orderBy('id')
      .execute()
    expect(entries).toEqual([
      { action: 'saved-reply.created', details: { name: 'audited' } },
      { action: 'saved-reply.changed', details: { name: 'renamed' } },
      { action: 'saved-reply.deleted', details: { name: 'renamed' } },
    ])
  })

  it('lose a deleted page, and are deleted with their last page', async () => {
    await create({ name: 'all' })
    await create({ name: 'both', page_ids: ['2', '1'] })
    await create({ name: 'one', page_ids: ['1'] })
    const pages = async () =>
      (await listed()).map(({ name, page_ids }: { name: string; page_ids: string[] | null }) => [name, page_ids])
    await db.deleteFrom('pages').where('page_id', '=', '1').execute()
    expect(await pages()).toEqual([
      ['all', null],
      ['both', ['2']],
    ])
    await db.deleteFrom('pages').execute()
    expect(await pages()).toEqual([['all', null]])
  })

  it('count a use once for each sent message of the person', async () => {
    const id = await create()
    await addSend('sent', 'sent')
    await addSend('also', 'sent')
    await addSend('open', 'unknown')
    await addSend('of another', 'sent', staff.administrator.staffId)
    expect(await Promise.all([used(id, 'sent'), used(id, 'sent')])).toEqual([200, 200])
    expect(await uses()).toEqual([1])
    expect([await used(id, 'sent'), await used(id, 'also')]).toEqual([200, 200])
    expect(await uses()).toEqual([2])
    expect([
      await used(id, 'open'),
      await used(id, 'of another'),
      await used(id, 'none'),
      await used('x', 'sent'),
    ]).toEqual([404, 404, 404, 404])
    expect(await uses()).toEqual([2])
    // A change of the text keeps the count.
    await ask('PUT', `/${id}`, body)
    expect(await uses()).toEqual([2])
  })

  it('are used by agents, changed by administrators, and closed to viewers', async () => {
    const id = await create()
    const statuses = async (role: Role) => [
      (await ask('GET', '', undefined, role)).status,
      (await ask('POST', '', { ...body, name: role }, role)).status,
      (await ask('PUT', `/${id}`, body, role)).status,
      await used(id, 'none', role),
      (await ask('DELETE', `/${id}`, undefined, role)).status,
    ]
    expect(await statuses('viewer')).toEqual([403, 403, 403, 403, 403])
    expect(await statuses('agent')).toEqual([200, 403, 403, 404, 403])
    expect(await statuses('administrator')).toEqual([200, 200, 200, 404, 200])
  })
})
