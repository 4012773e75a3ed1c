import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod/mini'
import { Failure } from '../../src/domain/failure.ts'
import {
  type BearerToken,
  type BearerTokens,
  createHttp,
  type HttpSettings,
  rows,
  waitFor,
} from '../../src/services/http.ts'

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()))
})

/** A server that answers each request with the next handler, and all later requests with the last one. */
async function serve(...handlers: [Handler, ...Handler[]]) {
  const requests: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const handler = handlers[Math.min(requests.length, handlers.length - 1)] ?? handlers[0]
      requests.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body })
      handler(request, response, body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stops.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  const { port } = server.address() as AddressInfo
  return { baseUrl: `http://127.0.0.1:${port}/api`, requests }
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Handler =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }
const text =
  (status: number, body: string): Handler =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'text/html' }).end(body)
  }
const never: Handler = () => {}
const hangUp: Handler = (request) => {
  request.socket.destroy()
}
const cutOff: Handler = (request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{"success":tr')
  setImmediate(() => request.socket.destroy())
}

const answer = z.object({ success: z.literal(true), data: z.object({ n: z.number() }) })
const good = json(200, { success: true, data: { n: 1 } })

function client(baseUrl: string, settings: Partial<HttpSettings> = {}) {
  const waits: number[] = []
  const warnings: string[] = []
  const http = createHttp({
    baseUrl,
    log: { warn: (warning) => warnings.push(warning) },
    random: () => 1,
    wait: async (milliseconds) => void waits.push(milliseconds),
    ...settings,
  })
  return { http, waits, warnings }
}

const failureOf = async (call: Promise<unknown>) => {
  const [outcome] = await Promise.allSettled([call])
  if (outcome?.status !== 'rejected' || !(outcome.reason instanceof Failure)) throw new Error('it did not fail')
  const { kind, status, error, code, details, retryAfter, method, path } = outcome.reason
  return { kind, status, error, code, details, retryAfter, method, path }
}
const plain = { status: undefined, error: undefined, code: undefined, details: undefined, retryAfter: undefined }

describe('A call', () => {
  it('sends JSON and parses the answer with its schema', async () => {
    const { baseUrl, requests } = await serve(json(200, { success: true, data: { n: 1, extra: true } }))
    const { http } = client(baseUrl)
    const result = await http.post('/things', {
      body: { text: 'hello' },
      schema: answer,
      query: { page: 2, search: '' },
    })
    expect(result).toEqual({ success: true, data: { n: 1 } })
    expect(requests.map(({ method, url, body, headers }) => [method, url, body, headers['content-type']])).toEqual([
      ['POST', '/api/things?page=2', '{"text":"hello"}', 'application/json'],
    ])
  })

  it.each([
    ['HTML', text(200, '<!doctype html><title>Log in to the Wi-Fi</title>')],
    ['truncated JSON', text(200, '{"success":true,"data":{"n"')],
    ['an empty body', text(200, '')],
    ['a wrong shape', json(200, { success: true, data: [] })],
    ['null', json(200, null)],
  ])('fails as a bad answer if it is answered with %s', async (_, handler) => {
    const { baseUrl } = await serve(handler)
    expect(await failureOf(client(baseUrl).http.get('/things', { schema: answer }))).toMatchObject({
      kind: 'badAnswer',
      status: 200,
      error: undefined,
    })
  })

  it('fails as a bad answer if it is answered with 204 instead of data', async () => {
    const { baseUrl } = await serve((_, response) => void response.writeHead(204).end())
    expect(await failureOf(client(baseUrl).http.get('/things', { schema: answer }))).toEqual({
      ...plain,
      kind: 'badAnswer',
      status: 204,
      method: 'GET',
      path: '/things',
    })
  })

  it('fails with the error of the body if it is refused with status 200', async () => {
    const { baseUrl } = await serve(json(200, { success: false, error: 'Token is for another page' }))
    expect(await failureOf(client(baseUrl).http.get('/things', { schema: answer }))).toMatchObject({
      kind: 'badAnswer',
      error: 'Token is for another page',
    })
  })

  it('fails with the method and the path, never the query', async () => {
    const { baseUrl } = await serve(json(404, { success: false, error: 'Not found' }))
    const failure = await failureOf(
      client(baseUrl).http.get('/clients', { schema: answer, query: { search: 'Santos' } }),
    )
    expect(failure).toEqual({
      kind: 'status',
      status: 404,
      error: 'Not found',
      code: undefined,
      details: {},
      retryAfter: undefined,
      method: 'GET',
      path: '/clients',
    })
  })

  it.each([
    ['at the top level', { missingPermissions: ['a', 'b'], requiresAny: true }],
    ['in the field details', { details: { missingPermissions: ['a', 'b'], requiresAny: true } }],
  ])('fails with the missing permissions of a 403 that are %s', async (_, fields) => {
    const { baseUrl } = await serve(json(403, { success: false, error: 'Forbidden', code: 'NO', ...fields }))
    expect(await failureOf(client(baseUrl).http.get('/things', { schema: answer }))).toMatchObject({
      status: 403,
      error: 'Forbidden',
      code: 'NO',
      details: { missingPermissions: ['a', 'b'], requiresAny: true },
    })
  })

  it('times out, even after the answer has begun', async () => {
    const { baseUrl } = await serve((_, response) => void response.writeHead(200).write('{'))
    expect(await failureOf(client(baseUrl, { timeout: 20 }).http.post('/things', { schema: answer }))).toEqual({
      ...plain,
      kind: 'timeout',
      method: 'POST',
      path: '/things',
    })
  })

  it('ends on abort and is not retried', async () => {
    const { baseUrl, requests } = await serve(never)
    const reason = new AbortController()
    const failing = failureOf(client(baseUrl).http.get('/things', { schema: answer, signal: reason.signal }))
    await expect.poll(() => requests.length).toBe(1)
    reason.abort()
    expect(await failing).toEqual({ ...plain, kind: 'aborted', method: 'GET', path: '/things' })
    expect(requests.length).toBe(1)
  })

  it('is not sent if it is aborted beforehand', async () => {
    const { baseUrl, requests } = await serve(good)
    const call = client(baseUrl).http.get('/things', { schema: answer, signal: AbortSignal.abort() })
    expect(await failureOf(call)).toMatchObject({ kind: 'aborted' })
    expect(requests).toEqual([])
  })
})

describe('A read', () => {
  it.each([
    ['the connection breaks', hangUp],
    ['the answer is cut off', cutOff],
  ])('is retried if %s', async (_, fault) => {
    const { baseUrl, requests } = await serve(fault, fault, good)
    const { http, waits } = client(baseUrl)
    expect(await http.get('/things', { schema: answer })).toEqual({ success: true, data: { n: 1 } })
    expect([requests.length, waits]).toEqual([3, [300, 600]])
  })

  it('fails after the third attempt', async () => {
    const { baseUrl, requests } = await serve(hangUp)
    expect(await failureOf(client(baseUrl).http.get('/things', { schema: answer }))).toMatchObject({ kind: 'noAnswer' })
    expect(requests.length).toBe(3)
  })

  it('waits down to half the delay, depending on the jitter', async () => {
    const { baseUrl } = await serve(hangUp, good)
    const { http, waits } = client(baseUrl, { random: () => 0 })
    await http.get('/things', { schema: answer })
    expect(waits).toEqual([150])
  })

  it('is not retried after a timeout', async () => {
    const { baseUrl, requests } = await serve(never)
    const { http } = client(baseUrl, { timeout: 50 })
    expect(await failureOf(http.get('/things', { schema: answer }))).toMatchObject({ kind: 'timeout' })
    expect(requests.length).toBe(1)
  })

  it('times out by the time since its first attempt', async () => {
    vi.useFakeTimers()
    const asked: number[] = []
    const begun = Date.now()
    const { http } = client('/api', {
      wait: waitFor,
      fetch: (_, init) => {
        asked.push(Date.now() - begun)
        return new Promise((_, reject) => {
          // The first connection breaks after 29 s. The second gets no answer.
          if (asked.length === 1) setTimeout(() => reject(new TypeError('broken')), 29_000)
          init?.signal?.addEventListener('abort', () => reject(new DOMException('aborted')))
        })
      },
    })
    const failing = failureOf(http.get('/things', { schema: answer })).then((failure) => ({
      kind: failure.kind,
      after: Date.now() - begun,
    }))
    await vi.advanceTimersByTimeAsync(90_000)
    vi.useRealTimers()
    expect([asked, await failing]).toEqual([[0, 29_300], { kind: 'timeout', after: 30_000 }])
  })

  it('is retried after a short Retry-After', async () => {
    const { baseUrl } = await serve(json(429, { success: false }, { 'retry-after': '2' }), good)
    const { http, waits } = client(baseUrl)
    await http.get('/things', { schema: answer })
    expect(waits).toEqual([2_000])
  })

  it('is not retried after a long Retry-After', async () => {
    const { baseUrl, requests } = await serve(json(429, { success: false, error: 'Slow' }, { 'retry-after': '3' }))
    expect(await failureOf(client(baseUrl).http.get('/things', { schema: answer }))).toMatchObject({
      status: 429,
      retryAfter: 3_000,
    })
    expect(requests.length).toBe(1)
  })

  it.each([400, 401, 403, 404, 409, 422, 500, 502, 503, 504])('is not retried after %i', async (status) => {
    const { baseUrl, requests } = await serve(json(status, { success: false, error: 'No' }))
    expect(await failureOf(client(baseUrl).http.get('/things', { schema: answer }))).toMatchObject({
      kind: 'status',
      status,
      error: 'No',
    })
    expect(requests.length).toBe(1)
  })

  it.each([500, 503])('is not retried after %i with a short Retry-After', async (status) => {
    const { baseUrl, requests } = await serve(json(status, { success: false }, { 'retry-after': '1' }))
    expect(await failureOf(client(baseUrl).http.get('/things', { schema: answer }))).toMatchObject({
      kind: 'status',
      status,
      retryAfter: 1_000,
    })
    expect(requests.length).toBe(1)
  })

  it('is not retried after 429 without Retry-After', async () => {
    const { baseUrl, requests } = await serve(json(429, { success: false }))
    expect(await failureOf(client(baseUrl).http.get('/things', { schema: answer }))).toMatchObject({ status: 429 })
    expect(requests.length).toBe(1)
  })

  it('is not retried if it is aborted during the wait', async () => {
    const { baseUrl, requests } = await serve(hangUp)
    const reason = new AbortController()
    const { http } = client(baseUrl, { wait: async () => reason.abort() })
    expect(await failureOf(http.get('/things', { schema: answer, signal: reason.signal }))).toMatchObject({
      kind: 'aborted',
    })
    expect(requests.length).toBe(1)
  })
})

describe('A write', () => {
  it.each(['post', 'put', 'delete'] as const)('with %s is sent only once', async (method) => {
    const { baseUrl, requests } = await serve(hangUp)
    expect(await failureOf(client(baseUrl).http[method]('/things', { schema: answer }))).toMatchObject({
      kind: 'noAnswer',
      method: method.toUpperCase(),
    })
    expect(requests.length).toBe(1)
  })
})

describe('The authenticated client', () => {
  function holder(first: BearerToken | null, renewals: (BearerToken | Failure)[] = [], isEnding = false) {
    let held = first
    const renewed: string[] = []
    const refused: number[] = []
    const tokens: BearerTokens = {
      current: () => held,
      isEnding: () => isEnding,
      renew: async (used) => {
        renewed.push(used.token)
        const next = renewals.shift()
        if (next === undefined) throw new Error('no renewal was expected')
        if (next instanceof Failure) throw next
        held = next
        return next
      },
    }
    return { renewed, refused, settings: { tokens, onUnauthorised: (session: number) => void refused.push(session) } }
  }
  const old = { token: 'old', session: 1 }
  const fresh = { token: 'fresh', session: 1 }
  const bearers = (requests: { headers: IncomingMessage['headers'] }[]) =>
    requests.map(({ headers }) => headers.authorization)
  const unauthorised = json(401, { success: false, error: 'Token expired' })

  it('sends the token', async () => {
    const { baseUrl, requests } = await serve(good)
    const { http, warnings } = client(baseUrl, holder(old).settings)
    await http.get('/things', { schema: answer })
    expect([bearers(requests), warnings]).toEqual([['Bearer old'], []])
  })

  it('warns without a token, and logs only the path', async () => {
    const { baseUrl, requests } = await serve(good)
    const { http, warnings } = client(baseUrl, holder(null).settings)
    await http.get('/things', { schema: answer, query: { search: 'Santos' } })
    expect([bearers(requests), warnings]).toEqual([[undefined], ['GET /things is called without a token']])
  })

  it('refreshes a token close to its expiry before the call', async () => {
    const { baseUrl, requests } = await serve(good)
    const { renewed, settings } = holder(old, [fresh], true)
    await client(baseUrl, settings).http.get('/things', { schema: answer })
    expect([renewed, bearers(requests)]).toEqual([['old'], ['Bearer fresh']])
  })

  it('sends the old token if the refresh fails', async () => {
    const { baseUrl, requests } = await serve(good)
    const { settings } = holder(old, [new Failure({ kind: 'noAnswer', method: 'POST', path: '/auth/refresh' })], true)
    await client(baseUrl, settings).http.get('/things', { schema: answer })
    expect(bearers(requests)).toEqual(['Bearer old'])
  })

  it('sends no call for a session that has ended', async () => {
    const { baseUrl, requests } = await serve(good)
    const { settings } = holder(old, [new Failure({ kind: 'aborted', method: 'POST', path: '/auth/refresh' })], true)
    const call = client(baseUrl, settings).http.post('/send', { schema: answer })
    expect(await failureOf(call)).toMatchObject({ kind: 'aborted' })
    expect(requests).toEqual([])
  })

  it('refreshes once after a 401 and repeats the call once, even a write, which was refused', async () => {
    const { baseUrl, requests } = await serve(unauthorised, good)
    const { renewed, refused, settings } = holder(old, [fresh])
    await client(baseUrl, settings).http.post('/things', { schema: answer, body: { n: 1 } })
    expect([renewed, bearers(requests), refused]).toEqual([['old'], ['Bearer old', 'Bearer fresh'], []])
  })

  it('reports the session as refused after a second 401, without a third attempt', async () => {
    const { baseUrl, requests } = await serve(unauthorised)
    const { renewed, refused, settings } = holder(old, [fresh])
    expect(await failureOf(client(baseUrl, settings).http.get('/things', { schema: answer }))).toMatchObject({
      status: 401,
    })
    expect([renewed, requests.length, refused]).toEqual([['old'], 2, [1]])
  })

  it('fails with the reason of the failed refresh', async () => {
    const { baseUrl } = await serve(unauthorised)
    const away = new Failure({ kind: 'noAnswer', method: 'POST', path: '/auth/refresh' })
    const { refused, settings } = holder(old, [away])
    expect(await failureOf(client(baseUrl, settings).http.get('/things', { schema: answer }))).toMatchObject({
      kind: 'noAnswer',
    })
    expect(refused).toEqual([])
  })

  it('does not refresh after a 401 of a call without a token', async () => {
    const { baseUrl, requests } = await serve(unauthorised)
    const { refused, settings } = holder(null)
    expect(await failureOf(client(baseUrl, settings).http.get('/things', { schema: answer }))).toMatchObject({
      status: 401,
    })
    expect([requests.length, refused]).toEqual([1, []])
  })

  it('writes no token into a failure or a warning', async () => {
    const { baseUrl } = await serve(json(500, { success: false, error: 'Broken' }))
    const { http, warnings } = client(baseUrl, holder({ token: 'secret-token', session: 1 }).settings)
    const [outcome] = await Promise.allSettled([http.get('/things', { schema: answer })])
    expect(`${JSON.stringify(outcome)} ${warnings.join()}`).not.toContain('secret-token')
  })
})

describe('The rows of a list', () => {
  it('lose an unreadable row, which is counted, and keep the others', () => {
    const warnings: string[] = []
    const list = rows(z.object({ id: z.string() }), { warn: (text) => warnings.push(text) }, 'pages')
    expect(z.parse(list, [{ id: 'a' }, { id: 1 }, null, { id: 'b', extra: 1 }])).toEqual([{ id: 'a' }, { id: 'b' }])
    expect(warnings).toEqual(['2 pages could not be read'])
  })

  it('cause no warning if all are readable', () => {
    const list = rows(z.string(), { warn: () => expect.unreachable() }, 'texts')
    expect(z.parse(list, ['a'])).toEqual(['a'])
  })

  it('are rejected if they are no list', () => {
    expect(z.safeParse(rows(z.string(), { warn: () => {} }, 'texts'), { a: 1 }).success).toBe(false)
  })
})
