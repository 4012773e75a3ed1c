import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createLogger } from '../../../server/logger.ts'
import { createGraph, webhookFields } from '../../../server/network/graph/graph.ts'
import { GraphError } from '../../../server/network/graph/graph-error.ts'
import { createPageTokens } from '../../../server/network/graph/page-tokens.ts'
import { keysOf } from '../derived-keys.ts'

const token = 'EAA-page-token'

function graphAnswering(answer: () => Promise<Response> | Response, secret?: string) {
  const calls: { url: URL; init: RequestInit }[] = []
  const graph = createGraph({
    baseUrl: 'https://graph.test',
    version: 'v26.0',
    appSecret: secret,
    timeout: 20,
    fetch: async (url, init) => {
      calls.push({ url: new URL(String(url)), init: init ?? {} })
      return answer()
    },
  })
  return { graph, calls }
}

const refusal = (code: number, subcode?: number) => () =>
  Response.json({ error: { message: `text with ${token}`, code, error_subcode: subcode } }, { status: 400 })

async function failureOf(call: Promise<unknown>): Promise<GraphError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof GraphError)) throw new Error('the call did not throw a GraphError')
  return error
}

describe('createGraph', () => {
  it('sends the token in the header only, and the proof of the app in the URL', async () => {
    const { graph, calls } = graphAnswering(() => Response.json({ recipient_id: '1', message_id: 'm_1' }), 'secret')
    await graph.send(token, { pageId: '10', psid: '20', content: { text: 'Hi' }, metadata: 'key-1' })
    expect(calls.map(({ url, init }) => ({ url: url.href, ...init, signal: undefined }))).toEqual([
      {
        url: `https://graph.test/v26.0/10/messages?appsecret_proof=${createHmac('sha256', 'secret').update(token).digest('hex')}`,
        method: 'POST',
        redirect: 'error',
        signal: undefined,
        headers: { authorization: `Bearer ${token}`, accept: 'application/json', 'content-type': 'application/json' },
        body: JSON.stringify({
          recipient: { id: '20' },
          messaging_type: 'RESPONSE',
          message: { text: 'Hi', metadata: 'key-1' },
        }),
      },
    ])
  })

  it('sends with the HUMAN_AGENT tag on request', async () => {
    const { graph, calls } = graphAnswering(() => Response.json({ message_id: 'm_1' }))
    await graph.send(token, { pageId: '10', psid: '20', content: { text: 'Hi' }, humanAgent: true })
    expect(JSON.parse(String(calls[0]?.init.body))).toEqual({
      recipient: { id: '20' },
      messaging_type: 'MESSAGE_TAG',
      tag: 'HUMAN_AGENT',
      message: { text: 'Hi' },
    })
  })

  it.each([
    [190, undefined, 'reconnectPage', 'never', false],
    [190, 458, 'reconnectPage', 'never', false],
    [190, 460, 'reconnectPage', 'never', false],
    [190, 463, 'reconnectPage', 'never', false],
    [10, 2018278, 'windowClosed', 'never', false],
    [10, 2534022, 'windowClosed', 'never', false],
    [551, undefined, 'personUnavailable', 'never', false],
    [10, 2018108, 'personUnavailable', 'never', false],
    [200, 1545041, 'personUnavailable', 'never', false],
    [10, undefined, 'permissionMissing', 'never', false],
    [200, undefined, 'permissionMissing', 'never', false],
    [100, 33, 'recipientUnknown', 'never', false],
    [100, 2018001, 'recipientUnknown', 'never', false],
    [100, 2534014, 'recipientUnknown', 'never', false],
    [368, undefined, 'pageRestricted', 'later', false],
    [4, undefined, 'rateLimited', 'backoff', false],
    [17, undefined, 'rateLimited', 'backoff', false],
    [32, undefined, 'rateLimited', 'backoff', false],
    [613, undefined, 'rateLimited', 'backoff', false],
    [80001, undefined, 'rateLimited', 'backoff', false],
    [80002, undefined, 'rateLimited', 'backoff', false],
    [80006, undefined, 'rateLimited', 'backoff', false],
    [1, undefined, 'temporaryFailure', 'backoff', true],
    [2, undefined, 'temporaryFailure', 'backoff', true],
    [100, undefined, 'refused', 'never', false],
  ] as const)('classifies the refusal %s/%s as %s, with retry %s', async (code, subcode, meaning, retry, uncertain) => {
    const { graph } = graphAnswering(refusal(code, subcode))
    const error = await failureOf(graph.send(token, { pageId: '10', psid: '20', content: { text: 'Hi' } }))
    expect({ ...error }).toEqual({
      name: 'GraphError',
      status: 400,
      code,
      subcode: subcode ?? null,
      refusal: meaning,
      retry,
      uncertain,
      retryAfter: null,
    })
    expect(error.message).not.toContain(token)
  })

  it.each([
    ['{"1":[{"type":"messenger","call_count":100,"estimated_time_to_regain_access":3}]}', 180_000],
    ['{"1":[{"estimated_time_to_regain_access":3},{"estimated_time_to_regain_access":7}]}', 420_000],
    ['{"1":[{"call_count":28,"estimated_time_to_regain_access":0}]}', null],
    ['{"1":', null],
  ])('reads from the usage header %s the retry time %s ms', async (usage, retryAfter) => {
    const { graph } = graphAnswering(() =>
      Response.json(
        { error: { message: 'too many calls', code: 613 } },
        { status: 400, headers: { 'x-business-use-case-usage': usage } },
      ),
    )
    const error = await failureOf(graph.conversations(token, { pageId: '10', platform: 'messenger' }))
    expect([error.refusal, error.retryAfter]).toEqual(['rateLimited', retryAfter])
  })

  it.each([
    ['a broken connection', () => Promise.reject(new TypeError(`fetch failed for ${token}`)), null],
    ['HTML', () => new Response('<html>Sorry</html>', { status: 502 }), 502],
    ['an empty body', () => new Response(null, { status: 200 }), 200],
    ['truncated JSON', () => new Response('{"message_id": "m_'), 200],
    ['a response of another shape', () => Response.json({ ok: true }), 200],
  ])('reports %s as uncertain, without the token', async (_, answer, status) => {
    const { graph } = graphAnswering(answer)
    const error = await failureOf(graph.send(token, { pageId: '10', psid: '20', content: { text: 'Hi' } }))
    expect({ ...error }).toEqual({
      name: 'GraphError',
      status,
      code: null,
      subcode: null,
      refusal: 'noAnswer',
      retry: 'backoff',
      uncertain: true,
      retryAfter: null,
    })
    expect(`${error.message} ${error.stack} ${error.cause}`).not.toContain(token)
  })

  it('sends an inspected token in the URL, and the token of the app in the header', async () => {
    const { graph, calls } = graphAnswering(() => Response.json({ data: { is_valid: true } }))
    expect(await graph.debugToken('app-token', token)).toMatchObject({ is_valid: true })
    expect(calls.map(({ url, init }) => [init.method, url.href, init.headers, init.body, init.redirect])).toEqual([
      [
        'GET',
        `https://graph.test/v26.0/debug_token?input_token=${token}`,
        { authorization: 'Bearer app-token', accept: 'application/json' },
        undefined,
        'error',
      ],
    ])
  })

  it.each([
    ['a broken connection', () => Promise.reject(new TypeError(`debug_token?input_token=${token}`))],
    ['a refusal', refusal(190)],
    ['HTML', () => new Response(`<html>debug_token?input_token=${token}</html>`, { status: 502 })],
    ['a response of another shape', () => Response.json({ data: `debug_token?input_token=${token}` })],
  ])('does not log an inspected token after %s', async (_, answer) => {
    const lines: string[] = []
    const logger = createLogger('info', { write: (line: string) => void lines.push(line) })
    const error = await failureOf(graphAnswering(answer).graph.debugToken('app-token', token))
    logger.error({ err: error }, 'the call failed')
    expect([lines.length, lines.join('').includes('debug_token'), lines.join('').includes(token)]).toEqual([
      1,
      true,
      false,
    ])
  })

  it('subscribes a page to the documented fields', async () => {
    const { graph, calls } = graphAnswering(() => Response.json({ success: true }))
    await graph.subscribe(token, 'p1')
    const fields = calls[0]?.url.searchParams.get('subscribed_fields')?.split(',')
    expect(fields).toEqual([...webhookFields])
    const named = webhookFields.map((field) => `\`${field}\``)
    const list = `${named.slice(0, -1).join(', ')} and ${named.at(-1)}`
    expect(readFileSync('docs/operations.md', 'utf8')).toContain(list)
  })

  it('times out, with a shorter time-out for profiles', async () => {
    const graph = createGraph({
      baseUrl: 'https://graph.test',
      version: 'v26.0',
      timeout: 5,
      profileTimeout: 2,
      fetch: (_, init) =>
        new Promise((_resolve, reject) => {
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
        }),
    })
    expect((await failureOf(graph.me(token))).message).toBe('me got no usable response: none within 5 ms')
    expect((await failureOf(graph.person(token, '1', 'messenger'))).message).toBe(
      'person got no usable response: none within 2 ms',
    )
  })
})

describe('createPageTokens', () => {
  const tokens = createPageTokens(keysOf(1))

  it('decrypts a token unchanged, and encrypts it differently each time', () => {
    const [one, other] = [tokens.encrypt('10', token), tokens.encrypt('10', token)]
    expect([tokens.decrypt('10', one), tokens.decrypt('10', other)]).toEqual([token, token])
    expect(one).not.toBe(other)
    expect(one).not.toContain(token)
  })

  it.each([
    ['of another page', (stored: string) => ['11', stored] as const, tokens],
    ['that was changed', (stored: string) => ['10', `${stored.slice(0, -2)}AA`] as const, tokens],
    ['that is empty', () => ['10', ''] as const, tokens],
    ['encrypted with another key', (stored: string) => ['10', stored] as const, createPageTokens(keysOf(2))],
  ])('rejects a stored token %s', (_, changed, reader) => {
    const [pageId, stored] = changed(tokens.encrypt('10', token))
    expect(() => reader.decrypt(pageId, stored)).toThrow(
      'A stored page token cannot be read with this secret key; reconnect the page',
    )
  })
})
