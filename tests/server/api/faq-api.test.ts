import type { Hono } from 'hono'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { createFaqRoutes } from '../../../server/api/faq.ts'
import type { Role } from '../../../server/auth/roles.ts'
import type { Db } from '../../../server/database/database.ts'
import { apiBehindSignIn, callAs } from '../api-harness.ts'
import { describeOnDatabase } from '../databases.ts'
import { at } from '../people.ts'
import { type SignedIn, signIn, signInEachRole } from '../sign-in.ts'

const body = {
  title: ' Opening hours ',
  category_id: 'general',
  keywords: [' opening hours ', 'open'],
  response: ' Hi {userName}! From 9 to 6. ',
  is_active: true,
  priority: 10,
}
const shown = {
  title: 'Opening hours',
  category_id: 'general',
  category_name: 'General',
  keywords: ['opening hours', 'open'],
  response: 'Hi {userName}! From 9 to 6.',
  is_active: true,
  priority: 10,
  created_by_name: 'Ana Reyes',
  page_ids: null,
}

describeOnDatabase('The FAQ routes', (open) => {
  let db: Db
  let api: Hono
  let staff: Record<Role, SignedIn>

  beforeAll(async () => {
    db = (await open()).db
    staff = await signInEachRole(db)
    const clock = { now: () => at(60).getTime() }
    api = apiBehindSignIn(db)
    api.route('/faq', createFaqRoutes({ db, clock }))
  })
  beforeEach(() => db.deleteFrom('faq_entries').execute())

  const ask = (method: string, path: string, sent?: unknown, role: Role = 'administrator') =>
    callAs(staff[role], api, method, path, sent)
  const create = async (values: Partial<typeof body> = {}): Promise<string> =>
    (await ask('POST', '/faq/entries', { ...body, ...values })).body.data.id
  const titles = async () => (await ask('GET', '/faq/entries')).body.data.map(({ title }: { title: string }) => title)

  it('list the categories by position', async () => {
    expect(await ask('GET', '/faq/categories', undefined, 'viewer')).toEqual({
      status: 200,
      body: {
        success: true,
        data: [
          { id: 'general', name: 'General' },
          { id: 'orders', name: 'Orders' },
          { id: 'payments', name: 'Payments' },
          { id: 'delivery', name: 'Delivery and pick-up' },
          { id: 'products', name: 'Products and prices' },
        ],
      },
    })
  })

  it('create entries with trimmed values, and list them with their author, highest priority first', async () => {
    const created = await ask('POST', '/faq/entries', body)
    expect(created).toEqual({
      status: 200,
      body: { success: true, data: { ...shown, id: expect.any(String), created_at: expect.any(String) } },
    })
    await create({ title: 'First', priority: 100 })
    await create({ title: 'Also ten' })
    expect((await ask('GET', '/faq/entries', undefined, 'agent')).body.data.at(-1)).toEqual(created.body.data)
    expect(await titles()).toEqual(['First', 'Also ten', 'Opening hours'])
  })

  it('create an active entry with priority 0 by default', async () => {
    const { is_active: _, priority: __, ...least } = body
    const { data } = (await ask('POST', '/faq/entries', least)).body
    expect([data.is_active, data.priority]).toEqual([true, 0])
  })

  it.each([
    ['title', { title: '  ' }],
    ['category_id', { category_id: '' }],
    ['keywords', { keywords: [] }],
    ['keywords.1', { keywords: ['a', '  '] }],
    ['keywords', { keywords: ['a', ' a '] }],
    ['response', { response: ' \n' }],
    ['priority', { priority: 101 }],
    ['priority', { priority: -1 }],
    ['priority', { priority: 1.5 }],
  ])('reject an invalid %s with 400 and change nothing: %j', async (field, values) => {
    const id = await create()
    const refusal = { status: 400, body: { success: false, error: `${field} is not valid` } }
    expect(await ask('POST', '/faq/entries', { ...body, ...values })).toEqual(refusal)
    expect(await ask('PUT', `/faq/entries/${id}`, { ...body, ...values })).toEqual(refusal)
    expect((await ask('GET', '/faq/entries')).body.data).toEqual([expect.objectContaining({ id, ...shown })])
  })

  it.each([
    ['There is no such category', { category_id: 'none' }],
    ['The keyword "?!" has neither a letter nor a number', { keywords: ['open', '?!'] }],
  ])('reject with 422: %s', async (error, values) => {
    const id = await create()
    const refusal = { status: 422, body: { success: false, error } }
    expect(await ask('POST', '/faq/entries', { ...body, ...values })).toEqual(refusal)
    expect(await ask('PUT', `/faq/entries/${id}`, { ...body, ...values })).toEqual(refusal)
  })

  it('replace all values of an entry, and keep its author', async () => {
    const id = await create()
    const changed = { ...body, title: 'Closed', keywords: ['closed'], is_active: false, priority: 0 }
    expect((await ask('PUT', `/faq/entries/${id}`, changed)).body.data).toEqual({
      ...shown,
      id,
      title: 'Closed',
      keywords: ['closed'],
      is_active: false,
      priority: 0,
      created_at: expect.any(String),
    })
  })

  it('delete an entry idempotently, and reject changes to a deleted entry', async () => {
    const id = await create()
    expect(await ask('DELETE', `/faq/entries/${id}`)).toEqual({ status: 200, body: { success: true } })
    expect((await ask('DELETE', `/faq/entries/${id}`)).status).toBe(200)
    expect(await ask('PUT', `/faq/entries/${id}`, body)).toEqual({
      status: 409,
      body: { success: false, error: 'This FAQ entry was deleted in the meantime' },
    })
    expect(await titles()).toEqual([])
  })

  it('return the active entries that match a test message, with the answering one first', async () => {
    const first = await create({ title: 'First', keywords: ['open'], priority: 20 })
    const second = await create({ title: 'Second', keywords: ['opening hours', 'hours'] })
    const third = await create({ title: 'Third', keywords: ['hours'] })
    await create({ title: 'Inactive', keywords: ['hours'], is_active: false })
    await create({ title: 'Other', keywords: ['refund'] })
    const match = (id: string, title: string, priority: number, matched_keywords: string[]) => ({
      id,
      title,
      category: 'General',
      priority,
      matched_keywords,
    })
    expect(await ask('POST', '/faq/test-match', { message: ' OPEN? Opening-hours? ' }, 'viewer')).toEqual({
      status: 200,
      body: {
        success: true,
        data: {
          message: 'OPEN? Opening-hours?',
          matches: [
            match(first, 'First', 20, ['open']),
            match(second, 'Second', 10, ['opening hours', 'hours']),
            match(third, 'Third', 10, ['hours']),
          ],
          near: [],
          answer: { id: first, doubt: null },
        },
      },
    })
    expect((await ask('POST', '/faq/test-match', { message: 'nothing' })).body.data.matches).toEqual([])
    expect((await ask('POST', '/faq/test-match', { message: '  ' })).status).toBe(400)
  })

  it.each(['agent', 'viewer'] as const)('allow the role %s to read but not to change entries', async (role) => {
    const id = await create()
    const missing = {
      status: 403,
      body: {
        success: false,
        error: 'Missing permission: faq.manage',
        requiredPermission: 'faq.manage',
        details: { requiredPermission: 'faq.manage' },
      },
    }
    expect(await ask('POST', '/faq/entries', body, role)).toEqual(missing)
    expect(await ask('PUT', `/faq/entries/${id}`, body, role)).toEqual(missing)
    expect(await ask('DELETE', `/faq/entries/${id}`, undefined, role)).toEqual(missing)
    expect((await ask('GET', '/faq/entries', undefined, role)).body.data.length).toBe(1)
  })

  it('keep entries of a deleted author or category, without these names', async () => {
    await db.insertInto('faq_categories').values({ id: 'temporary', name: 'Temporary' }).execute()
    const author = await signIn(db)
    await callAs(author, api, 'POST', '/faq/entries', { ...body, category_id: 'temporary' })
    await db.deleteFrom('staff').where('id', '=', author.staffId).execute()
    await db.deleteFrom('faq_categories').where('id', '=', 'temporary').execute()
    expect((await ask('GET', '/faq/entries')).body.data).toEqual([
      expect.objectContaining({ title: 'Opening hours', category_name: null, created_by_name: null }),
    ])
  })
})
