import type { Hono } from 'hono'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { createFaqRoutes } from '../../../server/api/faq.ts'
import { createFaqMatchingRoutes } from '../../../server/api/faq-matching.ts'
import type { Db } from '../../../server/database/database.ts'
import { apiBehindSignIn, callAs } from '../api-harness.ts'
import { describeOnDatabase } from '../databases.ts'
import { at } from '../people.ts'
import { type SignedIn, signIn } from '../sign-in.ts'

const body = {
  title: 'Prices',
  category_id: 'general',
  keywords: ['magkano'],
  response: 'From 100.',
  is_active: true,
  priority: 10,
}

describeOnDatabase('The routes of FAQ matching', (open) => {
  let db: Db
  let api: Hono
  let staff: SignedIn

  beforeAll(async () => {
    db = (await open()).db
    staff = await signIn(db)
    const clock = { now: () => at(60).getTime() }
    api = apiBehindSignIn(db)
    api.route('/faq', createFaqRoutes({ db, clock }))
    api.route('/faq', createFaqMatchingRoutes({ db, clock }))
  })
  beforeEach(async () => {
    await db.deleteFrom('faq_entries').execute()
    await db.deleteFrom('business_settings').execute()
  })

  const ask = (method: string, path: string, sent?: unknown) => callAs(staff, api, method, path, sent)
  const create = async (values: object = {}): Promise<string> =>
    (await ask('POST', '/faq/entries', { ...body, ...values })).body.data.id
  const pagesOf = async (id: string) => {
    const { data } = (await ask('GET', '/faq/entries')).body
    return data.find((entry: { id: string }) => entry.id === id).page_ids
  }

  it('store the pages of an entry, keep them if a change does not name them, and take them back', async () => {
    const id = await create({ page_ids: ['p1', 'p2'] })
    expect(await pagesOf(id)).toEqual(['p1', 'p2'])
    await ask('PUT', `/faq/entries/${id}`, { ...body, title: 'Changed' })
    expect(await pagesOf(id)).toEqual(['p1', 'p2'])
    await ask('PUT', `/faq/entries/${id}`, { ...body, page_ids: null })
    expect([await pagesOf(id), await pagesOf(await create())]).toEqual([null, null])
  })

  it.each([[[]], [['p1', 'p1']], [['']], [Array.from({ length: 201 }, (_, index) => `p${index}`)]])(
    'reject the pages %j',
    async (page_ids) => expect((await ask('POST', '/faq/entries', { ...body, page_ids })).status).toBe(400),
  )

  it('test a message of a page, with similar entries, scores, reasons and the one that replies', async () => {
    const price = await create()
    await create({ title: 'Other page', page_ids: ['p2'], priority: 90 })
    const near = {
      id: price,
      title: 'Prices',
      category: 'General',
      priority: 10,
      keyword: 'magkano',
      score: expect.closeTo(0.914, 3),
      reasons: [{ kind: 'typing', written: 'mgkano', read: 'magkano' }],
    }
    const test = async (message: string, pageId?: string) =>
      (await ask('POST', '/faq/test-match', { message, pageId })).body.data
    expect(await test('mgkano po', 'p1')).toEqual({
      message: 'mgkano po',
      matches: [],
      near: [near],
      answer: { id: price, doubt: null },
    })
    expect((await test('mgkano po')).answer).toEqual({ id: null, doubt: 'several' })
    expect(await test('magkano', 'p1')).toMatchObject({ matches: [{ id: price }], near: [], answer: { id: price } })
  })

  it('save the score that similar entries need, unless a colleague was faster', async () => {
    const read = async () => (await ask('GET', '/faq/matching')).body.data
    expect(await read()).toEqual({ settings: { least_score: 0.9 }, version: 0 })
    const save = async (least_score: number | null, replaces: number) =>
      (await ask('PUT', '/faq/matching', { settings: { least_score }, replaces })).body.data
    expect(await save(null, 0)).toEqual({ is_saved: true, settings: { least_score: null }, version: 1 })
    expect(await save(0.8, 0)).toEqual({ is_saved: false, settings: { least_score: null }, version: 1 })
    expect(await save(0.8, 1)).toEqual({ is_saved: true, settings: { least_score: 0.8 }, version: 2 })
    expect(await read()).toEqual({ settings: { least_score: 0.8 }, version: 2 })
    expect((await ask('PUT', '/faq/matching', { settings: { least_score: 0.2 }, replaces: 2 })).status).toBe(400)
    const audited = await db
      .selectFrom('audit_entries')
      .select('details')
      .where('action', '=', 'faq.matching-changed')
      .orderBy('id')
      .execute()
    expect(audited.map(({ details }) => details)).toEqual([{ least_score: null }, { least_score: 0.8 }])
  })
})
