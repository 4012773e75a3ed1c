import fc from 'fast-check'
import type { Hono } from 'hono'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { unexpectedError } from '../../../server/api/errors.ts'
import { createSearchRoutes } from '../../../server/api/search.ts'
import type { Db } from '../../../server/database/database.ts'
import { mergeConversations } from '../../../server/database/groups.ts'
import { findMessagesByText } from '../../../server/database/message-search.ts'
import { indexBatch } from '../../../server/database/search-index.ts'
import { searchWords } from '../../../src/domain/shell/search-words.ts'
import { type SearchResult, searchAnswer } from '../../../src/schemas/search.ts'
import { hostileSample, hostileStrings } from '../../e2e/hostile/strings.ts'
import { apiBehindSignIn } from '../api-harness.ts'
import { describeOnDatabase } from '../databases.ts'
import { addIdentity, addMessage, addPage, at } from '../people.ts'
import { type SignedIn, signIn } from '../sign-in.ts'

describeOnDatabase('Search', (open) => {
  let db: Db
  let api: Hono
  let staff: Record<'viewer' | 'nobody' | 'chatsOnly', SignedIn>

  beforeAll(async () => {
    db = (await open()).db
    staff = {
      viewer: await signIn(db, 'viewer'),
      nobody: await signIn(db, 'agent'),
      chatsOnly: await signIn(db, 'agent'),
    }
    const ofEmail = (email: string, permissions: string[]) =>
      sql`update staff set role = 'none', permissions = ${permissions} where email = ${email}`.execute(db)
    await ofEmail(staff.nobody.email, ['stats.read'])
    await ofEmail(staff.chatsOnly.email, ['conversations.read'])
    api = apiBehindSignIn(db)
    api.route('/search', createSearchRoutes({ db, country: 'PH' }))
    api.onError(unexpectedError({ error: () => {}, warn: () => {} }))
  })
  beforeEach(async () => {
    for (const table of ['pages', 'clients', 'deleted_messages'] as const) await db.deleteFrom(table).execute()
    await addPage(db, 'p1')
    await addPage(db, 'p2')
  })

  const ask = async (query: Record<string, string>, who: keyof typeof staff = 'viewer') => {
    const response = await api.request(`/search?${new URLSearchParams(query)}`, { headers: staff[who].headers })
    return { status: response.status, body: await response.json() }
  }
  const search = async (q: string, more: Record<string, string> = {}): Promise<SearchResult> => {
    const { status, body } = await ask({ q, ...more })
    expect(status).toBe(200)
    return searchAnswer.parse(body).data
  }
  const found = async (q: string) => (await search(q)).messages?.hits.map(({ message_id }) => message_id)
  const addClient = (id: string, values: object = {}) =>
    db
      .insertInto('clients')
      .values({ id, first_name: 'Ana', last_name: 'Reyes', phone_country: 'PH', ...values })
      .execute()

  it('finds clients, orders and messages in groups', async () => {
    await addIdentity(db, 'u1', { page: 'p1', name: 'José Núñez' })
    await addMessage(db, 'm1', 'u1', 1, { message_text: 'Para kay Nunez po ang order' })
    await addClient('k1', {
      last_name: 'Núñez',
      email: 'ana@example.com',
      phone: '0917 123 4567',
      company_name: 'Sari',
    })
    await db
      .insertInto('orders')
      .values({
        id: 'o1',
        order_number: 'NUN-1042',
        client_id: 'k1',
        status: 'pending',
        total_amount: '1',
        created_at: at(2),
      })
      .execute()
    const result = await search('nun')
    expect(result).toEqual({
      clients: {
        hits: [
          {
            id: 'k1',
            name: 'Ana Núñez',
            company_name: 'Sari',
            email: 'ana@example.com',
            phone: '0917 123 4567',
            primary_user_id: null,
          },
        ],
        next: null,
      },
      orders: {
        hits: [
          {
            id: 'o1',
            order_number: 'NUN-1042',
            status: 'pending',
            created_at: at(2).toISOString(),
            client_id: 'k1',
            client_name: 'Ana Núñez',
          },
        ],
        next: null,
      },
      messages: {
        hits: [
          {
            message_id: 'm1',
            primary_user_id: 'u1',
            page_id: 'p1',
            name: 'José Núñez',
            direction: 'incoming',
            excerpt: 'Para kay Nunez po ang order',
            at: at(1).toISOString(),
          },
        ],
        next: null,
      },
      is_partial: false,
    })
  })

  it.each([
    ['the beginning of an email address', 'ana@exa'],
    ['a phone number in another notation', '+63 917 123 4567'],
    ['a company', 'sari'],
  ])('finds a client by %s', async (_, term) => {
    await addClient('k1', {
      email: 'ana@example.com',
      phone: '0917 123 4567',
      phone_e164: '+639171234567',
      company_name: 'Sari',
    })
    expect((await search(term)).clients?.hits.map(({ id }) => id)).toEqual(['k1'])
  })

  it('finds an order by the whole or a part of its number, a short number only as a whole', async () => {
    await addClient('k1')
    for (const order_number of ['1042', 'ORD-77', '7', '77'])
      await db
        .insertInto('orders')
        .values({ id: order_number, order_number, client_id: 'k1', status: 'pending', total_amount: '1' })
        .execute()
    const numbers = async (term: string) => (await search(term)).orders?.hits.map(({ order_number }) => order_number)
    expect(await numbers('#1042')).toEqual(['1042'])
    expect(await numbers('042')).toEqual(['1042'])
    expect(await numbers('ord-77')).toEqual(['ORD-77'])
    expect(await numbers('7')).toEqual(['7'])
    expect(await numbers('77')).toEqual(['77'])
    expect(await numbers('10')).toEqual([])
    expect(await numbers('d-7')).toEqual(['ORD-77'])
    expect(await numbers('ord 7')).toEqual(['ORD-77'])
    expect(await numbers('nope')).toEqual([])
  })

  it.each([
    ['Magkano po ang señorita bread?', 'senor', true],
    ['Magkano po ang senorita bread?', 'SEÑORITA magk', true],
    ['ПРИВЕТ Ελλάς', 'привет ελλασ', true],
    ['Tawag ka sa 0917-123-4567', '+639171234567', true],
    ['Tawag ka sa +63 (917) 123 4567', '09171234567', true],
    ["'Yung isa, 'di ba?", 'yung di', true],
    ['ship to ana@example.com', 'ana@example.com', true],
    ['available pa po?', 'vailable', false],
    ['available pa po?', 'available zzz', false],
    ['available pa po?', '?', false],
  ])('of %j, %j is found: %s', async (text, term, isFound) => {
    await addIdentity(db, 'u1', { page: 'p1' })
    await addMessage(db, 'm1', 'u1', 1, { message_text: text })
    expect(await found(term)).toEqual(isFound ? ['m1'] : [])
  })

  it('finds a stored message by every beginning of each of its words', async () => {
    await addIdentity(db, 'u1', { page: 'p1' })
    const strings = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.constantFrom(...hostileStrings))
    await fc.assert(
      fc.asyncProperty(strings, fc.nat(), fc.nat(), async (drawn, word, length) => {
        const text = drawn.replaceAll('\0', '').toWellFormed()
        await db.deleteFrom('messages').execute()
        await addMessage(db, 'm1', 'u1', 1, { message_text: text })
        const { rows } = await sql<{ words: string[] }>`select search_words(${text}) as words`.execute(db)
        const words = rows[0]?.words ?? []
        // Of other scripts the database may know other cases and forms than the browser, which only marks what is found.
        if ([...text].every((character) => character < '\u0250'))
          expect(new Set(words)).toEqual(new Set(searchWords(text).map((whole) => [...whole].slice(0, 64).join(''))))
        const chosen = [...(words[word % Math.max(1, words.length)] ?? '')]
        if (chosen.length === 0) return
        const term = chosen.slice(0, 1 + (length % Math.min(60, chosen.length))).join('')
        const { messages } = await findMessagesByText(db, { search: term, after: null, limit: 5, country: 'PH' })
        expect(messages.map(({ message_id }) => message_id)).toEqual(['m1'])
      }),
      { numRuns: 100 },
    )
  })

  it('answers every hostile string, and changes nothing', async () => {
    await addIdentity(db, 'u1', { page: 'p1', name: 'Ana' })
    await addMessage(db, 'm1', 'u1', 1, { message_text: 'Good day' })
    for (const text of hostileSample) {
      const { status } = await ask({ q: text.slice(0, 200) })
      expect([text, status]).toEqual([text, text.trim() === '' ? 400 : 200])
    }
    expect(await found('good')).toEqual(['m1'])
  })

  it('returns the next result pages, each message once, newest first', async () => {
    await addIdentity(db, 'u1', { page: 'p1' })
    // Several messages have the same time.
    for (let n = 0; n < 50; n++) await addMessage(db, `m${n}`, 'u1', Math.floor(n / 3), { message_text: 'kumusta' })
    const first = await search('kumusta')
    const ids = first.messages?.hits.map(({ message_id }) => message_id) ?? []
    expect(ids).toHaveLength(5)
    let next = first.messages?.next ?? null
    while (next !== null) {
      const { messages, clients, orders } = await search('kumusta', { kinds: 'messages', after: next })
      expect([clients, orders]).toEqual([null, null])
      ids.push(...(messages?.hits.map(({ message_id }) => message_id) ?? []))
      next = messages?.next ?? null
    }
    expect(ids).toEqual(Array.from({ length: 50 }, (_, n) => `m${49 - n}`))
  })

  it('returns the next result pages of clients and orders', async () => {
    for (let n = 10; n < 40; n++) {
      await addClient(`k${n}`, { first_name: 'Liza', last_name: `${n}` })
      await db
        .insertInto('orders')
        .values({
          id: `o${n}`,
          order_number: `LIZA-${n}`,
          client_id: `k${n}`,
          status: 'x',
          total_amount: '1',
          created_at: at(n),
        })
        .execute()
    }
    for (const kind of ['clients', 'orders'] as const) {
      const ids: string[] = []
      const read = (group: { hits: { id: string }[]; next: string | null } | null | undefined) => {
        ids.push(...(group?.hits ?? []).map(({ id }) => id))
        return group?.next ?? null
      }
      for (let next = read((await search('liza'))[kind]); next !== null; )
        next = read((await search('liza', { kinds: kind, after: next }))[kind])
      expect([kind, new Set(ids).size, ids.length]).toEqual([kind, 30, 30])
    }
  })

  describe('of more orders than are sorted', () => {
    /** One order a minute, the newest last. */
    const addOrders = (prefix: string, from: number, to: number) =>
      sql`
        insert into orders (id, order_number, client_id, status, total_amount, created_at)
        select ${prefix} || n, ${prefix} || n, 'k1', 'pending', 1, ${at(0)}::timestamptz + n * interval '1 minute'
        from generate_series(${from}::integer, ${to}::integer) n`.execute(db)
    const orders = async (q: string, more: Record<string, string> = {}) => {
      const { orders, is_partial } = await search(q, more)
      return {
        numbers: orders?.hits.map(({ order_number }) => order_number),
        next: orders?.next ?? null,
        isPartial: is_partial,
      }
    }
    const numbersFrom = (prefix: string, from: number, count: number) =>
      Array.from({ length: count }, (_, n) => `${prefix}${from - n}`)

    it('shows the newest first', async () => {
      await addClient('k1')
      await addOrders('C-', 1, 3_000)
      expect(await orders('c-')).toEqual({ numbers: [], next: null, isPartial: false })
      await addOrders('WEB-', 3_001, 6_000)
      expect(await orders('web')).toEqual({ numbers: numbersFrom('WEB-', 6_000, 5), next: '5', isPartial: false })
      expect(await orders('web', { kinds: 'orders', after: '500' })).toEqual({
        numbers: numbersFrom('WEB-', 5_500, 20),
        next: null,
        isPartial: false,
      })
    })

    it('says that hits may be missing if the newest orders have too few', async () => {
      await addClient('k1')
      await addOrders('WEB-', 1, 1_100)
      await addOrders('C-', 1_101, 6_098)
      const { numbers, ...found } = await orders('web')
      expect([numbers?.slice(0, 2), numbers?.length, found]).toEqual([
        ['WEB-1100', 'WEB-1099'],
        5,
        { next: '5', isPartial: true },
      ])
    })
  })

  it('says that hits may be missing of more clients than are sorted', async () => {
    const addClients = (from: number, to: number) =>
      sql`
        insert into clients (id, first_name, last_name)
        select 'k' || n, 'Liza', n from generate_series(${from}::integer, ${to}::integer) n`.execute(db)
    await addClients(1, 1_000)
    expect((await search('liza')).is_partial).toBe(false)
    await addClients(1_001, 1_001)
    expect((await search('liza')).is_partial).toBe(true)
  })

  it('answers the wanted groups alone', async () => {
    await addClient('k1')
    const { clients, orders, messages } = await search('ana', { kinds: 'clients,messages' })
    expect([clients?.hits.length, orders, messages?.hits.length]).toEqual([1, null, 0])
  })

  it('follows edits, deletions, merges and erased people', async () => {
    await addIdentity(db, 'u1', { page: 'p1' })
    await addIdentity(db, 'u2', { page: 'p2' })
    await addMessage(db, 'm1', 'u1', 1, { message_text: 'pula' })
    await addMessage(db, 'm2', 'u2', 2, { message_text: null })
    expect(await found('pula')).toEqual(['m1'])
    await db.updateTable('messages').set({ message_text: 'asul' }).where('message_id', 'in', ['m1', 'm2']).execute()
    expect(await found('pula')).toEqual([])
    expect(await found('asul')).toEqual(['m2', 'm1'])
    await mergeConversations(db, 'u1', 'u2')
    expect((await search('asul')).messages?.hits.map((hit) => hit.primary_user_id)).toEqual(['u1', 'u1'])
    await db.deleteFrom('messages').where('message_id', '=', 'm1').execute()
    expect(await found('asul')).toEqual(['m2'])
    await db.updateTable('messages').set({ message_text: null }).execute()
    expect(await found('asul')).toEqual([])
    await db.updateTable('messages').set({ message_text: 'asul' }).execute()
    await db.deleteFrom('fb_users').where('id', '=', 'u2').execute()
    expect(await found('asul')).toEqual([])
    const left = await sql`select from message_search`.execute(db)
    expect(left.rows).toEqual([])
  })

  it('indexes what was stored before, newest first, and says until then that messages may be missing', async () => {
    await addIdentity(db, 'u1', { page: 'p1' })
    await db
      .insertInto('messages')
      .values(
        Array.from({ length: 700 }, (_, n) => ({
          message_id: `m${n}`,
          fb_user_id: 'u1',
          message_text: `luma n${n}n`,
          direction: 'incoming' as const,
          timestamp_fb: at(n),
        })),
      )
      .execute()
    await sql`delete from message_search`.execute(db)
    await sql`update message_search_progress set before = (select max(id) + 1 from messages)`.execute(db)
    expect(await search('luma')).toMatchObject({ messages: { hits: [] }, is_partial: true })
    expect(await indexBatch(db)).toBe(true)
    expect(await search('n699n')).toMatchObject({ messages: { hits: [{ message_id: 'm699' }] }, is_partial: true })
    expect(await found('n0n')).toEqual([])
    expect(await indexBatch(db)).toBe(false)
    expect(await search('n0n')).toMatchObject({ messages: { hits: [{ message_id: 'm0' }] }, is_partial: false })
  })

  describe('refuses', () => {
    it.each<[string, Record<string, string>]>([
      ['no term', {}],
      ['an empty term', { q: '  ' }],
      ['a term that is too long', { q: 'a'.repeat(201) }],
      ['an unknown kind', { q: 'a', kinds: 'clients,people' }],
      ['a place without a kind', { q: 'a', after: '5' }],
      ['a place of several kinds', { q: 'a', kinds: 'orders,clients', after: '5' }],
      ['a place of another kind', { q: 'a', kinds: 'messages', after: '5' }],
      ['a place that is too far', { q: 'a', kinds: 'clients', after: '501' }],
    ])('%s', async (_, query) => {
      expect((await ask(query)).status).toBe(400)
    })

    it('staff without the permission to read conversations, and shows no clients and orders without theirs', async () => {
      expect((await ask({ q: 'ana' }, 'nobody')).status).toBe(403)
      await addClient('k1')
      const { status, body } = await ask({ q: 'ana' }, 'chatsOnly')
      expect([status, body.data]).toEqual([
        200,
        {
          clients: null,
          orders: null,
          messages: { hits: [], next: null },
          is_partial: false,
        },
      ])
    })
  })
})
