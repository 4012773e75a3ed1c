import { once } from 'node:events'
import type { RealtimeChannel, RealtimePostgresChangesPayload, SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { Db, OpenDatabase } from '../../../server/database/database.ts'
import { joinTimeout } from '../../../server/stand-ins/supabase/realtime/connection.ts'
import { describeOnEachDatabase } from '../databases.ts'
import { manualClock } from '../manual-clock.ts'
import { addAccount, addStaffAccount, password, type SupabaseServer, serveSupabase } from '../supabase-server.ts'

type Row = Record<string, unknown>
type Change = RealtimePostgresChangesPayload<Row>

/** Collects events and waits for the next one. */
const collector = <T>() => {
  const items: T[] = []
  let wake = () => {}
  return {
    items,
    add: (item: T) => {
      items.push(item)
      wake()
    },
    until: async (enough: (items: T[]) => boolean): Promise<T[]> => {
      while (!enough(items)) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      return items
    },
  }
}

const subscribe = (
  client: SupabaseClient,
  bindings: { event: '*' | 'INSERT'; schema: string; table?: string; filter?: string }[],
) => {
  const changes = collector<Change>()
  const statuses = collector<{ status: string; error?: string }>()
  const notices = collector<Row>()
  let channel: RealtimeChannel = client.channel(`inbox-${crypto.randomUUID()}`)
  for (const binding of bindings)
    channel = channel.on<Row>(
      'postgres_changes',
      { ...binding, event: '*', ...(binding.event === '*' ? {} : binding) },
      changes.add,
    )
  channel.on('system', {}, (notice: Row) => notices.add(notice))
  channel.subscribe((status, error) =>
    statuses.add({ status, ...(error === undefined ? {} : { error: error.message }) }),
  )
  const subscribed = async (times = 1) => {
    await statuses.until((all) => all.filter(({ status }) => status === 'SUBSCRIBED').length >= times)
    await notices.until((all) => all.filter(({ status }) => status === 'ok').length >= times)
  }
  return { changes, statuses, notices, channel, subscribed }
}

const everyMessage = { event: '*', schema: 'public', table: 'messages' } as const
const everyUser = { event: '*', schema: 'public', table: 'fb_users' } as const

describeOnEachDatabase('The realtime stand-in with the Supabase client', (open, isMain) => {
  let database: OpenDatabase
  let db: Db
  let server: RealtimeServer
  const servers: SupabaseServer[] = []

  type RealtimeServer = SupabaseServer & {
    /** Advances half a minute with a heartbeat from the database. */
    passHalfMinute(): Promise<void>
  }

  const serve = async ({
    listen = database.listen,
    now = Date.now(),
  }: {
    listen?: OpenDatabase['listen']
    now?: number
  } = {}): Promise<RealtimeServer> => {
    const heartbeats = collector<string>()
    const started = await serveSupabase(
      {
        db,
        listen: (channel, onPayload, onLost) =>
          listen(
            channel,
            (text) => {
              void onPayload(text)
              if (text.startsWith('{"heartbeat"')) heartbeats.add(text)
            },
            onLost,
          ),
      },
      manualClock(now),
    )
    servers.push(started)
    const passHalfMinute = async () => {
      const before = heartbeats.items.length
      started.clock.advance(30_000)
      await heartbeats.until(({ length }) => length > before)
    }
    return { ...started, passHalfMinute }
  }

  beforeAll(async () => {
    database = await open()
    db = database.db
    server = await serve()
    await db.insertInto('pages').values({ page_id: 'p1', page_name: 'Page', page_access_token_encrypted: '' }).execute()
    await db.insertInto('fb_users').values({ id: 'u1', page_id: 'p1', psid: '1', name: 'Maria' }).execute()
  })
  afterAll(() => Promise.all(servers.map((started) => started.close())))

  const issue = async (on: SupabaseServer, { id, email }: { id: string; email: string }) => {
    const { id: sessionId } = await db
      .insertInto('auth_sessions')
      .values({ user_id: id })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { sessionId, ...(await on.tokens.issue({ userId: id, email, sessionId })) }
  }

  /** A client with the token of a member of staff. */
  const signedInClient = async (on = server) => {
    const account = await addStaffAccount(db)
    const client = on.client()
    await client.realtime.setAuth((await issue(on, account)).token)
    return { ...account, client }
  }

  /** A signed-in client, which reads its token from the session at every connection. */
  const withSession = async (client: SupabaseClient) => {
    const { email } = await addStaffAccount(db)
    await client.auth.signInWithPassword({ email, password })
    await client.realtime.setAuth()
    return client
  }

  const insertMessage = async (values: { text?: string; attachments?: unknown } = {}) => {
    const message_id = `m-${crypto.randomUUID()}`
    await db
      .insertInto('messages')
      .values({
        message_id,
        fb_user_id: 'u1',
        page_id: 'p1',
        message_text: values.text ?? 'Magkano po?',
        direction: 'incoming',
        created_at: '2026-03-01T08:00:00Z',
        timestamp_fb: '2026-03-01T08:00:00Z',
        attachments: values.attachments === undefined ? null : JSON.stringify(values.attachments),
      })
      .execute()
    return message_id
  }

  test.each(['1.0.0', '2.0.0'] as const)(
    'delivers whole inserted, updated and deleted rows (protocol %s)',
    async (vsn) => {
      const client = await withSession(server.client({ vsn }))
      const { changes, notices, channel, subscribed } = subscribe(client, [everyMessage])
      await subscribed()
      expect(notices.items).toEqual([
        {
          extension: 'postgres_changes',
          status: 'ok',
          message: 'Subscribed to PostgreSQL',
          channel: channel.subTopic,
        },
      ])

      const attachments = { data: [{ id: 'a1', image_data: { url: 'https://example.com/a.png' } }] }
      const messageId = await insertMessage({ attachments })
      await db.updateTable('messages').set({ is_read: true }).where('message_id', '=', messageId).execute()
      await db.deleteFrom('messages').where('message_id', '=', messageId).execute()

      const row = {
        message_id: messageId,
        id: expect.any(Number),
        fb_user_id: 'u1',
        primary_user_id: 'u1',
        page_id: 'p1',
        message_text: 'Magkano po?',
        direction: 'incoming',
        is_read: false,
        created_at: '2026-03-01T08:00:00+00:00',
        timestamp_fb: '2026-03-01T08:00:00+00:00',
        attachments,
        author: null,
        idempotency_key: null,
        unconfirmed_reply: null,
        wrong_answer: null,
        reactions: null,
        reply_to: null,
        content: null,
        is_historical: false,
      }
      const base = { schema: 'public', table: 'messages', errors: null, commit_timestamp: expect.stringMatching(/Z$/) }
      expect(await changes.until(({ length }) => length >= 3)).toEqual([
        { ...base, eventType: 'INSERT', new: row, old: {} },
        { ...base, eventType: 'UPDATE', new: { ...row, is_read: true }, old: { message_id: messageId } },
        { ...base, eventType: 'DELETE', new: {}, old: { message_id: messageId } },
      ])
    },
  )

  test('delivers a changed identity on the channel of its table only', async () => {
    const { client } = await signedInClient()
    const people = subscribe(client, [everyUser])
    const messages = subscribe(client, [everyMessage])
    await Promise.all([people.subscribed(), messages.subscribed()])
    await db.updateTable('fb_users').set({ name: 'Maria Clara' }).where('id', '=', 'u1').execute()
    const messageId = await insertMessage()
    await messages.changes.until(({ length }) => length >= 1)
    await people.changes.until(({ length }) => length >= 1)
    expect(messages.changes.items.map((change) => change.new)).toEqual([
      expect.objectContaining({ message_id: messageId }),
    ])
    expect(people.changes.items).toEqual([
      expect.objectContaining({
        eventType: 'UPDATE',
        new: expect.objectContaining({ id: 'u1', name: 'Maria Clara', client_id: null }),
        old: { id: 'u1' },
      }),
    ])
  })

  test('delivers only matching changes to a binding with an event or a filter', async () => {
    const { client } = await signedInClient()
    const inserted = subscribe(client, [{ ...everyMessage, event: 'INSERT' }])
    const filtered = subscribe(client, [{ ...everyMessage, filter: 'message_text=eq.a,b' }])
    const everything = subscribe(client, [{ event: '*', schema: '*' }])
    await Promise.all([inserted.subscribed(), filtered.subscribed(), everything.subscribed()])
    const first = await insertMessage({ text: 'a' })
    const second = await insertMessage({ text: 'a,b' })
    await db.updateTable('messages').set({ is_read: true }).where('message_id', '=', first).execute()
    const third = await insertMessage({ text: 'a,b' })
    await everything.changes.until(({ length }) => length >= 4)
    await Promise.all([
      inserted.changes.until(({ length }) => length >= 3),
      filtered.changes.until(({ length }) => length >= 2),
    ])
    const ids = (changes: Change[]) => changes.map((change) => 'message_id' in change.new && change.new['message_id'])
    expect([ids(everything.changes.items), ids(inserted.changes.items), ids(filtered.changes.items)]).toEqual([
      [first, second, first, third],
      [first, second, third],
      [second, third],
    ])
  })

  test('delivers a row that is too large for NOTIFY whole and in order', async () => {
    const { client } = await signedInClient()
    const { changes, subscribed } = subscribe(client, [everyMessage])
    await subscribed()
    const texts = ['before', 'ñ'.repeat(100_000), 'after']
    for (const text of texts) await insertMessage({ text })
    await changes.until(({ length }) => length >= 3)
    expect(changes.items.map((change) => 'message_text' in change.new && change.new['message_text'])).toEqual(texts)
  })

  test('delivers 500 changes in commit order', async () => {
    const { client } = await signedInClient()
    const { changes, subscribed } = subscribe(client, [everyMessage])
    await subscribed()
    const texts = Array.from({ length: 500 }, (_, index) => (index % 50 === 0 ? `${index} `.repeat(3000) : `${index} `))
    for (const text of texts) await insertMessage({ text })
    await changes.until(({ length }) => length >= texts.length)
    expect(changes.items.map((change) => 'message_text' in change.new && change.new['message_text'])).toEqual(texts)
  })

  const refusalOf = async (token: string | null, on = server) => {
    const client = on.client()
    if (token !== null) await client.realtime.setAuth(token)
    const { statuses, channel } = subscribe(client, [everyMessage])
    const [first] = await statuses.until(({ length }) => length >= 1)
    await client.removeChannel(channel)
    return first
  }

  test('rejects a join with a missing, invalid or expired token, of non-staff, or without the permission to read', async () => {
    const nonStaff = await issue(server, await addAccount(db))
    const inactiveStaff = await issue(server, await addStaffAccount(db, { isActive: false }))
    const endedSession = await issue(server, await addStaffAccount(db))
    await db
      .updateTable('auth_sessions')
      .set({ revoked_at: new Date() })
      .where('id', '=', endedSession.sessionId)
      .execute()
    const retired = await addStaffAccount(db)
    const withoutPermission = await issue(server, retired)
    await db.updateTable('staff').set({ role: 'retired' }).where('supabase_id', '=', retired.id).execute()
    const good = await issue(server, await addStaffAccount(db))
    const forged = `${good.token.slice(0, good.token.lastIndexOf('.'))}.${'A'.repeat(43)}`

    const refusals = [
      await refusalOf(null),
      await refusalOf('embedded'),
      await refusalOf(forged),
      await refusalOf(nonStaff.token),
      await refusalOf(inactiveStaff.token),
      await refusalOf(endedSession.token),
      await refusalOf(withoutPermission.token),
    ]
    const later = await serve({ now: server.clock.now() + 60 * 60 * 1000 + 12_000 })
    refusals.push(await refusalOf(good.token, later))
    expect(refusals.map((refusal) => refusal?.status)).toEqual(refusals.map(() => 'CHANNEL_ERROR'))
    expect(refusals.map((refusal) => refusal?.error?.replaceAll('"', ''))).toEqual([
      'Unauthorized: An access token is required',
      'MalformedJWT: The token provided is not a valid JWT',
      'JwtSignatureError: Failed to validate JWT signature',
      'Unauthorized: Not a staff member',
      'Unauthorized: Not a staff member',
      'Unauthorized: Not a staff member',
      'Unauthorized: Missing permission: conversations.read',
      'InvalidJWTToken: Token has expired 12 seconds ago',
    ])
  })

  /** A client whose token expires in ten seconds. */
  const almostExpired = async () => {
    const account = await addStaffAccount(db)
    const { token } = await issue(server, account)
    const own = await serve({ now: server.clock.now() + 60 * 60 * 1000 - 10_000 })
    const client = own.client()
    await client.realtime.setAuth(token)
    return { own, client, account }
  }

  test('closes a channel with a notice when its token expires', async () => {
    const { own, client } = await almostExpired()
    const { statuses, notices, channel, subscribed } = subscribe(client, [everyMessage])
    await subscribed()
    own.clock.advance(10_000)
    await statuses.until((all) => all.some(({ status }) => status === 'CLOSED'))
    expect(notices.items.at(-1)).toEqual({
      extension: 'system',
      status: 'error',
      message: expect.stringMatching(/^Token has expired [01] seconds ago$/),
      channel: channel.subTopic,
    })
  })

  test('keeps a channel with a fresh token, and closes it for an invalid one', async () => {
    const { own, client, account } = await almostExpired()
    const { changes, statuses, notices, subscribed } = subscribe(client, [everyMessage])
    await subscribed()
    await client.realtime.setAuth((await issue(own, account)).token)
    await notices.until(({ length }) => length >= 2)
    own.clock.advance(20_000)
    const messageId = await insertMessage()
    await changes.until(({ length }) => length >= 1)
    expect(changes.items.map((change) => change.new)).toEqual([expect.objectContaining({ message_id: messageId })])

    await client.realtime.setAuth('not.a.token')
    await statuses.until((all) => all.some(({ status }) => status === 'CLOSED'))
    expect(statuses.items).toEqual([{ status: 'SUBSCRIBED' }, { status: 'CLOSED' }])
  })

  test('fails the channels when the listener is lost, and accepts them again after it reconnects', async () => {
    let lose = () => {}
    let failures = 0
    const listens = collector<'attempt'>()
    const own = await serve({
      listen: async (channel, onPayload, onLost) => {
        listens.add('attempt')
        if (failures > 0) {
          failures -= 1
          throw new Error('the database is unreachable')
        }
        const stop = await database.listen(channel, onPayload, onLost)
        lose = () => {
          void stop()
          onLost()
        }
        return stop
      },
    })
    const client = await withSession(own.client())
    const { changes, statuses, subscribed } = subscribe(client, [everyMessage])
    await subscribed()

    failures = 1
    lose()
    await statuses.until((all) => all.some(({ status }) => status === 'CHANNEL_ERROR'))
    const refused = new WebSocket(`${own.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=embedded`)
    const [error] = await once(refused, 'error')
    expect(String(error)).toContain('503')

    own.clock.advance(200)
    await listens.until(({ length }) => length >= 2)
    // Let pending microtasks handle the refusal.
    await new Promise((resolve) => setImmediate(resolve))
    own.clock.advance(400)
    await subscribed(2)
    const messageId = await insertMessage()
    await changes.until(({ length }) => length >= 1)
    expect(changes.items.map((change) => change.new)).toEqual([expect.objectContaining({ message_id: messageId })])
  })

  test('delivers every change from two servers on one database', async () => {
    const other = await serve()
    const here = subscribe((await signedInClient()).client, [everyMessage])
    const there = subscribe((await signedInClient(other)).client, [everyMessage])
    await Promise.all([here.subscribed(), there.subscribed()])
    const texts = ['one', 'z'.repeat(20_000), 'three']
    for (const text of texts) await insertMessage({ text })
    for (const { changes } of [here, there]) {
      await changes.until(({ length }) => length >= 3)
      expect(changes.items.map((change) => 'message_text' in change.new && change.new['message_text'])).toEqual(texts)
    }
  })

  test('delivers nothing to a channel after it was left', async () => {
    const { client } = await signedInClient()
    const left = subscribe(client, [everyMessage])
    const kept = subscribe(client, [everyMessage])
    await Promise.all([left.subscribed(), kept.subscribed()])
    expect(await client.removeChannel(left.channel)).toBe('ok')
    await insertMessage()
    await kept.changes.until(({ length }) => length >= 1)
    expect([left.changes.items, left.statuses.items]).toEqual([[], [{ status: 'SUBSCRIBED' }, { status: 'CLOSED' }]])
  })

  const openRaw = async (own: SupabaseServer, options: { autoPong?: boolean } = {}) => {
    const socket = new WebSocket(`${own.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=embedded`, options)
    await once(socket, 'open')
    return socket
  }
  const nextFrame = async (socket: WebSocket): Promise<unknown> =>
    JSON.parse(String((await once(socket, 'message'))[0]))

  /** Joins a channel without bindings, whose reply is the only frame. */
  const join = async (socket: WebSocket, own: SupabaseServer) => {
    const { token } = await issue(own, await addStaffAccount(db))
    socket.send(JSON.stringify(['1', '1', 'realtime:joined', 'phx_join', { access_token: token }]))
    expect(await nextFrame(socket)).toMatchObject(['1', '1', 'realtime:joined', 'phx_reply', { status: 'ok' }])
  }

  // What follows does not depend on the kind of database.
  if (!isMain) return

  test('closes a socket that joins no channel within 10 s, even if it sends other frames', async () => {
    const own = await serve()
    const [silent, refused, joined] = [await openRaw(own), await openRaw(own), await openRaw(own)]
    await join(joined, own)
    refused.send(JSON.stringify(['1', '1', 'realtime:refused', 'phx_join', { access_token: 'forged' }]))
    expect(await nextFrame(refused)).toMatchObject(['1', '1', 'realtime:refused', 'phx_reply', { status: 'error' }])
    refused.send(JSON.stringify([null, '2', 'phoenix', 'heartbeat', {}]))
    await nextFrame(refused)

    const closed = Promise.all([silent, refused].map((socket) => once(socket, 'close')))
    own.clock.advance(joinTimeout - 1)
    expect([silent, refused, joined].map(({ readyState }) => readyState)).toEqual(Array(3).fill(WebSocket.OPEN))
    expect(own.realtime.connections()).toBe(3)
    own.clock.advance(1)
    expect((await closed).map(([code, reason]) => [code, String(reason)])).toEqual(
      Array(2).fill([1008, 'no channel joined']),
    )
    await expect.poll(() => own.realtime.connections()).toBe(1)
    joined.send(JSON.stringify([null, '2', 'phoenix', 'heartbeat', {}]))
    expect(await nextFrame(joined)).toEqual([null, '2', 'phoenix', 'phx_reply', { status: 'ok', response: {} }])
  })

  test('terminates a socket that does not complete the closing handshake within 2 s', async () => {
    const own = await serve()
    const socket = await openRaw(own)
    const closed = once(socket, 'close')
    socket.pause()
    own.clock.advance(joinTimeout)
    expect(own.realtime.connections()).toBe(1)
    own.clock.advance(2_000)
    await expect.poll(() => own.realtime.connections()).toBe(0)
    socket.resume()
    await closed
  })

  test('answers heartbeats, and rejects unknown topics and paths', async () => {
    const own = await serve()
    const socket = await openRaw(own)
    socket.send(JSON.stringify([null, '1', 'phoenix', 'heartbeat', {}]))
    expect(await nextFrame(socket)).toEqual([null, '1', 'phoenix', 'phx_reply', { status: 'ok', response: {} }])
    socket.send(JSON.stringify(['2', '2', 'realtime:never-joined', 'access_token', { access_token: 'a' }]))
    expect(await nextFrame(socket)).toEqual([
      '2',
      '2',
      'realtime:never-joined',
      'phx_reply',
      { status: 'error', response: { reason: 'unmatched topic' } },
    ])
    const elsewhere = new WebSocket(`${own.url.replace('http', 'ws')}/elsewhere`)
    expect(String((await once(elsewhere, 'error'))[0])).toContain('404')
  })

  test('closes a socket that does not answer pings', async () => {
    const own = await serve()
    const dead = await openRaw(own, { autoPong: false })
    const alive = await openRaw(own)
    for (const socket of [dead, alive]) await join(socket, own)
    const pinged = Promise.all([once(dead, 'ping'), once(alive, 'ping')])
    await own.passHalfMinute()
    await pinged
    alive.send(JSON.stringify([null, '1', 'phoenix', 'heartbeat', {}]))
    await nextFrame(alive)
    const closed = once(dead, 'close')
    own.clock.advance(30_000)
    expect((await closed)[0]).toBe(1006)
    expect(alive.readyState).toBe(WebSocket.OPEN)
  })

  test('closes a socket after an invalid frame', async () => {
    const socket = await openRaw(await serve())
    socket.send('not a frame')
    expect((await once(socket, 'close'))[0]).toBe(1008)
  })
})
