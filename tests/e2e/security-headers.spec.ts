import { once } from 'node:events'
import { connect } from 'node:net'
import { demoStaff } from '../../server/stand-ins/supabase/demo-staff.ts'
import { tokenPairOf } from './api.ts'
import { expect, test } from './fixtures.ts'
import type { TestServer } from './server.ts'

/** Requests and their expected status; requests over raw sockets are in tests/server. */
const answers: readonly [kind: string, path: string, status: number, init?: RequestInit][] = [
  ['the page', '/', 200],
  ['the page at an address of its own', '/clients/7', 200],
  ['a file of the pages', '/avatar.png', 200],
  ['a file that is gone', '/assets/gone.js', 404],
  ['only the head of a page', '/', 200, { method: 'HEAD' }],
  ['the API', '/api/health', 200],
  ['the document of the API', '/api/openapi.json', 200],
  ['no such call', '/api/nothing', 404],
  ['a call without a token', '/api/facebook/conversations', 401],
  ['a call with a bad token', '/api/facebook/conversations', 401, { headers: { authorization: 'Bearer nobody' } }],
  ['a body that is none', '/api/auth/refresh', 400, { method: 'POST', body: '{', headers: json() }],
  ['a body of the wrong shape', '/api/auth/refresh', 400, { method: 'POST', body: '{}', headers: json() }],
  [
    'a preflight of a stranger',
    '/api/auth/refresh',
    404,
    { method: 'OPTIONS', headers: { origin: 'https://evil.example' } },
  ],
  ['the provider, without a token', '/auth/v1/user', 401],
  [
    'a refusal of the provider',
    '/auth/v1/token?grant_type=password',
    400,
    { method: 'POST', body: '{}', headers: json() },
  ],
  ['nothing of the provider', '/auth/v1/nothing', 404],
  ['a webhook without a signature', '/webhooks/meta', 401, { method: 'POST', body: '{}', headers: json() }],
  ['a handshake with a wrong word', '/webhooks/meta?hub.mode=subscribe&hub.verify_token=x&hub.challenge=1', 403],
  ['no such picture', '/pictures/nothing', 404],
  ['the network', '/sandbox/v26.0/me', 400],
  ['realtime, asked without an upgrade', '/realtime/v1/websocket', 404],
]

function json() {
  return { 'content-type': 'application/json' }
}

const securityHeadersOf = (headers: { get(name: string): string | null }) => ({
  noSniffing: headers.get('x-content-type-options') === 'nosniff',
  noFrame:
    headers.get('x-frame-options') === 'DENY' &&
    /frame-ancestors 'none'/.test(headers.get('content-security-policy') ?? ''),
  noForeignScript: /(script|default)-src '(self|none)'/.test(headers.get('content-security-policy') ?? ''),
  noReferrer: headers.get('referrer-policy') === 'no-referrer',
  // Voice notes need the microphone.
  noDevices: /^camera=\(\), microphone=\((self)?\), geolocation=\(\), payment=\(\)$/.test(
    headers.get('permissions-policy') ?? '',
  ),
  noServerName: headers.get('x-powered-by') === null && headers.get('server') === null,
})
const all = {
  noSniffing: true,
  noFrame: true,
  noForeignScript: true,
  noReferrer: true,
  noDevices: true,
  noServerName: true,
}

test('every kind of response has the security headers', async ({ server }) => {
  const { token } = await tokenPairOf(server, demoStaff[0])
  const signedIn = { headers: { authorization: `Bearer ${token}` } }
  const more: typeof answers = [
    ['an answer with data', '/api/facebook/conversations?limit=1', 200, signedIn],
    ['an unknown client', '/api/clients/nobody', 404, signedIn],
  ]
  const found = await Promise.all(
    [...answers, ...more].map(async ([kind, path, , init]) => {
      const { status, headers } = await fetch(`${server.url}${path}`, { redirect: 'manual', ...init })
      return { kind, status, ...securityHeadersOf(headers) }
    }),
  )
  const upgrade = await refusedUpgrade(server)
  expect([...found, { kind: 'a refused socket', ...upgrade }]).toEqual([
    ...[...answers, ...more].map(([kind, , status]) => ({ kind, status, ...all })),
    { kind: 'a refused socket', status: 404, ...all },
  ])
})

/** The response to a WebSocket upgrade at a path without WebSockets. */
async function refusedUpgrade({ url }: TestServer) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.end(
    `GET /elsewhere HTTP/1.1\r\nHost: ${hostname}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
  )
  let text = ''
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  await once(socket, 'close')
  const [first = '', ...lines] = text.split('\r\n')
  const headers = new Headers(
    lines.filter((line) => line.includes(': ')).map((line) => line.split(/: (.*)/s, 2) as [string, string]),
  )
  return { status: Number(first.split(' ')[1]), ...securityHeadersOf(headers) }
}
