import { once } from 'node:events'
import { afterEach, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { Db } from '../../../server/database/database.ts'
import { maxBacklogBytes } from '../../../server/stand-ins/supabase/realtime/connection.ts'
import type { SocketLimits } from '../../../server/stand-ins/supabase/realtime/realtime.ts'
import { openAny, openEmbedded } from '../databases.ts'
import { manualClock } from '../manual-clock.ts'
import { addStaffAccount, type SupabaseServer, serveSupabase } from '../supabase-server.ts'

const closings: (() => unknown)[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  for (const close of closings.splice(0).reverse()) await close()
})

async function serve(limits?: SocketLimits, openDatabase = openAny) {
  const database = await openDatabase()
  closings.push(() => database.close())
  const server = await serveSupabase(database, manualClock(), limits)
  closings.push(() => server.close())
  const url = `${server.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=embedded`

  /** The open socket, or the status and Retry-After of the refusal. */
  const open = (localAddress = '127.0.0.1') =>
    new Promise<WebSocket | { status: number | undefined; retryAfter: string | undefined }>((resolve, reject) => {
      const socket = new WebSocket(url, { localAddress })
      socket.on('open', () => resolve(socket))
      socket.on('unexpected-response', (_, { statusCode, headers, socket: raw }) => {
        raw.destroy()
        resolve({ status: statusCode, retryAfter: headers['retry-after'] })
      })
      socket.on('error', reject)
      closings.push(() => socket.terminate())
    })
  const openSocket = async (localAddress?: string) => {
    const socket = await open(localAddress)
    if (!(socket instanceof WebSocket)) throw new Error(`refused with ${socket.status}`)
    return socket
  }
  return { server, db: database.db, open, openSocket }
}

/** A valid token of a member of staff. */
async function tokenOf(server: SupabaseServer, db: Db): Promise<string> {
  const { id, email } = await addStaffAccount(db)
  const session = db.insertInto('auth_sessions').values({ user_id: id }).returning('id')
  const { id: sessionId } = await session.executeTakeFirstOrThrow()
  return (await server.tokens.issue({ userId: id, email, sessionId })).token
}

/** Resolves when the server has noticed that the socket is closed. */
async function close(socket: WebSocket, { realtime }: { realtime: { connections(): number } }) {
  const before = realtime.connections()
  socket.close()
  await expect.poll(() => realtime.connections()).toBe(before - 1)
}

test('refuses more sockets of one address than its limit, and accepts another when one has closed', async () => {
  const { server, open, openSocket } = await serve({ inAll: 100, perAddress: 3 })
  const [first] = [await openSocket(), await openSocket(), await openSocket()]
  expect(await open()).toEqual({ status: 429, retryAfter: '10' })
  await openSocket('127.0.0.2')
  await close(first, server)
  await openSocket()
  expect(await open()).toEqual({ status: 429, retryAfter: '10' })
})

test('refuses more sockets than the limit of the process, and accepts another when one has closed', async () => {
  const { server, open, openSocket } = await serve({ inAll: 3, perAddress: 100 })
  const [first] = [await openSocket(), await openSocket('127.0.0.2'), await openSocket('127.0.0.3')]
  expect(await open('127.0.0.4')).toEqual({ status: 503, retryAfter: '10' })
  await close(first, server)
  await openSocket('127.0.0.4')
})

test('disconnects a client that reads too slowly before its backlog exceeds 1 MiB, and no other client', async () => {
  const { server, db, openSocket } = await serve()
  await db.insertInto('pages').values({ page_id: 'p1', page_name: 'P', page_access_token_encrypted: '' }).execute()
  await db.insertInto('fb_users').values({ id: 'u1', page_id: 'p1', psid: '1', name: 'Maria' }).execute()
  const token = await tokenOf(server, db)
  const config = { postgres_changes: [{ event: '*', schema: 'public', table: 'messages' }] }
  const join = async () => {
    const socket = await openSocket()
    socket.send(JSON.stringify(['1', '1', 'realtime:inbox', 'phx_join', { config, access_token: token }]))
    await once(socket, 'message')
    return socket
  }
  const [slow, fast] = [await join(), await join()]
  let received = 0
  let wake = () => {}
  fast.on('message', (data) => {
    if (!String(data).includes('"type":"INSERT"')) return
    received += 1
    wake()
  })
  const backlogs: number[] = []
  const terminate = WebSocket.prototype.terminate
  vi.spyOn(WebSocket.prototype, 'terminate').mockImplementation(function (this: WebSocket) {
    backlogs.push(this.bufferedAmount)
    terminate.call(this)
  })
  slow.pause()
  // The buffers of the operating system take several MB first.
  for (let sent = 0; sent < 60; sent += 1) {
    await db
      .insertInto('messages')
      .values({
        message_id: `m${sent}`,
        fb_user_id: 'u1',
        message_text: 'x'.repeat(256 * 1024),
        direction: 'incoming',
        timestamp_fb: new Date(),
      })
      .execute()
    while (received <= sent) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  await expect.poll(() => server.realtime.connections()).toBe(1)
  expect(backlogs).toHaveLength(1)
  expect(backlogs[0]).toBeGreaterThan(0)
  expect(backlogs[0]).toBeLessThanOrEqual(maxBacklogBytes)
  expect(fast.readyState).toBe(WebSocket.OPEN)
})

test('disconnects a client whose frames wait for more than 1 MiB', async () => {
  const { server, db, openSocket } = await serve(undefined, openEmbedded)
  const token = await tokenOf(server, db)
  const socket = await openSocket()
  const closed = once(socket, 'close')
  const join = { access_token: token, filling: 'x'.repeat(200 * 1024) }
  // The transaction holds the one session of the database, so no join can be verified.
  await db.transaction().execute(async () => {
    for (let sent = 0; sent < 10; sent += 1) socket.send(JSON.stringify(['1', '1', 'realtime:inbox', 'phx_join', join]))
    expect((await closed)[0]).toBe(1008)
  })
})
