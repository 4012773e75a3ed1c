import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../server/app.ts'
import { systemClock } from '../../server/clock.ts'
import type { OpenDatabase } from '../../server/database/database.ts'
import { type HttpServer, listen } from '../../server/http-server.ts'
import { createLogger } from '../../server/logger.ts'
import { createRealtime, type Realtime } from '../../server/stand-ins/supabase/realtime/realtime.ts'
import { openEmbedded } from './databases.ts'
import { noPageWork, noUnconfirmedReplies } from './no-page-work.ts'
import { productTokensOf } from './sign-in.ts'

const listenAnywhere = () => listen({ port: 0, host: '127.0.0.1' })

/** A socket that keeps its own side open, so that only the server can close it. */
function socketTo({ address }: HttpServer) {
  const { port, hostname } = new URL(address)
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  let heard = ''
  socket.on('data', (chunk: Buffer) => {
    heard += chunk.toString()
  })
  return { socket, heard: () => heard }
}

/** Writes to a socket and returns everything received until the server closes it. */
async function said(server: HttpServer, text: string): Promise<string> {
  const { socket, heard } = socketTo(server)
  socket.write(text)
  await once(socket, 'end')
  socket.destroy()
  return heard()
}

const statusOf = (answer: string) => Number(answer.split(' ')[1])

function headersOf(answer: string): Headers {
  const [, ...lines] = answer.slice(0, answer.indexOf('\r\n\r\n')).split('\r\n')
  return new Headers(lines.map((line) => line.split(/: (.*)/s, 2) as [string, string]))
}

const guarding = (headers: Headers) => ({
  noSniffing: headers.get('x-content-type-options'),
  noFrame: headers.get('x-frame-options'),
  noFrameEither: /frame-ancestors 'none'/.test(headers.get('content-security-policy') ?? ''),
  noForeignScript: /(script|default)-src '(self|none)'/.test(headers.get('content-security-policy') ?? ''),
  noReferrer: headers.get('referrer-policy'),
  noDevices: headers.get('permissions-policy'),
  noServerName: headers.get('x-powered-by') ?? headers.get('server'),
})
const all = {
  noSniffing: 'nosniff',
  noFrame: 'DENY',
  noFrameEither: true,
  noForeignScript: true,
  noReferrer: 'no-referrer',
  noDevices: 'camera=(), microphone=(), geolocation=(), payment=()',
  noServerName: null,
}

const close = 'Connection: close\r\n\r\n'
const upgrade = 'Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n'
const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
const versioned = `${upgrade}Sec-WebSocket-Version: 13\r\n${key}\r\n`
const preflight = 'Origin: https://inbox.example.com\r\nAccess-Control-Request-Method: POST\r\n'
const channel = '/realtime/v1/websocket'

describe('Over a raw socket', () => {
  const logger = createLogger('silent')
  const directory = mkdtempSync(join(tmpdir(), 'staff-inbox-raw-'))
  let database: OpenDatabase
  let server: HttpServer
  let realtime: Realtime

  beforeAll(async () => {
    writeFileSync(join(directory, 'index.html'), '<!doctype html><title>Inbox</title>')
    database = await openEmbedded()
    const { db } = database
    const pictures = new Hono()
    pictures.get('/broken', () => {
      throw new Error('nobody foresaw this')
    })
    pictures.get('/:name', (c) => c.body(new Uint8Array([137, 80, 78, 71]), 200, { 'content-type': 'image/png' }))
    server = await listenAnywhere()
    server.serve(
      createApp({
        api: {
          db,
          tokens: productTokensOf(new Uint8Array(32)),
          auth: new Hono(),
          sending: { send: () => Promise.reject(new Error('nothing is sent here')) },
          pictures: { refreshPerson: () => Promise.reject(new Error('no picture is renewed here')) },
          unconfirmedReplies: noUnconfirmedReplies,
          pageWork: noPageWork,
          clock: systemClock,
          logger,
          allowedOrigins: ['https://inbox.example.com'],
        },
        supabaseAuth: undefined,
        webhooks: new Hono(),
        pictures,
        sandbox: undefined,
        spaDirectory: directory,
        connectTo: [],
      }),
    )
    realtime = createRealtime({
      db,
      listen: database.listen,
      verifyToken: () => Promise.reject(new Error('no token is verified here')),
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
    ['a socket at an address that is none', `GET // HTTP/1.1\r\n${versioned}`, 400],
    ['a socket at another one', `GET /// HTTP/1.1\r\n${versioned}`, 400],
    ['a socket at half an address', `GET http://[ HTTP/1.1\r\n${versioned}`, 400],
    ['a socket at an address of no protocol', `GET http:// HTTP/1.1\r\n${versioned}`, 400],
    ['a socket elsewhere', `GET /elsewhere HTTP/1.1\r\n${versioned}`, 404],
    ['a socket without a key', `GET ${channel} HTTP/1.1\r\n${upgrade}Sec-WebSocket-Version: 13\r\n\r\n`, 400],
    ['a socket of another version', `GET ${channel} HTTP/1.1\r\n${upgrade}Sec-WebSocket-Version: 7\r\n${key}\r\n`, 400],
    ['a socket that is posted', `POST ${channel} HTTP/1.1\r\n${versioned}`, 405],
    ['a page at an address that is none', `GET // HTTP/1.1\r\nHost: x\r\n${close}`, 200],
    ['a page at half an address', `GET http://[ HTTP/1.1\r\nHost: x\r\n${close}`, 400],
    ['a page at an address of no protocol', `GET http:// HTTP/1.1\r\nHost: x\r\n${close}`, 400],
    ['a page at an address that is not encoded', `GET /%c0%ff HTTP/1.1\r\nHost: x\r\n${close}`, 200],
    ['everything', `OPTIONS * HTTP/1.1\r\nHost: x\r\n${close}`, 400],
    ['no host', `GET / HTTP/1.1\r\n${close}`, 400],
    ['a host that is none', `GET / HTTP/1.1\r\nHost: a b\r\n${close}`, 400],
    ['half a host', `GET / HTTP/1.1\r\nHost: [\r\n${close}`, 400],
    ['no request', 'nothing of the kind\r\n\r\n', 400],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n', 400],
    ['headers without end', `GET / HTTP/1.1\r\nHost: x\r\nLong: ${'x'.repeat(20_000)}\r\n${close}`, 431],
    ['an expectation', `GET / HTTP/1.1\r\nHost: x\r\nExpect: much\r\n${close}`, 417],
    ['a picture', `GET /pictures/one HTTP/1.1\r\nHost: x\r\n${close}`, 200],
    ['what fails', `GET /pictures/broken HTTP/1.1\r\nHost: x\r\n${close}`, 500],
    ['what is too large', `POST /api/auth HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n${close}`, 413],
    ['an allowed preflight', `OPTIONS /api/auth HTTP/1.1\r\nHost: x\r\n${preflight}${close}`, 204],
  ])('%s is answered with the headers of every answer, and the server goes on', async (_, text, status) => {
    const answer = await said(server, text)
    expect({ status: statusOf(answer), ...guarding(headersOf(answer)) }).toEqual({ status, ...all })
    expect(statusOf(await said(server, `GET / HTTP/1.1\r\nHost: x\r\n${close}`))).toBe(200)
  })

  it('so it is before there is anything to answer with, and where the answer to a failure fails', async () => {
    const other = await listenAnywhere()
    const early = await said(other, `GET / HTTP/1.1\r\nHost: x\r\n${close}`)
    expect({ status: statusOf(early), ...guarding(headersOf(early)) }).toEqual({ status: 503, ...all })
    expect(headersOf(early).get('retry-after')).toBe('1')
    other.serve(
      new Hono().use(() => Promise.reject(new Error('nobody foresaw this'))).onError((error) => Promise.reject(error)),
    )
    const failed = await said(other, `GET / HTTP/1.1\r\nHost: x\r\n${close}`)
    expect({ status: statusOf(failed), ...guarding(headersOf(failed)) }).toEqual({ status: 500, ...all })
    await other.close(1000)
  })

  it('a rejected client that keeps its side open is disconnected', async () => {
    const open = () => promisify<number>((done) => server.server.getConnections(done))()
    await expect.poll(open).toBe(0)
    const clients = [`GET /elsewhere HTTP/1.1\r\n${versioned}`, 'nothing of the kind\r\n\r\n'].map((text) => {
      const { socket } = socketTo(server)
      socket.write(text)
      return socket
    })
    await Promise.all(clients.map((socket) => once(socket, 'end')))
    await expect.poll(open).toBe(0)
    for (const socket of clients) socket.destroy()
  })

  it('an invalid request does not corrupt the response in progress', async () => {
    const other = await listenAnywhere()
    const begun = new TransformStream<Uint8Array>()
    const writer = begun.writable.getWriter()
    writer.write(new TextEncoder().encode('the beginning')).catch(() => undefined)
    other.serve(new Hono().get('/', (c) => c.body(begun.readable)))
    const { socket, heard } = socketTo(other)
    socket.on('error', () => undefined)
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await expect.poll(heard).toContain('the beginning')
    const closed = once(socket, 'close')
    socket.end('nothing of the kind\r\n\r\n')
    await closed
    expect(heard().split('the beginning')[1]).toBe('\r\n')
    await other.close(1000)
  })
})
