import type { Hono } from 'hono'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../../server/clock.ts'
import type { Db } from '../../../server/database/database.ts'
import { linkClient } from '../../../server/database/groups.ts'
import { wholeApi } from '../api-harness.ts'
import { describeOnDatabase } from '../databases.ts'
import { addIdentity, addMessage, addPage, at } from '../people.ts'
import { type SignedIn, signIn } from '../sign-in.ts'

/** What names the client that is removed, its order and its payment. */
const names = ['Zenaida', 'zenaida@example.com', 'SO-zz', 'GC-zz']
const searches = ['', '?q=zenaida', '?search=zenaida', '?q=SO-zz', '?search=SO-zz', '?with=payments', '?with=items']

describeOnDatabase('A removed client', (open) => {
  let db: Db
  let api: Hono
  let staff: SignedIn

  beforeAll(async () => {
    db = (await open()).db
    await addPage(db, 'p1')
    await addIdentity(db, 'u1', { page: 'p1' })
    await addMessage(db, 'm1', 'u1', 1)
    for (const [id, first] of [
      ['c1', 'Zenaida'],
      ['c2', 'Bea'],
      ['c3', 'Carl'],
    ] as const)
      await db
        .insertInto('clients')
        .values({
          id,
          first_name: first,
          last_name: 'Lim',
          email: `${first.toLowerCase()}@example.com`,
          created_at: at(0),
        })
        .execute()
    await db
      .insertInto('orders')
      .values({
        id: 'o1',
        order_number: 'SO-zz',
        client_id: 'c1',
        status: 'ready',
        total_amount: 10,
        created_at: at(0),
      })
      .execute()
    await sql`insert into payments (id, order_id, amount, status, reference, created_at)
      values ('y1', 'o1', 4, 'approved', 'GC-zz', ${at(1)})`.execute(db)
    await linkClient(db, 'u1', 'c1')
    staff = await signIn(db)
    api = wholeApi(db, {
      // The figures of the inbox are computed at most once a second.
      clock: { now: () => at(60).getTime(), after: (_, run) => systemClock.after(0, run) },
    })
  })

  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await api.request(path, { ...init, headers: { ...staff.headers, ...init.headers } })
    return { status: response.status, text: await response.text() }
  }
  const send = (method: string, path: string, body: unknown) =>
    ask(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

  /** The routes of the API whose answers name the client, with any of the known ids in their path. */
  async function routesThatShow(): Promise<string[]> {
    const routes = new Set(api.routes.filter(({ method }) => method === 'GET').map(({ path }) => path))
    const shown: string[] = []
    for (const route of routes) {
      const paths = route.includes(':')
        ? ['c1', 'u1', 'o1', 'm1'].map((id) => route.replaceAll(/:\w+(\{[^}]*\})?/g, id))
        : searches.map((search) => `${route}${search}`)
      const texts: string[] = []
      for (const path of paths) texts.push((await ask(path)).text)
      if (names.some((name) => texts.some((text) => text.includes(name)))) shown.push(route)
    }
    return shown.sort()
  }

  it('is in no answer of the API but the list of removed clients and the export of personal data', async () => {
    expect(await routesThatShow()).toEqual(
      expect.arrayContaining(['/clients/:id', '/clients/:id/summary', '/search', '/orders']),
    )
    expect((await send('DELETE', '/clients/c1', { version: 1 })).status).toBe(200)
    expect(await routesThatShow()).toEqual(['/client-removals', '/persons/:id/export'])
    await send('POST', '/client-removals/c1/undo', {})
  })

  it('that was merged names the client that has its data, also after a second merge and until the undo', async () => {
    const version = async (id: string) => JSON.parse((await ask(`/clients/${id}`)).text).data.version
    const merge = async (kept: string, other: string) =>
      send('POST', `/clients/${kept}/merge`, {
        other,
        version: await version(kept),
        other_version: await version(other),
        take: [],
      })
    const lookUp = async (id: string) => {
      const { status, text } = await ask(`/clients/${id}`)
      return [status, JSON.parse(text).details]
    }
    await merge('c2', 'c1')
    expect(await lookUp('c1')).toEqual([404, { merged_into: 'c2' }])
    await merge('c3', 'c2')
    expect([await lookUp('c1'), await lookUp('c2')]).toEqual([
      [404, { merged_into: 'c3' }],
      [404, { merged_into: 'c3' }],
    ])
    await send('DELETE', '/clients/c3', { version: await version('c3') })
    expect(await lookUp('c1')).toEqual([404, undefined])
    for (const id of ['c3', 'c2', 'c1']) await send('POST', `/client-removals/${id}/undo`, {})
    expect((await lookUp('c1'))[0]).toBe(200)
  })
})
