import { once } from 'node:events'
import { createServer } from 'node:http'
import { Hono } from 'hono'
import { afterEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createAuthRoutes } from '../../../server/api/auth.ts'
import { createRefreshTokens } from '../../../server/auth/refresh-tokens.ts'
import { createProductTokens } from '../../../server/auth/tokens.ts'
import { notifyTransport } from '../../../server/changes/transport.ts'
import { systemClock } from '../../../server/clock.ts'
import { createRealtimeAccess } from '../../../server/stand-ins/supabase/realtime/access.ts'
import { createRealtime } from '../../../server/stand-ins/supabase/realtime/realtime.ts'
import { defaultBusiness } from '../../../src/schemas/business.ts'
import { describeOnDatabase } from '../databases.ts'
import { manualClock } from '../manual-clock.ts'
import { secondFactorsOf } from '../second-factors.ts'
import { addStaffAccount, password, type SupabaseServer, serveSupabase } from '../supabase-server.ts'

const closings: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close()
})

const json = { 'content-type': 'application/json' }

async function signInAt(server: SupabaseServer, email: string) {
  const answer = await fetch(`${server.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ email, password }),
  })
  const { access_token, refresh_token } = (await answer.json()) as { access_token: string; refresh_token: string }
  return { token: access_token, refreshToken: refresh_token }
}

type Reply = { event: string; status: string }

async function joinAt(server: SupabaseServer, token: string) {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=embedded`)
  closings.push(() => socket.terminate())
  const replies: Reply[] = []
  const received: string[] = []
  const replied = Promise.withResolvers<void>()
  socket.on('message', (data) => {
    const [, , , event, payload] = JSON.parse(String(data)) as [unknown, unknown, unknown, string, { status: string }]
    received.push(event)
    if (event !== 'phx_reply') return
    replies.push({ event, status: payload.status })
    replied.resolve()
  })
  const closed = once(socket, 'close').then(([code]) => Number(code))
  await once(socket, 'open')
  const config = { postgres_changes: [{ event: '*', schema: 'public', table: 'fb_users' }] }
  socket.send(JSON.stringify(['1', '1', 'realtime:inbox', 'phx_join', { config, access_token: token }]))
  await replied.promise
  return { socket, closed, received, replies }
}

describeOnDatabase('Access that ends', (open) => {
  /** Two processes on one database, the product's authentication, and a person with a socket at each process. */
  async function start() {
    const database = await open()
    const { db } = database
    const processes = [await serveSupabase(database), await serveSupabase(database)] as const
    for (const process of processes) closings.push(() => process.close())
    const [{ provider, clock }] = processes
    const tokens = createProductTokens({ keys: [new Uint8Array(32)], clock })
    const refreshTokens = createRefreshTokens({ db, issuer: 'product', clock })
    const auth = createAuthRoutes({
      db,
      provider,
      tokens,
      refreshTokens,
      secondFactors: secondFactorsOf(db, clock),
      clock,
      deviceCache: true,
      business: defaultBusiness,
      addressOf: () => 'test',
    })
    const app = new Hono().route('/', auth)
    const post = async (path: string, body: unknown) =>
      app.request(path, { method: 'POST', headers: json, body: JSON.stringify(body) })
    const person = await addStaffAccount(db)
    const session = await signInAt(processes[0], person.email)
    const login = await post('/supabase-login', { supabaseToken: session.token })
    const { data: product } = (await login.json()) as { data: { token: string; refreshToken: string } }
    const colleague = await signInAt(processes[1], (await addStaffAccount(db)).email)
    const sockets = [await joinAt(processes[0], session.token), await joinAt(processes[1], session.token)]
    const other = await joinAt(processes[1], colleague.token)
    return { db, processes, clock, post, person, session, product, sockets, other }
  }
  type Started = Awaited<ReturnType<typeof start>>

  const change = (
    values: Partial<{ is_active: boolean; role: 'viewer'; permissions: string[]; supabase_id: null }>,
  ) => {
    return ({ db, person }: Started) => db.updateTable('staff').set(values).where('id', '=', person.staffId).execute()
  }

  test.each<[string, (started: Started) => Promise<unknown>]>([
    [
      'a sign-out at the provider',
      ({ processes, session }) =>
        fetch(`${processes[1].url}/auth/v1/logout?scope=local`, {
          method: 'POST',
          headers: { authorization: `Bearer ${session.token}` },
        }),
    ],
    ['a sign-out of the product', ({ post, product }) => post('/logout', { refreshToken: product.refreshToken })],
    [
      'the reuse of a refresh token of the product',
      async ({ post, product, clock }) => {
        const answer = await post('/refresh', { refreshToken: product.refreshToken })
        const { data } = (await answer.json()) as { data: { refreshToken: string } }
        await post('/refresh', { refreshToken: data.refreshToken })
        clock.advance(11_000)
        expect((await post('/refresh', { refreshToken: product.refreshToken })).status).toBe(401)
      },
    ],
    [
      'the reuse of a refresh token of the provider',
      async ({ processes, session, clock }) => {
        const refresh = async (refresh_token: string) => {
          const body = JSON.stringify({ refresh_token })
          const url = `${processes[0].url}/auth/v1/token?grant_type=refresh_token`
          return (await fetch(url, { method: 'POST', headers: json, body })).json() as Promise<{
            refresh_token: string
          }>
        }
        await refresh((await refresh(session.refreshToken)).refresh_token)
        clock.advance(11_000)
        await refresh(session.refreshToken)
      },
    ],
    ['making the person inactive', change({ is_active: false })],
    ['a changed role', change({ role: 'viewer' })],
    ['a changed permission', change({ permissions: ['faq.manage'] })],
    ['unlinking the account', change({ supabase_id: null })],
    ['deleting the person', ({ db, person }) => db.deleteFrom('staff').where('id', '=', person.staffId).execute()],
    ['deleting the account', ({ db, person }) => db.deleteFrom('auth_users').where('id', '=', person.id).execute()],
  ])('%s closes the sockets of that person at every process within 2 s, and no other', async (_, end) => {
    const started = await start()
    const late = new Promise<string>((resolve) => setTimeout(() => resolve('open after 2 s'), 2_000))
    await end(started)
    const codes = await Promise.all(started.sockets.map(({ closed }) => Promise.race([closed, late])))
    expect(codes).toEqual([4001, 4001])
    expect(started.other.socket.readyState).toBe(WebSocket.OPEN)
  })

  test('with the reuse of a refresh token of the product, the session at the provider ends too', async () => {
    const { db, post, product, session, processes, clock } = await start()
    const answer = await post('/refresh', { refreshToken: product.refreshToken })
    const { data } = (await answer.json()) as { data: { refreshToken: string } }
    await post('/refresh', { refreshToken: data.refreshToken })
    clock.advance(11_000)
    await post('/refresh', { refreshToken: product.refreshToken })
    expect((await post('/supabase-login', { supabaseToken: session.token })).status).toBe(401)
    const refreshed = await fetch(`${processes[0].url}/auth/v1/token?grant_type=refresh_token`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ refresh_token: session.refreshToken }),
    })
    expect([refreshed.status, await refreshed.json()]).toEqual([
      400,
      expect.objectContaining({ code: 'refresh_token_not_found' }),
    ])
    expect((await joinAt(processes[0], session.token)).replies).toEqual([{ event: 'phx_reply', status: 'error' }])
    await db.deleteFrom('staff_sessions').execute()
  })

  test('delivers nothing more to a socket that does not complete the closing handshake', async () => {
    const { db, person, sockets } = await start()
    await db.insertInto('pages').values({ page_id: 'p1', page_name: 'P', page_access_token_encrypted: '' }).execute()
    const [socket] = sockets
    socket?.socket.pause()
    await change({ is_active: false })({ db, person } as Started)
    await db.insertInto('fb_users').values({ id: 'u1', page_id: 'p1', psid: '1', name: 'Maria' }).execute()
    await new Promise((resolve) => setTimeout(resolve, 200))
    socket?.socket.resume()
    expect(await socket?.closed).toBe(4001)
    expect(socket?.received).not.toContain('postgres_changes')
  })

  test('a join that was verified just before the change does not outlive it', async () => {
    const database = await open()
    const clock = manualClock()
    const server = await serveSupabase(database, clock)
    closings.push(() => server.close())
    const { id, email, staffId } = await addStaffAccount(database.db)
    const { token } = await signInAt(server, email)
    const verify = createRealtimeAccess({ db: database.db, tokens: server.tokens })
    let verifications = 0
    const announced = Promise.withResolvers<void>()
    const realtime = createRealtime({
      db: database.db,
      transport: {
        ...notifyTransport(database),
        listen: (channel, onPayload, onLost) =>
          database.listen(
            channel,
            (payload) => {
              void onPayload(payload)
              if (payload.includes(id)) announced.resolve()
            },
            onLost,
          ),
      },
      // The first verification reads before the change, and its answer arrives after it.
      verifyToken: async (given) => {
        const verdict = await verify(given)
        verifications += 1
        if (verifications === 1) {
          await database.db.updateTable('staff').set({ is_active: false }).where('id', '=', staffId).execute()
          await announced.promise
          await new Promise((resolve) => setTimeout(resolve, 50))
        }
        return verdict
      },
      addressOf: () => 'test',
      limits: { inAll: 10, perAddress: 10 },
      logger: { info: () => {}, warn: () => {}, error: () => {} },
      clock: systemClock,
    })
    const http = createServer()
    realtime.attach(http)
    await realtime.start()
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    closings.push(async () => {
      await realtime.close()
      http.close()
    })
    const bound = http.address()
    const url = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`
    const { received } = await joinAt({ ...server, url }, token)
    await expect.poll(() => received).toContain('phx_close')
  })
})
