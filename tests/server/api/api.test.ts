import { readFileSync } from 'node:fs'
import type { Hono } from 'hono'
import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { createAuthRoutes } from '../../../server/api/auth.ts'
import { createRefreshTokens } from '../../../server/auth/refresh-tokens.ts'
import type { Role } from '../../../server/auth/roles.ts'
import type { Db } from '../../../server/database/database.ts'
import { linkClient } from '../../../server/database/groups.ts'
import { createLogger } from '../../../server/logger.ts'
import { GraphError } from '../../../server/network/graph/graph-error.ts'
import { SendRefused } from '../../../server/network/send/send-refusals.ts'
import type { Sending } from '../../../server/network/send/sending.ts'
import { defaultBusiness } from '../../../src/schemas/business.ts'
import { conversationsAnswer } from '../../../src/schemas/conversation.ts'
import { maxStateChanges } from '../../../src/schemas/conversation-state.ts'
import { wholeApi } from '../api-harness.ts'
import { describeOnEachDatabase } from '../databases.ts'
import { addIdentity, addMessage, addPage, at } from '../people.ts'
import { secondFactorsOf } from '../second-factors.ts'
import { productTokens, type SignedIn, signInEachRole } from '../sign-in.ts'

const noon = at(60).getTime()

/** The network's response to a picture refresh. */
const pictureResponses: Record<string, () => string | null> = {
  ana: () => '/pictures/new',
  jose: () => null,
  percy: () => {
    throw GraphError.refused('person', 400, 200, null)
  },
  zoe: () => {
    throw GraphError.refused('person', 400, 613, null)
  },
  late: () => {
    throw GraphError.unanswered('person', 'none within 15000 ms')
  },
}

type Order = Parameters<Sending['send']>[0]

/** A small data set: Ana on two pages, José on one, Percy with wildcards in his name, Zoe without messages. */
async function addSampleData(db: Db): Promise<void> {
  await addPage(db, 'p1', { name: 'Prints' })
  await addPage(db, 'p2', { name: 'Catering' })
  await addPage(db, 'p3', { name: 'Closed', active: false })
  await db
    .insertInto('clients')
    .values({ id: 'c1', first_name: 'Anita', last_name: 'Reyes', company_name: 'Reyes Foods' })
    .execute()
  await addIdentity(db, 'ana', { page: 'p1', name: 'Ana Reyes' })
  await addIdentity(db, 'ana-2', { page: 'p2', name: 'Annie', in: 'ana', platform: 'instagram', minute: 1 })
  await addIdentity(db, 'ana-3', { page: 'p3', in: 'ana', minute: 2 })
  await addIdentity(db, 'jose', { page: 'p1', name: 'José Núñez' })
  await addIdentity(db, 'percy', { page: 'p2', name: '100%_Percy\\' })
  await addIdentity(db, 'zoe', { page: 'p1', name: 'Zoe' })
  await linkClient(db, 'ana', 'c1')
  await addMessage(db, 'm1', 'ana', 1, { is_read: true })
  await addMessage(db, 'm2', 'ana-2', 2)
  await addMessage(db, 'm3', 'ana', 3, { direction: 'outgoing', is_read: true })
  await addMessage(db, 'm4', 'ana-3', 4)
  await addMessage(db, 'm5', 'ana-2', 5, { direction: 'outgoing', is_read: true })
  await addMessage(db, 'm6', 'jose', 6)
  await addMessage(db, 'm7', 'percy', 7, { is_read: true })
  await addMessage(db, 'm8', 'jose', -60 * 24 * 3, { is_read: true })
}

/** The state of a conversation that nobody waits in. */
const handled = {
  version: expect.any(Number),
  waiting_since: null,
  done_at: null,
  done_by: null,
  snoozed_at: null,
  snoozed_until: null,
  label_ids: [],
  returned_at: null,
  assigned_to: null,
  muted_at: null,
}

const ana = {
  primary_user_id: 'ana',
  fb_user_id: 'ana-2',
  fb_user_ids: 'ana, ana-2, ana-3',
  page_id: 'p2',
  page_ids: 'p1, p2, p3',
  page_names: 'Prints, Catering, Closed',
  page_count: 3,
  platform: 'instagram',
  unified_name: 'Ana Reyes',
  user_name: 'Annie',
  first_name: null,
  last_name: null,
  profile_pic: null,
  receipts: null,
  client_id: 'c1',
  client_first_name: 'Anita',
  client_last_name: 'Reyes',
  company_name: 'Reyes Foods',
  unread_messages: 2,
  total_messages: 5,
  last_message_at: at(5).toISOString(),
  last_message_text: 'text of m5',
  last_message_direction: 'outgoing',
  last_message_author: { kind: 'outside' },
  last_message_page_id: 'p2',
  last_message_page_name: 'Catering',
  last_incoming_at: at(2).toISOString(),
  psid: 'psid-ana-2',
  outstanding: 0,
  state: handled,
}

const zoe = {
  primary_user_id: 'zoe',
  fb_user_id: 'zoe',
  fb_user_ids: 'zoe',
  page_id: 'p1',
  page_ids: 'p1',
  page_names: 'Prints',
  page_count: 1,
  platform: 'messenger',
  unified_name: 'Zoe',
  user_name: 'Zoe',
  first_name: null,
  last_name: null,
  profile_pic: null,
  receipts: null,
  client_id: null,
  client_first_name: null,
  client_last_name: null,
  company_name: null,
  unread_messages: 0,
  total_messages: 0,
  last_message_at: null,
  last_message_text: null,
  last_message_direction: null,
  last_message_author: null,
  last_message_page_id: null,
  last_message_page_name: null,
  last_incoming_at: null,
  psid: 'psid-zoe',
  outstanding: null,
  state: { ...handled, version: 0 },
}

/** Routes without a bearer token. A download is authorised by the ticket in its address. */
const isOpenRoute = (path: string): boolean =>
  (path.startsWith('/auth/') && path !== '/auth/me') || path === '/exports/file'

describeOnEachDatabase('The API', (open) => {
  let db: Db
  let api: Hono
  let staff: Record<Role, SignedIn>
  let orders: Order[] = []
  let sendingFails: Error | undefined
  const logged: string[] = []

  beforeAll(async () => {
    db = (await open()).db
    await addSampleData(db)
    staff = await signInEachRole(db)
    const clock = { now: () => noon, after: () => () => undefined }
    api = wholeApi(db, {
      auth: createAuthRoutes({
        db,
        provider: {
          verify: async () => null,
          emailOf: async () => null,
          checkPassword: async () => false,
          setPassword: async () => null,
        },
        tokens: productTokens,
        refreshTokens: createRefreshTokens({ db, issuer: 'product', clock }),
        secondFactors: secondFactorsOf(db, clock),
        clock,
        deviceCache: true,
        business: defaultBusiness,
        addressOf: () => 'test',
      }),
      sending: {
        send: async (order) => {
          orders.push(order)
          if (sendingFails !== undefined) throw sendingFails
          return { messageId: 'mid-1', createdAt: at(9).toISOString() }
        },
      },
      pictures: { refreshPerson: async (id) => pictureResponses[id]?.() },
      clock,
      logger: createLogger('info', { write: (line) => void logged.push(line) }),
      allowedOrigins: ['https://inbox.example.com'],
    })
  })

  const ask = async (path: string, init: RequestInit = {}, role: Role = 'agent') => {
    const headers = { ...staff[role].headers, ...init.headers }
    const response = await api.request(path, { ...init, headers })
    return { status: response.status, body: await response.json() }
  }
  const post = (path: string, body: unknown, headers: Record<string, string> = {}, role: Role = 'agent') =>
    ask(
      path,
      { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } },
      role,
    )
  const listed = async (query: string) => {
    const { status, body } = await ask(`/facebook/conversations?${query}`)
    expect(status).toBe(200)
    const { data, pagination } = conversationsAnswer.parse(body)
    return { ids: data.map((row) => row.primary_user_id), pagination }
  }

  const staffPaths = [
    ['GET', '/facebook/conversations'],
    ['GET', '/facebook/conversations/ana/messages'],
    ['POST', '/facebook/conversations/ana/mark-read'],
    ['POST', '/facebook/send-message'],
    ['GET', '/facebook/stats'],
    ['GET', '/facebook/pages'],
    ['GET', '/facebook/users/ana/best-page'],
    ['GET', '/facebook/users/ana/identity/p1'],
  ] as const

  it.each(staffPaths)('rejects %s %s without a valid token', async (method, path) => {
    for (const authorization of [undefined, 'Bearer nonsense', 'Basic abc']) {
      const response = await api.request(path, { method, ...(authorization && { headers: { authorization } }) })
      expect([response.status, await response.json()]).toEqual([
        401,
        { success: false, error: expect.stringMatching(/^(Authentication required|Invalid or expired token)$/) },
      ])
    }
  })

  it('allows a viewer to read, but not to send or mark as read', async () => {
    expect((await ask('/facebook/conversations', {}, 'viewer')).status).toBe(200)
    const refusedSend = await post('/facebook/send-message', {}, {}, 'viewer')
    expect(refusedSend).toEqual({
      status: 403,
      body: {
        success: false,
        error: 'Missing permission: messages.send',
        requiredPermission: 'messages.send',
        details: { requiredPermission: 'messages.send' },
      },
    })
    expect((await post('/facebook/conversations/ana/mark-read', {}, {}, 'viewer')).body).toMatchObject({
      requiredPermission: 'conversations.mark_read',
    })
  })

  describe('GET /facebook/conversations', () => {
    it('sorts conversations newest first, with those without messages last', async () => {
      const { status, body } = await ask('/facebook/conversations?limit=3&page=2')
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          success: true,
          data: [zoe],
          pagination: { page: 2, limit: 3, total: 4, totalPages: 2, hasNext: false, hasPrev: true },
        },
      })
      expect(await listed('limit=3')).toEqual({
        ids: ['percy', 'jose', 'ana'],
        pagination: { page: 1, limit: 3, total: 4, totalPages: 2, hasNext: true, hasPrev: false },
      })
    })

    it('lists a view, and changes the state of a conversation', async () => {
      const waiting = await listed('view=waiting')
      expect(waiting.ids).toEqual(['jose', 'percy'])
      const { body } = await ask('/facebook/conversations?view=waiting')
      const [row] = conversationsAnswer.parse(body).data
      const change = {
        id: 'jose',
        version: row?.state?.version,
        seen_message_at: row?.last_message_at,
        decision: { assigned_to: staff.agent.staffId },
      }
      const changes = [change, { ...change, id: 'nobody' }]
      expect(await post('/facebook/conversations/state', { changes })).toEqual({
        status: 200,
        body: {
          success: true,
          data: {
            results: [
              {
                id: 'jose',
                state: { ...row?.state, version: expect.any(Number), assigned_to: staff.agent.staffId },
                refusal: null,
              },
              { id: 'nobody', state: null, refusal: 'unknown' },
            ],
          },
        },
      })
      expect((await listed('view=mine')).ids).toEqual(['jose'])
      await db.updateTable('conversations').set({ assigned_to: null }).execute()
      const tooMany = Array(maxStateChanges + 1).fill(change)
      expect((await post('/facebook/conversations/state', { changes: tooMany })).status).toBe(400)
    })

    it('summarizes all social pages without a page filter', async () => {
      const { body } = await ask('/facebook/conversations?search=ana')
      expect(body.data).toEqual([ana])
    })

    it('summarizes one social page with a page filter', async () => {
      const { body } = await ask('/facebook/conversations?pageId=p1&search=annie')
      expect(body.data).toEqual([
        {
          ...ana,
          fb_user_id: 'ana',
          page_id: 'p1',
          platform: 'messenger',
          user_name: 'Ana Reyes',
          unread_messages: 0,
          total_messages: 2,
          last_message_at: at(3).toISOString(),
          last_message_text: 'text of m3',
          last_message_page_id: 'p1',
          last_message_page_name: 'Prints',
          last_incoming_at: at(1).toISOString(),
          psid: 'psid-ana',
        },
      ])
      expect(await listed('pageId=p1')).toEqual({
        ids: ['jose', 'ana', 'zoe'],
        pagination: { page: 1, limit: 20, total: 3, totalPages: 1, hasNext: false, hasPrev: false },
      })
      expect((await listed('pageId=unknown')).pagination.total).toBe(0)
    })

    it.each([
      ['unreadOnly=true', ['jose', 'ana']],
      ['unreadOnly=false', ['percy', 'jose', 'ana', 'zoe']],
      ['unreadOnly=true&pageId=p1', ['jose']],
      ['unreadOnly=true&search=reyes', ['ana']],
      ['search=JOSE', ['jose']],
      ['search=nunez', ['jose']],
      [`search=${encodeURIComponent('núñez josé')}`, ['jose']],
      ['search=uñe', ['jose']],
      ['search=foods', ['ana']],
      ['search=%25', ['percy']],
      ['search=_', ['percy']],
      ['search=%5C', ['percy']],
      ['search=0%25_p', ['percy']],
      ['search=o%25', []],
      ['search=zo', ['zoe']],
      ['search=oe', []],
      ['search=ana-2', ['ana']],
      ['search=ana-2&pageId=p1', ['ana']],
      ['search=nobody', []],
      ['search=%00', []],
      ['search=%20%20', ['percy', 'jose', 'ana', 'zoe']],
      ["search=';drop table messages;--", []],
    ])('finds with ?%s the conversations %j', async (query, ids) => {
      const { ids: found, pagination } = await listed(query)
      expect(found).toEqual(ids)
      expect(pagination.total).toBe(ids.length)
    })

    it('returns an empty result page beyond the last one, with the total', async () => {
      for (const query of ['page=9', 'page=9&search=a', 'page=9&unreadOnly=true', 'page=9&pageId=p1']) {
        const { ids, pagination } = await listed(query)
        expect(ids).toEqual([])
        expect([pagination.total > 0, pagination.hasNext, pagination.hasPrev]).toEqual([true, false, true])
      }
    })

    it.each([
      ['page=0', 'page'],
      ['page=x', 'page'],
      ['page=1.5', 'page'],
      ['limit=101', 'limit'],
      ['limit=0', 'limit'],
      ['unreadOnly=perhaps', 'unreadOnly'],
      [`search=${'a'.repeat(201)}`, 'search'],
    ])('rejects ?%s', async (query, field) => {
      expect(await ask(`/facebook/conversations?${query}`)).toEqual({
        status: 400,
        body: { success: false, error: `${field} is not valid` },
      })
    })
  })

  describe('GET /facebook/conversations/:id/messages', () => {
    const messageIds = async (path: string) => {
      const { status, body } = await ask(path)
      expect(status).toBe(200)
      return {
        ids: body.data.messages.map((row: { message_id: string }) => row.message_id),
        hasMore: body.data.hasMore,
      }
    }

    it('returns whole messages with the name of their social page', async () => {
      const { body } = await ask('/facebook/conversations/percy/messages')
      expect(body).toEqual({
        success: true,
        data: {
          messages: [
            {
              message_id: 'm7',
              id: expect.stringMatching(/^\d+$/),
              primary_user_id: 'percy',
              page_id: 'p2',
              page_name: 'Catering',
              fb_user_id: 'percy',
              message_text: 'text of m7',
              direction: 'incoming',
              is_read: true,
              created_at: at(7).toISOString(),
              timestamp_fb: at(7).toISOString(),
              attachments: null,
              idempotency_key: null,
              unconfirmed_reply: null,
              wrong_answer: null,
              reactions: null,
              reply_to: null,
              content: null,
              is_historical: false,
              author: null,
            },
          ],
          hasMore: false,
          start: {
            is_reached: false,
            unsynced: { page_id: 'p2', platform: 'messenger', psid: 'psid-percy' },
          },
        },
      })
    })

    it.each([
      ['ana/messages', ['m1', 'm2', 'm3', 'm4', 'm5'], false],
      ['ana-3/messages', ['m1', 'm2', 'm3', 'm4', 'm5'], false],
      ['ana/messages?limit=2', ['m4', 'm5'], true],
      ['ana/messages?limit=2&page=2', ['m2', 'm3'], true],
      ['ana/messages?limit=2&page=3', ['m1'], false],
      ['ana/messages?limit=2&page=4', [], false],
      ['ana/messages?pageId=p1', ['m1', 'm3'], false],
      ['ana/messages?pageId=p2&limit=1', ['m5'], true],
      ['ana/messages?pageId=p2&limit=1&page=2', ['m2'], false],
      ['zoe/messages', [], false],
    ])('returns for %s the messages %j', async (path, ids, hasMore) => {
      expect(await messageIds(`/facebook/conversations/${path}`)).toEqual({ ids, hasMore })
    })

    it('returns 404 for an unknown conversation, like mark-read', async () => {
      const refused = { status: 404, body: { success: false, error: 'Conversation not found' } }
      expect(await ask('/facebook/conversations/nobody/messages')).toEqual(refused)
      expect(await post('/facebook/conversations/nobody/mark-read', {})).toEqual(refused)
      expect((await ask('/facebook/conversations/%00/messages')).status).toBe(400)
    })
  })

  describe('GET /facebook/users', () => {
    it.each([
      ['ana/best-page', { page_id: 'p2', psid: 'psid-ana-2', reason: 'last_incoming' }],
      ['ana-3/best-page', { page_id: 'p2', psid: 'psid-ana-2', reason: 'last_incoming' }],
      ['zoe/best-page', { page_id: 'p1', psid: 'psid-zoe', reason: 'only_page' }],
      ['ana/identity/p1', { psid: 'psid-ana', platform: 'messenger' }],
      ['ana-2/identity/p3', { psid: 'psid-ana-3', platform: 'messenger' }],
    ])('returns for %s %j', async (path, data) => {
      expect(await ask(`/facebook/users/${path}`)).toEqual({ status: 200, body: { success: true, data } })
    })

    it.each([
      ['nobody/best-page', 'User not found'],
      ['nobody/identity/p1', 'User not found'],
      ['jose/identity/p2', 'This page does not know this user'],
    ])('returns 404 for %s', async (path, error) => {
      expect(await ask(`/facebook/users/${path}`)).toEqual({ status: 404, body: { success: false, error } })
    })

    it('returns the page that last wrote to a person who never wrote, else the first page', async () => {
      await addIdentity(db, 'quiet', { page: 'p1' })
      await addIdentity(db, 'quiet-2', { page: 'p2', in: 'quiet' })
      const best = async () => (await ask('/facebook/users/quiet/best-page')).body.data
      expect(await best()).toEqual({ page_id: 'p1', psid: 'psid-quiet', reason: 'first_page' })
      await addMessage(db, 'm-quiet', 'quiet-2', 1, { direction: 'outgoing', is_read: true })
      expect(await best()).toEqual({ page_id: 'p2', psid: 'psid-quiet-2', reason: 'last_message' })
      await db.deleteFrom('fb_users').where('primary_user_id', '=', 'quiet').execute()
    })

    it('returns 404 as best page when all pages of a person are inactive', async () => {
      await addIdentity(db, 'closed', { page: 'p3' })
      expect(await ask('/facebook/users/closed/best-page')).toEqual({
        status: 404,
        body: { success: false, error: 'No active page knows this user' },
      })
      await db.deleteFrom('fb_users').where('id', '=', 'closed').execute()
    })
  })

  it('GET /facebook/pages sorts pages by name and omits their tokens', async () => {
    const shared = {
      page_username: null,
      page_category: null,
      page_profile_pic_url: null,
      token_invalid_since: null,
      shows_seen: false,
      shows_typing: false,
      keeps_token: true,
      created_at: at(0).toISOString(),
      updated_at: at(0).toISOString(),
    }
    expect(await ask('/facebook/pages')).toEqual({
      status: 200,
      body: {
        success: true,
        data: {
          data: [
            { page_id: 'p2', page_name: 'Catering', is_active: true, ...shared },
            { page_id: 'p3', page_name: 'Closed', is_active: false, ...shared },
            { page_id: 'p1', page_name: 'Prints', is_active: true, ...shared },
          ],
        },
      },
    })
  })

  it('GET /facebook/stats counts the inbox or one social page', async () => {
    expect(await ask('/facebook/stats')).toEqual({
      status: 200,
      body: {
        success: true,
        data: {
          messages: { total: 8, incoming: 6, outgoing: 2, unread: 3 },
          conversations: { total: 4, active24h: 3, active7d: 3 },
          users: { total: 6, linked: 3, active24h: 5 },
          total_conversations: 4,
          unread_messages: 3,
          views: { waiting: 2, urgent: 0, unassigned: 4, snoozed: 0, done: 0, assigned: {} },
        },
      },
    })
    expect((await ask('/facebook/stats?pageId=p1')).body.data).toEqual({
      messages: { total: 4, incoming: 3, outgoing: 1, unread: 1 },
      conversations: { total: 3, active24h: 2, active7d: 2 },
      users: { total: 3, linked: 1, active24h: 2 },
      total_conversations: 3,
      unread_messages: 1,
      views: { waiting: 1, urgent: 0, unassigned: 3, snoozed: 0, done: 0, assigned: {} },
    })
    expect((await ask('/facebook/stats?pageId=unknown')).body.data.messages).toEqual({
      total: 0,
      incoming: 0,
      outgoing: 0,
      unread: 0,
    })
  })

  describe('POST /facebook/send-message', () => {
    const body = { pageId: 'p1', recipientPsid: 'psid-ana', messageText: 'Good day po' }
    const send = (given: unknown, headers: Record<string, string> = {}) => {
      orders = []
      return post('/facebook/send-message', given, headers)
    }

    it('sends the message with its idempotency key and returns its id', async () => {
      const answer = await send({ ...body, messageType: 'text' }, { 'idempotency-key': 'key-1' })
      expect(answer).toEqual({
        status: 200,
        body: { success: true, data: { message_id: 'mid-1', created_at: at(9).toISOString() } },
      })
      expect(orders).toEqual([
        { key: 'key-1', staffId: staff.agent.staffId, pageId: 'p1', psid: 'psid-ana', text: 'Good day po' },
      ])
    })

    it('generates an idempotency key when the request has none', async () => {
      await send(body)
      const first = orders[0]?.key
      await send(body)
      expect([first, orders[0]?.key]).toEqual([
        expect.stringMatching(/^[0-9a-f-]{36}$/),
        expect.stringMatching(/^[0-9a-f-]{36}$/),
      ])
      expect(orders[0]?.key).not.toBe(first)
    })

    it.each([
      ['an empty text', { ...body, messageText: '  \n ' }, {}, 'messageText is not valid'],
      ['no page', { ...body, pageId: '' }, {}, 'pageId is not valid'],
      ['no recipient', { pageId: 'p1', messageText: 'x' }, {}, 'recipientPsid is not valid'],
      ['another type', { ...body, messageType: 'image' }, {}, 'messageType is not valid'],
      ['a list', [], {}, 'The request is not valid'],
      ['a too long key', body, { 'idempotency-key': 'k'.repeat(201) }, 'Idempotency-Key is not valid'],
      [
        'a key reserved for automatic replies',
        body,
        { 'idempotency-key': 'auto-reply:m1' },
        'Idempotency-Key is not valid',
      ],
      ['a key with a space', body, { 'idempotency-key': 'a b' }, 'Idempotency-Key is not valid'],
    ])('rejects %s and sends nothing', async (_case, given, headers, error) => {
      expect(await send(given, headers)).toEqual({ status: 400, body: { success: false, error } })
      expect(orders).toEqual([])
    })

    it('rejects a body that is not JSON', async () => {
      const headers = { 'content-type': 'application/json' }
      const answer = await ask('/facebook/send-message', { method: 'POST', body: '{"pageId":', headers })
      expect([answer.status, answer.body.success]).toEqual([400, false])
    })

    it('rejects a body over 1 MB', async () => {
      expect(await send({ ...body, messageText: 'x'.repeat(1_100_000) })).toEqual({
        status: 413,
        body: { success: false, error: 'The request is too large' },
      })
    })

    it('returns a send refusal with its status and code', async () => {
      sendingFails = new SendRefused(422, 'PAGE_INACTIVE', 'This page is inactive.')
      expect(await send(body)).toEqual({
        status: 422,
        body: { success: false, error: 'This page is inactive.', code: 'PAGE_INACTIVE' },
      })
      sendingFails = undefined
    })

    it('returns 500 for an unexpected error, without details in the response or the log', async () => {
      logged.length = 0
      sendingFails = new Error('secret detail')
      expect(await send(body)).toEqual({ status: 500, body: { success: false, error: 'Internal server error' } })
      sendingFails = undefined
      expect(logged).toHaveLength(1)
      expect(JSON.parse(logged[0] ?? '')).toMatchObject({ level: 50, error: 'Error', method: 'POST' })
      expect(logged[0]).not.toContain('secret detail')
    })
  })

  it('POST mark-read marks messages of one page or all pages, and counts the changed ones', async () => {
    const unread = async () => {
      const { body } = await ask('/facebook/conversations?search=ana')
      return body.data[0].unread_messages
    }
    const read = (id: string, body: unknown) => post(`/facebook/conversations/${id}/mark-read`, body)
    expect(await read('ana', { pageId: 'p1' })).toEqual({ status: 200, body: { success: true, data: { updated: 0 } } })
    expect(await unread()).toBe(2)
    expect((await read('ana-3', { pageId: 'p3' })).body.data).toEqual({ updated: 1 })
    expect(await unread()).toBe(1)
    expect((await read('ana', { pageId: null })).body.data).toEqual({ updated: 1 })
    expect((await read('ana', {})).body.data).toEqual({ updated: 0 })
    expect(await unread()).toBe(0)
    expect((await read('ana', { pageId: 7 })).body).toEqual({ success: false, error: 'pageId is not valid' })
    expect(await db.selectFrom('messages').select('message_id').where('is_read', '=', false).execute()).toEqual([
      { message_id: 'm6' },
    ])
  })

  it('returns 404 for an unknown route, with its method and path but without its query', async () => {
    const response = await api.request('/facebook/../nothing?search=Ana')
    expect([response.status, await response.json()]).toEqual([
      404,
      { success: false, error: 'API endpoint not found: GET /nothing' },
    ])
    expect((await ask('/facebook/conversations', { method: 'DELETE' })).status).toBe(404)
  })

  it('allows calls from the configured origins only', async () => {
    const preflight = (origin: string) =>
      api.request('/facebook/send-message', {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST' },
      })
    const allowed = await preflight('https://inbox.example.com')
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://inbox.example.com')
    expect(allowed.headers.get('access-control-allow-headers')).toContain('Idempotency-Key')
    expect((await preflight('https://evil.example.com')).headers.get('access-control-allow-origin')).toBeNull()
  })

  it.each([
    ['ana', 200, { success: true, data: { new_profile_pic: '/pictures/new' } }],
    ['jose', 200, { success: true, data: { new_profile_pic: null } }],
    ['nobody', 404, { success: false, error: 'User not found' }],
    ['percy', 422, { success: false, error: 'The network does not show this picture.' }],
    ['zoe', 429, { success: false, error: 'The network asks for a pause.' }],
    ['late', 503, { success: false, error: 'The network does not answer at the moment.' }],
  ])('POST /facebook/refresh-user-profile/%s returns %i', async (id, status, body) => {
    expect(await post(`/facebook/refresh-user-profile/${id}`, {})).toEqual({ status, body })
  })

  it('forbids caching of responses', async () => {
    const response = await api.request('/facebook/pages', { headers: staff.agent.headers })
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  /** The API's routes in the table of guards, which is compared with the server's routes. */
  const guardedRoutes = () => {
    const source = readFileSync(new URL('route-guards.test.ts', import.meta.url), 'utf8')
    return [...source.matchAll(/^ {2}'([A-Z]+) \/api(\/[^']+)':/gm)]
      .map(([, method = '', path = '']) => `${method.toLowerCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
      .filter((route) => route !== 'get /health' && route !== 'get /openapi.json')
      .toSorted()
  }

  it('GET /openapi.json lists every route with its parameters and responses', async () => {
    const response = await api.request('/openapi.json')
    const document = z
      .object({
        openapi: z.string(),
        paths: z.record(z.string(), z.record(z.string(), z.looseObject({ responses: z.looseObject({}) }))),
      })
      .parse(await response.json())
    expect(document.openapi).toBe('3.1.0')
    const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    )
    expect(routes.toSorted()).toEqual(guardedRoutes())
    const list = document.paths['/facebook/conversations']?.['get']
    expect(list).toMatchObject({
      security: [{ bearer: [] }],
      parameters: [
        { in: 'query', name: 'page' },
        { in: 'query', name: 'limit' },
        { in: 'query', name: 'search' },
        { in: 'query', name: 'unreadOnly' },
        { in: 'query', name: 'pageId' },
        { in: 'query', name: 'view' },
        { in: 'query', name: 'labelId' },
        { in: 'query', name: 'assignedTo' },
        { in: 'query', name: 'order' },
      ],
    })
    expect(document.paths['/facebook/users/{userId}/identity/{pageId}']?.['get']).toMatchObject({
      parameters: [
        { in: 'path', name: 'userId', required: true },
        { in: 'path', name: 'pageId', required: true },
      ],
    })
    expect(Object.keys(list?.responses ?? {})).toEqual(['200', '400', '401', '403', '500'])
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, { requestBody, responses }] of Object.entries(methods)) {
        const statuses = ['400', '413', '500'].filter((status) => status in responses)
        const [takesBody, isOpen] = [requestBody !== undefined, isOpenRoute(path)]
        if (takesBody) expect([method, path, statuses]).toEqual([method, path, ['400', '413', '500']])
        else
          expect([method, path, statuses.includes('413'), statuses.includes('500')]).toEqual([
            method,
            path,
            false,
            true,
          ])
        if (!isOpen) expect([method, path, '401' in responses]).toEqual([method, path, true])
      }
    }
    expect(document.paths['/auth/refresh']?.['post']?.['security']).toBeUndefined()
    expect(Object.keys(document.paths['/auth/me']?.['get']?.responses ?? {})).toEqual(['200', '401', '500'])
  })
})
