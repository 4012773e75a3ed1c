import type { Hono } from 'hono'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { createProductRoutes } from '../../../server/api/products.ts'
import type { Role } from '../../../server/auth/roles.ts'
import type { Db } from '../../../server/database/database.ts'
import { productLimits } from '../../../src/schemas/product.ts'
import { apiBehindSignIn, callAs } from '../api-harness.ts'
import { describeOnDatabase } from '../databases.ts'
import { at } from '../people.ts'
import { type SignedIn, signInEachRole } from '../sign-in.ts'

const body = { code: ' M-1 ', name: ' Mug ', price: 12_550, is_active: true }

describeOnDatabase('The routes of products', (open) => {
  let db: Db
  let api: Hono
  let staff: Record<Role, SignedIn>

  beforeAll(async () => {
    db = (await open()).db
    staff = await signInEachRole(db)
    api = apiBehindSignIn(db)
    api.route('/products', createProductRoutes({ db, clock: { now: () => at(0).getTime() } }))
  })
  beforeEach(() => db.deleteFrom('products').execute())

  const ask = (method: string, path: string, sent?: unknown, role: Role = 'administrator') =>
    callAs(staff[role], api, method, `/products${path}`, sent)
  const create = async (values: object = {}): Promise<string> =>
    (await ask('POST', '', { ...body, ...values })).body.data.id
  const listed = async () => (await ask('GET', '', undefined, 'agent')).body.data

  it('create, change, list by name and delete products', async () => {
    const id = await create()
    const other = await create({ code: null, name: 'apron', is_active: false })
    const plain = { picture_url: null, link_url: null }
    const mug = { id, code: 'M-1', name: 'Mug', price: 12_550, is_active: true, ...plain }
    const apron = { id: other, code: null, name: 'apron', price: 12_550, is_active: false, ...plain }
    expect(await listed()).toEqual([apron, mug])
    const addresses = { picture_url: 'https://cdn.example/mug.jpg', link_url: 'https://shop.example/mug' }
    const changed = { code: 'M-2', name: 'Big mug', price: 0, is_active: false, ...addresses }
    expect(await ask('PUT', `/${id}`, changed)).toEqual({
      status: 200,
      body: { success: true, data: { id, ...changed } },
    })
    for (let times = 0; times < 2; times += 1) expect((await ask('DELETE', `/${other}`)).status).toBe(200)
    expect(await listed()).toEqual([{ id, ...changed }])
    expect((await ask('PUT', `/${other}`, { ...changed, code: null })).status).toBe(409)
  })

  it('keep the addresses of a product that a body does not name, and refuse other addresses than https', async () => {
    const picture_url = 'https://cdn.example/mug.jpg'
    const id = await create({ picture_url })
    expect((await ask('PUT', `/${id}`, body)).body.data).toMatchObject({ picture_url, link_url: null })
    const wrong = [
      'http://cdn.example/a.png',
      'javascript:alert(1)',
      'https://u@x.example/',
      `https://x.example/${'a'.repeat(2_000)}`,
    ]
    for (const address of wrong) {
      const statuses = [{ picture_url: address }, { link_url: address }].map((one) =>
        ask('PUT', `/${id}`, { ...body, ...one }),
      )
      expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([400, 400])
    }
    expect((await ask('PUT', `/${id}`, { ...body, picture_url: null })).body.data).toMatchObject({ picture_url: null })
  })

  it('refuse a code that another product has, and any number of products without one', async () => {
    const id = await create()
    expect(await ask('POST', '', { ...body, name: 'Other' })).toEqual({
      status: 422,
      body: { success: false, error: 'Another product has this code' },
    })
    const other = await create({ code: null })
    expect((await ask('PUT', `/${other}`, body)).status).toBe(422)
    expect((await ask('PUT', `/${id}`, { ...body, price: 1 })).status).toBe(200)
    await create({ code: null })
    expect((await listed()).length).toBe(3)
  })

  it('refuse more products than the limit, also when two are created at the same time', async () => {
    await sql`insert into products (name, price) select 'P', 1 from generate_series(1, ${productLimits.products} - 1)`.execute(
      db,
    )
    const answers = await Promise.all(['A', 'B'].map((code) => ask('POST', '', { ...body, code })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
  })

  it.each([
    ['name', { name: ' ' }],
    ['name', { name: 'a'.repeat(productLimits.name + 1) }],
    ['code', { code: ' ' }],
    ['code', { code: 'a\u0000' }],
    ['price', { price: -1 }],
    ['price', { price: 1.5 }],
    ['price', { price: productLimits.price + 1 }],
    ['is_active', { is_active: 'yes' }],
  ])('reject an invalid %s with 400 and change nothing: %j', async (field, values) => {
    const id = await create()
    const refusal = { status: 400, body: { success: false, error: `${field} is not valid` } }
    expect(await ask('POST', '', { ...body, ...values })).toEqual(refusal)
    expect(await ask('PUT', `/${id}`, { ...body, ...values })).toEqual(refusal)
    expect((await listed()).length).toBe(1)
  })
})
