import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../server/app.ts'
import type { OpenDatabase } from '../../server/database/database.ts'
import { apiParts } from './api-harness.ts'
import { openAny } from './databases.ts'
import { noOperations } from './no-operations.ts'

const indexHtml = '<!doctype html><title>Inbox</title>'
const loginHtml = '<title>Sign in</title>'
const script = `export const words = ${JSON.stringify('inbox '.repeat(500))}`

describe('createApp', () => {
  let directory: string
  let database: OpenDatabase
  let app: Hono

  const appWith = (
    sandbox: Hono | undefined,
    supabaseAuth: Hono | undefined,
    connectTo: string[],
    sourceMaps = false,
  ) =>
    createApp({
      api: apiParts(database.db),
      supabaseAuth,
      webhooks: new Hono().get('/', (c) => c.text('webhooks')),
      shopWebhooks: new Hono(),
      pictures: new Hono().get('/:name', (c) => c.text('picture')),
      sandbox,
      shopStandIns: undefined,
      spaDirectory: directory,
      sourceMaps,
      operations: noOperations,
      connectTo,
    })

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'staff-inbox-pages-'))
    mkdirSync(join(directory, 'assets'))
    writeFileSync(join(directory, 'index.html'), indexHtml)
    writeFileSync(join(directory, 'login.html'), loginHtml)
    writeFileSync(join(directory, 'assets', 'main-abc123.js'), script)
    writeFileSync(join(directory, 'assets', 'main-abc123.js.br'), brotliCompressSync(script))
    writeFileSync(join(directory, 'assets', 'main-abc123.js.map'), '{}')
    writeFileSync(join(directory, 'assets', 'main-abc123.js.map.br'), brotliCompressSync('{}'))
    writeFileSync(join(directory, 'avatar.png'), 'png')
    database = await openAny()
    app = appWith(
      new Hono().get('/v26.0/me', (c) => c.text('sandbox')),
      new Hono().get('/health', (c) => c.text('auth')),
      [],
    )
  })
  afterAll(async () => {
    await database.close()
    rmSync(directory, { recursive: true })
  })

  it.each([
    ['/auth/v1/health', 'auth'],
    ['/webhooks/meta', 'webhooks'],
    ['/sandbox/v26.0/me', 'sandbox'],
    ['/api/health', '{"success":true,"data":{"status":"ok"}}'],
  ])('serves %s', async (path, text) => {
    const response = await app.request(path)
    expect([response.status, await response.text()]).toEqual([200, text])
  })

  it.each(['main-abc123.js.map', 'main-abc123.js.map.br', 'main-abc123.js.%6Dap', 'main-abc123.js%2emap'])(
    'serves the source map /assets/%s only if the settings say so',
    async (name) => {
      const path = `/assets/${name}`
      const accepting = { headers: { 'accept-encoding': 'br' } }
      expect([(await app.request(path)).status, (await app.request(path, accepting)).status]).toEqual([404, 404])
      expect((await appWith(undefined, undefined, [], true).request(path)).status).toBe(200)
    },
  )

  it.each([
    ['/', indexHtml],
    ['/login', loginHtml],
    ['/3d338c51-6740-4292', indexHtml],
    ['/clients/7', indexHtml],
  ])('serves the page of %s, revalidated by the browser', async (path, html) => {
    const response = await app.request(path)
    expect([response.status, response.headers.get('cache-control'), await response.text()]).toEqual([
      200,
      'no-cache',
      html,
    ])
  })

  it('caches hashed files for a year, and returns 404 for missing ones', async () => {
    const response = await app.request('/assets/main-abc123.js')
    expect([response.status, response.headers.get('cache-control'), await response.text()]).toEqual([
      200,
      'public, max-age=31536000, immutable',
      script,
    ])
    const gone = await app.request('/assets/main-old.js')
    expect([gone.status, await gone.text()]).toEqual([404, 'Not found'])
    expect((await app.request('/avatar.png')).headers.get('cache-control')).toBe('no-cache')
  })

  const accepting = (encodings: string) => ({ headers: { 'accept-encoding': encodings } })
  const plain = (body: Buffer) => body

  it.each([
    ['br', 'gzip, deflate, br, zstd', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['gzip', 'gzip, br;q=0', gunzipSync],
    [null, 'identity', plain],
  ] as const)('sends a script as %s to a client that accepts %s', async (encoding, accepted, decompress) => {
    const response = await app.request('/assets/main-abc123.js', accepting(accepted))
    const { headers } = response
    expect([headers.get('content-encoding'), headers.get('vary'), headers.get('content-type')]).toEqual([
      encoding,
      'Accept-Encoding',
      'text/javascript; charset=utf-8',
    ])
    expect(decompress(Buffer.from(await response.arrayBuffer())).toString()).toBe(script)
  })

  it.each(['/', '/avatar.png'])('sends %s, which is small or binary, as it is', async (path) => {
    const { headers } = await app.request(path, accepting('gzip, br'))
    expect([headers.get('content-encoding'), headers.get('vary')]).toEqual([null, null])
  })

  it.each(['/', '/clients/7', '/avatar.png'])('sends %s again only if it has changed', async (path) => {
    const tag = (await app.request(path)).headers.get('etag') ?? ''
    expect(tag).toMatch(/^"\w+"$/)
    const same = await app.request(path, { headers: { 'if-none-match': tag } })
    expect([same.status, same.headers.get('cache-control'), await same.text()]).toEqual([304, 'no-cache', ''])
    expect((await app.request(path, { headers: { 'if-none-match': '"another"' } })).status).toBe(200)
  })

  it.each(['/auth/v1/nothing', '/webhooks/other', '/sandbox/nothing', '/realtime/v1/other', '/api/nothing'])(
    'returns 404 as JSON at %s',
    async (path) => {
      const response = await app.request(path)
      expect([response.status, await response.json()]).toEqual([404, { success: false, error: expect.any(String) }])
    },
  )

  it('mounts no stand-in next to a real service', async () => {
    const real = appWith(undefined, undefined, ['https://project.supabase.co'])
    expect((await real.request('/sandbox/v26.0/me')).status).toBe(404)
    expect((await real.request('/auth/v1/health')).status).toBe(404)
  })

  it('serves no file outside the directory of the application', async () => {
    for (const path of ['/../package.json', '/%2e%2e/package.json', '/assets/..%2f..%2fpackage.json']) {
      expect(await (await app.request(path)).text()).not.toContain('staff-inbox')
    }
  })

  it('sends the security headers that docs/operations.md lists for another host', async () => {
    const hosts = ['api.example.com', 'project.example.com']
    const real = appWith(
      undefined,
      undefined,
      hosts.map((host) => `https://${host}`),
    )
    const { headers } = await real.request('/login')
    const [, block = ''] =
      /```\n(Content-Security-Policy: .*?)\n```/s.exec(readFileSync('docs/operations.md', 'utf8')) ?? []
    const documented = block
      .replaceAll('<api>', 'api.example.com')
      .replaceAll('<project>', 'project.example.com')
      .split('\n')
      .map((line) => line.split(/: (.*)/s, 2))
    expect(documented.length).toBe(6)
    expect(documented).toEqual(documented.map(([name = '']) => [name, headers.get(name)]))
  })

  it('limits scripts to its own origin and connections to the configured origins', async () => {
    const real = appWith(undefined, undefined, ['https://project.supabase.co'])
    const policy = (await real.request('/login')).headers.get('content-security-policy') ?? ''
    expect(Object.fromEntries(policy.split('; ').map((part) => part.split(/ (.*)/s, 2)))).toEqual({
      'default-src': "'self'",
      'script-src': "'self'",
      'style-src': "'self' 'unsafe-inline'",
      'connect-src': "'self' https://project.supabase.co wss://project.supabase.co",
      'img-src': "'self' data: blob: https:",
      'media-src': "'self' data: blob: https:",
      'font-src': "'self' data:",
      'object-src': "'none'",
      'base-uri': "'none'",
      'form-action': "'self'",
      'frame-ancestors': "'none'",
      'worker-src': "'self'",
      'manifest-src': "'self'",
      'require-trusted-types-for': "'script'",
      'trusted-types': 'service-worker',
    })
    const { headers } = await app.request('/api/nothing')
    expect([
      headers.get('x-content-type-options'),
      headers.get('x-frame-options'),
      headers.get('referrer-policy'),
    ]).toEqual(['nosniff', 'DENY', 'no-referrer'])
  })
})
