import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { type HttpBindings, serve } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { build, transformWithOxc } from 'vite'
import { type WebSocket, WebSocketServer } from 'ws'
import { projectRoot } from '../../scripts/project.ts'
import { limits } from '../../src/domain/limits.ts'
import type { Conversation } from '../../src/schemas/conversation.ts'
import type { Message } from '../../src/schemas/message.ts'
import { clientOf, conversationAt, messagesOf, ordersOf, pages } from './world.ts'

/**
 * A server with the product's API and realtime over synthetic data that responds at once, so that only the browser is
 * measured. Scrolling loads large result pages, so that 10,000 rows load in seconds.
 */
export type FakeServer = {
  url: string
  /** Sends messages to every open tab of the application and the references. */
  send(messages: readonly Message[]): void
  /** From now on no call of the API is answered. */
  holdAnswers(): void
  stop(): Promise<void>
}

const scrolledPageSize = 1_000
/** The newest messages of a thread load in large result pages, older ones in pages of the normal size. */
export const messagesInLongPages = 49_000
const types: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** The number of conversations, and of messages in each. */
export type Size = { conversations: number; messages: number }

export async function startFakeServer(port: number, size: Size): Promise<FakeServer> {
  const url = `http://127.0.0.1:${port}`
  const newest = new Map<string, Message>()
  const sockets = new WebSocketServer({ noServer: true })
  const app = new Hono<{ Bindings: HttpBindings }>()
  let holdsAnswers = false
  app.use('/api/*', (_, next) => (holdsAnswers ? new Promise<void>(() => {}) : next()))
  addAuth(app)
  addApi(app, size, newest)
  await addBaseline(app, size)
  await addLean(app)
  app.get('*', (c) => serveFile(c, join(projectRoot, 'dist', c.req.path)))

  const server = await new Promise<ReturnType<typeof serve>>((resolve) => {
    const listening = serve({ fetch: app.fetch, hostname: '127.0.0.1', port }, () => resolve(listening))
  })
  server.on('upgrade', (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, (connection) => {
      if (request.url?.startsWith('/baseline')) baselineClients.add(connection)
      else speakRealtime(connection, realtimeChannels)
    })
  })
  const baselineClients = new Set<WebSocket>()
  const realtimeChannels: Channel[] = []

  return {
    url,
    send: (messages) => {
      for (const record of messages) {
        newest.delete(record.fb_user_id)
        newest.set(record.fb_user_id, record)
        const change = changeOf(record)
        for (const client of baselineClients) client.send(JSON.stringify({ record }))
        for (const { socket, topic, joinRef, ids } of realtimeChannels) {
          if (ids.length > 0)
            socket.send(JSON.stringify([joinRef, null, topic, 'postgres_changes', { ids, data: change }]))
        }
      }
    },
    holdAnswers: () => {
      holdsAnswers = true
    },
    stop: async () => {
      for (const client of sockets.clients) client.terminate()
      if ('closeAllConnections' in server) server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const user = {
  id: 'staff-1',
  email: 'bench@example.com',
  name: 'Bench',
  role: 'administrator',
  permissions: ['all'],
  deviceCache: true,
}

function tokenUntilTomorrow(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const exp = Math.floor(Date.now() / 1000) + 86_400
  return `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: user.id, role: 'authenticated', exp })}.bench`
}

function addAuth(app: Hono<{ Bindings: HttpBindings }>): void {
  const token = tokenUntilTomorrow()
  const providerUser = { id: 'provider-1', aud: 'authenticated', role: 'authenticated', email: user.email }
  app.post('/auth/v1/token', (c) =>
    c.json({
      access_token: token,
      refresh_token: 'bench',
      token_type: 'bearer',
      expires_in: 86_400,
      expires_at: Math.floor(Date.now() / 1000) + 86_400,
      user: providerUser,
    }),
  )
  app.get('/auth/v1/user', (c) => c.json(providerUser))
  app.post('/api/auth/supabase-login', (c) => c.json({ success: true, data: { token, refreshToken: 'bench', user } }))
  app.post('/api/auth/refresh', (c) =>
    c.json({ success: true, data: { accessToken: token, refreshToken: 'bench', user } }),
  )
  app.get('/api/auth/me', (c) => c.json({ success: true, data: { user } }))
}

function addApi(
  app: Hono<{ Bindings: HttpBindings }>,
  { conversations: total, messages: count }: Size,
  newest: ReadonlyMap<string, Message>,
): void {
  app.get('/api/facebook/conversations', (c) => {
    const page = Number(c.req.query('page') ?? 1)
    const limit = Number(c.req.query('limit') ?? 20)
    const search = c.req.query('search')
    if (search) {
      const found = conversationAt(indexOf(search))
      return c.json({ success: true, data: [found], pagination: pagination(1, limit, 1, 1) })
    }
    const from = (page - 1) * limit
    const isScrolling = limit === limits.conversationPageSize && page > 1
    const to = from + (isScrolling ? scrolledPageSize : limit)
    const data = orderOf(total, newest)
      .slice(from, to)
      .map((index) => rowOf(index, newest))
    return c.json({ success: true, data, pagination: pagination(page, limit, total, to) })
  })
  app.get('/api/facebook/conversations/:id/messages', (c) =>
    c.json({ success: true, data: resultPageOf(c, c.req.param('id'), count) }),
  )
  app.post('/api/facebook/conversations/:id/mark-read', (c) => c.json({ success: true, data: { updated: 0 } }))
  app.get('/api/facebook/pages', (c) => c.json({ success: true, data: { data: pages } }))
  app.get('/api/facebook/users/:id/best-page', (c) =>
    c.json({ success: true, data: { page_id: conversationAt(indexOf(c.req.param('id'))).page_id } }),
  )
  app.get('/api/facebook/users/:id/identity/:pageId', (c) =>
    c.json({ success: true, data: { psid: `psid-${c.req.param('id')}` } }),
  )
  app.get('/api/facebook/auto-sync/status', (c) =>
    c.json({ success: true, data: { isRunning: true, enabled: true, lastSyncTime: new Date().toISOString() } }),
  )
  app.get('/api/clients/:id', (c) => c.json({ success: true, data: clientOf(c.req.param('id')) }))
  app.get('/api/orders', (c) => c.json({ success: true, data: ordersOf(c.req.query('client_id') ?? '') }))
  app.get('/api/facebook/stats', (c) =>
    c.json({
      success: true,
      data: {
        messages: { total: total * 50, incoming: total * 30, outgoing: total * 20, unread: total },
        conversations: { total, active24h: 10, active7d: 100 },
        users: { total, linked: 0, active24h: 10 },
        total_conversations: total,
        unread_messages: total,
      },
    }),
  )
}

/** The conversation indices in the order of the list, newest message first. */
function orderOf(total: number, newest: ReadonlyMap<string, Message>): number[] {
  const moved = [...newest.keys()].reverse().map(indexOf)
  const isMoved = new Set(moved)
  const others = Array.from({ length: total }, (_, index) => index).filter((index) => !isMoved.has(index))
  return [...moved, ...others]
}

function rowOf(index: number, newest: ReadonlyMap<string, Message>): Conversation {
  const row = conversationAt(index)
  const message = newest.get(row.fb_user_id)
  if (message === undefined) return row
  return {
    ...row,
    last_message_at: message.created_at,
    last_message_text: message.message_text,
    last_message_direction: message.direction,
  }
}

function indexOf(id: string): number {
  return Number(id.replace('user-', ''))
}

/** The requested result page of a thread. Older result pages are large, like those of the list. */
function resultPageOf(c: Context, id: string, count: number): { messages: Message[]; hasMore: boolean } {
  const page = Number(c.req.query('page') ?? 1)
  const newer = (page - 1) * limits.messagePageSize
  const isLong = page > 1 && newer < messagesInLongPages
  const length = isLong ? Math.min(scrolledPageSize, messagesInLongPages - newer) : limits.messagePageSize
  const [from, to] = [Math.max(0, count - newer - length), Math.max(0, count - newer)]
  const pictureUrl = `${new URL(c.req.url).origin}/baseline/picture.svg`
  return { messages: messagesOf(indexOf(id), { count, from, to }, pictureUrl), hasMore: from > 0 }
}

function pagination(page: number, limit: number, total: number, reached: number) {
  const totalPages = Math.ceil(total / limit)
  return { page, limit, total, totalPages, hasNext: reached < total, hasPrev: page > 1 }
}

async function addBaseline(
  app: Hono<{ Bindings: HttpBindings }>,
  { conversations: total, messages: count }: Size,
): Promise<void> {
  const folder = join(projectRoot, 'tests/bench/baseline')
  const source = join(folder, 'baseline.ts')
  const { code } = await transformWithOxc(await readFile(source, 'utf8'), source)
  app.get('/baseline', (c) => serveFile(c, join(folder, 'index.html')))
  app.get('/baseline/baseline.js', (c) => c.body(code, 200, { 'content-type': 'text/javascript' }))
  app.get('/baseline/picture.svg', (c) => serveFile(c, join(folder, 'picture.svg')))
  app.get('/baseline/conversations', (c) => {
    const limit = Number(c.req.query('limit') ?? scrolledPageSize)
    const from = (Number(c.req.query('page')) - 1) * limit
    const length = Math.max(0, Math.min(limit, total - from))
    return c.json({ data: Array.from({ length }, (_, at) => conversationAt(from + at)) })
  })
  app.get('/baseline/messages', (c) => c.json({ data: resultPageOf(c, c.req.query('id') ?? '', count) }))
}

async function addLean(app: Hono<{ Bindings: HttpBindings }>): Promise<void> {
  const folder = join(projectRoot, 'tests/bench/lean')
  const code = Uint8Array.from(brotliCompressSync(await leanCode()))
  app.get('/lean', (c) => serveFile(c, join(folder, 'index.html')))
  app.get('/lean/lean.js', (c) => c.body(code, 200, { 'content-type': 'text/javascript', 'content-encoding': 'br' }))
}

let leanCodeBuilt: Promise<string> | null = null
/** The script of the lean reference, built like the product's, once per process. */
const leanCode = (): Promise<string> => {
  leanCodeBuilt ??= buildLean()
  return leanCodeBuilt
}

async function buildLean(): Promise<string> {
  const built = await build({
    configFile: false,
    root: projectRoot,
    logLevel: 'warn',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      target: 'es2023',
      rolldownOptions: { input: join(projectRoot, 'tests/bench/lean/lean.tsx') },
      modulePreload: { polyfill: false },
    },
  })
  const [output] = Array.isArray(built) ? built : 'output' in built ? [built] : []
  const chunk = output?.output.find((each) => each.type === 'chunk' && each.isEntry)
  if (chunk?.type !== 'chunk') throw new Error('The lean reference was not built')
  return chunk.code
}

async function serveFile(c: Context, file: string) {
  const page = c.req.path === '/login' ? 'login.html' : 'index.html'
  const found = extname(file) === '' ? join(projectRoot, 'dist', page) : file
  const compressed = await readFile(`${found}.br`).catch(() => null)
  const body = compressed ?? (await readFile(found).catch(() => null))
  if (body === null) return c.notFound()
  // As the product's server does.
  if (c.req.path.startsWith('/assets/')) c.header('cache-control', 'public, max-age=31536000, immutable')
  if (compressed !== null) c.header('content-encoding', 'br')
  return c.body(body, 200, { 'content-type': types[extname(found)] ?? 'application/octet-stream' })
}

type Channel = { socket: WebSocket; topic: string; joinRef: string; ids: number[] }

/** The used part of the realtime protocol: join, leave, heartbeat, and changes of `messages`. */
function speakRealtime(socket: WebSocket, channels: Channel[]): void {
  socket.on('message', (data) => {
    const [joinRef, ref, topic, event, payload] = JSON.parse(String(data))
    const reply = (response: object) =>
      socket.send(JSON.stringify([joinRef, ref, topic, 'phx_reply', { status: 'ok', response }]))
    if (event === 'heartbeat') reply({})
    if (event === 'phx_leave') reply({})
    if (event !== 'phx_join') return
    const requested: { table: string }[] = payload.config?.postgres_changes ?? []
    const bindings = requested.map((binding, index) => ({ ...binding, id: index + 1 }))
    const ids = bindings.filter(({ table }) => table === 'messages').map(({ id }) => id)
    reply({ postgres_changes: bindings })
    const system = { extension: 'postgres_changes', status: 'ok', message: 'Subscribed to PostgreSQL', channel: topic }
    socket.send(JSON.stringify([joinRef, null, topic, 'system', system]))
    channels.push({ socket, topic, joinRef, ids })
  })
}

function changeOf(record: Message) {
  const columns = Object.entries(record).map(([name, value]) => ({
    name,
    type: typeof value === 'boolean' ? 'bool' : 'text',
  }))
  return {
    schema: 'public',
    table: 'messages',
    type: 'INSERT',
    commit_timestamp: new Date().toISOString(),
    columns,
    record,
    old_record: {},
    errors: null,
  }
}
