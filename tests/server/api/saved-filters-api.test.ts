import type { Hono } from 'hono'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { createSavedFilterRoutes } from '../../../server/api/saved-filters.ts'
import type { Db } from '../../../server/database/database.ts'
import { saveFilter } from '../../../server/database/saved-filters.ts'
import { inTransaction } from '../../../server/database/transaction.ts'
import { type SavedFilterBody, savedFilterLimits } from '../../../src/schemas/saved-filter.ts'
import { apiBehindSignIn, callAs } from '../api-harness.ts'
import { describeOnDatabase } from '../databases.ts'
import { at } from '../people.ts'
import { type SignedIn, signIn } from '../sign-in.ts'

const body: SavedFilterBody = {
  name: 'Refunds of Shop A',
  view: 'waiting',
  page_id: 'p1',
  label_id: 'l1',
  assigned_to: 'nobody',
  unread_only: true,
}
const plain: SavedFilterBody = {
  name: 'All',
  view: 'all',
  page_id: null,
  label_id: null,
  assigned_to: null,
  unread_only: false,
}

describeOnDatabase('Saved filters', (open) => {
  let db: Db
  let api: Hono
  let ana: SignedIn
  let ben: SignedIn

  beforeAll(async () => {
    db = (await open()).db
    ana = await signIn(db)
    ben = await signIn(db, 'viewer')
    api = apiBehindSignIn(db)
    api.route('/', createSavedFilterRoutes({ db, clock: { now: () => at(60).getTime() } }))
  })
  beforeEach(async () => {
    for (const table of ['saved_filters', 'saved_filter_versions'] as const) await db.deleteFrom(table).execute()
  })

  const ask = async (method: string, path = '', { who = ana, sent }: { who?: SignedIn; sent?: unknown } = {}) => {
    const { status, body } = await callAs(who, api, method, `/saved-filters${path}`, sent)
    return { status, ...body.data, ...(body.error === undefined ? {} : { error: body.error }) }
  }
  const put = (id: string, sent: unknown, who = ana) => ask('PUT', `/${id}`, { who, sent })

  it('are listed by name and belong to one person, a viewer too', async () => {
    expect(await ask('GET')).toEqual({ status: 200, version: 0, filters: [] })
    const first = { id: 'f1', ...body }
    expect(await put('f1', body)).toEqual({ status: 200, version: 1, filters: [first] })
    const second = { id: 'f2', ...plain }
    expect(await put('f2', plain)).toEqual({ status: 200, version: 2, filters: [second, first] })
    expect(await put('f1', { ...plain, name: ' Mine ' }, ben)).toEqual({
      status: 200,
      version: 1,
      filters: [{ id: 'f1', ...plain, name: 'Mine' }],
    })
    expect(await ask('GET')).toEqual({ status: 200, version: 2, filters: [second, first] })
    expect(await ask('DELETE', '/f2', { who: ben })).toMatchObject({ version: 1 })
    expect(await ask('DELETE', '/f2')).toEqual({ status: 200, version: 3, filters: [first] })
    expect(await ask('DELETE', '/f2')).toEqual({ status: 200, version: 3, filters: [first] })
  })

  it('are renamed by a write with the same id, and written once if the write is repeated', async () => {
    await put('f1', body)
    await put('f1', body)
    const renamed = { ...body, name: 'REFUNDS of shop A' }
    expect(await put('f1', renamed)).toEqual({ status: 200, version: 3, filters: [{ id: 'f1', ...renamed }] })
  })

  it('refuse a name that is taken in another case, and more filters than the limit, without an announcement', async () => {
    await put('f1', body)
    expect(await put('f2', { ...plain, name: 'refunds OF shop a' })).toEqual({
      status: 422,
      error: 'Another of your filters has this name',
    })
    for (let index = 2; index <= savedFilterLimits.filters; index += 1)
      expect(await put(`f${index}`, { ...plain, name: `F ${index}` })).toMatchObject({ status: 200 })
    expect(await put('more', plain)).toEqual({
      status: 422,
      error: `You already have ${savedFilterLimits.filters} filters. Delete one first.`,
    })
    expect(await put('f1', { ...body, name: 'Still changed' })).toMatchObject({ status: 200 })
    expect(await ask('GET')).toMatchObject({ version: savedFilterLimits.filters + 1 })
  })

  it('keep the limit when two tabs write at the same time', async () => {
    for (let index = 1; index < savedFilterLimits.filters; index += 1)
      await put(`f${index}`, { ...plain, name: `F ${index}` })
    const results = await Promise.all(['a', 'b', 'c'].map((id) => put(id, { ...plain, name: id })))
    expect(results.map(({ status }) => status).toSorted()).toEqual([200, 422, 422])
  })

  it.each([
    ['an empty name', { ...body, name: ' ' }],
    ['a name that is too long', { ...body, name: 'x'.repeat(savedFilterLimits.name + 1) }],
    ['an unknown view', { ...body, view: 'spam' }],
    ['a missing field', { ...body, label_id: undefined }],
    ['an id that is too long', { ...body, page_id: 'x'.repeat(101) }],
  ])('refuse %s', async (_what, sent) => {
    expect(await put('f1', sent)).toMatchObject({ status: 400 })
    expect(await ask('GET')).toEqual({ status: 200, version: 0, filters: [] })
  })

  it('announce the person and the version, and no name', async () => {
    const { rows } = await sql<{ columns: string }>`
      select string_agg(column_name, ', ' order by ordinal_position) as columns
      from information_schema.columns where table_name = 'saved_filter_versions'`.execute(db)
    expect(rows).toEqual([{ columns: 'staff_id, version' }])
    const { rows: triggers } = await sql<{ name: string }>`
      select tgname as name from pg_trigger
      where tgrelid in ('saved_filters'::regclass, 'saved_filter_versions'::regclass) and not tgisinternal
      order by 1`.execute(db)
    expect(triggers.map(({ name }) => name)).toEqual([
      'saved_filter_versions_announce',
      'saved_filter_versions_announce_update',
    ])
  })

  it('are deleted with the staff member', async () => {
    await db.insertInto('staff').values({ id: 'gone', email: 'gone@example.com', role: 'agent' }).execute()
    await inTransaction(db, (trx) => saveFilter(trx, { staffId: 'gone', id: 'f1', values: plain, now: at(0) }))
    await db.deleteFrom('staff').where('id', '=', 'gone').execute()
    for (const table of ['saved_filters', 'saved_filter_versions'] as const)
      expect(await db.selectFrom(table).selectAll().execute()).toEqual([])
  })
})
