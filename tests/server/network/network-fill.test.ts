import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createNormalizeUrl } from '../../../server/network/graph/normalize-url.ts'
import { fillFromNetwork } from '../../../server/network/sync/fill.ts'
import { seedBusiness } from '../../../server/stand-ins/sandbox/business.ts'
import { describeOnDatabase } from '../databases.ts'
import { type Harness, openHarness, prints } from '../network-harness.ts'

describeOnDatabase('fillFromNetwork', (open) => {
  let harness: Harness

  beforeAll(async () => {
    harness = await openHarness(await open())
    await fill()
  })
  afterAll(() => harness.close())

  const fill = () =>
    fillFromNetwork({
      db: harness.db,
      graph: harness.graph,
      pageTokens: harness.pageTokens,
      normalizeUrl: createNormalizeUrl(harness.address),
      sync: harness.sync,
      lookups: harness.lookups,
      tokens: harness.sandbox.tokens,
      logger: pino({ level: 'silent' }),
    })
  const count = async (table: 'messages' | 'fb_users' | 'conversations' | 'clients' | 'orders' | 'payments') =>
    (
      await harness.db
        .selectFrom(table)
        .select((row) => row.fn.countAll<number>().as('rows'))
        .executeTakeFirstOrThrow()
    ).rows

  it('connects the pages and keeps their tokens encrypted', async () => {
    const pages = await harness.db.selectFrom('pages').selectAll().orderBy('page_id').execute()
    expect(pages.map(({ page_name, instagram_id }) => [page_name, instagram_id])).toEqual([
      ['Lakbay Print Studio', '17841400000000101'],
      ['Tarpaulin Express Marikina', null],
      ['Kusina ni Aling Rosa', '17841400000000103'],
      ['Handaan Party Trays', null],
    ])
    for (const { page_id, page_access_token_encrypted } of pages) {
      expect(page_access_token_encrypted).not.toContain(harness.tokenOf(page_id))
      expect(harness.pageTokens.decrypt(page_id, page_access_token_encrypted)).toBe(harness.tokenOf(page_id))
    }
  })

  it('stores all people with names and about 5,000 messages, and nothing more when repeated', async () => {
    const [people, messages] = [await count('fb_users'), await count('messages')]
    const nameless = await harness.db
      .selectFrom('fb_users')
      .select('id')
      .where((row) => row.or([row('name', 'is', null), row('name', '=', '')]))
      .execute()
    expect(people).toBe((await harness.control<unknown[]>('GET', '/people')).length)
    expect(messages).toBeGreaterThan(4_600)
    expect(nameless).toEqual([])
    await fill()
    expect([await count('fb_users'), await count('messages')]).toEqual([people, messages])
  })

  it('marks answered messages as read, and unanswered ones as unread', async () => {
    const [psid, waiting] = [await harness.createPerson(), await harness.createPerson()]
    await harness.db.deleteFrom('fb_users').where('psid', 'in', [psid, waiting]).execute()
    harness.clock.advance(60_000)
    await harness.faults({ holdWebhooks: true })
    await harness.control('POST', `/people/${psid}/replies`, { text: 'Opo' })
    harness.clock.advance(60_000)
    await harness.control('POST', `/people/${psid}/messages`, { text: 'Salamat po' })
    await harness.sync.history(prints, 'messenger', 100)
    const read = async (one: string) =>
      (await harness.thread(one)).map(({ message_text, is_read }) => [message_text, is_read])
    expect(await read(psid)).toEqual([
      ['Hello po', true],
      ['Opo', true],
      ['Salamat po', false],
    ])
    expect(await read(waiting)).toEqual([['Hello po', false]])
    await harness.faults({})
    await harness.settle()
    expect(await read(psid)).toHaveLength(3)
  })

  it('seeds clients and merged conversations once', async () => {
    await seedBusiness(harness.db, harness.clock.now())
    const counts = async () => Promise.all((['clients', 'orders', 'payments', 'conversations'] as const).map(count))
    const [clients = 0, orders = 0, payments = 0, conversations = 0] = await counts()
    const linked = await harness.db
      .selectFrom('conversations')
      .select('primary_user_id')
      .where('client_id', 'is not', null)
      .execute()
    const merged = await harness.db
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
    await seedBusiness(harness.db, harness.clock.now())
    expect(await counts()).toEqual([clients, orders, payments, conversations])
  })
})
