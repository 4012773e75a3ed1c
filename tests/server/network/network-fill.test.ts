import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createNormalizeUrl } from '../../../server/network/graph/normalize-url.ts'
import { fillFromNetwork } from '../../../server/network/sync/fill.ts'
import { seedBusiness } from '../../../server/stand-ins/sandbox/business.ts'
import { describeOnEachDatabase } from '../databases.ts'
import { type Desk, openDesk, prints } from '../network-desk.ts'

describeOnEachDatabase('The first fill', (open) => {
  let desk: Desk

  beforeAll(async () => {
    desk = await openDesk(await open())
    await fill()
  })
  afterAll(() => desk.close())

  const fill = () =>
    fillFromNetwork({
      db: desk.db,
      graph: desk.graph,
      pageTokens: desk.pageTokens,
      normalizeUrl: createNormalizeUrl(desk.address),
      sync: desk.sync,
      lookups: desk.lookups,
      tokens: desk.sandbox.tokens,
      logger: pino({ level: 'silent' }),
    })
  const count = async (table: 'messages' | 'fb_users' | 'conversations' | 'clients' | 'orders' | 'payments') =>
    (
      await desk.db
        .selectFrom(table)
        .select((row) => row.fn.countAll<number>().as('rows'))
        .executeTakeFirstOrThrow()
    ).rows

  it('connects the pages and keeps their tokens encrypted', async () => {
    const pages = await desk.db.selectFrom('pages').selectAll().orderBy('page_id').execute()
    expect(pages.map(({ page_name, instagram_id }) => [page_name, instagram_id])).toEqual([
      ['Lakbay Print Studio', '17841400000000101'],
      ['Tarpaulin Express Marikina', null],
      ['Kusina ni Aling Rosa', '17841400000000103'],
      ['Handaan Party Trays', null],
    ])
    for (const { page_id, page_access_token_encrypted } of pages) {
      expect(page_access_token_encrypted).not.toContain(desk.tokenOf(page_id))
      expect(desk.pageTokens.decrypt(page_id, page_access_token_encrypted)).toBe(desk.tokenOf(page_id))
    }
  })

  it('stores everybody with about 5,000 messages and names, and nothing more when repeated', async () => {
    const [people, messages] = [await count('fb_users'), await count('messages')]
    const nameless = await desk.db
      .selectFrom('fb_users')
      .select('id')
      .where((row) => row.or([row('name', 'is', null), row('name', '=', '')]))
      .execute()
    expect(people).toBe((await desk.control<unknown[]>('GET', '/people')).length)
    expect(messages).toBeGreaterThan(4_600)
    expect(nameless).toEqual([])
    await fill()
    expect([await count('fb_users'), await count('messages')]).toEqual([people, messages])
  })

  it('marks answered messages as read, and unanswered ones as unread', async () => {
    const [psid, waiting] = [await desk.guest(), await desk.guest()]
    await desk.db.deleteFrom('fb_users').where('psid', 'in', [psid, waiting]).execute()
    desk.clock.advance(60_000)
    await desk.faults({ holdWebhooks: true })
    await desk.control('POST', `/people/${psid}/replies`, { text: 'Opo' })
    desk.clock.advance(60_000)
    await desk.control('POST', `/people/${psid}/messages`, { text: 'Salamat po' })
    await desk.sync.history(prints, 'messenger', 100)
    const read = async (one: string) =>
      (await desk.thread(one)).map(({ message_text, is_read }) => [message_text, is_read])
    expect(await read(psid)).toEqual([
      ['Hello po', true],
      ['Opo', true],
      ['Salamat po', false],
    ])
    expect(await read(waiting)).toEqual([['Hello po', false]])
    await desk.faults({})
    await desk.settle()
    expect(await read(psid)).toHaveLength(3)
  })

  it('creates the clients and merges the people’s conversations, once', async () => {
    await seedBusiness(desk.db, desk.clock.now())
    const counts = async () => Promise.all((['clients', 'orders', 'payments', 'conversations'] as const).map(count))
    const [clients = 0, orders = 0, payments = 0, conversations = 0] = await counts()
    const linked = await desk.db
      .selectFrom('conversations')
      .select('primary_user_id')
      .where('client_id', 'is not', null)
      .execute()
    const merged = await desk.db
      .selectFrom('fb_users')
      .select('primary_user_id')
      .groupBy('primary_user_id')
      .having((row) => row.fn.countAll(), '>', 1)
      .execute()
    expect(clients).toBe(linked.length + 25)
    expect(orders).toBeGreaterThan(clients)
    expect(payments).toBeGreaterThan(100)
    expect(merged.length).toBeGreaterThan(20)
    expect(conversations).toBeLessThan(await count('fb_users'))
    await seedBusiness(desk.db, desk.clock.now())
    expect(await counts()).toEqual([clients, orders, payments, conversations])
  })
})
