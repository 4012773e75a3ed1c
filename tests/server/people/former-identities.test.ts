import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { serverActor } from '../../../server/audit/audit.ts'
import { mergeClients } from '../../../server/database/client-merges.ts'
import { linkClient, mergeConversations, unlinkClient } from '../../../server/database/groups.ts'
import { ensureIdentity } from '../../../server/network/store/store.ts'
import { describeOnDatabase } from '../databases.ts'
import { type Harness, openHarness } from '../network-harness.ts'

describeOnDatabase('People of a page that is removed and connected again', (open) => {
  let harness: Harness
  let round = 0
  /** Two pages of this test alone. */
  let pages: { print: string; food: string }

  beforeAll(async () => {
    harness = await openHarness(await open())
  })
  afterAll(() => harness.close())
  beforeEach(async () => {
    round += 1
    pages = { print: `print-${round}`, food: `food-${round}` }
    await connect(pages.print)
    await connect(pages.food)
  })

  const connect = (page: string) =>
    harness.db.insertInto('pages').values({ page_id: page, page_name: page, page_access_token_encrypted: '' }).execute()
  async function remove(page: string): Promise<void> {
    const id = await harness.erasures.beginPage(page, { by: serverActor, check: async () => undefined })
    if (id === null) throw new Error('the page is not connected')
    await harness.erasures.run(id)
  }
  const reconnect = async (page: string) => {
    await remove(page)
    await connect(page)
  }
  /** The id of a person who writes to the page. */
  async function writes(page: string, psid = 'ana'): Promise<string> {
    const identity = await ensureIdentity(
      harness,
      { pageId: page, psid, platform: 'messenger' },
      new Date(harness.clock.now()),
    )
    if (typeof identity === 'string') throw new Error(identity)
    return identity.fbUserId
  }
  async function newClient(name: string): Promise<string> {
    const row = await harness.db
      .insertInto('clients')
      .values({ first_name: name, last_name: 'Reyes' })
      .returning('id')
      .executeTakeFirstOrThrow()
    return row.id
  }
  /** The conversation and the client of an identity, as the identity and as the conversation tell it. */
  async function placeOf(id: string) {
    const row = await harness.db
      .selectFrom('fb_users')
      .innerJoin('conversations', 'conversations.primary_user_id', 'fb_users.primary_user_id')
      .select(['fb_users.primary_user_id', 'fb_users.client_id as own', 'conversations.client_id'])
      .where('fb_users.id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row.own).toBe(row.client_id)
    return { conversation: row.primary_user_id, client: row.client_id }
  }
  const remembered = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from former_identities where page_id in (${pages.print}, ${pages.food})`.execute(
      harness.db,
    )
    return rows[0]?.count
  }

  it('are linked to their client again, and nothing is remembered any more', async () => {
    const [before, client] = [await writes(pages.print), await newClient('Ana')]
    await linkClient(harness.db, before, client)
    await writes(pages.print, 'stranger')
    await remove(pages.print)
    expect(await remembered()).toBe(1)
    await connect(pages.print)
    const [after, stranger] = [await writes(pages.print), await writes(pages.print, 'stranger')]
    expect(await placeOf(after)).toEqual({ conversation: after, client })
    expect(await placeOf(stranger)).toEqual({ conversation: stranger, client: null })
    expect(await remembered()).toBe(0)
  })

  it.each(['print', 'food'] as const)('find their other chats when the page %s is removed', async (name) => {
    const [print, food, client] = [await writes(pages.print), await writes(pages.food), await newClient('Ana')]
    await mergeConversations(harness.db, print, food)
    await linkClient(harness.db, print, client)
    await reconnect(pages[name])
    const [one, other] = [await writes(pages.print), await writes(pages.food)]
    expect(await placeOf(one)).toEqual(await placeOf(other))
    expect(await placeOf(one)).toEqual({ conversation: print, client })
  })

  it.each([
    ['the first first', ['print', 'food']],
    ['the last first', ['food', 'print']],
    ['both at once', null],
  ] as const)('find each other when all their pages were removed and come back, %s', async (_, order) => {
    const [print, food] = [await writes(pages.print), await writes(pages.food)]
    await mergeConversations(harness.db, print, food)
    await reconnect(pages.print)
    await reconnect(pages.food)
    if (order === null) await Promise.all([writes(pages.print), writes(pages.food)])
    else for (const name of order) await writes(pages[name])
    const [one, other] = [await writes(pages.print), await writes(pages.food)]
    expect(await placeOf(one)).toEqual(await placeOf(other))
    expect([one === print, one === other]).toEqual([false, false])
  })

  it('follow what staff decided meanwhile', async () => {
    const [print, food] = [await writes(pages.print), await writes(pages.food)]
    const [ana, ben] = [await newClient('Ana'), await newClient('Ben')]
    await mergeConversations(harness.db, print, food)
    await linkClient(harness.db, print, ana)
    await remove(pages.print)
    await unlinkClient(harness.db, food, ana)
    await linkClient(harness.db, food, ben)
    await connect(pages.print)
    expect(await placeOf(await writes(pages.print))).toEqual({ conversation: print, client: ben })
  })

  it('join the chat that their client has by now', async () => {
    const [print, client] = [await writes(pages.print), await newClient('Ana')]
    await linkClient(harness.db, print, client)
    await remove(pages.print)
    const food = await writes(pages.food)
    await linkClient(harness.db, food, client)
    await connect(pages.print)
    expect(await placeOf(await writes(pages.print))).toEqual({ conversation: food, client })
  })

  it('are linked to the client that theirs was merged into, and to none that was deleted', async () => {
    const [ana, ben] = [await writes(pages.print, 'ana'), await writes(pages.print, 'ben')]
    const [merged, kept, deleted] = [await newClient('Ana'), await newClient('Anna'), await newClient('Ben')]
    await linkClient(harness.db, ana, merged)
    await linkClient(harness.db, ben, deleted)
    await remove(pages.print)
    const merge = { id: kept, other: merged, version: 1, other_version: 1, take: [] }
    const context = { now: new Date(harness.clock.now()), by: 'u1', country: 'PH' } as const
    await mergeClients(harness.db, merge, context, async () => undefined)
    await harness.db.updateTable('clients').set({ removed_at: new Date() }).where('id', '=', deleted).execute()
    await connect(pages.print)
    expect((await placeOf(await writes(pages.print, 'ana'))).client).toBe(kept)
    expect((await placeOf(await writes(pages.print, 'ben'))).client).toBeNull()
  })

  it.each([
    ['the person', (id: string) => harness.erasures.beginPerson(id, { by: serverActor })],
    [
      'the person with the client',
      (id: string) => harness.erasures.beginPerson(id, { by: serverActor, withClient: true }),
    ],
  ])('are not found again after an erasure of %s', async (_, begin) => {
    const [print, food, client] = [await writes(pages.print), await writes(pages.food), await newClient('Ana')]
    await mergeConversations(harness.db, food, print)
    await linkClient(harness.db, food, client)
    await remove(pages.print)
    expect(await remembered()).toBe(1)
    const id = await begin(food)
    if (id === null) throw new Error('nobody was erased')
    await harness.erasures.run(id)
    expect(await remembered()).toBe(0)
  })

  it("are forgotten with the network's request to delete their data", async () => {
    const print = await writes(pages.print, 'carla')
    await linkClient(harness.db, print, await newClient('Carla'))
    await remove(pages.print)
    await harness.erasures.run(await harness.erasures.beginNetworkUser(['carla'], `request ${round}`))
    expect(await remembered()).toBe(0)
  })
})
