import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../server/app.ts'
import { notifyTransport } from '../../server/changes/transport.ts'
import type { OpenDatabase } from '../../server/database/database.ts'
import { type HttpServer, listen } from '../../server/http-server.ts'
import { createLogger } from '../../server/logger.ts'
import { createRealtime, type Realtime } from '../../server/stand-ins/supabase/realtime/realtime.ts'
import { apiParts } from './api-harness.ts'
import { openAny } from './databases.ts'
import { noOperations } from './no-operations.ts'

const listenAnywhere = () => listen({ port: 0, host: '127.0.0.1' })

/** A socket that keeps its own side open, so that only the server can close it. */
function socketTo({ address }: HttpServer) {
  const { port, hostname } = new URL(address)
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  let received = ''
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString()
  })
  return { socket, received: () => received }
}

/** Writes to a socket and returns everything received until the server closes it. */
async function exchange(server: HttpServer, text: string): Promise<string> {
  const { socket, received } = socketTo(server)
  socket.write(text)
  await once(socket, 'end')
  socket.destroy()
  return received()
}

const statusOf = (answer: string) => Number(answer.split(' ')[1])

function headersOf(answer: string): Headers {
  const [, ...lines] = answer.slice(0, answer.indexOf('\r\n\r\n')).split('\r\n')
  return new Headers(lines.map((line) => line.split(/: (.*)/s, 2) as [string, string]))
}

const securityHeadersOf = (headers: Headers) => ({
  noSniffing: headers.get('x-content-type-options'),
  noFrame: headers.get('x-frame-options'),
  noFrameEither: /frame-ancestors 'none'/.test(headers.get('content-security-policy') ?? ''),
  noForeignScript: /(script|default)-src '(self|none)'/.test(headers.get('content-security-policy') ?? ''),
  noReferrer: headers.get('referrer-policy'),
  // The application itself may record voice notes.
  noDevices: /^camera=\(\), microphone=\((self)?\), geolocation=\(\), payment=\(\)$/.test(
    headers.get('permissions-policy') ?? '',
  ),
  noServerName: headers.get('x-powered-by') ?? headers.get('server'),
})
const allSecurityHeaders = {
  noSniffing: 'nosniff',
  noFrame: 'DENY',
  noFrameEither: true,
  noForeignScript: true,
  noReferrer: 'no-referrer',
  noDevices: true,
  noServerName: null,
}

const close = 'Connection: close\r\n\r\n'
const upgrade = 'Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n'
const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
const versioned = `${upgrade}Sec-WebSocket-Version: 13\r\n${key}\r\n`
const preflight = 'Origin: https://inbox.example.com\r\nAccess-Control-Request-Method: POST\r\n'
const channel = '/realtime/v1/websocket'

describe('The HTTP server', () => {
  const logger = createLogger('silent')
  const directory = mkdtempSync(join(tmpdir(), 'staff-inbox-raw-'))
  let database: OpenDatabase
  let server: HttpServer
  let realtime: Realtime

  beforeAll(async () => {
    writeFileSync(join(directory, 'index.html'), '<!doctype html><title>Inbox</title>')
    database = await openAny()
    const { db } = database
    const pictures = new Hono()
    pictures.get('/broken', () => {
      throw new Error('unexpected')
    })
    pictures.get('/:name', (c) => c.body(new Uint8Array([137, 80, 78, 71]), 200, { 'content-type': 'image/png' }))
    server = await listenAnywhere()
    server.serve(
      createApp({
        api: apiParts(db, {
          logger,
          allowedOrigins: ['https://inbox.example.com'],
        }),
        supabaseAuth: undefined,
        webhooks: new Hono(),
        shopWebhooks: new Hono(),
        pictures,
        sandbox: undefined,
        shopStandIns: undefined,
        spaDirectory: directory,
        sourceMaps: false,
        operations: noOperations,
        connectTo: [],
      }),
    )
    realtime = createRealtime({
      db,
      transport: notifyTransport(database),
      verifyToken: () => Promise.reject(new Error('this test verifies no token')),
      addressOf: () => 'test',
      limits: { inAll: 10, perAddress: 10 },
      logger,
    })
    realtime.attach(server.server)
    await realtime.start()
  })
  afterAll(async () => {
    await realtime.close()
    await server.close(1000)
    await database.close()
    rmSync(directory, { recursive: true })
  })

  it.each([
    ['a WebSocket upgrade with the path //', `GET // HTTP/1.1\r\n${versioned}`, 400],
    ['a WebSocket upgrade with the path ///', `GET /// HTTP/1.1\r\n${versioned}`, 400],
    ['a WebSocket upgrade with an incomplete URL', `GET http://[ HTTP/1.1\r\n${versioned}`, 400],
    ['a WebSocket upgrade with a URL without a host', `GET http:// HTTP/1.1\r\n${versioned}`, 400],
    ['a WebSocket upgrade at an unknown path', `GET /elsewhere HTTP/1.1\r\n${versioned}`, 404],
    [
      'a WebSocket upgrade without a key',
      `GET ${channel} HTTP/1.1\r\n${upgrade}Sec-WebSocket-Version: 13\r\n\r\n`,
      400,
    ],
    [
      'a WebSocket upgrade with another version',
      `GET ${channel} HTTP/1.1\r\n${upgrade}Sec-WebSocket-Version: 7\r\n${key}\r\n`,
      400,
    ],
    ['a WebSocket upgrade by POST', `POST ${channel} HTTP/1.1\r\n${versioned}`, 405],
    ['a request with the path //', `GET // HTTP/1.1\r\nHost: x\r\n${close}`, 200],
    ['a request with an incomplete URL', `GET http://[ HTTP/1.1\r\nHost: x\r\n${close}`, 400],
    ['a request with a URL without a host', `GET http:// HTTP/1.1\r\nHost: x\r\n${close}`, 400],
    ['a request with an invalid encoding in its path', `GET /%c0%ff HTTP/1.1\r\nHost: x\r\n${close}`, 200],
    ['a request for *', `OPTIONS * HTTP/1.1\r\nHost: x\r\n${close}`, 400],
    ['a request without a Host header', `GET / HTTP/1.1\r\n${close}`, 400],
    ['a request with an invalid Host header', `GET / HTTP/1.1\r\nHost: a b\r\n${close}`, 400],
    ['a request with an incomplete Host header', `GET / HTTP/1.1\r\nHost: [\r\n${close}`, 400],
    ['text that is not HTTP', 'not a request\r\n\r\n', 400],
    [
      'a request with two body lengths',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
    ],
    ['a request with too large headers', `GET / HTTP/1.1\r\nHost: x\r\nLong: ${'x'.repeat(20_000)}\r\n${close}`, 431],
    ['a request with an unknown expectation', `GET / HTTP/1.1\r\nHost: x\r\nExpect: much\r\n${close}`, 417],
    ['a request for a picture', `GET /pictures/one HTTP/1.1\r\nHost: x\r\n${close}`, 200],
    ['a request that fails', `GET /pictures/broken HTTP/1.1\r\nHost: x\r\n${close}`, 500],
    [
      'a request with a too large body',
      `POST /api/auth HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n${close}`,
      413,
    ],
    ['an allowed preflight', `OPTIONS /api/auth HTTP/1.1\r\nHost: x\r\n${preflight}${close}`, 204],
  ])('answers %s with all security headers, and keeps running', async (_, text, status) => {
    const answer = await exchange(server, text)
    expect({ status: statusOf(answer), ...securityHeadersOf(headersOf(answer)) }).toEqual({
      status,
      ...allSecurityHeaders,
    })
    expect(statusOf(await exchange(server, `GET / HTTP/1.1\r\nHost: x\r\n${close}`))).toBe(200)
  })

  it('answers with all security headers before the application is ready, and when the error handler fails', async () => {
    const other = await listenAnywhere()
    const early = await exchange(other, `GET / HTTP/1.1\r\nHost: x\r\n${close}`)
    expect({ status: statusOf(early), ...securityHeadersOf(headersOf(early)) }).toEqual({
      status: 503,
      ...allSecurityHeaders,
    })
    expect(headersOf(early).get('retry-after')).toBe('1')
    other.serve(new Hono().use(() => Promise.reject(new Error('unexpected'))).onError((error) => Promise.reject(error)))
    const failed = await exchange(other, `GET / HTTP/1.1\r\nHost: x\r\n${close}`)
    expect({ status: statusOf(failed), ...securityHeadersOf(headersOf(failed)) }).toEqual({
      status: 500,
      ...allSecurityHeaders,
    })
    await other.close(1000)
  })

  it('disconnects a rejected client that keeps its side of the socket open', async () => {
    const open = () => promisify<number>((done) => server.server.getConnections(done))()
    await expect.poll(open).toBe(0)
    const clients = [`GET /elsewhere HTTP/1.1\r\n${versioned}`, 'not a request\r\n\r\n'].map((text) => {
      const { socket } = socketTo(server)
      socket.write(text)
      return socket
    })
    await Promise.all(clients.map((socket) => once(socket, 'end')))
    await expect.poll(open).toBe(0)
    for (const socket of clients) socket.destroy()
  })

  it('does not corrupt a response in progress when an invalid request follows', async () => {
    const other = await listenAnywhere()
    const response = new TransformStream<Uint8Array>()
    const writer = response.writable.getWriter()
    writer.write(new TextEncoder().encode('the beginning')).catch(() => undefined)
    other.serve(new Hono().get('/', (c) => c.body(response.readable)))
    const { socket, received } = socketTo(other)
    socket.on('error', () => undefined)
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await expect.poll(received).toContain('the beginning')
    const closed = once(socket, 'close')
    socket.end('not a request\r\n\r\n')
    await closed
    expect(received().split('the beginning')[1]).toBe('\r\n')
    await other.close(1000)
  })
})
