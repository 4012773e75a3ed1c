import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { describeOnDatabase } from '../databases.ts'
import { prints, printsInstagram } from '../network-harness.ts'
import { openPageHarness, type PageHarness } from '../page-harness.ts'

const catering = '104200000000103'
const handaan = '104200000000104'
const renewedToken = 'EAASandbox-renewed-canary-token'

describeOnDatabase('The page routes', (open) => {
  let harness: PageHarness

  beforeAll(async () => {
    harness = await openPageHarness(await open())
  })
  afterAll(() => harness.close())

  const add = (pageId: string, values: object = {}) =>
    harness.as('administrator', 'POST', '/pages', {
      page_name: 'Ours',
      page_access_token: harness.tokenOf(pageId),
      is_active: true,
      ...values,
    })
  const stored = (pageId: string) =>
    harness.db.selectFrom('pages').selectAll().where('page_id', '=', pageId).executeTakeFirst()
  const onNetwork = async (pageId: string) =>
    (await harness.control<{ page_id: string; subscribed: boolean }[]>('GET', '/pages')).find(
      (page) => page.page_id === pageId,
    )
  const network = (pageId: string, change: object) => harness.control('PUT', `/pages/${pageId}`, change)

  describe('POST /facebook/pages/verify-token', () => {
    const verify = (token: string) =>
      harness.as('administrator', 'POST', '/pages/verify-token', { page_access_token: token })

    it('returns the page of a token and stores nothing', async () => {
      const { status, body } = await verify(` ${harness.tokenOf(prints)}\n`)
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          success: true,
          data: {
            id: prints,
            name: 'Lakbay Print Studio',
            username: 'lakbayprints',
            category: 'Printing Service',
            picture: '/sandbox/media/pages/11.png',
            instagram_account_id: printsInstagram,
            is_connected: false,
          },
        },
      })
      expect(await stored(prints)).toBeUndefined()
    })

    it.each([
      [
        'is unknown to the network',
        async () => 'EAAUnknown',
        'TOKEN_REFUSED',
        'The network does not accept this token. It may be incomplete, expired or revoked.',
      ],
      [
        'was revoked',
        async () => {
          await network(handaan, { tokenValid: false })
          return harness.tokenOf(handaan)
        },
        'TOKEN_REFUSED',
        'The network does not accept this token. It may be incomplete, expired or revoked.',
      ],
      [
        'belongs to a person',
        async () => {
          await network(handaan, { tokenType: 'USER' })
          return harness.tokenOf(handaan)
        },
        'TOKEN_NOT_OF_PAGE',
        'This token belongs to a person or an app, not to a page.',
      ],
      [
        'may not read messages',
        async () => {
          await network(handaan, { tokenScopes: ['pages_show_list'] })
          return harness.tokenOf(handaan)
        },
        'TOKEN_SCOPES_MISSING',
        'This token lacks the permission pages_messaging.',
      ],
    ])('rejects a token that %s', async (_, prepare, code, error) => {
      const token = await prepare()
      const { status, body } = await verify(token)
      await network(handaan, { tokenValid: true, tokenType: 'PAGE', tokenScopes: ['pages_messaging'] })
      expect({ status, body }).toEqual({ status: 422, body: { success: false, error, code } })
    })

    it('rejects a missing token', async () => {
      const { status, body } = await verify('  ')
      expect({ status, body }).toEqual({
        status: 400,
        body: { success: false, error: 'page_access_token is not valid' },
      })
    })
  })

  describe('POST /facebook/pages', () => {
    it('connects the page under the given name, encrypts its token and subscribes to its webhooks', async () => {
      const { status, body } = await add(prints)
      const page = {
        page_id: prints,
        page_name: 'Ours',
        is_active: true,
        page_username: 'lakbayprints',
        page_category: 'Printing Service',
        page_profile_pic_url: '/sandbox/media/pages/11.png',
        token_invalid_since: null,
        shows_typing: false,
        shows_seen: false,
        keeps_token: true,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      }
      expect({ status, body }).toEqual({ status: 200, body: { success: true, data: page } })
      expect((await harness.as('viewer', 'GET', '/pages')).body).toEqual({ success: true, data: { data: [page] } })
      const row = await stored(prints)
      expect(harness.pageTokens.decrypt(prints, row?.page_access_token_encrypted ?? '')).toBe(harness.tokenOf(prints))
      expect(JSON.stringify(row)).not.toContain(harness.tokenOf(prints))
      expect((await onNetwork(prints))?.subscribed).toBe(true)
    })

    it('rejects a connected page and changes nothing', async () => {
      const before = await stored(prints)
      const { status, body } = await add(prints, { page_name: 'Another name' })
      expect({ status, body }).toEqual({
        status: 409,
        body: {
          success: false,
          code: 'PAGE_EXISTS',
          error: 'Lakbay Print Studio is connected already. Edit it in the list to give it a new token.',
        },
      })
      expect(await stored(prints)).toEqual(before)
    })

    it('rejects a blank name and an invalid token', async () => {
      expect((await add(catering, { page_name: '  ' })).body).toMatchObject({ error: 'page_name is not valid' })
      expect((await add(catering, { page_access_token: 'EAAUnknown' })).status).toBe(422)
      expect(await stored(catering)).toBeUndefined()
    })
  })

  describe('PUT /facebook/pages/:pageId', () => {
    beforeEach(async () => {
      // A lookup with the token of the test before would mark the page.
      await harness.lookups.settled()
      await network(prints, { tokenValid: true, token: harness.tokenOf(prints) })
    })
    const edit = (pageId: string, body: object) => harness.as('administrator', 'PUT', `/pages/${pageId}`, body)

    it('keeps the stored token when the new one is missing or empty', async () => {
      const before = await stored(prints)
      expect((await edit(prints, { page_name: 'Prints', is_active: false })).body).toMatchObject({
        data: { page_name: 'Prints', is_active: false },
      })
      expect((await edit(prints, { page_name: 'Prints', page_access_token: '' })).body).toMatchObject({
        data: { page_name: 'Prints', is_active: false },
      })
      const after = await stored(prints)
      expect(after?.page_access_token_encrypted).toBe(before?.page_access_token_encrypted)
      await edit(prints, { page_name: 'Prints', is_active: true })
    })

    it('keeps what customers see of staff until it is changed', async () => {
      const shown = { shows_typing: true, shows_seen: true }
      expect((await edit(prints, { page_name: 'Prints', ...shown })).body).toMatchObject({ data: shown })
      expect((await edit(prints, { page_name: 'Prints', shows_seen: false })).body).toMatchObject({
        data: { shows_typing: true, shows_seen: false },
      })
      expect((await edit(prints, { page_name: 'Prints', shows_typing: false })).body).toMatchObject({
        data: { shows_typing: false, shows_seen: false },
      })
    })

    it('accepts a new token of the same page, and clears its invalid mark', async () => {
      await network(prints, { token: renewedToken })
      expect((await harness.as('agent', 'POST', `/pages/${prints}/sync-recent`, {})).body).toEqual({
        success: false,
        code: 'NETWORK_190',
        error: 'The network no longer accepts the access token of this page. Give the page a new token.',
      })
      const dead = (await harness.as('viewer', 'GET', '/pages')).body as { data: { data: object[] } }
      expect(dead.data.data).toMatchObject([{ token_invalid_since: new Date(harness.clock.now()).toISOString() }])
      const { status, body } = await edit(prints, { page_name: 'Prints', page_access_token: renewedToken })
      expect([status, body]).toMatchObject([200, { data: { token_invalid_since: null } }])
      expect((await harness.as('agent', 'POST', `/pages/${prints}/sync-recent`, {})).status).toBe(200)
    })

    it('rejects the token of another page', async () => {
      const before = await stored(prints)
      const { status, body } = await edit(prints, {
        page_name: 'Prints',
        page_access_token: harness.tokenOf(catering),
      })
      expect({ status, body }).toEqual({
        status: 422,
        body: {
          success: false,
          code: 'TOKEN_OF_ANOTHER_PAGE',
          error: 'This token belongs to another page, Kusina ni Aling Rosa.',
        },
      })
      expect(await stored(prints)).toEqual(before)
    })

    it('returns 410 for a deleted page', async () => {
      const { status, body } = await edit('999', { page_name: 'Gone' })
      expect({ status, body }).toEqual({
        status: 410,
        body: { success: false, code: 'PAGE_UNKNOWN', error: 'This page is no longer connected.' },
      })
    })
  })

  describe('The invalid mark of a token', () => {
    const markOf = async () => (await stored(prints))?.token_invalid_since ?? null

    it('is set when the network rejects the token, and cleared by a successful call or send', async () => {
      await harness.connect(prints)
      const psid = await harness.createPerson()
      await network(prints, { tokenValid: false })
      const order = { key: crypto.randomUUID(), staffId: 's', pageId: prints, psid, text: 'Opo' }
      const calls = [
        async () => expect((await harness.as('agent', 'POST', `/pages/${prints}/sync-recent`, {})).status).toBe(200),
        () => harness.newSending().send(order),
      ]
      for (const call of calls) {
        await network(prints, { tokenValid: false })
        await expect(harness.newSending().send(order)).rejects.toMatchObject({ code: 'NETWORK_190' })
        expect(await markOf()).toEqual(new Date(harness.clock.now()))
        await network(prints, { tokenValid: true })
        await call()
        expect(await markOf()).toBeNull()
      }
    })

    it('is not set when the token was replaced during the call', async () => {
      const old = (await stored(prints))?.page_access_token_encrypted ?? ''
      const refused = await harness.graph.me('EAAUnknown').catch((error: unknown) => error)
      await harness.connect(prints)
      await harness.calls.recordRefusal(prints, old, refused)
      expect(await markOf()).toBeNull()
    })
  })

  describe('DELETE /facebook/pages/:pageId', () => {
    it('counts what it will delete, unsubscribes from webhooks, and deletes the page with its identities and messages', async () => {
      await harness.connect(handaan)
      await harness.sync.history(handaan, 'messenger', 3)
      const people = await harness.db.selectFrom('fb_users').select('id').where('page_id', '=', handaan).execute()
      const messages = await harness.db
        .selectFrom('messages')
        .select('message_id')
        .where('page_id', '=', handaan)
        .execute()
      const [person] = people
      // One of these people also writes to another page.
      await harness.db
        .insertInto('fb_users')
        .values({ id: 'elsewhere', page_id: prints, psid: 'elsewhere', primary_user_id: person?.id ?? '' })
        .execute()
      await harness.db
        .insertInto('sends')
        .values({
          idempotency_key: 'lost',
          staff_id: 's',
          page_id: handaan,
          psid: 'p',
          message_text: 't',
          state: 'unknown',
        })
        .execute()
      expect((await harness.as('administrator', 'GET', `/pages/${handaan}/deletion`)).body).toEqual({
        success: true,
        data: { conversations: 2, shared_conversations: 1, messages: messages.length, unsent_messages: 1 },
      })
      const { status, body } = await harness.as('administrator', 'DELETE', `/pages/${handaan}`)
      expect({ status, body }).toEqual({ status: 200, body: { success: true, message: 'Page deleted' } })
      expect(await stored(handaan)).toBeUndefined()
      const left = await harness.db
        .selectFrom('conversations')
        .select(['primary_user_id', 'page_ids', 'total_messages'])
        .where(
          'primary_user_id',
          'in',
          people.map(({ id }) => id),
        )
        .execute()
      expect(left).toEqual([{ primary_user_id: person?.id, page_ids: [prints], total_messages: 0 }])
      expect((await onNetwork(handaan))?.subscribed).toBe(false)
      expect((await harness.as('administrator', 'DELETE', `/pages/${handaan}`)).status).toBe(200)
      expect((await harness.as('administrator', 'GET', `/pages/${handaan}/deletion`)).status).toBe(410)
    })

    it('rejects a page that is sending a message', async () => {
      await harness.connect(handaan)
      await harness.db
        .insertInto('sends')
        .values({
          idempotency_key: 'sending',
          staff_id: 's',
          page_id: handaan,
          psid: 'p',
          message_text: 't',
          state: 'sending',
          updated_at: new Date(harness.clock.now()),
        })
        .execute()
      const { status, body } = await harness.as('administrator', 'DELETE', `/pages/${handaan}`)
      expect({ status, body }).toEqual({
        status: 409,
        body: {
          success: false,
          code: 'STILL_SENDING',
          error: 'A message is being sent from this page. Try again in a moment.',
        },
      })
      harness.clock.advance(20_000)
      expect((await harness.as('administrator', 'DELETE', `/pages/${handaan}`)).status).toBe(200)
    })

    it('rejects a page until a message in flight is stored, and later sends fail', async () => {
      await harness.connect(handaan)
      await harness.sync.history(handaan, 'messenger', 1)
      const { psid } = await harness.db
        .selectFrom('fb_users')
        .select('psid')
        .where('page_id', '=', handaan)
        .executeTakeFirstOrThrow()
      const [requested, response] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()]
      const sending = harness.newSending({
        ...harness.graph,
        send: () => {
          requested.resolve()
          return response.promise
        },
      })
      const order = (key: string) => ({ key, staffId: 's', pageId: handaan, psid, text: 'Opo' })
      const sent = sending.send(order('in flight'))
      await requested.promise
      expect((await harness.as('administrator', 'DELETE', `/pages/${handaan}`)).status).toBe(409)
      response.resolve('m_in_flight')
      expect(await sent).toMatchObject({ messageId: 'm_in_flight' })
      expect((await harness.as('administrator', 'DELETE', `/pages/${handaan}`)).status).toBe(200)
      await expect(sending.send(order('too late'))).rejects.toMatchObject({ code: 'RECIPIENT_UNKNOWN' })
    })

    it('continues when unsubscribing fails', async () => {
      await harness.connect(handaan)
      await network(handaan, { tokenValid: false })
      expect((await harness.as('administrator', 'DELETE', `/pages/${handaan}`)).status).toBe(200)
      await network(handaan, { tokenValid: true })
      expect(await stored(handaan)).toBeUndefined()
    })
  })

  it.each(['/pages/refresh-profile-pictures', '/refresh-all-profile-pictures'])(
    'POST /facebook%s refreshes the picture of every page, and lists those that failed',
    async (path) => {
      await harness.connect(prints)
      await harness.connect(catering)
      const seed = path.length
      await network(prints, { pictureSeed: seed })
      await network(catering, { tokenValid: false })
      const { status, body } = await harness.as('administrator', 'POST', path)
      await network(catering, { tokenValid: true })
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          success: true,
          message: 'Refreshed the pictures of 1 of 2 pages',
          data: {
            refreshed: 1,
            failures: [
              {
                page_id: catering,
                page_name: 'Kusina ni Aling Rosa',
                code: 'NETWORK_190',
                error: 'The network no longer accepts the access token of this page. Give the page a new token.',
              },
            ],
          },
        },
      })
      expect((await stored(prints))?.page_profile_pic_url).toBe(`/sandbox/media/pages/${seed}.png`)
    },
  )

  it('allow viewers to read, agents to sync and administrators to manage', async () => {
    const allowed = async (method: string, path: string, body?: object) => {
      const roles = ['viewer', 'agent', 'administrator'] as const
      const answers = await Promise.all(roles.map((role) => harness.as(role, method, path, body)))
      return roles.filter((_, index) => answers[index]?.status !== 403)
    }
    const allRoles = ['viewer', 'agent', 'administrator']
    const syncRoles = ['agent', 'administrator']
    expect({
      list: await allowed('GET', '/pages'),
      verify: await allowed('POST', '/pages/verify-token', {}),
      add: await allowed('POST', '/pages', {}),
      edit: await allowed('PUT', '/pages/999', {}),
      deletion: await allowed('GET', '/pages/999/deletion'),
      delete: await allowed('DELETE', '/pages/999'),
      pictures: await allowed('POST', '/pages/refresh-profile-pictures'),
      allPictures: await allowed('POST', '/refresh-all-profile-pictures'),
      syncStatus: await allowed('GET', '/pages/999/sync-status'),
      syncHistory: await allowed('POST', '/pages/999/sync-history', {}),
      readSync: await allowed('GET', '/history-syncs/999'),
      cancelSync: await allowed('POST', '/history-syncs/999/cancel'),
      syncConversation: await allowed('POST', '/pages/999/sync-conversation', {}),
      syncRecent: await allowed('POST', '/pages/999/sync-recent', {}),
      syncAllRecent: await allowed('POST', '/sync-all-recent', { hoursBack: 0 }),
      autoSync: await allowed('GET', '/auto-sync/status'),
      configure: await allowed('PUT', '/auto-sync/config', {}),
      start: await allowed('POST', '/auto-sync/start'),
      stop: await allowed('POST', '/auto-sync/stop'),
    }).toEqual({
      list: allRoles,
      verify: ['administrator'],
      add: ['administrator'],
      edit: ['administrator'],
      deletion: ['administrator'],
      delete: ['administrator'],
      pictures: ['administrator'],
      allPictures: ['administrator'],
      syncStatus: allRoles,
      syncHistory: syncRoles,
      readSync: allRoles,
      cancelSync: syncRoles,
      syncConversation: syncRoles,
      syncRecent: syncRoles,
      syncAllRecent: syncRoles,
      autoSync: allRoles,
      configure: ['administrator'],
      start: ['administrator'],
      stop: ['administrator'],
    })
  })

  it('store and return no token in plain text', async () => {
    const tables = await sql<{ name: string }>`
      select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname in ('public', 'jobs')`.execute(harness.db)
    const dump = await Promise.all(
      tables.rows.map(
        async ({ name }) => (await sql.raw(`select to_jsonb(t) as row from ${name} t`).execute(harness.db)).rows,
      ),
    )
    const everything = `${JSON.stringify(dump)}${JSON.stringify((await harness.as('administrator', 'GET', '/pages')).body)}`
    expect(everything).toContain('Lakbay Print Studio')
    for (const token of [renewedToken, 'EAAUnknown', harness.tokenOf(prints)]) expect(everything).not.toContain(token)
  })

  it('log no token', () => {
    const log = harness.logged.join('')
    expect(log).toContain('a page was connected')
    for (const token of [renewedToken, 'EAAUnknown', harness.tokenOf(prints)]) expect(log).not.toContain(token)
  })
})
